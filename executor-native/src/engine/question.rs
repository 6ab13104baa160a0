//! What the executor asks the engine beyond a plan: a fixed set of statements with quoted names and bound values.

use duckdb::types::Value;
use parser_core::partition::{CivilTime, timestamp_text};
use parser_core::plan::SliceOf;
use parser_core::plan::sql::{Column, Ident, TableRef};

use super::Command;
use super::extensions::Extension;
use crate::config::{S3, Secret};

fn ask(sql: impl Into<String>, values: Vec<Value>) -> Command {
    Command {
        sql: sql.into(),
        values,
        rendered: None,
    }
}

fn quoted(name: &Ident) -> String {
    format!("\"{}\"", name.0.replace('"', "\"\""))
}

fn qualified(table: &TableRef) -> String {
    format!(
        "{}.{}.{}",
        quoted(&table.catalog),
        quoted(&table.schema),
        quoted(&table.table)
    )
}

/// Loads an extension.
#[must_use]
pub fn load(extension: Extension) -> Command {
    ask(format!("LOAD {}", extension.name()), Vec::new())
}

/// Fetches an extension from the engine's repository.
#[must_use]
pub fn install(extension: Extension) -> Command {
    ask(format!("INSTALL {}", extension.name()), Vec::new())
}

/// Extensions need a signature.
pub(super) fn signatures() -> Command {
    ask("SET allow_unsigned_extensions = false", Vec::new())
}

/// Times are read and written in UTC, whatever zone the machine has.
pub(super) fn utc() -> Command {
    ask("SET TimeZone = 'UTC'", Vec::new())
}

/// Settings: `(name, value as text)`.
pub(super) fn settings() -> Command {
    ask(
        "SELECT name, value FROM duckdb_settings() WHERE name NOT IN ('schema', 'search_path')",
        Vec::new(),
    )
}

/// Gives a setting a value, or its default.
pub(super) fn set(name: &str, value: Option<&str>) -> Command {
    let name = quoted(&Ident::new(name));
    match value {
        Some(value) => ask(
            format!("SET {name} = '{}'", value.replace('\'', "''")),
            Vec::new(),
        ),
        None => ask(format!("RESET {name}"), Vec::new()),
    }
}

/// Confines the instance to files below these directories.
pub(super) fn confine(directories: &[String]) -> [Command; 3] {
    let texts: Vec<String> = directories
        .iter()
        .map(|directory| format!("'{}'", directory.replace('\'', "''")))
        .collect();
    [
        ask(
            format!("SET allowed_directories = [{}]", texts.join(", ")),
            Vec::new(),
        ),
        ask("SET enable_external_access = false", Vec::new()),
        ask("SET lock_configuration = true", Vec::new()),
    ]
}

/// Names of what is attached.
pub(super) fn attached() -> Command {
    ask(
        "SELECT database_name FROM duckdb_databases() WHERE NOT internal AND database_name NOT IN ('memory', 'temp')
           AND database_name NOT LIKE '\\_\\_ducklake\\_metadata\\_%' ESCAPE '\\'",
        Vec::new(),
    )
}

/// Detaches a database.
#[must_use]
pub fn detach(name: &str) -> Command {
    ask(format!("DETACH {}", quoted(&Ident::new(name))), Vec::new())
}

/// Attaches a database in memory, which every session of the engine sees.
#[must_use]
pub fn attach_memory(name: &Ident) -> Command {
    ask(format!("ATTACH ':memory:' AS {}", quoted(name)), Vec::new())
}

/// Lets a temp view stand for a table.
#[must_use]
pub fn stand_in(view: &TableRef, table: &TableRef) -> Command {
    let (view, table) = (qualified(view), qualified(table));
    ask(
        format!("CREATE OR REPLACE TEMP VIEW {view} AS FROM {table}"),
        Vec::new(),
    )
}

/// Says what the running transaction commits: a text for people, and JSON.
#[must_use]
pub fn commit_message(catalog: &Ident, author: &str, message: &str, extra: &str) -> Command {
    let [author, message, extra] =
        [author, message, extra].map(|text| format!("'{}'", text.replace('\'', "''")));
    ask(
        format!(
            "CALL {}.set_commit_message({author}, {message}, extra_info => {extra})",
            quoted(catalog)
        ),
        Vec::new(),
    )
}

/// Names of the secrets that are not kept on disk.
pub(super) fn secrets() -> Command {
    ask(
        "SELECT name FROM duckdb_secrets() WHERE NOT persistent",
        Vec::new(),
    )
}

pub(super) fn drop_secret(name: &str) -> Command {
    ask(
        format!(
            "DROP TEMPORARY SECRET IF EXISTS {}",
            quoted(&Ident::new(name))
        ),
        Vec::new(),
    )
}

/// Keeps how a PostgreSQL database is reached under the name that a plan's ATTACH gives. It is bound, so that no text of a
/// statement holds it.
#[must_use]
pub fn keep_postgres(name: &str, connection: &Secret) -> Command {
    let name = quoted(&Ident::new(name));
    ask(
        format!("CREATE OR REPLACE TEMPORARY SECRET {name} (TYPE postgres, URI ?)"),
        vec![Value::Text(connection.expose().to_owned())],
    )
}

/// Attaches, for reading, the PostgreSQL database that [`keep_postgres`] keeps under the same name.
#[must_use]
pub fn attach_postgres(name: &str) -> Command {
    let name = quoted(&Ident::new(name));
    ask(
        format!("ATTACH '' AS {name} (TYPE postgres, SECRET {name}, READ_ONLY)"),
        Vec::new(),
    )
}

/// Whether an attached PostgreSQL database holds the tables of a lake: one row.
#[must_use]
pub fn lake_tables(name: &str) -> Command {
    ask(
        "SELECT found FROM postgres_query(?, ?)",
        vec![
            Value::Text(name.to_owned()),
            Value::Text(
                "SELECT count(*) > 0 AS found FROM pg_catalog.pg_tables WHERE tablename = 'ducklake_metadata'"
                    .to_owned(),
            ),
        ],
    )
}

/// Keeps how S3 is reached. A secret of the script's own is preferred, but in the default storage's bucket: the engine takes
/// the one with the longest scope, and of equal ones that whose name comes first.
#[must_use]
pub fn keep_s3(s3: &S3) -> Command {
    let scopes = ["s3://", "s3n://", "s3a://"].into_iter();
    let scopes: Vec<String> = scopes
        .chain(s3.bucket.as_deref())
        .map(|scope| format!("'{}'", scope.replace('\'', "''")))
        .collect();
    let mut sql = format!(
        "CREATE OR REPLACE TEMPORARY SECRET \"~wm_s3\" (TYPE s3, USE_SSL {}, SCOPE [{}]",
        s3.use_ssl,
        scopes.join(", ")
    );
    let mut values = Vec::new();
    for (option, value) in &s3.options {
        sql.push_str(", ");
        sql.push_str(option);
        sql.push_str(" ?");
        values.push(Value::Text(value.expose().to_owned()));
    }
    sql.push(')');
    ask(sql, values)
}

/// `BEGIN`
#[must_use]
pub fn begin() -> Command {
    ask("BEGIN TRANSACTION", Vec::new())
}

/// Tries to take an advisory lock for the running transaction, in the PostgreSQL database of a lake's catalog: one row
/// `(whether it is held)`.
#[must_use]
pub fn take_lock(catalog: &Ident, key: i64) -> Command {
    ask(
        "SELECT held FROM postgres_query(?, ?)",
        vec![
            Value::Text(format!("__ducklake_metadata_{}", catalog.0)),
            Value::Text(format!("SELECT pg_try_advisory_xact_lock({key}) AS held")),
        ],
    )
}

/// The transactions that are about to commit to a lake whose catalog is in PostgreSQL, by their numbers on the server: each
/// holds a lock on the table of snapshots from its INSERT to the end of its COMMIT.
#[must_use]
pub fn commits_under_way(catalog: &Ident) -> Command {
    ask(
        "SELECT transaction FROM postgres_query(?, ?)",
        vec![
            Value::Text(format!("__ducklake_metadata_{}", catalog.0)),
            Value::Text(
                "SELECT virtualtransaction AS transaction FROM pg_catalog.pg_locks AS l \
                 JOIN pg_catalog.pg_class AS c ON c.oid = l.relation \
                 WHERE c.relname = 'ducklake_snapshot' AND l.mode = 'RowExclusiveLock' AND l.granted \
                     AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())"
                    .to_owned(),
            ),
        ],
    )
}

/// `ROLLBACK`
#[must_use]
pub fn rollback() -> Command {
    ask("ROLLBACK", Vec::new())
}

/// The engine's version: `v1.5.5`.
#[must_use]
pub fn version() -> Command {
    ask("SELECT version()", Vec::new())
}

/// The engine's platform: `linux_amd64`.
#[must_use]
pub fn platform() -> Command {
    ask("PRAGMA platform", Vec::new())
}

/// Snapshots of a lake whose `extra_info` holds `job`: `(snapshot_id, extra_info)`, newest first.
#[must_use]
pub fn snapshots_of_job(catalog: &Ident, job: &str) -> Command {
    ask(
        format!(
            "SELECT snapshot_id, commit_extra_info FROM {}
             WHERE contains(commit_extra_info, ?) ORDER BY snapshot_id DESC",
            of_catalog(catalog, "ducklake_snapshot_changes")
        ),
        vec![Value::Text(job.to_owned())],
    )
}

/// A table of a lake's catalog. Asked itself it answers ten times sooner than `ducklake_snapshots`, which reads all of it.
fn of_catalog(catalog: &Ident, table: &str) -> String {
    let metadata = Ident::new(format!("__ducklake_metadata_{}", catalog.0));
    format!("{}.{table}", quoted(&metadata))
}

/// Every snapshot: `(id, time in UTC as text, author, message, extra_info, changes as JSON)`, newest first.
#[must_use]
pub fn snapshots(catalog: &Ident) -> Command {
    ask(
        "SELECT snapshot_id, strftime(snapshot_time::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%fZ'), author, commit_message,
                commit_extra_info, to_json(changes)::VARCHAR
         FROM ducklake_snapshots(?) ORDER BY snapshot_id DESC",
        vec![Value::Text(catalog.0.clone())],
    )
}

/// The newest snapshot's id.
#[must_use]
pub fn latest_snapshot(catalog: &Ident) -> Command {
    let snapshots = of_catalog(catalog, "ducklake_snapshot");
    ask(
        format!("SELECT max(snapshot_id) FROM {snapshots}"),
        Vec::new(),
    )
}

/// The engine's id of a table: `(table_id)`, no row when there is no such table.
#[must_use]
pub fn table_id(table: &TableRef) -> Command {
    ask(
        "SELECT table_oid FROM duckdb_tables()
         WHERE lower(database_name) = lower(?) AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)",
        names(table),
    )
}

/// What stands at that name: `(BASE TABLE | VIEW)`, no row when nothing does.
#[must_use]
pub fn kind_of(table: &TableRef) -> Command {
    ask(
        "SELECT table_type FROM information_schema.tables
         WHERE lower(table_catalog) = lower(?) AND lower(table_schema) = lower(?) AND lower(table_name) = lower(?)",
        names(table),
    )
}

fn names(table: &TableRef) -> Vec<Value> {
    [&table.catalog, &table.schema, &table.table]
        .map(|name| Value::Text(name.0.clone()))
        .to_vec()
}

/// The catalog's number of a table: `(id)`, no row when there is no such table.
#[must_use]
pub fn lake_table_id(table: &TableRef) -> Command {
    ask(
        format!(
            "SELECT t.table_id FROM {} AS t JOIN {} AS s USING (schema_id)
             WHERE t.end_snapshot IS NULL AND s.end_snapshot IS NULL
               AND lower(s.schema_name) = lower(?) AND lower(t.table_name) = lower(?)",
            of_catalog(&table.catalog, "ducklake_table"),
            of_catalog(&table.catalog, "ducklake_schema")
        ),
        [&table.schema, &table.table]
            .map(|name| Value::Text(name.0.clone()))
            .to_vec(),
    )
}

/// What a lake's catalog knows of the slices of its files: rows of `(slice, whether it is known)`. One that is not known
/// stands for files without slices, and for rows in the catalog.
#[must_use]
pub fn recorded_slices(catalog: &Ident, table_id: i64) -> Command {
    let of = |table| of_catalog(catalog, table);
    ask(
        format!(
            "SELECT DISTINCT v.partition_value, v.data_file_id IS NOT NULL FROM {} AS f
             LEFT JOIN ({} AS p JOIN {} AS c ON c.table_id = {table_id} AND c.column_id = p.column_id
                 AND c.end_snapshot IS NULL AND c.column_name = '_wm_partition' AND p.transform = 'identity')
               ON p.partition_id = f.partition_id
             LEFT JOIN {} AS v ON v.table_id = {table_id} AND v.data_file_id = f.data_file_id
               AND v.partition_key_index = p.partition_key_index
             WHERE f.table_id = {table_id} AND f.end_snapshot IS NULL
             UNION ALL SELECT NULL, false FROM {} WHERE table_id = {table_id}",
            of("ducklake_data_file"),
            of("ducklake_partition_column"),
            of("ducklake_column"),
            of("ducklake_file_partition_value"),
            of("ducklake_inlined_data_tables")
        ),
        Vec::new(),
    )
}

/// How many rows are not in the slice that a column tells: one row.
#[must_use]
pub fn misplaced_rows(table: &TableRef, slice: &SliceOf) -> Command {
    ask(
        format!(
            "SELECT count(*) FROM {} WHERE {} IS DISTINCT FROM _wm_partition",
            qualified(table),
            told(slice)
        ),
        Vec::new(),
    )
}

/// The rows whose time is before another: one row `(how many, the first slice that they are in, the last)`.
#[must_use]
pub fn rows_before(table: &TableRef, slice: &SliceOf, column: &Ident, time: CivilTime) -> Command {
    let first = told(slice);
    ask(
        format!(
            "SELECT count(*), arg_min({first}, {0}), arg_max({first}, {0}) FROM {1} WHERE {0} < CAST(? AS TIMESTAMP)",
            quoted(column),
            qualified(table)
        ),
        vec![Value::Text(timestamp_text(time))],
    )
}

/// The slice that a column tells.
fn told(slice: &SliceOf) -> String {
    match slice {
        SliceOf::Time { column, format } => format!(
            "strftime({}, '{}')",
            quoted(column),
            format.replace('\'', "''")
        ),
        SliceOf::Value(column) => format!("CAST({} AS VARCHAR)", quoted(column)),
    }
}

/// Rows of a table, or of one slice of it, now or at a snapshot: one row `(rows)`.
#[must_use]
pub fn count(table: &TableRef, partition: Option<&str>, version: Option<i64>) -> Command {
    let mut sql = format!("SELECT count(*) FROM {}", qualified(table));
    if let Some(version) = version {
        sql.push_str(&format!(" AT (VERSION => {version})"));
    }
    let mut values = Vec::new();
    if let Some(partition) = partition {
        sql.push_str(" WHERE _wm_partition = ?");
        values.push(Value::Text(partition.to_owned()));
    }
    ask(sql, values)
}

/// Whether a slice holds any row: one row or none.
#[must_use]
pub fn slice_has_rows(table: &TableRef, partition: &str) -> Command {
    ask(
        format!(
            "SELECT 1 FROM {} WHERE _wm_partition = ? LIMIT 1",
            qualified(table)
        ),
        vec![Value::Text(partition.to_owned())],
    )
}

/// Those of some texts that are no values of a type, which is spelled as the engine spells it.
#[must_use]
pub fn unfit_values(texts: &[&str], data_type: &str) -> Command {
    let places = vec!["(?)"; texts.len()].join(", ");
    ask(
        format!(
            "SELECT v FROM (VALUES {places}) AS _wm_values(v) WHERE TRY_CAST(v AS {data_type}) IS NULL"
        ),
        texts
            .iter()
            .map(|text| Value::Text((*text).to_owned()))
            .collect(),
    )
}

/// Whether values of a type, which is spelled as the engine spells it, can be compared with those of a column: an error when
/// not.
#[must_use]
pub fn compared(data_type: &str, table: &TableRef, column: &Ident) -> Command {
    ask(
        format!(
            "SELECT CAST(NULL AS {data_type}) IN (SELECT {} FROM {} LIMIT 0)",
            quoted(column),
            qualified(table)
        ),
        Vec::new(),
    )
}

/// A view of no rows that has the columns of a table which may not be there yet.
#[must_use]
pub fn shape_table() -> TableRef {
    TableRef {
        catalog: Ident::new("temp"),
        schema: Ident::new("main"),
        table: Ident::new("_wm_shape"),
    }
}

/// Makes [`shape_table`]; types are spelled as the engine spells them.
#[must_use]
pub fn make_shape(columns: &[Column]) -> Command {
    let columns: Vec<String> = columns
        .iter()
        .map(|column| {
            let name = quoted(&Ident::new(&column.name));
            format!("CAST(NULL AS {}) AS {name}", column.data_type)
        })
        .collect();
    ask(
        format!(
            "CREATE OR REPLACE TEMP VIEW _wm_shape AS SELECT {} LIMIT 0",
            columns.join(", ")
        ),
        Vec::new(),
    )
}

/// Drops [`shape_table`].
#[must_use]
pub fn drop_shape() -> Command {
    ask("DROP VIEW temp.main._wm_shape", Vec::new())
}

/// Which version of a table to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// The newest.
    Now,
    /// A snapshot.
    Version(i64),
    /// The newest at that instant; any text the engine casts to TIMESTAMPTZ.
    Time(String),
}

impl At {
    /// The clause, as one would write it in a query of one's own.
    #[must_use]
    pub fn clause(&self) -> String {
        match self {
            Self::Now => String::new(),
            Self::Version(version) => format!(" AT (VERSION => {version})"),
            Self::Time(time) => format!(
                " AT (TIMESTAMP => TIMESTAMPTZ '{}')",
                time.replace('\'', "''")
            ),
        }
    }
}

/// Columns of a table at a version: `(name, type)`.
#[must_use]
pub fn columns(table: &TableRef, at: &At) -> Command {
    ask(
        format!(
            "SELECT column_name, column_type FROM (DESCRIBE FROM {}{})",
            qualified(table),
            at.clause()
        ),
        Vec::new(),
    )
}

/// The first rows of a table, every value as text: what a terminal prints.
#[must_use]
pub fn preview(table: &TableRef, at: &At, limit: u32) -> Command {
    ask(
        format!(
            "SELECT COLUMNS(*)::VARCHAR FROM {}{} LIMIT {limit}",
            qualified(table),
            at.clause()
        ),
        Vec::new(),
    )
}

/// The same rows as one JSON object each.
#[must_use]
pub fn preview_json(table: &TableRef, at: &At, limit: u32) -> Command {
    ask(
        format!(
            "SELECT to_json(_row)::VARCHAR FROM (FROM {}{} LIMIT {limit}) AS _row",
            qualified(table),
            at.clause()
        ),
        Vec::new(),
    )
}

/// Rows per slice: `(partition, rows)`.
#[must_use]
pub fn slices(table: &TableRef, at: &At) -> Command {
    ask(
        format!(
            "SELECT _wm_partition, count(*) FROM {}{} GROUP BY ALL ORDER BY ALL",
            qualified(table),
            at.clause()
        ),
        Vec::new(),
    )
}

#[cfg(test)]
pub(crate) fn test_only(sql: &str) -> Command {
    ask(sql, Vec::new())
}
