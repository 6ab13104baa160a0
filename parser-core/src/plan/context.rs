//! What a plan is built for, and what the lake answered.

use super::lakes::Lakes;
use super::sql::Column;
use super::statement::Scope;
use super::{ManagedWrite, PARTITION_COLUMN, history};
use crate::asset::{Asset, AssetKind};
use crate::body::{AttachedAsset, SetupKind, StatementKind};
use crate::partition::{Grid, Slice};
use crate::script::{Partitioned, Rule, Script};

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
    pub lakes: Lakes,
    /// Names of the databases that `datatable://` may name.
    pub datatables: Vec<String>,
    /// Where the keys of `s3:///key` are: a folder, or `s3://bucket/prefix`. Nobody knows: they stay as they are written.
    pub storage: Option<String>,
    /// The slice to write; `None` when unpartitioned.
    pub partition: Option<Slice>,
    /// When data tests run.
    pub publish: PublishMode,
    /// Which SELECTs are evaluated into a temp table first.
    pub staging: Staging,
}

/// Which SELECTs are evaluated into a temp table before the publish transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Staging {
    /// Those whose rows are needed more than once; others stream straight into the write.
    #[default]
    WhereNeeded,
    /// All, so that the publish lock is held only while rows are copied: parallel backfills.
    Always,
}

/// What only the lake and the engine know; asked after setup, before publishing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// The target as it is.
    pub target: TargetShape,
    /// What stands at the name of a history's view, [`ManagedWrite::current_view`](super::ManagedWrite::current_view).
    pub current_view: TargetShape,
    /// Output columns of the script's SELECT (DESCRIBE).
    pub output: Vec<Column>,
    /// The slice is known to hold no row, so that DELETE is left out.
    pub slice_absent: bool,
    /// Slices of the table that the script does not cut.
    pub foreign: Option<ForeignSlices>,
    /// Each row is in the slice that the column of `rebuild --by` tells.
    pub is_placed: bool,
}

/// Slices that are none of a script's: no run of it would write them again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignSlices {
    /// How many; at least one.
    pub count: usize,
    /// The least of them.
    pub example: String,
    /// By what the table's slices were cut, where that is not what the script says.
    pub cut_by: Option<String>,
}

impl ForeignSlices {
    /// Those of a table's slices (`None` is NULL) that a script does not cut: all, where the table says that they were cut by
    /// something else.
    #[must_use]
    pub fn among(
        slices: &mut dyn Iterator<Item = Option<&String>>,
        noted: Option<&String>,
        partition: &Partitioned,
    ) -> Option<Self> {
        let cut_by = noted.filter(|noted| **noted != cut_by(partition)).cloned();
        let grid = match partition {
            Partitioned::Time(time) => Some(Grid::new(time)),
            Partitioned::Dynamic { .. } => None,
        };
        let mut count = 0;
        let mut least: Option<&String> = None;
        for slice in slices {
            let is_cut = match (slice, &grid) {
                (Some(value), Some(grid)) => grid.slice(value).is_ok(),
                (Some(_), None) => true,
                // No run writes it.
                (None, _) => false,
            };
            if is_cut && cut_by.is_none() {
                continue;
            }
            count += 1;
            if let Some(value) = slice
                && least.is_none_or(|least| value < least)
            {
                least = Some(value);
            }
        }
        (count > 0).then(|| Self {
            count,
            example: least.map_or("NULL", String::as_str).to_owned(),
            cut_by,
        })
    }
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
        /// By what its slices are cut, as the last run noted: [`cut_by`].
        cut_by: Option<String>,
    },
    /// Something of that name is a view.
    View,
}

impl TargetShape {
    /// As the first run of `write`, which `script` plans, leaves it.
    #[must_use]
    pub fn created(output: &[Column], write: &ManagedWrite, script: &Script) -> Self {
        let partitioned_by = match write.scope {
            Scope::Partition(_) => vec![PARTITION_COLUMN.to_owned()],
            Scope::Table | Scope::Current => Vec::new(),
        };
        Self::Table {
            columns: created_columns(output, &write.scope),
            partitioned_by,
            cut_by: script
                .header
                .partition
                .as_ref()
                .map(|line| cut_by(&line.value)),
        }
    }
}

/// By what a script cuts its slices: the format of their names, or where the caller's payload names them. Two scripts that
/// cut alike say the same.
#[must_use]
pub fn cut_by(partition: &Partitioned) -> String {
    match partition {
        Partitioned::Time(time) => Grid::new(time).format().to_owned(),
        Partitioned::Dynamic { key } => {
            let key = key.value.as_str();
            ["key=", key.strip_prefix("$.").unwrap_or(key)].concat()
        }
    }
}

/// The columns of a table that a run creates: those of the SELECT, then the partition's or the history's.
pub(super) fn created_columns(output: &[Column], scope: &Scope) -> Vec<Column> {
    let added: &[(&str, &str)] = match scope {
        Scope::Table => &[],
        Scope::Partition(_) => &[(PARTITION_COLUMN, "VARCHAR")],
        Scope::Current => &history::COLUMNS,
    };
    let added = added.iter().map(|&(name, data_type)| Column {
        name: name.to_owned(),
        data_type: data_type.to_owned(),
    });
    output.iter().cloned().chain(added).collect()
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
    /// The rows that are there, in the layout that the script says.
    Rebuild,
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
            Self::Rebuild => "rebuild",
        }
    }
}

/// The names of the lakes that a script names, in order: its target's, those it attaches, those its
/// data tests refer to.
#[must_use]
pub fn lakes(script: &Script) -> Vec<String> {
    let target = script
        .header
        .materialize
        .iter()
        .map(|line| &line.value.asset.value);
    let of_assets = names(target.chain(tested(script)), AssetKind::Ducklake);
    let attached = attached(script).filter_map(|asset| match asset {
        AttachedAsset::Lake(name) => Some(name.clone()),
        AttachedAsset::Datatable(_) => None,
    });
    sorted(of_assets.chain(attached))
}

/// The names of the databases that a script attaches or that its data tests refer to, in order.
#[must_use]
pub fn datatables(script: &Script) -> Vec<String> {
    let attached = attached(script).filter_map(|asset| match asset {
        AttachedAsset::Datatable(name) => Some(name.clone()),
        AttachedAsset::Lake(_) => None,
    });
    sorted(names(tested(script), AssetKind::Datatable).chain(attached))
}

/// The names of the lakes or databases that assets are in.
fn names<'a>(
    assets: impl Iterator<Item = &'a Asset>,
    kind: AssetKind,
) -> impl Iterator<Item = String> {
    assets
        .filter(move |asset| asset.kind == kind)
        .map(|asset| asset.path.split('/').next().unwrap_or_default().to_owned())
}

/// The assets that the data tests of a script refer to.
fn tested(script: &Script) -> impl Iterator<Item = &Asset> {
    let tests = script.header.data_tests.iter();
    tests.filter_map(|test| match &test.value.rule {
        Rule::Relationships { to, .. } => Some(&to.asset),
        Rule::Unique { .. }
        | Rule::NotNull { .. }
        | Rule::AcceptedValues { .. }
        | Rule::RowCount { .. }
        | Rule::Freshness { .. }
        | Rule::Expression { .. }
        | Rule::Custom { .. } => None,
    })
}

/// What a script attaches by lakemill's URIs.
fn attached(script: &Script) -> impl Iterator<Item = &AttachedAsset> {
    let statements = script.body.statements.iter();
    statements.filter_map(|statement| match &statement.kind {
        StatementKind::Setup(SetupKind::Attach(attach)) => attach.asset.as_ref(),
        StatementKind::Setup(_)
        | StatementKind::Output(_)
        | StatementKind::Write { .. }
        | StatementKind::Transaction
        | StatementKind::Other => None,
    })
}

fn sorted(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    crate::sort::by_text(&mut names, |name| name);
    names.dedup();
    names
}
