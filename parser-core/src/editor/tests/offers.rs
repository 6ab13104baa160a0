use super::*;

/// The labels that are offered at `|`, comma-separated.
fn check(marked: &str, expected: &str) {
    let (text, at) = cursor(marked);
    let labels: Vec<String> = complete(&text, at, &shop())
        .into_iter()
        .map(|offer| offer.label)
        .collect();
    assert_eq!(labels.join(", "), expected, "{marked:?}");
}

/// The text after the first offer has been taken.
fn taken(marked: &str, expected: &str) {
    let (text, at) = cursor(marked);
    let offers = complete(&text, at, &shop());
    let offer = offers
        .first()
        .unwrap_or_else(|| panic!("no offer at {marked:?}"));
    let (start, end) = (offer.replace.start, offer.replace.end);
    let written = format!("{}{}{}", &text[..start], offer.insert_text, &text[end..]);
    assert_eq!(written, expected, "{marked:?}");
}

#[test]
fn libraries() {
    check("-- use |\nSELECT 1", "lib/stats, lib/text");
    check("-- use lib/stats\n-- use st|", "");
    check("-- use lib/st|ats", "lib/stats");
    check("-- use lib/stats |", "");
}

#[test]
fn accepted_values() {
    let line = "-- materialize ducklake://crm/sales.customers\n-- data_test accepted_values name =";
    check(&format!("{line} |"), "Ann, Bo, jr");
    check(&format!("{line} Ann, b|"), "Bo, jr");
    check(&format!("{line} |, Ann"), "Bo, jr");
    check(&format!("{line} \"|"), "");
    taken(&format!("{line} bo|"), &format!("{line} \"Bo, jr\""));
}

#[test]
fn keywords() {
    check("-- mat|", "materialize");
    check("# mat|\nSELECT 1", "materialize");
    check("//mat|", "materialize");
    check(
        "-- m|\nSELECT 1",
        "macros, materialize, measure, mute, column, dimension",
    );
    check("-- materialize ducklake://a/b\n-- mate|", "");
    check("-- data_test unique a\n-- data|", "data_test");
    // The line itself does not count as used.
    check("-- freshness| 1h", "freshness");
    check("-- trigger all\n-- tri|", "trigger");
    for none in [
        "--- mat|",
        "## mat|",
        "-|- mat",
        "--|-",
        "SELECT 1 -- mat|",
        "SELECT 1\n-- mat|",
        "mat|",
    ] {
        check(none, "");
    }
    let all = "pipeline, macros, use, partitioned, freshness, debounce, trigger, tag, retry, materialize, \
        data_test, column, measure, dimension, mute, on";
    check("-- |", all);
    check("--|", all);
    check("\u{feff}-- |\r\nSELECT 1", all);
    assert!(
        complete("", 0, &shop())
            .iter()
            .all(|offer| offer.insert_text.starts_with("-- "))
    );
}

#[test]
fn options() {
    check(
        "-- materialize ducklake://shop/orders |",
        "key=, append, history, track=, deletes=, on_schema_change=",
    );
    check(
        "-- materialize ducklake://shop/orders key=id | history",
        "append, track=, deletes=, on_schema_change=",
    );
    check("-- materialize ducklake://shop/orders k|", "key=, track=");
    check(
        "-- materialize scd2 ducklake://shop/orders del|",
        "deletes=",
    );
    check("-- partitioned daily |", "tz=, start=, format=");
    check("-- partitioned dynamic |", "key=");
    check("-- on s3:///raw/orders.csv |", "debounce=");
    check("-- on kafka topic=a |", "debounce=");
    check("-- pipeline |", "");
    check("-- retry |", "");
    check("-- nonsense |", "");
}

#[test]
fn values() {
    check(
        "-- materialize ducklake://a/b on_schema_change=|",
        "warn, ignore, fail, sync",
    );
    check("-- materialize ducklake://a/b deletes=c|", "close");
    check(
        "-- materialize ducklake://a/b deletes=close| append",
        "close",
    );
    check(
        "-- partitioned |",
        "daily, hourly, weekly, monthly, dynamic",
    );
    check("-- partitioned d|", "daily, dynamic");
    check(
        "-- partitioned daily tz=|",
        "Europe/Paris, Europe/Prague, UTC",
    );
    check("-- partitioned daily tz=par|", "Europe/Paris");
    check("-- partitioned daily tz=\"Europe/Pr|", "Europe/Prague");
    check("-- partitioned daily format=%Y-%m-%dT|", "%Y-%m-%dT%H");
    check("-- trigger |", "any, all");
    check(
        "-- data_test u|",
        "unique, not_null, accepted_values, row_count",
    );
    check("-- data_test tests|", "tests/sane");
    for test in [
        "unique id",
        "not_null \"order day\"",
        "accepted_values s = a,\"b, c\"",
        "relationships c -> ducklake://crm/sales.customers.id",
        "row_count >= 3",
        "row_count>3",
        "freshness at <= 1d",
        "expression \"a = 'b c'\"",
        "tests/sane",
    ] {
        check(&format!("-- data_test {test} |"), "severity=");
        check(&format!("-- data_test {test} sev|"), "severity=");
        check(&format!("-- data_test {test} severity=|"), "error, warn");
        check(&format!("-- data_test {test} severity=w|"), "warn");
        check(&format!("-- data_test {test} severity=warn |"), "");
    }
    check("-- data_test row_count |", "");
    check("-- data_test freshness at |", "");
    check("-- data_test expression \"a and |", "");
    check("-- on data|", "data_upload, datatable://");
    check("-- on sched|", "schedule");
    check("-- mute all|", "all");
}

#[test]
fn assets() {
    check(
        "-- materialize |",
        "ducklake://shop/orders, ducklake://crm/sales.customers, ducklake://shop/, ducklake://crm/, ducklake://, manual, scd2",
    );
    check(
        "-- materialize ducklake://c|",
        "ducklake://crm/sales.customers, ducklake://crm/",
    );
    check("-- materialize manual s3|", "s3:///raw/orders.csv, s3://");
    check("-- on s3|", "s3:///raw/orders.csv, s3://");
    // What the script reads comes first.
    check(
        "-- mute ducklake://shop/|\nATTACH 'ducklake://shop' AS dl;\nSELECT * FROM dl.rates",
        "ducklake://shop/rates, ducklake://shop/orders, ducklake://shop/",
    );
}

#[test]
fn columns_of_the_target() {
    let line = |rest: &str| format!("-- materialize ducklake://shop/orders {rest}");
    check(&line("key=|"), "id, customer_id");
    check(&line("key=id,|"), "customer_id");
    check(&line("key=i|,customer_id"), "id");
    check(&line("key=\"id, c|"), "customer_id");
    check(
        &line("\n-- data_test unique |"),
        "id, customer_id, order day",
    );
    check(&line("\n-- data_test not_null cust|"), "customer_id");
    check(&line("\n-- data_test unique id |"), "severity=");
    check(&line("\n-- data_test freshness ord|"), "order day");
    check(&line("\n-- data_test freshness \"order day\" <= |"), "");
    check(&line("\n-- data_test expression \"cus|"), "customer_id");
    check(
        &line("\n-- data_test accepted_values | = a,b"),
        "id, customer_id, order day",
    );
    check(&line("\n-- data_test accepted_values id = |"), "");
    check(&line("\n-- measure revenue = sum(i|"), "id, customer_id");
    check(&line("\n-- dimension d = |"), "id, customer_id, order day");
    check(&line("\n-- column c|"), "customer_id");
    check("-- data_test unique |", "");
}

#[test]
fn columns_of_other_assets() {
    check(
        "-- column a <- ducklake://shop/orders.|",
        "id, customer_id, order day",
    );
    check("-- column a <- ducklake://crm/sales.customers.n|", "name");
    check(
        "-- column a <- s3:///x.y, ducklake://shop/o|",
        "ducklake://shop/orders",
    );
    check(
        "-- data_test relationships a -> ducklake://shop/orders.i|",
        "id, customer_id",
    );
    check(
        "-- data_test relationships a -> duck|",
        "ducklake://shop/orders, ducklake://crm/sales.customers, ducklake://shop/, ducklake://crm/, ducklake://",
    );
}

#[test]
fn what_is_written() {
    taken("-- mat|", "-- materialize ");
    taken("-- mat|er ducklake://a/b", "-- materialize ducklake://a/b");
    taken("-- pip|", "-- pipeline");
    taken("\n|\nSELECT 1", "\n-- pipeline\nSELECT 1");
    taken(
        "-- materialize ducklake://a/b on_|",
        "-- materialize ducklake://a/b on_schema_change=",
    );
    taken(
        "-- materialize ducklake://a/b de|l=close",
        "-- materialize ducklake://a/b deletes=close",
    );
    taken(
        "-- partitioned daily tz=pra|x start=2024-01-01",
        "-- partitioned daily tz=Europe/Prague start=2024-01-01",
    );
    taken(
        "-- column a <- ducklake://shop/o|",
        "-- column a <- ducklake://shop/orders.",
    );
    taken(
        "-- materialize ducklake://shop/orders\n-- data_test unique ord|",
        "-- materialize ducklake://shop/orders\n-- data_test unique \"order day\"",
    );
    taken("-- tag 🦆\n-- mat|é", "-- tag 🦆\n-- materialize ");
}

const ATTACHED: &str = "ATTACH 'ducklake://shop' AS dl;\nATTACH 'ducklake://crm' AS crm;\n";

#[test]
fn columns_behind_an_alias() {
    let sql = |sql: &str| format!("{ATTACHED}{sql}");
    check(
        &sql("SELECT o.| FROM dl.orders AS o"),
        "id, customer_id, order day",
    );
    check(&sql("SELECT o.cu| FROM dl.orders o"), "customer_id");
    check(
        &sql("SELECT orders.| FROM dl.orders"),
        "id, customer_id, order day",
    );
    check(
        &sql("SELECT 1 FROM dl.orders o JOIN crm.sales.customers AS c ON c.| = o.customer_id"),
        "id, name",
    );
    check(
        &sql("SELECT \"O\".|id FROM dl.orders o WHERE true"),
        "id, customer_id, order day",
    );
    taken(
        &sql("SELECT o.ord| FROM dl.orders o"),
        &sql("SELECT o.\"order day\" FROM dl.orders o"),
    );
    taken(
        &sql("SELECT o.cu|st FROM dl.orders o"),
        &sql("SELECT o.customer_id FROM dl.orders o"),
    );
    check(&sql("SELECT c.| FROM dl.orders o"), "");
    // Two tables of one name, a common table, text: not certain.
    check(
        &sql("SELECT a.| FROM dl.orders a UNION ALL SELECT a.id FROM crm.sales.customers a"),
        "",
    );
    check(
        &sql("WITH a AS (SELECT 1 AS x FROM dl.orders a) SELECT a.| FROM a"),
        "",
    );
    check(&sql("SELECT 'o.|' FROM dl.orders o"), "");
    check(&sql("SELECT 1 -- o.|\n FROM dl.orders o"), "");
    check(&sql("SELECT 1 /* o.| */ FROM dl.orders o"), "");
    // Another statement's alias.
    check(&sql("SELECT 1 FROM dl.orders o; SELECT o.|"), "");
}

#[test]
fn tables_behind_a_lake() {
    check(&format!("{ATTACHED}SELECT * FROM dl.|"), "orders");
    check(&format!("{ATTACHED}SELECT * FROM crm.|"), "sales.customers");
    check("SELECT * FROM dl.|", "");
}

#[test]
fn partition_tokens() {
    let daily = |sql: &str| format!("-- partitioned daily\n{sql}");
    check(
        &daily("SELECT {|"),
        "{partition}, {partition_start}, {partition_end}",
    );
    check(
        &daily("SELECT * FROM 's3:///raw/{part|}/x.csv'"),
        "{partition}, {partition_start}, {partition_end}",
    );
    taken(
        &daily("SELECT '{par|tition}'"),
        &daily("SELECT '{partition}'"),
    );
    taken(
        &daily("SELECT {partition_e| AS a"),
        &daily("SELECT {partition_end} AS a"),
    );
    check("-- partitioned dynamic key=a\nSELECT {|}", "{partition}");
    check("SELECT {|", "");
    check(&daily("SELECT 1 -- {|"), "");
}

#[test]
fn lakes_in_attach() {
    check("ATTACH '|", "ducklake://shop, ducklake://crm");
    check("ATTACH 'ducklake://c|' AS c", "ducklake://crm");
    check(
        "SELECT 1; attach if not exists 'ducklake://s|",
        "ducklake://shop",
    );
    taken(
        "ATTACH 'ducklake://s| AS dl;\nSELECT 1",
        "ATTACH 'ducklake://shop' AS dl;\nSELECT 1",
    );
    taken(
        "ATTACH 'ducklake://s|' AS dl",
        "ATTACH 'ducklake://shop' AS dl",
    );
    check("SELECT 'ducklake://|'", "");
}
