//! Managed mode: setup statements, then exactly one trailing output statement.

use super::{Body, Statement, StatementKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Bracket, Lexer, TokenKind};
use crate::source::Span;

/// Ends every hint: the way out for scripts that are more than one SELECT.
const MANUAL: &str = "or let the script write by itself with `materialize manual`";
/// Quoted statements are cut here, counted in characters.
const QUOTED_CHARS: usize = 40;

/// The statement whose rows managed mode writes: the last one, if it is an output statement.
#[must_use]
pub fn output(body: &Body) -> Option<&Statement> {
    body.statements
        .last()
        .filter(|statement| is_output(statement))
}

/// What managed mode rejects in a body. Ask only for scripts that materialise in managed mode.
#[must_use]
pub fn check(text: &str, body: &Body) -> Vec<Diagnostic> {
    let Some(last_statement) = body.statements.last() else {
        let at = Span::at(body.span.start);
        return vec![
            Diagnostic::new(
                Code::LM210,
                at,
                "the script has no statement, so there is nothing to materialise",
            )
            .hint(format!("write a SELECT below the header, {MANUAL}")),
        ];
    };
    let outputs: Vec<&Statement> = body
        .statements
        .iter()
        .filter(|statement| is_output(statement))
        .collect();
    let mut findings = Vec::new();
    for statement in &body.statements {
        findings.extend(preamble(text, statement));
    }
    for statement in &outputs {
        findings.extend(brackets(text, statement));
    }
    match outputs.as_slice() {
        // A last statement that is not understood has its finding; `SELEC 1` needs no second one.
        [] if last_statement.kind == StatementKind::Other => {}
        [] => findings.push(
            Diagnostic::new(
                Code::LM211,
                last_statement.span,
                "no statement of the script returns the rows to write",
            )
            .hint(format!("end the script with a SELECT, {MANUAL}")),
        ),
        [only] => findings.extend(after_output(body, only)),
        [first, rest @ ..] => {
            let count = outputs.len();
            let message =
                format!("{count} statements return rows; managed mode writes those of one");
            let hint = format!(
                "make the others common table expressions (`WITH a AS (…)`) of the last, {MANUAL}"
            );
            let mut finding =
                Diagnostic::new(Code::LM212, rest[rest.len() - 1].span, message).hint(hint);
            for other in [first].into_iter().chain(&rest[..rest.len() - 1]) {
                finding = finding.related(other.span, "this one returns rows too");
            }
            findings.push(finding);
        }
    }
    crate::diagnostic::in_text_order(&mut findings);
    findings
}

const fn is_output(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Output(_))
}

/// A statement that managed mode does not take, wherever it stands.
fn preamble(text: &str, statement: &Statement) -> Option<Diagnostic> {
    let quoted = quote(statement.span.slice(text));
    match &statement.kind {
        StatementKind::Output(_) | StatementKind::Setup(_) => None,
        StatementKind::Write { verb } => {
            let message = format!("{verb} changes data beside the output: `{quoted}`");
            Some(
                Diagnostic::new(Code::LM214, statement.span, message).hint(format!(
                    "write to a temp table (`CREATE TEMP TABLE`), {MANUAL}"
                )),
            )
        }
        StatementKind::Transaction => {
            let message =
                format!("`{quoted}` controls the transaction, which managed mode does itself");
            Some(
                Diagnostic::new(Code::LM216, statement.span, message)
                    .hint(format!("remove it, {MANUAL}"))
                    .fix(
                        "Remove the statement",
                        with_semicolon(text, statement.span),
                        "",
                    ),
            )
        }
        StatementKind::Other => {
            let message = format!("`{quoted}` is neither a setup statement nor the output");
            let secret =
                crate::source::search::find(&quoted.to_ascii_uppercase(), "TEMP SECRET").is_some();
            let hint = if secret {
                "write `CREATE SECRET` or `CREATE TEMPORARY SECRET`".to_owned()
            } else {
                format!(
                    "keep setup statements (ATTACH, SET, CREATE TEMP …) and one SELECT, {MANUAL}"
                )
            };
            Some(Diagnostic::new(Code::LM215, statement.span, message).hint(hint))
        }
    }
}

/// The first bracket of an output statement that has no partner. The statement is wrapped in parentheses, so that one of
/// its own must not close them.
fn brackets(text: &str, statement: &Statement) -> Option<Diagnostic> {
    let mut open: Vec<(Bracket, Span)> = Vec::new();
    let told = |span: Span, what: &str| {
        let message = format!("this `{}` {what}", span.slice(text));
        Diagnostic::new(Code::LM217, span, message)
    };
    for token in Lexer::new(text, statement.span.start) {
        if token.span.start >= statement.span.end {
            break;
        }
        match token.kind {
            TokenKind::Open(bracket) => open.push((bracket, token.span)),
            TokenKind::Close(bracket) => match open.pop() {
                Some((opened, _)) if opened == bracket => {}
                Some((_, opened)) => {
                    return Some(
                        told(token.span, "does not fit the bracket that is open")
                            .hint("close the inner bracket first")
                            .related(opened, "this one is open"),
                    );
                }
                None => {
                    return Some(
                        told(token.span, "closes nothing").hint("remove it, or open it before"),
                    );
                }
            },
            // What is never closed has its own finding, and swallows the brackets behind it.
            TokenKind::Unterminated(_) => return None,
            TokenKind::Space
            | TokenKind::LineComment
            | TokenKind::BlockComment
            | TokenKind::String
            | TokenKind::EscapeString
            | TokenKind::BitString
            | TokenKind::DollarString
            | TokenKind::QuotedIdent
            | TokenKind::Word
            | TokenKind::Number
            | TokenKind::Parameter
            | TokenKind::Positional
            | TokenKind::Operator
            | TokenKind::Comma
            | TokenKind::Semicolon
            | TokenKind::Dot
            | TokenKind::Unknown => {}
        }
    }
    let (_, opened) = open.pop()?;
    Some(told(opened, "is never closed").hint("close it before the statement's end"))
}

/// Whether the statement pivots. The engine expands a PIVOT whose columns it must look up into several statements, and
/// then answers a write with no count of rows; so its rows are staged first.
#[must_use]
pub fn pivots(text: &str, statement: &Statement) -> bool {
    Lexer::new(text, statement.span.start)
        .take_while(|token| token.span.start < statement.span.end)
        .any(|token| {
            token.kind == TokenKind::Word
                && ["PIVOT", "PIVOT_WIDER", "PIVOT_LONGER", "UNPIVOT"]
                    .iter()
                    .any(|word| token.text(text).eq_ignore_ascii_case(word))
        })
}

/// Setup statements after the only output; what else stands there has its own finding.
fn after_output(body: &Body, only: &Statement) -> Option<Diagnostic> {
    let late: Vec<&Statement> = body
        .statements
        .iter()
        .filter(|statement| statement.span.start > only.span.start)
        .filter(|statement| matches!(statement.kind, StatementKind::Setup(_)))
        .collect();
    let (first, rest) = late.split_first()?;
    let message = match rest.len() {
        0 => "a statement stands after the output".to_owned(),
        more => format!("{} statements stand after the output", more + 1),
    };
    let mut finding = Diagnostic::new(Code::LM213, first.span, message)
        .hint(format!("move them above the output, {MANUAL}"))
        .related(only.span, "the output");
    for other in rest {
        finding = finding.related(other.span, "this one too");
    }
    Some(finding)
}

/// The span with the `;` right after it.
fn with_semicolon(text: &str, span: Span) -> Span {
    let semicolon = text
        .get(span.end..)
        .is_some_and(|rest| rest.starts_with(';'));
    Span::new(span.start, span.end + usize::from(semicolon))
}

/// At most 40 characters of a statement, on one line.
fn quote(statement: &str) -> String {
    let mut words = String::new();
    // A long statement is not copied whole for its first words.
    for word in statement.split_whitespace().take(QUOTED_CHARS) {
        if !words.is_empty() {
            words.push(' ');
        }
        words.extend(word.chars().take(QUOTED_CHARS + 1));
        if words.len() > QUOTED_CHARS * 4 {
            break;
        }
    }
    if words.chars().count() > QUOTED_CHARS {
        let mut cut: String = words.chars().take(QUOTED_CHARS - 1).collect();
        cut.push('…');
        return cut;
    }
    words
}
