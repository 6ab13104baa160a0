use super::{Rendered, Sql, history};
use crate::body::Again;
use crate::plan::sql::{Column, Ident, Literal, TableRef};
use crate::plan::{
    Added, CUT_BY, Cast, Catalog, ColumnChange, Inexact, InsertColumn, Kept, LakeSource,
    PARTITION_COLUMN, Scope, SliceOf, Source, Statement, secret_name,
};
use crate::wire::json;

/// SQLite catalogs: other processes wait this long for the catalog's lock, in milliseconds.
const CATALOG_BUSY_MS: u32 = 20_000;

/// Renders one statement.
#[must_use]
pub fn render(statement: &Statement) -> Rendered {
    let mut sql = Sql::default();
    match statement {
        Statement::Set { name, value } => {
            sql.raw("SET ").raw(name).raw(" = ").literal(value);
        }
        Statement::AttachLake {
            lake: _,
            source,
            alias,
            read_only,
            options,
            again,
        } => {
            sql.raw(attach_verb(*again));
            attach(&mut sql, source, alias, *read_only);
            if let Some(options) = options {
                sql.raw(", ").user(options);
            }
            sql.raw(")");
        }
        Statement::AttachDatatable {
            datatable,
            alias,
            read_only,
            options,
            again,
            span: _,
        } => {
            // Where it is stays in the secret: no plan, log or error holds it.
            sql.raw(attach_verb(*again))
                .raw("'' AS ")
                .ident(alias)
                .raw(" (TYPE postgres, SECRET ")
                .ident(&Ident(secret_name(datatable)));
            if *read_only {
                sql.raw(", READ_ONLY");
            }
            if let Some(options) = options {
                sql.raw(", ").user(options);
            }
            sql.raw(")");
        }
        Statement::PartitionMacro { format } => {
            sql.raw("CREATE OR REPLACE TEMP MACRO wm_partition(ts) AS strftime(ts, ")
                .text(format)
                .raw(")");
        }
        Statement::SetVariable { name, value } => {
            sql.raw("SET VARIABLE ").raw(name).raw(" = ").literal(value);
        }
        Statement::User(user) => {
            sql.user(user);
        }
        Statement::DescribeOutput(query) => {
            sql.raw("DESCRIBE ").subquery(query);
        }
        Statement::DescribeTarget {
            table,
            current_view,
        } => describe_target(&mut sql, table, current_view.as_ref()),
        Statement::Stage { into, query } => {
            sql.raw("CREATE OR REPLACE ");
            if into.catalog.0 == "temp" {
                sql.raw("TEMP ");
            }
            sql.raw("TABLE ")
                .table(into)
                .raw(" AS SELECT * FROM ")
                .subquery(query);
        }
        Statement::DuplicateKeys {
            staged,
            key,
            nulls_match,
        } => duplicate_keys(&mut sql, staged, key, *nulls_match),
        Statement::NullKeys { staged, key } => {
            sql.raw("SELECT count(*) AS rows FROM ")
                .table(staged)
                .raw(" WHERE ");
            sql.list(key, " OR ", |sql, column| {
                sql.ident(column).raw(" IS NULL");
            });
        }
        Statement::LossyCasts { staged, casts } => lossy_casts(&mut sql, staged, casts),
        Statement::InexactValues { staged, columns } => inexact_values(&mut sql, staged, columns),
        Statement::CountStaged(staged) => {
            sql.raw("SELECT count(*) AS rows FROM ").table(staged);
        }
        Statement::Begin => {
            sql.raw("BEGIN TRANSACTION");
        }
        Statement::CreateSchema { catalog, schema } => {
            sql.raw("CREATE SCHEMA IF NOT EXISTS ")
                .ident(catalog)
                .raw(".")
                .ident(schema);
        }
        Statement::CreateTable { table, columns } => {
            sql.raw("CREATE TABLE ").table(table).raw(" (");
            sql.list(columns, ", ", |sql, column| {
                sql.ident(&Ident::new(&column.name))
                    .raw(" ")
                    .raw(&column.data_type);
            });
            sql.raw(")");
        }
        Statement::ReplaceTable { table, source } => {
            sql.raw("CREATE OR REPLACE TABLE ")
                .table(table)
                .raw(" AS SELECT * FROM ");
            rows(&mut sql, source);
        }
        Statement::SetPartitionedBy(table) => {
            sql.raw("ALTER TABLE ")
                .table(table)
                .raw(" SET PARTITIONED BY (")
                .ident(&Ident::new(PARTITION_COLUMN))
                .raw(")");
        }
        Statement::NoteCut { table, cut_by } => {
            sql.raw("COMMENT ON COLUMN ")
                .table(table)
                .raw(".")
                .ident(&Ident::new(PARTITION_COLUMN))
                .raw(" IS ")
                .text(&[CUT_BY, cut_by].concat());
        }
        Statement::ResetPartitionedBy(table) => {
            sql.raw("ALTER TABLE ")
                .table(table)
                .raw(" RESET PARTITIONED BY");
        }
        Statement::KeepRows {
            into,
            table,
            without,
            retyped,
            slice,
        } => keep_rows(&mut sql, into, table, (without, retyped, slice.as_ref())),
        Statement::EmptyTable(table) => {
            sql.raw("DELETE FROM ").table(table);
        }
        Statement::PutBack { table, rows } => {
            sql.raw("INSERT INTO ")
                .table(table)
                .raw(" BY NAME SELECT * FROM ")
                .table(rows);
        }
        Statement::AlterColumn { table, change } => {
            sql.raw("ALTER TABLE ").table(table);
            match change {
                ColumnChange::Add(column) => sql
                    .raw(" ADD COLUMN ")
                    .ident(&Ident::new(&column.name))
                    .raw(" ")
                    .raw(&column.data_type),
                ColumnChange::Drop(column) => sql.raw(" DROP COLUMN ").ident(column),
            };
        }
        Statement::EffectiveTime(table) => history::effective_time(&mut sql, table),
        Statement::FindChanges {
            into,
            staged,
            table,
            key,
            tracked,
        } => history::find_changes(&mut sql, into, staged, table, key, tracked),
        Statement::CloseVersions {
            table,
            changes,
            key,
            unless_in,
        } => history::close_versions(&mut sql, table, changes, key, unless_in.as_ref()),
        Statement::CreateCurrentView { view, table } => {
            history::current_view(&mut sql, view, table);
        }
        Statement::Delete {
            table,
            scope,
            keys_in,
        } => delete(&mut sql, table, scope, keys_in.as_ref()),
        Statement::Insert {
            table,
            source,
            columns,
            added,
        } => insert(&mut sql, table, source, columns.as_deref(), added),
        Statement::CommitMessage {
            catalog,
            author,
            message,
            extra,
        } => {
            sql.raw("CALL ")
                .ident(catalog)
                .raw(".set_commit_message(")
                .text(author)
                .raw(", ")
                .text(message)
                .raw(", extra_info => ")
                .text(&json::text(extra))
                .raw(")");
        }
        Statement::Commit => {
            sql.raw("COMMIT");
        }
        Statement::DropStaged(staged) => {
            sql.raw("DROP TABLE IF EXISTS ").table(staged);
        }
    }
    sql.finish()
}

const fn attach_verb(again: Again) -> &'static str {
    match again {
        Again::Refuse => "ATTACH ",
        Again::Keep => "ATTACH IF NOT EXISTS ",
        Again::Replace => "ATTACH OR REPLACE ",
    }
}

/// `'…' AS alias (options` with the parenthesis left open.
fn attach(sql: &mut Sql, source: &LakeSource, alias: &Ident, read_only: bool) {
    match &source.catalog {
        Catalog::Sqlite(path) => sql.text(&format!("ducklake:sqlite:{path}")),
        Catalog::DuckDb(path) => sql.text(&format!("ducklake:{path}")),
        Catalog::Postgres { dsn, .. } => sql.text(&format!("ducklake:postgres:{dsn}")),
    };
    sql.raw(" AS ")
        .ident(alias)
        .raw(" (DATA_PATH ")
        .text(&source.data_path);
    // A project that was moved keeps working: the data path is where the configuration says.
    sql.raw(", OVERRIDE_DATA_PATH true");
    match &source.catalog {
        Catalog::Sqlite(_) => {
            sql.raw(", META_JOURNAL_MODE 'WAL', META_BUSY_TIMEOUT ")
                .literal(&Literal::Integer(CATALOG_BUSY_MS.into()));
        }
        Catalog::Postgres {
            secret: Some(secret),
            ..
        } => {
            sql.raw(", META_SECRET ").ident(&Ident::new(secret));
        }
        Catalog::Postgres { secret: None, .. } | Catalog::DuckDb(_) => {}
    }
    if read_only {
        sql.raw(", READ_ONLY");
    } else {
        // Inlined rows change TIMETZ and INTERVAL values and have known faults with deletes.
        sql.raw(", DATA_INLINING_ROW_LIMIT 0");
    }
}

/// One row per column of the target and of its history's view: `(kind, column_name, data_type, partition_key,
/// table_name, comment)`; no row where there is no such table or view. `kind` is `table` or `view`.
fn describe_target(sql: &mut Sql, table: &TableRef, current_view: Option<&TableRef>) {
    let metadata = Ident::new(format!("__ducklake_metadata_{}", table.catalog.0));
    sql.raw(
        "SELECT CASE WHEN v.view_name IS NULL THEN 'table' ELSE 'view' END AS kind, \
         c.column_name, c.data_type, coalesce(k.partition_key, false) AS partition_key, c.table_name, c.comment \
         FROM duckdb_columns() AS c \
         LEFT JOIN duckdb_views() AS v ON v.database_name = c.database_name \
         AND v.schema_name = c.schema_name AND v.view_name = c.table_name \
         LEFT JOIN (SELECT s.schema_name, t.table_name, m.column_name, true AS partition_key FROM ",
    );
    let from = |sql: &mut Sql, name: &str| {
        sql.ident(&metadata).raw(".").ident(&Ident::new(name));
    };
    from(sql, "ducklake_partition_info");
    sql.raw(" AS i JOIN ");
    from(sql, "ducklake_partition_column");
    sql.raw(" AS p USING (partition_id) JOIN ");
    from(sql, "ducklake_column");
    sql.raw(" AS m ON m.table_id = i.table_id AND m.column_id = p.column_id AND m.end_snapshot IS NULL JOIN ");
    from(sql, "ducklake_table");
    sql.raw(" AS t ON t.table_id = i.table_id AND t.end_snapshot IS NULL JOIN ");
    from(sql, "ducklake_schema");
    sql.raw(
        " AS s ON s.schema_id = t.schema_id AND s.end_snapshot IS NULL \
         WHERE i.end_snapshot IS NULL) AS k ON k.schema_name = c.schema_name \
         AND k.table_name = c.table_name AND k.column_name = c.column_name WHERE ",
    );
    sql.raw("c.database_name = ").text(&table.catalog.0);
    sql.raw(" AND lower(c.schema_name) = lower(")
        .text(&table.schema.0);
    sql.raw(") AND lower(c.table_name) IN (lower(")
        .text(&table.table.0);
    if let Some(view) = current_view {
        sql.raw("), lower(").text(&view.table.0);
    }
    sql.raw(")) ORDER BY c.column_index");
}

/// Up to five keys that stand in more than one staged row.
fn duplicate_keys(sql: &mut Sql, staged: &TableRef, key: &[Ident], nulls_match: bool) {
    let column_list = |sql: &mut Sql| {
        sql.list(key, ", ", |sql, column| {
            sql.ident(column);
        });
    };
    sql.raw("SELECT count(*) OVER () AS keys, concat_ws(', ', ");
    sql.list(key, ", ", |sql, column| {
        sql.text(&format!("{} = ", column.0))
            .raw(" || coalesce(CAST(")
            .ident(column)
            .raw(" AS VARCHAR), 'NULL')");
    });
    sql.raw(") AS example, count(*) AS rows FROM ")
        .table(staged);
    if !nulls_match {
        sql.raw(" WHERE ").list(key, " AND ", |sql, column| {
            sql.ident(column).raw(" IS NOT NULL");
        });
    }
    sql.raw(" GROUP BY ");
    column_list(sql);
    sql.raw(" HAVING count(*) > 1 ORDER BY rows DESC, example LIMIT 5");
}

/// For each cast, how many values come back changed.
fn lossy_casts(sql: &mut Sql, staged: &TableRef, casts: &[Cast]) {
    sql.list(casts, " UNION ALL ", |sql, cast| {
        sql.raw("SELECT ")
            .text(&cast.column.0)
            .raw(" AS \"column\", count(*) AS lost, min(CAST(");
        sql.ident(&cast.column)
            .raw(" AS VARCHAR)) AS example FROM ")
            .table(staged);
        sql.raw(" WHERE ")
            .ident(&cast.column)
            .raw(" IS NOT NULL AND TRY_CAST(TRY_CAST(");
        sql.ident(&cast.column)
            .raw(" AS ")
            .raw(&cast.to)
            .raw(") AS ")
            .raw(&cast.from);
        sql.raw(") IS DISTINCT FROM ")
            .ident(&cast.column)
            .raw(" HAVING count(*) > 0");
    });
}

/// The table's rows, some columns left out and some cast.
fn keep_rows(
    sql: &mut Sql,
    into: &TableRef,
    table: &TableRef,
    (without, retyped, slice): (&[Ident], &[Column], Option<&SliceOf>),
) {
    sql.raw("CREATE OR REPLACE TEMP TABLE ")
        .table(into)
        .raw(" AS SELECT *");
    if !without.is_empty() {
        sql.raw(" EXCLUDE (").list(without, ", ", |sql, column| {
            sql.ident(column);
        });
        sql.raw(")");
    }
    if !retyped.is_empty() {
        sql.raw(" REPLACE (").list(retyped, ", ", |sql, column| {
            let name = Ident::new(&column.name);
            sql.raw("CAST(").ident(&name).raw(" AS ");
            sql.raw(&column.data_type).raw(") AS ").ident(&name);
        });
        sql.raw(")");
    }
    if let Some(slice) = slice {
        sql.raw(", coalesce(");
        let (column, what) = match slice {
            SliceOf::Time { column, format } => {
                // Other years have no slice, and an infinite time has no year.
                sql.raw("CASE WHEN year(").ident(column);
                sql.raw(") BETWEEN 1 AND 9998 THEN strftime(").ident(column);
                sql.raw(", ").text(format).raw(") END");
                (column, "` is NULL, or not in the years 1 to 9998")
            }
            SliceOf::Value(column) => {
                sql.raw("CAST(").ident(column).raw(" AS VARCHAR)");
                (column, "` is NULL")
            }
        };
        sql.raw(", error(")
            .text(&["a row belongs to no slice: its `", &column.0, what].concat());
        sql.raw(")) AS ").ident(&Ident::new(PARTITION_COLUMN));
    }
    sql.raw(" FROM ").table(table);
}

/// For each column, how many values files would not hold.
fn inexact_values(sql: &mut Sql, staged: &TableRef, columns: &[Inexact]) {
    sql.list(columns, " UNION ALL ", |sql, inexact| {
        sql.raw("SELECT ")
            .text(&inexact.column.0)
            .raw(" AS \"column\", count(*) AS lost, ")
            .text(inexact.mend)
            .raw(" AS mend FROM ")
            .table(staged)
            .raw(" WHERE ");
        match &inexact.kept {
            Kept::As(data_type) => {
                sql.raw("TRY_CAST(TRY_CAST(")
                    .ident(&inexact.column)
                    .raw(" AS ")
                    .raw(data_type)
                    .raw(") AS ")
                    .raw(&inexact.data_type)
                    .raw(") IS DISTINCT FROM ")
                    .ident(&inexact.column);
            }
            Kept::Milliseconds => interval_is_changed(sql, &inexact.column),
        }
        sql.raw(" HAVING count(*) > 0");
    });
}

/// An INTERVAL with microseconds, with more milliseconds than 32 bits hold, or with a part below zero.
fn interval_is_changed(sql: &mut Sql, column: &Ident) {
    let part = |sql: &mut Sql, name: &str| {
        sql.raw("date_part('").raw(name).raw("', CAST(");
        sql.ident(column).raw(" AS INTERVAL))");
    };
    part(sql, "microsecond");
    sql.raw(" % 1000 <> 0 OR (");
    part(sql, "hour");
    sql.raw(" * 60 + ");
    part(sql, "minute");
    sql.raw(") * 60000 + ");
    part(sql, "millisecond");
    sql.raw(" > 4294967295 OR least(");
    let parts = ["year", "month", "day", "hour", "minute", "microsecond"];
    sql.list(&parts, ", ", |sql, name| part(sql, name));
    sql.raw(") < 0");
}

fn rows(sql: &mut Sql, source: &Source) {
    match source {
        Source::Query(query) => sql.subquery(query),
        Source::Staged(staged) => sql.table(staged),
    };
}

/// The condition of a scope, or nothing for the whole table.
pub(super) fn scope_condition(sql: &mut Sql, scope: &Scope) -> bool {
    match scope {
        Scope::Table => return false,
        Scope::Partition(value) => {
            sql.ident(&Ident::new(PARTITION_COLUMN))
                .raw(" = ")
                .literal(value);
        }
        Scope::Current => {
            sql.raw("is_current");
        }
    }
    true
}

fn delete(
    sql: &mut Sql,
    table: &TableRef,
    scope: &Scope,
    keys_in: Option<&(Vec<Ident>, TableRef)>,
) {
    sql.raw("DELETE FROM ").table(table).raw(" AS _wm_t");
    let scoped = !matches!(scope, Scope::Table);
    if scoped || keys_in.is_some() {
        sql.raw(" WHERE ");
    }
    scope_condition(sql, scope);
    if let Some((key, staged)) = keys_in {
        if scoped {
            sql.raw(" AND ");
        }
        sql.raw("EXISTS (SELECT 1 FROM ")
            .table(staged)
            .raw(" AS _wm_s WHERE ");
        sql.list(key, " AND ", |sql, column| {
            sql.raw("_wm_s.")
                .ident(column)
                .raw(" = _wm_t.")
                .ident(column);
        });
        sql.raw(")");
    }
}

fn insert(
    sql: &mut Sql,
    table: &TableRef,
    source: &Source,
    columns: Option<&[InsertColumn]>,
    added: &Added,
) {
    sql.raw("INSERT INTO ").table(table).raw(" BY NAME SELECT ");
    match columns {
        None => {
            sql.raw("*");
        }
        Some(columns) => {
            sql.list(columns, ", ", |sql, column| match &column.cast {
                None => {
                    sql.ident(&column.name);
                }
                Some(cast) => {
                    sql.raw("CAST(")
                        .ident(&column.name)
                        .raw(" AS ")
                        .raw(cast)
                        .raw(") AS ");
                    sql.ident(&column.name);
                }
            });
        }
    }
    match added {
        Added::Nothing => {}
        Added::Partition(value) => {
            sql.raw(", ")
                .literal(value)
                .raw(" AS ")
                .ident(&Ident::new(PARTITION_COLUMN));
        }
        Added::Version => history::version_columns(sql),
    }
    sql.raw(" FROM ");
    rows(sql, source);
}
