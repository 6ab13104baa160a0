//! Running other programs: output shown or kept back, time bounded, failures with the command line in them.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// How many lines of a quiet command's output a failure repeats.
const LINES_SHOWN: usize = 40;

/// A command to run, with its environment and folder.
#[derive(Debug)]
pub(crate) struct Program {
    command: Command,
}

impl Program {
    /// A program by name or path. It never reads from our standard input.
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.stdin(Stdio::null());
        Self { command }
    }

    /// npm, which is a batch file on Windows. `folder` is the one it works in.
    pub(crate) fn npm(folder: &Path) -> Self {
        Self::new(if cfg!(windows) { "npm.cmd" } else { "npm" }).folder(folder)
    }

    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    pub(crate) fn args<I: IntoIterator<Item = A>, A: AsRef<OsStr>>(mut self, arguments: I) -> Self {
        self.command.args(arguments);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(crate) fn folder(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Puts a folder before all others in a search path variable of the program, such as `PATH`.
    pub(crate) fn prepend_path(self, name: &str, folder: &Path) -> Self {
        let set_here = self
            .command
            .get_envs()
            .find(|(set, _)| *set == OsStr::new(name))
            .and_then(|(_, value)| value.map(OsStr::to_os_string));
        let mut folders = vec![folder.to_path_buf()];
        if let Some(others) = set_here.or_else(|| env::var_os(name)) {
            folders.extend(env::split_paths(&others));
        }
        // Joining fails only for a folder with a separator in its name, which could not be in the variable anyway.
        let joined = env::join_paths(folders).unwrap_or_else(|_| OsString::from(folder));
        self.env(name, joined)
    }

    /// Runs with the output on our terminal.
    ///
    /// # Errors
    /// When the program cannot be started or does not end with success.
    pub(crate) fn show(mut self) -> Result<(), Failure> {
        let status = self
            .command
            .status()
            .map_err(|error| self.not_started(&error))?;
        self.require_success(status, "")
    }

    /// Runs with the output kept back; a failure repeats the end of it.
    ///
    /// # Errors
    /// When the program cannot be started or does not end with success.
    pub(crate) fn quiet(self) -> Result<(), Failure> {
        self.capture().map(drop)
    }

    /// Runs and returns the standard output.
    ///
    /// # Errors
    /// When the program cannot be started or does not end with success.
    pub(crate) fn capture(mut self) -> Result<String, Failure> {
        let output = self
            .command
            .output()
            .map_err(|error| self.not_started(&error))?;
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let both = format!("{stdout}{}", String::from_utf8_lossy(&output.stderr));
        self.require_success(output.status, &both)?;
        Ok(stdout)
    }

    /// Runs quietly for no longer than `limit`, with the output in `log`.
    ///
    /// # Errors
    /// When the program cannot be started, does not end with success, or has to be stopped.
    pub(crate) fn quiet_within(mut self, limit: Duration, log: &Path) -> Result<(), Failure> {
        let file = File::create(log).map_err(|error| Failure::file("write", log, &error))?;
        let copy = file
            .try_clone()
            .map_err(|error| Failure::file("write", log, &error))?;
        self.command.stdout(file).stderr(copy);
        let mut child = self
            .command
            .spawn()
            .map_err(|error| self.not_started(&error))?;
        let start = Instant::now();
        loop {
            let ended = child.try_wait().map_err(|error| self.not_started(&error))?;
            if let Some(status) = ended {
                let output = std::fs::read_to_string(log).unwrap_or_default();
                return self.require_success(status, &output);
            }
            if start.elapsed() > limit {
                // It may have ended by itself in the meantime: either way it is gone.
                let _ = child.kill();
                let _ = child.wait();
                return Err(Failure::new(format!(
                    "`{}` had not ended after {} s",
                    self.line(),
                    limit.as_secs()
                )));
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn require_success(&self, status: ExitStatus, output: &str) -> Result<(), Failure> {
        if status.success() {
            return Ok(());
        }
        let lines: Vec<&str> = output.lines().collect();
        let tail = &lines[lines.len().saturating_sub(LINES_SHOWN)..];
        let quoted: String = tail.iter().map(|line| format!("\n  | {line}")).collect();
        Err(Failure::new(format!(
            "`{}` failed ({status}){quoted}",
            self.line()
        )))
    }

    fn not_started(&self, error: &io::Error) -> Failure {
        let program = self.command.get_program().to_string_lossy().into_owned();
        let failure = Failure::new(format!("cannot run `{program}`: {error}"));
        match program.as_str() {
            "node" | "npm" | "npm.cmd" => failure.mend("install Node.js 20 or newer, with npm"),
            "cargo" | "rustup" => failure.mend("install Rust with rustup"),
            "python3" => failure.mend("install Python 3 with pip"),
            _ => failure,
        }
    }

    fn line(&self) -> String {
        let words = std::iter::once(self.command.get_program()).chain(self.command.get_args());
        words
            .map(OsStr::to_string_lossy)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// Where a program of this name lies in `PATH`.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
        .find(|candidate| candidate.is_file())
}
