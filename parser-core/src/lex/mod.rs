//! DuckDB's lexical rules (spec: body, "Lexing and splitting").
//!
//! The rules were measured on the engine, which differs from standard SQL in places: block comments
//! nest, a lone CR ends a line comment, every character above ASCII that is not one of its spaces
//! is part of an identifier, and `'a'` followed on another line by `'b'` is one literal.
//!
//! ```
//! use parser_core::lex::{TokenKind, lex};
//! let kinds: Vec<_> = lex("a;'b;'", 0).iter().map(|token| token.kind).collect();
//! assert_eq!(kinds, [TokenKind::Word, TokenKind::Semicolon, TokenKind::String]);
//! ```

mod literal;
mod scan;
#[cfg(test)]
pub(crate) mod tests;
mod token;

pub use literal::string_value;
pub use scan::{Lexer, lex};
pub use token::{Bracket, Token, TokenKind, Unterminated};
