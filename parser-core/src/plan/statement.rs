//! Typed statements and what their results mean.

use super::context::{LakeSource, RunContext, Strategy};
use super::sql::{Column, Ident, Literal, TableRef, UserSql};
use crate::body::Again;
use crate::source::Span;

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
        /// When the alias is taken.
        again: Again,
    },
    /// Attaches a PostgreSQL database, whose connection is in the engine's secret [`secret_name`](super::secret_name).
    AttachDatatable {
        /// Its name.
        datatable: String,
        /// Under which name.
        alias: Ident,
        /// Reading only.
        read_only: bool,
        /// The user's own options (`SCHEMA 'public'`), passed through.
        options: Option<UserSql>,
        /// When the alias is taken.
        again: Again,
        /// The script's ATTACH.
        span: Span,
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
    /// Whether the target is a table or a view, its columns, its partition columns; the same of its history's view.
    DescribeTarget {
        /// The target.
        table: TableRef,
        /// The view's name.
        current_view: Option<TableRef>,
    },
    /// Evaluates the SELECT once.
    Stage {
        /// The temp table.
        into: TableRef,
        /// The SELECT.
        query: UserSql,
    },
    /// More than one staged row for one key: rows of
    /// `(keys BIGINT, example VARCHAR, rows BIGINT)`, at most 5; none when all is well.
    DuplicateKeys {
        /// The staged rows.
        staged: TableRef,
        /// The key.
        key: Vec<Ident>,
        /// Whether keys with a NULL count: where they match each other, two of them are one key twice.
        nulls_match: bool,
    },
    /// Staged rows with a NULL in the key: one row `(rows BIGINT)`.
    NullKeys {
        /// The staged rows.
        staged: TableRef,
        /// The key.
        key: Vec<Ident>,
    },
    /// Staged values that a cast to the table's type would lose: rows of
    /// `(column VARCHAR, lost BIGINT, example VARCHAR)`, only for columns that lose any.
    LossyCasts {
        /// The staged rows.
        staged: TableRef,
        /// The columns to cast.
        casts: Vec<Cast>,
    },
    /// Staged values that a lake's files would not hold: rows of `(column VARCHAR, lost BIGINT, mend VARCHAR)`, only for
    /// columns that have any.
    InexactValues {
        /// The staged rows.
        staged: TableRef,
        /// The columns whose type is not kept for every value.
        columns: Vec<Inexact>,
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
        /// Its columns in order.
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
    /// `COMMENT ON COLUMN`: by what the slices are cut.
    NoteCut {
        /// The target.
        table: TableRef,
        /// [`cut_by`](super::cut_by)
        cut_by: String,
    },
    /// `ALTER TABLE … RESET PARTITIONED BY`
    ResetPartitionedBy(TableRef),
    /// `CREATE TEMP TABLE` of the table's rows as they are to be: columns take other types.
    KeepRows {
        /// The temp table.
        into: TableRef,
        /// The target.
        table: TableRef,
        /// Columns that are left out.
        without: Vec<Ident>,
        /// Columns of other types.
        retyped: Vec<Column>,
        /// What gives `_wm_partition`, which is not among the table's columns or left out.
        slice: Option<SliceOf>,
    },
    /// `DELETE` of all rows, which come back.
    EmptyTable(TableRef),
    /// `INSERT` of the rows that were kept.
    PutBack {
        /// The target.
        table: TableRef,
        /// The rows.
        rows: TableRef,
    },
    /// `ALTER TABLE`: a column follows the SELECT.
    AlterColumn {
        /// The target.
        table: TableRef,
        /// What becomes of which column.
        change: ColumnChange,
    },
    /// `SET VARIABLE` to the time from which the versions of this run hold: the transaction's clock in UTC, and later
    /// than every time in the table, whatever the clocks of two machines say.
    EffectiveTime(TableRef),
    /// `CREATE TEMP TABLE` of the staged rows that are new to a history: those without a current version of the same
    /// key and the same tracked values.
    FindChanges {
        /// The temp table.
        into: TableRef,
        /// The staged rows.
        staged: TableRef,
        /// The table with history.
        table: TableRef,
        /// The key; NULL matches NULL.
        key: Vec<Ident>,
        /// The columns whose change makes a version.
        tracked: Vec<Ident>,
    },
    /// `UPDATE` of current versions: they end at the run's effective time.
    CloseVersions {
        /// The table with history.
        table: TableRef,
        /// The rows whose keys are closed.
        changes: TableRef,
        /// The key; NULL matches NULL.
        key: Vec<Ident>,
        /// Keys that are not among these rows are closed too.
        unless_in: Option<TableRef>,
    },
    /// `CREATE VIEW` of the current versions.
    CreateCurrentView {
        /// The view.
        view: TableRef,
        /// The table with history.
        table: TableRef,
    },
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
        /// What is written beside them.
        added: Added,
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

/// The columns that lakemill adds to each row of an INSERT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Added {
    /// None.
    Nothing,
    /// `_wm_partition`, with this value.
    Partition(Literal),
    /// Those of a current version that holds from the run's effective time.
    Version,
}

/// What tells the slice of a row that is there. A NULL, or a time that no slice holds, tells none, and fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SliceOf {
    /// A time.
    Time {
        /// The column.
        column: Ident,
        /// strftime format of the grain.
        format: String,
    },
    /// Any value: its text.
    Value(Ident),
}

/// What becomes of a column of the table, `on_schema_change=sync`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnChange {
    /// It is added: NULL in the rows that are there.
    Add(Column),
    /// It is dropped.
    Drop(Ident),
}

/// A column of whose values a lake's files may hold less than its type promises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inexact {
    /// The column.
    pub column: Ident,
    /// The SELECT's type.
    pub data_type: String,
    /// What files hold.
    pub kept: Kept,
    /// What to cast it to.
    pub mend: &'static str,
}

/// What a lake's files hold of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// What a cast to this type and back leaves.
    As(String),
    /// Of an INTERVAL: months, days and milliseconds, each a whole number of 32 bits.
    Milliseconds,
}

/// A column that is cast on its way into the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cast {
    /// The column.
    pub column: Ident,
    /// The SELECT's type.
    pub from: String,
    /// The table's type.
    pub to: String,
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

impl CommitInfo {
    /// Of a run in `context`.
    pub(super) fn of(context: &RunContext, asset: &str, strategy: &Strategy) -> Self {
        Self {
            job: context.job.clone(),
            asset: asset.to_owned(),
            partition: context.partition.as_ref().map(|slice| slice.value.clone()),
            strategy: strategy.as_str().to_owned(),
            script: context.script_path.clone(),
            hash: context.content_hash.clone(),
        }
    }
}

/// What the executor does with a statement's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Nothing.
    Nothing,
    /// Columns of the SELECT or the table, for [`Observed`](super::Observed).
    Observe,
    /// Any row fails the run.
    GuardKeys,
    /// Any row fails the run: a cast would lose values.
    GuardCasts,
    /// Any row fails the run: files would not hold the values.
    GuardInexact,
    /// A count above zero is worth a warning.
    CountNullKeys,
    /// The number of staged rows.
    CountStaged,
    /// The number of changed rows is the number of deleted ones.
    CountDeleted,
    /// The number of changed rows is the number of inserted ones.
    CountInserted,
    /// The number of changed rows is the number of closed versions.
    CountClosed,
}

impl Statement {
    /// What the executor does with its result.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        match self {
            Self::DescribeOutput(_) | Self::DescribeTarget { .. } => Outcome::Observe,
            Self::DuplicateKeys { .. } => Outcome::GuardKeys,
            Self::LossyCasts { .. } => Outcome::GuardCasts,
            Self::InexactValues { .. } => Outcome::GuardInexact,
            Self::NullKeys { .. } => Outcome::CountNullKeys,
            Self::CountStaged(_) => Outcome::CountStaged,
            Self::Delete { .. } => Outcome::CountDeleted,
            Self::Insert { .. } | Self::ReplaceTable { .. } => Outcome::CountInserted,
            Self::CloseVersions { .. } => Outcome::CountClosed,
            Self::Set { .. }
            | Self::AttachLake { .. }
            | Self::AttachDatatable { .. }
            | Self::PartitionMacro { .. }
            | Self::SetVariable { .. }
            | Self::User(_)
            | Self::Stage { .. }
            | Self::Begin
            | Self::CreateSchema { .. }
            | Self::CreateTable { .. }
            | Self::SetPartitionedBy(_)
            | Self::NoteCut { .. }
            | Self::ResetPartitionedBy(_)
            | Self::KeepRows { .. }
            | Self::EmptyTable(_)
            | Self::PutBack { .. }
            | Self::AlterColumn { .. }
            | Self::EffectiveTime(_)
            | Self::FindChanges { .. }
            | Self::CreateCurrentView { .. }
            | Self::CommitMessage { .. }
            | Self::Commit
            | Self::DropStaged(_) => Outcome::Nothing,
        }
    }

    /// The part of the script that it carries.
    #[must_use]
    pub fn user_span(&self) -> Option<Span> {
        match self {
            Self::User(user) | Self::DescribeOutput(user) | Self::Stage { query: user, .. } => {
                Some(user.span)
            }
            Self::ReplaceTable { source, .. } | Self::Insert { source, .. } => match source {
                Source::Query(user) => Some(user.span),
                Source::Staged(_) => None,
            },
            Self::AttachLake { options, .. } => options.as_ref().map(|user| user.span),
            Self::AttachDatatable { span, .. } => Some(*span),
            Self::Set { .. }
            | Self::PartitionMacro { .. }
            | Self::SetVariable { .. }
            | Self::DescribeTarget { .. }
            | Self::DuplicateKeys { .. }
            | Self::NullKeys { .. }
            | Self::LossyCasts { .. }
            | Self::InexactValues { .. }
            | Self::CountStaged(_)
            | Self::Begin
            | Self::CreateSchema { .. }
            | Self::CreateTable { .. }
            | Self::SetPartitionedBy(_)
            | Self::NoteCut { .. }
            | Self::ResetPartitionedBy(_)
            | Self::KeepRows { .. }
            | Self::EmptyTable(_)
            | Self::PutBack { .. }
            | Self::AlterColumn { .. }
            | Self::EffectiveTime(_)
            | Self::FindChanges { .. }
            | Self::CloseVersions { .. }
            | Self::CreateCurrentView { .. }
            | Self::Delete { .. }
            | Self::CommitMessage { .. }
            | Self::Commit
            | Self::DropStaged(_) => None,
        }
    }
}
