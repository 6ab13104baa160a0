//! From text to body: lex once, split at `;`, then read each statement in order.

use super::assets::Assets;
use super::classify::{Classified, classify};
use super::references::{Target, references};
use super::session::Session;
use super::{Body, SetupKind, Statement, StatementKind, partition_tokens};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Bracket, Lexer, Token, TokenKind, Unterminated};
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
    let mut reader = Reader {
        text,
        diagnostics,
        session: Session::default(),
        assets: Assets::default(),
        tokens: Vec::new(),
        braces: Vec::new(),
        unknown: None,
        statements: Vec::new(),
    };
    let mut comment_lines = Vec::new();
    for token in Lexer::new(text, span.start) {
        match token.kind {
            TokenKind::Space | TokenKind::BlockComment => {}
            TokenKind::LineComment => {
                if begins_line(&text.as_bytes()[..token.span.start]) {
                    comment_lines.push(token.span);
                }
            }
            TokenKind::Semicolon => reader.end_statement(),
            kind => reader.token(kind, token),
        }
    }
    reader.end_statement();
    let body = Body {
        span,
        statements: reader.statements,
        assets: reader.assets.into_uses(),
    };
    diagnostics.extend(nul(text, span));
    Reading {
        body,
        comment_lines,
    }
}

/// Whether nothing but space stands on the last line of `before`.
fn begins_line(before: &[u8]) -> bool {
    let mut rest = before;
    loop {
        rest = match rest {
            [] | [.., b'\n' | b'\r'] => return true,
            [rest @ .., b' ' | b'\t'] => rest,
            [.., 0..0x80] => return false,
            // The spaces of Unicode are rare enough to be read as text.
            _ => {
                let line = String::from_utf8_lossy(rest);
                let line = line.rsplit(['\n', '\r']).next().unwrap_or_default();
                return line.trim().is_empty();
            }
        };
    }
}

/// Gathers the tokens of a statement, then reads it.
struct Reader<'t, 'd> {
    text: &'t str,
    diagnostics: &'d mut Vec<Diagnostic>,
    session: Session,
    assets: Assets,
    /// Tokens of the statement so far, trivia left out.
    tokens: Vec<Token>,
    /// Those of them where a `{partition}` may begin, by their place.
    braces: Vec<usize>,
    /// The first of them that begins no token. NUL has its own finding.
    unknown: Option<Token>,
    statements: Vec<Statement>,
}

impl Reader<'_, '_> {
    fn token(&mut self, kind: TokenKind, token: Token) {
        match kind {
            TokenKind::Unterminated(what) => {
                self.diagnostics
                    .push(unterminated(self.text, what, token.span));
                if kind.is_trivia() {
                    return;
                }
            }
            TokenKind::Open(Bracket::Curly) => self.braces.push(self.tokens.len()),
            TokenKind::String | TokenKind::EscapeString | TokenKind::DollarString
                if token.text(self.text).as_bytes().contains(&b'{') =>
            {
                self.braces.push(self.tokens.len());
            }
            TokenKind::Unknown if token.text(self.text) != "\0" => {
                self.unknown.get_or_insert(token);
            }
            _ => {}
        }
        self.tokens.push(token);
    }

    fn end_statement(&mut self) {
        if self.tokens.is_empty() {
            return;
        }
        if let Some(token) = self.unknown.take() {
            self.diagnostics
                .extend(unknown_character(self.text, &token));
        }
        let statement = self.statement();
        self.statements.push(statement);
        self.tokens.clear();
        self.braces.clear();
    }

    fn statement(&mut self) -> Statement {
        let (text, tokens) = (self.text, &self.tokens[..]);
        let Classified { kind, effect } = classify(text, tokens, &self.session);
        let references = if names_tables(&kind) {
            references(text, tokens)
        } else {
            Vec::new()
        };
        // A statement sees the session as those before it left it: `CREATE TEMP TABLE t AS FROM t`.
        self.assets.add(&kind, &references, &self.session);
        self.session.apply(effect);
        let tables = references
            .into_iter()
            .filter_map(|reference| match reference.target {
                Target::Table(name) | Target::FileTable(name) => Some(name),
                Target::File(_) => None,
            });
        Statement {
            span: tokens[0].span.to(tokens[tokens.len() - 1].span),
            tables: tables.collect(),
            tokens: partition_tokens::find(text, tokens, &self.braces),
            kind,
        }
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
