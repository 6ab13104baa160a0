//! Names and values that are not plain words.

use crate::project::Project;

#[test]
fn a_quote_in_a_partition_value() {
    let project = Project::new(&[(
        "t",
        "-- materialize ducklake://shop/t\n-- partitioned dynamic key=tenant\nSELECT 1 AS n, {partition} AS tenant, 'x-{partition}' AS path\n",
    )]);
    for value in ["it's", "a/b%c=d", "ü;--"] {
        project.run(&["run", "t", "--partition", value]).ok();
        project.run(&["run", "t", "--partition", value]).ok();
    }
    let rows = project.rows("shop/t");
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().any(|row| row["tenant"] == "it's"
        && row["path"] == "x-it's"
        && row["_wm_partition"] == "it's"));
    let partitions = project.run(&["partitions", "shop/t", "--json"]).ok().json();
    assert!(
        partitions
            .as_array()
            .unwrap()
            .iter()
            .all(|line| line["rows"] == 1)
    );
}

#[test]
fn a_table_called_select_and_a_column_with_a_space() {
    let project = Project::new(&[(
        "t",
        "-- materialize ducklake://shop/select key=\"order id\"\n-- data_test unique \"order id\"\nSELECT 1 AS \"order id\", 2 AS \"from\"\n",
    )]);
    project.run(&["run"]).ok();
    project.run(&["run"]).ok();
    assert_eq!(project.rows("shop/select")[0]["order id"], 1);
    assert_eq!(project.snapshots("shop/select").len(), 2);
    project.run(&["plan", "t"]).ok().says("\"order id\"");
}

#[test]
fn a_project_that_was_moved_keeps_its_lakes() {
    let project = Project::new(&[("t", "-- materialize ducklake://shop/t\nSELECT 1 AS n\n")]);
    project.run(&["run"]).ok();
    let moved = tempfile::tempdir().unwrap();
    let target = moved.path().join("elsewhere");
    std::fs::rename(project.root().join(".lakemill"), &target).unwrap();
    let other = Project::new(&[(
        "t",
        "-- materialize ducklake://shop/t append\nSELECT 2 AS n\n",
    )]);
    std::fs::rename(&target, other.root().join(".lakemill")).unwrap();
    other.run(&["run"]).ok();
    assert_eq!(other.rows("shop/t").len(), 2);
}
