//! PIVOT and UNPIVOT: behind a table in FROM, and as statements.

use super::Tracer;
use super::items::Change;
use super::names::Name;
use super::scope::{Column, NONE, Rest, Source};
use crate::lex::{Keyword, TokenKind};

/// What PIVOT makes of the rows.
struct Pivot {
    /// What the values name that become columns.
    on: Column,
    /// These values, where they are listed; of several lists those that stand one after the other.
    values: Option<Vec<Option<Name>>>,
    /// Aggregates, with the part that they have in a column's name.
    aggregates: Vec<Column>,
    groups: Vec<Column>,
}

impl Tracer<'_> {
    /// The word of PIVOT or UNPIVOT that stands here: whether it is the latter.
    pub(super) fn pivot_word(&self) -> Option<bool> {
        match self.key(0)? {
            Keyword::Pivot | Keyword::PivotWider => Some(false),
            Keyword::Unpivot | Keyword::PivotLonger => Some(true),
            _ => None,
        }
    }

    /// `PIVOT t ON …`, `UNPIVOT t ON …`, as a query. Its word is taken.
    pub(super) fn pivot_query(&mut self, is_unpivot: bool) -> u32 {
        self.push_scope(false);
        self.table();
        let is_alone = self.key(0) != Some(Keyword::Join) && self.kind(0) != TokenKind::Comma;
        let relation = if is_alone && self.eat_key(Keyword::On) {
            if is_unpivot {
                self.unpivot_on()
            } else {
                self.pivot_on()
            }
        } else {
            self.lose_scope();
            self.new_relation(Rest::Unknown)
        };
        self.pop_scope();
        relation
    }

    /// `PIVOT (…)` behind a table, as far as its columns are known. Its word is taken.
    pub(super) fn pivot_table(&mut self, relation: u32, is_unpivot: bool) -> u32 {
        // `UNPIVOT INCLUDE NULLS (…)`
        while !self.is_end() && !self.is_open(0) {
            self.skip();
        }
        let entered = if self.is_open(0) { self.enter() } else { None };
        let Some(outer) = entered else {
            self.lose_relation(relation);
            return self.new_relation(Rest::Unknown);
        };
        self.push_scope(false);
        self.sources.push(Source {
            alias: None,
            qualifiers: [None, None],
            relation,
        });
        let pivoted = if is_unpivot {
            self.unpivot_for()
        } else {
            self.pivot_for()
        };
        self.pop_scope();
        self.leave(outer);
        pivoted
    }

    /// `a IN ('x', 'y'), b [USING sum(c) AS s, …] [GROUP BY d]`
    fn pivot_on(&mut self) -> u32 {
        let mut pivot = self.new_pivot();
        self.noted = Some(Vec::new());
        loop {
            self.pivot_values(&mut pivot);
            if !self.eat_comma() {
                break;
            }
        }
        if self.eat_key(Keyword::Using) {
            self.aggregates(&mut pivot);
        }
        self.groups(&mut pivot);
        self.pivoted(pivot)
    }

    /// `sum(c) AS s, … FOR a IN ('x', 'y') b IN (1, 2) [GROUP BY d]`
    fn pivot_for(&mut self) -> u32 {
        let mut pivot = self.new_pivot();
        self.noted = Some(Vec::new());
        self.aggregates(&mut pivot);
        self.eat_key(Keyword::For);
        while !self.is_end() && self.key(0) != Some(Keyword::Group) {
            let before = self.tokens.at;
            self.pivot_values(&mut pivot);
            if self.tokens.at == before {
                self.skip();
            }
        }
        self.groups(&mut pivot);
        self.pivoted(pivot)
    }

    fn new_pivot(&self) -> Pivot {
        Pivot {
            on: Column {
                known: true,
                ..self.unknown_column()
            },
            values: Some(vec![None]),
            aggregates: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// `a IN ('x', 'y' AS z)`, `a`, `a IN enum`
    fn pivot_values(&mut self, pivot: &mut Pivot) {
        let mut column = self.unknown_column();
        // An expression takes IN for an operator.
        let end = self.tokens.end;
        let begin = self.tokens.at;
        while !self.is_end()
            && self.kind(0) != TokenKind::Comma
            && !matches!(
                self.key(0),
                Some(
                    Keyword::In
                        | Keyword::Using
                        | Keyword::Group
                        | Keyword::Order
                        | Keyword::Limit
                        | Keyword::Offset
                        | Keyword::Union
                        | Keyword::Except
                        | Keyword::Intersect
                )
            )
        {
            self.skip();
        }
        let behind = self.tokens.at;
        (self.tokens.at, self.tokens.end) = (begin, behind);
        self.item_inputs(&mut column, Self::expression);
        (self.tokens.at, self.tokens.end) = (behind, end);
        pivot.on = self.merge(pivot.on, column);
        let listed = if self.eat_key(Keyword::In) {
            self.listed_values()
        } else {
            None
        };
        pivot.values = match (pivot.values.take(), listed) {
            (Some(values), Some(listed)) if self.burn(values.len() * listed.len()) => {
                let mut all = Vec::with_capacity(values.len() * listed.len());
                for before in values {
                    for value in &listed {
                        let name = self.joined(before, Some(*value));
                        all.push(name);
                    }
                }
                Some(all)
            }
            _ => None,
        };
    }

    /// The names of `('x', y AS z, 1)`; `None` when something else is there.
    fn listed_values(&mut self) -> Option<Vec<Name>> {
        if !self.is_open(0) {
            self.tokens.at += usize::from(!self.is_end());
            return None;
        }
        let outer = self.enter()?;
        let mut names = Vec::new();
        let mut is_known = true;
        while !self.is_end() {
            let is_value = match self.kind(0) {
                TokenKind::String => true,
                // A number is written as it is cast to text.
                TokenKind::Number => self
                    .text_at(self.tokens.at)
                    .bytes()
                    .all(|c| c.is_ascii_digit()),
                _ => self.is_free_name(0),
            };
            let name = self.name_at(self.tokens.at);
            self.skip();
            let alias = self.item_alias();
            is_known &= is_value && (self.is_end() || self.kind(0) == TokenKind::Comma);
            names.push(alias.unwrap_or(name));
            while !self.is_end() && !self.eat_comma() {
                self.skip();
            }
        }
        self.leave(outer);
        is_known.then_some(names)
    }

    /// `[AS] name`
    pub(super) fn item_alias(&mut self) -> Option<Name> {
        let has_as = self.eat_key(Keyword::As);
        if (has_as && (self.is_name(0) || self.kind(0).is_string())) || self.is_free_name(0) {
            let name = self.name_at(self.tokens.at);
            self.tokens.at += 1;
            return Some(name);
        }
        None
    }

    /// `sum(a) AS s, max(b)`
    fn aggregates(&mut self, pivot: &mut Pivot) {
        loop {
            let mut column = self.unknown_column();
            let begin = self.tokens.at;
            self.item_inputs(&mut column, Self::expression);
            let made = self.made_up(begin, self.tokens.at);
            column.span = self.span(begin, self.tokens.at);
            let alias = self.item_alias();
            // One aggregate alone has no part in the names unless it has an alias.
            column.late = alias.is_none();
            column.name = alias.or(made);
            pivot.aggregates.push(column);
            if !self.eat_comma() {
                return;
            }
        }
    }

    /// `GROUP BY a, b`, and what may follow.
    fn groups(&mut self, pivot: &mut Pivot) {
        let noted = self.noted.take();
        if self.eat_key(Keyword::Group) {
            self.eat_word("by");
            while self.is_name(0) {
                let (begin, name) = (self.tokens.at, self.name_at(self.tokens.at));
                let mut column = self.unknown_column();
                self.item_inputs(&mut column, Self::expression);
                column.span = self.span(begin, self.tokens.at);
                column.name = self.spelled.take().or(Some(name));
                pivot.groups.push(column);
                if !self.eat_comma() {
                    break;
                }
            }
        }
        self.noted = noted;
    }

    /// The columns of a PIVOT.
    fn pivoted(&mut self, pivot: Pivot) -> u32 {
        let used = self.noted.take().unwrap_or_default();
        let mut aggregates = pivot.aggregates;
        let is_known = pivot.on.known && aggregates.iter().all(|column| column.known);
        let relation = if pivot.groups.is_empty() && is_known {
            self.others(used)
        } else if pivot.groups.is_empty() {
            self.unknown_scope()
        } else {
            let relation = self.new_relation(Rest::Closed);
            for column in &pivot.groups {
                self.add(relation, *column);
            }
            relation
        };
        let Some(values) = pivot.values else {
            // Their names are values: a table's columns with the same names have other ones then.
            self.open(relation, Rest::Unknown);
            return relation;
        };
        if aggregates.is_empty() {
            // The rows are counted.
            aggregates.push(Column {
                known: true,
                late: true,
                ..self.unknown_column()
            });
        }
        let is_alone = aggregates.len() == 1 && aggregates[0].late;
        if !self.burn(values.len() * aggregates.len()) {
            self.open(relation, Rest::Unknown);
            return relation;
        }
        for value in values {
            for &aggregate in &aggregates {
                let mut column = aggregate;
                column.name = if is_alone {
                    value
                } else if aggregate.name.is_some() {
                    self.joined(value, aggregate.name)
                } else {
                    None
                };
                column.late = false;
                column = self.merge(column, pivot.on);
                if column.span.is_empty() {
                    column.span = pivot.on.span;
                }
                column.late = self.relations[relation as usize].rest != Rest::Closed;
                self.add(relation, column);
            }
        }
        self.index(relation, true);
        relation
    }

    /// `a_b`, and `b` alone where there is no `a`.
    fn joined(&mut self, before: Option<Name>, name: Option<Name>) -> Option<Name> {
        let (Some(before), Some(after)) = (before, name) else {
            return name;
        };
        let mut text = self.names.text(before).to_owned();
        if !self.burn(text.len()) {
            return None;
        }
        text.push('_');
        text.push_str(self.names.text(after));
        Some(self.names.make(&text))
    }

    /// All columns in scope but these.
    fn others(&mut self, used: Vec<Name>) -> u32 {
        let relation = self.new_relation(Rest::Closed);
        let span = self.span(self.tokens.at.saturating_sub(1), self.tokens.at);
        let changes = used.into_iter().map(Change::without).collect();
        self.star_of(relation, None, span, changes);
        relation
    }

    /// Columns of the tables in scope, nobody knows which.
    fn unknown_scope(&mut self) -> u32 {
        self.lose_scope();
        self.new_relation(Rest::Unknown)
    }

    /// `a, b + 1 AS c [INTO NAME n VALUE v]`
    fn unpivot_on(&mut self) -> u32 {
        self.noted = Some(Vec::new());
        let values = self.unpivoted();
        let used = self.noted.take().unwrap_or_default();
        let mut name = self.names.make("name");
        let mut names = vec![self.names.make("value")];
        if self.eat_key(Keyword::Into) {
            self.eat_word("name");
            name = self.name_at(self.tokens.at);
            self.tokens.at = (self.tokens.at + 1).min(self.tokens.end);
            if self.eat_word("value") {
                names.clear();
                while self.is_name(0) {
                    names.push(self.name_at(self.tokens.at));
                    self.tokens.at += 1;
                    if !self.eat_comma() {
                        break;
                    }
                }
            }
        }
        self.stacked(used, name, names, values)
    }

    /// `v FOR n IN (a, b)`, `(v, w) FOR n IN ((a, b) AS x, (c, d))`
    fn unpivot_for(&mut self) -> u32 {
        let names = if self.is_open(0) {
            self.name_list()
        } else {
            let name = self.name_at(self.tokens.at);
            self.tokens.at = (self.tokens.at + 1).min(self.tokens.end);
            vec![name]
        };
        self.eat_key(Keyword::For);
        let name = self.name_at(self.tokens.at);
        self.tokens.at = (self.tokens.at + 1).min(self.tokens.end);
        self.noted = Some(Vec::new());
        let mut values = None;
        if self.eat_key(Keyword::In)
            && self.is_open(0)
            && let Some(outer) = self.enter()
        {
            values = self.unpivoted();
            self.leave(outer);
        }
        let used = self.noted.take().unwrap_or_default();
        self.stacked(used, name, names, values)
    }

    /// The columns that become rows: of each column of values what it is computed from. `None` when that is not known.
    fn unpivoted(&mut self) -> Option<Vec<Column>> {
        let mut values: Vec<Column> = Vec::new();
        let mut is_known = true;
        while !self.is_end() && self.key(0) != Some(Keyword::Into) {
            let is_group = self.is_open(0);
            let outer = if is_group { self.enter() } else { None };
            let mut at = 0;
            loop {
                is_known &= self.operator(0) != "*" && !self.is_word(0, "columns");
                let mut column = self.unknown_column();
                let begin = self.tokens.at;
                self.item_inputs(&mut column, Self::expression);
                column.span = self.span(begin, self.tokens.at);
                is_known &= column.known;
                match values.get(at) {
                    Some(above) => values[at] = self.merge(*above, column),
                    None => values.push(column),
                }
                at += 1;
                if !is_group || !self.eat_comma() || self.is_end() {
                    break;
                }
            }
            if let Some(outer) = outer {
                self.leave(outer);
            }
            self.item_alias();
            if !self.eat_comma() {
                break;
            }
        }
        is_known.then_some(values)
    }

    /// The columns of an UNPIVOT.
    fn stacked(
        &mut self,
        used: Vec<Name>,
        name: Name,
        names: Vec<Name>,
        values: Option<Vec<Column>>,
    ) -> u32 {
        let span = self.span(self.tokens.at.saturating_sub(1), self.tokens.at);
        let relation = match &values {
            Some(_) => self.others(used),
            None => self.unknown_scope(),
        };
        let late = self.relations[relation as usize].rest != Rest::Closed;
        // Which column a row comes from is no input of anything.
        let mut columns = vec![Column {
            name: Some(name),
            span,
            known: true,
            late,
            ..self.unknown_column()
        }];
        let values = values.unwrap_or_default();
        for (at, name) in names.into_iter().enumerate() {
            let mut column = values.get(at).copied().unwrap_or(Column {
                span,
                base: NONE,
                ..self.unknown_column()
            });
            (column.name, column.late) = (Some(name), late);
            columns.push(column);
        }
        for column in columns {
            self.add(relation, column);
        }
        self.index(relation, true);
        relation
    }
}
