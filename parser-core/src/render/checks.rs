use super::statements::scope_condition;
use super::{Rendered, Sql};
use crate::plan::sql::{Ident, TableRef};
use crate::plan::{Check, PARTITION_COLUMN, Probe, Scope};

/// Rows of a sample.
const SAMPLE_ROWS: u32 = 20;
/// Size of a sample, in bytes of JSON; a larger one is dropped.
const SAMPLE_BYTES: u32 = 50 * 1024;

/// One query for all checks: one row per check, `(test VARCHAR, violating BIGINT, sample VARCHAR)`,
/// in the checks' order. `sample` is a JSON list or NULL.
///
/// `None` when there is no check.
#[must_use]
pub fn checks(checks: &[Check], target: &TableRef, scope: &Scope) -> Option<Rendered> {
    if checks.is_empty() {
        return None;
    }
    let mut sql = Sql::default();
    sql.raw("WITH _wm_rows AS (SELECT * FROM ").table(target);
    if !matches!(scope, Scope::Table) {
        sql.raw(" WHERE ");
        scope_condition(&mut sql, scope);
    }
    sql.raw(")");
    let partitioned = matches!(scope, Scope::Partition(_));
    for (at, check) in checks.iter().enumerate() {
        sql.raw(&format!(", _wm_violating_{at} AS MATERIALIZED ("));
        violating(&mut sql, &check.probe, partitioned);
        sql.raw(")");
    }
    for (at, check) in checks.iter().enumerate() {
        sql.raw(if at == 0 { " " } else { " UNION ALL " });
        sql.raw(&format!("SELECT {at} AS position, "))
            .text(&check.name)
            .raw(&format!(
                " AS test, (SELECT count(*) FROM _wm_violating_{at}) AS violating, \
             (SELECT CASE WHEN strlen(s) <= {SAMPLE_BYTES} THEN s END FROM \
             (SELECT CAST(TRY(to_json(rs)) AS VARCHAR) AS s FROM (SELECT list(r) AS rs FROM \
             (SELECT v AS r FROM _wm_violating_{at} AS v LIMIT {SAMPLE_ROWS})))) AS sample"
            ));
    }
    sql.raw(" ORDER BY position");
    Some(sql.finish())
}

/// The violating rows of one probe.
fn violating(sql: &mut Sql, probe: &Probe, partitioned: bool) {
    let all = |sql: &mut Sql| {
        sql.raw("SELECT *");
        if partitioned {
            sql.raw(" EXCLUDE (")
                .ident(&Ident::new(PARTITION_COLUMN))
                .raw(")");
        }
        sql.raw(" FROM _wm_rows AS _wm_t WHERE ");
    };
    match probe {
        Probe::Unique(column) => {
            sql.raw("SELECT ")
                .ident(column)
                .raw(" AS \"value\", count(*) AS \"count\" FROM _wm_rows WHERE ");
            sql.ident(column)
                .raw(" IS NOT NULL GROUP BY ")
                .ident(column)
                .raw(" HAVING count(*) > 1");
        }
        Probe::NotNull(column) => {
            all(sql);
            sql.raw("_wm_t.").ident(column).raw(" IS NULL");
        }
        Probe::AcceptedValues(column, values) => {
            all(sql);
            // Untyped literals take the column's type.
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
            all(sql);
            sql.raw("_wm_t.")
                .ident(column)
                .raw(" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ");
            sql.table(to)
                .raw(" AS _wm_to WHERE _wm_to.")
                .ident(to_column);
            sql.raw(" = _wm_t.").ident(column).raw(")");
        }
    }
}
