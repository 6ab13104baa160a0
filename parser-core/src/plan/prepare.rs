//! The first part of a plan: attachments, settings, setup, and what to ask the lake.

use super::context::{Catalog, LakeSource, RunContext, Strategy};
use super::error::PlanError;
use super::references::References;
use super::sql::{Ident, Literal, TableRef, UserSql};
use super::statement::{Scope, Statement};
use super::storage::Files;
use super::{ManagedWrite, Preparation, TARGET_ALIAS, Target, datatable, history};
use crate::asset::{Asset, AssetKind};
use crate::body::{self, Again, Attach, AttachedAsset, SetupKind, StatementKind};
use crate::diagnostic::Severity;
use crate::partition::{Grid, Slice};
use crate::script::{Materialize, Mode, Partitioned, Script};
use crate::source::{Span, Spanned};
use crate::validate;

/// Plans everything that can be run before the lake has been looked at.
///
/// # Errors
/// A [`PlanError`] when the script cannot be materialised, names a lake that is not declared, or
/// does not fit the given partition.
pub fn prepare(
    text: &str,
    script: &Script,
    context: &RunContext,
) -> Result<Preparation, PlanError> {
    check_slice(script, context)?;
    let files = Files::of(text, script, context);
    let folders = files.folders(context)?;
    let mut setup = partition_variables(script, context.partition.as_ref());
    match &script.header.materialize {
        Some(materialize) if materialize.value.mode == Mode::Managed => {
            let write = managed_write(&files, script, materialize, context)?;
            let mut open = Vec::new();
            open.extend(attach_target(&write, script, context)?);
            open.extend(References::of(script, &write.target.lake, context)?.attach(context)?);
            for statement in &script.body.statements {
                match &statement.kind {
                    StatementKind::Output(_) => {}
                    StatementKind::Setup(kind) => {
                        setup.push(setup_statement(
                            &files,
                            script,
                            statement,
                            kind,
                            Some(&write),
                            context,
                        )?);
                    }
                    StatementKind::Write { .. }
                    | StatementKind::Transaction
                    | StatementKind::Other => {
                        setup.push(Statement::User(substituted(&files, statement, context)?));
                    }
                }
            }
            Ok(Preparation {
                open,
                setup,
                folders,
                write: Some(write),
            })
        }
        Some(_) | None => {
            for statement in &script.body.statements {
                let planned = match &statement.kind {
                    StatementKind::Setup(kind) => {
                        setup_statement(&files, script, statement, kind, None, context)?
                    }
                    StatementKind::Output(_)
                    | StatementKind::Write { .. }
                    | StatementKind::Transaction
                    | StatementKind::Other => {
                        Statement::User(substituted(&files, statement, context)?)
                    }
                };
                setup.push(planned);
            }
            Ok(Preparation {
                open: Vec::new(),
                setup,
                folders,
                write: None,
            })
        }
    }
}

/// The slice that `value` names in a script.
///
/// # Errors
/// A [`PlanError`] when the value is not of the script's grid or lies before its start, or when the
/// script has no partitions.
pub fn slice(script: &Script, value: &str) -> Result<Slice, PlanError> {
    let Some(partition) = &script.header.partition else {
        return Err(PlanError::not_partitioned(value, target_span(script)));
    };
    match &partition.value {
        Partitioned::Dynamic { .. } => Ok(Slice {
            value: value.to_owned(),
            bounds: None,
        }),
        Partitioned::Time(time) => {
            let grid = Grid::new(time);
            grid.slice(value)
                .and_then(|slice| grid.check_start(&slice).map(|()| slice))
                .map_err(|error| PlanError::slice(&error, partition.span))
        }
    }
}

/// Where the script says what it writes.
fn target_span(script: &Script) -> Span {
    script
        .header
        .materialize
        .as_ref()
        .map_or(script.header.span, |line| line.span)
}

/// The slice must fit the annotation: given exactly when `partitioned`, of the grid, not before start.
fn check_slice(script: &Script, context: &RunContext) -> Result<(), PlanError> {
    match (&script.header.partition, &context.partition) {
        (None, None) => Ok(()),
        (Some(partition), None) => Err(PlanError::no_slice(partition.span)),
        (Some(_) | None, Some(given)) => slice(script, &given.value).map(drop),
    }
}

/// `wm_partition(ts)` and the `wm_partition…` variables.
fn partition_variables(script: &Script, slice: Option<&Slice>) -> Vec<Statement> {
    let mut statements = Vec::new();
    if let Some(Spanned {
        value: Partitioned::Time(time),
        ..
    }) = &script.header.partition
    {
        statements.push(Statement::PartitionMacro {
            format: Grid::new(time).format().to_owned(),
        });
    }
    if let Some(slice) = slice {
        let value = Literal::Text(slice.value.clone());
        statements.push(Statement::SetVariable {
            name: "wm_partition",
            value,
        });
        if let Some(bounds) = slice.bounds {
            statements.extend([
                Statement::SetVariable {
                    name: "wm_partition_start",
                    value: Literal::Timestamp(bounds.start),
                },
                Statement::SetVariable {
                    name: "wm_partition_end",
                    value: Literal::Timestamp(bounds.end),
                },
            ]);
        }
    }
    statements
}

fn managed_write(
    files: &Files<'_>,
    script: &Script,
    materialize: &Spanned<Materialize>,
    context: &RunContext,
) -> Result<ManagedWrite, PlanError> {
    let invalid = body::managed::check(files.text, &script.body)
        .into_iter()
        .find(|diagnostic| diagnostic.severity == Severity::Error);
    if let Some(diagnostic) = invalid {
        return Err(PlanError::invalid(diagnostic));
    }
    let asset = &materialize.value.asset;
    let mut target = target(materialize)?;
    let source = lake(&target.lake, asset.span, context)?;
    let attached = attachment_of(&target.lake, script);
    // A DuckDB-file catalog is attached once: the script's own alias serves both roles.
    let single = match &source.catalog {
        Catalog::DuckDb(_) => attached,
        Catalog::Sqlite(_) | Catalog::Postgres { .. } => None,
    };
    if let Some(attach) = single {
        target.table_ref.catalog = alias_of(attach, &target.lake);
    }
    let reads_target = script
        .body
        .assets
        .iter()
        .any(|used| used.asset.id() == asset.value.id());
    let output = body::managed::output(&script.body).ok_or_else(|| not_a_table(asset))?;
    let table_ref = target.table_ref.clone();
    let query = substituted(files, output, context)?;
    let strategy = strategy(&materialize.value, context.partition.is_some());
    let current_view = match &strategy {
        Strategy::History { .. } => {
            if let Some(diagnostic) = validate::history(&script.header, &materialize.value).pop() {
                return Err(PlanError::invalid(diagnostic));
            }
            Some(TableRef {
                table: Ident::new(target.table.clone() + history::VIEW_SUFFIX),
                ..table_ref.clone()
            })
        }
        Strategy::Replace
        | Strategy::ReplacePartition
        | Strategy::Merge { .. }
        | Strategy::Append
        | Strategy::Manual
        | Strategy::Rebuild => None,
    };
    Ok(ManagedWrite {
        scope: match (&context.partition, &strategy) {
            (Some(slice), _) => Scope::Partition(Literal::Text(slice.value.clone())),
            (None, Strategy::History { .. }) => Scope::Current,
            (
                None,
                Strategy::Replace
                | Strategy::ReplacePartition
                | Strategy::Merge { .. }
                | Strategy::Append
                | Strategy::Manual
                | Strategy::Rebuild,
            ) => Scope::Table,
        },
        strategy,
        inspect: vec![
            Statement::DescribeOutput(query.clone()),
            Statement::DescribeTarget {
                table: table_ref.clone(),
                current_view: current_view.clone(),
            },
        ],
        current_view,
        query,
        needs_staging: (single.is_some() && reads_target)
            || body::managed::pivots(files.text, output),
        target,
    })
}

/// The table that a script materialises, in a lake that is attached for it.
pub(super) fn target(materialize: &Spanned<Materialize>) -> Result<Target, PlanError> {
    let asset = &materialize.value.asset;
    let is_in_a_lake = asset.value.kind == AssetKind::Ducklake;
    let table = asset.value.lake_table().filter(|_| is_in_a_lake);
    let table = table.ok_or_else(|| not_a_table(asset))?;
    Ok(Target {
        asset_path: asset.value.path.clone(),
        table_ref: TableRef {
            catalog: Ident::new(TARGET_ALIAS),
            schema: Ident::new(&table.schema),
            table: Ident::new(&table.table),
        },
        lake: table.lake,
        schema: table.schema,
        table: table.table,
    })
}

fn not_a_table(asset: &Spanned<Asset>) -> PlanError {
    PlanError::target_not_a_table(&asset.value.to_string(), asset.span)
}

/// How a managed script writes. `append` wins over `key` and `history` (validation warns).
fn strategy(materialize: &Materialize, partitioned: bool) -> Strategy {
    let key: Vec<String> = materialize
        .key
        .iter()
        .map(|column| column.value.clone())
        .collect();
    if materialize.append.is_some() {
        Strategy::Append
    } else if materialize.history.is_some() {
        Strategy::History {
            key,
            track: materialize
                .track
                .iter()
                .map(|column| column.value.clone())
                .collect(),
            close_deleted: materialize.close_deleted,
        }
    } else if !key.is_empty() {
        Strategy::Merge { key }
    } else if partitioned {
        Strategy::ReplacePartition
    } else {
        Strategy::Replace
    }
}

/// Attaches the target's lake for writing, unless the script's own attachment serves.
pub(super) fn attach_target(
    write: &ManagedWrite,
    script: &Script,
    context: &RunContext,
) -> Result<Option<Statement>, PlanError> {
    if write.target.table_ref.catalog.0 != TARGET_ALIAS {
        return Ok(None);
    }
    Ok(Some(Statement::AttachLake {
        lake: write.target.lake.clone(),
        source: lake(&write.target.lake, target_span(script), context)?.clone(),
        alias: write.target.table_ref.catalog.clone(),
        read_only: false,
        options: None,
        again: Again::Refuse,
    }))
}

fn setup_statement(
    files: &Files<'_>,
    script: &Script,
    statement: &body::Statement,
    kind: &SetupKind,
    write: Option<&ManagedWrite>,
    context: &RunContext,
) -> Result<Statement, PlanError> {
    let user = substituted(files, statement, context)?;
    let SetupKind::Attach(attach) = kind else {
        return Ok(Statement::User(user));
    };
    match &attach.asset {
        None => Ok(Statement::User(user)),
        Some(AttachedAsset::Datatable(name)) => Ok(Statement::AttachDatatable {
            datatable: datatable::declared(name, attach.target.span, context)?,
            alias: alias_of(attach, name),
            read_only: write.is_some() || datatable::is_only_read(name, script),
            options: attach.options.map(|span| user.within(span)),
            again: attach.again,
            span: statement.span,
        }),
        Some(AttachedAsset::Lake(name)) => {
            let source = lake(name, attach.target.span, context)?;
            let alias = alias_of(attach, name);
            let options = attach.options.map(|span| user.within(span));
            // The one attachment that a DuckDB-file catalog allows is written through.
            let shared = write.is_some_and(|write| {
                write.target.lake == *name && write.target.table_ref.catalog == alias
            });
            if shared && options.is_some() {
                return Err(PlanError::single_attachment(
                    name,
                    "a read-only or pinned attachment of the target's lake",
                    statement.span,
                ));
            }
            Ok(Statement::AttachLake {
                lake: name.clone(),
                source: source.clone(),
                alias,
                // A manual script writes through its own attachments.
                read_only: write.is_some() && !shared,
                options,
                again: attach.again,
            })
        }
    }
}

/// The alias of an ATTACH: its own, else the lake's name.
pub(super) fn alias_of(attach: &Attach, lake: &str) -> Ident {
    Ident::new(attach.alias.as_ref().map_or(lake, |alias| &alias.value))
}

/// The script's first ATTACH of `lake`.
pub(super) fn attachment_of<'a>(lake: &str, script: &'a Script) -> Option<&'a Attach> {
    script.body.statements.iter().find_map(|statement| match &statement.kind {
        StatementKind::Setup(SetupKind::Attach(attach))
            if matches!(&attach.asset, Some(AttachedAsset::Lake(name)) if name == lake) =>
        {
            Some(attach)
        }
        StatementKind::Setup(_)
        | StatementKind::Output(_)
        | StatementKind::Write { .. }
        | StatementKind::Transaction
        | StatementKind::Other => None,
    })
}

pub(super) fn lake<'a>(
    name: &str,
    span: Span,
    context: &'a RunContext,
) -> Result<&'a LakeSource, PlanError> {
    context
        .lakes
        .get(name)
        .ok_or_else(|| PlanError::unknown_lake(name, context.lakes.names(), span))
}

fn substituted(
    files: &Files<'_>,
    statement: &body::Statement,
    context: &RunContext,
) -> Result<UserSql, PlanError> {
    files.place(body::partition_tokens::substitute(
        files.text,
        statement,
        context.partition.as_ref(),
    )?)
}
