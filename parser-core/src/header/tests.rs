//! Header tests: meaning per annotation, findings, and totality on any text.

mod totality;

use crate::diagnostic::{Code, Diagnostic, apply};
use crate::script::{Comparison, Header, Join, Mode, Mute, Partitioned, Rule, Severity, Trigger};
use crate::source::Span;

fn read(text: &str) -> (Header, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let header = super::read(text, &mut found);
    (header, found)
}

fn clean(text: &str) -> Header {
    let (header, found) = read(text);
    assert_eq!(found, [], "{text}");
    header
}

fn codes(text: &str) -> Vec<&'static str> {
    read(text)
        .1
        .iter()
        .map(|found| found.code.info().id)
        .collect()
}

/// The text after applying the first finding's fix.
fn fixed(text: &str) -> String {
    let (_, found) = read(text);
    apply(
        text,
        found
            .iter()
            .find_map(|found| found.fix.as_ref())
            .expect("a fix"),
    )
}

#[test]
fn every_prefix_is_stripped_once() {
    for text in [
        "-- tag x",
        "//tag x",
        "#\ttag x",
        "\u{a0}--\u{a0}tag\u{a0}x",
        "  --tag x  \r\n",
        "\u{feff}-- tag x",
    ] {
        assert_eq!(
            clean(text).tag.map(|tag| tag.value).as_deref(),
            Some("x"),
            "{text:?}"
        );
    }
    for text in [
        "--- tag x",
        "---tag x",
        "///tag x",
        "## tag x",
        "-- -- tag x",
        "/* tag x */",
        "tag x",
        "-- tags x y",
        "--",
    ] {
        assert!(clean(text).tag.is_none(), "{text:?}");
    }
}

#[test]
fn the_first_other_line_ends_the_header() {
    for text in [
        "SELECT 1\n-- tag x",
        "/* a */\n-- tag x",
        "\"use strict\"\n-- tag x",
        "import x\n# tag x",
    ] {
        let header = clean(text);
        assert!(header.tag.is_none());
        assert_eq!(header.span, Span::new(0, 0));
    }
    let text = "#!/usr/bin/env -S lakemill\r-- tag x\r\r\n// retry 2\n---\n\nSELECT 1\n-- tag y";
    let header = clean(text);
    assert!(header.tag.is_some() && header.retry.is_some());
    assert_eq!(header.span.end, text.find("SELECT").unwrap());
    assert_eq!(clean("-- tag x").span, Span::new(0, 8));
    assert_eq!(
        clean("\u{feff}#! x\n-- tag x").tag.unwrap().span,
        Span::new(11, 16)
    );
}

#[test]
fn materialize_options() {
    let header = clean(
        r#"-- materialize ducklake://shop/t append history track="name, tier" deletes=close on_schema_change=sync"#,
    );
    let found = header.materialize.unwrap().value;
    assert_eq!(
        found
            .track
            .iter()
            .map(|column| column.value.as_str())
            .collect::<Vec<_>>(),
        ["name", "tier"]
    );
    assert!(found.close_deleted && found.append.is_some() && found.history.is_some());
    let found = clean("-- materialize scd2 ducklake key=a,b")
        .materialize
        .unwrap()
        .value;
    assert_eq!(found.asset.value.path, "main");
    assert_eq!(
        (found.mode, found.key.len(), found.history),
        (Mode::Managed, 2, Some(Span::new(15, 19)))
    );
    let found = clean("-- materialize manual dbt://p/s/t")
        .materialize
        .unwrap()
        .value;
    assert_eq!(found.mode, Mode::Manual);
}

#[test]
fn materialize_malformed() {
    for text in [
        "-- materialize",
        "-- materialize manual",
        "-- materialize manual scd2 ducklake://a/b",
        "-- materialize scd2 manual ducklake://a/b",
        "-- materialize key=id ducklake://a/b",
        "-- materialize append ducklake://a/b",
        "-- materialize ducklake://",
        "-- materialize the table",
        "-- materialize 'ducklake://a/b'",
    ] {
        let (header, found) = read(text);
        assert!(header.materialize.is_none(), "{text}");
        assert_eq!(
            found.iter().map(|found| found.code).collect::<Vec<_>>(),
            [Code::LM002],
            "{text}"
        );
    }
    assert_eq!(
        fixed("-- materialize shop/orders key=id"),
        "-- materialize ducklake://shop/orders key=id"
    );
    assert_eq!(
        fixed("-- materialize ducklake:/shop/orders"),
        "-- materialize ducklake://shop/orders"
    );
    assert_eq!(
        fixed("-- materialize Ducklake://shop/orders"),
        "-- materialize ducklake://shop/orders"
    );
}

#[test]
fn glued_options_are_diagnosed_with_a_fix() {
    let line = "-- materialize ducklake://a/b ";
    for (written, code, mended) in [
        ("key = id", "LM010", "key=id"),
        ("key =id", "LM010", "key=id"),
        ("key= id", "LM010", "key=id"),
        ("key = a, b append", "LM010", "key=a,b append"),
        ("key = \"a b\"", "LM010", "key=\"a b\""),
        ("track=name, tier", "LM011", "track=name,tier"),
        ("key=id,\"order id\"", "LM011", "key=\"id,order id\""),
        (
            "key=\"order id\",id history",
            "LM011",
            "key=\"order id,id\" history",
        ),
        ("key=id, 'a\"b'", "LM011", "key='id,a\"b'"),
        ("key=", "LM012", ""),
        ("key=\"id", "LM014", "key=\"id\""),
        (
            "track=name , tier append",
            "LM011",
            "track=name,tier append",
        ),
        ("keys=id", "LM008", "key=id"),
        ("apend", "LM009", "append"),
        ("on_schema_change=fial", "LM015", "on_schema_change=fail"),
    ] {
        let text = format!("{line}{written}");
        assert_eq!(codes(&text), [code], "{text}");
        assert_eq!(
            fixed(&text).trim_end(),
            format!("{line}{mended}").trim_end()
        );
    }
    assert_eq!(codes(&format!("{line}key=\"a,b\",c")), ["LM011"]);
    assert_eq!(codes(&format!("{line}key=, id")), ["LM011"]);
    assert_eq!(codes(&format!("{line}key= append")), ["LM012"]);
    assert_eq!(codes(&format!("{line}key=''")), ["LM012"]);
    assert_eq!(codes(&format!("{line}key=a key=b")), ["LM013"]);
    assert_eq!(codes(&format!("{line}key='a append")), ["LM014"]);
    assert_eq!(codes(&format!("{line}writes the daily orders")), ["LM009"]);
    assert_eq!(codes(&format!("{line}key=a append")), ["LM016"]);
    let (header, _) = read(&format!("{line}track=name, tier key=a key=b"));
    let found = header.materialize.unwrap().value;
    assert_eq!(found.track.len(), 1);
    assert_eq!(found.key[0].value, "b");
}

#[test]
fn quotes_hold_flags_and_spaces() {
    let (header, found) = read("-- materialize ducklake://a/b \"append\" key=\"order id\"x");
    let materialize = header.materialize.unwrap().value;
    assert!(materialize.append.is_none());
    assert_eq!(materialize.key[0].value, "order id");
    assert_eq!(
        found.iter().map(|found| found.code).collect::<Vec<_>>(),
        [Code::LM009, Code::LM009]
    );
}

#[test]
fn every_trigger_line_but_the_last_is_ignored() {
    let lines = |text: &str| {
        let (header, found) = read(text);
        let ignored: Vec<usize> = found.iter().map(|found| found.span.start).collect();
        let counts = found
            .iter()
            .all(|found| found.related[0].span == header.trigger.as_ref().expect("a trigger").span);
        assert!(counts, "{found:?}");
        ignored
    };
    let (all, any) = ("-- trigger all\n", "-- trigger any\n");
    assert_eq!(lines(&[all, all, any].concat()), [3, 18]);
    // Those that say the same as the last one do no harm.
    assert_eq!(lines(&[all, any, all].concat()), [18]);
}

#[test]
fn repeats() {
    let (header, found) = read(
        "-- partitioned yearly\n-- partitioned daily\n-- partitioned hourly\n-- trigger all\n-- trigger x\n-- trigger any",
    );
    let Some(Partitioned::Time(time)) = header.partition.map(|partition| partition.value) else {
        panic!()
    };
    assert_eq!(time.grain.as_str(), "daily");
    assert_eq!(header.trigger.unwrap().value, Join::Any);
    let mut ids: Vec<_> = found.iter().map(|found| found.code.info().id).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["LM003", "LM006", "LM017", "LM017"]);
    let header = clean(
        "-- use f/a\n-- use f/b\n-- use f/a\n-- data_test unique id\n-- data_test unique id\n-- mute all\n-- mute s3:///x",
    );
    assert_eq!(
        (
            header.uses.len(),
            header.data_tests.len(),
            header.mutes.len()
        ),
        (2, 2, 2)
    );
    assert_eq!(header.mutes[0].value, Mute::All);
    let header = clean(
        "-- on s3:///a\n-- on s3:///a debounce=5s\n-- on s3:///a\n-- on schedule\n-- on schedule",
    );
    assert_eq!(header.triggers.len(), 3);
}

#[test]
fn triggers() {
    let (header, found) = read("-- on s3:///x because of this");
    let Trigger::Asset { asset, .. } = &header.triggers[0].value else {
        panic!()
    };
    assert_eq!(asset.value.path, "/x");
    assert_eq!(found[0].code, Code::LM009);
    for text in [
        "-- on",
        "-- on kafka f/topic",
        "-- on kafka 'x'",
        "-- on ducklake",
        "-- on the way",
        "-- on kafka f/topic=x",
    ] {
        assert_eq!(codes(text), ["LM005"], "{text}");
    }
    assert_eq!(codes("-- on ducklake://a/b debounce=soon"), ["LM007"]);
    assert_eq!(fixed("-- on a/b"), "-- on ducklake://a/b");
    assert_eq!(fixed("-- on scedule"), "-- on schedule");
}

#[test]
fn data_tests() {
    let header = clean(
        "-- data_test unique \"order id\"\n-- data_test not_null id\n-- data_test accepted_values s = a,b,\"c,d\", it's\n\
         -- data_test relationships sku -> ducklake://w/t.sku\n-- data_test relationships sku -> ducklake.sku\n-- data_test f/tests/sane\n-- data_test sane",
    );
    let Rule::AcceptedValues { values, .. } = &header.data_tests[2].value.rule else {
        panic!()
    };
    assert_eq!(
        values
            .iter()
            .map(|value| value.value.as_str())
            .collect::<Vec<_>>(),
        ["a", "b", "c,d", "it's"]
    );
    assert_eq!(header.data_tests.len(), 7);
    for text in [
        "-- data_test",
        "-- data_test unique",
        "-- data_test unique a b",
        "-- data_test accepted_values s",
        "-- data_test accepted_values s =",
        "-- data_test relationships a ducklake://a/b.c",
        "-- data_test f/x more",
        "-- data_test relationships a -> ducklake://a/b",
    ] {
        let (header, found) = read(text);
        assert!(header.data_tests.is_empty(), "{text}");
        assert_eq!(
            found.iter().map(|found| found.code).collect::<Vec<_>>(),
            [Code::LM004],
            "{text}"
        );
    }
    assert_eq!(
        codes("-- data_test accepted_values s = ,"),
        ["LM025", "LM004"]
    );
    assert_eq!(codes("-- data_test uniqe"), ["LM021"]);
    assert_eq!(fixed("-- data_test uniqe id"), "-- data_test unique id");
}

#[test]
fn data_tests_of_numbers_ages_and_expressions() {
    let rule = |text: &str| clean(text).data_tests[0].value.rule.clone();
    for (text, comparison, rows) in [
        ("-- data_test row_count >= 10", Comparison::AtLeast, 10),
        ("-- data_test row_count>=10", Comparison::AtLeast, 10),
        ("-- data_test row_count <=0", Comparison::AtMost, 0),
        ("-- data_test row_count <> 7", Comparison::NotEqual, 7),
        (
            "-- data_test row_count = 9223372036854775807",
            Comparison::Equal,
            9_223_372_036_854_775_807,
        ),
        ("-- data_test row_count > 1", Comparison::More, 1),
        ("-- data_test row_count< 1", Comparison::Less, 1),
    ] {
        assert_eq!(rule(text), Rule::RowCount { comparison, rows }, "{text}");
    }
    let Rule::Freshness { column, age } = rule("-- data_test freshness \"loaded <= at\" <= 36h")
    else {
        panic!()
    };
    assert_eq!(
        (column.value.as_str(), age.seconds),
        ("loaded <= at", 129_600)
    );
    for (text, sql) in [
        ("-- data_test expression \"amount >= 0\"", "amount >= 0"),
        ("-- data_test expression 'amount >= 0'", "amount >= 0"),
        (
            "-- data_test expression '\"a b\" in (1, 2)'",
            "\"a b\" in (1, 2)",
        ),
        (
            "-- data_test expression \"severity = 'high'\"",
            "severity = 'high'",
        ),
    ] {
        let Rule::Expression { sql: found } = rule(text) else {
            panic!("{text}")
        };
        assert_eq!(found.value, sql, "{text}");
    }
    for text in [
        "-- data_test row_count",
        "-- data_test row_count 10",
        "-- data_test row_count == 10",
        "-- data_test row_count != 10",
        "-- data_test row_count >= ten",
        "-- data_test row_count >= -1",
        "-- data_test row_count >= 1,000",
        "-- data_test row_count >= 9223372036854775808",
        "-- data_test row_count >= 1 2",
        "-- data_test freshness",
        "-- data_test freshness at",
        "-- data_test freshness at 1d",
        "-- data_test freshness at < 1d",
        "-- data_test freshness <= 1d",
        "-- data_test freshness a b <= 1d",
        "-- data_test expression",
        "-- data_test expression \"\"",
        "-- data_test expression \"a\" > \"b\"",
    ] {
        let (header, found) = read(text);
        assert!(header.data_tests.is_empty(), "{text}");
        let codes: Vec<Code> = found.iter().map(|found| found.code).collect();
        assert_eq!(codes, [Code::LM004], "{text}");
    }
    for text in [
        "-- data_test freshness at <= soon",
        "-- data_test freshness at <=",
    ] {
        assert!(read(text).0.data_tests.is_empty());
        assert_eq!(codes(text), ["LM007"]);
    }
    assert_eq!(codes("-- data_test expression \"amount >= 0"), ["LM014"]);
    for (text, mended) in [
        ("-- data_test row_cuont >= 3", "-- data_test row_count >= 3"),
        ("-- row_count >= 3", "-- data_test row_count >= 3"),
        (
            "-- data_test freshness at <= 2days",
            "-- data_test freshness at <= 2d",
        ),
        (
            "-- data_test expression amount >= 0",
            "-- data_test expression \"amount >= 0\"",
        ),
        (
            "-- data_test expression \"a\" > 0",
            "-- data_test expression '\"a\" > 0'",
        ),
    ] {
        assert_eq!(fixed(text), mended);
    }
}

#[test]
fn severities_of_data_tests() {
    for test in [
        "unique id",
        "not_null \"order id\"",
        "accepted_values severity = warn,error",
        "accepted_values s = a,\"b severity=error\"",
        "relationships sku -> ducklake://w/t.\"s k u\"",
        "row_count>=3",
        "freshness at <= 1d",
        "expression \"severity = 'high'\"",
        "f/tests/sane",
        "sane",
    ] {
        let plain = clean(&format!("-- data_test {test}"));
        for (option, severity) in [
            ("", Severity::Error),
            (" severity=error", Severity::Error),
            (" severity=warn", Severity::Warn),
            (" severity='warn'", Severity::Warn),
        ] {
            let header = clean(&format!("-- data_test {test}{option}"));
            let found = &header.data_tests[0].value;
            assert_eq!(found.rule, plain.data_tests[0].value.rule, "{test}{option}");
            assert_eq!(found.severity, severity, "{test}{option}");
        }
        for (slip, mended, code) in [
            ("severity = warn", "severity=warn", "LM010"),
            ("severity=wran", "severity=warn", "LM015"),
            ("severiti=warn", "severity=warn", "LM008"),
            ("severity=warn severity=error", "severity=error", "LM013"),
        ] {
            let text = format!("-- data_test {test} {slip}");
            assert_eq!(codes(&text), [code], "{text}");
            assert_eq!(fixed(&text), format!("-- data_test {test} {mended}"));
        }
    }
    assert_eq!(codes("-- data_test unique severity=warn"), ["LM004"]);
    assert_eq!(codes("-- data_test unique a b severity=warn"), ["LM004"]);
}

#[test]
fn lineage_and_semantics() {
    let (header, found) =
        read("-- column total <- ducklake://w/o.amount, nonsense, ducklake://w/o.\"a b\"");
    assert_eq!(
        found.iter().map(|found| found.code).collect::<Vec<_>>(),
        [Code::LM022]
    );
    let inputs = &header.columns[0].value.inputs;
    assert_eq!(
        inputs
            .iter()
            .map(|input| input.column.as_str())
            .collect::<Vec<_>>(),
        ["amount", "a b"]
    );
    assert_eq!(codes("-- column total <- nonsense"), ["LM022", "LM023"]);
    let header = clean(
        "-- measure n = count(*) filter (where x) where somewhere = 'where' \n-- dimension d = a = b\n-- measure elsewhere = wheres",
    );
    let measure = &header.measures[0].value;
    assert_eq!(measure.expr.value, "count(*) filter (where x)");
    assert_eq!(
        measure.filter.as_ref().unwrap().value,
        "somewhere = 'where'"
    );
    assert_eq!(header.dimensions[0].value.expr.value, "a = b");
    assert_eq!(
        codes("-- measure a = x\n-- measure a = y\n-- dimension a = x"),
        ["LM017"]
    );
    assert_eq!(codes("-- measure a = x where"), ["LM024"]);
}

#[test]
fn near_misses_need_a_fitting_rest() {
    assert_eq!(
        fixed("-- materialise ducklake://a/b"),
        "-- materialize ducklake://a/b"
    );
    assert_eq!(fixed("-- data-test unique id"), "-- data_test unique id");
    assert_eq!(codes("-- partitionned daily"), ["LM001"]);
    for prose in [
        "-- materialise the table",
        "-- in the end",
        "-- used by f/x and others",
        "-- tags are nice",
        "-- MATERIALIZE ducklake://a/b",
    ] {
        assert_eq!(codes(prose), [""; 0], "{prose}");
    }
}

#[test]
fn older_lines() {
    let text = "-- unique_key id\n-- materialize ducklake://a/b\nSELECT 1";
    assert_eq!(codes(text), ["LM020"]);
    assert_eq!(
        fixed(text),
        "-- materialize ducklake://a/b key=id\nSELECT 1"
    );
    assert_eq!(
        fixed("-- materialize ducklake://a/b\n-- append"),
        "-- materialize ducklake://a/b append\n"
    );
    assert_eq!(codes("-- append\n-- unique_key id"), [""; 0]);
    for (line, mended) in [
        ("on_schema_change = fail", " on_schema_change=fail"),
        ("on_schema_change fail", " on_schema_change=fail"),
        ("key: id, name", " key=id,name"),
        ("deletes=close", " deletes=close"),
    ] {
        assert_eq!(
            fixed(&format!("-- materialize ducklake://a/b\n-- {line}")),
            format!("-- materialize ducklake://a/b{mended}\n")
        );
    }
    assert_eq!(
        fixed("-- start=2024-01-01\n-- partitioned daily tz=UTC"),
        "-- partitioned daily tz=UTC start=2024-01-01"
    );
    for prose in [
        "key columns first",
        "on_schema_change is not set",
        "deletes nothing",
        "append only",
        "format of the day",
        "start = soon or later",
    ] {
        let text = format!("-- materialize ducklake://a/b\n-- partitioned daily\n-- {prose}");
        assert_eq!(codes(&text), [""; 0], "{prose}");
    }
}

#[test]
fn words_of_other_tools() {
    for (written, mended) in [
        ("test not_null id", "data_test not_null id"),
        ("tests: unique id", "data_test unique id"),
        ("not_null id", "data_test not_null id"),
        ("partition daily tz=UTC", "partitioned daily tz=UTC"),
        ("partition_by month", "partitioned monthly"),
        ("partitions by day", "partitioned daily"),
        (
            "materialized shop/orders",
            "materialize ducklake://shop/orders",
        ),
        (
            "materialized as ducklake://a/b append",
            "materialize ducklake://a/b append",
        ),
        ("retries 3", "retry 3"),
    ] {
        assert_eq!(codes(&format!("-- {written}")), ["LM001"], "{written}");
        assert_eq!(fixed(&format!("-- {written}")), format!("-- {mended}"));
    }
    for prose in [
        "test",
        "tests pending",
        "test the orders of a day",
        "test f/x",
        "partition of the day",
        "partitions: see below",
        "materialized",
        "materialized by hand",
        "materialise and/or refresh the table",
        "in shop/orders",
        "not_null",
        "unique id",
        "retries are not needed",
    ] {
        assert_eq!(codes(&format!("-- {prose}")), [""; 0], "{prose}");
    }
}

#[test]
fn tags_and_retries() {
    assert_eq!(clean("-- retry +3 5s").retry.unwrap().value.count, 3);
    assert_eq!(clean("-- retry 03").retry.unwrap().value.count, 3);
    for text in [
        "-- retry 0",
        "-- retry -1",
        "-- retry 4294967296",
        "-- retry",
        "-- tag",
        "-- tag a b",
        "-- use lib",
        "-- pipeline x",
        "-- mute",
    ] {
        assert_eq!(codes(text), ["LM006"], "{text}");
    }
    assert!(codes(&format!("-- tag {}", "é".repeat(25))).is_empty());
    assert_eq!(codes(&format!("-- tag {}", "é".repeat(26))), ["LM006"]);
    let (header, found) = read("-- retry 2 soon");
    assert!(header.retry.unwrap().value.delay.is_none());
    assert_eq!(found[0].code, Code::LM007);
}
