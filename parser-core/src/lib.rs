//! lakemill's pure core: text → typed script → typed plan → SQL text.
//!
//! Nothing here reads a file, a clock, the environment or a network, so the same code runs in the
//! browser and in the executor. See `ARCHITECTURE.md` beside this crate for the rooms and invariants.
//!
//! ```
//! let parsed = parser_core::parse("-- materialize ducklake://shop/orders\nSELECT 1 AS id\n");
//! assert!(parsed.diagnostics.is_empty());
//! assert!(parsed.script.header.materialize.is_some());
//! ```
#![forbid(unsafe_code)]

pub mod asset;
pub mod body;
pub mod diagnostic;
pub mod editor;
pub mod graph;
pub mod header;
pub mod lineage;
mod names;
pub mod partition;
pub mod plan;
pub mod render;
pub mod script;
mod sort;
pub mod source;
pub mod validate;
pub mod wire;

pub use parser_lexer as lex;
pub use script::{Parsed, Script, parse};
