//! Properties of all that the command, the editor and the page ask about a text.

use parser_core::editor::{
    CompletionContext, complete, definition, hover, hover_column, semantic_tokens,
};
use parser_core::source::Span;
use parser_core::wire::{self, PlanOptions, ScriptFile};

use super::{header::findings, in_order, inside};
use crate::ranges::Places;
use crate::snapshot::KnownZones;

/// Parsing, validating, planning, and what an editor asks at some places of the text: every answer lies in the text, is the
/// same a second time, and survives the wire.
pub fn script(text: &str) {
    findings(text);
    let places = Places::new(text);
    let parsed = wire::validate_to_wire(text, &KnownZones);
    places
        .check_all(&parsed)
        .unwrap_or_else(|wrong| panic!("{wrong}"));
    let json = serde_json::to_string(&parsed).unwrap_or_default();
    let read = serde_json::from_str(&json);
    assert!(
        matches!(read, Ok(read) if parsed == read),
        "{json} does not read back"
    );
    assert_eq!(
        wire::validate_to_json(text, &KnownZones, &wire::ParseOptions { lineage: true }),
        json,
        "the text that is written without objects"
    );

    let plan = wire::plan_to_wire(text, &PlanOptions::default());
    places
        .check_all(&plan)
        .unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(plan, wire::plan_to_wire(text, &PlanOptions::default()));
    let _ = wire::graph_to_wire(&[
        ScriptFile {
            path: "a.sql".to_owned(),
            text: text.to_owned(),
        },
        ScriptFile {
            path: "b.sql".to_owned(),
            text: text.to_owned(),
        },
    ]);

    let whole = Span::new(0, text.len());
    let tokens = semantic_tokens(text);
    in_order(text, whole, tokens.iter().map(|(span, _)| *span));
    assert!(
        tokens
            .iter()
            .all(|(span, _)| !span.slice(text).contains(['\n', '\r']))
    );
    for at in offsets(text) {
        at_offset(text, at);
    }
}

/// The ends, and some places between that depend on nothing but the text: a fuzzer that changes it moves them.
fn offsets(text: &str) -> [usize; 5] {
    let mix = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |mix, byte| {
        (mix ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let place = |shift: u32| {
        let length = u64::try_from(text.len()).unwrap_or(u64::MAX - 2) + 2;
        usize::try_from((mix >> shift) % length).unwrap_or_default()
    };
    [0, text.len(), place(0), place(16), place(32)]
}

fn at_offset(text: &str, at: usize) {
    let whole = Span::new(0, text.len());
    let context = CompletionContext {
        lakes: vec!["shop".to_owned()],
        time_zones: vec!["Europe/Paris".to_owned()],
        tests: vec!["tests/a.sql".to_owned()],
        ..CompletionContext::default()
    };
    let offers = complete(text, at, &context);
    for offer in &offers {
        inside(text, whole, offer.replace);
        assert!(offer.replace.start <= at, "{offer:?} lies behind {at}");
        assert!(
            !offer.replace.slice(text).contains(['\n', '\r']),
            "{offer:?}"
        );
    }
    assert_eq!(offers, complete(text, at, &context));
    if let Some(found) = hover(text, at, &KnownZones) {
        inside(text, whole, found.span);
        assert!(found.markdown.is_some() || !found.findings.is_empty());
        assert!(found.span.start <= at, "{found:?} lies behind {at}");
    }
    if let Some(found) = hover_column(text, at, &context) {
        inside(text, whole, found.span);
        assert!(found.span.start <= at, "{found:?} lies behind {at}");
    }
    if let Some(span) = definition(text, at) {
        inside(text, whole, span);
    }
}
