//! Runs that are larger than the memory they may use.

use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::project::Project;

/// Sorts more than 60 MB.
fn large(name: &str) -> String {
    format!(
        "-- materialize ducklake://{name}/t\n\
         SELECT md5(range::VARCHAR) AS text FROM range(3000000) ORDER BY text"
    )
}

fn project() -> Project {
    let (one, two) = (large("one"), large("two"));
    let project = Project::new(&[
        ("one", &one),
        ("two", &two),
        (
            "small",
            "-- materialize ducklake://one/small\nSELECT 1 AS n",
        ),
    ]);
    project.write(
        "lakemill.toml",
        "[engine]\nmemory_limit = '60MB'\nthreads = 1\n",
    );
    project
}

/// Folders that engines have spilled into.
fn spilled(project: &Project) -> Vec<PathBuf> {
    let Ok(entries) = project.root().join(".lakemill/spill").read_dir() else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.is_dir()).collect()
}

/// A run that is under way, in the project's folder.
fn start(project: &Project, script: &str, is_confined: bool) -> Child {
    let mut command = project.command(&["run", script]);
    if is_confined {
        command.env("LAKEMILL_ENGINE__ALLOW_LOCAL_FILES", "false");
    }
    command
        .current_dir(project.root())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until so many engines have spilled.
#[track_caller]
fn wait_for_spills(project: &Project, count: usize) {
    let started = Instant::now();
    while spilled(project).len() < count {
        assert!(started.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn runs_that_spill_side_by_side_leave_nothing() {
    let project = project();
    let mut one = start(&project, "one", false);
    let mut two = start(&project, "two", true);
    wait_for_spills(&project, 2);
    assert!(one.wait().unwrap().success());
    assert!(two.wait().unwrap().success());
    let left = project.root().join(".lakemill/spill").read_dir().unwrap();
    assert_eq!(left.count(), 0);
    let mut here: Vec<_> = project
        .root()
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    here.sort();
    assert_eq!(here, [".lakemill", "lakemill.toml", "pipelines"]);
    assert_eq!(project.rows_of("one/t"), 3_000_000);
    assert_eq!(project.rows_of("two/t"), 3_000_000);
}

#[test]
fn what_a_killed_run_has_spilled_goes_with_the_next_run() {
    let project = project();
    let mut killed = start(&project, "one", false);
    wait_for_spills(&project, 1);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(spilled(&project).len(), 1);
    project.run(&["status"]).ok();
    assert_eq!(spilled(&project).len(), 1, "`status` only looks");
    project.run(&["run", "small"]).ok();
    let left = project.root().join(".lakemill/spill").read_dir().unwrap();
    assert_eq!(left.count(), 0);
}

#[test]
fn a_folder_for_spilling_that_cannot_be_made_fails_the_run() {
    let project = project();
    project.write(
        "lakemill.toml",
        "[engine]\ntemp_directory = 'pipelines/small.sql/spill'\n",
    );
    project
        .run(&["run", "small"])
        .fails(2)
        .says("pipelines/small.sql/spill");
    project.write("lakemill.toml", "[engine]\ntemp_directory = 'elsewhere'\n");
    project.run(&["run", "small"]).ok();
    assert!(project.root().join("elsewhere").is_dir());
    project
        .run(&["doctor"])
        .ok()
        .says(&project.root().join("elsewhere").to_string_lossy());
}
