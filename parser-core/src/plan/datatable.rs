//! Databases that a script attaches as `datatable://name`.

use super::{PlanError, RunContext};
use crate::asset::AssetKind;
use crate::body::{Access, StatementKind};
use crate::script::Script;
use crate::source::Span;

/// The engine's secret that holds how the database `name` is reached.
#[must_use]
pub fn secret_name(name: &str) -> String {
    ["_wm_datatable_", &name.to_ascii_lowercase()].concat()
}

/// The database `name` as it is declared.
pub(super) fn declared(name: &str, span: Span, context: &RunContext) -> Result<String, PlanError> {
    let mut known = context.datatables.iter();
    known
        .find(|known| known.eq_ignore_ascii_case(name))
        .cloned()
        .ok_or_else(|| PlanError::unknown_datatable(name, &context.datatables, span))
}

/// Whether a script that writes by itself reads the database `name`, and certainly does nothing else with it.
pub(super) fn is_only_read(name: &str, script: &Script) -> bool {
    let is_in = |path: &str| {
        path.split_once('/')
            .is_some_and(|(database, _)| database.eq_ignore_ascii_case(name))
    };
    let mut is_read = false;
    for used in &script.body.assets {
        if used.asset.kind == AssetKind::Datatable && is_in(&used.asset.path) {
            is_read = true;
            if used.access != Access::Read {
                return false;
            }
        }
    }
    // Of these statements it is known what they write.
    const WRITES: [&str; 7] = [
        "INSERT",
        "UPDATE",
        "DELETE",
        "MERGE",
        "CREATE TABLE",
        "DROP TABLE",
        "COPY",
    ];
    let is_known = |kind: &StatementKind, names_tables: bool| match kind {
        StatementKind::Output(_) | StatementKind::Setup(_) | StatementKind::Transaction => true,
        // `COPY FROM DATABASE a TO b` names no table.
        StatementKind::Write { verb } => names_tables && WRITES.contains(&verb.as_str()),
        StatementKind::Other => false,
    };
    let statements = &script.body.statements;
    is_read
        && statements
            .iter()
            .all(|statement| is_known(&statement.kind, !statement.tables.is_empty()))
}
