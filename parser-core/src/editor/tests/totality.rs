use proptest::prelude::*;

use super::super::boundary;
use super::hovers::AnyZone;
use super::*;
use crate::source::Span;

/// `class:text` of each token.
fn tokens(text: &str) -> Vec<String> {
    semantic_tokens(text)
        .into_iter()
        .map(|(span, class)| format!("{}:{}", class.as_str(), span.slice(text)))
        .collect()
}

#[test]
fn the_header_in_classes() {
    assert_eq!(
        tokens(
            "-- a remark\n--materialize manual ducklake://shop/orders key=id,day append on_schema_change=fail what"
        ),
        [
            "comment:-- a remark",
            "comment:--",
            "annotation:materialize",
            "value:manual",
            "asset:ducklake://shop/orders",
            "option:key",
            "operator:=",
            "column:id",
            "column:day",
            "option:append",
            "option:on_schema_change",
            "operator:=",
            "value:fail",
            "comment:what",
        ]
    );
    assert_eq!(
        tokens("# partitioned daily tz=UTC start=2024-01-01\n# retry 3 5s\n# on kafka topic=a"),
        [
            "comment:#",
            "annotation:partitioned",
            "value:daily",
            "option:tz",
            "operator:=",
            "value:UTC",
            "option:start",
            "operator:=",
            "string:2024-01-01",
            "comment:#",
            "annotation:retry",
            "number:3",
            "number:5s",
            "comment:#",
            "annotation:on",
            "value:kafka",
            "option:topic",
            "operator:=",
            "string:a",
        ]
    );
    assert_eq!(
        tokens(
            "-- data_test accepted_values s = a,\"b,c\"\n-- data_test relationships x -> ducklake://l/t.\"a b\"\n-- measure m = sum(a) where b > 1"
        ),
        [
            "comment:--",
            "annotation:data_test",
            "value:accepted_values",
            "column:s",
            "operator:=",
            "string:a",
            "string:\"b,c\"",
            "comment:--",
            "annotation:data_test",
            "value:relationships",
            "column:x",
            "operator:->",
            "asset:ducklake://l/t",
            "column:a b",
            "comment:--",
            "annotation:measure",
            "identifier:m",
            "operator:=",
            "identifier:sum",
            "identifier:a",
            "keyword:where",
            "identifier:b",
            "operator:>",
            "number:1",
        ]
    );
}

#[test]
fn the_body_in_classes() {
    assert_eq!(
        tokens(
            "SELECT left(a, 1) AS \"x\", t.key, 'a {partition} b' || {partition_start} /* c\r\nd */ FROM t -- e"
        ),
        [
            "keyword:SELECT",
            "identifier:left",
            "identifier:a",
            "number:1",
            "keyword:AS",
            "identifier:\"x\"",
            "identifier:t",
            "identifier:key",
            "string:'a ",
            "partition:{partition}",
            "string: b'",
            "operator:||",
            "partition:{partition_start}",
            "comment:/* c",
            "comment:d */",
            "keyword:FROM",
            "identifier:t",
            "comment:-- e",
        ]
    );
}

/// Every annotation's example parses without a finding, and every option and word of the registry
/// is known to the grammar.
#[test]
fn the_registry_is_the_grammar() {
    use crate::header::Keyword;
    use registry::Annotation;
    for &keyword in Keyword::ALL {
        let annotation = Annotation::of(keyword);
        let text: String = annotation
            .example
            .lines()
            .map(|line| format!("-- {line}\n"))
            .collect();
        let found = crate::parse(&text).diagnostics;
        assert!(found.is_empty(), "{}: {found:?}", keyword.as_str());
        // The grammar lists its options when it meets one that it does not know.
        let line = match keyword {
            Keyword::Materialize => "materialize ducklake://a/b",
            Keyword::On => "on s3:///a",
            Keyword::Partitioned => "partitioned daily",
            _ => continue,
        };
        let hint = crate::parse(&format!("-- {line} qqqqqq=1\n")).diagnostics[0]
            .hint
            .clone()
            .expect("a hint");
        for option in annotation.options.iter().filter(|option| {
            option.with != ["dynamic"] && !matches!(option.takes, registry::Takes::Nothing)
        }) {
            assert!(hint.contains(&format!("`{}`", option.name)), "{hint}");
        }
        let names = hint.matches('`').count() / 2;
        assert_eq!(
            names,
            annotation
                .options
                .iter()
                .filter(|option| option.with != ["dynamic"]
                    && !matches!(option.takes, registry::Takes::Nothing))
                .count()
        );
    }
    let page = registry::reference();
    for &keyword in Keyword::ALL {
        assert!(page.contains(&format!("\n## `{}`\n", keyword.as_str())));
    }
}

/// Texts that hold a bit of everything.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "-- ",
        "#",
        "//",
        "\n",
        "\r\n",
        " ",
        "materialize",
        "ducklake://shop/orders",
        "key=",
        "id",
        ",",
        "\"",
        "'",
        "data_test",
        "unique",
        "relationships",
        "->",
        "<-",
        "column",
        "accepted_values",
        "row_count",
        ">= 3",
        "expression",
        "severity=",
        "=",
        "partitioned",
        "daily",
        "dynamic",
        "tz=",
        "on_schema_change=",
        "measure",
        "on",
        "mute",
        "ATTACH 'ducklake://",
        "' AS dl;",
        "SELECT ",
        "o.",
        "dl.orders",
        " FROM ",
        " o ",
        "{",
        "partition",
        "}",
        "{partition}",
        "'{partition}'",
        "$$",
        "/*",
        "*/",
        "🦆",
        "é",
        "\u{feff}",
        "\u{301}",
        ".",
        "(",
        ")",
        "WITH o AS (",
        "trigger",
        "history",
        "retry 3",
        "manual",
        "\u{a0}",
        "\u{2028}",
        ";",
        "E'",
        "\\",
    ]);
    prop_oneof![
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat()),
        "\\PC{0,40}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_at_any_offset(text in any_text()) {
        let context = shop();
        let is_within = |span: Span| span.start <= span.end && text.get(span.start..span.end).is_some();
        for at in 0..=text.len() + 1 {
            for offer in complete(&text, at, &context) {
                prop_assert!(is_within(offer.replace), "{:?}", offer);
                prop_assert!(offer.replace.start <= at, "{:?}", offer);
                prop_assert!(!offer.replace.slice(&text).contains(['\n', '\r']), "{:?}", offer);
            }
            if let Some(found) = hover(&text, at, &AnyZone) {
                prop_assert!(is_within(found.span));
                prop_assert!(found.markdown.is_some() || !found.findings.is_empty());
            }
            if let Some(found) = hover_column(&text, at, &context) {
                // An offset in a character or behind the text means the place before.
                let place = boundary(&text, at);
                prop_assert!(is_within(found.span) && found.span.start <= place && place <= found.span.end);
            }
            if let Some(span) = definition(&text, at) {
                prop_assert!(is_within(span) && !span.is_empty());
            }
        }
        let mut end = 0;
        for (span, _) in semantic_tokens(&text) {
            prop_assert!(is_within(span) && !span.is_empty());
            prop_assert!(span.start >= end, "{:?} overlaps", span);
            prop_assert!(!span.slice(&text).contains(['\n', '\r']));
            end = span.end;
        }
    }

    #[test]
    fn utf16_tokens_are_the_byte_tokens(text in any_text()) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let wire = crate::wire::semantic_tokens_to_wire(&text);
        let core = semantic_tokens(&text);
        prop_assert_eq!(wire.len(), core.len() * 3);
        for (wire, (span, class)) in wire.chunks(3).zip(core) {
            let slice = &units[wire[0] as usize..(wire[0] + wire[1]) as usize];
            prop_assert_eq!(String::from_utf16(slice).unwrap(), span.slice(&text));
            prop_assert_eq!(TokenClass::ALL[wire[2] as usize], class);
        }
    }
}
