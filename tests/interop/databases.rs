//! `ATTACH 'datatable://…'`, and lakes whose catalog is in PostgreSQL.

use serde_json::json;

use crate::keeps;
use crate::postgres::{PASSWORD, Postgres};
use crate::project::{Done, Project};

const CONFIG: &str = "[datatables.crm]\nurl = 'env:CRM_URL'\n";

/// Runs the command with the database's address in the environment; the password is in nothing that it says.
#[track_caller]
fn run(project: &Project, url: &str, arguments: &[&str]) -> Done {
    let mut command = project.command(arguments);
    let done = Done::of(command.env("CRM_URL", url).env("LAKEMILL_LOG", "trace"));
    [PASSWORD, "correct%20horse", "correct horse", url]
        .into_iter()
        .fold(done, keeps)
}

fn customers(server: &Postgres) {
    server.ask("CREATE TABLE customers AS SELECT 1 AS id, 'Ada' AS name UNION SELECT 2, 'Bo'");
}

#[test]
fn a_managed_script_reads_a_database_and_cannot_write_it() {
    let server = Postgres::start();
    customers(&server);
    let project = Project::new(&[(
        "customers",
        "-- materialize ducklake://shop/customers\n\
         ATTACH 'datatable://CRM' AS c;\n\
         SELECT id, name FROM c.customers -- datatable://crm\n",
    )]);
    project.write("lakemill.toml", CONFIG);
    for url in [server.url(PASSWORD), server.pairs()] {
        run(&project, &url, &["run", "customers"]).ok();
        assert_eq!(
            project.rows("shop/customers"),
            [
                json!({"id": 1, "name": "Ada"}),
                json!({"id": 2, "name": "Bo"})
            ]
        );
    }
    let url = server.url(PASSWORD);
    let attach = r#"ATTACH '' AS "c" (TYPE postgres, SECRET "_wm_datatable_crm", READ_ONLY)"#;
    run(&project, &url, &["plan", "customers"])
        .ok()
        .says(attach);
    let plan = run(&project, &url, &["plan", "customers", "--json"])
        .ok()
        .json();
    assert_eq!(plan["stages"][1]["statements"][0]["sql"], attach);
    run(&project, &url, &["doctor"]).ok().says("datatable crm");

    server.ask("CREATE SEQUENCE counter");
    project.write(
        "pipelines/sly.sql",
        "-- materialize ducklake://shop/sly\n\
         ATTACH 'datatable://crm';\n\
         FROM postgres_query('crm', 'SELECT nextval(''counter'') AS id')\n",
    );
    run(&project, &url, &["run", "sly"])
        .fails(1)
        .says("read-only");

    let state = std::fs::read(project.root().join(".lakemill/state.sqlite")).unwrap();
    let state = String::from_utf8_lossy(&state).into_owned();
    assert!(!state.contains("correct") && !state.contains("battery"));
}

#[test]
fn a_script_of_its_own_writes_the_database_that_it_names() {
    let server = Postgres::start();
    customers(&server);
    let url = server.url(PASSWORD);
    let project = Project::new(&[(
        "scores",
        "ATTACH 'datatable://crm' AS crm (SCHEMA 'public');\n\
         CREATE TABLE crm.scores AS SELECT id, 10 * id AS score FROM crm.customers;\n",
    )]);
    project.write("lakemill.toml", CONFIG);
    run(&project, &url, &["run", "scores"]).ok();
    assert_eq!(server.ask("SELECT sum(score) FROM scores"), "30");
}

#[test]
fn a_data_test_looks_into_a_database() {
    let server = Postgres::start();
    customers(&server);
    let url = server.url(PASSWORD);
    let text = |ids: &str| {
        format!(
            "-- materialize ducklake://shop/orders\n\
             -- data_test relationships customer -> datatable://crm/customers.id\n\
             -- data_test relationships customer -> datatable://CRM/public.customers.id\n\
             SELECT unnest([{ids}]) AS customer\n"
        )
    };
    let project = Project::new(&[("orders", &text("1, 2, NULL"))]);
    project.write("lakemill.toml", CONFIG);
    run(&project, &url, &["run", "orders"]).ok();
    project.write("pipelines/orders.sql", &text("1, 77"));
    for command in [&["run", "orders"][..], &["test", "shop/orders"]] {
        run(&project, &url, command)
            .fails(1)
            .says("relationships customer -> datatable://crm/customers.id")
            .says("1 violating");
    }
}

#[test]
fn what_is_wrong_with_a_database_is_told_at_its_attach() {
    let server = Postgres::start();
    let project = Project::new(&[
        (
            "wrong",
            "-- materialize ducklake://shop/t\n\nATTACH 'datatable://crm' AS c;\nFROM c.customers\n",
        ),
        (
            "unknown",
            "-- materialize ducklake://shop/t\n  ATTACH 'datatable://cmr' AS c;\nFROM c.customers\n",
        ),
    ]);
    project.write("lakemill.toml", CONFIG);
    let url = server.url("correct horse of another colour");
    run(&project, &url, &["run", "wrong"])
        .fails(1)
        .says("wrong.sql:3:1")
        .says("password authentication failed");
    for command in ["run", "plan"] {
        run(&project, &url, &[command, "unknown"])
            .fails(1)
            .says("unknown.sql:2:10")
            .says("LM317")
            .says("[datatables.cmr]")
            .says("`crm`");
    }
    project
        .run(&["run", "wrong"])
        .fails(2)
        .says("CRM_URL")
        .says("is not set");
}

#[test]
fn a_lake_keeps_its_catalog_in_postgres() {
    let server = Postgres::start();
    let project = Project::new(&[(
        "orders",
        "-- materialize ducklake://shop/orders key=id\nSELECT 1 AS id, 'a' AS name\n",
    )]);
    project.write(
        "lakemill.toml",
        "[lakes.shop]\ncatalog = 'env:CRM_URL'\ndata_path = 'shop.files'\n",
    );
    for url in [server.url(PASSWORD), server.pairs()] {
        run(&project, &url, &["run"]).ok();
        run(&project, &url, &["plan", "orders", "--json"])
            .ok()
            .says("META_SECRET");
        let rows = run(&project, &url, &["preview", "shop/orders", "--json"]).ok();
        assert_eq!(rows.json()["rows"], json!([{"id": 1, "name": "a"}]));
    }
    run(&project, &server.pairs(), &["doctor"]).ok();
}
