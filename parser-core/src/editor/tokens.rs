//! Semantic tokens: a script in classes that an editor colours, without a grammar of its own.

use super::anatomy;
use super::keywords::is_keyword;
use crate::body::Body;
use crate::lex::{Bracket, Lexer, Token, TokenKind, Unterminated};
use crate::source::Span;

macro_rules! classes {
    ($( $(#[$doc:meta])* $variant:ident = $word:literal, )*) => {
        /// What a semantic token is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum TokenClass { $( $(#[$doc])* $variant, )* }

        impl TokenClass {
            /// Every class; a class's place in it is its number on the wire.
            pub const ALL: &'static [Self] = &[$( Self::$variant, )*];

            /// Its name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $word, )* }
            }
        }
    };
}

classes! {
    /// Ordinary comments, and words of an annotation that mean nothing.
    Comment = "comment",
    /// The keyword of an annotation.
    Annotation = "annotation",
    /// An option's name, or a flag.
    Option = "option",
    /// A word of the annotation's grammar, a time zone, a tag.
    Value = "value",
    /// An asset's URI.
    Asset = "asset",
    /// A column that an annotation names.
    Column = "column",
    /// A number or a duration.
    Number = "number",
    /// A text.
    String = "string",
    /// A keyword of SQL.
    Keyword = "keyword",
    /// A name in SQL.
    Identifier = "identifier",
    /// An operator.
    Operator = "operator",
    /// `{partition}` and its like.
    Partition = "partition",
}

/// The tokens of `text` in text order. None overlaps another, none is empty, and each lies on one
/// line.
#[must_use]
pub fn semantic_tokens(text: &str) -> Vec<(Span, TokenClass)> {
    let script = crate::parse(text).script;
    let mut found = Vec::new();
    for part in anatomy::parts(text, script.header.span.end) {
        push(text, part.span, part.class, &mut found);
    }
    body(text, &script.body, &mut found);
    found
}

/// The tokens of a piece of SQL that starts at byte `at` of the script.
pub(super) fn sql(piece: &str, at: usize) -> Vec<(Span, TokenClass)> {
    let tokens: Vec<Token> = Lexer::new(piece, 0).collect();
    let mut found = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        if let Some(class) = class(piece, &tokens, place) {
            found.push((Span::new(token.span.start + at, token.span.end + at), class));
        }
    }
    found
}

fn body(text: &str, body: &Body, found: &mut Vec<(Span, TokenClass)>) {
    let tokens: Vec<Token> = Lexer::new(text, body.span.start).collect();
    let mut partitions = body
        .statements
        .iter()
        .flat_map(|statement| &statement.tokens)
        .filter_map(|token| braces(text, token.span))
        .peekable();
    for (place, token) in tokens.iter().enumerate() {
        let class = class(text, &tokens, place);
        // `{partition}` is three tokens, and inside a string it is part of one.
        let mut at = token.span.start;
        while let Some(partition) = partitions.peek().copied() {
            if partition.start >= token.span.end {
                break;
            }
            if partition.start >= token.span.start {
                fragment(text, Span::new(at, partition.start), class, found);
                push(text, partition, TokenClass::Partition, found);
            }
            at = at.max(partition.end.min(token.span.end));
            if partition.end > token.span.end {
                break;
            }
            partitions.next();
        }
        fragment(text, Span::new(at, token.span.end), class, found);
    }
}

fn fragment(
    text: &str,
    span: Span,
    class: Option<TokenClass>,
    found: &mut Vec<(Span, TokenClass)>,
) {
    if let Some(class) = class {
        push(text, span, class, found);
    }
}

/// The braces of a partition token, without the quotes round them.
fn braces(text: &str, span: Span) -> Option<Span> {
    let literal = span.slice(text);
    let (open, close) = (literal.find('{')?, literal.rfind('}')?);
    (open < close).then(|| Span::new(span.start + open, span.start + close + 1))
}

/// Editors take tokens of one line.
fn push(text: &str, span: Span, class: TokenClass, found: &mut Vec<(Span, TokenClass)>) {
    let mut at = span.start;
    for line in span.slice(text).split(['\n', '\r']) {
        let end = at + line.len();
        if !line.is_empty() {
            found.push((Span::new(at, end), class));
        }
        at = end + 1;
    }
}

fn class(text: &str, tokens: &[Token], at: usize) -> Option<TokenClass> {
    let token = tokens.get(at)?;
    let is_at = |place: Option<usize>, kind: TokenKind| {
        place
            .and_then(|place| tokens.get(place))
            .is_some_and(|token| token.kind == kind)
    };
    match token.kind {
        TokenKind::LineComment
        | TokenKind::BlockComment
        | TokenKind::Unterminated(Unterminated::Comment) => Some(TokenClass::Comment),
        TokenKind::String
        | TokenKind::EscapeString
        | TokenKind::BitString
        | TokenKind::DollarString
        | TokenKind::Unterminated(Unterminated::String | Unterminated::DollarString) => {
            Some(TokenClass::String)
        }
        TokenKind::QuotedIdent
        | TokenKind::Parameter
        | TokenKind::Positional
        | TokenKind::Unterminated(Unterminated::Ident) => Some(TokenClass::Identifier),
        TokenKind::Word => {
            let before_bracket = is_at(Some(at + 1), TokenKind::Open(Bracket::Round));
            let is_part = is_at(at.checked_sub(1), TokenKind::Dot);
            Some(
                if !is_part && is_keyword(token.text(text), before_bracket) {
                    TokenClass::Keyword
                } else {
                    TokenClass::Identifier
                },
            )
        }
        TokenKind::Number => Some(TokenClass::Number),
        TokenKind::Operator => Some(TokenClass::Operator),
        TokenKind::Space
        | TokenKind::Open(_)
        | TokenKind::Close(_)
        | TokenKind::Comma
        | TokenKind::Semicolon
        | TokenKind::Dot
        | TokenKind::Unknown => None,
    }
}
