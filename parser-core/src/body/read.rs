//! From text to body: lex once, split at `;`, then read each statement in order.

use super::assets::Assets;
use super::classify::{Classified, classify};
use super::references::{Target, references};
use super::session::Session;
use super::{Body, SetupKind, Statement, StatementKind, partition_tokens};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Splitter, StatementTokens, Token, TokenKind, Unterminated};
use crate::source::Span;

/// The body, and what else reading it finds.
pub(crate) struct Reading {
    pub(crate) body: Body,
    /// Comments from `--` to the end of their line that stand alone on it.
    pub(crate) comment_lines: Vec<Span>,
}

/// Reads the body that starts at byte `start` of `text`.
///
/// Total: any text gives a body. What is wrong lexically goes to `diagnostics`; which statements
/// managed mode takes is asked of [`super::managed::check`].
#[must_use]
pub fn read(text: &str, start: usize, diagnostics: &mut Vec<Diagnostic>) -> Body {
    read_with_comments(text, start, diagnostics).body
}

/// The same, with the comments that could be taken for annotations.
pub(crate) fn read_with_comments(
    text: &str,
    start: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Reading {
    let span = Span::new(start.min(text.len()), text.len());
    let (mut session, mut assets) = (Session::default(), Assets::default());
    let mut statements = Vec::new();
    let mut splitter = Splitter::new(text, span.start);
    while let Some(found) = splitter.next_statement() {
        diagnostics.extend(odd(text, found.odd));
        if !found.tokens.is_empty() {
            statements.push(statement(text, found, &mut session, &mut assets));
        }
    }
    diagnostics.extend(nul(text, span));
    Reading {
        body: Body {
            span,
            statements,
            assets: assets.into_uses(),
        },
        comment_lines: splitter.into_comment_lines(),
    }
}

fn statement(
    text: &str,
    found: StatementTokens<'_>,
    session: &mut Session,
    assets: &mut Assets,
) -> Statement {
    let tokens = found.tokens;
    let Classified { kind, effect } = classify(text, tokens, session);
    let references = if names_tables(&kind) {
        references(text, found)
    } else {
        Vec::new()
    };
    // A statement sees the session as those before it left it: `CREATE TEMP TABLE t AS FROM t`.
    assets.add(&kind, &references, session);
    session.apply(effect);
    let tables = references
        .into_iter()
        .filter_map(|reference| match reference.target {
            Target::Table(name) | Target::FileTable(name) => Some(name),
            Target::File(_) => None,
        });
    Statement {
        span: tokens[0].span.to(tokens[tokens.len() - 1].span),
        tables: tables.collect(),
        tokens: partition_tokens::find(text, tokens, found.braces),
        kind,
    }
}

/// Whether statements of this kind can name tables. `INSTALL x FROM y` cannot.
const fn names_tables(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Output(_) | StatementKind::Write { .. } | StatementKind::Other => true,
        StatementKind::Transaction => false,
        StatementKind::Setup(kind) => match kind {
            SetupKind::Set | SetupKind::Pragma | SetupKind::CreateTemp | SetupKind::WriteTemp => {
                true
            }
            SetupKind::Attach(_)
            | SetupKind::Detach
            | SetupKind::Install
            | SetupKind::Load
            | SetupKind::Reset
            | SetupKind::Use => false,
        },
    }
}

/// What is wrong with a statement's odd tokens: each that is never closed, and the first of no known kind.
fn odd(text: &str, tokens: &[Token]) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut is_told = false;
    for token in tokens {
        match token.kind {
            TokenKind::Unterminated(what) => findings.push(unterminated(text, what, token.span)),
            // NUL has its own finding.
            _ if !is_told && token.text(text) != "\0" => {
                is_told = true;
                findings.extend(unknown_character(text, token));
            }
            _ => {}
        }
    }
    findings
}

fn unterminated(text: &str, what: Unterminated, span: Span) -> Diagnostic {
    let opening = |len: usize| Span::new(span.start, span.start + len);
    match what {
        Unterminated::String => {
            let len = span.slice(text).find('\'').map_or(1, |at| at + 1);
            Diagnostic::new(Code::LM200, opening(len), "this string is never closed")
                .hint("write `'` at its end; a quote inside it is written `''`")
        }
        Unterminated::DollarString => {
            let len = span
                .slice(text)
                .get(1..)
                .and_then(|rest| rest.find('$'))
                .map_or(1, |at| at + 2);
            let delimiter = opening(len).slice(text);
            Diagnostic::new(
                Code::LM200,
                opening(len),
                "this dollar-quoted string is never closed",
            )
            .hint(format!("write `{delimiter}` at its end"))
        }
        Unterminated::Ident => Diagnostic::new(
            Code::LM202,
            opening(1),
            "this quoted identifier is never closed",
        )
        .hint("write `\"` at its end; a quote inside it is written `\"\"`"),
        Unterminated::Comment => {
            Diagnostic::new(Code::LM201, opening(2), "this comment is never closed")
                .hint("write `*/` at its end; each `/*` inside it needs one of its own")
        }
    }
}

fn unknown_character(text: &str, token: &Token) -> Option<Diagnostic> {
    let character = token.text(text).chars().next()?;
    let name = if character.is_control() {
        format!("U+{:04X}", u32::from(character))
    } else {
        character.to_string()
    };
    let message = format!("the character `{name}` has no meaning in SQL");
    Some(
        Diagnostic::new(Code::LM203, token.span, message)
            .hint("remove it, or write it inside a string"),
    )
}

/// The first NUL, wherever it stands: to the engine it is the text's end.
fn nul(text: &str, span: Span) -> Option<Diagnostic> {
    let at = span.start + span.slice(text).find('\0')?;
    let message = "a NUL character ends the text for the engine";
    Some(
        Diagnostic::new(Code::LM203, Span::new(at, at + 1), message)
            .hint("remove it; `chr(0)` gives its value"),
    )
}
