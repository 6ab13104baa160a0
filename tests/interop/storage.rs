//! `s3:///key` in a folder and on S3, and lakes whose files are on S3.

use serde_json::json;

use crate::keeps;
use crate::postgres::{PASSWORD, Postgres};
use crate::project::{Done, Project};
use crate::s3::{KEY_ID, S3Server, SECRET};

/// Writes two files of a partition, and reads what is there.
const SCRIPTS: [(&str, &str); 2] = [
    (
        "export",
        "-- partitioned dynamic key=shop\n\
         COPY (SELECT 1 AS id, {partition} AS shop) TO 's3:///raw/{partition}/one.parquet'; -- 's3:///comment'\n\
         COPY (SELECT 2 AS id, 's3:///value' AS shop) TO 's3:///two.csv';\n",
    ),
    (
        "import",
        "-- materialize ducklake://shop/orders\n\
         CREATE TEMP TABLE two AS FROM read_csv(['s3:///two.csv']);\n\
         SELECT id, shop FROM two UNION ALL FROM 's3:///raw/it''s/one.parquet'\n",
    ),
];

#[track_caller]
fn run(project: &Project, secret: &str, arguments: &[&str]) -> Done {
    let mut command = project.command(arguments);
    command
        .env("S3_ID", KEY_ID)
        .env("S3_SECRET", secret)
        .env("LAKEMILL_LOG", "trace");
    keeps(Done::of(&mut command), secret)
}

/// Exports, imports, and says what the import found.
#[track_caller]
fn exchange(project: &Project) {
    run(project, SECRET, &["run", "export", "--partition", "it's"]).ok();
    run(project, SECRET, &["run", "import"]).ok();
    let preview = run(project, SECRET, &["preview", "shop/orders", "--json"]).ok();
    let mut rows = preview.json()["rows"].as_array().unwrap().clone();
    rows.sort_by_key(|row| row["id"].as_i64());
    assert_eq!(
        rows,
        [
            json!({"id": 1, "shop": "it's"}),
            json!({"id": 2, "shop": "s3:///value"})
        ]
    );
}

fn s3_config(server: &S3Server) -> String {
    format!(
        "[storage]\nroot = 's3://lake/the files'\n\
         [storage.s3]\nendpoint = '{}'\nregion = 'us-east-1'\naccess_key_id = 'env:S3_ID'\nsecret_access_key = 'env:S3_SECRET'\n",
        server.endpoint()
    )
}

#[test]
fn a_folder_is_the_storage_of_a_project() {
    let project = Project::new(&SCRIPTS);
    exchange(&project);
    let files = project.root().join(".lakemill/storage");
    assert!(files.join("raw/it's/one.parquet").is_file());

    project.write(
        "lakemill.toml",
        "[storage]\nroot = 'the ''files'''\n"
            .replace("'the ''files'''", "\"the 'files'\"")
            .as_str(),
    );
    exchange(&project);
    assert!(project.root().join("the 'files'/two.csv").is_file());
}

#[test]
fn a_bucket_is_the_storage_of_a_project() {
    let server = S3Server::start();
    let project = Project::new(&SCRIPTS);
    project.write("lakemill.toml", &s3_config(&server));
    exchange(&project);
    assert!(server.has("the files/two.csv"));
    assert!(server.has("the files/raw/it's/one.parquet"));
    run(&project, SECRET, &["plan", "import"])
        .ok()
        .says("read_csv(['s3://lake/the files/two.csv'])");

    let failed = run(&project, "a-secret-that-is-wrong", &["run", "import"]).fails(1);
    assert!(failed.stderr.contains("import.sql:2:"), "{}", failed.stderr);
}

#[test]
fn a_secret_of_the_script_is_for_other_buckets() {
    let server = S3Server::start();
    let mut scripts = SCRIPTS;
    scripts[1].1 = "-- materialize ducklake://shop/orders\n\
         CREATE SECRET mine (TYPE s3, KEY_ID 'nobody', SECRET 'nothing');\n\
         CREATE TEMP TABLE two AS FROM read_csv(['s3:///two.csv']);\n\
         SELECT id, shop FROM two UNION ALL FROM 's3:///raw/it''s/one.parquet'\n";
    let project = Project::new(&scripts);
    project.write("lakemill.toml", &s3_config(&server));
    exchange(&project);
    project.write(
        "pipelines/which.sql",
        "-- materialize ducklake://shop/which\n\
         CREATE SECRET mine (TYPE s3, KEY_ID 'nobody', SECRET 'nothing');\n\
         SELECT name FROM which_secret('s3://lakes/x', 's3')\n",
    );
    run(&project, SECRET, &["run", "which"]).ok();
    assert_eq!(project.rows("shop/which"), [json!({"name": "mine"})]);
}

#[test]
fn a_lake_keeps_its_files_on_s3() {
    let server = S3Server::start();
    let project = Project::new(&[(
        "orders",
        "-- materialize ducklake://shop/orders\nSELECT range AS id FROM range(20)\n",
    )]);
    let lake = "[lakes.shop]\ncatalog = 'sqlite:shop.sqlite'\ndata_path = 's3://lake/shop/'\n";
    project.write("lakemill.toml", &[lake, &s3_config(&server)].concat());
    run(&project, SECRET, &["run"]).ok();
    let preview = run(&project, SECRET, &["preview", "shop/orders", "--json"]).ok();
    assert_eq!(preview.json()["rows"].as_array().unwrap().len(), 20);
}

#[test]
fn a_key_without_a_file_of_its_own_is_refused_in_a_folder() {
    let project = Project::new(&[(
        "sly",
        "-- partitioned dynamic key=shop\nCOPY (SELECT 1 AS id) TO 's3:///raw/{partition}/a.csv';\n",
    )]);
    run(&project, SECRET, &["run", "sly", "--partition", "../../.."])
        .fails(1)
        .says("sly.sql:2:26")
        .says("LM318");
    run(&project, SECRET, &["run", "sly", "--partition", "a/b"]).ok();
    assert!(
        project
            .root()
            .join(".lakemill/storage/raw/a/b/a.csv")
            .is_file()
    );
}

#[test]
fn a_confined_script_has_its_lakes_on_servers() {
    let (server, database) = (S3Server::start(), Postgres::start());
    let project = Project::new(&[
        (
            "orders",
            "-- materialize ducklake://shop/orders key=id\nSELECT range AS id FROM range(20)\n",
        ),
        (
            "copy",
            "-- materialize ducklake://shop/copy\n-- data_test unique id\nATTACH 'ducklake://shop' AS s;\n\
             ATTACH 'datatable://crm' AS crm;\nSELECT id, (SELECT n FROM crm.numbers) AS n FROM s.orders\n",
        ),
        (
            "sly",
            "-- materialize ducklake://shop/sly\nFROM 's3://other/x.parquet'\n",
        ),
    ]);
    database.ask("CREATE TABLE numbers AS SELECT 7 AS n");
    let url = database.url(PASSWORD);
    project.write(
        "lakemill.toml",
        &[
            "[engine]\nallow_local_files = false\n[datatables.crm]\nurl = 'env:DATABASE'\n",
            "[lakes.shop]\ncatalog = 'env:DATABASE'\ndata_path = 's3://lake/shop'\n",
            &s3_config(&server),
        ]
        .concat(),
    );
    let run = |arguments: &[&str]| {
        let mut command = project.command(arguments);
        command
            .env("S3_ID", KEY_ID)
            .env("S3_SECRET", SECRET)
            .env("DATABASE", &url);
        Done::of(&mut command)
    };
    for _ in 0..2 {
        run(&["run", "orders", "--publish", "write-audit-publish"]).ok();
        run(&["run", "copy"]).ok();
    }
    run(&["test", "copy"]).ok();
    run(&["run", "sly"]).fails(1).says("`allowed_directories`");
    let preview = run(&["preview", "shop/copy", "--json"]).ok().json();
    assert_eq!(preview["rows"].as_array().unwrap().len(), 20);
    assert_eq!(preview["rows"][0]["n"], 7);
}
