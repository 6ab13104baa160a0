//! A position among the tokens of one statement, trivia left out.

use crate::lex::{Bracket, Keyword, Token, TokenKind};
use crate::source::{Span, Spanned};

/// Reads tokens forward. Every method that moves moves by at least one token or not at all.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    tokens: &'t [Token],
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) const fn new(text: &'t str, tokens: &'t [Token]) -> Self {
        Self {
            text,
            tokens,
            at: 0,
        }
    }

    pub(super) fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    /// Moves to a place among the tokens that is not behind it.
    pub(super) fn move_to(&mut self, place: usize) {
        self.at = place.max(self.at);
    }

    pub(super) const fn place(&self) -> usize {
        self.at
    }

    /// The token `ahead` places after the next.
    pub(super) fn peek_at(&self, ahead: usize) -> Option<&'t Token> {
        self.tokens.get(self.at + ahead)
    }

    /// The token `back` places before the next; 1 is the last one taken.
    pub(super) fn behind(&self, back: usize) -> Option<&'t Token> {
        self.tokens.get(self.at.checked_sub(back)?)
    }

    pub(super) fn next(&mut self) -> Option<&'t Token> {
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        Some(token)
    }

    /// Whether the next token is the unquoted word `keyword`.
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.peek()
            .is_some_and(|token| token.is_word(self.text, keyword))
    }

    pub(super) fn is_kind(&self, kind: TokenKind) -> bool {
        self.peek().is_some_and(|token| token.kind == kind)
    }

    /// Takes the next token if it is the unquoted word `keyword`.
    pub(super) fn eat(&mut self, keyword: &str) -> bool {
        let found = self.is(keyword);
        self.at += usize::from(found);
        found
    }

    /// Takes these words in a row, or nothing.
    pub(super) fn eat_all(&mut self, keywords: &[&str]) -> bool {
        let found = keywords.iter().enumerate().all(|(ahead, keyword)| {
            self.peek_at(ahead)
                .is_some_and(|token| token.is_word(self.text, keyword))
        });
        self.at += if found { keywords.len() } else { 0 };
        found
    }

    pub(super) fn eat_kind(&mut self, kind: TokenKind) -> bool {
        let found = self.is_kind(kind);
        self.at += usize::from(found);
        found
    }

    /// Takes an identifier.
    pub(super) fn name(&mut self) -> Option<Spanned<String>> {
        let token = self.peek()?;
        let name = token.name(self.text)?;
        self.at += 1;
        Some(Spanned::new(name, token.span))
    }

    /// Takes a name of one or more parts: `a`, `a.b`, `"a" . b . c`.
    pub(super) fn qualified_name(&mut self) -> Vec<Spanned<String>> {
        let mut parts = Vec::new();
        parts.extend(self.name());
        while let Some(dot) = self.peek().filter(|token| token.kind == TokenKind::Dot) {
            let Some(next) = self.peek_at(1).filter(|_| !parts.is_empty()) else {
                break;
            };
            // `FROM lake. WHERE`: the name is not typed yet.
            let is_gap = dot.span.end < next.span.start;
            if next.name(self.text).is_none() || (is_gap && is_reserved(next)) {
                break;
            }
            self.at += 1;
            parts.extend(self.name());
        }
        parts
    }

    /// Takes a bracketed group with all that is in it; an unclosed one reaches to the end. Gives
    /// the span between the brackets.
    pub(super) fn group(&mut self) -> Option<Span> {
        let open = self.peek()?;
        if !matches!(open.kind, TokenKind::Open(_)) {
            return None;
        }
        let mut depth = 0usize;
        let mut last = open.span.end;
        while let Some(token) = self.next() {
            depth += usize::from(matches!(token.kind, TokenKind::Open(_)));
            depth -= usize::from(matches!(token.kind, TokenKind::Close(_)));
            if depth == 0 {
                return Some(Span::new(open.span.end, token.span.start));
            }
            last = token.span.end;
        }
        Some(Span::new(open.span.end, last))
    }

    /// Takes opening parentheses; says how many.
    pub(super) fn opening(&mut self) -> usize {
        let before = self.at;
        while self.eat_kind(TokenKind::Open(Bracket::Round)) {}
        self.at - before
    }

    /// Takes `WITH [RECURSIVE] a AS (…), b(c) AS MATERIALIZED (…)` up to the main verb. Does nothing
    /// elsewhere.
    pub(super) fn common_tables(&mut self) {
        if !self.eat("with") {
            return;
        }
        loop {
            while !self.is("as") {
                match self.peek().map(|token| token.kind) {
                    Some(TokenKind::Open(_)) => drop(self.group()),
                    Some(_) => drop(self.next()),
                    None => return,
                }
            }
            self.eat("as");
            self.eat("not");
            self.eat("materialized");
            if self.group().is_none() || !self.eat_kind(TokenKind::Comma) {
                return;
            }
        }
    }
}

/// Whether it is a word that the engine reserves.
pub(super) fn is_reserved(token: &Token) -> bool {
    token.keyword.is_some_and(Keyword::is_reserved)
}
