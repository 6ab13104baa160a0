//! A run's result, as one row.

use std::collections::BTreeMap;

use parser_core::plan::sql::Column;
use parser_core::plan::{Drift, Plan};
use serde::Serialize;

use crate::verify::TestOutcome;

/// What a run did.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// The asset's URI; absent when the script materialises nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub materialized: Option<String>,
    /// The slice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// How it was written.
    pub strategy: &'static str,
    /// The run's job.
    pub job: String,
    /// Rows of the slice after the run; absent when the script writes itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<i64>,
    /// The run's snapshot; absent when nothing changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot_id: Option<i64>,
    /// Whether anything changed.
    pub changed: bool,
    /// Rows written.
    pub rows_inserted: i64,
    /// Rows removed.
    pub rows_deleted: i64,
    /// Versions of a history that ended; absent for other strategies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versions_closed: Option<i64>,
    /// Columns of the SELECT.
    pub output_schema: Vec<ColumnReport>,
    /// How they differ from the table's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema_drift: Option<DriftReport>,
    /// Outcomes of the data tests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub data_tests: Vec<TestOutcome>,
    /// Newest snapshot of each lake that the script reads, as the run began.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub upstream_snapshots: BTreeMap<String, i64>,
    /// Remarks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How often the publish was tried.
    pub publish_attempts: u32,
    /// Milliseconds per stage.
    pub timings: Timings,
}

/// A column.
#[derive(Clone, Debug, Serialize)]
pub struct ColumnReport {
    /// Name.
    pub name: String,
    /// Type.
    #[serde(rename = "type")]
    pub data_type: String,
}

impl From<&Column> for ColumnReport {
    fn from(column: &Column) -> Self {
        Self {
            name: column.name.clone(),
            data_type: column.data_type.clone(),
        }
    }
}

/// Column differences between SELECT and table.
#[derive(Clone, Debug, Serialize)]
pub struct DriftReport {
    /// In the SELECT only.
    pub added: Vec<String>,
    /// In the table only.
    pub removed: Vec<String>,
    /// In both, with different types.
    pub retyped: Vec<RetypedReport>,
    /// What was done about it.
    pub policy: &'static str,
}

/// A column with two types.
#[derive(Clone, Debug, Serialize)]
pub struct RetypedReport {
    /// Name.
    pub name: String,
    /// The table's type.
    pub table: String,
    /// The SELECT's type.
    pub select: String,
}

impl DriftReport {
    /// The plan's drift; `None` when there is none.
    #[must_use]
    pub fn of(plan: &Plan) -> Option<Self> {
        let Drift {
            added,
            removed,
            retyped,
            policy,
        } = &plan.drift;
        if added.is_empty() && removed.is_empty() && retyped.is_empty() {
            return None;
        }
        Some(Self {
            added: added.clone(),
            removed: removed.clone(),
            retyped: retyped
                .iter()
                .map(|retyped| RetypedReport {
                    name: retyped.column.clone(),
                    table: retyped.table.clone(),
                    select: retyped.select.clone(),
                })
                .collect(),
            policy: policy.as_str(),
        })
    }
}

/// Milliseconds per stage.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Timings {
    /// Engine, extensions, attachments.
    pub open_ms: u64,
    /// Macros, variables, the script's setup statements.
    pub setup_ms: u64,
    /// Columns of SELECT and target.
    pub inspect_ms: u64,
    /// The SELECT, where it is staged.
    pub stage_ms: u64,
    /// Waiting for other writers.
    pub lock_ms: u64,
    /// The transaction.
    pub publish_ms: u64,
    /// Looking for the commit, counting, data tests.
    pub verify_ms: u64,
}
