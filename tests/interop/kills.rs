//! Processes killed at random moments: the lake holds the old version or the new one, and what the next start records is
//! what the lake says. Every strategy, both state stores, catalogs in a file and on a server.
//!
//! A moment is a line of the process's own log, which has one for each statement, and some milliseconds after it.
//! `LAKEMILL_KILLS=200` kills so many, `LAKEMILL_KILLS_SEED` chooses others; `--nocapture` shows what they met.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use executor_native::config;
use executor_native::engine::question::At;
use executor_native::lake::{LakeError, LakeReader};
use executor_native::state::{self, AssetKey, RunRecord, StateStore, Status, settle};

use crate::postgres::Postgres;
use crate::project::Project;

/// Of each of the four worlds, unless the environment says otherwise: one of each strategy.
const KILLS: usize = STRATEGIES.len();
const SEED: u64 = 20_261_130;
/// Lines of a run's log, before one was seen.
const SEVERAL: u64 = 28;

/// When to kill: so many milliseconds after…
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// … the start.
    Start(u64),
    /// … this line of the log.
    Line(u64, u64),
    /// … the COMMIT is sent. It takes longest of all that changes the lake.
    Commit(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strategy {
    Replace,
    Slice,
    /// Two slices in one snapshot.
    Together,
    Merge,
    Append,
    History,
    Manual,
}

const STRATEGIES: [Strategy; 7] = [
    Strategy::Replace,
    Strategy::Slice,
    Strategy::Together,
    Strategy::Merge,
    Strategy::Append,
    Strategy::History,
    Strategy::Manual,
];

/// `n`, `v`, and what the strategy adds: the slice, or whether the version is current.
type Row = (i64, i64, String);
/// Sorted. `None`: there is no table.
type Rows = Option<Vec<Row>>;

impl Strategy {
    const fn table(self) -> &'static str {
        match self {
            Self::Replace => "replaced",
            Self::Slice => "sliced",
            Self::Together => "together",
            Self::Merge => "merged",
            Self::Append => "appended",
            Self::History => "kept",
            Self::Manual => "written",
        }
    }

    const fn added(self) -> &'static str {
        match self {
            Self::Slice | Self::Together => "_wm_partition",
            Self::History => "is_current",
            Self::Replace | Self::Merge | Self::Append | Self::Manual => "",
        }
    }

    /// The version `v` writes 20 rows, ten of whose keys the last version had, too.
    fn script(self, v: i64) -> String {
        let table = self.table();
        let select = format!("SELECT range + {} AS n, {v} AS v FROM range(20)", v * 10);
        let options = match self {
            Self::Replace => "",
            Self::Slice | Self::Together => "\n-- partitioned dynamic key=tenant",
            Self::Merge => " key=n",
            Self::Append => " append",
            Self::History => " key=n history",
            Self::Manual => {
                return format!(
                    "-- materialize manual ducklake://shop/{table}\nATTACH 'ducklake://shop' AS shop;\nBEGIN;\n\
                     CREATE TABLE IF NOT EXISTS shop.{table} (n BIGINT, v BIGINT);\n\
                     DELETE FROM shop.{table};\nINSERT INTO shop.{table} {select};\nCOMMIT;\n"
                );
            }
        };
        let scope = match self {
            Self::Slice | Self::Together => " WHERE {partition} <> ''",
            Self::Replace | Self::Merge | Self::Append | Self::History | Self::Manual => "",
        };
        format!("-- materialize ducklake://shop/{table}{options}\n{select}{scope}\n")
    }

    /// The slices that the version `v` writes.
    fn partitions(self, v: i64) -> Vec<String> {
        let numbers = match self {
            Self::Slice => vec![v % 2],
            Self::Together => vec![0, 1],
            Self::Replace | Self::Merge | Self::Append | Self::History | Self::Manual => Vec::new(),
        };
        let named = numbers.into_iter().map(|number| format!("tenant {number}"));
        named.collect()
    }

    /// What the version `v` makes of the table.
    fn after(self, v: i64, old: &Rows) -> Rows {
        let old = old.clone().unwrap_or_default();
        let added = match self {
            Self::Slice | Self::Together => self.partitions(v),
            Self::History => vec!["true".to_owned()],
            Self::Replace | Self::Merge | Self::Append | Self::Manual => vec![String::new()],
        };
        let new = added
            .iter()
            .flat_map(|added| (0..20).map(move |n| (n + v * 10, v, added.clone())));
        let keys = v * 10..v * 10 + 20;
        let mut rows: Vec<Row> = match self {
            Self::Replace | Self::Manual => Vec::new(),
            Self::Append => old,
            Self::Slice | Self::Together => old
                .into_iter()
                .filter(|row| !added.contains(&row.2))
                .collect(),
            Self::Merge => old
                .into_iter()
                .filter(|row| !keys.contains(&row.0))
                .collect(),
            Self::History => old
                .into_iter()
                .map(|(n, v, current)| {
                    let closed = keys.contains(&n);
                    (n, v, if closed { "false".to_owned() } else { current })
                })
                .collect(),
        };
        rows.extend(new);
        rows.sort();
        Some(rows)
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }
}

#[derive(Debug, Default)]
struct Figures {
    killed: u32,
    /// Ended before their moment came.
    too_late: u32,
    before_begin: u32,
    old: u32,
    new: u32,
    settled_materialized: u32,
    settled_interrupted: u32,
    first_runs: u32,
}

struct World {
    project: Project,
    /// The same, for the library.
    opened: config::Project,
    state: Arc<dyn StateStore>,
    reader: Option<LakeReader>,
    tables: BTreeMap<Strategy, Table>,
    random: Random,
    figures: Figures,
}

#[derive(Clone, Default)]
struct Table {
    rows: Rows,
    version: i64,
    /// Of a whole run's log.
    lines: Option<u64>,
}

impl World {
    fn new(config: &str, seed: u64) -> Self {
        let project = Project::new(&[]);
        project.write("lakemill.toml", config);
        let opened = config::Project::open(Some(project.root())).unwrap();
        opened.ensure_home().unwrap();
        Self {
            state: state::open(&opened.state().unwrap()).unwrap(),
            project,
            opened,
            reader: None,
            tables: BTreeMap::new(),
            random: Random(seed),
            figures: Figures::default(),
        }
    }

    /// Starts the next version; kills it after a line of its log and some milliseconds. Gives whether it was still there.
    fn run(&mut self, strategy: Strategy, version: i64, moment: Option<Moment>) -> bool {
        let name = strategy.table();
        let script = format!("pipelines/{name}.sql");
        self.project.write(&script, &strategy.script(version));
        let mut command = self.project.command(&["run", name]);
        for partition in strategy.partitions(version) {
            command.args(["--partition", &partition]);
        }
        if strategy == Strategy::Together {
            command.arg("--atomic");
        }
        let mut child = command
            .env("LAKEMILL_LOG", "executor_native=trace")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let pause = |delay_ms| std::thread::sleep(Duration::from_millis(delay_ms));
        if let Some(Moment::Start(delay_ms)) = moment {
            pause(delay_ms);
            child.kill().unwrap();
        }
        let mut said = String::new();
        let mut lines = 0;
        for line in BufReader::new(child.stderr.take().unwrap()).lines() {
            let line = line.unwrap();
            said = said + &line + "\n";
            lines += 1;
            let delay_ms = match moment {
                Some(Moment::Line(at, delay_ms)) => (lines > at).then_some(delay_ms),
                Some(Moment::Commit(delay_ms)) => line.contains("sql=COMMIT").then_some(delay_ms),
                Some(Moment::Start(_)) | None => None,
            };
            if let Some(delay_ms) = delay_ms {
                pause(delay_ms);
                child.kill().unwrap();
                break;
            }
        }
        let status = child.wait().unwrap();
        if status.code().is_some() {
            assert!(status.success(), "{strategy:?} {version}: {said}");
            self.tables.entry(strategy).or_default().lines = Some(lines);
        }
        status.code().is_none()
    }

    fn moment(&mut self, lines: u64) -> Moment {
        let kind = self.random.below(8);
        let delay_ms = self.random.below(60);
        match kind {
            0 => Moment::Start(2 * delay_ms),
            1..=3 => Moment::Commit(delay_ms),
            _ => Moment::Line(self.random.below(lines), delay_ms % 4),
        }
    }

    fn kill_one(&mut self, strategy: Strategy) {
        let table = self.tables.entry(strategy).or_default().clone();
        let version = table.version + 1;
        let moment = self.moment(table.lines.unwrap_or(SEVERAL));
        let runs = self.runs(strategy);
        let context = format!("{strategy:?}, version {version}, {moment:?}");

        if self.run(strategy, version, Some(moment)) {
            self.figures.killed += 1;
        } else {
            self.figures.too_late += 1;
        }
        self.figures.first_runs += u32::from(table.rows.is_none());
        // What every command does first.
        let settled = settle(&self.opened, self.state.as_ref()).unwrap();
        assert!(settled.open.is_empty(), "{context}: {settled:?}");
        self.figures.settled_materialized += settled.materialized;
        self.figures.settled_interrupted += settled.interrupted;
        assert!(self.state.running().unwrap().is_empty(), "{context}");

        let now = self.rows(strategy);
        let after = strategy.after(version, &table.rows);
        let is_new = now == after;
        assert!(
            is_new || now == table.rows,
            "{context}: neither old nor new: {now:?}"
        );
        let entry = self.tables.entry(strategy).or_default();
        entry.version = version;
        entry.rows.clone_from(&now);
        *(if is_new {
            &mut self.figures.new
        } else {
            &mut self.figures.old
        }) += 1;

        let recorded = self.runs(strategy);
        if recorded.len() == runs.len() {
            self.figures.before_begin += 1;
            assert!(!is_new, "{context}: nothing is recorded");
            return;
        }
        let new = &recorded[..recorded.len() - runs.len()];
        let slices = strategy.partitions(version).len().max(1);
        assert!(new.len() == slices || !is_new, "{context}: {new:?}");
        for run in new.iter().filter(|_| strategy != Strategy::Manual) {
            self.record_equals_lake(strategy, run, is_new, &context);
        }
    }

    fn record_equals_lake(&self, strategy: Strategy, run: &RunRecord, is_new: bool, context: &str) {
        let committed = match &self.reader {
            Some(reader) => reader.committed_by(&run.job).unwrap(),
            None => None,
        };
        assert_eq!(run.snapshot, committed, "{context}");
        assert_eq!(committed.is_some(), is_new, "{context}");
        let expected = if is_new {
            Status::Materialized
        } else {
            Status::Failed
        };
        assert_eq!(run.status, expected, "{context}");
        let partition = &run.partition;
        let slices = self.state.slices(Some(&asset(strategy))).unwrap();
        let slice = slices.iter().find(|slice| slice.partition == *partition);
        let slice = slice.expect(context);
        assert_eq!(
            (slice.status, &slice.job),
            (run.status, &run.job),
            "{context}"
        );
        if is_new {
            let table = self.tables[&strategy].rows.as_ref().unwrap();
            let rows = table
                .iter()
                .filter(|row| partition.is_empty() || row.2 == *partition);
            let rows = i64::try_from(rows.count()).unwrap();
            assert_eq!(
                (run.rows, slice.rows),
                (Some(rows), Some(rows)),
                "{context}"
            );
            assert_eq!(slice.snapshot, committed, "{context}");
        }
    }

    fn runs(&self, strategy: Strategy) -> Vec<RunRecord> {
        self.state.runs(&asset(strategy), 10_000).unwrap()
    }

    fn rows(&mut self, strategy: Strategy) -> Rows {
        if self.reader.is_none() {
            self.reader = match LakeReader::open(&self.opened, "shop") {
                Ok(reader) => Some(reader),
                Err(LakeError::Absent(_)) => return None,
                Err(error) => panic!("{error}"),
            };
        }
        let reader = self.reader.as_ref().unwrap();
        let table = reader.table("main", strategy.table());
        match reader.require(&table) {
            Ok(()) => {}
            Err(LakeError::NoTable(_)) => return None,
            Err(error) => panic!("{error}"),
        }
        let json = reader.preview_json(&table, &At::Now, 1_000_000).unwrap();
        let mut rows: Vec<Row> = json
            .iter()
            .map(|row| {
                let number = |name: &str| row[name].as_i64().unwrap();
                let added = match &row[strategy.added()] {
                    serde_json::Value::Null => String::new(),
                    serde_json::Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                (number("n"), number("v"), added)
            })
            .collect();
        rows.sort();
        Some(rows)
    }

    /// The table takes its next version.
    fn next(&mut self, strategy: Strategy) {
        let table = self.tables.entry(strategy).or_default().clone();
        let version = table.version + 1;
        self.run(strategy, version, None);
        let rows = self.rows(strategy);
        assert_eq!(rows, strategy.after(version, &table.rows));
        let entry = self.tables.entry(strategy).or_default();
        (entry.rows, entry.version) = (rows, version);
    }
}

fn asset(strategy: Strategy) -> AssetKey {
    AssetKey {
        kind: "ducklake".into(),
        path: format!("shop/{}", strategy.table()),
    }
}

fn wanted(name: &str) -> Option<u64> {
    Some(std::env::var(name).ok()?.parse().unwrap())
}

#[allow(clippy::print_stdout)] // the figures
fn kill(number: u64, name: &str, config: &str) {
    let seed = wanted("LAKEMILL_KILLS_SEED").unwrap_or(SEED);
    let kills = wanted("LAKEMILL_KILLS").map_or(KILLS, |all| usize::try_from(all / 4).unwrap());
    // Else all worlds would meet the same moments.
    let mut world = World::new(config, seed ^ (number << 32));
    for (round, strategy) in STRATEGIES.into_iter().cycle().take(kills).enumerate() {
        // A table is there already, in each world another.
        if round as u64 == number {
            world.next(strategy);
        }
        world.kill_one(strategy);
    }
    if kills > KILLS {
        for strategy in STRATEGIES {
            world.next(strategy);
        }
    }
    println!("{name}: {:?}", world.figures);
}

const FILE_CATALOG: &str = "[lakes.shop]\ncatalog = 'sqlite:shop.sqlite'\n";

fn server_catalog(server: &Postgres) -> String {
    let catalog = server.socket_pairs(&server.database());
    format!("[lakes.shop]\ncatalog = '{catalog}'\ndata_path = 'shop.files'\n")
}

fn server_store(server: &Postgres) -> String {
    format!(
        "[state]\nurl = '{}'\n",
        server.socket_url(&server.database())
    )
}

#[test]
fn catalog_and_store_in_files() {
    kill(1, "SQLite, SQLite", FILE_CATALOG);
}

#[test]
fn catalog_or_store_on_a_server() {
    let server = Postgres::start();
    let (catalog, store) = (server_catalog(&server), server_store(&server));
    kill(2, "catalog on PostgreSQL, store SQLite", &catalog);
    kill(
        3,
        "catalog SQLite, store on PostgreSQL",
        &(store + FILE_CATALOG),
    );
    let both = server_store(&server) + &server_catalog(&server);
    kill(4, "both on PostgreSQL", &both);
}
