//! Any text parses, in linear time, and its spans lie in it.

use proptest::prelude::*;

use super::read;
use crate::diagnostic::apply;
use crate::script::Rule;
use crate::source::Span;
use crate::validate::{Zones, validate};

#[test]
fn long_texts_take_linear_time() {
    // A quadratic scan of these would not end.
    let many: String = (0..30_000)
        .map(|n| {
            format!(
                "-- use f/lib{}\n-- on s3:///raw/{n}\n-- measure m{n} = x\n",
                n % 7
            )
        })
        .collect();
    assert_eq!(read(&many).0.triggers.len(), 30_000);
    for line in [
        "a ", "key=a ", "key = a ", ", ", "'", "x='", "a,", "= ", "🦆",
    ] {
        let _ = read(&format!(
            "-- materialize ducklake://a/b {}",
            line.repeat(100_000 / line.len())
        ));
        let _ = read(&format!(
            "-- column a <- {}",
            line.repeat(100_000 / line.len())
        ));
        let _ = read(&format!("-- {}", line.repeat(100_000 / line.len())));
    }
    let _ = read(&format!(
        "-- materialize ducklake://a/b {}",
        "key=a ".repeat(2_000_000 / 6)
    ));
}

const PIECES: &[&str] = &[
    "-- ",
    "//",
    "#",
    "---",
    "\n",
    "\r",
    "\r\n",
    " ",
    "\t",
    "\u{a0}",
    "\u{feff}",
    "\u{2028}",
    "🦆",
    "é",
    "e\u{301}",
    "materialize ",
    "manual ",
    "scd2 ",
    "ducklake",
    "ducklake://",
    "a/b",
    "s3:///",
    "$res:",
    "key=",
    "track=",
    "=",
    "'",
    "\"",
    ",",
    ".",
    "->",
    "<-",
    "data_test ",
    "unique ",
    "accepted_values ",
    "row_count",
    ">= 3",
    "freshness ",
    " <= 1d",
    "expression ",
    " severity=warn",
    "relationships ",
    "column ",
    "measure ",
    "where",
    "(",
    ")",
    "on ",
    "kafka ",
    "mute ",
    "all",
    "partitioned ",
    "daily ",
    "dynamic ",
    "retry ",
    "3 ",
    "1h",
    "use ",
    "f/x",
    "append",
    "history",
    "unique_key ",
    "tag ",
    "trigger ",
    "materialise ",
    "#!",
    "SELECT 1;",
    "{partition}",
    "TIMESTAMP ",
    "now()",
    " - INTERVAL ",
    "::",
    "macros",
];

const SAMPLE: &str = "\u{feff}#!x\r\n-- pipeline\r-- use f/é\n// materialize ducklake://🦆/t key=\"a b\" track=a, b on_schema_change=x deletes=close\n\
    # partitioned daily tz='Europe/Paris' format=\"%Y 🦆\n-- data_test accepted_values \"é\" = a,'b,c',🦆\n-- column a <- ducklake://w/t.\"é\", x\n\
    -- measure m = sum(x) where é\n-- on s3:///é prose 🦆\n-- retry 3 1h\n-- unique_key é\nSELECT 1\n-- tag x";

/// A host that knows no time zone.
struct NoZone;

impl Zones for NoZone {
    fn is_known(&self, _: &str) -> bool {
        false
    }
    fn has_fold(&self, _: &str) -> bool {
        false
    }
}

fn check(text: &str) {
    let parsed = crate::parse(text);
    let header = &parsed.script.header;
    let whole = |span: Span| {
        assert!(
            span.start <= span.end && text.get(span.start..span.end).is_some(),
            "{span:?} in {text:?}"
        );
    };
    whole(header.span);
    let validated = validate(text, &parsed.script, &NoZone);
    for found in parsed.diagnostics.iter().chain(&validated) {
        whole(found.span);
        found.related.iter().for_each(|related| whole(related.span));
        if let Some(fix) = &found.fix {
            assert!(fix.edits.is_sorted_by_key(|edit| edit.span.start));
            fix.edits.iter().for_each(|edit| whole(edit.span));
            let _ = apply(text, fix);
        }
    }
    let within = |parent: Span, child: Span, value: &str| {
        whole(child);
        assert!(parent.start <= child.start && child.end <= parent.end);
        assert_eq!(child.slice(text), value);
    };
    if let Some(found) = &header.materialize {
        found
            .value
            .key
            .iter()
            .chain(&found.value.track)
            .for_each(|column| within(found.span, column.span, &column.value));
    }
    for found in &header.data_tests {
        match &found.value.rule {
            Rule::Unique { column } | Rule::NotNull { column } => {
                within(found.span, column.span, &column.value)
            }
            Rule::AcceptedValues { column, values } => {
                std::iter::once(column)
                    .chain(values)
                    .for_each(|value| within(found.span, value.span, &value.value));
            }
            Rule::Relationships { column, to } => {
                within(found.span, column.span, &column.value);
                whole(to.span);
            }
            Rule::RowCount { .. } => {}
            Rule::Freshness { column, .. } => within(found.span, column.span, &column.value),
            Rule::Expression { sql } => within(found.span, sql.span, &sql.value),
            Rule::Custom { path } => within(found.span, path.span, &path.value),
        }
    }
    for found in &header.measures {
        let measure = &found.value;
        let parts = [
            Some(&measure.name),
            Some(&measure.expr),
            measure.filter.as_ref(),
        ];
        parts
            .into_iter()
            .flatten()
            .for_each(|part| within(found.span, part.span, &part.value));
    }
    for found in &header.columns {
        within(
            found.span,
            found.value.column.span,
            &found.value.column.value,
        );
        found
            .value
            .inputs
            .iter()
            .for_each(|input| whole(input.span));
    }
}

#[test]
fn every_prefix_of_a_script_parses() {
    for (at, _) in SAMPLE.char_indices() {
        check(&SAMPLE[..at]);
        check(&SAMPLE[at..]);
    }
    check(SAMPLE);
}

proptest! {
    #[test]
    fn any_text_parses(text in any::<String>()) {
        check(&text);
        check(&format!("-- {text}"));
        check(&format!("-- materialize ducklake://a/b {text}"));
    }

    #[test]
    fn nasty_pieces_parse(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..24)) {
        let text = pieces.concat();
        check(&text);
        check(&format!("-- {text}"));
    }
}
