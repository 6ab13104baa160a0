//! Properties of the header and of the findings about it.

use parser_core::diagnostic::{Diagnostic, apply};
use parser_core::header;
use parser_core::script::{Header, Rule, Trigger};
use parser_core::source::Span;
use parser_core::validate::validate;

use super::{in_order, inside};
use crate::snapshot::KnownZones;

/// Bodies that a header has nothing to do with.
const BODIES: [&str; 5] = [
    "SELECT 1",
    ";",
    "'",
    "/* -- materialize ducklake://a/b */",
    "x\n-- retry 3\n",
];

/// Annotations lie on lines of the header, in order; the body has no part in them; findings lie in the text, and their fixes
/// apply.
pub fn header(text: &str) {
    let mut found = Vec::new();
    let header = header::read(text, &mut found);
    inside(text, Span::new(0, text.len()), header.span);
    assert_eq!(header.span.start, 0);
    let mut again = Vec::new();
    assert_eq!(header, header::read(text, &mut again));
    assert_eq!(found, again);
    lines(text, &header);
    for finding in &found {
        inside(text, header.span, finding.span);
    }

    let head = header.span.slice(text);
    if matches!(head, "" | "\u{feff}") || head.ends_with(['\n', '\r']) {
        for body in BODIES {
            let mut again = Vec::new();
            let other = format!("{head}{body}");
            assert_eq!(
                header,
                header::read(&other, &mut again),
                "with the body {body:?}"
            );
            assert_eq!(found, again, "with the body {body:?}");
        }
    }
    findings(text);
}

/// Each annotation lies on one line, and those of one kind are in text order.
fn lines(text: &str, header: &Header) {
    let one_line = |span: Span| {
        inside(text, header.span, span);
        assert!(!span.is_empty());
        assert!(
            !span.slice(text).contains(['\n', '\r']),
            "{span:?} leaves its line"
        );
    };
    let single = [
        header.pipeline,
        header.macros,
        header.partition.as_ref().map(|line| line.span),
        header.freshness.as_ref().map(|line| line.span),
        header.debounce.as_ref().map(|line| line.span),
        header.trigger.as_ref().map(|line| line.span),
        header.tag.as_ref().map(|line| line.span),
        header.retry.as_ref().map(|line| line.span),
        header.materialize.as_ref().map(|line| line.span),
    ];
    single.into_iter().flatten().for_each(one_line);
    let lists: [Vec<Span>; 7] = [
        header.uses.iter().map(|line| line.span).collect(),
        header.data_tests.iter().map(|line| line.span).collect(),
        header.columns.iter().map(|line| line.span).collect(),
        header.measures.iter().map(|line| line.span).collect(),
        header.dimensions.iter().map(|line| line.span).collect(),
        header.mutes.iter().map(|line| line.span).collect(),
        header.triggers.iter().map(|line| line.span).collect(),
    ];
    for list in lists {
        list.iter().copied().for_each(one_line);
        in_order(text, header.span, list);
    }
    if let Some(line) = &header.materialize {
        let columns = line.value.key.iter().chain(&line.value.track);
        for column in columns {
            inside(text, line.span, column.span);
            assert_eq!(column.span.slice(text), column.value);
        }
        inside(text, line.span, line.value.asset.span);
    }
    for test in &header.data_tests {
        let (column, more) = match &test.value.rule {
            Rule::Unique { column } | Rule::NotNull { column } => (column, None),
            Rule::AcceptedValues { column, values } => {
                in_order(
                    text,
                    test.span,
                    values
                        .iter()
                        .filter(|value| !value.span.is_empty())
                        .map(|value| value.span),
                );
                assert!(!values.is_empty());
                (column, None)
            }
            Rule::Relationships { column, to } => (column, Some(to.span)),
            Rule::RowCount { .. } => continue,
            Rule::Freshness { column, .. } => (column, None),
            Rule::Expression { sql } => (sql, None),
            Rule::Custom { path } => (path, None),
        };
        inside(text, test.span, column.span);
        assert_eq!(column.span.slice(text), column.value);
        more.into_iter()
            .for_each(|span| inside(text, test.span, span));
    }
    for column in &header.columns {
        assert!(!column.value.inputs.is_empty());
        for input in &column.value.inputs {
            inside(text, column.span, input.span);
        }
    }
    for trigger in &header.triggers {
        if let Trigger::Asset { asset, .. } = &trigger.value {
            inside(text, trigger.span, asset.span);
        }
    }
}

/// Of parsing and validating: in text order each, in the text, and what mends them applies.
pub(super) fn findings(text: &str) {
    let parsed = parser_core::parse(text);
    assert_eq!(parsed, parser_core::parse(text));
    assert_eq!(parsed.script.header.span.end, parsed.script.body.span.start);
    assert_eq!(parsed.script.body.span.end, text.len());
    assert!(
        parsed
            .diagnostics
            .is_sorted_by_key(|found| (found.span.start, found.span.end))
    );
    let rules = validate(text, &parsed.script, &KnownZones);
    let all: Vec<&Diagnostic> = parsed.diagnostics.iter().chain(&rules).collect();
    let whole = Span::new(0, text.len());
    for found in &all {
        inside(text, whole, found.span);
        assert!(
            !found.message.is_empty() && !found.message.contains('\n'),
            "{found:?}"
        );
        found
            .related
            .iter()
            .for_each(|related| inside(text, whole, related.span));
        let Some(fix) = &found.fix else { continue };
        assert!(!fix.edits.is_empty(), "{found:?}");
        let mut end = 0;
        for edit in &fix.edits {
            inside(text, whole, edit.span);
            assert!(edit.span.start >= end, "{found:?}: its edits overlap");
            end = edit.span.end;
        }
        mends(text, &all, found, &apply(text, fix));
    }
}

/// A fix changes the text, and of its findings there is one less to fix. Others may come to light: the word that it corrects
/// has rules of its own.
fn mends(text: &str, before: &[&Diagnostic], found: &Diagnostic, mended: &str) {
    assert_ne!(text, mended, "{found:?} changes nothing");
    let parsed = parser_core::parse(mended);
    let rules = validate(mended, &parsed.script, &KnownZones);
    let is_same = |other: &&Diagnostic| {
        other.code == found.code && other.message == found.message && other.fix.is_some()
    };
    let were = before.iter().copied().filter(is_same).count();
    let left = parsed
        .diagnostics
        .iter()
        .chain(&rules)
        .filter(is_same)
        .count();
    assert!(left < were, "{found:?} is still there in {mended:?}");
}
