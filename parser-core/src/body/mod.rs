//! The body: statements below the header, classified, with their references.
//!
//! Reading is tolerant: what the engine could not parse still gives its statements, and whatever
//! references are certain. It looks at tokens, never at a grammar that could lag behind the engine.

mod assets;
mod attach;
mod classify;
mod cursor;
pub mod managed;
pub mod partition_tokens;
mod read;
mod references;
mod session;
#[cfg(test)]
pub(crate) mod tests;

pub use read::read;
pub(crate) use read::{Reading, read_with_comments};

use crate::asset::Asset;
use crate::lex::Keyword;
use crate::source::{Span, Spanned};

/// Whether the engine reserves the word, so that no table has its name unquoted.
#[must_use]
pub fn is_reserved(word: &str) -> bool {
    Keyword::of(word).is_some_and(Keyword::is_reserved)
}

/// The SQL below the header.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// From the header's end to the text's end.
    pub span: Span,
    /// Non-empty statements in order.
    pub statements: Vec<Statement>,
    /// Assets read and written, in order of first mention.
    pub assets: Vec<AssetUse>,
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// From its first to its last token, without leading or trailing comments and without the `;`.
    pub span: Span,
    /// What it is.
    pub kind: StatementKind,
    /// Base tables it names, as written and unresolved; CTE names excluded. The target of a write is
    /// among them, and so is a file that stands for a table (`FROM 'a.csv'`): its one part is the path.
    pub tables: Vec<TableName>,
    /// `{partition}` tokens in it that are replaced.
    pub tokens: Vec<PartitionToken>,
}

impl Statement {
    /// Whether it names a table of which `catalog` is the first part, or all.
    #[must_use]
    pub fn names_in(&self, catalog: &str) -> bool {
        self.tables.iter().any(|table| {
            let first = table.parts.first();
            first.is_some_and(|part| part.value.eq_ignore_ascii_case(catalog))
        })
    }
}

/// What a statement is, as far as managed mode asks.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// Rows: what managed mode writes.
    Output(OutputKind),
    /// Prepares the session: attaches, settings, temp objects.
    Setup(SetupKind),
    /// Changes something that outlives the session.
    Write {
        /// Leading words in upper case, at most three: `INSERT`, `CREATE TABLE`, `COPY`.
        verb: String,
    },
    /// `BEGIN`, `COMMIT`, `ROLLBACK` …
    Transaction,
    /// Anything else that the engine may know: `DESCRIBE`, `CALL`, `EXPLAIN`, half-typed text.
    Other,
}

/// Statements that return rows and may be wrapped in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each variant is its keyword
pub enum OutputKind {
    Select,
    From,
    Values,
    Table,
    Pivot,
    Unpivot,
}

impl OutputKind {
    /// Its name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::From => "from",
            Self::Values => "values",
            Self::Table => "table",
            Self::Pivot => "pivot",
            Self::Unpivot => "unpivot",
        }
    }
}

/// Statements that prepare the session.
#[derive(Clone, Debug, PartialEq)]
pub enum SetupKind {
    /// `ATTACH …`
    Attach(Attach),
    /// `DETACH` of an alias that the script attached
    Detach,
    /// `INSTALL`
    Install,
    /// `LOAD`
    Load,
    /// `SET` (also `SET VARIABLE`)
    Set,
    /// `RESET`
    Reset,
    /// `PRAGMA`
    Pragma,
    /// `USE`
    Use,
    /// `CREATE [OR REPLACE] TEMP …`, or another CREATE that is temporary by its kind
    CreateTemp,
    /// A write whose target is a temp object of the script
    WriteTemp,
}

impl SetupKind {
    /// Its name on the wire.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Attach(_) => "attach",
            Self::Detach => "detach",
            Self::Install => "install",
            Self::Load => "load",
            Self::Set => "set",
            Self::Reset => "reset",
            Self::Pragma => "pragma",
            Self::Use => "use",
            Self::CreateTemp => "create_temp",
            Self::WriteTemp => "write_temp",
        }
    }
}

/// `ATTACH [OR REPLACE | IF NOT EXISTS] [DATABASE] '<target>' [AS alias] [(options)]`
#[derive(Clone, Debug, PartialEq)]
pub struct Attach {
    /// The string literal's value, and the literal's span with its quotes.
    pub target: Spanned<String>,
    /// The lake or database it resolves to: `ducklake://x`, `ducklake`, `datatable://x`; `None` when
    /// it is something the engine attaches itself.
    pub asset: Option<AttachedAsset>,
    /// `AS alias`, unquoted.
    pub alias: Option<Spanned<String>>,
    /// The options between the parentheses, without them.
    pub options: Option<Span>,
    /// What happens to a database that is attached under this alias already.
    pub again: Again,
}

/// What an ATTACH does when its alias is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// It fails.
    Refuse,
    /// `IF NOT EXISTS`: nothing.
    Keep,
    /// `OR REPLACE`: it takes the place.
    Replace,
}

/// A lake or database that an ATTACH names by its lakemill URI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttachedAsset {
    /// `ducklake://name`; `main` when no name is given.
    Lake(String),
    /// `datatable://name`; `main` when no name is given.
    Datatable(String),
}

/// A base table as a statement names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableName {
    /// One to three parts (catalog, schema, name), unquoted, case kept.
    pub parts: Vec<Spanned<String>>,
    /// The whole name.
    pub span: Span,
}

/// A `{partition…}` token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionToken {
    /// What is replaced: the bare token, or a string literal that holds nothing else, quotes
    /// included (`'{partition}'`), or the token inside a longer string literal.
    pub span: Span,
    /// Which value.
    pub value: PartitionValue,
    /// How the value is written there.
    pub place: TokenPlace,
}

/// Which value a token stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartitionValue {
    /// `{partition}`: the identity.
    Identity,
    /// `{partition_start}`: first instant, inclusive.
    Start,
    /// `{partition_end}`: last instant, exclusive.
    End,
}

/// Where a token stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenPlace {
    /// It becomes a whole literal.
    Literal,
    /// Inside a `'…'` literal: the text is spliced in with `'` doubled.
    InString,
    /// Inside an `E'…'` literal: `'` and `\` are escaped.
    InEscapeString,
    /// Inside a dollar-quoted literal: verbatim. A value that would close it is refused at plan time.
    InDollarString,
}

/// An asset that the body reads or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetUse {
    /// The asset.
    pub asset: Asset,
    /// How.
    pub access: Access,
    /// Where it is named, in text order.
    pub spans: Vec<Span>,
}

/// How an asset is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Read.
    Read,
    /// Written.
    Write,
    /// Both.
    ReadWrite,
}

impl Access {
    /// Its name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "r",
            Self::Write => "w",
            Self::ReadWrite => "rw",
        }
    }
}
