//! Samples of the rows that violate a data test.

use serde_json::json;

use crate::project::Project;

#[test]
fn samples_of_odd_types_change_no_verdict() {
    for (value, has_sample) in [
        ("'\\xFF\\x00'::BLOB", true),
        ("INTERVAL 3 MONTH", true),
        ("[{'a': [1, NULL], 'b': MAP {'k': 1.5}}]", true),
        // JSON has no such number: it becomes a text.
        ("'NaN'::DOUBLE", true),
        ("['-infinity'::DOUBLE, 1]", true),
        ("'Infinity'::FLOAT", true),
        ("'infinity'::TIMESTAMP", true),
        ("'{\"a\": [1, 2]}'::JSON", true),
        ("uuid()", true),
        ("{'a': 1}::VARIANT", true),
        // More than 50 KB: no sample rather than half of one.
        ("repeat('x', 60000)", false),
    ] {
        let project = Project::new(&[(
            "t",
            &format!(
                "-- materialize ducklake://shop/t\n-- data_test not_null n\nSELECT {value} AS v, NULL::INTEGER AS n"
            ),
        )]);
        let done = project.run(&["run", "t", "--json"]).fails(1);
        let report = &done.json()["runs"][0];
        let test = &report["error"]["dataTests"][0];
        assert_eq!(test["violating"], 1, "{value}: {report}");
        let sample = test.get("sample");
        assert_eq!(sample.is_some(), has_sample, "{value}: {report}");
    }
}

#[test]
fn a_sample_is_rows_whatever_their_columns_are_called() {
    for name in ["v", "r", "rs", "s", "_wm_t", "place", "violating"] {
        let project = Project::new(&[(
            "t",
            &format!(
                "-- materialize ducklake://shop/t\n-- data_test not_null n\nSELECT 5 AS {name}, NULL::INTEGER AS n"
            ),
        )]);
        let done = project.run(&["run", "t", "--json"]).fails(1);
        let test = &done.json()["runs"][0]["error"]["dataTests"][0];
        assert_eq!(test["sample"], json!([{ name: 5, "n": null }]), "{name}");
    }
}
