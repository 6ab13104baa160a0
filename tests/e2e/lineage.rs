//! What columns are computed from, over all scripts of a project.

use crate::project::Project;

fn project() -> Project {
    Project::new(&[
        (
            "clean",
            "-- materialize ducklake://shop/clean\nATTACH 'ducklake://raw' AS raw;\nSELECT o.id, o.net + o.tax AS gross\nFROM raw.orders o\n",
        ),
        (
            "daily",
            "-- materialize ducklake://shop/daily\nATTACH 'ducklake://shop' AS shop;\nATTACH 'ducklake://raw' AS raw;\n\
             SELECT c.*, gross * rate AS local, m.f(c.id) AS odd\nFROM shop.clean c\nJOIN (SELECT rate FROM raw.rates) r ON true\n",
        ),
        ("alone", "SELECT 1 AS id\n"),
    ])
}

#[test]
fn columns_chain_from_script_to_script() {
    let done = project().run(&["lineage", "shop/daily.local"]).ok();
    let expected = "shop/daily.local\n\
                    └─ computed from\n   \
                    ├─ shop/clean.gross  (pipelines/daily.sql:4)\n   \
                    │  ├─ raw/orders.net  (pipelines/clean.sql:3)\n   \
                    │  └─ raw/orders.tax  (pipelines/clean.sql:3)\n   \
                    └─ raw/rates.rate  (pipelines/daily.sql:4)\n";
    assert_eq!(done.stdout, expected);
}

#[test]
fn an_asset_is_traced_both_ways() {
    project()
        .run(&["lineage", "ducklake://shop/clean"])
        .ok()
        .says("shop/clean.id\n├─ computed from\n│  └─ raw/orders.id  (pipelines/clean.sql:3)\n└─ used by\n   └─ shop/daily.id")
        .says("shop/clean.gross\n");
    let found = project()
        .run(&["lineage", "raw/orders.net", "--json"])
        .ok()
        .json();
    let column = &found["columns"][0];
    assert_eq!(found["asset"], "ducklake://raw/orders");
    assert_eq!(column["downstream"][0]["column"], "gross");
    assert_eq!(
        column["downstream"][0]["downstream"][0]["asset"],
        "ducklake://shop/daily"
    );
    assert_eq!(column["downstream"][0]["line"], 3);
}

#[test]
fn what_is_not_there_is_told() {
    project()
        .run(&["lineage", "shop/nope.x"])
        .fails(2)
        .says("`shop/nope.x` is no asset");
    project()
        .run(&["lineage", "shop/daily.nope"])
        .fails(2)
        .says("no script is known to write or read a column `nope`");
}
