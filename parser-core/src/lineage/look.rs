//! What a name means where it stands: for hover, and for going to where it is defined.

use std::borrow::Cow;

use super::names::Name;
use super::scope::{Column, NONE, Reading};
use super::{ATTACHED, Input, MACROS, Schemas, Tracer, read_script};
use crate::body::{SetupKind, Statement, StatementKind};
use crate::lex::{Lexer, TokenKind};
use crate::script::Script;
use crate::source::Span;

/// A name in the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameAt<'a> {
    /// Where it stands.
    pub span: Span,
    /// What it is, when it is a column.
    pub column: Option<ColumnAt<'a>>,
    /// Where the script defines it: a common table, a temp table, an alias of a table, a column or a database, a macro.
    pub defined: Option<Span>,
}

/// A column that is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnAt<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// The columns of assets that it is computed from; `None` when not all of them are known.
    pub inputs: Option<Vec<Input<'a>>>,
    /// It is its only input itself.
    pub is_input: bool,
}

/// What is known of the name at a place, as long as a script is read.
#[derive(Debug)]
pub(super) struct Watch {
    offset: usize,
    seen: Option<Seen>,
    /// What the column means that was taken last.
    column: Option<Column>,
    /// The table that the names before it mean, and how many these are.
    table: Option<(Name, usize)>,
}

#[derive(Debug)]
struct Seen {
    span: Span,
    column: Option<SeenColumn>,
    defined: Option<Span>,
}

#[derive(Debug)]
struct SeenColumn {
    name: Name,
    inputs: Option<Vec<Reading>>,
    is_input: bool,
}

/// What the name at byte `offset` of `text` means; `None` when no name of the body stands there that is known.
///
/// ```
/// use parser_core::lineage::{Schemas, look};
/// let text = "WITH x AS (SELECT 1 AS one) SELECT one + 1 FROM x";
/// let script = parser_core::parse(text).script;
/// let schemas = Schemas::new();
/// let found = look(text, &script, &schemas, text.len()).expect("a name");
/// assert_eq!(found.defined.expect("a place").start, 5);
/// ```
#[must_use]
pub fn look<'a>(
    text: &'a str,
    script: &'a Script,
    schemas: &Schemas,
    offset: usize,
) -> Option<NameAt<'a>> {
    let watch = Watch {
        offset,
        seen: None,
        column: None,
        table: None,
    };
    let (mut tracer, _) = read_script(text, script, schemas, Some(watch));
    if let Some(statement) = script
        .body
        .statements
        .iter()
        .find(|statement| touches(statement.span, offset))
    {
        tracer.see_database(statement);
    }
    let seen = tracer.watch.take()?.seen?;
    let assets = &script.body.assets;
    let input = |input: &Reading| {
        let entry = &tracer.names.entries[input.entry as usize];
        Input {
            asset: &assets[entry.space as usize].asset,
            column: tracer.names.spelled(entry.name),
            span: input.span,
        }
    };
    let column = seen.column.as_ref().map(|column| ColumnAt {
        name: tracer.names.spelled(column.name),
        inputs: column
            .inputs
            .as_ref()
            .map(|inputs| inputs.iter().map(input).collect()),
        is_input: column.is_input,
    });
    Some(NameAt {
        span: seen.span,
        column,
        defined: seen.defined,
    })
}

/// Whether `offset` is in `span` or at its end.
const fn touches(span: Span, offset: usize) -> bool {
    span.start <= offset && offset <= span.end
}

impl Tracer<'_> {
    /// Whether the tokens from `begin` to the one before `end` are looked at.
    pub(super) fn is_watched(&self, begin: usize, end: usize) -> bool {
        self.watch
            .as_ref()
            .is_some_and(|watch| touches(self.span(begin, end), watch.offset))
    }

    /// The same, for a column that is taken next.
    pub(super) fn watches_column(&mut self, begin: usize, end: usize) -> bool {
        let is_watched = self.is_watched(begin, end);
        if let (true, Some(watch)) = (is_watched, &mut self.watch) {
            (watch.column, watch.table) = (None, None);
        }
        is_watched
    }

    /// A column's name was taken for this one.
    pub(super) fn watch_column(&mut self, column: Column) {
        if let Some(watch) = &mut self.watch {
            watch.column = Some(column);
        }
    }

    /// So many names before a column were taken for this table.
    pub(super) fn watch_table(&mut self, table: Option<Name>, count: usize) {
        if let Some(watch) = &mut self.watch {
            watch.table = table.map(|table| (table, count));
        }
    }

    /// A column that is named from the token at `begin` to the one before `end`; its inputs begin at `start`.
    pub(super) fn see_column(&mut self, begin: usize, end: usize, start: usize) {
        let Some(at) = (begin..end)
            .step_by(2)
            .find(|&at| self.is_watched(at, at + 1))
        else {
            return;
        };
        let Some(watch) = &self.watch else { return };
        let (column, table) = (watch.column, watch.table);
        let place = (at - begin) / 2;
        if let Some((table, count)) = table.filter(|(_, count)| place < *count) {
            let defined = if place + 1 == count {
                self.place(table)
            } else {
                self.attached_at(at)
            };
            return self.see(at, None, defined);
        }
        let inputs = &self.inputs[start.min(self.inputs.len())..];
        let is_own = column.is_none_or(|column| column.base != NONE && column.inputs.1 == 0);
        let inputs = (!self.is_unknown).then(|| inputs.to_vec());
        let is_input = is_own && inputs.as_ref().is_some_and(|inputs| inputs.len() == 1);
        let defined = column.and_then(|column| {
            let named = column.name.and_then(|name| self.place(name));
            named.or(Some(column.span)).filter(|span| !span.is_empty())
        });
        let name = self.name_at(at);
        let column = SeenColumn {
            name,
            inputs,
            is_input,
        };
        self.see(at, Some(column), defined);
    }

    /// The token at `at` gives a column its name.
    pub(super) fn see_alias(&mut self, at: usize, column: &Column) {
        if !self.is_watched(at, at + 1) {
            return;
        }
        let (first, count) = column.inputs;
        let name = self.name_at(at);
        let inputs = &self.inputs[first as usize..(first + count) as usize];
        let seen = SeenColumn {
            name,
            inputs: column.known.then(|| inputs.to_vec()),
            is_input: false,
        };
        let defined = self.span(at, at + 1);
        self.see(at, Some(seen), Some(defined));
    }

    /// The tokens from `begin` to `last` name a table; it is one that the script makes under this name.
    pub(super) fn see_table(&mut self, begin: usize, last: usize, made: Option<Name>) {
        self.see_made(last, made);
        if begin < last && self.is_watched(begin, begin + 1) {
            let defined = self.attached_at(begin);
            self.see(begin, None, defined);
        }
    }

    /// The token at `at` is the name of a macro, if the script has made one of that name.
    pub(super) fn see_macro(&mut self, at: usize) {
        let name = self.name_at(at);
        let made = self.names.find(MACROS, name);
        self.see_made(at, made.map(|made| self.names.entries[made].name));
    }

    /// The token at `at` names something that the script makes under this name.
    pub(super) fn see_made(&mut self, at: usize, made: Option<Name>) {
        if self.is_watched(at, at + 1) {
            let defined = made.and_then(|name| self.place(name));
            self.see(at, None, defined);
        }
    }

    fn see(&mut self, at: usize, column: Option<SeenColumn>, defined: Option<Span>) {
        let span = self.span(at, at + 1);
        if let Some(watch) = &mut self.watch {
            watch.seen = Some(Seen {
                span,
                column,
                defined,
            });
        }
    }

    /// `USE dl`, `DETACH dl`
    fn see_database(&mut self, statement: &Statement) {
        let is_database = matches!(
            statement.kind,
            StatementKind::Setup(SetupKind::Use | SetupKind::Detach)
        );
        if is_database {
            self.tokens.load(self.text, statement.span);
            for at in 1..self.tokens.end {
                if self.is_watched(at, at + 1) && self.is_named(at) {
                    let defined = self.attached_at(at);
                    self.see(at, None, defined);
                }
            }
        }
    }

    /// Where the database that a token names was attached.
    fn attached_at(&mut self, at: usize) -> Option<Span> {
        let name = self.name_at(at);
        let start = self.names.get(ATTACHED, name)? as usize;
        let token = Lexer::new(self.text, start).next()?;
        let is_name = matches!(token.kind, TokenKind::Word | TokenKind::QuotedIdent);
        (is_name || token.kind.is_string()).then_some(token.span)
    }

    /// Where a name stands in the script as it is spelled.
    fn place(&self, name: Name) -> Option<Span> {
        let span = name.place()?;
        // With its quotes.
        let is_quoted = span.start > 0
            && matches!(self.text.as_bytes().get(span.start - 1), Some(b'"'))
            && matches!(self.text.as_bytes().get(span.end), Some(b'"'));
        Some(if is_quoted {
            Span::new(span.start - 1, span.end + 1)
        } else {
            span
        })
    }
}
