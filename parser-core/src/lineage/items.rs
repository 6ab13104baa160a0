//! The list of a SELECT: its columns, their names, and what a star stands for.

use super::Tracer;
use super::many::Many;
use super::names::Name;
use super::scope::{Column, NONE, Relation, Rest};
use crate::lex::{Keyword, TokenKind};
use crate::source::Span;

/// What `EXCLUDE`, `REPLACE` and `RENAME` do to a column of a star.
pub(super) struct Change {
    name: Name,
    /// The table that `EXCLUDE (t.a)` names.
    table: Option<Name>,
    /// What stands in its place; without one it is left out, or has another name.
    column: Option<Column>,
    renamed: Option<Name>,
    is_done: bool,
}

impl Change {
    /// `EXCLUDE (name)`
    pub(super) const fn without(name: Name) -> Self {
        Self {
            name,
            table: None,
            column: None,
            renamed: None,
            is_done: false,
        }
    }
}

impl<'a> Tracer<'a> {
    /// Reads the items of a SELECT list.
    pub(super) fn items(&mut self, relation: u32) {
        if self.eat_key(Keyword::Distinct) && self.eat_key(Keyword::On) && self.is_open(0) {
            self.reads(Self::operand_group);
        }
        self.eat_key(Keyword::All);
        while !self.is_end() {
            self.item(relation);
            while !self.is_end() && !self.eat_comma() {
                self.skip();
            }
        }
    }

    fn item(&mut self, relation: u32) {
        let begin = self.tokens.at;
        let (mut name, mut named) = (None, None);
        if self.is_name(0) && self.operator(1) == ":" {
            (name, named) = (Some(self.name_at(begin)), Some(begin));
            self.tokens.at += 2;
        }
        if self.operator(0) == "*" {
            self.tokens.at += 1;
            return self.star(relation, None, begin);
        }
        let mut dots = 0;
        while self.is_name(dots) && self.kind(dots + 1) == TokenKind::Dot {
            dots += 2;
        }
        if dots > 0 && self.operator(dots) == "*" {
            let mut qualifier = Vec::new();
            for ahead in (0..dots).step_by(2) {
                let name = self.name_at(self.tokens.at + ahead);
                qualifier.push(name);
            }
            self.tokens.at += dots + 1;
            return self.star(relation, Some(&qualifier), begin);
        }
        if self.unnested_struct(relation) {
            return;
        }
        let mut column = self.unknown_column();
        let expression = self.tokens.at;
        let is_unnest = self.is_word(0, "unnest") && self.is_open(1);
        self.is_star = false;
        self.whole = (0, 0);
        let outer = self.many.replace(Many::default());
        self.item_inputs(&mut column, Self::expression);
        let many = std::mem::replace(&mut self.many, outer);
        let end = self.tokens.at;
        // Brackets round a column do not change its name.
        let (mut first, mut last) = (expression, end);
        while first < last && self.tokens.is_open(first) && self.tokens.behind(first) == last {
            (first, last) = (first + 1, last - 1);
        }
        if self.whole == (first, last) {
            column.name = self.spelled.take();
        } else {
            column.name = self.made_up(expression, end);
        }
        if let Some(alias) = self.item_alias() {
            (name, named) = (Some(alias), Some(self.tokens.at - 1));
        }
        if let Some(named) = named {
            self.see_alias(named, &column);
        }
        if let (Some(many), false) = (many.filter(|many| many.is_found), self.is_star) {
            let is_bare = self.text_at(expression).eq_ignore_ascii_case("columns")
                && self.tokens.behind(expression + 1) == end;
            column.span = self.span(begin, self.tokens.at);
            return self.add_many(relation, column, name, is_bare, many);
        }
        // The struct that `unnest` takes apart is many columns. What has a name is taken for a list.
        if self.is_star || (is_unnest && name.is_none()) {
            self.lose_scope();
            return self.open(relation, Rest::Unknown);
        }
        column.name = name.or(column.name);
        column.span = self.span(begin, self.tokens.at);
        column.late = self.relations[relation as usize].rest != Rest::Closed;
        self.add(relation, column);
    }

    /// Reads a column's expression: its inputs, and whether they are all known.
    pub(super) fn item_inputs(&mut self, column: &mut Column, read: impl Fn(&mut Self)) {
        let (start, columns) = (self.inputs.len(), self.columns.len());
        let is_unknown = std::mem::take(&mut self.is_unknown);
        read(self);
        // What queries inside it had is of no use any more.
        self.columns.truncate(columns);
        column.inputs = self.distinct(start);
        column.known = !self.is_unknown;
        self.is_unknown = is_unknown | (self.in_expression && self.is_unknown);
    }

    /// The name that the engine makes up for an expression, where that is certain.
    pub(super) fn made_up(&mut self, begin: usize, end: usize) -> Option<Name> {
        let spelling = self.spelling(begin, end)?;
        Some(self.names.make(&spelling))
    }

    /// Adds the columns of all tables in scope, or of one, to a SELECT list. The star, at `begin`, is taken already.
    pub(super) fn star(&mut self, relation: u32, qualifier: Option<&[Name]>, begin: usize) {
        let span = self.span(begin, self.tokens.at);
        let mut changes = Vec::new();
        if self.changes(&mut changes) {
            return self.star_of(relation, qualifier, span, changes);
        }
        self.lose_scope();
        self.open(relation, Rest::Unknown);
    }

    /// The same with these changes.
    pub(super) fn star_of(
        &mut self,
        relation: u32,
        qualifier: Option<&[Name]>,
        span: Span,
        mut changes: Vec<Change>,
    ) {
        let (mut from, mut to) = self.sources_of(self.scopes.len() - 1);
        if let Some(qualifier) = qualifier {
            match self.source(self.scopes.len() - 1, qualifier) {
                Some(at) => (from, to) = (at, at + 1),
                // The fields of a struct.
                None => {
                    self.lose_scope();
                    return self.open(relation, Rest::Unknown);
                }
            }
        }
        let level = self.scopes.len() - 1;
        if self.scopes[level].is_natural || !self.burn(to - from) {
            self.lose_scope();
            return self.open(relation, Rest::Unknown);
        }
        let merged = self.scopes[level].merged as usize;
        let mut is_merged = vec![false; self.merged.len() - merged];
        let mut is_open = false;
        let begins = self.relations[relation as usize].len;
        for at in from..to {
            let source = self.sources[at];
            let Relation {
                start, len, rest, ..
            } = self.relations[source.relation as usize];
            if !self.burn(len as usize * (1 + changes.len() + is_merged.len())) {
                return self.open(relation, Rest::Unknown);
            }
            for place in start..start + len {
                let mut column = self.columns[place as usize];
                if let (Some(name), None) = (column.name, qualifier)
                    && let Some(at) = self.merged(level, name)
                {
                    if std::mem::replace(&mut is_merged[at - merged], true) {
                        continue;
                    }
                    column = self.merged[at];
                }
                self.changed(relation, column, source.alias, &mut changes, span);
            }
            if rest != Rest::Closed {
                is_open = true;
                self.open(relation, rest);
            }
        }
        if !is_open {
            return;
        }
        // These stand somewhere among the others.
        let mut columns = Vec::new();
        if qualifier.is_none() {
            for (at, _) in is_merged
                .iter()
                .enumerate()
                .filter(|(_, is_merged)| !**is_merged)
            {
                columns.push(self.merged[merged + at]);
            }
        }
        for column in columns {
            self.changed(relation, column, None, &mut changes, span);
        }
        let rest = self.relations[relation as usize].rest;
        for change in changes.into_iter().filter(|change| !change.is_done) {
            let mut column = self.unknown_column();
            column.name = Some(change.name);
            column.span = span;
            column.gone = change.column.is_none();
            if let Some(new) = change.column {
                column = new;
            }
            self.add(relation, column);
            if let Some(new) = change.renamed {
                column.gone = false;
                column.name = Some(new);
                if let Rest::Asset(asset) = rest {
                    column.base = self.names.place(asset, change.name, 0) as u32;
                    column.known = true;
                }
                self.add(relation, column);
            }
        }
        // What is excluded once is there for another star before or behind it.
        if begins > 0 && rest == Rest::Unknown {
            self.relations[relation as usize].fixed =
                self.relations[relation as usize].fixed.min(begins);
        }
    }

    /// Adds a column of a star, as it is after the changes.
    fn changed(
        &mut self,
        relation: u32,
        mut column: Column,
        table: Option<Name>,
        changes: &mut [Change],
        span: Span,
    ) {
        let rest = self.relations[relation as usize].rest;
        let is_gone = column.gone;
        column.late = rest != Rest::Closed && !is_gone;
        let change = changes.iter_mut().find(|change| {
            let is_of = |asked: Name| table.is_some_and(|table| self.names.is(table, asked));
            column
                .name
                .is_some_and(|name| self.names.is(change.name, name))
                && change.table.is_none_or(is_of)
        });
        if is_gone {
            return self.add(relation, column);
        }
        let mut name = None;
        if let Some(change) = change {
            change.is_done = true;
            match (change.column, change.renamed) {
                (Some(new), _) => {
                    name = column.name.take();
                    column = new;
                }
                (None, Some(new)) => name = Some(new),
                (None, None) => return,
            }
        }
        self.copied(&mut column, span);
        column.name = name.or(column.name);
        self.add(relation, column);
    }

    /// The inputs of a column that a star copies, with the star as the place that names them.
    fn copied(&mut self, column: &mut Column, span: Span) {
        let (start, len) = column.inputs;
        let is_open = (start..start + len).any(|at| self.inputs[at as usize].span.is_empty());
        if is_open {
            let (is_unknown, start) = (self.is_unknown, self.inputs.len());
            self.append(*column, span);
            self.is_unknown = is_unknown;
            column.inputs = self.distinct(start);
            column.base = NONE;
        }
        column.span = span;
    }

    /// Reads what stands behind a star; `false` when it leaves out columns by a pattern.
    fn changes(&mut self, changes: &mut Vec<Change>) -> bool {
        loop {
            let word = self.word(0);
            let is = |known: &str| word.eq_ignore_ascii_case(known);
            let (is_exclude, is_replace) = (is("exclude"), is("replace"));
            if !is_exclude && !is_replace && !is("rename") {
                return self.is_end()
                    || self.kind(0) == TokenKind::Comma
                    || !(self.key(0) == Some(Keyword::Not)
                        || is("like")
                        || is("ilike")
                        || is("glob")
                        || is("similar"));
            }
            self.tokens.at += 1;
            let outer = if self.is_open(0) {
                match self.enter() {
                    Some(outer) => Some(outer),
                    None => return false,
                }
            } else {
                None
            };
            while !self.is_end() {
                let before = self.tokens.at;
                let mut column = self.unknown_column();
                if is_replace {
                    let begin = self.tokens.at;
                    self.item_inputs(&mut column, Self::expression);
                    self.eat_key(Keyword::As);
                    column.span = self.span(begin, self.tokens.at + 1);
                }
                let mut table = None;
                let mut name = self.name_at(self.tokens.at);
                self.tokens.at += usize::from(!self.is_end());
                while self.kind(0) == TokenKind::Dot {
                    table = Some(name);
                    name = self.name_at(self.tokens.at + 1);
                    self.tokens.at = (self.tokens.at + 2).min(self.tokens.end);
                }
                let renamed = if !is_exclude && !is_replace && self.eat_key(Keyword::As) {
                    let renamed = self.name_at(self.tokens.at);
                    self.tokens.at += usize::from(!self.is_end());
                    Some(renamed)
                } else {
                    None
                };
                column.name = Some(name);
                changes.push(Change {
                    name,
                    table,
                    column: is_replace.then_some(column),
                    renamed,
                    is_done: false,
                });
                if (!self.eat_comma() && outer.is_none()) || outer.is_none() {
                    break;
                }
                if self.tokens.at == before {
                    self.skip();
                }
            }
            if let Some(outer) = outer {
                self.leave(outer);
            }
        }
    }
}
