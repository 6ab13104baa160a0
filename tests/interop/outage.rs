//! Disks that are full and servers that stop in the middle of a run: the error says what to do, the old version stays readable,
//! and the next run works.

use std::io::{BufRead, BufReader};
use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use executor_native::engine::question::At;
use executor_native::lake::LakeReader;
use executor_native::state::{End, StateError, StateStore, Status};

use crate::postgres::Postgres;
use crate::settle::{Between, TABLE, Through, World};

/// A small disk of its own: the tests of a full one fill it.
#[cfg(target_os = "linux")]
struct Disk(PathBuf);

#[cfg(target_os = "linux")]
impl Disk {
    /// Mounted at `folder`, which takes the right to mount: root's, as in the pipeline.
    fn mount(folder: PathBuf) -> Self {
        std::fs::create_dir_all(&folder).unwrap();
        let disk = Self(folder);
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=16m", "tmpfs"])
            .arg(&disk.0)
            .output()
            .unwrap();
        assert!(
            mounted.status.success(),
            "a test of a full disk mounts a small one and must be root for it: {}",
            String::from_utf8_lossy(&mounted.stderr)
        );
        disk
    }

    /// Fills it but for some bytes.
    fn fill(&self, but: u64) {
        let free = Command::new("df")
            .args(["-B1", "--output=avail"])
            .arg(&self.0)
            .output()
            .unwrap();
        let free = String::from_utf8(free.stdout).unwrap();
        let free: u64 = free.lines().last().unwrap().trim().parse().unwrap();
        let zeros = vec![0; usize::try_from(free.saturating_sub(but)).unwrap()];
        std::fs::write(self.filler(), zeros).unwrap();
    }

    fn free(&self) {
        std::fs::remove_file(self.filler()).unwrap();
    }

    fn filler(&self) -> PathBuf {
        self.0.join("filler")
    }
}

#[cfg(target_os = "linux")]
impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// When something happens to a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// Recorded and staged, about to publish; nothing is known to the store afterwards.
    BeforePublish,
    /// The store has just said that the run may publish.
    Publishing,
}

/// Lets `what` happen in the middle of a run.
struct Happening<'a> {
    store: Arc<dyn StateStore>,
    when: When,
    what: &'a (dyn Fn() + Send + Sync),
}

impl Between for Happening<'_> {
    fn store(&self) -> &dyn StateStore {
        self.store.as_ref()
    }
    fn is_running(&self, job: &str) -> Result<bool, StateError> {
        if self.when == When::BeforePublish {
            (self.what)();
        }
        let is_running = self.store.is_running(job)?;
        if self.when == When::Publishing {
            (self.what)();
        }
        Ok(is_running)
    }
    fn end(&self, job: &str, end: &End, now_ms: i64) -> Result<bool, StateError> {
        self.store.end(job, end, now_ms)
    }
}

/// The next version of the table, in whose run something happens; gives what it says.
fn fails(world: &World, when: When, what: &(dyn Fn() + Send + Sync)) -> String {
    let state = Through(Happening {
        store: world.another_session(),
        when,
        what,
    });
    let error = world.run_with(&state, &TABLE.replace("30", "40"), None, false);
    let error = error.unwrap_err().to_string();
    assert!(!error.contains("exception_type"), "{error}");
    error
}

fn rows_of(reader: &LakeReader) -> usize {
    let table = reader.table("main", "t");
    reader.preview(&table, &At::Now, 1000).unwrap().rows.len()
}

fn rows(world: &World) -> usize {
    rows_of(&LakeReader::open(&world.project, "shop").unwrap())
}

/// Settled, the lake has these rows and the record says so; then the table takes another version.
fn goes_on(world: &World, rows: usize) {
    world.settle();
    let reader = LakeReader::open(&world.project, "shop").unwrap();
    assert_eq!(rows_of(&reader), rows);
    let run = world.last();
    let status = match rows {
        40 => Status::Materialized,
        _ => Status::Failed,
    };
    assert_eq!(run.status, status, "{run:?}");
    assert_eq!(reader.committed_by(&run.job).unwrap(), run.snapshot);
    world.run(&TABLE.replace("30", "50"), None).unwrap();
    assert_eq!(rows_of(&reader), 50);
}

fn says(error: &str, texts: &[&str]) {
    for text in texts {
        assert!(error.contains(text), "`{text}` is not in: {error}");
    }
}

// Elsewhere there is no tmpfs to mount.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    for part in ["data", "catalog", "state"] {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::mount(folder.path().join("small"));
        let place = |of: &str| if of == part { &disk.0 } else { folder.path() };
        let path = |of: &str, name: &str| place(of).join(name).display().to_string();
        let world = World::new(&format!(
            "[lakes.shop]\ncatalog = 'sqlite:{}'\ndata_path = '{}'\n[state]\nurl = 'sqlite:{}'\n",
            path("catalog", "shop.sqlite"),
            path("data", "files"),
            path("state", "state.sqlite"),
        ));
        world.run(TABLE, None).unwrap();
        let error = fails(&world, When::Publishing, &|| disk.fill(0));
        says(
            &error,
            &["full: free some space", &disk.0.display().to_string()],
        );
        // The commit stood before the record found no room.
        let expected = if part == "state" { 40 } else { 30 };
        if part == "catalog" {
            // SQLite reads no log without some room.
            let error = LakeReader::open(&world.project, "shop").map(|_| ());
            says(&error.unwrap_err().to_string(), &["full: free some space"]);
        } else {
            assert_eq!(rows(&world), expected, "{part}");
        }
        // A run that finds it full from the start.
        let error = world.run(TABLE, None).unwrap_err().to_string();
        says(&error, &["full: free some space"]);
        disk.free();
        goes_on(&world, expected);
    }
}

/// Runs the next version in a process of its own, and stops the server once it sends its COMMIT.
fn stop_at_commit(server: &Postgres, world: &World) {
    let pipelines = world.project.root.join("pipelines");
    std::fs::create_dir_all(&pipelines).unwrap();
    std::fs::write(pipelines.join("t.sql"), TABLE.replace("30", "40")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_lakemill"))
        .arg("-C")
        .arg(&world.project.root)
        .args(["run", "t"])
        .env("LAKEMILL_LOG", "executor_native=trace")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stopped = false;
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        if line.unwrap().contains("sql=COMMIT") && !stopped {
            server.stop();
            stopped = true;
        }
    }
    assert!(stopped);
    child.wait().unwrap();
}

#[test]
fn a_server_that_stops() {
    let server = Postgres::start();
    let catalog = |database: &str, files: &Path| {
        format!(
            "[lakes.shop]\ncatalog = '{}'\ndata_path = '{}'\n",
            server.socket_pairs(database),
            files.display()
        )
    };
    let store = |database: &str| format!("[state]\nurl = '{}'\n", server.socket_url(database));
    let files = tempfile::tempdir().unwrap();
    let database = server.database();
    let stop = || server.stop();

    // A confined engine could not ask the server itself: it is not to be blamed for that.
    let config = catalog(&database, files.path());
    let confined = World::new(&format!("{config}[engine]\nallow_local_files = false\n"));
    let error = confined.run(&TABLE.replace("range AS n", "error('no') AS n"), None);
    let error = error.unwrap_err().to_string();
    assert!(!error.contains("does not answer"), "{error}");

    let on_catalog = World::new(&config);
    on_catalog.run(TABLE, None).unwrap();
    let error = fails(&on_catalog, When::Publishing, &stop);
    says(
        &error,
        &["catalog of the lake `shop` does not answer: start it"],
    );
    // Nor does anything else go on.
    let run = on_catalog.run(TABLE, None).unwrap_err().to_string();
    let look = LakeReader::open(&on_catalog.project, "shop").map(|_| ());
    for error in [run, look.unwrap_err().to_string()] {
        says(
            &error,
            &["catalog of the lake `shop` does not answer: start it"],
        );
    }
    server.start_again();
    goes_on(&on_catalog, 30);

    stop_at_commit(&server, &on_catalog);
    server.start_again();
    let rows_now = rows(&on_catalog);
    assert!(matches!(rows_now, 40 | 50), "{rows_now}");
    goes_on(&on_catalog, rows_now);

    let on_store = World::new(&store(&database));
    on_store.run(TABLE, None).unwrap();
    let error = fails(&on_store, When::BeforePublish, &stop);
    says(
        &error,
        &[
            "state store postgres://lake@",
            "is gone",
            "Start its server again",
        ],
    );
    assert_eq!(rows(&on_store), 30);
    server.start_again();
    goes_on(&on_store, 30);

    on_store.run(TABLE, None).unwrap();
    let error = fails(&on_store, When::Publishing, &stop);
    says(
        &error,
        &["is gone", "records from the lake what this run did"],
    );
    // The lake has it; the record follows.
    server.start_again();
    goes_on(&on_store, 40);
}
