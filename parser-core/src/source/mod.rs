//! Positions in a text: byte spans, and what editors want instead of them.

mod line_index;
pub(crate) mod search;

pub use line_index::{LineIndex, Range};
pub use parser_lexer::{Span, Spanned};
