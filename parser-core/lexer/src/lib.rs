//! DuckDB's lexical rules (spec: body, "Lexing and splitting").
//!
//! The rules were measured on the engine, which differs from standard SQL in places: block comments
//! nest, a lone CR ends a line comment, every character above ASCII that is not one of its spaces
//! is part of an identifier, and `'a'` followed on another line by `'b'` is one literal.
//!
//! ```
//! use parser_lexer::{TokenKind, lex};
//! let kinds: Vec<_> = lex("a;'b;'", 0).iter().map(|token| token.kind).collect();
//! assert_eq!(kinds, [TokenKind::Word, TokenKind::Semicolon, TokenKind::String]);
//! ```
#![forbid(unsafe_code)]

mod byte;
mod keyword;
mod literal;
mod scan;
mod span;
mod split;
#[cfg(test)]
mod tests;
mod token;

pub use byte::is_in_name;
pub use keyword::Keyword;
pub use literal::{string_value, undoubled};
pub use scan::{Lexer, lex};
pub use span::{Span, Spanned};
pub use split::{Splitter, StatementTokens, Stop};
pub use token::{Bracket, Token, TokenKind, Unterminated};
