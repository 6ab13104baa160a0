//! Runs that need more memory, or more time, than they may use.

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

/// Ends never.
const SLOW: &str = "-- materialize ducklake://shop/slow\nSELECT range AS n FROM range(1000000000000) WHERE hash(range) = 1";
/// A data test that ends never.
const SLOW_TEST: &str =
    "FROM _wm_target WHERE n < (SELECT min(hash(range)) FROM range(1000000000000)) - 1e30";

#[test]
fn a_run_whose_time_is_over_is_cancelled_and_others_go_on() {
    let project = Project::new(&[
        (
            "a/slow",
            "-- materialize ducklake://shop/slow\nSELECT 7 AS n",
        ),
        (
            "b/needs",
            "-- materialize ducklake://shop/needs\nATTACH 'ducklake://shop' AS s;\nFROM s.slow",
        ),
        (
            "c/other",
            "-- materialize ducklake://shop/other\nSELECT 1 AS n",
        ),
    ]);
    project.write(
        "lakemill.toml",
        "[run]\ntimeout = '1d'\n[engine]\nthreads = 1\n",
    );
    project.run(&["run", "a"]).ok();
    let before = project.snapshots("shop/slow");
    project.write("pipelines/a/slow.sql", SLOW);

    let done = project.run(&["run", "--timeout", "10s", "--json"]).fails(1);
    let runs = done.json()["runs"].clone();
    let statuses: Vec<_> = (0..3).map(|at| runs[at]["status"].clone()).collect();
    assert_eq!(statuses, ["cancelled", "skipped", "materialized"], "{runs}");
    let told = "cancelled after its time-out of 10s; nothing was published";
    assert_eq!(runs[0]["error"]["message"], told);
    let elapsed_ms = runs[0]["elapsedMs"].as_u64().unwrap();
    assert!((10_000..40_000).contains(&elapsed_ms), "{elapsed_ms}");
    assert_eq!(project.snapshots("shop/slow"), before);
    assert_eq!(project.rows("shop/slow")[0]["n"], 7);
    let status = project.run(&["status", "--json"]).ok().json();
    let slow = status.as_array().unwrap().iter();
    let slow = slow
        .clone()
        .find(|line| line["path"] == "shop/slow")
        .unwrap();
    assert_eq!(slow["status"], "cancelled");
    assert_eq!(slow["error"], told);
    for written in ["0s", "soon"] {
        project
            .run(&["run", "--timeout", written])
            .fails(2)
            .says("is no time-out");
    }
}

#[test]
fn a_data_test_that_takes_too_long_is_cancelled() {
    let project = Project::new(&[
        (
            "t",
            "-- materialize ducklake://shop/t\n-- data_test tests/slow\nSELECT 1 AS n",
        ),
        ("tests/slow", SLOW_TEST),
    ]);
    project.write(
        "lakemill.toml",
        "[run]\ntimeout = '5s'\n[engine]\nthreads = 1\n",
    );
    let audited = ["run", "--publish", "write-audit-publish"];
    project
        .run(&audited)
        .fails(1)
        .says("cancelled after its time-out of 5s; nothing was published");
    project.run(&["preview", "shop/t"]).fails(1);

    project
        .run(&["run"])
        .fails(1)
        .says("cancelled after its time-out of 5s; the snapshot stays");
    assert_eq!(project.snapshots("shop/t").len(), 1);
    let status = project.run(&["status", "--json"]).ok().json();
    assert_eq!(status[0]["status"], "cancelled");
    assert_eq!(status[0]["rows"], 1);

    let done = project.run(&["test", "t", "--json"]).fails(1).json();
    let error = &done["tests"][0]["error"];
    assert_eq!(error, "cancelled after its time-out of 5s", "{done}");
}

#[test]
fn the_time_of_a_run_passes_while_it_waits_for_another() {
    let project = Project::new(&[
        (
            "t",
            "-- materialize ducklake://shop/t\n-- data_test tests/slow\nSELECT 1 AS n",
        ),
        ("tests/slow", SLOW_TEST),
        ("u", "-- materialize ducklake://shop/u\nSELECT 1 AS n"),
    ]);
    project.write("lakemill.toml", "[engine]\nthreads = 1\n");
    // It holds the lake's lock while it tests.
    let mut holder = project.start(&["run", "t", "--publish", "write-audit-publish"]);
    let locks = project.root().join(".lakemill/locks");
    let is_held = || {
        let files = locks.read_dir().into_iter().flatten();
        let mut files = files.map(|file| std::fs::File::open(file.unwrap().path()).unwrap());
        files.any(|file| file.try_lock_shared().is_err())
    };
    let started = Instant::now();
    while !is_held() {
        assert!(started.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(50));
    }
    let done = project
        .run(&["run", "u", "--timeout", "5s", "--json"])
        .fails(1);
    let run = &done.json()["runs"][0];
    assert_eq!(run["status"], "cancelled", "{run}");
    let told = "cancelled after its time-out of 5s; nothing was published";
    assert_eq!(run["error"]["message"], told);
    assert!(holder.try_wait().unwrap().is_none());
    holder.kill().unwrap();
    holder.wait().unwrap();
    project.run(&["run", "u", "--timeout", "1h"]).ok();
}

#[test]
fn a_rebuild_has_a_time_out_too() {
    let project = Project::new(&[("t", "-- materialize ducklake://shop/t key=n\nSELECT 1 AS n")]);
    project.run(&["run"]).ok();
    project
        .run(&["rebuild", "shop/t", "--timeout", "1h"])
        .ok()
        .says("has the layout");
    project
        .run(&["rebuild", "shop/t", "--timeout", "0"])
        .fails(2)
        .says("is no time-out");
}

#[test]
fn slices_that_are_published_together_have_their_time_together() {
    let slow = "-- materialize ducklake://shop/t\n-- partitioned dynamic key=tenant\n\
         SELECT range AS n FROM range(CASE {partition} WHEN 'b' THEN 1000000000000 ELSE 1 END) \
         WHERE range = 0";
    let project = Project::new(&[("t", slow)]);
    project.write("lakemill.toml", "[engine]\nthreads = 1\n");
    let together = [
        "run",
        "t",
        "--atomic",
        "--partition",
        "a",
        "--partition",
        "b",
    ];
    let done = project
        .command(&together)
        .args(["--timeout", "4s", "--json"])
        .output()
        .unwrap();
    let told: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    for at in 0..2 {
        let run = &told["runs"][at];
        assert_eq!(run["status"], "cancelled", "{told}");
        let message =
            "cancelled after its time-out of 4s for each of 2 slices; nothing was published";
        assert_eq!(run["error"]["message"], message);
        assert!(run["elapsedMs"].as_u64().unwrap() >= 8000, "{told}");
    }
    project.run(&["preview", "shop/t"]).fails(1);
}
