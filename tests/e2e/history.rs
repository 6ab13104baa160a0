//! Tables with history (SCD type 2).

use crate::project::Project;

const PEOPLE: &str = "-- materialize ducklake://shop/people key=id history
SELECT 1 AS id, 'a' AS name
";

/// A script that writes into the lake by itself.
fn by_hand(sql: &str) -> String {
    format!(
        "-- materialize manual ducklake://shop/by_hand\nATTACH 'ducklake://shop' AS s;\n{sql}\n"
    )
}

/// Versions in the order in which they began, as `(name, from, to)`.
fn versions(project: &Project) -> Vec<(String, String, Option<String>)> {
    let mut rows: Vec<_> = project
        .rows("shop/people")
        .iter()
        .map(|row| {
            let text = |column: &str| row[column].as_str().map(str::to_owned);
            assert_eq!(row["is_current"], text("valid_to").is_none());
            (
                text("name").unwrap(),
                text("valid_from").unwrap(),
                text("valid_to"),
            )
        })
        .collect();
    rows.sort_by(|a, b| a.1.cmp(&b.1));
    rows
}

#[test]
fn versions_do_not_overlap_when_the_clock_is_set_back() {
    let project = Project::new(&[("people", PEOPLE)]);
    project.run(&["run", "people"]).ok();
    // As if the last run had been on a machine whose clock is ahead.
    let later = "2199-01-01 00:00:00";
    project.write(
        "by_hand.sql",
        &by_hand(&format!(
            "UPDATE s.people SET valid_from = TIMESTAMP '{later}';"
        )),
    );
    project.run(&["run", "by_hand.sql"]).ok();
    project.write("pipelines/people.sql", &PEOPLE.replace("'a'", "'b'"));
    project.run(&["run", "people"]).ok();
    project.write("pipelines/people.sql", PEOPLE);
    project.run(&["run", "people"]).ok();
    let next = "2199-01-01 00:00:00.000001";
    let after = "2199-01-01 00:00:00.000002";
    assert_eq!(
        versions(&project),
        [
            ("a".to_owned(), later.to_owned(), Some(next.to_owned())),
            ("b".to_owned(), next.to_owned(), Some(after.to_owned())),
            ("a".to_owned(), after.to_owned(), None),
        ]
    );
}

#[test]
fn times_are_utc_whatever_zone_the_script_sets() {
    let project = Project::new(&[(
        "people",
        &PEOPLE.replace("SELECT", "SET TimeZone = 'Pacific/Auckland';\nSELECT"),
    )]);
    let before = jiff::Timestamp::now().to_string();
    project.run(&["run"]).ok();
    let after = jiff::Timestamp::now().to_string();
    // RFC 3339 in UTC sorts as text.
    let from = versions(&project)[0].1.replace(' ', "T");
    assert!(
        before[..19] <= from[..19] && from[..19] <= after[..19],
        "{from} is not between {before} and {after}"
    );
}

#[test]
fn a_table_of_the_views_name_is_left_alone() {
    let project = Project::new(&[("people", PEOPLE)]);
    project.write(
        "by_hand.sql",
        &by_hand("CREATE TABLE s.People_Current AS SELECT 'mine' AS note;"),
    );
    project.run(&["run", "by_hand.sql"]).ok();
    project
        .run(&["run", "people"])
        .ok()
        .says("a table has its name, `people_current`");
    assert_eq!(project.rows("shop/people_current")[0]["note"], "mine");

    project.write(
        "by_hand.sql",
        &by_hand("ALTER TABLE s.people_current RENAME TO notes;"),
    );
    project.run(&["run", "by_hand.sql"]).ok();
    let run = project.run(&["run", "people", "--json"]).ok().json();
    assert_eq!(
        run["runs"][0]["summary"]["warnings"],
        serde_json::Value::Null
    );
    assert_eq!(project.rows("shop/people_current")[0]["name"], "a");
}

#[test]
fn a_view_of_that_name_is_kept() {
    let project = Project::new(&[("people", PEOPLE)]);
    project.run(&["run"]).ok();
    project.write(
        "by_hand.sql",
        &by_hand("CREATE OR REPLACE VIEW s.people_current AS SELECT 'mine' AS note;"),
    );
    project.run(&["run", "by_hand.sql"]).ok();
    project.write("pipelines/people.sql", &PEOPLE.replace("'a'", "'b'"));
    project.run(&["run", "people"]).ok();
    assert_eq!(project.rows("shop/people_current")[0]["note"], "mine");
}

#[test]
fn every_changing_run_is_one_snapshot_in_every_kind_of_embedded_catalog() {
    for catalog in ["sqlite", "duckdb"] {
        let project = Project::new(&[("people", PEOPLE)]);
        project.write(
            "lakemill.toml",
            &format!("[lakes.shop]\ncatalog = '{catalog}:shop.db'\n"),
        );
        for (name, snapshots) in [("a", 1), ("a", 1), ("b", 2), ("b", 2), ("a", 3)] {
            let script = PEOPLE.replace("'a'", &format!("'{name}'"));
            project.write("pipelines/people.sql", &script);
            let run = project.run(&["run", "--json"]).ok().json();
            let found = project.snapshots("shop/people");
            assert_eq!(found.len(), snapshots, "{catalog}: {run}");
            if run["runs"][0]["status"] == "materialized" {
                assert_eq!(run["runs"][0]["summary"]["job"], found[0].1);
            }
        }
        assert_eq!(project.rows("shop/people_current").len(), 1);
    }
}

#[test]
fn a_script_may_read_its_own_history() {
    let project = Project::new(&[("people", PEOPLE)]);
    project.run(&["run"]).ok();
    project.write(
        "pipelines/people.sql",
        "-- materialize ducklake://shop/people key=id history\nATTACH 'ducklake://shop' AS s;\n\
         SELECT id, name || '+' AS name FROM s.people_current\n",
    );
    project.run(&["run"]).ok();
    project.run(&["run"]).ok();
    let names: Vec<_> = versions(&project).into_iter().map(|row| row.0).collect();
    assert_eq!(names, ["a", "a+", "a++"]);
}
