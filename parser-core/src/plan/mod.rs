//! The plan: typed statements in typed groups, built purely from a script and a run context.
//!
//! `lakemill plan`, the browser's preview and a run consume the same [`Plan`]; only
//! [`crate::render`] makes SQL text of it.

pub mod sql;

use std::collections::BTreeMap;

use crate::partition::Slice;
use crate::script::OnSchemaChange;
use crate::source::Span;
use sql::{Column, Ident, Literal, TableRef, UserSql};

/// What a plan is built for.
#[derive(Clone, Debug, PartialEq)]
pub struct RunContext {
    /// The job's id; it is written into the commit's `extra_info` and names the run's snapshot.
    pub job: String,
    /// Who runs it: the commit's author.
    pub author: String,
    /// The script's path as the user knows it.
    pub script_path: String,
    /// SHA-256 of the script's text, in hex.
    pub content_hash: String,
    /// Lakes by name.
    pub lakes: BTreeMap<String, LakeSource>,
    /// The slice to write; `None` when unpartitioned.
    pub partition: Option<Slice>,
    /// When data tests run.
    pub publish: PublishMode,
}

/// What only the lake and the engine know; asked after setup, before publishing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// The target as it is.
    pub target: TargetShape,
    /// Output columns of the script's SELECT (DESCRIBE).
    pub output: Vec<Column>,
    /// The slice is known to hold no row, so that DELETE is left out.
    pub slice_absent: bool,
}

/// The target's present shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum TargetShape {
    /// No such table.
    #[default]
    Absent,
    /// A table.
    Table {
        /// Its columns in order, `_wm_partition` included.
        columns: Vec<Column>,
        /// The columns it is partitioned by.
        partitioned_by: Vec<String>,
    },
    /// Something of that name is a view.
    View,
}

/// Where a lake's catalog and data are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LakeSource {
    /// The catalog database.
    pub catalog: Catalog,
    /// Folder or `s3://` prefix of the data files.
    pub data_path: String,
}

/// A DuckLake catalog database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Catalog {
    /// A SQLite file: the embedded default.
    Sqlite(String),
    /// A DuckDB file: one process, one attachment.
    DuckDb(String),
    /// A PostgreSQL database; credentials come from the engine secret of that name.
    Postgres {
        /// Connection text without password.
        dsn: String,
        /// Name of the engine secret, if one was created.
        secret: Option<String>,
    },
}

/// When data tests run (spec: data tests).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PublishMode {
    /// After the commit: a violation fails the run, the snapshot stays.
    #[default]
    CommitThenTest,
    /// Inside the publish transaction: a violation rolls back.
    WriteAuditPublish,
}

/// How the target is written (spec: managed writes, the strategy table).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The whole table.
    Replace,
    /// One slice.
    ReplacePartition,
    /// Rows whose key is in the SELECT (SCD type 1).
    Merge {
        /// Key columns; never empty.
        key: Vec<String>,
    },
    /// Only inserts.
    Append,
    /// SCD type 2.
    History {
        /// Key columns; never empty.
        key: Vec<String>,
        /// Tracked columns; empty: all that are no key.
        track: Vec<String>,
        /// Close keys that vanished.
        close_deleted: bool,
    },
    /// The script writes itself.
    Manual,
}

impl Strategy {
    /// Its name in records and on the wire.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::ReplacePartition => "replace_partition",
            Self::Merge { .. } => "merge",
            Self::Append => "append",
            Self::History { .. } => "history",
            Self::Manual => "manual",
        }
    }
}

/// First part of a plan: all that can be run before the lake has been looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Preparation {
    /// The target.
    pub target: Target,
    /// How it is written.
    pub strategy: Strategy,
    /// Attachments and settings.
    pub open: Vec<Statement>,
    /// Macros, partition variables and the script's setup statements.
    pub setup: Vec<Statement>,
    /// What the executor asks the engine to fill [`Observed`].
    pub inspect: Vec<Statement>,
    /// The script's single output statement.
    pub query: UserSql,
}

/// The target of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// `lake/table`, as written.
    pub asset_path: String,
    /// The lake's name.
    pub lake: String,
    /// Schema in the lake.
    pub schema: String,
    /// Table in the schema.
    pub table: String,
    /// How the plan's statements name it.
    pub table_ref: TableRef,
}

/// A whole plan. `open`, `setup` and `inspect` stand in `preparation`.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What has run before the lake was looked at.
    pub preparation: Preparation,
    /// Evaluates the SELECT into a temp table, where its rows are needed more than once.
    pub stage: Vec<Statement>,
    /// Everything between BEGIN and COMMIT, both included: one snapshot at most.
    pub publish: Vec<Statement>,
    /// Data tests, to run after (or, with write-audit-publish, before) the commit.
    pub checks: Vec<Check>,
    /// How the SELECT's columns differ from the table's; empty when they do not.
    pub drift: Drift,
    /// Remarks for the summary: append wins over key, a NULL key with merge …
    pub warnings: Vec<String>,
}

/// Column differences between the SELECT and the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drift {
    /// In the SELECT, not in the table.
    pub added: Vec<String>,
    /// In the table, not in the SELECT.
    pub removed: Vec<String>,
    /// In both, with another type: name, the table's type, the SELECT's type.
    pub retyped: Vec<(String, String, String)>,
    /// How they are treated.
    pub policy: OnSchemaChange,
}

/// One data test, compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// `unique id`
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its probe: one row `(violating BIGINT, sample VARCHAR)`.
    pub probe: Probe,
}

/// What a check counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Values that stand in more than one row.
    Unique(Ident),
    /// NULLs.
    NotNull(Ident),
    /// Non-NULL values outside a list.
    AcceptedValues(Ident, Vec<Literal>),
    /// Non-NULL values without a match.
    Relationships {
        /// The tested column.
        column: Ident,
        /// Where the values must stand.
        to: TableRef,
        /// In which column.
        to_column: Ident,
    },
}

/// Which rows of the target a check or a DELETE covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All.
    Table,
    /// One slice: `_wm_partition = value`.
    Partition(Literal),
    /// Current versions of a history.
    Current,
}

/// Where an INSERT's rows come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The script's SELECT, evaluated here.
    Query(UserSql),
    /// The staged rows.
    Staged(TableRef),
}

/// A typed statement. What its result means to the executor is [`Statement::outcome`].
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `SET name = value`
    Set {
        /// Engine setting.
        name: &'static str,
        /// Its value.
        value: Literal,
    },
    /// Attaches a lake.
    AttachLake {
        /// Its name, for messages.
        lake: String,
        /// Where it is.
        source: LakeSource,
        /// Under which name.
        alias: Ident,
        /// Reading only.
        read_only: bool,
        /// The user's own options (`SNAPSHOT_VERSION 3`), passed through.
        options: Option<UserSql>,
    },
    /// `CREATE OR REPLACE TEMP MACRO wm_partition(ts) AS strftime(ts, format)`
    PartitionMacro {
        /// strftime format of the grain.
        format: String,
    },
    /// `SET VARIABLE name = value`
    SetVariable {
        /// Variable.
        name: &'static str,
        /// Its value.
        value: Literal,
    },
    /// A statement of the script.
    User(UserSql),
    /// `DESCRIBE` of the script's output.
    DescribeOutput(UserSql),
    /// Whether the target is a table or a view, its columns, its partition columns.
    DescribeTarget(TableRef),
    /// Evaluates the SELECT once.
    Stage {
        /// The temp table.
        into: TableRef,
        /// The SELECT.
        query: UserSql,
    },
    /// More than one staged row for one non-NULL key: rows of
    /// `(keys BIGINT, example VARCHAR, rows BIGINT)`, at most 5; none when all is well.
    DuplicateKeys {
        /// The staged rows.
        staged: TableRef,
        /// The key.
        key: Vec<Ident>,
    },
    /// Staged rows with a NULL in the key: one row `(rows BIGINT)`.
    NullKeys {
        /// The staged rows.
        staged: TableRef,
        /// The key.
        key: Vec<Ident>,
    },
    /// Number of staged rows: one row `(rows BIGINT)`.
    CountStaged(TableRef),
    /// `BEGIN TRANSACTION`
    Begin,
    /// `CREATE SCHEMA IF NOT EXISTS`
    CreateSchema {
        /// The lake's alias.
        catalog: Ident,
        /// The schema.
        schema: Ident,
    },
    /// `CREATE TABLE`, empty, with these columns.
    CreateTable {
        /// The target.
        table: TableRef,
        /// Its columns.
        columns: Vec<Column>,
    },
    /// `CREATE OR REPLACE TABLE … AS`: new shape.
    ReplaceTable {
        /// The target.
        table: TableRef,
        /// Its rows.
        source: Source,
    },
    /// `ALTER TABLE … SET PARTITIONED BY (_wm_partition)`
    SetPartitionedBy(TableRef),
    /// `DELETE`
    Delete {
        /// The target.
        table: TableRef,
        /// Which rows.
        scope: Scope,
        /// Only those whose key is in the staged rows, null-safe: NULL matches nothing.
        keys_in: Option<(Vec<Ident>, TableRef)>,
    },
    /// `INSERT … BY NAME`
    Insert {
        /// The target.
        table: TableRef,
        /// The rows.
        source: Source,
        /// Columns to insert, cast where a type is given; `None`: all as they are.
        columns: Option<Vec<InsertColumn>>,
        /// Value of `_wm_partition`.
        partition: Option<Literal>,
    },
    /// `CALL lake.set_commit_message(author, message, extra_info => json)`
    CommitMessage {
        /// The lake's alias.
        catalog: Ident,
        /// Who.
        author: String,
        /// What happened, for people.
        message: String,
        /// What happened, for machines.
        extra: CommitInfo,
    },
    /// `COMMIT`
    Commit,
    /// `DROP TABLE` of the staged rows.
    DropStaged(TableRef),
}

/// One column of an INSERT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsertColumn {
    /// Its name in the SELECT and the table.
    pub name: Ident,
    /// The type to cast to, when the SELECT's differs.
    pub cast: Option<String>,
}

/// The commit's `extra_info`: how a run finds its snapshot.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CommitInfo {
    /// Job id.
    pub job: String,
    /// `lake/table`.
    pub asset: String,
    /// The slice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// Strategy's name.
    pub strategy: String,
    /// The script's path.
    pub script: String,
    /// SHA-256 of the script's text, in hex.
    pub hash: String,
}

/// What the executor does with a statement's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Nothing.
    Nothing,
    /// Columns of the SELECT or the table, for [`Observed`].
    Observe,
    /// Any row fails the run.
    GuardKeys,
    /// A count above zero is worth a warning.
    CountNullKeys,
    /// The number of staged rows.
    CountStaged,
    /// The number of changed rows is the number of deleted ones.
    CountDeleted,
    /// The number of changed rows is the number of inserted ones.
    CountInserted,
}

impl Statement {
    /// What the executor does with its result.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        match self {
            Self::DescribeOutput(_) | Self::DescribeTarget(_) => Outcome::Observe,
            Self::DuplicateKeys { .. } => Outcome::GuardKeys,
            Self::NullKeys { .. } => Outcome::CountNullKeys,
            Self::CountStaged(_) => Outcome::CountStaged,
            Self::Delete { .. } => Outcome::CountDeleted,
            Self::Insert { .. } | Self::ReplaceTable { .. } => Outcome::CountInserted,
            Self::Set { .. }
            | Self::AttachLake { .. }
            | Self::PartitionMacro { .. }
            | Self::SetVariable { .. }
            | Self::User(_)
            | Self::Stage { .. }
            | Self::Begin
            | Self::CreateSchema { .. }
            | Self::CreateTable { .. }
            | Self::SetPartitionedBy(_)
            | Self::CommitMessage { .. }
            | Self::Commit
            | Self::DropStaged(_) => Outcome::Nothing,
        }
    }
}
