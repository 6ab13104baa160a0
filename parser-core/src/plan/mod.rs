//! The plan: typed statements in typed groups, built purely from a script and a run context.
//!
//! `lakemill plan`, the browser's preview and a run consume the same [`Plan`]; only
//! [`crate::render`] makes SQL text of it. A run first carries out a [`Preparation`] ([`prepare()`]),
//! then asks the lake what it looks like ([`Observed`]), then finishes the plan ([`build()`]).

mod build;
mod checks;
mod context;
mod datatable;
mod drift;
mod error;
mod exact;
mod history;
mod lakes;
mod prepare;
mod rebuild;
mod references;
mod slicing;
pub mod sql;
mod statement;
mod storable;
mod storage;
mod widening;

pub use build::{build, refuse_foreign_slices};
pub use checks::{Check, Probe, compile as compile_checks};
pub use context::{
    Catalog, ForeignSlices, LakeSource, Observed, PublishMode, RunContext, Staging, Strategy,
    TargetShape, cut_by, datatables, lakes,
};
pub use datatable::secret_name;
pub use drift::{Drift, Retyped};
pub use error::PlanError;
pub use lakes::Lakes;
pub use prepare::{prepare, slice};
pub use rebuild::{prepare_rebuild, rebuild};
pub use statement::{
    Added, Cast, ColumnChange, CommitInfo, Inexact, InsertColumn, Kept, Outcome, Scope, SliceOf,
    Source, Statement,
};

pub use widening::widens;

use sql::{Column, Ident, TableRef, UserSql};

/// First part of a plan: all that can be run before the lake has been looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Preparation {
    /// Attachments: the target's lake, and lakes that data tests refer to.
    pub open: Vec<Statement>,
    /// Macros, partition variables and the script's setup statements; for `manual` and scripts
    /// that materialise nothing, all of the script's statements.
    pub setup: Vec<Statement>,
    /// Folders of the default storage that the script writes files into: made before its statements run.
    pub folders: Vec<String>,
    /// What is written; `None` when the script writes itself.
    pub write: Option<ManagedWrite>,
}

/// What a managed script writes, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct ManagedWrite {
    /// The target.
    pub target: Target,
    /// How it is written.
    pub strategy: Strategy,
    /// The script's single output statement.
    pub query: UserSql,
    /// Which rows of the target belong to this run: data tests and counts cover these.
    pub scope: Scope,
    /// The view of a history's current versions; `None` for other strategies.
    pub current_view: Option<TableRef>,
    /// What the executor asks the engine to fill [`Observed`].
    pub inspect: Vec<Statement>,
    /// The SELECT must be evaluated before the write begins: it reads the target through the attachment that is written
    /// through, or it pivots.
    pub needs_staging: bool,
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

/// A whole plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What has run before the lake was looked at.
    pub preparation: Preparation,
    /// Evaluates the SELECT into a temp table, where its rows are needed more than once, and the
    /// guards over it.
    pub stage: Vec<Statement>,
    /// Everything between BEGIN and COMMIT, both included: one snapshot at most.
    pub publish: Vec<Statement>,
    /// Clean-up after the commit.
    pub finish: Vec<Statement>,
    /// Data tests, to run after (or, with write-audit-publish, before) the commit.
    pub checks: Vec<Check>,
    /// The table's columns once the run is through; none when the script writes itself.
    pub columns: Vec<Column>,
    /// How the SELECT's columns differ from the table's; empty when they do not.
    pub drift: Drift,
    /// Remarks for the summary.
    pub warnings: Vec<String>,
}

impl Plan {
    /// A plan that does nothing more.
    fn of(preparation: Preparation) -> Self {
        Self {
            preparation,
            stage: Vec::new(),
            publish: Vec::new(),
            finish: Vec::new(),
            checks: Vec::new(),
            columns: Vec::new(),
            drift: Drift::default(),
            warnings: Vec::new(),
        }
    }
}

/// The column that says which partition a row belongs to. The last of a table that a run makes; columns that a later run adds stand
/// behind it.
pub const PARTITION_COLUMN: &str = "_wm_partition";
/// How the comment on [`PARTITION_COLUMN`] begins; behind it stands by what the slices are cut, [`cut_by`].
pub const CUT_BY: &str = "lakemill: slices by ";
/// The alias under which the target's lake is attached for writing.
pub const TARGET_ALIAS: &str = "_wm_target";
/// The temp table of staged rows.
pub const STAGE_TABLE: &str = "_wm_stage";
/// The temp table of a table's rows, while its columns change.
const KEPT_TABLE: &str = "_wm_kept";
/// The column of a table whose only columns change.
const HELD_COLUMN: &str = "_wm_held";
/// The temp table of the rows that are new to a history.
pub const CHANGES_TABLE: &str = "_wm_changes";

/// A temp table of this name.
fn temporary(name: &str) -> TableRef {
    TableRef {
        catalog: Ident::new("temp"),
        schema: Ident::new("main"),
        table: Ident::new(name),
    }
}
