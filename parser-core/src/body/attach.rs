//! `ATTACH`, and the lakemill URIs in it.

use super::cursor::Cursor;
use super::{Again, Attach, AttachedAsset};
use crate::lex::{Bracket, TokenKind, string_value};
use crate::source::Spanned;

/// Reads what follows the word ATTACH; `None` when no string literal is there.
pub(super) fn attach(cursor: &mut Cursor<'_>) -> Option<Attach> {
    let again = if cursor.eat_all(&["or", "replace"]) {
        Again::Replace
    } else if cursor.eat_all(&["if", "not", "exists"]) {
        Again::Keep
    } else {
        Again::Refuse
    };
    cursor.eat("database");
    let token = cursor.next()?;
    let target = Spanned::new(string_value(cursor.text, token)?, token.span);
    let alias = if cursor.eat("as") {
        cursor.name()
    } else {
        None
    };
    let options = if cursor.is_kind(TokenKind::Open(Bracket::Round)) {
        cursor.group()
    } else {
        None
    };
    let asset = AttachedAsset::from_uri(&target.value);
    Some(Attach {
        target,
        asset,
        alias,
        options,
        again,
    })
}

impl AttachedAsset {
    /// What a lakemill URI attaches: `ducklake`, `ducklake://`, `ducklake://name`, and the same of
    /// `datatable`. Anything else (`ducklake:sqlite:meta.db`, `shop.duckdb`) is the engine's own.
    #[must_use]
    pub fn from_uri(uri: &str) -> Option<Self> {
        let (scheme, name) = crate::source::search::split_once(uri, "://").unwrap_or((uri, ""));
        if name.contains('/') {
            return None;
        }
        let name = if name.is_empty() { "main" } else { name }.to_owned();
        match scheme {
            "ducklake" => Some(Self::Lake(name)),
            "datatable" => Some(Self::Datatable(name)),
            _ => None,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Lake(name) | Self::Datatable(name) => name,
        }
    }
}

impl Attach {
    /// The alias under which the script reaches it: as written, or else the name of the lake or
    /// database, or the name that the engine makes of the file.
    #[must_use]
    pub fn alias_name(&self) -> &str {
        if let Some(alias) = &self.alias {
            return &alias.value;
        }
        if let Some(asset) = &self.asset {
            return asset.name();
        }
        let path = self.target.value.as_str();
        let path = path
            .rsplit_once(['/', '\\', ':'])
            .map_or(path, |(_, file)| file);
        path.split_once('.').map_or(path, |(stem, _)| stem)
    }
}
