//! What an editor asks while a person types: completion, hover, semantic tokens, where a name is defined.
//!
//! All of it is a function of the text, a byte offset in it and what the caller knows of the lakes.
//! Total, as `parse` is: any text and any offset give an answer, and spans lie in bounds on character
//! boundaries.
//!
//! ```
//! use parser_core::editor::{CompletionContext, complete};
//! let text = "-- materialize ducklake://shop/orders on_schema_change=f";
//! let found = complete(text, text.len(), &CompletionContext::default());
//! assert_eq!(found[0].label, "fail");
//! ```

mod anatomy;
mod columns;
mod complete;
mod context;
mod hover;
mod keywords;
pub mod registry;
#[cfg(test)]
mod tests;
mod tokens;

pub use columns::{definition, hover_column};
pub use complete::{Completion, CompletionKind, complete};
pub use context::{CompletionContext, KnownAsset, KnownColumn};
pub use hover::{Hover, hover};
pub use tokens::{TokenClass, semantic_tokens};

/// The character boundary at or before `offset`; past the end it is the end.
fn boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
