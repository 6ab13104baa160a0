//! What the statements before have set up: attached databases, the current one, temp objects.

use std::collections::{HashMap, HashSet};

use super::AttachedAsset;
use crate::source::Spanned;

/// Kinds of objects that have a name space of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Space {
    /// Tables, views and sequences.
    Relation,
    /// Macros.
    Macro,
    /// Types.
    Type,
    /// Secrets.
    Secret,
}

/// How a statement changes the session.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect {
    None,
    /// An alias for a database.
    Attach(String, Option<AttachedAsset>),
    Detach(String),
    /// `USE a` or `USE a.b`
    Use(Vec<String>),
    CreateTemp(Space, String),
    DropTemp(Space, String),
    /// A temp object gets another name.
    RenameTemp(Space, String, String),
}

/// The session as far as the script's own statements tell. Names are compared without case.
#[derive(Clone, Debug, Default)]
pub(super) struct Session {
    attached: HashMap<String, Option<AttachedAsset>>,
    temp: HashSet<(Space, String)>,
    /// `USE`: database, and the schema if one is named.
    current: Option<(AttachedAsset, Option<String>)>,
}

impl Session {
    pub(super) fn has_attached(&self, alias: &str) -> bool {
        self.attached.contains_key(&alias.to_ascii_lowercase())
    }

    /// The lake or database under an alias.
    pub(super) fn attached(&self, alias: &str) -> Option<&AttachedAsset> {
        self.attached.get(&alias.to_ascii_lowercase())?.as_ref()
    }

    /// The database that `USE` chose, and its schema if one was named.
    pub(super) fn current(&self) -> Option<(&AttachedAsset, Option<&str>)> {
        self.current
            .as_ref()
            .map(|(asset, schema)| (asset, schema.as_deref()))
    }

    /// Whether a name means a temp object: one that the script created, or one in the catalog `temp`.
    pub(super) fn is_temp(&self, space: Space, parts: &[Spanned<String>]) -> bool {
        let is = |part: &Spanned<String>, name: &str| part.value.eq_ignore_ascii_case(name);
        match parts {
            [name] => self
                .temp
                .contains(&(space, name.value.to_ascii_lowercase())),
            [catalog, _] => is(catalog, "temp"),
            [catalog, schema, _] => is(catalog, "temp") && is(schema, "main"),
            _ => false,
        }
    }

    pub(super) fn apply(&mut self, effect: Effect) {
        match effect {
            Effect::None => {}
            Effect::Attach(alias, asset) => {
                self.attached.insert(alias.to_ascii_lowercase(), asset);
            }
            Effect::Detach(alias) => {
                self.attached.remove(&alias.to_ascii_lowercase());
            }
            Effect::Use(parts) => self.select(&parts),
            Effect::CreateTemp(space, name) => {
                self.temp.insert((space, name.to_ascii_lowercase()));
            }
            Effect::DropTemp(space, name) => {
                self.temp.remove(&(space, name.to_ascii_lowercase()));
            }
            Effect::RenameTemp(space, old, new) => {
                self.temp.remove(&(space, old.to_ascii_lowercase()));
                self.temp.insert((space, new.to_ascii_lowercase()));
            }
        }
    }

    /// `USE x`: a database, or else a schema of the current one.
    fn select(&mut self, parts: &[String]) {
        let schema_of =
            |schema: &String| (!schema.eq_ignore_ascii_case("main")).then(|| schema.clone());
        self.current = match parts {
            [name] if self.has_attached(name) => {
                self.attached(name).map(|asset| (asset.clone(), None))
            }
            [name] if name.eq_ignore_ascii_case("memory") || name.eq_ignore_ascii_case("temp") => {
                None
            }
            [schema] => self
                .current
                .take()
                .map(|(asset, _)| (asset, schema_of(schema))),
            [database, schema] => self
                .attached(database)
                .map(|asset| (asset.clone(), schema_of(schema))),
            _ => None,
        };
    }
}
