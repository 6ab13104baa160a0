//! A position among the tokens of one statement, with the bracket it is in.

use super::Tracer;
use super::names::Name;
use crate::lex::{Bracket, Keyword, Lexer, Token, TokenKind};
use crate::source::Span;

/// So deep brackets are read; what is deeper is unknown.
const DEEPEST: usize = 100;

/// Tokens of a statement, trivia left out, and where reading is.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    tokens: Vec<Token>,
    /// Of each opening bracket: the place of its closing one, or the end.
    close: Vec<u32>,
    pub(super) at: usize,
    /// The end of the bracket, or of the clause, that is being read.
    pub(super) end: usize,
    depth: usize,
}

impl Tokens {
    /// Takes the tokens of another statement.
    pub(super) fn load(&mut self, text: &str, span: Span) {
        self.tokens.clear();
        self.close.clear();
        // A token of SQL is six bytes or so, with the spaces before it.
        self.tokens.reserve(span.len() / 6);
        self.close.reserve(span.len() / 6);
        let mut open: Vec<u32> = Vec::new();
        for token in Lexer::new(text, span.start) {
            if token.span.start >= span.end {
                break;
            }
            if token.kind.is_trivia() {
                continue;
            }
            let place = self.tokens.len() as u32;
            match token.kind {
                TokenKind::Open(_) => open.push(place),
                TokenKind::Close(_) => {
                    if let Some(opened) = open.pop() {
                        self.close[opened as usize] = place;
                    }
                }
                _ => {}
            }
            self.tokens.push(token);
            self.close.push(u32::MAX);
        }
        self.at = 0;
        self.end = self.tokens.len();
        self.depth = 0;
    }

    /// Where the bracket that opens at `at` closes, in what is being read.
    pub(super) fn closing(&self, at: usize) -> usize {
        (self.close[at] as usize).min(self.end)
    }

    /// Whether a round bracket opens at `at`.
    pub(super) fn is_open(&self, at: usize) -> bool {
        let kind = self.tokens.get(at).map(|token| token.kind);
        kind == Some(TokenKind::Open(Bracket::Round))
    }

    /// The tokens from `begin` to before `end`.
    pub(super) fn between(&self, begin: usize, end: usize) -> Option<&[Token]> {
        self.tokens.get(begin..end)
    }

    /// The place behind the token at `at`, which takes its bracket with it.
    pub(super) fn behind(&self, at: usize) -> usize {
        match self.tokens[at].kind {
            TokenKind::Open(_) => (self.closing(at) + 1).min(self.end),
            _ => at + 1,
        }
    }
}

impl<'a> Tracer<'a> {
    pub(super) fn token(&self, ahead: usize) -> Option<&Token> {
        let at = self.tokens.at + ahead;
        if at < self.tokens.end {
            self.tokens.tokens.get(at)
        } else {
            None
        }
    }

    /// The kind of the token `ahead` places after the next. Behind the end there is a `;`.
    pub(super) fn kind(&self, ahead: usize) -> TokenKind {
        self.token(ahead)
            .map_or(TokenKind::Semicolon, |token| token.kind)
    }

    pub(super) fn key(&self, ahead: usize) -> Option<Keyword> {
        self.token(ahead).and_then(|token| token.keyword)
    }

    pub(super) fn is_end(&self) -> bool {
        self.tokens.at >= self.tokens.end
    }

    /// The text of the token `ahead` places after the next, when it is of this kind.
    fn text_of(&self, ahead: usize, kind: TokenKind) -> &'a str {
        self.token(ahead)
            .filter(|token| token.kind == kind)
            .map_or("", |token| token.text(self.text))
    }

    /// The unquoted word there, or nothing.
    pub(super) fn word(&self, ahead: usize) -> &'a str {
        self.text_of(ahead, TokenKind::Word)
    }

    pub(super) fn operator(&self, ahead: usize) -> &'a str {
        self.text_of(ahead, TokenKind::Operator)
    }

    pub(super) fn is_word(&self, ahead: usize, word: &str) -> bool {
        self.word(ahead).eq_ignore_ascii_case(word)
    }

    pub(super) fn is_open(&self, ahead: usize) -> bool {
        self.kind(ahead) == TokenKind::Open(Bracket::Round)
    }

    /// A word or a quoted identifier.
    pub(super) fn is_name(&self, ahead: usize) -> bool {
        matches!(self.kind(ahead), TokenKind::Word | TokenKind::QuotedIdent)
    }

    /// The same of the token at a place.
    pub(super) fn is_named(&self, at: usize) -> bool {
        let kind = self.tokens.tokens.get(at).map(|token| token.kind);
        matches!(kind, Some(TokenKind::Word | TokenKind::QuotedIdent))
    }

    /// A name that may stand where a reserved word would be a keyword.
    pub(super) fn is_free_name(&self, ahead: usize) -> bool {
        self.is_name(ahead) && !self.key(ahead).is_some_and(Keyword::is_reserved)
    }

    pub(super) fn eat_key(&mut self, keyword: Keyword) -> bool {
        let found = self.key(0) == Some(keyword);
        self.tokens.at += usize::from(found);
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(0, word);
        self.tokens.at += usize::from(found);
        found
    }

    pub(super) fn eat_comma(&mut self) -> bool {
        let found = self.kind(0) == TokenKind::Comma;
        self.tokens.at += usize::from(found);
        found
    }

    /// The text of the token at a place.
    pub(super) fn text_at(&self, at: usize) -> &'a str {
        self.span(at, at + 1).slice(self.text)
    }

    /// The name that the token at a place spells.
    pub(super) fn name_at(&mut self, at: usize) -> Name {
        let Some(token) = self.tokens.tokens.get(at) else {
            return Name::number(0);
        };
        let Span { start, end } = token.span;
        let quote = match token.kind {
            TokenKind::QuotedIdent => '"',
            TokenKind::String => '\'',
            _ => return self.names.at(start, end),
        };
        let inner = self.text.get(start + 1..end - 1).unwrap_or_default();
        if inner.contains(quote) {
            return self.names.make(&crate::lex::undoubled(inner, quote));
        }
        self.names.at(start + 1, end - 1)
    }

    /// The span from the token at `from` to the one before `to`.
    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        let last = to.max(from + 1) - 1;
        match (self.tokens.tokens.get(from), self.tokens.tokens.get(last)) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::default(),
        }
    }

    /// Goes into the bracket that opens here, and gives what [`Self::leave`] wants; `None` when it is too deep to be read: then
    /// it is skipped.
    pub(super) fn enter(&mut self) -> Option<usize> {
        let tokens = &mut self.tokens;
        let end = tokens.closing(tokens.at);
        if tokens.depth >= DEEPEST {
            tokens.at = tokens.behind(tokens.at);
            self.give_up();
            return None;
        }
        tokens.depth += 1;
        tokens.at += 1;
        Some(std::mem::replace(&mut tokens.end, end))
    }

    /// Goes out of a bracket, behind its closing one.
    pub(super) fn leave(&mut self, outer: usize) {
        let tokens = &mut self.tokens;
        tokens.depth -= 1;
        tokens.at = (tokens.end + 1).min(outer);
        tokens.end = outer;
    }

    /// Skips the next token, with its bracket.
    pub(super) fn skip(&mut self) {
        if !self.is_end() {
            self.tokens.at = self.tokens.behind(self.tokens.at);
        }
    }

    /// Whether a query begins `ahead` places after the next token, the first in a bracket.
    pub(super) fn begins_query(&self, ahead: usize) -> bool {
        match self.key(ahead) {
            Some(Keyword::Values) => self.is_open(ahead + 1),
            Some(keyword) => keyword.begins_query(),
            None => false,
        }
    }

    /// Whether a query begins here, itself in brackets or not: `(SELECT …) UNION …`, but no `(SELECT …) t JOIN …`.
    pub(super) fn begins_bracketed_query(&self) -> bool {
        let mut ahead = 0;
        while self.is_open(ahead) {
            ahead += 1;
        }
        if !self.begins_query(ahead) {
            return false;
        }
        // From the innermost bracket outwards, each is a query when nothing but a query goes on behind the one in it.
        while ahead > 0 {
            ahead -= 1;
            let behind = self.tokens.closing(self.tokens.at + ahead) + 1;
            let outer = if ahead == 0 {
                self.tokens.end
            } else {
                self.tokens.closing(self.tokens.at + ahead - 1)
            };
            let goes_on = behind < outer
                && !matches!(
                    self.tokens.tokens[behind].keyword,
                    Some(
                        Keyword::Union
                            | Keyword::Except
                            | Keyword::Intersect
                            | Keyword::Order
                            | Keyword::Limit
                            | Keyword::Offset
                    )
                );
            if goes_on {
                return false;
            }
        }
        true
    }
}
