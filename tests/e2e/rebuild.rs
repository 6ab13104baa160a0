//! Tables that get another layout.

use crate::project::Project;

const FLAT: &str = "-- materialize ducklake://shop/t append
SELECT range AS id, TIMESTAMP '2024-01-01' + INTERVAL (range * 6) HOUR AS at FROM range(8)
";
const SLICED: &str = "-- materialize ducklake://shop/t
-- partitioned daily start=2024-01-01
SELECT o.id, o.at FROM (SELECT range + 100 AS id, TIMESTAMP '2024-01-01' + INTERVAL (range * 6) HOUR AS at FROM range(8)) AS o
WHERE wm_partition(o.at) = {partition}
";

#[test]
fn a_table_gets_slices_and_loses_them_again() {
    let project = Project::new(&[("t", FLAT)]);
    project
        .run(&["rebuild", "shop/t"])
        .fails(1)
        .says("run a script");
    project.run(&["run", "t"]).ok();
    project
        .run(&["rebuild", "shop/t"])
        .ok()
        .says("has the layout");
    let before = project.rows("shop/t");

    project.write("pipelines/t.sql", SLICED);
    let slice = ["run", "t", "--partition", "2024-01-02"];
    project
        .run(&slice)
        .fails(1)
        .says("`lakemill rebuild shop/t`");
    project
        .run(&["rebuild", "shop/t", "--dry-run"])
        .ok()
        .says("THEN strftime(\"at\", '%Y-%m-%d') END, error(")
        .says("SET PARTITIONED BY (\"_wm_partition\")")
        .says("COMMIT");
    assert_eq!(project.rows("shop/t"), before);

    let done = project.run(&["rebuild", "shop/t", "--json"]).ok().json();
    assert_eq!(
        (&done["rows"], &done["strategy"]),
        (&8.into(), &"rebuild".into())
    );
    let snapshots = project.snapshots("shop/t");
    assert_eq!(snapshots[0].1, done["job"].as_str().unwrap());
    assert_eq!(snapshots.len(), 2);
    let partitions = project.run(&["partitions", "shop/t", "--json"]).ok().json();
    assert_eq!(
        (&partitions[1]["partition"], &partitions[1]["rows"]),
        (&"2024-01-02".into(), &4.into())
    );
    let first = snapshots[1].0.to_string();
    let old = project
        .run(&["preview", "shop/t", "--version", &first, "--json"])
        .ok()
        .json();
    assert_eq!(old["rows"], serde_json::Value::from(before));
    let status = project.run(&["status", "--json"]).ok().json();
    assert_eq!(
        (&status[0]["status"], &status[0]["rows"]),
        (&"materialized".into(), &8.into())
    );

    project.run(&slice).ok();
    let sums = |wanted: &str| {
        let rows = project.rows("shop/t");
        let of = rows
            .iter()
            .filter(|row| row["at"].as_str().unwrap().starts_with(wanted));
        of.map(|row| row["id"].as_i64().unwrap()).sum::<i64>()
    };
    assert_eq!((sums("2024-01-01"), sums("2024-01-02")), (6, 422));

    project.write("pipelines/t.sql", FLAT);
    project
        .run(&["run", "t"])
        .fails(1)
        .says("`lakemill rebuild shop/t`");
    project.run(&["rebuild", "shop/t"]).ok().says("8 row(s)");
    project.run(&["run", "t"]).ok();
    let rows = project.rows("shop/t");
    assert_eq!(rows.len(), 16);
    assert!(rows[0].get("_wm_partition").is_none());
}

#[test]
fn a_row_without_a_slice_is_told() {
    let script = |lines: &str| format!("-- materialize ducklake://shop/t append\n{lines}");
    let select = "SELECT 'a' AS tenant, DATE '2024-01-01' AS day, TIMESTAMP 'infinity' AS endless, now() AS seen \
                  UNION ALL SELECT 'b', NULL, NULL, NULL";
    let project = Project::new(&[("t", &script(select))]);
    project.run(&["run", "t"]).ok();
    let sliced =
        |lines: &str| project.write("pipelines/t.sql", &script(&format!("{lines}\n{select}")));
    sliced("-- partitioned daily");
    project
        .run(&["rebuild", "shop/t"])
        .fails(1)
        .says("`wm_partition(column)`")
        .says("--by COLUMN");
    project
        .run(&["rebuild", "shop/t", "--by", "nope"])
        .fails(1)
        .says("no column `nope`");
    project
        .run(&["rebuild", "shop/t", "--by", "seen"])
        .fails(1)
        .says("TIMESTAMP WITH TIME ZONE");
    project
        .run(&["rebuild", "shop/t", "--by", "day"])
        .fails(1)
        .says("its `day` is NULL");
    project
        .run(&["rebuild", "shop/t", "--by", "endless"])
        .fails(1)
        .says("its `endless` is NULL, or not in the years 1 to 9998");
    sliced("-- partitioned dynamic key=tenant");
    project
        .run(&["rebuild", "shop/t"])
        .fails(1)
        .says("--by COLUMN");
    assert_eq!(project.snapshots("shop/t").len(), 1);
    project.run(&["rebuild", "shop/t", "--by", "Tenant"]).ok();
    let partitions = project.run(&["partitions", "shop/t", "--json"]).ok().json();
    assert_eq!(partitions[1]["partition"], "b");
    project
        .run(&["rebuild", "shop/nothing"])
        .fails(2)
        .says("no script");
}
