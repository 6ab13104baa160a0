//! The second part of a plan: staging, guards, the publish transaction, data tests.

use super::checks;
use super::context::{
    Observed, RunContext, Staging, Strategy, TargetShape, created_columns, cut_by,
};
use super::drift::{Drift, find};
use super::error::PlanError;
use super::sql::{Column, Ident, Literal, TableRef};
use super::statement::{
    Added, Cast, ColumnChange, CommitInfo, Inexact, InsertColumn, Scope, Source, Statement,
};
use super::storable;
use super::widening::widens;
use super::{
    HELD_COLUMN, KEPT_TABLE, ManagedWrite, PARTITION_COLUMN, Plan, Preparation, STAGE_TABLE,
    history,
};
use crate::names::Names;
use crate::script::{OnSchemaChange, Script};
use crate::source::Span;

/// Finishes a plan with what the lake and the engine answered.
///
/// # Errors
/// A [`PlanError`] when the SELECT cannot be stored, does not fit the table, or a data test cannot
/// be compiled. Nothing has been written then.
pub fn build(
    preparation: Preparation,
    script: &Script,
    context: &RunContext,
    observed: &Observed,
) -> Result<Plan, PlanError> {
    let Some(write) = &preparation.write else {
        return Ok(Plan::of(preparation));
    };
    let select = Select::check(write, &observed.output)?;
    let table = Table::check(write, context, observed)?;
    let partition = script.header.partition.as_ref();
    let mut builder = Builder {
        write,
        context,
        observed,
        select: &select,
        table: table.as_ref(),
        span: script
            .header
            .materialize
            .as_ref()
            .map_or(script.header.span, |line| line.span),
        partition: context
            .partition
            .as_ref()
            .map(|slice| Literal::Text(slice.value.clone())),
        cut_by: partition.map(|line| cut_by(&line.value)),
        staged: None,
        temporary: Vec::new(),
        stage: Vec::new(),
        alters: Vec::new(),
        publish: Vec::new(),
        drift: Drift::default(),
        warnings: Vec::new(),
    };
    let policy = script
        .header
        .materialize
        .as_ref()
        .and_then(|line| line.value.on_schema_change.as_ref())
        .map_or(OnSchemaChange::default(), |policy| policy.value);
    let body = builder.write_statements(policy)?;
    builder.publish(body);
    let columns = match (&builder.table, observed.output.as_slice()) {
        (None, []) => Vec::new(),
        _ => builder.columns_after(),
    };
    let checks = checks::compile(script, &write.target, &columns, context)?;
    let Builder {
        temporary,
        stage,
        publish,
        drift,
        mut warnings,
        ..
    } = builder;
    let finish = temporary.into_iter().map(Statement::DropStaged).collect();
    warnings.extend(drift_warning(&drift, &write.target.asset_path));
    Ok(Plan {
        stage,
        publish,
        finish,
        checks,
        columns,
        drift,
        warnings,
        preparation,
    })
}

/// Refuses a run whose table has slices that the script does not cut. Only who has looked at the table's slices can tell.
///
/// # Errors
/// A [`PlanError`] of [`Code::LM319`](crate::diagnostic::Code::LM319).
pub fn refuse_foreign_slices(
    preparation: &Preparation,
    script: &Script,
    observed: &Observed,
) -> Result<(), PlanError> {
    let partition = script.header.partition.as_ref();
    let (Some(foreign), Some(write), Some(line)) =
        (&observed.foreign, &preparation.write, partition)
    else {
        return Ok(());
    };
    let (target, now) = (&write.target.asset_path, cut_by(&line.value));
    Err(PlanError::foreign_slices(target, foreign, &now, line.span))
}

fn drift_warning(drift: &Drift, target: &str) -> Option<String> {
    if drift.is_empty() || drift.policy == OnSchemaChange::Ignore {
        return None;
    }
    let [added, removed, retyped] = if drift.policy == OnSchemaChange::Sync {
        [
            "new columns were added, NULL in older rows",
            "missing columns were dropped",
            "types were widened",
        ]
    } else {
        [
            "new columns were not written",
            "missing columns are NULL",
            "values were cast to the table's types without loss",
        ]
    };
    let consequences: Vec<&str> = [
        (!drift.added.is_empty()).then_some(added),
        (!drift.removed.is_empty()).then_some(removed),
        (!drift.retyped.is_empty()).then_some(retyped),
    ]
    .into_iter()
    .flatten()
    .collect();
    Some(format!(
        "the SELECT's columns differ from those of `{target}`: {}; {}",
        drift.describe(),
        consequences.join(", ")
    ))
}

/// The SELECT's columns, known to be storable.
pub(super) struct Select<'a> {
    pub(super) columns: &'a [Column],
}

impl<'a> Select<'a> {
    fn check(write: &ManagedWrite, columns: &'a [Column]) -> Result<Self, PlanError> {
        let span = write.query.span;
        let mut seen = Names::default();
        for column in columns {
            if !seen.add(column.name.to_ascii_lowercase()) {
                return Err(PlanError::duplicate_column(&column.name, span));
            }
            let is_added =
                matches!(write.strategy, Strategy::History { .. }) && history::adds(&column.name);
            if is_added || column.name.eq_ignore_ascii_case(PARTITION_COLUMN) {
                return Err(PlanError::reserved_column(&column.name, span));
            }
            if let Some(problem) = storable::problem(&column.data_type) {
                return Err(PlanError::unstorable(column, problem, span));
            }
        }
        Ok(Self { columns })
    }

    pub(super) fn key(&self, key: &[String], span: Span) -> Result<Vec<Ident>, PlanError> {
        key.iter()
            .map(|name| {
                let column = find(self.columns, name)
                    .ok_or_else(|| PlanError::key_column(name, self.columns, span))?;
                match storable::inexact(&column.data_type) {
                    Some((problem, _)) => Err(PlanError::inexact_key(column, problem, span)),
                    None => Ok(Ident::new(&column.name)),
                }
            })
            .collect()
    }
}

/// The target when it exists and its layout fits the script.
pub(super) struct Table<'a> {
    pub(super) columns: &'a [Column],
    partitioned: bool,
    cut_by: Option<&'a String>,
}

impl<'a> Table<'a> {
    fn check(
        write: &ManagedWrite,
        context: &RunContext,
        observed: &'a Observed,
    ) -> Result<Option<Self>, PlanError> {
        let target = &write.target.asset_path;
        let span = write.query.span;
        let (columns, partitioned_by, cut_by) = match &observed.target {
            TargetShape::Absent => return Ok(None),
            TargetShape::View => {
                return Err(PlanError::target_is_view(target, span));
            }
            TargetShape::Table {
                columns,
                partitioned_by,
                cut_by,
            } => (columns, partitioned_by, cut_by),
        };
        let has_column = find(columns, PARTITION_COLUMN).is_some();
        let slices = match (context.partition.is_some(), has_column) {
            (true, false) => Some("was built without partitions and has no `_wm_partition` column"),
            // A whole-table replace derives the shape anew; other strategies would leave rows
            // without a partition behind.
            (false, true) if write.strategy != Strategy::Replace => {
                Some("was built with partitions, and the script has no `partitioned`")
            }
            (true, true) | (false, false | true) => None,
        };
        let wants_history = matches!(write.strategy, Strategy::History { .. });
        if let Some(problem) = slices {
            return Err(PlanError::partition_layout(target, problem, span));
        }
        let problem = match (wants_history, history::is_in(columns)) {
            (true, false) => Some(
                "was built without history and lacks `valid_from`, `valid_to` and `is_current`",
            ),
            // A replace or a merge would delete versions, the others add rows of no time. A SELECT that has the columns
            // itself knows what it does.
            (false, true)
                if !observed
                    .output
                    .iter()
                    .any(|column| history::adds(&column.name)) =>
            {
                Some("was built with history, and the script has no `history`")
            }
            (true, true) | (false, false | true) => None,
        };
        if let Some(problem) = problem {
            return Err(PlanError::history_layout(target, problem, span));
        }
        let partitioned = matches!(partitioned_by.as_slice(), [only] if only == PARTITION_COLUMN);
        Ok(Some(Self {
            columns,
            partitioned,
            cut_by: cut_by.as_ref(),
        }))
    }
}

/// Collects the statements of one write.
pub(super) struct Builder<'a> {
    pub(super) write: &'a ManagedWrite,
    context: &'a RunContext,
    pub(super) observed: &'a Observed,
    pub(super) select: &'a Select<'a>,
    pub(super) table: Option<&'a Table<'a>>,
    pub(super) span: Span,
    partition: Option<Literal>,
    /// By what the script cuts its slices.
    cut_by: Option<String>,
    /// Set once the SELECT is staged.
    staged: Option<TableRef>,
    /// Temp tables that the run makes.
    temporary: Vec<TableRef>,
    pub(super) stage: Vec<Statement>,
    /// What makes the table's columns those of the SELECT.
    alters: Vec<Statement>,
    publish: Vec<Statement>,
    drift: Drift,
    pub(super) warnings: Vec<String>,
}

impl Builder<'_> {
    /// The strategy's statements; stages what it needs on the way.
    fn write_statements(&mut self, policy: OnSchemaChange) -> Result<Vec<Statement>, PlanError> {
        if self.context.staging == Staging::Always || self.write.needs_staging {
            self.stage();
        }
        self.guard_stored(policy);
        let write = self.write;
        match &write.strategy {
            Strategy::Replace => Ok(self.replace()),
            Strategy::ReplacePartition => {
                let insert = self.insert(policy)?;
                let present = self.table.is_some() && !self.observed.slice_absent;
                let delete = present.then(|| self.delete(None));
                Ok(delete.into_iter().chain([insert]).collect())
            }
            Strategy::Append => Ok(vec![self.insert(policy)?]),
            Strategy::Merge { key } => {
                let key = self.select.key(key, self.span)?;
                if let Some(table) = self.table {
                    self.check_key_in_table(&key, table)?;
                }
                let staged = self.stage();
                self.stage.extend([
                    Statement::DuplicateKeys {
                        staged: staged.clone(),
                        key: key.clone(),
                        nulls_match: false,
                    },
                    Statement::NullKeys {
                        staged: staged.clone(),
                        key: key.clone(),
                    },
                ]);
                let insert = self.insert(policy)?;
                let delete = self
                    .table
                    .is_some()
                    .then(|| self.delete(Some((key, staged))));
                Ok(delete.into_iter().chain([insert]).collect())
            }
            Strategy::History {
                key,
                track,
                close_deleted,
            } => self.history(key, track, *close_deleted),
            Strategy::Manual | Strategy::Rebuild => Ok(Vec::new()),
        }
    }

    fn check_key_in_table(&self, key: &[Ident], table: &Table<'_>) -> Result<(), PlanError> {
        match key
            .iter()
            .find(|column| find(table.columns, &column.0).is_none())
        {
            None => Ok(()),
            Some(column) => Err(PlanError::key_not_in_table(
                &column.0,
                &self.write.target.asset_path,
                self.span,
            )),
        }
    }

    /// The same ordered columns: rows are exchanged and the table keeps its id and comments.
    /// Anything else derives the shape anew.
    fn replace(&mut self) -> Vec<Statement> {
        let table = self.target();
        if self
            .table
            .is_some_and(|known| find(known.columns, PARTITION_COLUMN).is_some())
        {
            let target = &self.write.target.asset_path;
            let warning = [
                "`",
                target,
                "` was partitioned: the whole table is replaced",
            ];
            self.warnings.push(warning.concat());
        }
        match self.table {
            Some(known) if known.columns == self.select.columns => vec![
                Statement::Delete {
                    table: table.clone(),
                    scope: Scope::Table,
                    keys_in: None,
                },
                Statement::Insert {
                    table,
                    source: self.source(),
                    columns: None,
                    added: Added::Nothing,
                },
            ],
            Some(_) | None => vec![Statement::ReplaceTable {
                table,
                source: self.source(),
            }],
        }
    }

    fn delete(&self, keys_in: Option<(Vec<Ident>, TableRef)>) -> Statement {
        Statement::Delete {
            table: self.target(),
            scope: self.write.scope.clone(),
            keys_in,
        }
    }

    /// The INSERT of a persist-and-mutate strategy, by name, under the schema-change policy.
    fn insert(&mut self, policy: OnSchemaChange) -> Result<Statement, PlanError> {
        let columns = match self.table {
            None => None,
            Some(table) => self.insert_columns(table, policy)?,
        };
        Ok(Statement::Insert {
            table: self.target(),
            source: self.source(),
            columns,
            added: self
                .partition
                .clone()
                .map_or(Added::Nothing, Added::Partition),
        })
    }

    fn insert_columns(
        &mut self,
        table: &Table<'_>,
        policy: OnSchemaChange,
    ) -> Result<Option<Vec<InsertColumn>>, PlanError> {
        let drift = Drift::between(self.select.columns, table.columns, policy);
        if drift.is_empty() {
            return Ok(None);
        }
        let target = &self.write.target.asset_path;
        match policy {
            OnSchemaChange::Fail => {
                return Err(PlanError::schema_change(target, &drift, self.span));
            }
            OnSchemaChange::Sync | OnSchemaChange::Warn | OnSchemaChange::Ignore => {}
        }
        let kept: Vec<InsertColumn> = self
            .select
            .columns
            .iter()
            .filter_map(|column| {
                let known = find(table.columns, &column.name)?;
                let cast = (known.data_type != column.data_type).then(|| known.data_type.clone());
                Some(InsertColumn {
                    name: Ident::new(&column.name),
                    cast,
                })
            })
            .collect();
        if kept.is_empty() {
            return Err(PlanError::nothing_in_common(target, self.write.query.span));
        }
        if policy == OnSchemaChange::Sync {
            self.follow(table, drift)?;
            return Ok(None);
        }
        let casts: Vec<Cast> = drift
            .retyped
            .iter()
            .map(|retyped| Cast {
                column: Ident::new(&retyped.column),
                from: retyped.select.clone(),
                to: retyped.table.clone(),
            })
            .collect();
        self.drift = drift;
        if !casts.is_empty() {
            // A cast that loses values must be seen before anything is written.
            let staged = self.stage();
            self.stage.push(Statement::LossyCasts { staged, casts });
        }
        Ok(Some(kept))
    }

    /// Makes the table's columns those of the SELECT.
    ///
    /// A column whose type is widened is dropped and added, and all rows are written again: `ALTER … SET DATA TYPE` makes the
    /// engine forget the least and greatest value of the older rows, so that later queries miss them.
    fn follow(&mut self, table: &Table<'_>, drift: Drift) -> Result<(), PlanError> {
        if !drift
            .retyped
            .iter()
            .all(|retyped| widens(&retyped.table, &retyped.select))
        {
            let target = &self.write.target.asset_path;
            return Err(PlanError::narrowing(target, &drift, self.span));
        }
        let mut added: Vec<Column> = drift
            .added
            .iter()
            .filter_map(|name| find(self.select.columns, name).cloned())
            .collect();
        let removed: Vec<Ident> = drift.removed.iter().map(Ident::new).collect();
        let retyped: Vec<Column> = drift
            .retyped
            .iter()
            .map(|retyped| Column {
                name: retyped.column.clone(),
                data_type: retyped.select.clone(),
            })
            .collect();
        // A table cannot lose its last column.
        let stays = table.columns.len() > retyped.len() + removed.len();
        let held = (!stays && added.is_empty()).then(|| Column {
            name: HELD_COLUMN.to_owned(),
            data_type: "BOOLEAN".to_owned(),
        });
        added.extend(held.clone());
        let target = self.target();
        let rewritten = (!retyped.is_empty()).then(|| self.temporary(KEPT_TABLE));
        if let Some(rows) = &rewritten {
            self.alters.push(Statement::KeepRows {
                into: rows.clone(),
                table: target.clone(),
                without: removed.clone(),
                retyped: retyped.clone(),
                slice: None,
            });
        }
        let dropped = removed
            .into_iter()
            .chain(retyped.iter().map(|column| Ident::new(&column.name)));
        let changes = added
            .into_iter()
            .map(ColumnChange::Add)
            .chain(dropped.map(ColumnChange::Drop))
            .chain(retyped.iter().cloned().map(ColumnChange::Add))
            .chain(held.map(|column| ColumnChange::Drop(Ident::new(column.name))));
        self.alters
            .extend(changes.map(|change| Statement::AlterColumn {
                table: target.clone(),
                change,
            }));
        if let Some(rows) = rewritten {
            self.alters.extend([
                Statement::EmptyTable(target.clone()),
                Statement::PutBack {
                    table: target,
                    rows,
                },
            ]);
        }
        self.drift = drift;
        Ok(())
    }

    /// What files would not hold must be seen before anything is written.
    fn guard_stored(&mut self, policy: OnSchemaChange) {
        let select = self.select.columns;
        let columns: Vec<Inexact> = select
            .iter()
            .filter_map(|column| {
                let (problem, kept) = storable::inexact(self.stored_type(column, policy)?)?;
                Some(Inexact {
                    column: Ident::new(&column.name),
                    data_type: column.data_type.clone(),
                    kept,
                    mend: problem.cast,
                })
            })
            .collect();
        if !columns.is_empty() {
            let staged = self.stage();
            self.stage
                .push(Statement::InexactValues { staged, columns });
        }
    }

    /// The type that a column of the SELECT has in the table; `None` when it is not written.
    fn stored_type<'c>(&'c self, column: &'c Column, policy: OnSchemaChange) -> Option<&'c str> {
        let keeps_types = match policy {
            OnSchemaChange::Warn | OnSchemaChange::Ignore => true,
            OnSchemaChange::Fail | OnSchemaChange::Sync => false,
        };
        match self.table {
            Some(table) if keeps_types && self.write.strategy != Strategy::Replace => {
                find(table.columns, &column.name).map(|known| known.data_type.as_str())
            }
            Some(_) | None => Some(&column.data_type),
        }
    }

    /// Stages the SELECT, once.
    pub(super) fn stage(&mut self) -> TableRef {
        if let Some(staged) = &self.staged {
            return staged.clone();
        }
        let staged = self.temporary(STAGE_TABLE);
        self.stage.extend([
            Statement::Stage {
                into: staged.clone(),
                query: self.write.query.clone(),
            },
            Statement::CountStaged(staged.clone()),
        ]);
        self.staged = Some(staged.clone());
        staged
    }

    /// A temp table of the run.
    pub(super) fn temporary(&mut self, name: &str) -> TableRef {
        let table = super::temporary(name);
        self.temporary.push(table.clone());
        table
    }

    fn source(&self) -> Source {
        match &self.staged {
            Some(staged) => Source::Staged(staged.clone()),
            None => Source::Query(self.write.query.clone()),
        }
    }

    pub(super) fn target(&self) -> TableRef {
        self.write.target.table_ref.clone()
    }

    /// Wraps the strategy's statements in one transaction with the bootstrap and the message.
    fn publish(&mut self, body: Vec<Statement>) {
        let target = &self.write.target;
        let table = self.target();
        let mut publish = vec![Statement::Begin];
        if self.table.is_none() && target.schema != "main" {
            publish.push(Statement::CreateSchema {
                catalog: table.catalog.clone(),
                schema: table.schema.clone(),
            });
        }
        let derives_shape = matches!(body.first(), Some(Statement::ReplaceTable { .. }));
        if self.table.is_none() && !derives_shape {
            publish.push(Statement::CreateTable {
                table: table.clone(),
                columns: self.columns_after(),
            });
        }
        let wants_partitions = self.partition.is_some();
        if wants_partitions && !self.table.is_some_and(|known| known.partitioned) {
            publish.push(Statement::SetPartitionedBy(table.clone()));
        }
        if let Some(cut_by) = self.cut_by.take()
            && self.table.and_then(|known| known.cut_by) != Some(&cut_by)
        {
            publish.push(Statement::NoteCut {
                table: table.clone(),
                cut_by,
            });
        }
        publish.append(&mut self.alters);
        publish.extend(body);
        publish.extend([
            Statement::CommitMessage {
                catalog: table.catalog,
                author: self.context.author.clone(),
                message: self.message(),
                extra: CommitInfo::of(self.context, &target.asset_path, &self.write.strategy),
            },
            Statement::Commit,
        ]);
        self.publish = publish;
    }

    /// The commit message for people: `merge analytics/orders [2026-06-19]`.
    fn message(&self) -> String {
        let verb = match &self.write.strategy {
            Strategy::Replace | Strategy::ReplacePartition => "replace",
            Strategy::Merge { .. } => "merge",
            Strategy::Append => "append",
            Strategy::History { .. } => "history",
            Strategy::Manual => "manual",
            Strategy::Rebuild => "rebuild",
        };
        let path = &self.write.target.asset_path;
        match &self.context.partition {
            Some(slice) => format!("{verb} {path} [{}]", slice.value),
            None => format!("{verb} {path}"),
        }
    }

    /// The table's columns once the run is through.
    fn columns_after(&self) -> Vec<Column> {
        match self.table {
            Some(table) if self.write.strategy != Strategy::Replace => {
                self.drift.apply(table.columns, self.select.columns)
            }
            Some(_) | None => created_columns(self.select.columns, &self.write.scope),
        }
    }
}
