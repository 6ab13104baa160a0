//! History (SCD type 2): every version of a row, with the time from which and until which it held.

use super::CHANGES_TABLE;
use super::build::{Builder, Table};
use super::context::TargetShape;
use super::drift::{Drift, find};
use super::error::PlanError;
use super::sql::{Column, Ident};
use super::statement::{Added, Source, Statement};
use crate::script::OnSchemaChange;

/// What a table with history has behind the SELECT's columns: names and types.
pub(super) const COLUMNS: [(&str, &str); 3] = [
    ("valid_from", "TIMESTAMP"),
    ("valid_to", "TIMESTAMP"),
    ("is_current", "BOOLEAN"),
];

/// What the view of the current versions has behind the table's name.
pub(super) const VIEW_SUFFIX: &str = "_current";

/// Whether lakemill adds a column of this name to a table with history.
pub(super) fn adds(name: &str) -> bool {
    COLUMNS
        .iter()
        .any(|(added, _)| name.eq_ignore_ascii_case(added))
}

/// Whether a table was built with history.
pub(super) fn is_in(columns: &[Column]) -> bool {
    COLUMNS.iter().all(|(name, data_type)| {
        find(columns, name).is_some_and(|column| column.data_type == *data_type)
    })
}

impl Builder<'_> {
    /// Closes the versions of changed (and of vanished) keys and opens those of changed and new ones.
    pub(super) fn history(
        &mut self,
        key: &[String],
        track: &[String],
        close_deleted: bool,
    ) -> Result<Vec<Statement>, PlanError> {
        let key = self.select.key(key, self.span)?;
        let tracked = self.tracked(&key, track)?;
        if let Some(table) = self.table {
            self.check_frozen(table)?;
        }
        let target = self.target();
        let staged = self.stage();
        self.stage.push(Statement::DuplicateKeys {
            staged: staged.clone(),
            key: key.clone(),
            nulls_match: true,
        });
        let mut statements = vec![Statement::EffectiveTime(target.clone())];
        let mut opened = staged.clone();
        if self.table.is_some() {
            opened = self.temporary(CHANGES_TABLE);
            statements.extend([
                Statement::FindChanges {
                    into: opened.clone(),
                    staged: staged.clone(),
                    table: target.clone(),
                    key: key.clone(),
                    tracked,
                },
                Statement::CloseVersions {
                    table: target.clone(),
                    changes: opened.clone(),
                    key,
                    unless_in: close_deleted.then_some(staged),
                },
            ]);
        }
        statements.push(Statement::Insert {
            table: target.clone(),
            source: Source::Staged(opened),
            columns: None,
            added: Added::Version,
        });
        if let Some(view) = &self.write.current_view {
            match &self.observed.current_view {
                TargetShape::Absent => statements.push(Statement::CreateCurrentView {
                    view: view.clone(),
                    table: target,
                }),
                TargetShape::View => {}
                TargetShape::Table { .. } => self.warnings.push(
                    "the view of the current versions is left out: a table has its name, `"
                        .to_owned()
                        + &view.table.0
                        + "`; rename or drop it, and the next run makes the view",
                ),
            }
        }
        Ok(statements)
    }

    /// The columns whose change makes a version.
    fn tracked(&self, key: &[Ident], track: &[String]) -> Result<Vec<Ident>, PlanError> {
        for name in track {
            if find(self.select.columns, name).is_none() {
                return Err(PlanError::tracked_column(
                    name,
                    self.select.columns,
                    self.span,
                ));
            }
        }
        let mut tracked = Vec::new();
        for column in self.select.columns {
            let is_key = key.iter().any(|key| key.0 == column.name);
            let is_tracked = track.is_empty()
                || track
                    .iter()
                    .any(|name| name.eq_ignore_ascii_case(&column.name));
            if is_tracked && !is_key {
                tracked.push(Ident::new(&column.name));
            }
        }
        Ok(tracked)
    }

    /// Versions of different shapes cannot be compared: a table with history keeps the columns of its first run.
    fn check_frozen(&self, table: &Table<'_>) -> Result<(), PlanError> {
        let own: Vec<Column> = table
            .columns
            .iter()
            .filter(|column| !adds(&column.name))
            .cloned()
            .collect();
        let drift = Drift::between(self.select.columns, &own, OnSchemaChange::Fail);
        if drift.is_empty() {
            return Ok(());
        }
        let target = &self.write.target.asset_path;
        Err(PlanError::frozen(target, &drift, self.span))
    }
}
