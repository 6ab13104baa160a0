//! The atoms of SQL statements. Only [`crate::render`] makes text of them.

use crate::partition::CivilTime;
use crate::source::Span;

/// An identifier; always rendered quoted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ident(pub String);

impl Ident {
    /// An identifier of this name.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }
}

/// A table, fully qualified.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableRef {
    /// Attached database.
    pub catalog: Ident,
    /// Schema.
    pub schema: Ident,
    /// Table.
    pub table: Ident,
}

impl Literal {
    /// Its text, when it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Null | Self::Integer(_) | Self::Bool(_) | Self::Timestamp(_) => None,
        }
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// `NULL`
    Null,
    /// `'…'`
    Text(String),
    /// `42`
    Integer(i64),
    /// `true`
    Bool(bool),
    /// `TIMESTAMP '…'`
    Timestamp(CivilTime),
}

/// A column: name and the engine's type text (as DESCRIBE gives it).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type, `DECIMAL(18,2)`.
    #[cfg_attr(feature = "tsify", serde(rename = "type"))]
    pub data_type: String,
}

/// SQL of the script: opaque, but it knows where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserSql {
    /// Where the statement stands in the script.
    pub span: Span,
    /// Its text: stretches of the script, and what replaced `{partition}` tokens and the `s3:///` of file names.
    pub pieces: Vec<Piece>,
}

/// A piece of user SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text of the script, verbatim.
    Source {
        /// Where it stands.
        span: Span,
        /// The text.
        text: String,
    },
    /// What was replaced: SQL text, already escaped for its place.
    Substituted {
        /// The place of what was replaced.
        span: Span,
        /// The text.
        text: String,
    },
}

impl Piece {
    /// What the engine gets of it.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Source { text, .. } | Self::Substituted { text, .. } => text,
        }
    }
}

impl UserSql {
    /// The part of it that stands under `span` of the script, with its substitutions.
    #[must_use]
    pub fn within(&self, span: Span) -> Self {
        let pieces = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Source { span: at, text } => {
                let start = at.start.max(span.start);
                let end = at.end.min(span.end);
                let cut = text.get(start.checked_sub(at.start)?..end.checked_sub(at.start)?)?;
                (!cut.is_empty()).then(|| Piece::Source {
                    span: Span::new(start, end),
                    text: cut.to_owned(),
                })
            }
            Piece::Substituted { span: at, .. } => {
                (span.start <= at.start && at.end <= span.end).then(|| piece.clone())
            }
        });
        Self {
            span,
            pieces: pieces.collect(),
        }
    }
}
