//! Databases beside the target's lake that data tests look into: attached for reading, each once.

use super::context::{Catalog, RunContext};
use super::datatable;
use super::error::PlanError;
use super::prepare::{alias_of, attachment_of, lake};
use super::sql::{Ident, TableRef};
use super::statement::Statement;
use crate::asset::{Asset, AssetKind};
use crate::body::{Again, AttachedAsset};
use crate::script::{ColumnRef, Rule, Script};
use crate::source::Span;

/// Begins the names under which they are attached.
const ALIAS: &str = "_wm_ref_";

/// The databases that the data tests of a script refer to.
#[derive(Debug)]
pub(super) struct References(Vec<Reference>);

#[derive(Debug)]
struct Reference {
    database: AttachedAsset,
    alias: Ident,
    /// The first test that refers to it.
    span: Span,
    /// The script attaches it itself, and no second attachment is possible.
    is_attached: bool,
}

impl References {
    /// Those of `script`, whose target is in the lake `target`.
    pub(super) fn of(
        script: &Script,
        target: &str,
        context: &RunContext,
    ) -> Result<Self, PlanError> {
        let mut found: Vec<Reference> = Vec::new();
        for test in &script.header.data_tests {
            let Rule::Relationships { to, .. } = &test.value.rule else {
                continue;
            };
            let Some((database, ..)) = place(&to.asset) else {
                continue;
            };
            let is_target = matches!(&database, AttachedAsset::Lake(name) if name == target);
            if is_target || found.iter().any(|known| known.database == database) {
                continue;
            }
            // A DuckDB-file catalog is attached once.
            let own = match &database {
                AttachedAsset::Datatable(_) => None,
                AttachedAsset::Lake(name) => match lake(name, test.span, context)?.catalog {
                    Catalog::DuckDb(_) => {
                        attachment_of(name, script).map(|attach| alias_of(attach, name))
                    }
                    Catalog::Sqlite(_) | Catalog::Postgres { .. } => None,
                },
            };
            found.push(Reference {
                database,
                is_attached: own.is_some(),
                alias: own
                    .unwrap_or_else(|| Ident::new([ALIAS, &found.len().to_string()].concat())),
                span: test.span,
            });
        }
        Ok(Self(found))
    }

    /// Attaches them.
    pub(super) fn attach(&self, context: &RunContext) -> Result<Vec<Statement>, PlanError> {
        let new = self.0.iter().filter(|reference| !reference.is_attached);
        new.map(|reference| {
            let (alias, span) = (reference.alias.clone(), reference.span);
            Ok(match &reference.database {
                AttachedAsset::Lake(name) => Statement::AttachLake {
                    lake: name.clone(),
                    source: lake(name, span, context)?.clone(),
                    alias,
                    read_only: true,
                    options: None,
                    again: Again::Refuse,
                },
                AttachedAsset::Datatable(name) => Statement::AttachDatatable {
                    datatable: datatable::declared(name, span, context)?,
                    alias,
                    read_only: true,
                    options: None,
                    again: Again::Refuse,
                    span,
                },
            })
        })
        .collect()
    }

    /// The table that `to` names, as a run reaches it: `target` is the catalog of the target's lake. `None` for what is no
    /// table.
    pub(super) fn table(&self, to: &ColumnRef, target: &Ident) -> Option<TableRef> {
        let (database, schema, table) = place(&to.asset)?;
        let reference = self.0.iter().find(|known| known.database == database);
        Some(TableRef {
            catalog: reference.map_or(target, |known| &known.alias).clone(),
            schema,
            table,
        })
    }
}

/// The database, schema and table of an asset that is a table.
fn place(asset: &Asset) -> Option<(AttachedAsset, Ident, Ident)> {
    if let Some(table) = asset.lake_table() {
        let database = AttachedAsset::Lake(table.lake);
        return Some((database, Ident::new(table.schema), Ident::new(table.table)));
    }
    if asset.kind != AssetKind::Datatable {
        return None;
    }
    let (database, name) = asset.path.split_once('/')?;
    let (schema, table) = name.split_once('.').unwrap_or(("public", name));
    let database = AttachedAsset::Datatable(database.to_owned());
    (!table.is_empty()).then(|| (database, Ident::new(schema), Ident::new(table)))
}
