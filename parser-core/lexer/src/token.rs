//! Tokens and their kinds.

use crate::{Keyword, Span, undoubled};

/// A lexical token. Tokens tile the text: each begins where the one before ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Of a word: the keyword that it spells.
    pub keyword: Option<Keyword>,
    /// Where it stands.
    pub span: Span,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// White space, ASCII or Unicode.
    Space,
    /// `-- …`, without the line's end.
    LineComment,
    /// `/* … */`, nested ones included.
    BlockComment,
    /// `'…'`; also the second part of a literal that goes on in another line.
    String,
    /// `E'…'`; also the second part of one that goes on in another line (then without `E`).
    EscapeString,
    /// `x'…'` or `b'…'`.
    BitString,
    /// `$$…$$` or `$tag$…$tag$`.
    DollarString,
    /// `"…"`.
    QuotedIdent,
    /// Keyword or unquoted identifier.
    Word,
    /// `42`, `1_000`, `.5`, `1e-3`. The engine reads `0x1F` as `0` with the alias `x1F`, and so does this.
    Number,
    /// `?`, `$1`, `$name`, or a lone `$`.
    Parameter,
    /// `#1`.
    Positional,
    /// A run of operator characters, or `:`, `::`, `:=`.
    Operator,
    /// `(`, `[` or `{`.
    Open(Bracket),
    /// `)`, `]` or `}`.
    Close(Bracket),
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `.`
    Dot,
    /// Opened, never closed: it reaches to the text's end.
    Unterminated(Unterminated),
    /// A character that begins no token: `\`, NUL and other control characters.
    Unknown,
}

impl TokenKind {
    /// White space and comments: what the grammar does not see.
    #[must_use]
    pub const fn is_trivia(self) -> bool {
        matches!(
            self,
            Self::Space
                | Self::LineComment
                | Self::BlockComment
                | Self::Unterminated(Unterminated::Comment)
        )
    }

    /// A closed literal that holds text.
    #[must_use]
    pub const fn is_string(self) -> bool {
        matches!(self, Self::String | Self::EscapeString | Self::DollarString)
    }
}

/// The kinds of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bracket {
    /// `( )`
    Round,
    /// `[ ]`
    Square,
    /// `{ }`
    Curly,
}

/// What was opened and never closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unterminated {
    /// `'…`, `E'…`, `x'…`
    String,
    /// `$tag$…`
    DollarString,
    /// `"…`
    Ident,
    /// `/* …`
    Comment,
}

impl Token {
    /// Its text.
    #[must_use]
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        self.span.slice(text)
    }

    /// Whether it is the unquoted word `keyword` (given in lower or upper case, ASCII).
    #[must_use]
    pub fn is_word(&self, text: &str, keyword: &str) -> bool {
        self.kind == TokenKind::Word && self.text(text).eq_ignore_ascii_case(keyword)
    }

    /// The name that a word or a quoted identifier spells, case kept.
    #[must_use]
    pub fn name(&self, text: &str) -> Option<String> {
        match self.kind {
            TokenKind::Word => Some(self.text(text).to_owned()),
            TokenKind::QuotedIdent => {
                let inner = self.text(text);
                inner
                    .get(1..inner.len().saturating_sub(1))
                    .map(|name| undoubled(name, '"'))
            }
            TokenKind::Space
            | TokenKind::LineComment
            | TokenKind::BlockComment
            | TokenKind::String
            | TokenKind::EscapeString
            | TokenKind::BitString
            | TokenKind::DollarString
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
}
