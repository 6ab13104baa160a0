//! Column lineage: which columns of assets the columns of a script's output are computed from (spec: body, "References and
//! lineage").
//!
//! It reads the structure of queries off the tokens, tolerantly and in one pass. What it says is certain; what could mean two
//! things is unknown, and an output column is either known with all its inputs or not at all:
//!
//! - The inputs of a column are all columns that its expression names: in arguments, CASE, windows, FILTER, and in the subqueries
//!   that stand in it, WHERE and correlated names included. What only says which rows there are (WHERE, ON, GROUP BY, HAVING,
//!   QUALIFY, ORDER BY of the query itself or of one in FROM) is no input.
//! - UNION and INTERSECT take the inputs of both sides, EXCEPT those of the left one. USING takes the left column, in a RIGHT
//!   JOIN the right one, in a FULL JOIN both.
//! - A name without a qualifier is a column of the only table that can have it. With several tables whose columns are not
//!   known it is unknown; so is one in a subquery of an expression, when an outer table may have it too, and one that is also an
//!   alias before it in the list: a column wins over an alias.
//! - `*` of one table whose columns are not known hands all of them on under their names; of several it is unknown. A name given
//!   behind such a star is taken for a new one unless the script shows that the table has a column of that name.
//! - `COLUMNS(…)` is the columns of a star, of a list of names, or of a pattern of characters, `.`, `x*`, `|`, `^` and `$`, where
//!   the table's columns are known; each has the other inputs of its expression too. With a lambda it is unknown.
//! - A column that PIVOT makes of a value has the inputs of its aggregate and of what the values are; it has a name where the
//!   values are listed. Values of UNPIVOT have the inputs of all columns that become rows. The other columns stay as they are.
//! - A macro of the script adds what its body names and the arguments that its body uses. One with several bodies is unknown,
//!   and so is a table macro that is called with columns, or whose tables other statements may have changed since.
//! - `unnest` of a struct that is written out is a column for each field; of anything else without alias it is unknown.
//! - `#1` and brackets deeper than 100 are unknown.
//!
//! Work is bounded by the text's length: a script whose columns multiply beyond that is unknown from there on.

mod expression;
mod flows;
mod from;
mod items;
mod look;
mod macros;
mod many;
mod names;
mod pivot;
mod query;
mod schemas;
mod scope;
mod spelling;
mod statement;
#[cfg(test)]
mod tests;
mod tokens;
mod window;

use std::borrow::Cow;
use std::ops::Range;

use crate::asset::Asset;
use crate::body::{SetupKind, StatementKind};
use crate::names::Named;
use crate::script::{ColumnLineage, Script};
use crate::source::{Span, Spanned};
pub use flows::{Flow, flows};
use look::Watch;
pub use look::{ColumnAt, NameAt, look};
use macros::{Argument, Macro};
use many::Many;
use names::{Name, Names};
use query::Table;
pub use schemas::Schemas;
use scope::{Column, NONE, READ, Reading, Relation, Rest, Scope, Source};
use tokens::Tokens;
use window::Window;

/// What the columns of a script's output are computed from, and which columns it reads.
#[derive(Clone, Debug, Default)]
pub struct Lineage<'a> {
    /// The output's columns as far as they are known, in their order; at last those that only a `column` line tells of.
    pub columns: Vec<OutputColumn<'a>>,
    /// Whether these are all columns that the output has, each with its name.
    pub is_complete: bool,
    /// Of each asset of the body: the columns read, a SELECT's FROM before its list and that before its other clauses; `None`
    /// when not all of them are known.
    pub reads: Vec<Option<Vec<Cow<'a, str>>>>,
    inputs: Vec<Input<'a>>,
}

/// A column of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputColumn<'a> {
    /// Its name as the engine gives it; `None` where that is not certain.
    pub name: Option<Cow<'a, str>>,
    /// Where it is computed or declared.
    pub span: Span,
    /// Its inputs among those of the lineage; `None` when not all of them are known.
    inputs: Option<Range<usize>>,
}

/// A column of an asset that an output column is computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input<'a> {
    /// The asset.
    pub asset: &'a Asset,
    /// The column.
    pub column: Cow<'a, str>,
    /// Where it is named.
    pub span: Span,
}

impl<'a> Lineage<'a> {
    /// The inputs of an output column, in order of first mention; `None` when not all of them are known.
    #[must_use]
    pub fn inputs(&self, column: &OutputColumn<'a>) -> Option<&[Input<'a>]> {
        self.inputs.get(column.inputs.clone()?)
    }

    /// The output columns that are known: name and inputs.
    pub fn known(&self) -> impl Iterator<Item = (&str, Span, &[Input<'a>])> {
        self.columns
            .iter()
            .filter_map(|column| Some((column.name.as_deref()?, column.span, self.inputs(column)?)))
    }
}

// Spaces of names. Those of assets are their places, those of relations are counted from the last of these on.
const MENTIONS: u32 = 1 << 30;
const MACROS: u32 = MENTIONS + 1;
const ATTACHED: u32 = MENTIONS + 2;
const RELATIONS: u32 = MENTIONS + 3;
/// Steps of work for each byte of the text, and what any text may take.
const FUEL: (usize, usize) = (1, 1 << 18);

/// The lineage of the output of `script`, which is what [`crate::parse`] makes of `text`.
///
/// ```
/// use parser_core::lineage::{Schemas, trace};
/// let text = "ATTACH 'ducklake://shop' AS dl;\nSELECT o.net + o.tax AS gross FROM dl.orders o";
/// let script = parser_core::parse(text).script;
/// let schemas = Schemas::new();
/// let lineage = trace(text, &script, &schemas);
/// let (name, _, inputs) = lineage.known().next().expect("a column");
/// assert_eq!((name, inputs[1].asset.path.as_str(), &*inputs[1].column), ("gross", "shop/orders", "tax"));
/// ```
#[must_use]
pub fn trace<'a>(text: &'a str, script: &'a Script, schemas: &Schemas) -> Lineage<'a> {
    let (tracer, relation) = read_script(text, script, schemas, None);
    tracer.lineage(script, relation)
}

/// Reads a script; gives the columns of its output, too.
fn read_script<'a>(
    text: &'a str,
    script: &'a Script,
    schemas: &Schemas,
    watch: Option<Watch>,
) -> (Tracer<'a>, Option<u32>) {
    let body = &script.body;
    let mut tracer = Tracer {
        text,
        watch,
        names: Names::new(text),
        fuel: text.len() * FUEL.0 + FUEL.1,
        is_lost: vec![false; body.assets.len()],
        ..Tracer::default()
    };
    for (asset, used) in (0..).zip(&body.assets) {
        let relation = tracer.asset_relation(asset, schemas.columns(&used.asset));
        tracer.asset_relations.push(relation);
        for span in &used.spans {
            let mention = tracer.mentions.len() as u32;
            tracer.mentions.push((asset, false));
            tracer
                .names
                .set(MENTIONS, Name::number(span.start as u32), mention);
        }
    }
    let output = body
        .statements
        .iter()
        .rposition(|statement| matches!(statement.kind, StatementKind::Output(_)));
    let mut relation = None;
    for (at, statement) in body.statements.iter().enumerate() {
        let is_output = Some(at) == output;
        let found = tracer.statement(statement, is_output);
        if is_output {
            relation = found;
        }
    }
    (tracer, relation)
}

/// What is known while a script is read.
#[derive(Debug, Default)]
struct Tracer<'a> {
    text: &'a str,
    tokens: Tokens,
    names: Names<'a>,
    /// Of each place that names an asset: which, and whether it was read as a table.
    mentions: Vec<(u32, bool)>,
    asset_relations: Vec<u32>,
    /// Of each asset: columns are read, nobody knows which.
    is_lost: Vec<bool>,
    relations: Vec<Relation>,
    columns: Vec<Column>,
    inputs: Vec<Reading>,
    scopes: Vec<Scope>,
    sources: Vec<Source>,
    merged: Vec<Column>,
    /// Temp tables, then common tables in scope.
    tables: Vec<Table>,
    temps: usize,
    windows: Vec<Window>,
    macros: Vec<Macro>,
    /// Of the macro whose body is read.
    arguments: Vec<Argument>,
    /// A table was named that other statements can change or hide.
    is_late: bool,
    /// Columns that the item being read stands for, when COLUMNS may stand there.
    many: Option<Many>,
    /// The names of columns that an expression of PIVOT names, when these are asked for.
    noted: Option<Vec<Name>>,
    /// A place whose name is asked for.
    watch: Option<Watch>,
    /// Of lambdas and list comprehensions.
    parameters: Vec<Name>,
    clauses: Vec<(crate::lex::Keyword, u32)>,
    /// Room for the parts of a column's name.
    parts: Vec<Name>,
    /// The name of the column that was taken last, and which tokens it is.
    spelled: Option<Name>,
    whole: (usize, usize),
    /// The expression being read stands for many columns.
    is_star: bool,
    /// It has inputs that are not known.
    is_unknown: bool,
    /// A query is read that is an operand: all that it names counts.
    in_expression: bool,
    /// A query is read whose names may well be columns of outer scopes.
    is_correlated: bool,
    gave_up: bool,
    fuel: usize,
    stamp: u32,
    spaces: u32,
}

impl<'a> Tracer<'a> {
    fn lineage(mut self, script: &'a Script, relation: Option<u32>) -> Lineage<'a> {
        let mut lineage = Lineage {
            is_complete: relation.is_some(),
            ..Lineage::default()
        };
        let assets = &script.body.assets;
        if let Some(relation) = relation {
            self.lose(self.relations[relation as usize].rest);
            let Relation {
                start, len, rest, ..
            } = self.relations[relation as usize];
            lineage.is_complete = rest == Rest::Closed;
            for column in &self.columns[start as usize..(start + len) as usize] {
                if column.gone {
                    continue;
                }
                let begin = lineage.inputs.len();
                let (first, count) = column.inputs;
                if column.known {
                    let base = Reading {
                        entry: column.base,
                        span: column.span,
                    };
                    let base = Some(&base).filter(|base| base.entry != NONE);
                    let inputs = &self.inputs[first as usize..(first + count) as usize];
                    for input in base.into_iter().chain(inputs) {
                        let entry = &mut self.names.entries[input.entry as usize];
                        entry.value = READ;
                        let entry = &self.names.entries[input.entry as usize];
                        lineage.inputs.push(Input {
                            asset: &assets[entry.space as usize].asset,
                            column: self.names.spelled(entry.name),
                            span: input.span,
                        });
                    }
                }
                lineage.is_complete &= column.name.is_some();
                lineage.columns.push(OutputColumn {
                    name: column.name.map(|name| self.names.spelled(name)),
                    span: column.span,
                    inputs: column.known.then_some(begin..lineage.inputs.len()),
                });
            }
        }
        lineage.declare(script);
        let mut reads = vec![Some(Vec::new()); assets.len()];
        for entry in &self.names.entries {
            if let (Some(Some(columns)), READ) = (reads.get_mut(entry.space as usize), entry.value)
            {
                columns.push(self.names.spelled(entry.name));
            }
        }
        for &(asset, is_bound) in &self.mentions {
            self.is_lost[asset as usize] |= !is_bound;
        }
        for (columns, is_lost) in reads.iter_mut().zip(&self.is_lost) {
            if *is_lost || self.gave_up {
                *columns = None;
            }
        }
        lineage.reads = reads;
        lineage
    }
}

impl<'a> Lineage<'a> {
    /// A `column` line wins for its output; several of one output go together.
    fn declare(&mut self, script: &'a Script) {
        let lines = &script.header.columns;
        if lines.is_empty() {
            return;
        }
        let mut outputs = Named::default();
        for (at, column) in self.columns.iter().enumerate() {
            if let Some(name) = &column.name {
                outputs.entry(name.to_ascii_lowercase(), at);
            }
        }
        let mut declared: Named<Vec<&Spanned<ColumnLineage>>> = Named::default();
        for line in lines {
            let name = line.value.column.value.to_ascii_lowercase();
            declared.entry(name, Vec::new()).push(line);
        }
        for lines in declared.into_list() {
            let first = lines[0];
            let begin = self.inputs.len();
            let mut known = crate::names::Names::default();
            for input in lines.iter().flat_map(|line| &line.value.inputs) {
                // No name in an annotation has a line end in it.
                let address = [&input.asset.to_string(), "\n", &input.column].concat();
                if known.add(address) {
                    self.inputs.push(Input {
                        asset: &input.asset,
                        column: Cow::Borrowed(input.column.as_str()),
                        span: input.span,
                    });
                }
            }
            let inputs = Some(begin..self.inputs.len());
            let name = &first.value.column.value;
            match outputs.get(&name.to_ascii_lowercase()) {
                Some(&at) => {
                    let column = &mut self.columns[at];
                    (column.inputs, column.span) = (inputs, first.span);
                }
                None => self.columns.push(OutputColumn {
                    name: Some(Cow::Borrowed(name.as_str())),
                    span: first.span,
                    inputs,
                }),
            }
        }
    }
}
