//! Tables in scope, their columns, and what a column's name means there.

use super::Tracer;
use super::names::Name;
use crate::source::Span;

/// No place in an arena.
pub(super) const NONE: u32 = u32::MAX;

/// The value of a column of an asset that is read.
pub(super) const READ: u32 = 1;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    /// `None`: the engine makes up a name that is not known here.
    pub(super) name: Option<Name>,
    /// Where it is computed.
    pub(super) span: Span,
    /// Its inputs: the first, and how many.
    pub(super) inputs: (u32, u32),
    /// It is this column of an asset: its place among the names. It counts as read when something names it.
    pub(super) base: u32,
    /// All its inputs are known.
    pub(super) known: bool,
    /// There is no such column, whatever the rest of the table has: `EXCLUDE`.
    pub(super) gone: bool,
    /// It stands behind columns that are not known. When one of them has its name, the name means that one.
    pub(super) late: bool,
}

/// Which columns a table has beside those that are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// None.
    Closed,
    /// All others of an asset, under their names.
    Asset(u32),
    /// Others, nobody knows which.
    Unknown,
}

/// What a query, a common table or an asset gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relation {
    /// Its first column, and how many are listed.
    pub(super) start: u32,
    pub(super) len: u32,
    pub(super) rest: Rest,
    /// So many columns stand in a place that is known: those before the others.
    pub(super) fixed: u32,
    /// So many columns are among the names, in this space.
    indexed: u32,
    space: u32,
    /// No two of its columns have the same name.
    is_table: bool,
}

/// A table in FROM.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// The name before a column's dot.
    pub(super) alias: Option<Name>,
    /// Of a table without alias: what may stand before its name.
    pub(super) qualifiers: [Option<Name>; 2],
    pub(super) relation: u32,
}

/// One SELECT, and what its names may mean. The scopes form a stack; outwards is down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    /// Its first source; they reach to those of the next scope.
    pub(super) sources: u32,
    /// The first of its columns that USING merges.
    pub(super) merged: u32,
    /// The relation of its SELECT list: aliases.
    pub(super) select: u32,
    /// Names without a qualifier may well mean columns of the outer scopes.
    pub(super) is_correlated: bool,
    /// A NATURAL JOIN merges columns that are not known.
    pub(super) is_natural: bool,
    /// ORDER BY: aliases come first.
    pub(super) prefers_alias: bool,
}

/// What a name means among some tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A column, by its place in the arena.
    Column(u32),
    /// A column that an asset has.
    Asset(u32),
    /// Something, nobody knows what.
    Unknown,
    Nothing,
}

/// Read or mentioned column of an asset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// Its place among the names: the space is the asset.
    pub(super) entry: u32,
    /// Where it is named; empty when it is to be the place that names the column that has this input.
    pub(super) span: Span,
}

impl<'a> Tracer<'a> {
    /// Takes from the work that may be done; `false` when none is left.
    pub(super) fn burn(&mut self, work: usize) -> bool {
        match self.fuel.checked_sub(work) {
            Some(left) => {
                self.fuel = left;
                true
            }
            None => {
                self.give_up();
                false
            }
        }
    }

    /// Something is not read.
    pub(super) fn give_up(&mut self) {
        self.is_unknown = true;
        self.gave_up = true;
    }

    pub(super) fn new_relation(&mut self, rest: Rest) -> u32 {
        let space = self.new_space();
        self.relations.push(Relation {
            start: self.columns.len() as u32,
            len: 0,
            rest,
            fixed: if rest == Rest::Closed { NONE } else { 0 },
            indexed: 0,
            space,
            is_table: false,
        });
        self.relations.len() as u32 - 1
    }

    /// Adds a column to a relation whose columns are the last of the arena.
    pub(super) fn add(&mut self, relation: u32, column: Column) {
        self.relations[relation as usize].len += 1;
        self.columns.push(column);
    }

    /// From here on a relation has other columns too.
    pub(super) fn open(&mut self, relation: u32, rest: Rest) {
        let known = &mut self.relations[relation as usize];
        known.fixed = known.fixed.min(known.len);
        let before = std::mem::replace(&mut known.rest, rest);
        if before != Rest::Closed {
            known.rest = Rest::Unknown;
            self.lose(before);
            self.lose(rest);
        }
    }

    /// Columns of an asset are read, nobody knows which.
    pub(super) fn lose(&mut self, rest: Rest) {
        if let Rest::Asset(asset) = rest {
            self.is_lost[asset as usize] = true;
        }
    }

    pub(super) fn lose_relation(&mut self, relation: u32) {
        self.lose(self.relations[relation as usize].rest);
        self.read_all(relation);
    }

    /// All columns of an asset that a relation lists are read.
    fn read_all(&mut self, relation: u32) {
        let Relation { start, len, .. } = self.relations[relation as usize];
        if self.burn(len as usize) {
            for column in &self.columns[start as usize..(start + len) as usize] {
                if let Some(entry) = self.names.entries.get_mut(column.base as usize) {
                    entry.value = READ;
                }
            }
        }
    }

    fn new_space(&mut self) -> u32 {
        self.spaces += 1;
        super::RELATIONS + self.spaces
    }

    /// Brings the columns of a relation among the names; the first of a name has it. As a table, later ones get another name.
    pub(super) fn index(&mut self, relation: u32, is_table: bool) {
        if is_table && !self.relations[relation as usize].is_table {
            // Those that an alias was looked for among have their first names.
            let space = self.new_space();
            let known = &mut self.relations[relation as usize];
            (known.is_table, known.indexed, known.space) = (true, 0, space);
        }
        let Relation {
            start,
            len,
            indexed,
            space,
            is_table,
            ..
        } = self.relations[relation as usize];
        for at in start + indexed..start + len {
            let Some(name) = self.columns[at as usize].name else {
                continue;
            };
            let mut place = self.names.place(space, name, at);
            let mut number = 0u32;
            // The engine tells columns of one name apart: `a`, `a_1`.
            while is_table
                && self.names.entries[place].value != at
                && self.burn(1 + self.names.text(name).len())
            {
                number += 1;
                let mut text = self.names.text(name).to_owned();
                text.push('_');
                text.push_str(&number.to_string());
                let other = self.names.make(&text);
                place = self.names.place(space, other, at);
                self.columns[at as usize].name = Some(other);
            }
        }
        self.relations[relation as usize].indexed = len;
    }

    /// What a name means in a relation.
    pub(super) fn find(&mut self, relation: u32, name: Name) -> Found {
        let known = self.relations[relation as usize];
        if known.indexed < known.len {
            self.index(relation, false);
        }
        let other = match known.rest {
            Rest::Closed => Found::Nothing,
            Rest::Asset(asset) => Found::Asset(asset),
            Rest::Unknown => Found::Unknown,
        };
        let Some(at) = self.names.get(known.space, name) else {
            return other;
        };
        let column = &self.columns[at as usize];
        if column.gone {
            return Found::Nothing;
        }
        // `SELECT *, upper(x) AS x FROM t`: the first `x` is that of the table, which is known to have one.
        if let (true, Rest::Asset(asset)) = (column.late, known.rest)
            && self.names.find(asset, name).is_some()
        {
            return other;
        }
        Found::Column(at)
    }

    /// What a name means among the sources `from..to`. A name that two of them have is refused by the engine.
    pub(super) fn among(&mut self, from: usize, to: usize, name: Name) -> Found {
        let mut column = Found::Nothing;
        let mut other = Found::Nothing;
        if !self.burn(to - from) {
            return Found::Unknown;
        }
        for at in from..to {
            let relation = self.sources[at].relation;
            match self.find(relation, name) {
                Found::Nothing => {}
                found @ Found::Column(_) if column == Found::Nothing => column = found,
                Found::Column(_) => column = Found::Unknown,
                found if other == Found::Nothing => other = found,
                _ => other = Found::Unknown,
            }
        }
        if column != Found::Nothing {
            return column;
        }
        if other == Found::Unknown {
            for at in from..to {
                let relation = self.sources[at].relation;
                self.lose(self.relations[relation as usize].rest);
            }
        }
        other
    }

    /// The sources of a scope.
    pub(super) fn sources_of(&self, level: usize) -> (usize, usize) {
        let end = self
            .scopes
            .get(level + 1)
            .map_or(self.sources.len(), |next| next.sources as usize);
        (self.scopes[level].sources as usize, end)
    }

    /// The alias of a scope's SELECT list, as far as that is read.
    fn alias(&mut self, level: usize, name: Name) -> Found {
        let relation = self.scopes[level].select;
        if relation == NONE {
            return Found::Nothing;
        }
        match self.find(relation, name) {
            found @ Found::Column(_) => found,
            Found::Asset(_) | Found::Unknown | Found::Nothing => Found::Nothing,
        }
    }

    /// The column of a name that USING merges.
    pub(super) fn merged(&mut self, level: usize, name: Name) -> Option<usize> {
        let from = self.scopes[level].merged as usize;
        let to = self
            .scopes
            .get(level + 1)
            .map_or(self.merged.len(), |next| next.merged as usize);
        if !self.burn(to - from) {
            return None;
        }
        (from..to).find(|&at| {
            self.merged[at]
                .name
                .is_some_and(|has| self.names.is(has, name))
        })
    }

    /// Whether a scope below may have a column of this name.
    fn may_be_outer(&mut self, below: usize, name: Name) -> bool {
        let mut may = false;
        for level in 0..below {
            let (from, to) = self.sources_of(level);
            if !self.burn(to - from + 1) {
                return true;
            }
            for at in from..to {
                let relation = self.sources[at].relation;
                if self.find(relation, name) != Found::Nothing {
                    may = true;
                    self.lose(self.relations[relation as usize].rest);
                }
            }
            may |= self.alias(level, name) != Found::Nothing;
        }
        may
    }

    /// Takes what a name without a qualifier means; `false` when it means nothing.
    pub(super) fn take_name(&mut self, name: Name, span: Span) -> bool {
        for level in (0..self.scopes.len()).rev() {
            let scope = self.scopes[level];
            let (from, to) = self.sources_of(level);
            if let Some(at) = self.merged(level, name) {
                let column = self.merged[at];
                self.append(column, span);
                return true;
            }
            let alias = self.alias(level, name);
            if scope.prefers_alias && alias != Found::Nothing && level + 1 == self.scopes.len() {
                self.take(alias, name, span);
                return true;
            }
            let mut found = self.among(from, to, name);
            let row = if self.burn(to - from) {
                (from..to).find(|&at| {
                    self.sources[at]
                        .alias
                        .is_some_and(|alias| self.names.is(alias, name))
                })
            } else {
                None
            };
            match found {
                Found::Column(_) if scope.is_natural => found = Found::Unknown,
                Found::Asset(asset) => {
                    let is_alias =
                        alias != Found::Nothing && self.names.find(asset, name).is_none();
                    // `SELECT upper(x) AS x, x || 'y'`, where it is not known whether the table has an `x`; the same with a row
                    // of a table of that name, and with a column of an outer query.
                    if is_alias
                        || row.is_some()
                        || (scope.is_correlated && self.may_be_outer(level, name))
                    {
                        self.lose(Rest::Asset(asset));
                        found = Found::Unknown;
                    }
                }
                Found::Nothing => {
                    found = alias;
                    if let (Found::Nothing, Some(row)) = (alias, row) {
                        self.lose_relation(self.sources[row].relation);
                        found = Found::Unknown;
                    }
                }
                Found::Column(_) | Found::Unknown => {}
            }
            if found != Found::Nothing {
                self.take(found, name, span);
                return true;
            }
        }
        false
    }

    /// Takes what the names `parts` mean: a column without or with its table, fields of a struct behind it.
    pub(super) fn take_column(&mut self, parts: &[Name], span: Span) {
        let Some((&first, rest)) = parts.split_first() else {
            return;
        };
        self.spelled = parts.last().copied();
        if self.burn(self.parameters.len())
            && self
                .parameters
                .iter()
                .any(|&name| self.names.is(name, first))
        {
            return;
        }
        if let Some(noted) = &mut self.noted {
            noted.push(first);
        }
        if !rest.is_empty() && self.take_qualified(parts, span) {
            return;
        }
        if self.take_argument(first) {
            return;
        }
        // What a lake's name stands before is rather a table that is not there than a struct.
        let is_lake = parts.len() > 2 && self.names.find(super::ATTACHED, first).is_some();
        if is_lake || !self.take_name(first, span) {
            self.is_unknown = true;
        }
        if !rest.is_empty() {
            self.spelled = parts.last().copied();
        }
    }

    fn take_qualified(&mut self, parts: &[Name], span: Span) -> bool {
        for level in (0..self.scopes.len()).rev() {
            for len in (1..parts.len().min(4)).rev() {
                let Some(source) = self.source(level, &parts[..len]) else {
                    continue;
                };
                let name = parts[len];
                let found = self.find(self.sources[source].relation, name);
                if found != Found::Nothing {
                    self.watch_table(self.sources[source].alias, len);
                    self.take(found, name, span);
                    if len + 1 < parts.len() {
                        self.spelled = parts.last().copied();
                    }
                    return true;
                }
            }
        }
        false
    }

    /// The source of a scope that names before a column mean.
    pub(super) fn source(&mut self, level: usize, qualifier: &[Name]) -> Option<usize> {
        let (from, to) = self.sources_of(level);
        let (&table, before) = qualifier.split_last()?;
        if !self.burn(to - from) {
            return None;
        }
        let has = |source: &Source, name: Name| {
            let mut names = source.qualifiers.iter().flatten();
            names.any(|&qualifier| self.names.is(qualifier, name))
                || (source.qualifiers[0].is_some()
                    && self.names.text(name).eq_ignore_ascii_case("main"))
        };
        (from..to).find(|&at| {
            let source = &self.sources[at];
            source
                .alias
                .is_some_and(|alias| self.names.is(alias, table))
                && before.iter().all(|&name| has(source, name))
        })
    }

    /// Adds to the inputs what a name means.
    pub(super) fn take(&mut self, found: Found, name: Name, span: Span) {
        match found {
            Found::Column(at) => {
                let column = self.columns[at as usize];
                self.append(column, span);
            }
            Found::Asset(asset) => {
                let place = self.names.place(asset, name, READ);
                self.names.entries[place].value = READ;
                let entry = place as u32;
                self.inputs.push(Reading { entry, span });
                self.spelled = Some(name);
            }
            Found::Unknown | Found::Nothing => self.is_unknown = true,
        }
    }

    /// Adds the inputs of a column that is named at `span`.
    pub(super) fn append(&mut self, column: Column, span: Span) {
        self.is_unknown |= !column.known;
        self.watch_column(column);
        if column.name.is_some() {
            self.spelled = column.name;
        }
        if let Some(entry) = self.names.entries.get_mut(column.base as usize) {
            entry.value = READ;
            let entry = column.base;
            self.inputs.push(Reading { entry, span });
        }
        let (start, len) = column.inputs;
        if !self.burn(len as usize) {
            return;
        }
        for at in start..start + len {
            let mut input = self.inputs[at as usize];
            if input.span.is_empty() {
                input.span = span;
            }
            self.inputs.push(input);
        }
    }

    /// Leaves the first mention of each input from `start` on; gives their place.
    pub(super) fn distinct(&mut self, start: usize) -> (u32, u32) {
        let mut kept = self.inputs.len();
        if kept - start > 1 {
            self.stamp += 1;
            kept = start;
            for at in start..self.inputs.len() {
                let input = self.inputs[at];
                let entry = &mut self.names.entries[input.entry as usize];
                if entry.stamp != self.stamp {
                    entry.stamp = self.stamp;
                    self.inputs[kept] = input;
                    kept += 1;
                }
            }
            self.inputs.truncate(kept);
        }
        (start as u32, (kept - start) as u32)
    }
}
