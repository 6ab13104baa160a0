//! What stays attached from one session to the next.

use std::path::Path;
use std::time::SystemTime;

use parser_core::plan::sql::Ident;
use parser_core::plan::{Catalog, Statement};
use parser_core::render::render;

use super::question;

/// What one session after the other may use as it is attached: a lake, since to read its catalog anew costs more than a small
/// write, or a database in memory that holds what they share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    pub(super) name: String,
    sql: String,
    /// A catalog that was deleted and made anew at the same place is another.
    made: Option<SystemTime>,
}

impl Attachment {
    /// What `statement` attaches, if that can stay.
    ///
    /// A catalog in SQLite is opened for each transaction anew. A DuckDB file would be kept from other processes as long as
    /// it is attached, and a connection to a server may break between two sessions.
    #[must_use]
    pub fn of(statement: &Statement) -> Option<Self> {
        let Statement::AttachLake { source, alias, .. } = statement else {
            return None;
        };
        let Catalog::Sqlite(file) = &source.catalog else {
            return None;
        };
        Some(Self {
            name: alias.0.clone(),
            sql: render(statement).sql().to_owned(),
            made: Some(std::fs::metadata(Path::new(file)).ok()?.created().ok()?),
        })
    }

    /// A database in memory, attached by [`question::attach_memory`].
    #[must_use]
    pub fn in_memory(name: &Ident) -> Self {
        Self {
            name: name.0.clone(),
            sql: question::attach_memory(name).sql().to_owned(),
            made: None,
        }
    }
}
