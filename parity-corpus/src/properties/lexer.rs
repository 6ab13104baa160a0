//! Properties of the lexer.

use parser_core::lex::{Lexer, Token, TokenKind, Unterminated, lex};
use parser_core::source::Span;

use super::in_order;

/// Tokens tile the text, and each read alone is the same token.
pub fn lexer(text: &str) {
    let whole = Span::new(0, text.len());
    let tokens = lex(text, 0);
    in_order(text, whole, tokens.iter().map(|token| token.span));
    let covered: usize = tokens.iter().map(|token| token.span.len()).sum();
    assert_eq!(covered, text.len(), "the tokens do not tile the text");
    assert_eq!(tokens, Lexer::new(text, 0).collect::<Vec<_>>());

    let mut before = None;
    for token in &tokens {
        if !may_go_on(text, before, token) {
            let alone = lex(token.text(text), 0);
            assert!(
                matches!(alone.as_slice(), [only] if only.kind == token.kind),
                "{token:?} {:?} alone is {alone:?}",
                token.text(text)
            );
        }
        if !token.kind.is_trivia() {
            before = Some(token.kind);
        }
    }

    // A start in the middle: the same rules, for the rest.
    let middle = tokens
        .get(tokens.len() / 2)
        .map_or(0, |token| token.span.start);
    let rest = lex(text, middle);
    let covered: usize = rest.iter().map(|token| token.span.len()).sum();
    assert_eq!(covered, text.len() - middle);
    let shifted: Vec<Token> = lex(&text[middle..], 0)
        .into_iter()
        .map(|token| Token {
            span: Span::new(token.span.start + middle, token.span.end + middle),
            ..token
        })
        .collect();
    assert_eq!(rest, shifted, "what stands before {middle} is looked at");
}

/// Whether the token may be the second part of the literal before it, whose kind it then has.
fn may_go_on(text: &str, before: Option<TokenKind>, token: &Token) -> bool {
    let after_literal = before.is_some_and(|kind| {
        kind.is_string()
            || matches!(
                kind,
                TokenKind::BitString | TokenKind::Unterminated(Unterminated::String)
            )
    });
    after_literal && token.text(text).starts_with('\'')
}
