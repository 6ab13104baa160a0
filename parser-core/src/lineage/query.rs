//! Queries: WITH, set operations, SELECT and its clauses.

use super::Tracer;
use super::names::Name;
use super::scope::{Column, Found, NONE, Relation, Rest, Scope};
use crate::lex::{Keyword, TokenKind};

/// A recursive common table is read so often until its inputs are those of the time before.
const ROUNDS: usize = 4;

/// A common table, or a temp table.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) name: Name,
    pub(super) relation: u32,
    /// It sees what its tables will hold.
    pub(super) is_view: bool,
}

/// The common table whose body is read, when that may name itself.
pub(super) struct Recursive {
    name: Name,
    columns: Vec<Name>,
}

impl<'a> Tracer<'a> {
    /// Reads a query up to the end of the bracket.
    pub(super) fn query(&mut self, recursive: Option<&Recursive>) -> u32 {
        let outer = self.tables.len();
        if self.eat_key(Keyword::With) {
            self.common_tables();
        }
        let mut all = self.arm(recursive, false);
        // Of arms that INTERSECT joins, the first says whether they count.
        let mut counts = true;
        loop {
            // ORDER BY and LIMIT of the whole name what is read already.
            while !self.is_end() && !self.key(0).is_some_and(is_set_operation) {
                self.skip();
            }
            let Some(operation) = self.key(0) else { break };
            self.tokens.at += 1;
            let _ = self.eat_key(Keyword::All) || self.eat_key(Keyword::Distinct);
            let by_name = self.is_word(0, "by") && self.is_word(1, "name");
            self.tokens.at += if by_name { 2 } else { 0 };
            counts &= operation != Keyword::Except;
            counts |= operation == Keyword::Union;
            all = match recursive {
                Some(recursive) if operation == Keyword::Union => {
                    self.step(all, recursive, by_name)
                }
                Some(_) | None => {
                    let arm = self.arm(None, true);
                    self.combine(all, arm, by_name, counts)
                }
            };
        }
        self.tables.truncate(outer);
        all
    }

    /// `a AS (…), b (c, d) AS MATERIALIZED (…)`
    fn common_tables(&mut self) {
        let is_recursive =
            self.is_word(0, "recursive") && self.is_name(1) && self.key(1) != Some(Keyword::As);
        self.tokens.at += usize::from(is_recursive);
        loop {
            let name = self.name_at(self.tokens.at);
            self.tokens.at += 1;
            let columns = self.name_list();
            while !self.is_end() && self.key(0) != Some(Keyword::As) {
                self.skip();
            }
            self.tokens.at += usize::from(!self.is_end());
            self.eat_key(Keyword::Not);
            self.eat_key(Keyword::Materialized);
            if !self.is_open(0) {
                return;
            }
            let mut body = Recursive { name, columns };
            let relation = match self.enter() {
                Some(outer) => {
                    let relation = self.query(Some(&body).filter(|_| is_recursive));
                    self.leave(outer);
                    relation
                }
                None => self.new_relation(Rest::Unknown),
            };
            let relation = self.renamed(relation, std::mem::take(&mut body.columns));
            self.tables.push(Table {
                name: body.name,
                relation,
                is_view: false,
            });
            if !self.eat_comma() {
                return;
            }
        }
    }

    /// `(a, b)`, or nothing.
    pub(super) fn name_list(&mut self) -> Vec<Name> {
        let mut names = Vec::new();
        if !self.is_open(0) {
            return names;
        }
        let Some(outer) = self.enter() else {
            return names;
        };
        while !self.is_end() {
            let name = self.name_at(self.tokens.at);
            names.push(name);
            while !self.is_end() && !self.eat_comma() {
                self.skip();
            }
        }
        self.leave(outer);
        names
    }

    /// A relation as a table: its columns have other names, and no two the same.
    pub(super) fn renamed(&mut self, relation: u32, names: Vec<Name>) -> u32 {
        if names.is_empty() {
            self.index(relation, true);
            return relation;
        }
        let old = self.relations[relation as usize];
        let is_open = old.rest != Rest::Closed;
        let new = self.new_relation(Rest::Closed);
        if !self.burn(old.len as usize + names.len()) {
            self.open(new, Rest::Unknown);
            return new;
        }
        let listed = names.len() as u32;
        for (at, name) in (0..).zip(names) {
            let place = old.start + at;
            let mut column = if at < old.len && at < old.fixed {
                self.columns[place as usize]
            } else {
                self.unknown_column()
            };
            column.name = Some(name);
            self.add(new, column);
        }
        for at in listed.min(old.len)..old.len {
            let mut column = self.columns[(old.start + at) as usize];
            column.known &= !is_open;
            self.add(new, column);
        }
        if is_open {
            self.lose(old.rest);
            self.open(new, Rest::Unknown);
        }
        self.index(new, true);
        new
    }

    pub(super) fn unknown_column(&self) -> Column {
        Column {
            name: None,
            span: self.span(self.tokens.at, self.tokens.at),
            inputs: (0, 0),
            base: NONE,
            known: false,
            gone: false,
            late: false,
        }
    }

    /// The right arm of a recursive UNION, again and again until it adds no inputs.
    fn step(&mut self, first: u32, recursive: &Recursive, by_name: bool) -> u32 {
        let begin = self.tokens.at;
        let mut all = self.renamed(first, recursive.columns.clone());
        for round in 0..ROUNDS {
            self.tokens.at = begin;
            let count = |tracer: &Self, relation: u32| {
                let Relation { start, len, .. } = tracer.relations[relation as usize];
                tracer.columns[start as usize..(start + len) as usize]
                    .iter()
                    .map(|column| column.inputs.1 as usize)
                    .sum::<usize>()
            };
            let before = count(self, all);
            self.tables.push(Table {
                name: recursive.name,
                relation: all,
                is_view: false,
            });
            let arm = self.arm(None, true);
            self.tables.pop();
            all = self.combine(all, arm, by_name, true);
            self.index(all, true);
            if count(self, all) == before || !self.burn((self.tokens.at - begin) * 16) {
                return all;
            }
            if round + 1 == ROUNDS {
                let Relation { start, len, .. } = self.relations[all as usize];
                for column in &mut self.columns[start as usize..(start + len) as usize] {
                    column.known = false;
                }
            }
        }
        all
    }

    /// One of the queries that set operations join; `follows` another.
    fn arm(&mut self, recursive: Option<&Recursive>, follows: bool) -> u32 {
        match self.key(0) {
            Some(Keyword::Select | Keyword::From) => return self.select(follows),
            Some(Keyword::Values) => {
                self.tokens.at += 1;
                return self.values();
            }
            Some(Keyword::Table) => {
                let begin = self.tokens.at;
                self.tokens.at += 1;
                self.push_scope(false);
                self.table();
                let relation = self.new_relation(Rest::Closed);
                self.star(relation, None, begin);
                self.pop_scope();
                return relation;
            }
            _ if self.is_open(0) => {
                return match self.enter() {
                    Some(outer) => {
                        let relation = self.query(recursive);
                        self.leave(outer);
                        relation
                    }
                    None => self.new_relation(Rest::Unknown),
                };
            }
            // DESCRIBE reads no columns; what it gives is not known.
            Some(_) | None => {}
        }
        if let Some(is_unpivot) = self.pivot_word() {
            self.tokens.at += 1;
            let relation = self.pivot_query(is_unpivot);
            self.is_unknown |= self.in_expression;
            return relation;
        }
        while !self.is_end() && !self.key(0).is_some_and(is_set_operation) {
            self.skip();
        }
        self.is_unknown |= self.in_expression;
        self.new_relation(Rest::Unknown)
    }

    /// `(1, 2), (3, 4)`
    pub(super) fn values(&mut self) -> u32 {
        let mut rows: Vec<Column> = Vec::new();
        while self.is_open(0) {
            let Some(outer) = self.enter() else { break };
            let mut at = 0;
            while !self.is_end() {
                let mut column = self.unknown_column();
                self.item_inputs(&mut column, Self::expression);
                if let Some(above) = rows.get_mut(at) {
                    let merged = self.merge(*above, column);
                    rows[at] = merged;
                } else {
                    let mut name = "col".to_owned();
                    name.push_str(&at.to_string());
                    column.name = Some(self.names.make(&name));
                    rows.push(column);
                }
                at += 1;
                while !self.is_end() && !self.eat_comma() {
                    self.skip();
                }
            }
            self.leave(outer);
            if !(self.kind(0) == TokenKind::Comma && self.is_open(1)) {
                break;
            }
            self.tokens.at += 1;
        }
        let relation = self.new_relation(Rest::Closed);
        for column in rows {
            self.add(relation, column);
        }
        relation
    }

    /// A column with the inputs of both.
    pub(super) fn merge(&mut self, mut column: Column, other: Column) -> Column {
        if other.inputs.1 > 0 || other.base != NONE {
            let (is_unknown, start) = (self.is_unknown, self.inputs.len());
            let span = column.span;
            self.append(column, span);
            self.append(other, other.span);
            self.is_unknown = is_unknown;
            column.inputs = self.distinct(start);
            column.base = NONE;
        }
        column.known &= other.known;
        column
    }

    /// What a set operation gives.
    pub(super) fn combine(&mut self, left: u32, right: u32, by_name: bool, counts: bool) -> u32 {
        let (l, r) = (
            self.relations[left as usize],
            self.relations[right as usize],
        );
        self.lose(r.rest);
        if !counts {
            self.lose_relation(right);
            return left;
        }
        let both = if l.rest == Rest::Closed && r.rest == Rest::Closed {
            Rest::Closed
        } else {
            Rest::Unknown
        };
        let mut columns = Vec::with_capacity(l.len.max(r.len) as usize);
        if !self.burn((l.len + r.len) as usize) {
            return self.new_relation(Rest::Unknown);
        }
        if by_name {
            self.index(left, true);
            self.index(right, true);
        }
        for at in 0..l.len {
            let mut column = self.columns[(l.start + at) as usize];
            let found = match column.name {
                _ if column.gone => continue,
                Some(name) if by_name => self.find(right, name),
                None if by_name => Found::Unknown,
                _ if at < l.fixed && at < r.fixed && at < r.len => Found::Column(r.start + at),
                _ => Found::Unknown,
            };
            match found {
                Found::Column(other) => {
                    let other = self.columns[other as usize];
                    column = self.merge(column, other);
                }
                Found::Nothing => {}
                Found::Asset(_) | Found::Unknown => column.known = false,
            }
            columns.push(column);
        }
        for at in 0..if by_name { r.len } else { 0 } {
            let mut column = self.columns[(r.start + at) as usize];
            let found = match column.name {
                _ if column.gone => continue,
                Some(name) => self.find(left, name),
                None => Found::Unknown,
            };
            match found {
                Found::Column(_) => continue,
                Found::Nothing => {}
                Found::Asset(_) | Found::Unknown => column.known = false,
            }
            columns.push(column);
        }
        self.lose(l.rest);
        let relation = self.new_relation(Rest::Closed);
        for column in columns {
            self.add(relation, column);
        }
        if both != Rest::Closed {
            self.open(relation, both);
            let fixed = if by_name { 0 } else { l.fixed.min(r.fixed) };
            let known = &mut self.relations[relation as usize];
            known.fixed = known.fixed.min(fixed);
        }
        relation
    }

    pub(super) fn push_scope(&mut self, is_correlated: bool) {
        self.scopes.push(Scope {
            sources: self.sources.len() as u32,
            merged: self.merged.len() as u32,
            select: NONE,
            is_correlated,
            is_natural: false,
            prefers_alias: false,
        });
    }

    pub(super) fn pop_scope(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.sources.truncate(scope.sources as usize);
            self.merged.truncate(scope.merged as usize);
        }
    }

    /// All columns of the innermost scope's tables are read, nobody knows which.
    pub(super) fn lose_scope(&mut self) {
        let (from, to) = self.sources_of(self.scopes.len() - 1);
        if self.burn(to - from) {
            for at in from..to {
                self.lose_relation(self.sources[at].relation);
            }
        }
    }

    /// `SELECT …`, `FROM … [SELECT …]`, with all clauses.
    fn select(&mut self, follows: bool) -> u32 {
        let base = self.clauses.len();
        let stop = self.find_clauses();
        let outer = self.tokens.end;
        self.push_scope(self.is_correlated);
        // Where it ends before the bracket, a set operation goes on.
        let follows = follows || stop < outer;
        let count = self.clauses.len();
        let mut list = None;
        for at in base..count {
            match self.clauses[at].0 {
                Keyword::From => {
                    self.clause(at, count, stop);
                    self.joined_tables();
                }
                Keyword::Select => list = Some(at),
                _ => {}
            }
        }
        for at in base..count {
            if self.clauses[at].0 == Keyword::Window {
                self.clause(at, count, stop);
                self.window_definitions();
            }
        }
        let relation = self.new_relation(Rest::Closed);
        let level = self.scopes.len() - 1;
        self.scopes[level].select = relation;
        match list {
            Some(at) => {
                self.clause(at, count, stop);
                self.items(relation);
            }
            None => {
                let begin = self.clauses[base].1 as usize;
                self.clause(base, count, stop);
                self.tokens.at = self.tokens.end;
                self.star(relation, None, begin);
            }
        }
        for at in base..count {
            let keyword = self.clauses[at].0;
            let is_order = matches!(keyword, Keyword::Order | Keyword::Limit | Keyword::Offset);
            let reads = match keyword {
                Keyword::Where | Keyword::Group | Keyword::Having | Keyword::Qualify => true,
                // Of several arms, it orders what they give.
                _ => is_order && !follows,
            };
            if reads {
                self.scopes[level].prefers_alias = keyword == Keyword::Order;
                self.clause(at, count, stop);
                self.eat_word("by");
                self.reads(Self::expressions);
            }
        }
        self.windows
            .retain(|window| (window.level as usize) < level);
        self.pop_scope();
        self.clauses.truncate(base);
        self.tokens.end = outer;
        self.tokens.at = stop;
        relation
    }

    /// Goes to one of the clauses that [`Self::find_clauses`] found.
    fn clause(&mut self, at: usize, count: usize, stop: usize) {
        let next = if at + 1 < count {
            self.clauses[at + 1].1 as usize
        } else {
            stop
        };
        self.tokens.at = self.clauses[at].1 as usize + 1;
        self.tokens.end = next;
    }

    /// Notes the clauses of a SELECT; gives where it ends. Its list comes before the tables that its names mean.
    fn find_clauses(&mut self) -> usize {
        let begin = self.tokens.at;
        let mut before = None;
        while let Some(token) = self.token(0) {
            let keyword = token.keyword;
            // `t.from`, `a AS from`, but no `SELECT o. FROM t`, where a name is not typed yet.
            let is_name = match before {
                Some((TokenKind::Dot, _, end)) => end == token.span.start,
                Some((_, word, _)) => word == Some(Keyword::As),
                None => false,
            };
            let here = (token.kind, keyword, token.span.end);
            match keyword {
                _ if is_name => {}
                Some(Keyword::From)
                    if matches!(before, Some((_, Some(Keyword::Distinct), _)))
                        && self.tokens.at > begin + 2 => {}
                Some(Keyword::Union | Keyword::Except | Keyword::Intersect) => break,
                Some(
                    keyword @ (Keyword::Select
                    | Keyword::From
                    | Keyword::Where
                    | Keyword::Having
                    | Keyword::Order
                    | Keyword::Limit
                    | Keyword::Offset
                    | Keyword::Window
                    | Keyword::Qualify
                    | Keyword::Fetch),
                ) => self.clauses.push((keyword, self.tokens.at as u32)),
                Some(Keyword::Group) if self.is_word(1, "by") => {
                    self.clauses.push((Keyword::Group, self.tokens.at as u32));
                }
                // `USING SAMPLE 10%`
                Some(Keyword::Using) if self.is_word(1, "sample") => {
                    self.clauses.push((Keyword::Using, self.tokens.at as u32));
                }
                _ => {}
            }
            before = Some(here);
            self.skip();
        }
        self.tokens.at
    }

    /// Reads what only says which rows there are: it makes no column.
    pub(super) fn reads(&mut self, read: impl Fn(&mut Self)) {
        let (start, is_unknown) = (self.inputs.len(), self.is_unknown);
        let many = self.many.take();
        read(self);
        self.many = many;
        if !self.in_expression {
            self.inputs.truncate(start);
            self.is_unknown = is_unknown;
        }
    }
}

pub(super) const fn is_set_operation(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Union | Keyword::Except | Keyword::Intersect
    )
}
