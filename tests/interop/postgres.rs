//! A PostgreSQL server in a temporary folder.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::free_port;

/// One that runs until it is dropped.
pub(crate) struct Postgres {
    programs: PathBuf,
    /// The user that the server runs as, when that is not this one: it refuses to run as root.
    user: Option<&'static str>,
    folder: tempfile::TempDir,
    port: u16,
    databases: AtomicU32,
}

const USER: &str = "lake";
/// It must not appear anywhere.
pub(crate) const PASSWORD: &str = "correct horse's battery";

impl Postgres {
    pub(crate) fn start() -> Self {
        let is_root = text(&run(Command::new("id").arg("-u"))).trim() == "0";
        let server = Self {
            programs: programs(),
            user: is_root.then_some("postgres"),
            folder: tempfile::tempdir().unwrap(),
            port: free_port(),
            databases: AtomicU32::new(0),
        };
        let password = server.folder.path().join("password");
        std::fs::write(&password, PASSWORD).unwrap();
        if let Some(user) = server.user {
            run(Command::new("chown")
                .args(["-R", user])
                .arg(server.folder.path()));
        }
        run(server
            .command("initdb")
            .args(["--no-sync", "--encoding=UTF8"])
            // Over its socket no password is asked, for tests that cannot put one into their environment.
            .args(["--auth-host=scram-sha-256", "--auth-local=trust"])
            .arg(format!("--username={USER}"))
            .arg(format!("--pwfile={}", password.display()))
            .arg(server.data()));
        server.start_again();
        server
    }

    /// Starts it after a [`Postgres::stop`].
    pub(crate) fn start_again(&self) {
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200 -k '{}'",
            self.port,
            self.folder.path().display()
        );
        run(self
            .command("pg_ctl")
            .args([
                "start",
                "--wait",
                "--silent",
                "--options",
                &options,
                "--log",
            ])
            .arg(self.folder.path().join("log"))
            .arg("--pgdata")
            .arg(self.data()));
    }

    /// Ends it at once, whatever it is doing, as a machine that loses its power.
    pub(crate) fn stop(&self) {
        run(self
            .command("pg_ctl")
            .args(["stop", "--mode=immediate", "--silent", "--pgdata"])
            .arg(self.data()));
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn command(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        let mut command = match self.user {
            Some(user) => {
                let mut command = Command::new("runuser");
                command.args(["-u", user, "--"]).arg(program);
                command
            }
            None => Command::new(program),
        };
        command.current_dir(self.folder.path());
        command
    }

    /// How it is reached, as an address.
    pub(crate) fn url(&self, password: &str) -> String {
        let password = password.replace(' ', "%20").replace('\'', "%27");
        format!(
            "postgresql://{USER}:{password}@127.0.0.1:{}/postgres",
            self.port
        )
    }

    /// How a database of it is reached over its socket, without password.
    pub(crate) fn socket_url(&self, database: &str) -> String {
        let folder = self.folder.path().display().to_string();
        format!(
            "postgres://{USER}@{}:{}/{database}",
            folder.replace('/', "%2F"),
            self.port
        )
    }

    /// The same, as `key=value` pairs.
    pub(crate) fn socket_pairs(&self, database: &str) -> String {
        format!(
            "postgres:host={} port={} user={USER} dbname={database}",
            self.folder.path().display(),
            self.port
        )
    }

    /// Makes a database of its own for the asker; gives its name.
    pub(crate) fn database(&self) -> String {
        let name = format!("d{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.ask(&format!("CREATE DATABASE {name}"));
        name
    }

    /// How it is reached, as `key=value` pairs.
    pub(crate) fn pairs(&self) -> String {
        let password = PASSWORD.replace('\'', "\\'");
        format!(
            "postgres:host=127.0.0.1 port={} user={USER} dbname=postgres password='{password}'",
            self.port
        )
    }

    /// What psql says to a statement, without header and alignment.
    pub(crate) fn ask(&self, sql: &str) -> String {
        self.ask_in("postgres", sql)
    }

    /// The same, in a database of its own.
    pub(crate) fn ask_in(&self, database: &str, sql: &str) -> String {
        let output = run(self
            .command("psql")
            .env("PGPASSWORD", PASSWORD)
            .args([
                "-h",
                "127.0.0.1",
                "-U",
                USER,
                "-d",
                database,
                "-X",
                "-q",
                "-A",
                "-t",
            ])
            .args([
                "-v",
                "ON_ERROR_STOP=1",
                "-p",
                &self.port.to_string(),
                "-c",
                sql,
            ]));
        text(&output).trim().to_owned()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self
            .command("pg_ctl")
            .args(["stop", "--mode=immediate", "--silent", "--pgdata"])
            .arg(self.data())
            .status();
    }
}

/// The newest that is installed.
fn programs() -> PathBuf {
    // Debian keeps them out of PATH, a folder for each version.
    let mut folders = Vec::new();
    if let Ok(versions) = std::fs::read_dir("/usr/lib/postgresql") {
        folders.extend(versions.map(|version| version.unwrap().path().join("bin")));
        folders.sort();
        folders.reverse();
    }
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&on_path));
    let needed = ["initdb", "pg_ctl", "psql"];
    folders
        .into_iter()
        .find(|folder| needed.iter().all(|program| folder.join(program).is_file()))
        .expect("PostgreSQL is not installed: run `cargo xtask setup test`")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}
