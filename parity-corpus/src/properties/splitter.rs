//! Properties of the body.

use parser_core::body::{self, Body, Statement, StatementKind};
use parser_core::lex::{Lexer, TokenKind, lex};
use parser_core::source::Span;

use super::{in_order, inside};

/// Statements lie in the body one after the other, only trivia and semicolons between them, and each is one statement by
/// itself too.
pub fn splitter(text: &str) {
    let mut diagnostics = Vec::new();
    let found = body::read(text, 0, &mut diagnostics);
    assert_eq!(found.span, Span::new(0, text.len()));
    in_order(
        text,
        found.span,
        found.statements.iter().map(|statement| statement.span),
    );
    let mut again = Vec::new();
    assert_eq!(found, body::read(text, 0, &mut again));
    assert_eq!(diagnostics, again);
    for finding in &diagnostics {
        inside(text, found.span, finding.span);
    }
    gaps(text, &found);
    for statement in &found.statements {
        parts(text, statement);
        alone(text, statement);
    }
    for used in &found.assets {
        in_order(text, found.span, used.spans.iter().copied());
        assert!(!used.spans.is_empty(), "{used:?} stands nowhere");
    }
}

/// Between statements: trivia, and at least one semicolon. Around them: nothing else.
fn gaps(text: &str, body: &Body) {
    let mut at = 0;
    let ends = body.statements.iter().map(|statement| statement.span);
    for (number, next) in ends.chain([Span::at(text.len())]).enumerate() {
        let tokens = lex(Span::new(at, next.start).slice(text), 0);
        let semicolons = tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Semicolon)
            .count();
        assert!(
            tokens
                .iter()
                .all(|token| token.kind.is_trivia() || token.kind == TokenKind::Semicolon),
            "{:?} lies outside of all statements",
            Span::new(at, next.start).slice(text)
        );
        let is_between = number > 0 && number < body.statements.len();
        assert!(!is_between || semicolons > 0, "nothing splits at {at}");
        at = next.end;
    }
}

fn parts(text: &str, statement: &Statement) {
    let span = statement.span;
    let inner = Lexer::new(text, span.start).take_while(|token| token.span.start < span.end);
    assert!(
        inner
            .into_iter()
            .all(|token| token.kind != TokenKind::Semicolon),
        "a semicolon in {:?}",
        span.slice(text)
    );
    for table in &statement.tables {
        inside(text, span, table.span);
        in_order(text, table.span, table.parts.iter().map(|part| part.span));
        assert!((1..=3).contains(&table.parts.len()), "{table:?}");
    }
    in_order(text, span, statement.tokens.iter().map(|token| token.span));
    for token in &statement.tokens {
        assert!(token.span.slice(text).contains(token.value.token()));
    }
    if let StatementKind::Setup(body::SetupKind::Attach(attach)) = &statement.kind {
        inside(text, span, attach.target.span);
        attach
            .alias
            .iter()
            .for_each(|alias| inside(text, span, alias.span));
        attach
            .options
            .iter()
            .for_each(|options| inside(text, span, *options));
    }
}

fn alone(text: &str, statement: &Statement) {
    let own = statement.span.slice(text);
    let again = body::read(own, 0, &mut Vec::new());
    let spans: Vec<Span> = again.statements.iter().map(|found| found.span).collect();
    assert_eq!(
        spans,
        [Span::new(0, own.len())],
        "{own:?} is not one statement by itself"
    );
    // What stands before may be an ATTACH or a temporary table, so its kind may be another one.
    let shifted = |span: Span| {
        Span::new(
            span.start + statement.span.start,
            span.end + statement.span.start,
        )
    };
    let tokens: Vec<Span> = again.statements[0]
        .tokens
        .iter()
        .map(|token| shifted(token.span))
        .collect();
    assert_eq!(
        tokens,
        statement
            .tokens
            .iter()
            .map(|token| token.span)
            .collect::<Vec<_>>()
    );
}
