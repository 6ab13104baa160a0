use serde_json::{Value, json};

use super::*;

fn parse(text: &str) -> Value {
    serde_json::to_value(parse_to_wire(text)).expect("the wire form serialises")
}

/// The shape without ranges, as documents show it.
fn without_ranges(value: Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(
            map.into_iter()
                .filter(|(name, _)| name != "range" && name != "ranges")
                .map(|(name, value)| (name, without_ranges(value)))
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.into_iter().map(without_ranges).collect()),
        plain => plain,
    }
}

const EVERYTHING: &str = "-- pipeline\n-- macros\n-- use f/lib/stats\n\
    -- partitioned daily tz=Europe/Paris format=%Y-%m-%d start=2024-01-01\n\
    -- freshness 1h\n-- debounce 30s\n-- trigger all\n-- tag heavy\n-- retry 3 5s\n\
    -- materialize ducklake://analytics/dim append history key=id track=name deletes=close on_schema_change=ignore\n\
    -- data_test unique id\n-- data_test not_null id\n-- data_test accepted_values s = a,b\n\
    -- data_test relationships sku -> ducklake://w/t.sku\n-- data_test f/tests/sane\n\
    -- data_test row_count >= 10\n-- data_test freshness at <= 1d severity=error\n-- data_test expression \"a > 0\" severity=warn\n\
    -- column total <- ducklake://w/orders.amount\n-- measure revenue = sum(amount) where not is_refund\n\
    -- dimension region = region\n-- mute ducklake://l/t\n-- mute all\n-- on s3:///raw/x debounce=5s\n-- on schedule\n";

#[test]
fn the_header_has_the_documented_shape() {
    let shape = without_ranges(parse(EVERYTHING));
    assert_eq!(shape["version"], 1);
    assert_eq!(
        shape["header"],
        json!({
            "pipeline": true, "macros": true, "uses": ["f/lib/stats"],
            "partition": {"kind": "daily", "tz": "Europe/Paris", "format": "%Y-%m-%d", "start": "2024-01-01"},
            "freshness": "1h", "debounce": "30s", "trigger": "all", "tag": "heavy",
            "retry": {"count": 3, "delay": "5s"},
            "materialize": {
                "mode": "managed", "asset": {"kind": "ducklake", "path": "analytics/dim"}, "append": true, "key": ["id"],
                "history": true, "track": ["name"], "closeDeleted": true, "onSchemaChange": "ignore"
            },
            "dataTests": [
                {"type": "unique", "column": "id"}, {"type": "not_null", "column": "id"},
                {"type": "accepted_values", "column": "s", "values": ["a", "b"]},
                {"type": "relationships", "column": "sku", "to": {"asset": {"kind": "ducklake", "path": "w/t"}, "column": "sku"}},
                {"type": "custom", "path": "f/tests/sane"},
                {"type": "row_count", "comparison": ">=", "rows": 10}, {"type": "freshness", "column": "at", "age": "1d"},
                {"type": "expression", "expression": "a > 0", "severity": "warn"}
            ],
            "columns": [{"column": "total", "inputs": [{"asset": {"kind": "ducklake", "path": "w/orders"}, "column": "amount"}]}],
            "measures": [{"name": "revenue", "expr": "sum(amount)", "where": "not is_refund"}],
            "dimensions": [{"name": "region", "expr": "region"}],
            "mutes": [{"asset": {"kind": "ducklake", "path": "l/t"}}, {"all": true}],
            "triggers": [{"kind": "asset", "asset": {"kind": "s3object", "path": "/raw/x"}, "debounce": "5s"}, {"kind": "schedule"}]
        })
    );
}

#[test]
fn defaults_are_absent_and_the_envelope_is_not() {
    let shape = without_ranges(parse(
        "-- trigger any\n-- materialize ducklake://a/b on_schema_change=warn deletes=ignore",
    ));
    assert_eq!(
        shape,
        json!({
            "version": 1,
            "header": {"materialize": {"mode": "managed", "asset": {"kind": "ducklake", "path": "a/b"}}},
            "body": {},
            "diagnostics": []
        })
    );
}

#[test]
fn ranges_are_those_of_the_text() {
    let text = "\u{feff}-- tag 🦆\r\n-- materialize ducklake://🦆/t key=é";
    let header = parse_to_wire(text).header;
    let tag = header.ranges.tag.expect("a range");
    assert_eq!(
        (tag.start_line, tag.start_column, tag.end_column),
        (1, 5, 11)
    );
    let key = header.materialize.expect("it parses").ranges.key[0];
    assert_eq!(&text[key.start..key.end], "é");
    assert_eq!((key.start_line, key.end_column - key.start_column), (2, 1));
}

#[test]
fn it_reads_back() {
    for text in [EVERYTHING, "", "-- materialize ducklake://a/b key = id"] {
        let wire = parse_to_wire(text);
        let json = serde_json::to_string(&wire).expect("it serialises");
        assert_eq!(
            serde_json::from_str::<Parsed>(&json).expect("it reads back"),
            wire
        );
    }
}

#[test]
fn offsets_of_an_editor_are_utf16() {
    let text = "-- tag 🦆\n-- mat";
    let units = text.encode_utf16().count();
    let offers = complete_to_wire(text, units, CompletionContext::default());
    assert_eq!(offers[0].insert_text, "materialize ");
    assert_eq!(
        (offers[0].replace.utf16_start, offers[0].replace.utf16_end),
        (units - 3, units)
    );
    assert_eq!(offers[0].replace.start, text.len() - 3);
}

#[test]
fn a_fix_goes_out_and_comes_back() {
    let text = "-- tag é\n-- materialise ducklake://a/b\nSELECT 1 AS id";
    let fix = parse_to_wire(text).diagnostics[0]
        .fix
        .clone()
        .expect("a fix");
    assert_eq!(
        apply_fix(text, &fix),
        text.replace("materialise", "materialize")
    );
}

#[test]
fn a_graph_has_scripts_and_assets() {
    let file = |path: &str, text: &str| ScriptFile {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let graph = graph_to_wire(&[
        file(
            "b",
            "-- materialize ducklake://l/b\n-- data_test relationships x -> ducklake://l/dim.x\nATTACH 'ducklake://l' AS dl;\nSELECT x FROM dl.A_current",
        ),
        file(
            "a",
            "-- materialize ducklake://l/a history key=x\n-- on s3:///raw/{partition}/x.csv\nSELECT 1 AS x",
        ),
    ]);
    assert_eq!(graph.order, ["a", "b"]);
    assert!(graph.cycles.is_empty());
    let ids: Vec<&str> = graph.nodes.iter().map(|node| node.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "b",
            "a",
            "ducklake://l/a",
            "ducklake://l/b",
            "ducklake://l/dim",
            "s3:///raw/x.csv"
        ]
    );
    let edges: Vec<(&str, &str, &str)> = graph
        .edges
        .iter()
        .map(|edge| (edge.from.as_str(), edge.to.as_str(), edge.kind.as_str()))
        .collect();
    assert_eq!(
        edges,
        [
            ("b", "ducklake://l/b", "write"),
            ("ducklake://l/a", "b", "read"),
            ("ducklake://l/dim", "b", "test"),
            ("a", "ducklake://l/a", "write"),
            ("s3:///raw/x.csv", "a", "trigger"),
        ]
    );
}

#[test]
fn the_same_target_is_the_table_that_a_run_leaves() {
    let text = "-- partitioned daily\n-- materialize ducklake://l/t\nSELECT 1 AS id WHERE {partition} > ''";
    let plan = |target: Value| {
        let options = json!({
            "partition": "2024-06-19", "output": [{"name": "id", "type": "INTEGER"}], "target": target, "catalog": "postgres"
        });
        plan_to_wire(text, &serde_json::from_value(options).expect("options"))
    };
    let table = json!({
        "columns": [{"name": "id", "type": "INTEGER"}, {"name": "_wm_partition", "type": "VARCHAR"}],
        "partitionedBy": ["_wm_partition"]
    });
    let same = plan(json!("same"));
    assert!(
        same.sql().contains("ducklake:postgres:dbname=l"),
        "{}",
        same.sql()
    );
    assert!(!same.sql().contains("CREATE TABLE"), "{}", same.sql());
    assert_eq!(same, plan(table));
    assert_eq!(
        same,
        plan(json!({"output": [{"name": "id", "type": "INTEGER"}]}))
    );
    assert!(plan(Value::Null).sql().contains("CREATE TABLE"));
}

#[test]
fn a_wrong_target_is_refused_by_name() {
    let refusal = |target: Value| {
        serde_json::from_value::<PlanOptions>(json!({ "target": target }))
            .expect_err("it is wrong")
            .to_string()
    };
    assert!(refusal(json!("sane")).contains("`sane`"));
    assert!(refusal(json!({"colums": []})).contains("`colums`"));
    assert!(refusal(json!(1)).contains("`same` or a table"));
}

#[test]
fn options_stand_in_the_order_of_javascript() {
    let text = "-- on kafka a=1 10=2 9=3 01=4 4294967295=5 4294967294=6 __proto__=7 -1=8\n";
    let json = serde_json::to_string(&parse_to_wire(text).header.triggers[0]).expect("JSON");
    let options = r#""options":{"9":"3","10":"2","4294967294":"6","-1":"8","01":"4","4294967295":"5","__proto__":"7","a":"1"}"#;
    assert!(json.contains(options), "{json}");
}

#[test]
fn what_is_wrong_with_an_option_is_told_with_its_place() {
    let refusal = |options: Value| {
        serde_json::from_value::<PlanOptions>(options)
            .expect_err("it is wrong")
            .to_string()
    };
    for (options, expected) in [
        (json!([]), "invalid type: a list, expected an object"),
        (
            json!({"lakes": {"a": "oracle"}}),
            "lakes.a: unknown variant `oracle`, expected one of `sqlite`, `duckdb`, `postgres`",
        ),
        (
            json!({"output": [{"name": "a", "type": "INTEGER"}, {"name": 1, "type": "INTEGER"}]}),
            "output[1].name: invalid type: a number, expected a string",
        ),
        (
            json!({"output": [{"name": "a"}]}),
            "output[0]: missing field `type`",
        ),
        (
            json!({"partitions": "x"}),
            "unknown field `partitions`, expected one of `partition`, `output`, `target`, `lakes`, `catalog`, `strictLakes`, `datatables`, `storage`",
        ),
    ] {
        assert_eq!(refusal(options), expected);
    }
}
