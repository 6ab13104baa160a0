//! What `lakemill plan` shows is what a run sends: the engine's own log of statements is compared with the plan.
#![allow(clippy::unwrap_used)] // in tests, the helpers included

use executor_native::config::{Project, ScriptFile};
use executor_native::engine::extensions::Extension;
use executor_native::engine::{Command, Engine};
use executor_native::lake::PublishLocks;
use executor_native::run::{Cancel, NO_JOB, Request, Runner, Work, explain, groups, resolve_slice};
use executor_native::state::{self, Owners};
use parser_core::plan::Statement;
use parser_core::plan::sql::{Piece, UserSql};
use parser_core::render::render;
use parser_core::source::Span;

/// How statements begin that are in no plan, and why they are not: they look, or serve the process, and write nothing into a lake.
const PLUMBING: [(&str, &str); 17] = [
    (
        "SET TimeZone = 'UTC'",
        "a session's zone, before anything of the script",
    ),
    ("LOAD ", "extensions of the engine"),
    (
        "SELECT database_name FROM duckdb_databases()",
        "what a used session left",
    ),
    (
        "SELECT name FROM duckdb_secrets()",
        "what a used session left",
    ),
    (
        "DETACH ",
        "what a used session left, and a lake that has just been made",
    ),
    (
        "SELECT name, value FROM duckdb_settings()",
        "settings that the script changed",
    ),
    (
        "SET \"default_collation\" = ",
        "gives a setting back that the script changed",
    ),
    (
        "SELECT max(snapshot_id) FROM \"__ducklake_metadata_",
        "which versions are read, and whether the plan still holds",
    ),
    (
        "SELECT t.table_id FROM \"__ducklake_metadata_",
        "the table in its lake's catalog",
    ),
    (
        "SELECT DISTINCT v.partition_value, ",
        "which slices the table has",
    ),
    (
        "SELECT _wm_partition, count(*) FROM \"_wm_target\"",
        "the slices that a rebuild left",
    ),
    (
        "SELECT 1 FROM \"_wm_target\"",
        "whether the slice holds rows",
    ),
    (
        "SELECT count(*) FROM \"_wm_target\"",
        "rows before and after, which must agree with the counts",
    ),
    (
        "SELECT snapshot_id, commit_extra_info FROM \"__ducklake_metadata_",
        "whether the commit stands",
    ),
    (
        "SELECT v FROM (VALUES",
        "whether a data test's values are of the column's type",
    ),
    (
        "SELECT column_name, column_type FROM (DESCRIBE",
        "whether a data test's column is there",
    ),
    (
        "ATTACH 'ducklake:sqlite:",
        "makes a lake that is not there yet; as `_wm_new_lake`",
    ),
];

fn free(sql: &str) -> Command {
    let span = Span::new(0, 0);
    let text = sql.to_owned();
    Command::from(render(&Statement::User(UserSql {
        span,
        pieces: vec![Piece::Substituted { span, text }],
    })))
}

/// What the session of `engine` has sent.
fn sent(engine: &Engine) -> Vec<String> {
    engine.query(&free("SELECT 'this session'")).unwrap();
    engine
        .texts(&free(
            "SELECT trim(message) FROM duckdb_logs WHERE type = 'QueryLog' AND connection_id = (SELECT max(connection_id) \
             FROM duckdb_logs WHERE message = 'SELECT ''this session''') AND NOT contains(message, 'this session') \
             ORDER BY query_id",
        ))
        .unwrap()
}

#[test]
fn a_run_sends_its_plan_and_nothing_else_of_weight() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "pipelines/tests/small.sql",
        "FROM _wm_target WHERE id > 1000",
    );
    let project = Project::open(Some(folder.path())).unwrap();
    let home = project.ensure_home().unwrap();
    let store = state::open(&project.state().unwrap()).unwrap();
    let owner = Owners::new(&home).register().unwrap();
    let (locks, cancel) = (PublishLocks::new(&home), Cancel::default());
    let runner = Runner {
        project: &project,
        state: store.as_ref(),
        owner: &owner,
        locks: &locks,
        cancel: &cancel,
    };
    let needs = [Extension::DuckLake, Extension::Sqlite];
    let logging = Engine::open(&project.config.engine, &project.root, &needs).unwrap();
    logging
        .run(&free("CALL enable_logging('QueryLog')"))
        .unwrap();
    let mut engine = Some(logging);

    let tests = "-- data_test not_null id\n-- data_test accepted_values id = 1, 2, 3\n-- data_test tests/small\n";
    let cases: [(&str, &str, &[Option<&str>], Work); 14] = [
        (
            "ducklake://shop/all",
            "SELECT 1 AS id, 2 AS n",
            &[None, None],
            Work::Run,
        ),
        (
            "ducklake://shop/all",
            "SELECT 2 AS n, 1 AS id",
            &[None],
            Work::Run,
        ),
        (
            "ducklake://shop/crm.all",
            "SELECT 1 AS id",
            &[None],
            Work::Run,
        ),
        (
            "ducklake://shop/sums",
            "SELECT 1 AS id, sum(5) AS total",
            &[None, None],
            Work::Run,
        ),
        (
            "ducklake://shop/days\n-- partitioned daily",
            "SELECT 1 AS id, {partition} AS day",
            &[Some("2024-01-01"), Some("2024-01-02"), Some("2024-01-01")],
            Work::Run,
        ),
        (
            "ducklake://shop/log append",
            "SELECT 1 AS id",
            &[None, None],
            Work::Run,
        ),
        (
            "ducklake://shop/log append",
            "SELECT 1 AS id, 'x' AS more",
            &[None],
            Work::Run,
        ),
        (
            "ducklake://shop/log append on_schema_change=sync",
            "SELECT 2::BIGINT AS id, 'x' AS more",
            &[None],
            Work::Run,
        ),
        (
            "ducklake://shop/people key=id",
            "ATTACH 'ducklake://shop' AS s; SET default_collation = 'nocase'; SELECT DISTINCT id FROM s.log",
            &[None, None],
            Work::Run,
        ),
        (
            "ducklake://shop/kept key=id history deletes=close",
            "SELECT 1 AS id, 'a' AS name",
            &[None, None],
            Work::Run,
        ),
        (
            "ducklake://shop/kept key=id history",
            "SELECT 1 AS id, 'b' AS name",
            &[None],
            Work::Run,
        ),
        (
            "ducklake://shop/flat append",
            "SELECT 1 AS id, DATE '2024-01-01' AS day",
            &[None],
            Work::Run,
        ),
        (
            "ducklake://shop/flat append\n-- partitioned daily",
            "SELECT 1 AS id, DATE '2024-01-01' AS day WHERE wm_partition(day) = {partition}",
            &[None],
            Work::Rebuild {
                by: Some("day".to_owned()),
            },
        ),
        (
            "ducklake://shop/flat append",
            "SELECT 1 AS id, DATE '2024-01-01' AS day",
            &[None],
            Work::Rebuild { by: None },
        ),
    ];
    let mut attached: Vec<String> = Vec::new();
    for (target, body, slices, work) in cases {
        let text = format!("-- materialize {target}\n{tests}{body}\n");
        let script = parser_core::parse(&text).script;
        let file = ScriptFile {
            path: project.root.join("t.sql"),
            name: "t.sql".to_owned(),
            text,
        };
        for slice in slices {
            let partition = match &work {
                Work::Run => resolve_slice(&script, *slice, jiff::Timestamp::now()).unwrap(),
                Work::Rebuild { .. } => None,
            };
            let plan = explain(&project, &file, &script, partition.clone(), &work).unwrap();
            let planned = groups(&project, &plan, partition.as_ref()).unwrap();
            let request = Request {
                file: &file,
                script: &script,
                partition,
                trigger: "test",
                parent: None,
                work: work.clone(),
            };
            let summary = runner.run(&request, &mut engine).unwrap();
            let sent = sent(engine.as_ref().unwrap());
            let planned = planned.iter().flat_map(|group| &group.statements);
            // What an earlier session attached by the same statement, and this one did not detach, serves this one.
            attached.retain(|attach| {
                let detached = |name: &str| attach.contains(&format!(" AS {name} ("));
                !sent
                    .iter()
                    .filter_map(|statement| statement.strip_prefix("DETACH "))
                    .any(detached)
            });
            let mut planned = planned
                .map(|sql| sql.trim().replace(NO_JOB, &summary.job))
                .filter(|sql| !attached.contains(sql))
                .peekable();
            for statement in &sent {
                if planned.next_if_eq(statement).is_none() {
                    let known = PLUMBING
                        .iter()
                        .any(|(start, _)| statement.starts_with(start));
                    assert!(
                        known,
                        "{target}: sent, not planned: {statement}\nplanned: {:?}",
                        planned.peek()
                    );
                    assert!(
                        !statement.starts_with("ATTACH") || statement.contains("\"_wm_new_lake\"")
                    );
                }
            }
            assert_eq!(planned.next(), None, "{target}: planned, not sent");
            drop(planned);
            attached.extend(sent.into_iter().filter(|sql| sql.starts_with("ATTACH")));
        }
    }
}
