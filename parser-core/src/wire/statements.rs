//! The body of a script, as JSON.

use serde::{Deserialize, Serialize};

use super::parsed::{AssetKind, ColumnLineage};
use super::shape::{is_default, objects, words};
use crate::source::Range;

objects! {
    /// The SQL below the header.
    pub struct Body {
        /// Statements in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub statements: Vec<Statement>,
        /// Assets read and written.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub assets: Vec<AssetUse>,
        /// What columns of the output are computed from, of those where all of it is known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub lineage: Vec<ColumnLineage>,
        /// From the header's end to the text's end.
        pub range: Range,
    }

    /// One statement.
    pub struct Statement {
        /// Its part in a managed script.
        pub kind: StatementKind,
        /// Of `setup` and `output`: `attach`, `select` …
        #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
        pub of: Option<String>,
        /// Of `write`: its leading words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub verb: Option<String>,
        /// Base tables as written: catalog, schema and name as far as given.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub tables: Vec<Vec<String>>,
        /// Partition tokens that are replaced.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub tokens: Vec<Token>,
        /// The statement without its `;`.
        pub range: Range,
        /// Where its names stand.
        #[serde(default, skip_serializing_if = "is_default")]
        pub ranges: StatementRanges,
    }

    /// Where the names of a statement stand.
    #[derive(Default)]
    pub struct StatementRanges {
        /// Of each of `tables`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub tables: Vec<Range>,
    }

    /// A partition token.
    pub struct Token {
        /// Which value it stands for.
        pub value: TokenValue,
        /// What is replaced.
        pub range: Range,
    }

    /// An asset that the body uses.
    pub struct AssetUse {
        /// What it is stored as.
        pub kind: AssetKind,
        /// Its path.
        pub path: String,
        /// How it is used.
        pub access: Access,
        /// The columns read of it, when all of them are known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub columns: Vec<String>,
        /// Each place that names it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub ranges: Vec<Range>,
    }
}

words! {
    /// A statement's part in a managed script.
    pub enum StatementKind {
        Setup = "setup", Output = "output", Write = "write", Transaction = "transaction", Other = "other",
    }

    /// Which value a partition token stands for.
    pub enum TokenValue { Identity = "identity", Start = "start", End = "end", }

    /// How an asset is used.
    pub enum Access { Read = "r", Write = "w", ReadWrite = "rw", }
}
