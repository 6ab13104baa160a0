//! From tokens to statements: cut at each `;`, with what a reader would otherwise look for token by token.

use crate::{Bracket, Keyword, Lexer, Span, Token, TokenKind};

/// Cuts a text into statements, one after the other, in one pass.
#[derive(Debug)]
pub struct Splitter<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    tokens: Vec<Token>,
    braces: Vec<usize>,
    odd: Vec<Token>,
    comment_lines: Vec<Span>,
    stops: Stops,
}

/// The tokens of one statement, without its `;`.
#[derive(Clone, Copy, Debug)]
pub struct StatementTokens<'s> {
    /// Trivia left out. Empty when there is nothing but an [`odd`](Self::odd) one.
    pub tokens: &'s [Token],
    /// Places among the tokens of `{`, and of closed string literals that hold one.
    pub braces: &'s [usize],
    /// Tokens that are never closed, comments among them, and those of no known kind.
    pub odd: &'s [Token],
    /// Where a reader of tables has to look, in text order: brackets, and words that
    /// [lead to tables](Keyword::leads_to_tables).
    pub stops: &'s [Stop],
}

/// A token that a reader of tables has to look at.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// Its place among the tokens.
    pub place: usize,
    /// Which stop may come next: for a bracket with neither a string nor a word that leads to tables in it the one behind it.
    pub next: usize,
}

/// Finds the stops.
#[derive(Debug, Default)]
struct Stops {
    found: Vec<Stop>,
    /// Brackets that are open: which stop each is, and how many strings and words came before it.
    open: Vec<(usize, usize)>,
    /// Strings, and words that lead to tables.
    met: usize,
}

impl Stops {
    fn clear(&mut self) {
        self.found.clear();
        self.open.clear();
    }

    fn push(&mut self, place: usize) {
        let next = self.found.len() + 1;
        self.found.push(Stop { place, next });
    }

    fn open(&mut self, place: usize) {
        self.open.push((self.found.len(), self.met));
        self.push(place);
    }

    fn close(&mut self, place: usize) {
        self.push(place);
        if let Some((open, met)) = self.open.pop()
            && met == self.met
        {
            self.found[open].next = self.found.len();
        }
    }

    /// A word that leads to tables.
    fn word(&mut self, place: usize) {
        self.met += 1;
        self.push(place);
    }

    /// A string: a function may read the file that it names.
    const fn string(&mut self) {
        self.met += 1;
    }
}

/// At most this many tokens get their room before the first of them is read.
const MOST_RESERVED: usize = 1 << 16;

impl<'t> Splitter<'t> {
    /// Statements of `text` from byte `start` on; see [`Lexer::new`].
    #[must_use]
    pub fn new(text: &'t str, start: usize) -> Self {
        // A token of SQL is six bytes or so, with the spaces before it; room for more is cheaper than moving them.
        let expected = text.len().saturating_sub(start) / 5;
        Self {
            text,
            lexer: Lexer::new(text, start),
            tokens: Vec::with_capacity(expected.min(MOST_RESERVED)),
            braces: Vec::new(),
            odd: Vec::new(),
            comment_lines: Vec::new(),
            stops: Stops::default(),
        }
    }

    /// The next statement that is not empty. Not a part of its caller, which is compiled for size.
    #[inline(never)]
    pub fn next_statement(&mut self) -> Option<StatementTokens<'_>> {
        self.tokens.clear();
        self.braces.clear();
        self.odd.clear();
        self.stops.clear();
        loop {
            self.lexer.pass_blanks();
            let Some(token) = self.lexer.step() else {
                break;
            };
            match token.kind {
                TokenKind::Word if token.keyword.is_some_and(Keyword::leads_to_tables) => {
                    self.stops.word(self.tokens.len());
                }
                TokenKind::Space | TokenKind::BlockComment => continue,
                TokenKind::LineComment => {
                    if begins_line(&self.text[..token.span.start]) {
                        self.comment_lines.push(token.span);
                    }
                    continue;
                }
                TokenKind::Semicolon if self.tokens.is_empty() => continue,
                TokenKind::Semicolon => break,
                TokenKind::Open(bracket) => {
                    if bracket == Bracket::Curly {
                        self.braces.push(self.tokens.len());
                    }
                    self.stops.open(self.tokens.len());
                }
                TokenKind::Close(_) => self.stops.close(self.tokens.len()),
                TokenKind::String | TokenKind::EscapeString | TokenKind::DollarString => {
                    self.stops.string();
                    if token.text(self.text).as_bytes().contains(&b'{') {
                        self.braces.push(self.tokens.len());
                    }
                }
                TokenKind::Unterminated(_) | TokenKind::Unknown => {
                    self.odd.push(token);
                    if token.kind.is_trivia() {
                        continue;
                    }
                }
                _ => {}
            }
            self.tokens.push(token);
        }
        if self.tokens.is_empty() && self.odd.is_empty() {
            return None;
        }
        Some(StatementTokens {
            tokens: &self.tokens,
            braces: &self.braces,
            odd: &self.odd,
            stops: &self.stops.found,
        })
    }

    /// Comments from `--` to the end of their line that stand alone on it, as far as statements were asked for.
    #[must_use]
    pub fn into_comment_lines(self) -> Vec<Span> {
        self.comment_lines
    }
}

/// Whether nothing but space stands on the last line of `before`.
fn begins_line(before: &str) -> bool {
    let mut rest = before.as_bytes();
    loop {
        rest = match rest {
            [] | [.., b'\n' | b'\r'] => return true,
            [rest @ .., b' ' | b'\t'] => rest,
            [.., 0..0x80] => return false,
            // The spaces of Unicode are rare enough to be read as text.
            _ => {
                let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
                return line.trim().is_empty();
            }
        };
    }
}
