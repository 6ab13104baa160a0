//! The only place that makes SQL text.
//!
//! Identifiers and values are written by different calls (`Sql::ident`, `Sql::literal`), so that a
//! name can never become SQL. User SQL is copied with a map back to the script, so that an engine
//! error is shown at the script's own line and column.

mod checks;
mod history;
mod statements;
mod writer;

pub use checks::{checks, expression, sample, script_check, script_sample};
pub use statements::render;
pub use writer::Rendered;

use writer::Sql;
