//! Settling, with the process "dying" at a chosen moment: its record is not settled and its owner is gone.
#![allow(clippy::unwrap_used)] // in tests, the helpers included

use std::sync::atomic::{AtomicBool, Ordering};

use executor_native::config::{Project, ScriptFile};
use executor_native::lake::{LakeReader, PublishLocks};
use executor_native::run::{Cancel, Request, RunError, Runner, resolve_slice};
use executor_native::state::{
    AssetKey, Begin, End, Owners, RunRecord, SchemaRecord, SliceRecord, SqliteState, StateError,
    StateStore, Status, settle,
};

/// A store whose process dies before it settles anything.
struct Dying<'a>(&'a SqliteState);

impl StateStore for Dying<'_> {
    fn begin(&self, run: &Begin, owner: &str, _now_ms: i64) -> Result<(), StateError> {
        // Begun long ago, so that its lease is over.
        self.0.begin(run, owner, 0)
    }
    fn end(&self, _job: &str, _end: &End, _now_ms: i64) -> Result<bool, StateError> {
        Ok(true)
    }
    fn renew(&self, _owner: &str, _now_ms: i64) -> Result<(), StateError> {
        Ok(())
    }
    fn running(&self) -> Result<Vec<RunRecord>, StateError> {
        self.0.running()
    }
    fn slices(&self, asset: Option<&AssetKey>) -> Result<Vec<SliceRecord>, StateError> {
        self.0.slices(asset)
    }
    fn runs(&self, asset: &AssetKey, limit: u32) -> Result<Vec<RunRecord>, StateError> {
        self.0.runs(asset, limit)
    }
    fn schemas(&self, asset: &AssetKey) -> Result<Vec<SchemaRecord>, StateError> {
        self.0.schemas(asset)
    }
}

struct World {
    folder: tempfile::TempDir,
    project: Project,
    state: SqliteState,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::open(Some(folder.path())).unwrap();
        project.ensure_home().unwrap();
        let state = SqliteState::open(&project.state_file().unwrap()).unwrap();
        Self {
            folder,
            project,
            state,
        }
    }

    fn run(
        &self,
        state: &dyn StateStore,
        text: &str,
        partition: Option<&str>,
    ) -> Result<(), RunError> {
        let home = self.project.home();
        let owner = Owners::new(&home).register().unwrap();
        let locks = PublishLocks::new(&home);
        let cancel = Cancel::default();
        let runner = Runner {
            project: &self.project,
            state,
            owner: &owner,
            locks: &locks,
            cancel: &cancel,
        };
        let file = ScriptFile {
            path: self.folder.path().join("t.sql"),
            name: "t.sql".to_owned(),
            text: text.to_owned(),
        };
        let script = parser_core::parse(text).script;
        let partition = resolve_slice(&script, partition, jiff::Timestamp::now()).unwrap();
        let request = Request {
            file: &file,
            script: &script,
            partition,
            trigger: "test",
            parent: None,
        };
        runner.run(&request, &mut None).map(|_| ())
    }

    fn last(&self) -> RunRecord {
        let asset = AssetKey {
            kind: "ducklake".into(),
            path: "shop/t".into(),
        };
        let mut runs = self.state.runs(&asset, 10).unwrap();
        // A dying run is recorded as begun long ago: the newest is told by its job id, which is ordered by time.
        runs.sort_by(|a, b| a.job.cmp(&b.job));
        runs.pop().unwrap()
    }
}

#[test]
fn a_run_that_had_committed_is_materialized_by_its_snapshot() {
    for script in [
        "-- materialize ducklake://shop/t\nSELECT range AS n FROM range(30)",
        "-- materialize ducklake://shop/t append\nSELECT range AS n FROM range(30)",
        "-- materialize ducklake://shop/t key=n\nSELECT range AS n FROM range(30)",
        "-- materialize ducklake://shop/t key=n history\nSELECT range AS n FROM range(30)",
        "-- materialize ducklake://shop/t\n-- partitioned daily\nSELECT range AS n FROM range(30)",
    ] {
        let world = World::new();
        let partition = script.contains("partitioned").then_some("2024-02-29");
        world.run(&Dying(&world.state), script, partition).unwrap();
        assert_eq!(world.last().status, Status::Running);
        let settled = settle(&world.project, &world.state).unwrap();
        assert_eq!(
            (settled.materialized, settled.interrupted),
            (1, 0),
            "{settled:?}"
        );
        let run = world.last();
        assert_eq!((run.status, run.rows), (Status::Materialized, Some(30)));
        let reader = LakeReader::open(&world.project, "shop").unwrap();
        assert_eq!(reader.committed_by(&run.job).unwrap(), run.snapshot);
        assert!(run.snapshot.is_some());
    }
}

#[test]
fn a_run_that_had_not_committed_is_interrupted() {
    let world = World::new();
    let script = "-- materialize ducklake://shop/t\nSELECT range AS n FROM range(30)";
    world.run(&world.state, script, None).unwrap();
    let good = world.last();
    let failing = "-- materialize ducklake://shop/t\nSELECT error('no') AS n FROM range(30)";
    assert!(world.run(&Dying(&world.state), failing, None).is_err());
    let settled = settle(&world.project, &world.state).unwrap();
    assert_eq!((settled.materialized, settled.interrupted), (0, 1));
    let run = world.last();
    assert_eq!(run.status, Status::Failed);
    assert!(run.error.unwrap().starts_with("interrupted"));
    let slice = world.state.slices(None).unwrap().remove(0);
    assert_eq!(
        (slice.status, slice.snapshot),
        (Status::Failed, good.snapshot)
    );
}

#[test]
fn a_living_owner_is_left_alone() {
    let world = World::new();
    let owner = Owners::new(&world.project.home()).register().unwrap();
    let begin = Begin {
        job: "j".into(),
        asset: AssetKey {
            kind: "ducklake".into(),
            path: "shop/t".into(),
        },
        partition: String::new(),
        script: "t.sql".into(),
        content_hash: String::new(),
        strategy: "replace".into(),
        trigger: "test".into(),
        parent: None,
    };
    world.state.begin(&begin, &owner.id, 0).unwrap();
    assert_eq!(settle(&world.project, &world.state).unwrap().interrupted, 0);
    drop(owner);
    assert_eq!(settle(&world.project, &world.state).unwrap().interrupted, 1);
}

#[test]
fn stores_that_open_at_once_share_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state.sqlite");
    let failed = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                if SqliteState::open(&file)
                    .and_then(|state| state.running())
                    .is_err()
                {
                    failed.store(true, Ordering::SeqCst);
                }
            });
        }
    });
    assert!(!failed.load(Ordering::SeqCst));
}

#[test]
fn a_schema_gets_a_version_only_when_it_differs() {
    let world = World::new();
    for select in ["1 AS a", "2 AS a", "2 AS a, 'x' AS b"] {
        world
            .run(
                &world.state,
                &format!("-- materialize ducklake://shop/t\nSELECT {select}"),
                None,
            )
            .unwrap();
    }
    let asset = AssetKey {
        kind: "ducklake".into(),
        path: "SHOP/T".into(),
    };
    let versions = world.state.schemas(&asset).unwrap();
    assert_eq!(versions.len(), 2);
    assert_eq!(versions[1].columns[1]["name"], "b");
}

#[test]
fn overlapping_runs_leave_the_newest_snapshot() {
    let world = World::new();
    let asset = AssetKey {
        kind: "ducklake".into(),
        path: "shop/t".into(),
    };
    let begin = |job: &str, at: i64| {
        let run = Begin {
            job: job.into(),
            asset: asset.clone(),
            partition: String::new(),
            script: "t.sql".into(),
            content_hash: String::new(),
            strategy: "replace".into(),
            trigger: "test".into(),
            parent: None,
        };
        world.state.begin(&run, "owner", at).unwrap();
    };
    let end = |job: &str, snapshot: i64, at: i64| {
        let end = End {
            status: Status::Materialized,
            snapshot: Some(snapshot),
            changed: Some(true),
            rows: Some(snapshot * 10),
            inserted: None,
            deleted: None,
            timings: None,
            upstream_snapshots: None,
            data_tests: None,
            columns: None,
            error: None,
        };
        world.state.end(job, &end, at).unwrap();
    };
    let now = || {
        let slice = world.state.slices(Some(&asset)).unwrap().pop().unwrap();
        (slice.status, slice.snapshot, slice.rows)
    };
    begin("a", 100);
    begin("b", 110);
    end("b", 4, 200);
    end("a", 5, 210);
    assert_eq!(now(), (Status::Materialized, Some(5), Some(50)));

    begin("c", 300);
    begin("d", 310);
    end("c", 7, 320);
    assert_eq!(now(), (Status::Running, Some(7), Some(70)));
    end("d", 6, 330);
    assert_eq!(now(), (Status::Materialized, Some(7), Some(70)));

    // The lake was deleted and made anew: its numbers begin again.
    begin("e", 400);
    end("e", 1, 410);
    assert_eq!(now(), (Status::Materialized, Some(1), Some(10)));
}
