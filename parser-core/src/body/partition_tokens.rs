//! `{partition}`, `{partition_start}`, `{partition_end}`: finding and replacing them.

use thiserror::Error;

use super::{Body, PartitionToken, PartitionValue, Statement, TokenPlace};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Bracket, Lexer, Token, TokenKind};
use crate::partition::Slice;
use crate::plan::sql::{Piece, UserSql};
use crate::script::Partitioned;
use crate::source::Span;

mod value;

/// Why a token cannot be replaced. Checks before a run find the first two; the others come with
/// the value of a `dynamic` partition.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SubstituteError {
    /// The run has no slice.
    #[error(
        "`{token}` stands in a run without partition; add `partitioned` to the header or remove the token"
    )]
    NoSlice {
        /// The token.
        token: &'static str,
        /// Where.
        span: Span,
    },
    /// A dynamic slice has no start or end.
    #[error("`{token}` has no value in a dynamic partition; use `{{partition}}` instead")]
    NoBounds {
        /// The token.
        token: &'static str,
        /// Where.
        span: Span,
    },
    /// The value would end the dollar-quoted string that it stands in.
    #[error(
        "the partition `{value}` closes the dollar-quoted string round `{{partition}}`; use '…' quotes there"
    )]
    ClosesDollarString {
        /// The identity.
        value: String,
        /// The token.
        span: Span,
    },
    /// The value holds a NUL, which ends the text for the engine.
    #[error(
        "the partition holds a NUL character, which no SQL text can hold; correct the caller's value"
    )]
    Nul {
        /// The token.
        span: Span,
    },
}

impl PartitionValue {
    /// The token that stands for it.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::Identity => "{partition}",
            Self::Start => "{partition_start}",
            Self::End => "{partition_end}",
        }
    }

    /// Every value.
    pub const ALL: [Self; 3] = [Self::Identity, Self::Start, Self::End];

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|value| value.token().get(1..value.token().len() - 1) == Some(word))
    }
}

/// The tokens in a statement whose lexical tokens, trivia left out, are `tokens`; only at the places `braces` of them is a
/// `{`, alone or in a literal.
pub(super) fn find(text: &str, tokens: &[Token], braces: &[usize]) -> Vec<PartitionToken> {
    let mut found = Vec::new();
    for &at in braces {
        let token = &tokens[at];
        if token.kind == TokenKind::Open(Bracket::Curly) {
            found.extend(bare(text, &tokens[at..]));
        }
        let Some(place) = place_in(token.kind) else {
            continue;
        };
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        found.extend(in_literal(text, token, place, before));
    }
    found
}

/// How a value is written in a token of this kind, if one can be.
const fn place_in(kind: TokenKind) -> Option<TokenPlace> {
    match kind {
        TokenKind::String => Some(TokenPlace::InString),
        TokenKind::EscapeString => Some(TokenPlace::InEscapeString),
        TokenKind::DollarString => Some(TokenPlace::InDollarString),
        TokenKind::Space
        | TokenKind::LineComment
        | TokenKind::BlockComment
        | TokenKind::BitString
        | TokenKind::QuotedIdent
        | TokenKind::Word
        | TokenKind::Number
        | TokenKind::Parameter
        | TokenKind::Positional
        | TokenKind::Operator
        | TokenKind::Open(_)
        | TokenKind::Close(_)
        | TokenKind::Comma
        | TokenKind::Semicolon
        | TokenKind::Dot
        | TokenKind::Unterminated(_)
        | TokenKind::Unknown => None,
    }
}

/// `{`, the word, `}` with nothing between.
fn bare(text: &str, tokens: &[Token]) -> Option<PartitionToken> {
    let [open, word, close, ..] = tokens else {
        return None;
    };
    let joined = open.span.end == word.span.start && word.span.end == close.span.start;
    if !joined || word.kind != TokenKind::Word || close.kind != TokenKind::Close(Bracket::Curly) {
        return None;
    }
    let value = PartitionValue::from_word(word.text(text))?;
    Some(PartitionToken {
        span: open.span.to(close.span),
        value,
        place: TokenPlace::Literal,
    })
}

fn in_literal<'t>(
    text: &'t str,
    literal: &Token,
    place: TokenPlace,
    before: Option<&Token>,
) -> impl Iterator<Item = PartitionToken> + 't {
    let span = literal.span;
    let keeps_quotes = before.is_some_and(|before| binds_literal(text, before));
    span.slice(text)
        .match_indices('{')
        .filter_map(move |(at, _)| {
            let start = span.start + at;
            if place == TokenPlace::InEscapeString
                && is_escaped(Span::new(span.start, start).slice(text))
            {
                return None;
            }
            let rest = Span::new(start, span.end).slice(text);
            let value = PartitionValue::ALL
                .into_iter()
                .find(|value| rest.starts_with(value.token()))?;
            let inner = Span::new(start, start + value.token().len());
            if !keeps_quotes && is_whole(text, span, inner, place) {
                Some(PartitionToken {
                    span,
                    value,
                    place: TokenPlace::Literal,
                })
            } else {
                Some(PartitionToken {
                    span: inner,
                    value,
                    place,
                })
            }
        })
}

/// Whether a backslash before it takes what comes next: `E'\{partition}'` holds a brace and no token.
fn is_escaped(before: &str) -> bool {
    (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
}

/// Whether a literal is all that its quotes hold. A `$tag$` cannot hold a brace, so one `$` on each
/// side tells a dollar quote.
fn is_whole(text: &str, literal: Span, inner: Span, place: TokenPlace) -> bool {
    let open = Span::new(literal.start, inner.start).slice(text);
    let close = Span::new(inner.end, literal.end).slice(text);
    match place {
        TokenPlace::Literal => true,
        TokenPlace::InString => open == "'" && close == "'",
        TokenPlace::InEscapeString => open.eq_ignore_ascii_case("e'") && close == "'",
        TokenPlace::InDollarString => open == close,
    }
}

/// Whether the literal after this token must stay one in quotes: the second part of a literal that
/// goes on in another line, or the text of a typed literal (`TIMESTAMP '{partition_start}'`).
fn binds_literal(text: &str, before: &Token) -> bool {
    const TYPES: [&str; 8] = [
        "timestamp",
        "timestamptz",
        "datetime",
        "date",
        "time",
        "timestamp_s",
        "timestamp_ms",
        "timestamp_ns",
    ];
    before.kind.is_string() || TYPES.iter().any(|name| before.is_word(text, name))
}

/// Tokens that have no value in a script: any of them without `partitioned`, the bounds with
/// `partitioned dynamic`.
#[must_use]
pub fn check(body: &Body, partition: Option<&Partitioned>) -> Vec<Diagnostic> {
    let tokens = body
        .statements
        .iter()
        .flat_map(|statement| &statement.tokens);
    let finding = |token: &PartitionToken| match (partition, token.value) {
        (None, value) => {
            let message = format!(
                "`{}` has no value in a script without partition",
                value.token()
            );
            let hint =
                "add `partitioned daily` (or another grain) to the header, or remove the token";
            Some(Diagnostic::new(Code::LM220, token.span, message).hint(hint))
        }
        (Some(Partitioned::Dynamic { .. }), PartitionValue::Start | PartitionValue::End) => {
            let message = format!(
                "`{}` has no value in a dynamic partition",
                token.value.token()
            );
            Some(Diagnostic::new(Code::LM221, token.span, message).hint("write `{partition}`"))
        }
        (Some(Partitioned::Dynamic { .. }), PartitionValue::Identity)
        | (Some(Partitioned::Time(_)), _) => None,
    };
    tokens.filter_map(finding).collect()
}

/// The statement's SQL with every token replaced by the value of `slice`.
///
/// Values are escaped for their place, and set apart from what stands next to them, so that no
/// value changes how the rest of the statement is read.
///
/// # Errors
/// A token without a value, or a value that cannot stand in its place: see [`SubstituteError`].
pub fn substitute(
    text: &str,
    statement: &Statement,
    slice: Option<&Slice>,
) -> Result<UserSql, SubstituteError> {
    let span = statement.span;
    let mut pieces = Vec::with_capacity(2 * statement.tokens.len() + 1);
    let mut at = span.start;
    let mut around = Around::new(text, span);
    for token in &statement.tokens {
        let value = value::of(token, slice)?;
        let replacement = match token.place {
            TokenPlace::Literal => {
                around.set_apart(token.span, &value::literal(token.value, &value))
            }
            TokenPlace::InString => value.replace('\'', "''"),
            TokenPlace::InEscapeString => value.replace('\\', "\\\\").replace('\'', "''"),
            TokenPlace::InDollarString => value,
        };
        push_source(&mut pieces, text, Span::new(at, token.span.start));
        pieces.push(Piece::Substituted {
            span: token.span,
            text: replacement,
        });
        at = token.span.end;
    }
    push_source(&mut pieces, text, Span::new(at, span.end));
    value::check_dollar_strings(text, statement, slice)?;
    Ok(UserSql { span, pieces })
}

fn push_source(pieces: &mut Vec<Piece>, text: &str, span: Span) {
    if !span.is_empty() {
        pieces.push(Piece::Source {
            span,
            text: span.slice(text).to_owned(),
        });
    }
}

/// What stands round the tokens of a statement, in one pass over its text.
struct Around<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    end: usize,
    /// The last token before, trivia left out.
    before: Option<Token>,
    /// Where the last literal that was put in ends, as a place in the script.
    literal_end: usize,
}

impl<'t> Around<'t> {
    fn new(text: &'t str, span: Span) -> Self {
        Self {
            text,
            lexer: Lexer::new(text, span.start),
            end: span.end,
            before: None,
            literal_end: 0,
        }
    }

    /// The literal, kept apart from its neighbours: `a{partition}` must not become `e'…'`, and
    /// `''{partition}` or `E'a'⏎{partition}` must not become one literal.
    fn set_apart(&mut self, span: Span, literal: &str) -> String {
        while self.lexer.at() < span.start {
            match self.lexer.next() {
                Some(token) if token.kind.is_trivia() => {}
                Some(token) => self.before = Some(token),
                None => break,
            }
        }
        let after = self.text.get(span.end..self.end).unwrap_or_default();
        let next = Lexer::new(after, 0).find(|token| !token.kind.is_trivia());
        // A string that is still being typed counts: its quote would join the literal's.
        let is_quote = |token: &Token| {
            token.kind.is_string()
                || matches!(
                    token.kind,
                    TokenKind::BitString | TokenKind::Unterminated(_)
                )
        };
        let after_literal = self
            .before
            .is_some_and(|before| is_quote(&before) || before.span.end == self.literal_end);
        self.literal_end = span.end;
        if after_literal || next.as_ref().is_some_and(is_quote) {
            return format!("({literal})");
        }
        let touches = self.before.is_some_and(|before| {
            let is_open_ended = matches!(
                before.kind,
                TokenKind::Word | TokenKind::QuotedIdent | TokenKind::Number | TokenKind::Parameter
            );
            is_open_ended && before.span.end == span.start
        });
        if touches {
            format!(" {literal}")
        } else {
            literal.to_owned()
        }
    }
}
