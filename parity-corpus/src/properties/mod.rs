//! What holds for any text at all, as functions that panic where it does not.
//!
//! The fuzz targets (`tests/fuzz`) call them with texts that nobody thought of; the tests of this crate call them with every
//! case and with generated texts, so that a broken property shows without a fuzzer.

mod editor;
mod header;
mod lexer;
mod splitter;
mod substitution;

use parser_core::source::Span;

pub use editor::script;
pub use header::header;
pub use lexer::lexer;
pub use splitter::splitter;
pub use substitution::substitution;

/// What holds for any text: panics where it does not.
pub type Property = fn(&str);

/// All of them, by name; each is a fuzz target.
pub const ALL: [(&str, Property); 5] = [
    ("header", header),
    ("lexer", lexer),
    ("splitter", splitter),
    ("substitution", substitution),
    ("script", script),
];

/// `span` is a slice of `text` and lies in `parent`.
#[track_caller]
fn inside(text: &str, parent: Span, span: Span) {
    assert!(
        span.start <= span.end && text.get(span.start..span.end).is_some(),
        "{span:?} is no slice of the text"
    );
    assert!(
        parent.start <= span.start && span.end <= parent.end,
        "{span:?} leaves {parent:?}"
    );
}

/// `spans` follow each other in `parent` without overlap, and none is empty.
#[track_caller]
fn in_order(text: &str, parent: Span, spans: impl IntoIterator<Item = Span>) {
    let mut end = parent.start;
    for span in spans {
        inside(text, parent, span);
        assert!(!span.is_empty(), "{span:?} is empty");
        assert!(span.start >= end, "{span:?} begins before {end}");
        end = span.end;
    }
}
