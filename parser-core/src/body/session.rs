//! What the statements before have set up: attached databases, the current one, temp objects.

use super::{Again, AttachedAsset};
use crate::names::Named;
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

impl Space {
    /// One text for each name of each space.
    fn key(self, name: &str) -> String {
        let space = match self {
            Self::Relation => "r",
            Self::Macro => "m",
            Self::Type => "t",
            Self::Secret => "s",
        };
        [space, &name.to_ascii_lowercase()].concat()
    }
}

/// How a statement changes the session.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect {
    None,
    /// An alias for a database.
    Attach(String, Option<AttachedAsset>, Again),
    Detach(String),
    /// `USE a` or `USE a.b`
    Use(Vec<String>),
    CreateTemp(Space, String),
    DropTemp(Space, String),
    /// A temp object gets another name.
    RenameTemp(Space, String, String),
}

/// What an alias stands for.
#[derive(Clone, Debug)]
enum Attached {
    Asset(AttachedAsset),
    /// A database of the engine's own.
    Other,
    /// Nothing any more.
    Detached,
}

/// The session as far as the script's own statements tell. Names are compared without case.
#[derive(Clone, Debug, Default)]
pub(super) struct Session {
    attached: Named<Attached>,
    /// Whether there is one of the name, which begins with the space's.
    temp: Named<bool>,
    /// `USE`: database, and the schema if one is named.
    current: Option<(AttachedAsset, Option<String>)>,
}

impl Session {
    pub(super) fn has_attached(&self, alias: &str) -> bool {
        self.attached
            .get(&alias.to_ascii_lowercase())
            .is_some_and(|attached| !matches!(attached, Attached::Detached))
    }

    /// The lake or database under an alias.
    pub(super) fn attached(&self, alias: &str) -> Option<&AttachedAsset> {
        match self.attached.get(&alias.to_ascii_lowercase())? {
            Attached::Asset(asset) => Some(asset),
            Attached::Other | Attached::Detached => None,
        }
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
            [name] => self.temp.get(&space.key(&name.value)) == Some(&true),
            [catalog, _] => is(catalog, "temp"),
            [catalog, schema, _] => is(catalog, "temp") && is(schema, "main"),
            _ => false,
        }
    }

    pub(super) fn apply(&mut self, effect: Effect) {
        match effect {
            Effect::None => {}
            // What is attached already stays.
            Effect::Attach(alias, _, Again::Keep) if self.has_attached(&alias) => {}
            Effect::Attach(alias, asset, _) => {
                self.attach(&alias, asset.map_or(Attached::Other, Attached::Asset));
            }
            Effect::Detach(alias) => self.attach(&alias, Attached::Detached),
            Effect::Use(parts) => self.select(&parts),
            Effect::CreateTemp(space, name) => self.set_temp(space, &name, true),
            Effect::DropTemp(space, name) => self.set_temp(space, &name, false),
            Effect::RenameTemp(space, old, new) => {
                self.set_temp(space, &old, false);
                self.set_temp(space, &new, true);
            }
        }
    }

    fn attach(&mut self, alias: &str, attached: Attached) {
        let name = alias.to_ascii_lowercase();
        *self.attached.entry(name, Attached::Other) = attached;
    }

    fn set_temp(&mut self, space: Space, name: &str, exists: bool) {
        *self.temp.entry(space.key(name), exists) = exists;
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
