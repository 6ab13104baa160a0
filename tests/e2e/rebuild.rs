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
    let history = || project.run(&["history", "shop/t", "--json"]).ok().json();
    let once = history();
    project
        .run(&["rebuild", "shop/t"])
        .ok()
        .says("nothing to do: shop/t has the layout");
    assert_eq!(history(), once);
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
    // Also where the column that tells the slices is named.
    let once = history();
    for arguments in [&["--json"][..], &["--by", "AT", "--json"]] {
        let done = [&["rebuild", "shop/t"], arguments].concat();
        let done = project.run(&done).ok().json();
        assert_eq!(
            (&done["changed"], &done["snapshotId"]),
            (&false.into(), &().into())
        );
        let told = done["warnings"][0].as_str().unwrap();
        assert!(told.starts_with("nothing to do"), "{told}");
    }
    let planned = project
        .run(&["rebuild", "shop/t", "--dry-run", "--json"])
        .ok()
        .says("nothing to do")
        .json();
    let stages = planned["stages"].as_array().unwrap();
    assert!(stages.iter().all(|stage| stage["name"] != "publish"));
    project
        .run(&["rebuild", "shop/t", "--dry-run"])
        .ok()
        .says("nothing to do");
    assert_eq!(history(), once);
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
    let slices = status.as_array().unwrap();
    let told = |slice: &serde_json::Value| {
        [&slice["partition"], &slice["status"], &slice["rows"]]
            .map(ToString::to_string)
            .join(" ")
    };
    assert_eq!(
        slices.iter().map(told).collect::<Vec<_>>(),
        ["2024-01-01", "2024-01-02"].map(|day| format!("\"{day}\" \"materialized\" 4"))
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

#[test]
fn another_column_tells_the_slices_and_rows_before_the_start_are_kept() {
    let script = |column: &str, start: &str| {
        format!(
            "-- materialize ducklake://shop/t\n-- partitioned daily{start}\nSELECT s.id, s.made, s.seen FROM (SELECT range AS id, \
             DATE '2024-01-01' + range::INTEGER AS made, DATE '2024-02-01' AS seen FROM range(3)) AS s \
             WHERE wm_partition(s.{column}) = {{partition}}\n"
        )
    };
    let project = Project::new(&[("t", &script("seen", ""))]);
    project.run(&["run", "t", "--partition", "2024-02-01"]).ok();
    let slices = || -> Vec<String> {
        let rows = project.rows("shop/t");
        let slice = |row: &serde_json::Value| row["_wm_partition"].as_str().unwrap().to_owned();
        rows.iter().map(slice).collect()
    };
    assert_eq!(slices(), ["2024-02-01"; 3]);
    project.write("pipelines/t.sql", &script("made", " start=2024-01-03"));
    let told = "2 row(s) lie before the script's start `2024-01-03`, in the slices `2024-01-01` to `2024-01-02`: they are kept";
    let by = ["rebuild", "shop/t", "--by", "made"];
    project
        .run(&[&by[..], &["--dry-run"]].concat())
        .ok()
        .says("warning")
        .says(told);
    let done = project.run(&[&by[..], &["--json"]].concat()).ok().json();
    assert_eq!(done["rows"], 3);
    assert!(done["warnings"][0].as_str().unwrap().starts_with(told));
    assert_eq!(slices(), ["2024-01-01", "2024-01-02", "2024-01-03"]);
    project.run(&["run", "t", "--partition", "2024-01-03"]).ok();
    assert_eq!(project.rows("shop/t").len(), 3);
    project.run(&by).ok().says("nothing to do");
    let error = project.run(&["rebuild", "shop/t", "--by", "nope", "--json"]);
    let error = error.fails(1).json()["error"].clone();
    assert_eq!(error["code"], "LM306");
}
