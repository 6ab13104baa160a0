//! What a run costs beside its own SQL, sent by hand to the same engine: `cargo bench -p executor-native --bench overhead`.
//!
//! Both are done by turns in one process, so that what else the machine does meets both. `-- NAME` chooses among `tiny`,
//! `rows`, `merge` and `memory`.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a program for a terminal

use std::process::Command as Process;
use std::time::{Duration, Instant};

use executor_native::config::{Project, ScriptFile};
use executor_native::engine::{Command, Engine, Outside};
use executor_native::lake::PublishLocks;
use executor_native::run::{Cancel, NO_JOB, Request, Runner, Summary, Work, context, explain};
use executor_native::state::{self, Owners};
use parser_core::plan::sql::{Piece, UserSql};
use parser_core::plan::{Plan, Statement};
use parser_core::render::render;
use parser_core::source::Span;

/// Rows of a large table.
const MANY: u32 = 10_000_000;

struct Bench {
    project: Project,
    engine: Option<Engine>,
    _folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("pipelines")).unwrap();
        Self {
            project: Project::open(Some(folder.path())).unwrap(),
            engine: None,
            _folder: folder,
        }
    }

    fn file(&self, text: &str) -> ScriptFile {
        ScriptFile {
            path: self.project.root.join("t.sql"),
            name: "t.sql".to_owned(),
            text: text.to_owned(),
        }
    }

    /// A process that has run before: its state is open, its engine warm.
    fn with_runner(&mut self, work: impl FnOnce(&mut dyn FnMut(&str) -> Summary, &Project)) {
        let home = self.project.ensure_home().unwrap();
        let store = state::open(&self.project.state().unwrap()).unwrap();
        let owner = Owners::new(&home).register().unwrap();
        let (locks, cancel) = (PublishLocks::new(&home), Cancel::default());
        let project = self.project.clone();
        let runner = Runner {
            project: &project,
            state: store.as_ref(),
            owner: &owner,
            locks: &locks,
            cancel: &cancel,
        };
        let mut run = |text: &str| {
            let file = self.file(text);
            let script = parser_core::parse(text).script;
            let request = Request {
                file: &file,
                script: &script,
                partition: None,
                trigger: "bench",
                parent: None,
                work: Work::Run,
            };
            runner.run(&request, &mut self.engine).unwrap()
        };
        work(&mut run, &project);
    }
}

/// The plan of a script, and an engine for its statements.
fn by_hand(project: &Project, text: &str) -> (Plan, Engine) {
    let script = parser_core::parse(text).script;
    let file = ScriptFile {
        path: project.root.join("t.sql"),
        name: "t.sql".to_owned(),
        text: text.to_owned(),
    };
    let plan = explain(project, &file, &script, None, &Work::Run).unwrap();
    let context = context(project, &file, &script, None, NO_JOB).unwrap();
    let outside = Outside::of(project, &script, text, &context.lakes).unwrap();
    let config = &project.config.engine;
    (
        plan,
        Engine::open(config, &project.root, &outside.needs).unwrap(),
    )
}

fn free(sql: &str) -> Statement {
    let span = Span::new(0, 0);
    let text = sql.to_owned();
    Statement::User(UserSql {
        span,
        pieces: vec![Piece::Substituted { span, text }],
    })
}

fn send<'a>(engine: &Engine, statements: impl IntoIterator<Item = &'a Statement>) {
    for statement in statements {
        engine.run(&Command::from(render(statement))).unwrap();
    }
}

/// Everything that a plan sends, in a session of its own on a used engine.
fn send_plan(engine: &mut Engine, plan: &Plan) {
    engine.renew(&[], &[]).unwrap();
    send(engine, &plan.preparation.open);
    send_attached(engine, plan);
}

/// What a plan sends once its lake is attached.
fn send_attached(engine: &Engine, plan: &Plan) {
    let preparation = &plan.preparation;
    let write = preparation.write.as_ref().unwrap();
    send(engine, preparation.setup.iter().chain(&write.inspect));
    send(engine, plan.stage.iter().chain(&plan.publish));
    send(engine, &plan.finish);
}

/// Time and processor time of some repetitions.
#[derive(Default)]
struct Taken {
    times: Vec<Duration>,
    busy: Duration,
}

impl Taken {
    fn take(&mut self, work: impl FnOnce()) {
        let (before, started) = (busy(), Instant::now());
        work();
        self.times.push(started.elapsed());
        self.times.sort_unstable();
        self.busy += busy().saturating_sub(before);
    }

    fn median_ms(&self) -> f64 {
        self.times[self.times.len() / 2].as_secs_f64() * 1000.0
    }

    fn least_ms(&self) -> f64 {
        self.times[0].as_secs_f64() * 1000.0
    }

    fn busy_ms(&self) -> f64 {
        self.busy.as_secs_f64() * 1000.0 / f64::from(u32::try_from(self.times.len()).unwrap())
    }
}

/// Processor time of this process; Linux counts it in hundredths of a second.
fn busy() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks = fields
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u64>().ok());
    Duration::from_millis(10 * ticks.sum::<u64>())
}

fn compare(name: &str, turns: u32, mut ours: impl FnMut(), mut hand: impl FnMut()) {
    let (mut our, mut their) = (Taken::default(), Taken::default());
    for _ in 0..turns {
        our.take(&mut ours);
        their.take(&mut hand);
    }
    for (what, ours, hand) in [
        ("median", our.median_ms(), their.median_ms()),
        ("least", our.least_ms(), their.least_ms()),
        ("processor", our.busy_ms(), their.busy_ms()),
    ] {
        let (more, times) = (ours - hand, ours / hand);
        println!(
            "{name}, {what}: run {ours:.0} ms, by hand {hand:.0} ms: {more:+.1} ms, {times:.2} times"
        );
    }
}

fn script(lake: &str, line: &str, body: &str) -> String {
    format!("-- materialize ducklake://{lake}/t {line}\n{body}\n")
}

fn replaced(name: &str, turns: u32, body: &str) {
    let [ours, theirs] = ["shop", "hand"].map(|lake| script(lake, "", body));
    Bench::new().with_runner(|run, project| {
        run(&ours);
        run(&theirs);
        let (plan, mut engine) = by_hand(project, &theirs);
        let mut last = None;
        compare(
            name,
            turns,
            || last = Some(run(&ours)),
            || send_plan(&mut engine, &plan),
        );
        println!("  the last run's stages: {:?}", last.unwrap().timings);
        engine.renew(&[], &[]).unwrap();
        send(&engine, &plan.preparation.open);
        compare(
            &format!("{name}, by hand into a lake that stays attached"),
            turns,
            || drop(run(&ours)),
            || send_attached(&engine, &plan),
        );
    });
}

fn tiny() {
    replaced("a tiny table", 30, "SELECT range AS id FROM range(10)");
}

fn rows() {
    let body = format!(
        "SELECT range AS id, range % 1000 AS kind, range * 0.5 AS amount FROM range({MANY})"
    );
    replaced("10 M rows", 5, &body);
}

fn merge() {
    let all = format!("SELECT range AS id, range % 1000 AS kind FROM range({MANY})");
    let some = "SELECT range * 100 AS id, 7::BIGINT AS kind FROM range(100000)";
    let [ours, theirs] = ["shop", "hand"].map(|lake| script(lake, "key=id", some));
    Bench::new().with_runner(|run, project| {
        for lake in ["shop", "hand"] {
            run(&script(lake, "key=id", &all));
            run(&script(lake, "key=id", some));
        }
        let (plan, mut engine) = by_hand(project, &theirs);
        let stage = ["CREATE OR REPLACE TEMP TABLE staged AS ", some].concat();
        let by_hand = [
            stage.as_str(),
            "BEGIN",
            "DELETE FROM _wm_target.t WHERE id IN (SELECT id FROM staged)",
            "INSERT INTO _wm_target.t BY NAME FROM staged",
            "COMMIT",
            "DROP TABLE staged",
        ]
        .map(free);
        compare(
            "100,000 keys into 10 M rows",
            5,
            || drop(run(&ours)),
            || {
                engine.renew(&[], &[]).unwrap();
                send(&engine, &plan.preparation.open);
                send(&engine, &by_hand);
            },
        );
    });
}

/// Merges of many rows whose staging does not fit, and the same by hand: each in a process of its own, which says how much
/// memory it had at most.
fn memory() {
    const LIMIT_MB: u32 = 500;
    for (what, kind, times) in [
        ("10 M rows into none", "run", 1),
        ("10 M rows into none, by hand", "hand", 1),
        ("10 M rows in the place of others", "run", 2),
        ("10 M rows in the place of others, by hand", "hand", 2),
    ] {
        let done = Process::new(std::env::current_exe().unwrap())
            .args(["spilling-merge", kind, &times.to_string()])
            .env("LAKEMILL_ENGINE__MEMORY_LIMIT", format!("{LIMIT_MB}MB"))
            .output()
            .unwrap();
        let peak = String::from_utf8_lossy(&done.stdout);
        let peak_mb = peak.trim().parse::<u64>().unwrap_or_default() / 1024;
        println!(
            "a staged merge with memory_limit={LIMIT_MB}MB of {what}: the process had {peak_mb} MB at most ({}){}",
            done.status,
            String::from_utf8_lossy(&done.stderr)
        );
    }
}

fn spilling_merge(by_hand: bool, times: u32) {
    let body = format!("SELECT range AS id, md5(range::VARCHAR) AS text FROM range({MANY})");
    let text = script("shop", "key=id", &body);
    Bench::new().with_runner(|run, project| {
        if !by_hand {
            for _ in 0..times {
                run(&text);
            }
            return;
        }
        run(&script(
            "shop",
            "key=id",
            "SELECT 0::BIGINT AS id, '' AS text WHERE false",
        ));
        let (plan, engine) = self::by_hand(project, &text);
        send(&engine, &plan.preparation.open);
        let stage = format!("CREATE OR REPLACE TEMP TABLE staged AS {body}");
        for _ in 0..times {
            let statements = [
                stage.as_str(),
                "BEGIN",
                "DELETE FROM _wm_target.t WHERE id IN (SELECT id FROM staged)",
                "INSERT INTO _wm_target.t BY NAME FROM staged",
                "COMMIT",
                "DROP TABLE staged",
            ];
            send(&engine, &statements.map(free));
        }
    });
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!("{}", peak.unwrap_or("0").trim().trim_end_matches(" kB"));
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if let [name, kind, times] = wanted.as_slice()
        && name == "spilling-merge"
    {
        spilling_merge(kind == "hand", times.parse().unwrap());
        return;
    }
    let benches: [(&str, fn()); 4] = [
        ("tiny", tiny),
        ("rows", rows),
        ("merge", merge),
        ("memory", memory),
    ];
    let names_one = |wanted: &String| benches.iter().any(|(name, _)| name == wanted);
    let all = !wanted.iter().any(names_one);
    for (name, bench) in benches {
        if all || wanted.iter().any(|wanted| wanted == name) {
            bench();
        }
    }
}
