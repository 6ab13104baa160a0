//! Settling, with the process "dying" at a chosen moment: its record is not settled and its owner is gone. Each story is told
//! over both state stores.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use executor_native::config::{Project, ScriptFile};
use executor_native::engine::Engine;
use executor_native::lake::{LakeReader, PublishLocks};
use executor_native::run::{Cancel, Request, RunError, Runner, Work, resolve_slice};
use executor_native::state::{
    self, AssetKey, Begin, End, Leaves, Owners, RunRecord, SchemaRecord, Settled, SliceRecord,
    StateError, StateStore, Status, settle,
};

use crate::postgres::Postgres;

/// A store through which a test gets in between. What it does not change, it hands on.
pub(crate) trait Between: Send + Sync {
    fn store(&self) -> &dyn StateStore;
    fn begin(&self, run: &Begin, owner: &str, now_ms: i64) -> Result<(), StateError> {
        self.store().begin(run, owner, now_ms)
    }
    fn end(&self, job: &str, end: &End, now_ms: i64) -> Result<bool, StateError> {
        self.store().end(job, end, now_ms)
    }
    fn is_running(&self, job: &str) -> Result<bool, StateError> {
        self.store().is_running(job)
    }
}

pub(crate) struct Through<T>(pub(crate) T);

impl<T: Between> StateStore for Through<T> {
    fn lease(&self) -> Duration {
        self.0.store().lease()
    }
    fn is_shared(&self) -> bool {
        self.0.store().is_shared()
    }
    fn begin(&self, run: &Begin, owner: &str, now_ms: i64) -> Result<(), StateError> {
        self.0.begin(run, owner, now_ms)
    }
    fn end(&self, job: &str, end: &End, now_ms: i64) -> Result<bool, StateError> {
        self.0.end(job, end, now_ms)
    }
    fn renew(&self, owner: &str, now_ms: i64) -> Result<(), StateError> {
        self.0.store().renew(owner, now_ms)
    }
    fn is_running(&self, job: &str) -> Result<bool, StateError> {
        self.0.is_running(job)
    }
    fn is_abandoned(&self, run: &RunRecord) -> Result<bool, StateError> {
        self.0.store().is_abandoned(run)
    }
    fn running(&self) -> Result<Vec<RunRecord>, StateError> {
        self.0.store().running()
    }
    fn slices(&self, asset: Option<&AssetKey>) -> Result<Vec<SliceRecord>, StateError> {
        self.0.store().slices(asset)
    }
    fn runs(&self, asset: &AssetKey, limit: u32) -> Result<Vec<RunRecord>, StateError> {
        self.0.store().runs(asset, limit)
    }
    fn schemas(&self, asset: &AssetKey) -> Result<Vec<SchemaRecord>, StateError> {
        self.0.store().schemas(asset)
    }
}

/// Begun long ago, so that its lease is over, and ended before it settles anything.
struct Dying(Arc<dyn StateStore>);

impl Between for Dying {
    fn store(&self) -> &dyn StateStore {
        self.0.as_ref()
    }
    fn begin(&self, run: &Begin, owner: &str, _now_ms: i64) -> Result<(), StateError> {
        self.0.begin(run, owner, 0)
    }
    fn end(&self, _job: &str, _end: &End, _now_ms: i64) -> Result<bool, StateError> {
        Ok(true)
    }
}

/// A machine: a project folder of its own.
pub(crate) struct World {
    /// Those that no run uses now: opening one costs more than most runs. They end with the world, not with a thread, whose
    /// end may be too late for one: the engine has data of the thread's own.
    engines: Mutex<Vec<Engine>>,
    folder: tempfile::TempDir,
    pub(crate) project: Project,
    state: Arc<dyn StateStore>,
}

/// Where a story is told.
#[derive(Clone, Copy)]
enum Stores<'a> {
    Sqlite,
    Postgres(&'a Postgres),
}

impl Stores<'_> {
    fn world(self) -> World {
        match self {
            Self::Sqlite => World::new("[state]\nlease_seconds = 1\n"),
            Self::Postgres(server) => World::new(&shared(server, &server.database())),
        }
    }
}

fn shared(server: &Postgres, database: &str) -> String {
    format!(
        "[state]\nurl = '{}'\nlease_seconds = 1\n",
        server.socket_url(database)
    )
}

pub(crate) const TABLE: &str = "-- materialize ducklake://shop/t\nSELECT range AS n FROM range(30)";

impl World {
    pub(crate) fn new(config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("lakemill.toml"), config).unwrap();
        let project = Project::open(Some(folder.path())).unwrap();
        project.ensure_home().unwrap();
        Self {
            state: state::open(&project.state().unwrap()).unwrap(),
            folder,
            project,
            engines: Mutex::default(),
        }
    }

    /// A process of its own, for the store.
    pub(crate) fn another_session(&self) -> Arc<dyn StateStore> {
        state::open(&self.project.state().unwrap()).unwrap()
    }

    pub(crate) fn settle(&self) -> (u32, u32) {
        let Settled {
            materialized,
            interrupted,
            open,
        } = settle(&self.project, self.state.as_ref()).unwrap();
        assert!(open.is_empty(), "{open:?}");
        (materialized, interrupted)
    }

    /// Settles so, once the server has noticed that a connection is closed.
    #[track_caller]
    fn settles(&self, expected: (u32, u32)) {
        let since = Instant::now();
        loop {
            let done = self.settle();
            if done == expected {
                return;
            }
            assert_eq!(done, (0, 0));
            assert!(since.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub(crate) fn run(&self, text: &str, partition: Option<&str>) -> Result<(), RunError> {
        self.run_with(self.state.as_ref(), text, partition, false)
    }

    /// Runs in a process that is killed before it settles.
    fn die(&self, text: &str, partition: Option<&str>) -> Result<(), RunError> {
        let dying = Through(Dying(self.another_session()));
        self.run_with(&dying, text, partition, true)
    }

    pub(crate) fn run_with(
        &self,
        state: &dyn StateStore,
        text: &str,
        partition: Option<&str>,
        dies: bool,
    ) -> Result<(), RunError> {
        self.work_with(state, text, partition, dies, Work::Run)
    }

    fn work_with(
        &self,
        state: &dyn StateStore,
        text: &str,
        partition: Option<&str>,
        dies: bool,
        work: Work,
    ) -> Result<(), RunError> {
        let home = self.project.home();
        let owner = Owners::new(&home).register().unwrap();
        if dies {
            owner.leave_behind();
        }
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
        let partition = match work {
            Work::Run => resolve_slice(&script, partition, jiff::Timestamp::now()).unwrap(),
            Work::Rebuild { .. } => None,
        };
        let request = Request {
            file: &file,
            script: &script,
            partition,
            trigger: "test",
            parent: None,
            work,
        };
        let mut engine = self.engines.lock().unwrap().pop();
        let ended = runner.run(&request, &mut engine);
        self.engines.lock().unwrap().extend(engine);
        ended.map(|_| ())
    }

    pub(crate) fn last(&self) -> RunRecord {
        let mut runs = self.state.runs(&asset("shop/t"), 10).unwrap();
        // A dying run is recorded as begun long ago: the newest is told by its job id, which is ordered by time.
        runs.sort_by(|a, b| a.job.cmp(&b.job));
        runs.pop().unwrap()
    }
}

fn asset(path: &str) -> AssetKey {
    AssetKey {
        kind: "ducklake".into(),
        path: path.into(),
    }
}

fn begin(job: &str) -> Begin {
    Begin {
        job: job.into(),
        asset: asset("shop/t"),
        partition: String::new(),
        script: "t.sql".into(),
        content_hash: String::new(),
        strategy: "replace".into(),
        trigger: "test".into(),
        parent: None,
        tests_after_commit: false,
    }
}

const STORIES: [fn(Stores<'_>); 8] = [
    a_run_that_had_committed_is_materialized_by_its_snapshot,
    a_run_that_had_not_committed_is_interrupted,
    a_rebuild_leaves_the_slices_that_the_lake_has,
    a_run_that_writes_something_else_is_interrupted,
    a_living_owner_is_left_alone,
    stores_that_open_at_once_share_their_tables,
    a_schema_gets_a_version_only_when_it_differs,
    overlapping_runs_leave_the_newest_snapshot,
];

#[test]
fn in_a_file() {
    for story in STORIES {
        story(Stores::Sqlite);
    }
}

/// Those of several machines need a server.
const MACHINES: [fn(&Postgres); 5] = [
    a_commit_that_outlives_its_sender_is_waited_for,
    a_connection_that_breaks_is_made_anew_and_shows_that_its_owner_lives,
    a_machine_settles_what_another_left_and_nothing_that_lives,
    a_run_that_was_given_up_wrongly_publishes_nothing,
    projects_of_one_store_do_not_see_each_other,
];

#[test]
fn on_a_server() {
    let server = Postgres::start();
    for story in STORIES {
        story(Stores::Postgres(&server));
    }
    for story in MACHINES {
        story(&server);
    }
}

fn a_run_that_had_committed_is_materialized_by_its_snapshot(stores: Stores<'_>) {
    let world = stores.world();
    let strategies = [
        "",
        " append",
        " key=n",
        " key=n history",
        "\n-- partitioned daily",
    ];
    for (table, line) in strategies.into_iter().enumerate() {
        let partition = line.contains("partitioned").then_some("2024-02-29");
        let script = TABLE.replacen("shop/t", &format!("shop/t{table}{line}"), 1);
        world.die(&script, partition).unwrap();
    }
    assert_eq!(world.state.running().unwrap().len(), strategies.len());
    assert_eq!(world.settle(), (5, 0));
    let reader = LakeReader::open(&world.project, "shop").unwrap();
    for (table, line) in strategies.into_iter().enumerate() {
        let run = world
            .state
            .runs(&asset(&format!("shop/t{table}")), 1)
            .unwrap();
        let run = &run[0];
        assert_eq!(
            (run.status, run.rows),
            (Status::Materialized, Some(30)),
            "{line}"
        );
        assert_eq!(
            reader.committed_by(&run.job).unwrap(),
            run.snapshot,
            "{line}"
        );
        assert!(run.snapshot.is_some(), "{line}");
    }
}

fn a_run_that_had_not_committed_is_interrupted(stores: Stores<'_>) {
    let world = stores.world();
    world.run(TABLE, None).unwrap();
    let good = world.last();
    let failing = "-- materialize ducklake://shop/t\nSELECT error('no') AS n FROM range(30)";
    assert!(world.die(failing, None).is_err());
    assert_eq!(world.settle(), (0, 1));
    let run = world.last();
    assert_eq!(run.status, Status::Failed);
    assert!(run.error.unwrap().starts_with("interrupted"));
    let slice = world.state.slices(None).unwrap().remove(0);
    assert_eq!(
        (slice.status, slice.snapshot),
        (Status::Failed, good.snapshot)
    );
}

fn a_rebuild_leaves_the_slices_that_the_lake_has(stores: Stores<'_>) {
    let world = stores.world();
    let script = |line: &str| {
        format!(
            "-- materialize ducklake://shop/t\n-- partitioned {line}\nSELECT d.day FROM (SELECT DATE '2024-01-30' \
             + range::INTEGER AS day FROM range(4)) AS d WHERE wm_partition(d.day) = {{partition}}"
        )
    };
    let recorded = || -> Vec<(String, Status, Option<i64>)> {
        let slices = world.state.slices(Some(&asset("shop/t"))).unwrap();
        let told = |slice: SliceRecord| (slice.partition, slice.status, slice.rows);
        slices.into_iter().map(told).collect()
    };
    let slice = |name: &str, status, rows| (name.to_owned(), status, rows);
    let done = Status::Materialized;
    for day in ["2024-01-30", "2024-01-31", "2024-02-01"] {
        world.run(&script("daily"), Some(day)).unwrap();
    }
    world.run(&script("monthly"), Some("2024-01")).unwrap_err();
    assert_eq!(recorded()[0], slice("2024-01", Status::Failed, None));
    assert_eq!(recorded().len(), 4);

    let rebuild = |line: &str, dies: bool| {
        let state = world.another_session();
        let dying = Through(Dying(world.another_session()));
        let state: &dyn StateStore = if dies { &dying } else { state.as_ref() };
        let work = Work::Rebuild { by: None };
        world.work_with(state, &script(line), None, dies, work)
    };
    // While it is under way, and where it fails, it is no slice.
    rebuild("dynamic key=day", false).unwrap_err();
    assert_eq!(recorded().len(), 4);
    rebuild("monthly", false).unwrap();
    let months = [
        slice("2024-01", done, Some(2)),
        slice("2024-02", done, Some(1)),
    ];
    assert_eq!(recorded(), months);
    world.run(&script("monthly"), Some("2024-02")).unwrap();
    assert_eq!(recorded()[1], slice("2024-02", done, Some(2)));

    rebuild("daily", true).unwrap();
    assert_eq!(recorded().len(), 2);
    assert_eq!(world.settle(), (1, 0));
    let days = ["2024-01-30", "2024-01-31", "2024-02-01", "2024-02-02"];
    assert_eq!(recorded(), days.map(|day| slice(day, done, Some(1))));

    let whole = "-- materialize ducklake://shop/t\nSELECT 1 AS n";
    world.run(whole, None).unwrap();
    assert_eq!(recorded(), [slice("", done, Some(1))]);
    world.run(&script("daily"), Some("2024-01-30")).unwrap_err();
    assert_eq!(recorded()[1], slice("2024-01-30", Status::Failed, None));
    world.run(whole, None).unwrap();
    assert_eq!(recorded(), [slice("", done, Some(1))]);
}

fn a_run_that_writes_something_else_is_interrupted(stores: Stores<'_>) {
    let world = stores.world();
    world
        .die("CREATE TEMP TABLE t AS SELECT 1 AS a", None)
        .unwrap();
    assert_eq!(world.settle(), (0, 1));
}

fn a_living_owner_is_left_alone(stores: Stores<'_>) {
    let world = stores.world();
    let owner = Owners::new(&world.project.home()).register().unwrap();
    world.state.begin(&begin("j"), &owner.id, 0).unwrap();
    assert_eq!(world.settle(), (0, 0));
    owner.leave_behind();
    drop(owner);
    assert_eq!(world.settle(), (0, 1));
}

fn stores_that_open_at_once_share_their_tables(stores: Stores<'_>) {
    let config = match stores {
        Stores::Sqlite => String::new(),
        Stores::Postgres(server) => shared(server, &server.database()),
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lakemill.toml"), config).unwrap();
    let project = Project::open(Some(folder.path())).unwrap();
    let source = project.state().unwrap();
    let failed = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                if state::open(&source)
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

fn a_schema_gets_a_version_only_when_it_differs(stores: Stores<'_>) {
    let world = stores.world();
    for select in ["1 AS a", "2 AS a", "2 AS a, 'x' AS b"] {
        world
            .run(
                &format!("-- materialize ducklake://shop/t\nSELECT {select}"),
                None,
            )
            .unwrap();
    }
    let versions = world.state.schemas(&asset("SHOP/T")).unwrap();
    assert_eq!(versions.len(), 2);
    assert_eq!(versions[1].columns[1]["name"], "b");
}

fn overlapping_runs_leave_the_newest_snapshot(stores: Stores<'_>) {
    let world = stores.world();
    let begin = |job: &str, at: i64| world.state.begin(&begin(job), "owner", at).unwrap();
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
            leaves: Leaves::All,
        };
        world.state.end(job, &end, at).unwrap();
    };
    let now = || {
        let slice = world
            .state
            .slices(Some(&asset("Shop/T")))
            .unwrap()
            .pop()
            .unwrap();
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

/// Two machines: one store, one lake whose catalog is on the same server, and no file in common but the lake's.
fn machines(server: &Postgres, files: &Path) -> [World; 2] {
    let database = server.database();
    let config = format!(
        "{}[lakes.shop]\ncatalog = '{}'\ndata_path = '{}'\n",
        shared(server, &database),
        server.socket_pairs(&database),
        files.display()
    );
    [World::new(&config), World::new(&config)]
}

/// A server that has just started trusts every record for a lease's time.
fn wait_for_a_lease() {
    std::thread::sleep(Duration::from_millis(1200));
}

fn a_machine_settles_what_another_left_and_nothing_that_lives(server: &Postgres) {
    let files = tempfile::tempdir().unwrap();
    let [here, there] = machines(server, files.path());
    wait_for_a_lease();

    // Killed after its commit, before it, and not at all. The other machine sees none of their lock files.
    here.die(TABLE, None).unwrap();
    there.settles((1, 0));
    let run = there.last();
    assert_eq!((run.status, run.rows), (Status::Materialized, Some(30)));
    assert!(
        here.die(&TABLE.replace("range AS n", "error('no') AS n"), None)
            .is_err()
    );
    there.settles((0, 1));

    let living = here.another_session();
    let owner = Owners::new(&here.project.home()).register().unwrap();
    living.begin(&begin("living"), &owner.id, 0).unwrap();
    assert_eq!(there.settle(), (0, 0));
    living
        .end("living", &End::without_commit(Status::Failed, ""), 0)
        .unwrap();
    // Its lease holds even when its connection breaks, but it does not come back.
    let in_an_hour = state::now_ms() + 3_600_000;
    living.begin(&begin("late"), &owner.id, in_an_hour).unwrap();
    drop(living);
    wait_for_a_lease();
    assert_eq!(there.settle(), (0, 0));
    here.another_session().renew(&owner.id, 0).unwrap();
    // Nor is anybody given up on a server that has not been up for a lease's time.
    let config = std::fs::read_to_string(there.project.root.join("lakemill.toml")).unwrap();
    let patient = World::new(&config.replace("lease_seconds = 1", "lease_seconds = 86400"));
    assert_eq!(patient.settle(), (0, 0));
    there.settles((0, 1));
}

fn a_connection_that_breaks_is_made_anew_and_shows_that_its_owner_lives(server: &Postgres) {
    let files = tempfile::tempdir().unwrap();
    let [here, there] = machines(server, files.path());
    let owner = Owners::new(&here.project.home()).register().unwrap();
    here.state.begin(&begin("j"), &owner.id, 0).unwrap();
    server.ask(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lakemill'",
    );
    assert!(here.state.is_running("j").unwrap());
    wait_for_a_lease();
    assert_eq!(there.settle(), (0, 0));
    here.state.renew(&owner.id, 0).unwrap();
    assert_eq!(there.settle(), (0, 0));
}

fn a_commit_that_outlives_its_sender_is_waited_for(server: &Postgres) {
    let files = tempfile::tempdir().unwrap();
    let database = server.database();
    let world = World::new(&format!(
        "[lakes.shop]\ncatalog = '{}'\ndata_path = '{}'\n",
        server.socket_pairs(&database),
        files.path().display()
    ));
    world.run(TABLE, None).unwrap();
    assert!(
        world
            .die(&TABLE.replace("range AS n", "error('no') AS n"), None)
            .is_err()
    );
    let commit =
        "BEGIN; LOCK TABLE ducklake_snapshot IN ROW EXCLUSIVE MODE; SELECT pg_sleep(3); COMMIT";
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            server.ask_in(&database, commit);
            is_done.store(true, Ordering::SeqCst);
        });
        let held = "SELECT count(*) FROM pg_locks WHERE relation = 'ducklake_snapshot'::regclass AND mode = 'RowExclusiveLock'";
        while server.ask_in(&database, held) == "0" {
            assert!(!is_done.load(Ordering::SeqCst));
        }
        assert_eq!(world.settle(), (0, 1));
        let ended = Instant::now();
        while !is_done.load(Ordering::SeqCst) {
            // psql itself ends a little later.
            assert!(ended.elapsed() < Duration::from_millis(1500));
            std::thread::sleep(Duration::from_millis(5));
        }
    });
}

/// Its process lives, but nobody hears of it; the other machine settles at a chosen moment.
struct CutOff<'a> {
    here: &'a World,
    there: &'a World,
    /// Whether that is while this run holds its table's publish lock, or before.
    while_publishing: bool,
}

impl Between for CutOff<'_> {
    fn store(&self) -> &dyn StateStore {
        self.here.state.as_ref()
    }
    fn begin(&self, run: &Begin, owner: &str, _now_ms: i64) -> Result<(), StateError> {
        self.here.another_session().begin(run, owner, 0)?;
        if !self.while_publishing {
            self.there.settles((0, 1));
        }
        Ok(())
    }
    fn is_running(&self, job: &str) -> Result<bool, StateError> {
        if self.while_publishing {
            assert_eq!(self.there.settle(), (0, 0));
        }
        self.here.state.is_running(job)
    }
}

fn a_run_that_was_given_up_wrongly_publishes_nothing(server: &Postgres) {
    let files = tempfile::tempdir().unwrap();
    let [here, there] = machines(server, files.path());
    here.run(TABLE, None).unwrap();
    let good = here.last();
    wait_for_a_lease();
    for while_publishing in [false, true] {
        let cut_off = Through(CutOff {
            here: &here,
            there: &there,
            while_publishing,
        });
        let done = here.run_with(&cut_off, &TABLE.replace("30", "40"), None, false);
        let run = here.last();
        let reader = LakeReader::open(&there.project, "shop").unwrap();
        assert_eq!(reader.committed_by(&run.job).unwrap(), run.snapshot);
        let slice = there.state.slices(None).unwrap().remove(0);
        if while_publishing {
            done.unwrap();
            assert_eq!((run.status, slice.rows), (Status::Materialized, Some(40)));
        } else {
            assert!(matches!(done, Err(RunError::GivenUp)), "{done:?}");
            assert_eq!((run.status, run.snapshot), (Status::Failed, None));
            assert_eq!((slice.snapshot, slice.rows), (good.snapshot, Some(30)));
        }
    }
}

fn projects_of_one_store_do_not_see_each_other(server: &Postgres) {
    let config = shared(server, "postgres");
    let ours = World::new(&config);
    let theirs = World::new(&format!("{config}workspace = 'other'\n"));
    ours.die(TABLE, None).unwrap();
    assert_eq!(theirs.settle(), (0, 0));
    assert!(theirs.state.slices(None).unwrap().is_empty());
    // A lake in a file is no other machine's to ask.
    let elsewhere = World::new(&config);
    wait_for_a_lease();
    let settled = settle(&elsewhere.project, elsewhere.state.as_ref()).unwrap();
    assert_eq!((settled.materialized, settled.interrupted), (0, 0));
    assert!(settled.open[0].contains("another machine"), "{settled:?}");
    assert_eq!(ours.settle(), (1, 0));
}
