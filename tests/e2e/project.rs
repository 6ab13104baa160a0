//! A project in a temporary folder, and the binary run in it.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

pub(crate) struct Project {
    folder: tempfile::TempDir,
    /// Set for each command.
    environment: Vec<(&'static str, String)>,
}

/// What a command left.
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Done {
    /// Runs a command to its end.
    pub(crate) fn of(command: &mut Command) -> Self {
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().unwrap();
        Self {
            code: status.code(),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
        }
    }

    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(
            self.code,
            Some(0),
            "stdout: {}\nstderr: {}",
            self.stdout,
            self.stderr
        );
        self
    }

    #[track_caller]
    pub(crate) fn fails(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            Some(code),
            "stdout: {}\nstderr: {}",
            self.stdout,
            self.stderr
        );
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.stdout, self.stderr))
    }

    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(
            self.stderr.contains(text) || self.stdout.contains(text),
            "`{text}` is not in\n{}\n{}",
            self.stdout,
            self.stderr
        );
        self
    }
}

impl Project {
    pub(crate) fn new(scripts: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = Self {
            folder,
            environment: Vec::new(),
        };
        for (name, text) in scripts {
            project.write(&format!("pipelines/{name}.sql"), text);
        }
        project
    }

    #[allow(dead_code)] // the interop tests do
    pub(crate) fn set(&mut self, name: &'static str, value: String) {
        self.environment.push((name, value));
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.root().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lakemill"));
        command
            .arg("-C")
            .arg(self.root())
            .args(arguments)
            .stdin(Stdio::null())
            .env_remove("LAKEMILL_LOG")
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Done {
        Done::of(&mut self.command(arguments))
    }

    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// Rows of an asset, in the order of their JSON text.
    #[track_caller]
    pub(crate) fn rows(&self, asset: &str) -> Vec<Value> {
        let done = self
            .run(&["preview", asset, "--limit", "100000", "--json"])
            .ok();
        let mut rows = done.json()["rows"].as_array().unwrap().clone();
        rows.sort_by_key(Value::to_string);
        rows
    }

    /// Number of rows by the record of the last run.
    #[track_caller]
    pub(crate) fn rows_of(&self, asset: &str) -> i64 {
        let status = self.run(&["status", "--json"]).ok().json();
        status
            .as_array()
            .unwrap()
            .iter()
            .find(|line| line["path"] == asset)
            .and_then(|line| line["rows"].as_i64())
            .unwrap()
    }

    /// Snapshots that touched an asset, newest first: `(id, commit's job)`. Several runs may be in one.
    #[track_caller]
    pub(crate) fn snapshots(&self, asset: &str) -> Vec<(i64, String)> {
        let done = self
            .run(&["history", asset, "--limit", "1000", "--json"])
            .ok();
        let mut snapshots: Vec<_> = done
            .json()
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|entry| {
                let snapshot = entry.get("snapshot")?;
                Some((
                    snapshot["id"].as_i64()?,
                    snapshot["run"]["job"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned(),
                ))
            })
            .collect();
        snapshots.dedup();
        snapshots
    }
}
