//! FROM: tables, and how they are joined.

use super::Tracer;
use super::names::Name;
use super::query::Table;
use super::scope::{Column, Found, NONE, Relation, Rest, Source};
use crate::lex::{Bracket, Keyword, TokenKind};
use crate::source::Span;

/// How a table is joined to those before it, as far as it matters to columns.
#[derive(Clone, Copy, Debug, Default)]
struct Join {
    is_natural: bool,
    /// The columns that USING merges have the values of the right table.
    is_right: bool,
    /// They have the values of both.
    is_full: bool,
    /// The right table has no columns afterwards.
    is_filter: bool,
}

/// Words that begin a join, and what they are for.
const JOIN_WORDS: [&str; 10] = [
    "natural", "right", "full", "semi", "anti", "left", "inner", "outer", "cross", "asof",
];

impl<'a> Tracer<'a> {
    /// Tables and joins up to the end of the clause.
    pub(super) fn joined_tables(&mut self) {
        let mut left = self.sources.len();
        self.table();
        while !self.is_end() {
            if self.eat_comma() {
                left = self.sources.len();
                self.table();
                continue;
            }
            let mut join = Join::default();
            while let Some(word) = self.join_word() {
                self.tokens.at += 1;
                match word {
                    0 => join.is_natural = true,
                    1 => join.is_right = true,
                    2 => join.is_full = true,
                    3 | 4 => join.is_filter = true,
                    _ => {}
                }
            }
            let right = self.sources.len();
            if self.eat_key(Keyword::Join) {
                let is_pivoted = self.table();
                if join.is_natural {
                    self.natural(left, right, join);
                }
                // Without a condition between them the join is what is turned.
                if !self.condition(left, right, join) && is_pivoted {
                    self.lose_sources(left);
                }
                if join.is_filter {
                    self.sources.truncate(right);
                }
            } else if self.pivot_word().is_some() {
                // Behind a join's condition it is the join that is turned.
                self.tokens.at = self.tokens.end;
                self.lose_sources(left);
            } else if !self.condition(left, right.saturating_sub(1), join) {
                self.skip();
            }
        }
    }

    /// Which of [`JOIN_WORDS`] stands here, or another word before JOIN.
    fn join_word(&self) -> Option<usize> {
        let word = self.word(0);
        if self.key(0).is_some() || self.kind(1) != TokenKind::Word {
            return None;
        }
        JOIN_WORDS
            .iter()
            .chain(&["positional"])
            .position(|join| join.eq_ignore_ascii_case(word))
    }

    /// `ON …` or `USING (…)`, if it is there.
    fn condition(&mut self, left: usize, right: usize, join: Join) -> bool {
        if self.eat_key(Keyword::On) {
            self.reads(Self::expression);
            return true;
        }
        let is_using =
            self.key(0) == Some(Keyword::Using) && self.kind(1) == TokenKind::Open(Bracket::Round);
        if is_using {
            self.tokens.at += 1;
            for name in self.name_list() {
                self.merge_column(name, left, right, join);
            }
        }
        is_using
    }

    /// USING: one column for those of this name on both sides.
    fn merge_column(&mut self, name: Name, left: usize, right: usize, join: Join) {
        let level = self.scopes.len() - 1;
        let (start, is_unknown) = (self.inputs.len(), std::mem::take(&mut self.is_unknown));
        // The place that names the merged column is the place that names its inputs.
        let later = Span::default();
        let known = self.merged(level, name);
        let mut column = self.unknown_column();
        column.name = Some(name);
        for is_right in [false, true] {
            let before = self.inputs.len();
            let unknown_before = self.is_unknown;
            match known {
                Some(at) if !is_right => {
                    let merged = self.merged[at];
                    self.append(merged, later);
                }
                _ => {
                    let (from, to) = if is_right {
                        (right, self.sources.len())
                    } else {
                        (left, right)
                    };
                    let found = self.among(from.min(to), to, name);
                    self.take(found, name, later);
                }
            }
            if !join.is_full && is_right != join.is_right {
                self.inputs.truncate(before);
                self.is_unknown = unknown_before;
            }
        }
        if join.is_full || join.is_right || known.is_none() {
            column.inputs = self.distinct(start);
            column.known = !self.is_unknown;
            match known {
                Some(at) => self.merged[at] = column,
                None => self.merged.push(column),
            }
        }
        self.is_unknown = is_unknown;
    }

    /// NATURAL: as USING with the names that both sides have.
    fn natural(&mut self, left: usize, right: usize, join: Join) {
        let level = self.scopes.len() - 1;
        let is_open = |tracer: &Self, source: &Source| {
            tracer.relations[source.relation as usize].rest != Rest::Closed
        };
        if !self.burn(self.sources.len() - left)
            || self.sources[left..]
                .iter()
                .any(|source| is_open(self, source))
        {
            self.scopes[level].is_natural = true;
            return;
        }
        for at in right..self.sources.len() {
            let Relation { start, len, .. } = self.relations[self.sources[at].relation as usize];
            for place in start..start + len {
                if let Some(name) = self.columns[place as usize].name
                    && self.among(left, right, name) != Found::Nothing
                {
                    self.merge_column(name, left, right, join);
                }
            }
        }
    }

    /// Of the tables from here on nobody knows what is made.
    fn lose_sources(&mut self, from: usize) {
        for at in from..self.sources.len() {
            self.lose_relation(self.sources[at].relation);
        }
        self.sources.truncate(from);
        self.source_of(Rest::Unknown);
        // What USING has merged is among what is lost; it may have merged columns of tables before, too.
        if let Some(scope) = self.scopes.last_mut() {
            scope.is_natural |= from > scope.sources as usize;
            self.merged.truncate(scope.merged as usize);
        }
    }

    /// One table, with its alias; whether a PIVOT stands behind it.
    pub(super) fn table(&mut self) -> bool {
        let mut alias = None;
        if self.is_name(0) && self.operator(1) == ":" {
            alias = Some(self.name_at(self.tokens.at));
            self.tokens.at += 2;
        }
        let is_lateral = self.eat_key(Keyword::Lateral);
        let mut qualifiers = [None, None];
        let mut natural = None;
        let relation = if self.is_open(0) {
            let is_query = {
                self.tokens.at += 1;
                let end = self.tokens.end;
                self.tokens.end = self.tokens.closing(self.tokens.at - 1);
                let is_query = self.begins_bracketed_query();
                self.tokens.end = end;
                self.tokens.at -= 1;
                is_query
            };
            let Some(outer) = self.enter() else {
                self.source_of(Rest::Unknown);
                return false;
            };
            if !is_query {
                // `(a JOIN b ON …)`; an alias behind it names nothing.
                self.joined_tables();
                self.leave(outer);
                self.table_alias();
                return false;
            }
            let relation = self.derived(is_lateral, |tracer| tracer.query(None));
            self.leave(outer);
            relation
        } else if self.key(0) == Some(Keyword::Values) && self.is_open(1) {
            self.tokens.at += 1;
            self.derived(is_lateral, Self::values)
        } else if self.kind(0).is_string() {
            let at = self.tokens.at;
            self.tokens.at += 1;
            natural = self.file_alias(at);
            self.mentioned(at)
        } else if self.is_free_name(0) || self.key(0) == Some(Keyword::Values) {
            let begin = self.tokens.at;
            let mut last = begin;
            self.tokens.at += 1;
            while self.kind(0) == TokenKind::Dot && self.is_name(1) {
                last = self.tokens.at + 1;
                self.tokens.at += 2;
            }
            natural = Some(self.name_at(last));
            if self.is_open(0) {
                let name = self.name_at(last);
                if let Some(number) = self.names.get(super::MACROS, name) {
                    // The engine gives it no name.
                    natural = None;
                    self.see_macro(last);
                    self.macro_table(number)
                } else {
                    self.table_function(last)
                }
            } else {
                let mut at = last;
                for qualifier in &mut qualifiers {
                    if at > begin {
                        at -= 2;
                        *qualifier = Some(self.name_at(at));
                    }
                }
                self.named_table(begin, last)
            }
        } else {
            return false;
        };
        let (relation, was_pivoted) = self.table_suffixes(relation);
        // Nothing but its own alias names what a PIVOT gives.
        if was_pivoted {
            (natural, qualifiers) = (None, [None, None]);
        }
        let mut columns = Vec::new();
        if let Some((name, names)) = self.table_alias() {
            alias = Some(name);
            columns = names;
        }
        if alias.is_some() {
            qualifiers = [None, None];
        }
        let mut relation = self.renamed(relation, columns);
        // `t AS x PIVOT (…) AS y (a, b)`
        let (pivoted, is_pivoted) = self.table_suffixes(relation);
        if is_pivoted {
            (alias, natural, qualifiers) = (None, None, [None, None]);
            let mut columns = Vec::new();
            if let Some((name, names)) = self.table_alias() {
                alias = Some(name);
                columns = names;
            }
            relation = self.renamed(pivoted, columns);
        }
        self.sources.push(Source {
            alias: alias.or(natural),
            qualifiers,
            relation,
        });
        was_pivoted || is_pivoted
    }

    fn source_of(&mut self, rest: Rest) {
        let relation = self.new_relation(rest);
        self.sources.push(Source {
            alias: None,
            qualifiers: [None, None],
            relation,
        });
    }

    /// A query in FROM. The engine lets it name columns of the tables before it, with LATERAL and without; who does so without
    /// says which table's.
    fn derived(&mut self, is_lateral: bool, read: impl Fn(&mut Self) -> u32) -> u32 {
        let is_unknown = self.is_unknown;
        let is_correlated = std::mem::replace(&mut self.is_correlated, is_lateral);
        let relation = read(self);
        self.is_correlated = is_correlated;
        if !self.in_expression {
            self.is_unknown = is_unknown;
        }
        relation
    }

    /// `[AS] name [(columns)]`
    fn table_alias(&mut self) -> Option<(Name, Vec<Name>)> {
        let has_as = self.eat_key(Keyword::As);
        let is_alias = if has_as {
            self.is_name(0) || self.kind(0).is_string()
        } else {
            self.is_free_name(0) && self.key(0) != Some(Keyword::Join) && self.join_word().is_none()
        };
        if !is_alias {
            return None;
        }
        let name = self.name_at(self.tokens.at);
        self.tokens.at += 1;
        Some((name, self.name_list()))
    }

    /// `AT (…)`, `TABLESAMPLE …`, `PIVOT (…)`, `WITH ORDINALITY`: the table afterwards, and whether it is another.
    fn table_suffixes(&mut self, mut relation: u32) -> (u32, bool) {
        let mut is_pivoted = false;
        loop {
            if let Some(is_unpivot) = self.pivot_word() {
                is_pivoted = true;
                self.tokens.at += 1;
                relation = self.pivot_table(relation, is_unpivot);
            } else if self.is_word(0, "at") && self.is_open(1) {
                self.tokens.at += 1;
                self.skip();
            } else if self.eat_word("tablesample") {
                // `10%`, `reservoir(10 ROWS)`, `(10 PERCENT) REPEATABLE (1)`
                self.skip();
                while self.is_open(0)
                    || self.operator(0) == "%"
                    || ["repeatable", "percent", "rows"]
                        .iter()
                        .any(|word| self.is_word(0, word))
                {
                    self.skip();
                }
            } else if self.key(0) == Some(Keyword::With) && self.is_word(1, "ordinality") {
                self.tokens.at += 2;
                self.lose_relation(relation);
                relation = self.new_relation(Rest::Unknown);
            } else {
                return (relation, is_pivoted);
            }
        }
    }

    /// The name of a file without folder and ending.
    fn file_alias(&mut self, at: usize) -> Option<Name> {
        let path = self.text_at(at).trim_matches(['\'', '"']);
        let file = path.rsplit('/').next()?;
        let stem = file.split('.').next()?;
        Some(self.names.make(stem))
    }

    /// The asset that is named at a token, as a table.
    fn mentioned(&mut self, at: usize) -> u32 {
        let place = Name::number(self.span(at, at + 1).start as u32);
        let Some(mention) = self.names.get(super::MENTIONS, place) else {
            return self.new_relation(Rest::Unknown);
        };
        let (asset, is_bound) = &mut self.mentions[mention as usize];
        *is_bound = true;
        self.asset_relations[*asset as usize]
    }

    /// `t`, `lake.t`: a common table, an asset, a temp table.
    fn named_table(&mut self, begin: usize, last: usize) -> u32 {
        let name = self.name_at(last);
        let is_plain = begin == last;
        self.is_late |= is_plain;
        let is_temp = is_plain || self.text_at(begin).eq_ignore_ascii_case("temp");
        let mentioned = self.names.get(
            super::MENTIONS,
            Name::number(self.span(begin, begin + 1).start as u32),
        );
        if mentioned.is_none() && is_temp {
            let count = self.tables.len();
            if !self.burn(count) {
                return self.new_relation(Rest::Unknown);
            }
            // `temp.t` means no common table.
            let to = if is_plain { count } else { self.temps };
            let found = self.tables[..to]
                .iter()
                .rev()
                .find(|table| self.names.is(table.name, name));
            if let Some(&Table { relation, name, .. }) = found {
                self.see_table(begin, last, Some(name));
                return relation;
            }
        }
        self.see_table(begin, last, None);
        self.mentioned(begin)
    }

    /// `unnest(t.l)`, `read_parquet('s3://…')`, …
    fn table_function(&mut self, name: usize) -> u32 {
        let text = self.text_at(name);
        let name = self.name_at(name);
        let is = |known: &str| text.eq_ignore_ascii_case(known);
        if is("unnest") || is("range") || is("generate_series") {
            let begin = self.tokens.at;
            let mut column = self.unknown_column();
            self.item_inputs(&mut column, Self::operand_group);
            column.span = self.span(begin, self.tokens.at);
            column.name = Some(name);
            let relation = self.new_relation(Rest::Closed);
            self.add(relation, column);
            return relation;
        }
        let begin = self.tokens.at;
        let end = self.tokens.behind(begin);
        let mut files = Vec::new();
        for at in begin..end {
            let place = Name::number(self.span(at, at + 1).start as u32);
            if self.names.get(super::MENTIONS, place).is_some() {
                files.push(at);
            }
        }
        if files.is_empty() {
            self.reads(Self::operand_group);
            return self.new_relation(Rest::Unknown);
        }
        self.tokens.at = end;
        let mut relation = NONE;
        for &at in &files {
            let file = self.mentioned(at);
            // Columns of several files are put together, nobody knows how.
            if relation != NONE {
                self.lose_relation(relation);
                self.lose_relation(file);
                relation = self.new_relation(Rest::Unknown);
            } else {
                relation = file;
            }
        }
        relation
    }

    /// The relation of an asset: the columns that are known, or all there may be.
    pub(super) fn asset_relation(&mut self, asset: u32, columns: Option<&[String]>) -> u32 {
        let Some(columns) = columns else {
            return self.new_relation(Rest::Asset(asset));
        };
        let relation = self.new_relation(Rest::Closed);
        for name in columns {
            let name = self.names.make(name);
            let column = Column {
                base: self.names.place(asset, name, 0) as u32,
                name: Some(name),
                known: true,
                ..self.unknown_column()
            };
            self.add(relation, column);
        }
        relation
    }
}
