mod managed;
mod partition_tokens;
#[path = "../../lexer/src/tests/pieces.rs"]
pub(crate) mod pieces;
mod references;
mod statements;

use super::{Body, read};

/// The body of a text without lexical findings.
fn body(text: &str) -> Body {
    let mut findings = Vec::new();
    let body = read(text, 0, &mut findings);
    assert_eq!(findings, [], "{text}");
    body
}
