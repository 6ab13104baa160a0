use super::*;
use crate::validate::Zones;

pub(super) struct AnyZone;

impl Zones for AnyZone {
    fn is_known(&self, _: &str) -> bool {
        true
    }

    fn has_fold(&self, _: &str) -> bool {
        false
    }
}

/// What the hover at `|` is about, and a part of what it says.
fn check(marked: &str, about: &str, says: &str) {
    let (text, at) = cursor(marked);
    let found = hover(&text, at, &AnyZone).unwrap_or_else(|| panic!("nothing at {marked:?}"));
    assert_eq!(found.span.slice(&text), about, "{marked:?}");
    let markdown = found.markdown.unwrap_or_default();
    assert!(markdown.contains(says), "{marked:?}: {markdown}");
    assert!(
        found
            .findings
            .iter()
            .all(|finding| !markdown.contains(finding)),
        "{marked:?}"
    );
}

#[test]
fn annotations() {
    check(
        "-- mate|rialize ducklake://shop/orders\nSELECT 1 AS a",
        "materialize",
        "-- materialize ducklake://shop/orders key=id",
    );
    check(
        "-- materialize ducklake://shop/orders hist|ory key=a\nSELECT 1 AS a",
        "history",
        "Every version",
    );
    check(
        "-- materialize ducklake://shop/orders dele|tes=close history key=a\nSELECT 1 AS a",
        "deletes",
        "- `close`: ",
    );
    check(
        "-- materialize ducklake://shop/orders deletes=cl|ose history key=a\nSELECT 1 AS a",
        "close",
        "version closed",
    );
    check("-- partitioned mon|thly", "monthly", "calendar month");
    check(
        "-- partitioned daily tz=Europe/|Paris",
        "Europe/Paris",
        "time zone",
    );
    check("-- on kaf|ka topic=a", "kafka", "Kafka topic");
    check("-- data_test uni|que id", "unique", "no value");
    check(
        "-- materialize ducklake://shop/orders\n-- data_test unique i|d\nSELECT 1 AS id",
        "id",
        "Column of `ducklake://shop/orders`",
    );
}

#[test]
fn assets() {
    check(
        "-- materialize ducklake://sh|op/crm.orders\nSELECT 1 AS a",
        "ducklake://shop/crm.orders",
        "lake `shop`, schema `crm`, table `orders`",
    );
    check(
        "-- on s3:///raw/{part|ition}/a.csv",
        "s3:///raw/{partition}/a.csv",
        "stands for the slice",
    );
    check(
        "ATTACH 'ducklake://shop' AS dl;\nSELECT * FROM dl.or|ders",
        "dl.orders",
        "table `orders`",
    );
    check(
        "ATTACH 'duck|lake://shop' AS dl;\nSELECT 1",
        "'ducklake://shop'",
        "attached as `dl`",
    );
    check(
        "-- column a <- ducklake://shop/orders.amo|unt",
        "amount",
        "Column of `ducklake://shop/orders`",
    );
}

#[test]
fn partition_tokens() {
    check(
        "-- partitioned hourly tz=Asia/Tokyo\nSELECT '{parti|tion}'",
        "'{partition}'",
        "hourly slices in Asia/Tokyo, identity `%Y-%m-%dT%H`",
    );
    check(
        "SELECT {partition_e|nd}",
        "{partition_end}",
        "not `partitioned`",
    );
}

/// What the finding at `|` is about, a part of what is said of it, and whether its place has a meaning too.
fn check_finding(marked: &str, about: &str, says: &str, has_meaning: bool) {
    let (text, at) = cursor(marked);
    let found = hover(&text, at, &AnyZone).unwrap_or_else(|| panic!("nothing at {marked:?}"));
    assert_eq!(found.span.slice(&text), about, "{marked:?}");
    assert_eq!(found.markdown.is_some(), has_meaning, "{marked:?}");
    assert!(found.findings[0].contains(says), "{:?}", found.findings);
}

#[test]
fn findings() {
    check_finding(
        "-- materi|alise ducklake://shop/orders\nSELECT 1 AS a",
        "materialise",
        "**LM001** `unknown-keyword`",
        false,
    );
    check_finding(
        "-- materialize ducklake://a/b ke|ys=id\nSELECT 1 AS a",
        "keys=id",
        "option `keys` is unknown here",
        false,
    );
    check_finding("SELECT '|abc", "'", "**LM200**", false);
    check_finding(
        "-- materialize ducklake://a/b hist|ory\nSELECT 1 AS a",
        "history",
        "**LM105**",
        true,
    );
}

#[test]
fn nothing() {
    for marked in ["|", "-- a rem|ark", "SELECT a|bc", "-- tag he|avy"] {
        let (text, at) = cursor(marked);
        assert_eq!(hover(&text, at, &AnyZone), None, "{marked:?}");
    }
}
