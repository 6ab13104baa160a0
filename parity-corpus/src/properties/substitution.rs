//! Properties of the replacement of `{partition}` and its like.

use parser_core::body::{self, Statement, TokenPlace, partition_tokens::substitute};
use parser_core::lex::{Token, TokenKind, lex};
use parser_core::partition::{Bounds, Slice, civil_time};
use parser_core::plan::sql::{Piece, UserSql};
use parser_core::source::Span;
use parser_core::wire::{PlanOptions, plan_to_wire};

/// Values that would do harm if they were not escaped for their place.
const VALUES: [&str; 12] = [
    "2024-06-19",
    "",
    "it's",
    "'",
    "''",
    "\\",
    "\\'; DROP TABLE t; --",
    "*/",
    "-- x\n",
    "$$",
    "🦆 e\u{301}",
    "\";",
];

/// Whatever the value: no token is left, and outside of the replaced places the statement reads as before, token by token.
pub fn substitution(text: &str) {
    let found = body::read(text, 0, &mut Vec::new());
    for value in VALUES {
        for bounds in [None, bounds()] {
            let slice = Slice {
                value: value.to_owned(),
                bounds,
            };
            for statement in found
                .statements
                .iter()
                .filter(|found| !found.tokens.is_empty())
            {
                if let Ok(sql) = substitute(text, statement, Some(&slice)) {
                    pieces_tile(text, statement, &sql);
                    reads_as_before(text, statement, &sql);
                    none_left(&sql, value);
                }
            }
        }
    }
    let options = PlanOptions {
        partition: Some(VALUES[text.len() % VALUES.len()].to_owned()),
        ..PlanOptions::default()
    };
    let _ = plan_to_wire(text, &options);
    for statement in &found.statements {
        let without = substitute(text, statement, None);
        assert_eq!(without.is_ok(), statement.tokens.is_empty());
    }
}

fn bounds() -> Option<Bounds> {
    Some(Bounds {
        start: civil_time(2024, 6, 19, 0, 0, 0)?,
        end: civil_time(2024, 6, 20, 0, 0, 0)?,
    })
}

fn parts(piece: &Piece) -> (Span, &str) {
    match piece {
        Piece::Source { span, text } | Piece::Substituted { span, text } => (*span, text),
    }
}

fn pieces_tile(text: &str, statement: &Statement, sql: &UserSql) {
    let mut at = statement.span.start;
    for piece in &sql.pieces {
        let (span, own) = parts(piece);
        assert_eq!(span.start, at, "a piece is missing");
        at = span.end;
        if matches!(piece, Piece::Source { .. }) {
            assert_eq!(own, span.slice(text));
        }
    }
    assert_eq!(at, statement.span.end, "the last piece is missing");
    let replaced = sql
        .pieces
        .iter()
        .filter(|piece| matches!(piece, Piece::Substituted { .. }))
        .map(|piece| parts(piece).0);
    assert!(replaced.eq(statement.tokens.iter().map(|token| token.span)));
}

/// A place of the script, as a place of the finished text.
struct Moved<'s> {
    pieces: &'s [Piece],
}

impl Moved<'_> {
    /// `at` lies in the script's own text; at a seam it belongs to the piece that ends there when `is_end`.
    fn place(&self, at: usize, is_end: bool) -> Option<usize> {
        let mut length = 0;
        for piece in self.pieces {
            let (span, own) = parts(piece);
            let is_within = if is_end {
                span.start < at && at <= span.end
            } else {
                span.start <= at && at < span.end
            };
            if is_within && matches!(piece, Piece::Source { .. }) {
                return Some(length + at - span.start);
            }
            if is_within && is_end && at == span.end {
                return Some(length + own.len());
            }
            if is_within && !is_end && at == span.start {
                return Some(length);
            }
            length += own.len();
        }
        None
    }
}

fn reads_as_before(text: &str, statement: &Statement, sql: &UserSql) {
    let finished: String = sql.pieces.iter().map(|piece| parts(piece).1).collect();
    let moved = Moved {
        pieces: &sql.pieces,
    };
    let whole = |token: &Token| {
        statement.tokens.iter().any(|replaced| {
            replaced.place == TokenPlace::Literal
                && replaced.span.start <= token.span.start
                && token.span.end <= replaced.span.end
        })
    };
    let expected: Vec<(TokenKind, usize, usize)> = tokens(text, statement.span)
        .into_iter()
        .filter(|token| !whole(token))
        .filter_map(|token| {
            let start = moved.place(token.span.start, false)?;
            Some((token.kind, start, moved.place(token.span.end, true)?))
        })
        .collect();
    let mut literals = Vec::new();
    let mut length = 0;
    for piece in &sql.pieces {
        let (span, own) = parts(piece);
        let is_literal = statement
            .tokens
            .iter()
            .any(|token| token.span == span && token.place == TokenPlace::Literal);
        if is_literal {
            literals.push(Span::new(length, length + own.len()));
        }
        length += own.len();
    }
    let actual: Vec<(TokenKind, usize, usize)> = tokens(&finished, Span::new(0, finished.len()))
        .into_iter()
        .filter(|token| {
            !literals
                .iter()
                .any(|own| own.start <= token.span.start && token.span.end <= own.end)
        })
        .map(|token| (token.kind, token.span.start, token.span.end))
        .collect();
    assert_eq!(
        actual, expected,
        "{finished:?} reads otherwise than the script"
    );
}

/// White space left out: that of a replacement joins the script's.
fn tokens(text: &str, span: Span) -> Vec<Token> {
    lex(text.get(..span.end).unwrap_or_default(), span.start)
        .into_iter()
        .filter(|token| token.kind != TokenKind::Space)
        .collect()
}

/// An empty value joins what stands round its token, and that may be a token again.
fn none_left(sql: &UserSql, value: &str) {
    if value.is_empty() {
        return;
    }
    let finished: String = sql.pieces.iter().map(|piece| parts(piece).1).collect();
    let again = body::read(&finished, 0, &mut Vec::new());
    assert!(
        again.statements.iter().all(|found| found.tokens.is_empty()),
        "a token is left in {finished:?}"
    );
    assert_eq!(
        again.statements.len(),
        1,
        "{finished:?} is not one statement"
    );
}
