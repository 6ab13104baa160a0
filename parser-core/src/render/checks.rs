use super::statements::scope_condition;
use super::{Rendered, Sql};
use crate::plan::sql::{Ident, Literal, TableRef, UserSql};
use crate::plan::{Check, PARTITION_COLUMN, Probe, Scope, TARGET_ALIAS};

/// Rows of a sample.
const SAMPLE_ROWS: u32 = 20;
/// Size of a sample, in bytes of JSON; a larger one is dropped.
const SAMPLE_BYTES: u32 = 50 * 1024;

/// One query for all checks but those by scripts: one row, a BIGINT for each check in their order: its violating rows (for
/// `unique`: values), 0 for a script.
///
/// However many checks there are, the table is scanned once for all that look at a row by itself, and once for all that
/// look for values that stand twice. `None` when there is no such check.
#[must_use]
pub fn checks(checks: &[Check], target: &TableRef, scope: &Scope) -> Option<Rendered> {
    if checks.iter().all(|check| check.probe.is_script()) {
        return None;
    }
    let mut sql = Sql::default();
    sql.raw("WITH ");
    rows(&mut sql, target, scope);
    let twice = unique_columns(checks);
    if !twice.is_empty() {
        sql.raw(", _wm_twice AS MATERIALIZED (");
        values_that_stand_twice(&mut sql, &twice);
        sql.raw(")");
    }
    sql.raw(" SELECT ");
    let mut looks_at_rows = false;
    sql.list(checks, ", ", |sql, check| match &check.probe {
        Probe::Unique(column) => {
            let place = twice.iter().position(|known| *known == column);
            sql.raw("coalesce((SELECT violating FROM _wm_twice WHERE place = ")
                .raw(&place.unwrap_or_default().to_string())
                .raw("), 0)");
        }
        Probe::Script(_) => {
            sql.raw("0");
        }
        Probe::RowCount(comparison, rows) => {
            looks_at_rows = true;
            let rows = Literal::Integer(*rows);
            sql.raw("CASE WHEN count(*) ").raw(comparison.as_str());
            sql.raw(" ").literal(&rows);
            sql.raw(" THEN 0 ELSE greatest(abs(count(*) - ")
                .literal(&rows)
                .raw("), 1) END");
        }
        Probe::Freshness(column, seconds) => {
            looks_at_rows = true;
            // Without a value there is nothing to compare, which is no pass. An infinite one has no seconds: the one of
            // the future is younger than any, that of the past is older.
            sql.raw("CASE WHEN max(_wm_t.")
                .ident(column)
                .raw(") = 'infinity' OR epoch(max(_wm_t.")
                .ident(column)
                .raw(")) >= epoch(now()) - ")
                .literal(&Literal::Integer(*seconds))
                .raw(" THEN 0 ELSE 1 END");
        }
        Probe::NotNull(_)
        | Probe::AcceptedValues(..)
        | Probe::Relationships { .. }
        | Probe::Expression(_) => {
            looks_at_rows = true;
            sql.raw("count(*) FILTER (WHERE ");
            is_violated(sql, &check.probe);
            sql.raw(")");
        }
    });
    if looks_at_rows {
        sql.raw(" FROM _wm_rows AS _wm_t");
    }
    Some(sql.finish())
}

/// Some of the rows that violate a check: one row with a JSON list, or NULL when there is none to show.
#[must_use]
pub fn sample(check: &Check, target: &TableRef, scope: &Scope) -> Rendered {
    let mut sql = Sql::default();
    sql.raw("WITH ");
    rows(&mut sql, target, scope);
    sampled(&mut sql, |sql| {
        violating(sql, &check.probe, matches!(scope, Scope::Partition(_)));
    });
    sql.finish()
}

/// The values of an expression over the rows of a table; `describes` asks for their type instead.
#[must_use]
pub fn expression(expression: &UserSql, table: &TableRef, describes: bool) -> Rendered {
    let mut sql = Sql::default();
    sql.raw(if describes {
        "DESCRIBE SELECT "
    } else {
        "SELECT "
    });
    sql.subquery(expression).raw(" AS value FROM ").table(table);
    sql.finish()
}

/// How many rows a test script returns: one row, a BIGINT.
#[must_use]
pub fn script_check(query: &UserSql, target: &TableRef) -> Rendered {
    let mut sql = Sql::default();
    table_under_test(&mut sql, target);
    sql.raw(" SELECT count(*) FROM (\n").user(query).raw("\n)");
    sql.finish()
}

/// Some of them, as [`sample`] gives them.
#[must_use]
pub fn script_sample(query: &UserSql, target: &TableRef) -> Rendered {
    let mut sql = Sql::default();
    table_under_test(&mut sql, target);
    sampled(&mut sql, |sql| {
        sql.raw("\n").user(query).raw("\n");
    });
    sql.finish()
}

/// The table for scripts that name it without its lake: all of it, whatever the run wrote.
fn table_under_test(sql: &mut Sql, target: &TableRef) {
    sql.raw("WITH ")
        .ident(&Ident::new(TARGET_ALIAS))
        .raw(" AS (SELECT * FROM ")
        .table(target)
        .raw(")");
}

/// The first rows of a query as one JSON text.
fn sampled(sql: &mut Sql, rows: impl FnOnce(&mut Sql)) {
    sql.raw(&format!(
        " SELECT CASE WHEN strlen(s) <= {SAMPLE_BYTES} THEN s END FROM (SELECT CAST(TRY(to_json(rs)) AS VARCHAR) AS s FROM \
         (SELECT list(r) AS rs FROM (SELECT _wm_row AS r FROM ("
    ));
    rows(sql);
    sql.raw(&format!(") AS _wm_row LIMIT {SAMPLE_ROWS})))"));
}

/// The rows that checks look at, as `_wm_rows`. Each use reads its own columns of the table: kept, all columns would be.
fn rows(sql: &mut Sql, target: &TableRef, scope: &Scope) {
    sql.raw("_wm_rows AS NOT MATERIALIZED (SELECT * FROM ")
        .table(target);
    if !matches!(scope, Scope::Table) {
        sql.raw(" WHERE ");
        scope_condition(sql, scope);
    }
    sql.raw(")");
}

/// The columns of `unique` checks, each once.
fn unique_columns(checks: &[Check]) -> Vec<&Ident> {
    let mut columns: Vec<&Ident> = Vec::new();
    for check in checks {
        if let Probe::Unique(column) = &check.probe
            && !columns.contains(&column)
        {
            columns.push(column);
        }
    }
    columns
}

/// For each of the columns that has some: its place, and how many of its values stand in more than one row.
fn values_that_stand_twice(sql: &mut Sql, columns: &[&Ident]) {
    // A group has a value in the column that it is of, and NULL in the others.
    sql.raw("SELECT place, count(*) AS violating FROM (SELECT CASE");
    for (place, column) in columns.iter().enumerate() {
        sql.raw(" WHEN ")
            .ident(column)
            .raw(&format!(" IS NOT NULL THEN {place}"));
    }
    sql.raw(" END AS place FROM _wm_rows GROUP BY GROUPING SETS (");
    sql.list(columns, ", ", |sql, column| {
        sql.raw("(").ident(column).raw(")");
    });
    sql.raw(") HAVING count(*) > 1) WHERE place IS NOT NULL GROUP BY place");
}

/// Whether a row violates a check that looks at it by itself.
fn is_violated(sql: &mut Sql, probe: &Probe) {
    match probe {
        // Of rows together; and what returns rows of its own.
        Probe::Unique(_) | Probe::RowCount(..) | Probe::Freshness(..) | Probe::Script(_) => {}
        Probe::Expression(expression) => {
            // What is neither true nor false violates nothing, as with CHECK.
            sql.raw("NOT ").subquery(expression);
        }
        Probe::NotNull(column) => {
            sql.raw("_wm_t.").ident(column).raw(" IS NULL");
        }
        Probe::AcceptedValues(column, values) if values.is_empty() => {
            sql.raw("_wm_t.").ident(column).raw(" IS NOT NULL");
        }
        Probe::AcceptedValues(column, values) => {
            // Untyped literals take the column's type. A NULL is in no list and outside of none.
            sql.raw("_wm_t.").ident(column).raw(" NOT IN (");
            sql.list(values, ", ", |sql, value| {
                sql.literal(value);
            });
            sql.raw(")");
        }
        Probe::Relationships {
            column,
            to,
            to_column,
        } => {
            // With a NULL among them NOT IN would be true of nothing, and without any even of NULL.
            sql.raw("_wm_t.")
                .ident(column)
                .raw(" IS NOT NULL AND _wm_t.");
            sql.ident(column).raw(" NOT IN (SELECT _wm_to.");
            sql.ident(to_column).raw(" FROM ").table(to);
            sql.raw(" AS _wm_to WHERE _wm_to.")
                .ident(to_column)
                .raw(" IS NOT NULL)");
        }
    }
}

/// The violating rows of one check.
fn violating(sql: &mut Sql, probe: &Probe, partitioned: bool) {
    sql.raw("SELECT ");
    match probe {
        Probe::Unique(column) => {
            sql.ident(column)
                .raw(" AS \"value\", count(*) AS \"count\" FROM _wm_rows WHERE ")
                .ident(column)
                .raw(" IS NOT NULL GROUP BY ")
                .ident(column)
                .raw(" HAVING count(*) > 1");
            return;
        }
        Probe::RowCount(..) => {
            sql.raw("count(*) AS \"count\" FROM _wm_rows");
            return;
        }
        Probe::Freshness(column, _) => {
            sql.raw("max(")
                .ident(column)
                .raw(") AS \"newest\" FROM _wm_rows");
            return;
        }
        Probe::NotNull(_)
        | Probe::AcceptedValues(..)
        | Probe::Relationships { .. }
        | Probe::Expression(_)
        | Probe::Script(_) => {}
    }
    sql.raw("*");
    if partitioned {
        sql.raw(" EXCLUDE (")
            .ident(&Ident::new(PARTITION_COLUMN))
            .raw(")");
    }
    sql.raw(" FROM _wm_rows AS _wm_t WHERE ");
    is_violated(sql, probe);
}
