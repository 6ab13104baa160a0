//! Which assets the references of a script are (spec: grammar, "Assets").

use super::references::{Reference, Target};
use super::session::{Session, Space};
use super::{Access, AssetUse, AttachedAsset, SetupKind, StatementKind, TableName};
use crate::asset::{Asset, AssetKind};
use crate::names::Names;
use crate::source::{Span, Spanned};

/// The assets of a body, in order of first mention.
#[derive(Debug, Default)]
pub(super) struct Assets {
    uses: Vec<AssetUse>,
    /// Where in `uses` an asset is. Names in a lake are compared without case.
    places: Names,
}

impl Assets {
    pub(super) fn into_uses(self) -> Vec<AssetUse> {
        self.uses
    }

    /// Adds what a statement of this kind names, as the session before it tells.
    pub(super) fn add(
        &mut self,
        kind: &StatementKind,
        references: &[Reference],
        session: &Session,
    ) {
        let creates_temp = matches!(kind, StatementKind::Setup(SetupKind::CreateTemp));
        for reference in references {
            // What CREATE TEMP writes is no asset, whatever its name.
            if creates_temp && reference.access == Access::Write {
                continue;
            }
            match &reference.target {
                Target::Table(name) => {
                    let asset = s3_object(name).or_else(|| table(name, session));
                    self.note(asset, reference.access, name.span);
                }
                Target::FileTable(name) => self.note(s3_object(name), reference.access, name.span),
                Target::File(path) => self.note(s3_path(&path.value), reference.access, path.span),
            }
        }
    }

    fn note(&mut self, asset: Option<Asset>, access: Access, span: Span) {
        let Some(asset) = asset else { return };
        let mut key = [asset.kind.scheme(), &asset.path].concat();
        match asset.kind {
            AssetKind::Ducklake | AssetKind::Datatable => key.make_ascii_lowercase(),
            AssetKind::S3Object | AssetKind::Resource | AssetKind::Volume | AssetKind::Dbt => {}
        }
        let place = self.places.number(key);
        if place == self.uses.len() {
            self.uses.push(AssetUse {
                asset,
                access,
                spans: Vec::new(),
            });
        }
        if let Some(known) = self.uses.get_mut(place) {
            known.spans.push(span);
            if known.access != access {
                known.access = Access::ReadWrite;
            }
        }
    }
}

/// `FROM 's3://…'`, also written `FROM "s3://…"`.
fn s3_object(name: &TableName) -> Option<Asset> {
    match name.parts.as_slice() {
        [only] => s3_path(&only.value),
        _ => None,
    }
}

fn s3_path(path: &str) -> Option<Asset> {
    let path = path.strip_prefix("s3://").filter(|path| !path.is_empty())?;
    Some(Asset {
        kind: AssetKind::S3Object,
        path: path.to_owned(),
    })
}

fn table(name: &TableName, session: &Session) -> Option<Asset> {
    let parts = name.parts.as_slice();
    if session.is_temp(Space::Relation, parts) {
        return None;
    }
    match parts {
        [table] => {
            let (attached, schema) = session.current()?;
            Some(asset(attached, schema, table))
        }
        [alias, table] if session.has_attached(&alias.value) => {
            Some(asset(session.attached(&alias.value)?, None, table))
        }
        [schema, table] if !is_built_in(&schema.value) => {
            let (attached, _) = session.current()?;
            Some(asset(attached, Some(&schema.value), table))
        }
        [alias, schema, table] => Some(asset(
            session.attached(&alias.value)?,
            Some(&schema.value),
            table,
        )),
        _ => None,
    }
}

/// Catalogs and schemas of the engine's own.
fn is_built_in(name: &str) -> bool {
    [
        "memory",
        "temp",
        "system",
        "information_schema",
        "pg_catalog",
    ]
    .iter()
    .any(|built_in| built_in.eq_ignore_ascii_case(name))
}

fn asset(attached: &AttachedAsset, schema: Option<&str>, table: &Spanned<String>) -> Asset {
    let (kind, default) = match attached {
        AttachedAsset::Lake(_) => (AssetKind::Ducklake, "main"),
        AttachedAsset::Datatable(_) => (AssetKind::Datatable, "public"),
    };
    let database = attached.name();
    let table = &table.value;
    let path = match schema {
        Some(schema) if !schema.eq_ignore_ascii_case(default) => {
            format!("{database}/{schema}.{table}")
        }
        Some(_) | None => format!("{database}/{table}"),
    };
    Asset { kind, path }
}
