//! Statements of a history (SCD type 2).

use super::Sql;
use crate::plan::sql::{Ident, TableRef};

/// The variable that holds the run's effective time.
const EFFECTIVE: &str = "_wm_effective_at";

/// The transaction's clock, or a microsecond after the newest time in the table, if that is later: clocks are set back,
/// and those of two machines differ. Microseconds are counted in UTC, so no session's time zone has a part in it.
pub(super) fn effective_time(sql: &mut Sql, table: &TableRef) {
    sql.raw("SET VARIABLE ")
        .raw(EFFECTIVE)
        .raw(
            " = (SELECT greatest(make_timestamp(epoch_us(now())), \
             max(greatest(valid_from, valid_to)) + INTERVAL 1 MICROSECOND) FROM ",
        )
        .table(table)
        .raw(")");
}

/// A join by key finds the current version of a row; rows without one, and with one that differs, are kept.
pub(super) fn find_changes(
    sql: &mut Sql,
    into: &TableRef,
    staged: &TableRef,
    table: &TableRef,
    key: &[Ident],
    tracked: &[Ident],
) {
    sql.raw("CREATE OR REPLACE TEMP TABLE ")
        .table(into)
        .raw(" AS SELECT _wm_s.* FROM ")
        .table(staged)
        .raw(" AS _wm_s LEFT JOIN (SELECT * FROM ")
        .table(table)
        .raw(" WHERE is_current) AS _wm_t ON ");
    same_key(sql, key);
    sql.raw(" WHERE _wm_t.is_current IS NULL");
    for column in tracked {
        sql.raw(" OR _wm_s.")
            .ident(column)
            .raw(" IS DISTINCT FROM _wm_t.")
            .ident(column);
    }
}

/// Ends the current versions of keys that changed or, where that is wanted, vanished.
pub(super) fn close_versions(
    sql: &mut Sql,
    table: &TableRef,
    changes: &TableRef,
    key: &[Ident],
    unless_in: Option<&TableRef>,
) {
    sql.raw("UPDATE ")
        .table(table)
        .raw(" AS _wm_t SET valid_to = getvariable('")
        .raw(EFFECTIVE)
        .raw("'), is_current = false WHERE is_current AND (");
    exists(sql, changes, key);
    if let Some(staged) = unless_in {
        sql.raw(" OR NOT ");
        exists(sql, staged, key);
    }
    sql.raw(")");
}

/// `, … AS valid_from, … AS valid_to, … AS is_current` of a new version.
pub(super) fn version_columns(sql: &mut Sql) {
    sql.raw(", getvariable('")
        .raw(EFFECTIVE)
        .raw("') AS valid_from, CAST(NULL AS TIMESTAMP) AS valid_to, true AS is_current");
}

/// Nothing happens when another run has just made it.
pub(super) fn current_view(sql: &mut Sql, view: &TableRef, table: &TableRef) {
    sql.raw("CREATE VIEW IF NOT EXISTS ")
        .table(view)
        .raw(" AS SELECT * FROM ")
        .table(table)
        .raw(" WHERE is_current");
}

fn exists(sql: &mut Sql, rows: &TableRef, key: &[Ident]) {
    sql.raw("EXISTS (SELECT 1 FROM ")
        .table(rows)
        .raw(" AS _wm_s WHERE ");
    same_key(sql, key);
    sql.raw(")");
}

fn same_key(sql: &mut Sql, key: &[Ident]) {
    sql.list(key, " AND ", |sql, column| {
        sql.raw("_wm_s.")
            .ident(column)
            .raw(" IS NOT DISTINCT FROM _wm_t.")
            .ident(column);
    });
}
