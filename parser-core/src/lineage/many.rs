//! Items that stand for many columns: `COLUMNS(…)`, and `unnest` of a struct that is written out.

use super::Tracer;
use super::names::Name;
use super::scope::{Column, Reading, Relation, Rest};
use crate::lex::{Bracket, TokenKind};

/// So many `*` a pattern of COLUMNS may have: each multiplies the work.
const MOST_STARS: usize = 4;

/// The columns that COLUMNS stands for in an item.
#[derive(Clone, Debug, Default)]
pub(super) struct Many {
    pub(super) is_found: bool,
    /// The columns that are known; their inputs are these.
    columns: Vec<Column>,
    inputs: Vec<Reading>,
    /// There are others.
    rest: Option<Rest>,
}

impl Tracer<'_> {
    /// What stands behind COLUMNS, in its brackets.
    pub(super) fn columns_call(&mut self) {
        let Some(outer) = self.enter() else { return };
        let inputs = self.inputs.len();
        let found = if self.scopes.is_empty() {
            None
        } else {
            self.columns_of()
        };
        self.leave(outer);
        let many = self.many.take();
        if let Some(found) = found {
            self.lose_relation(found);
            // COLUMNS twice in an item are the same ones.
            self.many = many.map(|many| {
                if many.is_found {
                    many
                } else {
                    self.taken(found)
                }
            });
        } else {
            self.many = many;
            if !self.scopes.is_empty() {
                self.lose_scope();
            }
        }
        if found.is_none() || self.many.is_none() {
            (self.is_star, self.is_unknown) = (true, true);
        }
        // They are none of the rest of the item.
        self.inputs.truncate(inputs);
    }

    /// The columns of a relation, with their inputs.
    fn taken(&mut self, found: u32) -> Many {
        let Relation {
            start, len, rest, ..
        } = self.relations[found as usize];
        let mut many = Many {
            is_found: true,
            rest: Some(rest).filter(|rest| *rest != Rest::Closed),
            ..Many::default()
        };
        for at in start..start + len {
            let mut column = self.columns[at as usize];
            let (first, count) = column.inputs;
            if !self.burn(1 + count as usize) {
                break;
            }
            column.inputs.0 = many.inputs.len() as u32;
            let inputs = &self.inputs[first as usize..(first + count) as usize];
            many.inputs.extend_from_slice(inputs);
            many.columns.push(column);
        }
        many
    }

    /// `f(*COLUMNS(…))`: all of them are arguments. The star is taken.
    pub(super) fn unpacked_columns(&mut self) {
        self.tokens.at += 1;
        let many = self.many.replace(Many::default());
        self.columns_call();
        let found = std::mem::replace(&mut self.many, many);
        match found {
            Some(found) if found.is_found && found.rest.is_none() => {
                for mut column in found.columns {
                    let start = self.add_inputs(&found.inputs, &mut column);
                    column.inputs = (start, 0);
                    self.append(column, column.span);
                }
            }
            _ => self.is_unknown = true,
        }
    }

    /// Adds those of a column of [`Many`]; gives the place of the first.
    fn add_inputs(&mut self, inputs: &[Reading], column: &mut Column) -> u32 {
        let start = self.inputs.len() as u32;
        let (first, count) = column.inputs;
        self.inputs
            .extend_from_slice(&inputs[first as usize..(first + count) as usize]);
        start
    }

    /// The columns that stand in the brackets of COLUMNS: `*`, `t.* EXCLUDE (a)`, `'pattern'`, `['a', 'b']`.
    fn columns_of(&mut self) -> Option<u32> {
        let begin = self.tokens.at;
        let all = self.new_relation(Rest::Closed);
        let is_qualified =
            self.is_name(0) && self.kind(1) == TokenKind::Dot && self.operator(2) == "*";
        if is_qualified || self.operator(0) == "*" {
            let table = [self.name_at(begin)];
            self.tokens.at += if is_qualified { 3 } else { 1 };
            self.star(all, Some(&table[..]).filter(|_| is_qualified), begin);
            return self.is_end().then_some(all);
        }
        let is_list = self.kind(0) == TokenKind::Open(Bracket::Square);
        let is_pattern = self.kind(0) == TokenKind::String && self.kind(1) == TokenKind::Semicolon;
        if !is_list && !is_pattern {
            return None;
        }
        let (text, span) = (self.text_at(begin), self.span(begin, begin + 1));
        let mut names = Vec::new();
        if is_list {
            let outer = self.enter()?;
            while self.kind(0) == TokenKind::String {
                names.push(self.name_at(self.tokens.at));
                self.tokens.at += 1;
                self.eat_comma();
            }
            let is_read = self.is_end();
            self.leave(outer);
            if !is_read {
                return None;
            }
        }
        self.tokens.at = self.tokens.end;
        let pattern = text.trim_matches('\'');
        let is_plain = |byte: u8| !byte.is_ascii_punctuation() || b"_.*^$|".contains(&byte);
        let stars = pattern.matches('*').count();
        if is_pattern
            && !(pattern.is_ascii() && pattern.bytes().all(is_plain) && stars <= MOST_STARS)
        {
            return None;
        }
        self.star_of(all, None, span, Vec::new());
        let Relation {
            start, len, rest, ..
        } = self.relations[all as usize];
        if rest != Rest::Closed || !self.burn(len as usize * (text.len() + names.len())) {
            return None;
        }
        let chosen = self.new_relation(Rest::Closed);
        // In the order of the table.
        for at in start..start + len {
            let column = self.columns[at as usize];
            let name = column.name?;
            let is_chosen = if is_list {
                names.iter().any(|&chosen| self.names.is(chosen, name))
            } else {
                let name = self.names.text(name);
                let work = name.len().saturating_pow(stars as u32);
                // The engine's `.` is a character.
                if !name.is_ascii() || !self.burn(work) {
                    return None;
                }
                let name = self.names.text(column.name?).as_bytes();
                pattern
                    .split('|')
                    .any(|pattern| is_match(pattern.as_bytes(), name))
            };
            if is_chosen {
                self.add(chosen, column);
            }
        }
        Some(chosen)
    }

    /// Adds the columns of an item: of each that COLUMNS stands for one, which has the item's other inputs too.
    pub(super) fn add_many(
        &mut self,
        relation: u32,
        item: Column,
        alias: Option<Name>,
        is_bare: bool,
        many: Many,
    ) {
        let is_open = many.rest.is_some();
        let (first, count) = item.inputs;
        // Other columns that are not known keep their names, but have no place for other inputs or another name.
        let goes_on = alias.is_none() && (is_bare || (item.known && count == 0));
        if is_open && !goes_on {
            self.lose_scope();
            return self.open(relation, Rest::Unknown);
        }
        // `AS 'x_\\0'` makes names out of the columns' names.
        let is_made = alias.is_some_and(|alias| self.names.text(alias).contains('\\'));
        for mut column in many.columns {
            if column.gone {
                self.add(relation, column);
                continue;
            }
            if !self.burn(1 + (column.inputs.1 + count) as usize) {
                return self.open(relation, Rest::Unknown);
            }
            let start = self.add_inputs(&many.inputs, &mut column) as usize;
            for at in first..first + count {
                let other = self.inputs[at as usize];
                self.inputs.push(other);
            }
            for input in &mut self.inputs[start..] {
                if input.span.is_empty() {
                    input.span = item.span;
                }
            }
            column.inputs = self.distinct(start);
            column.known &= item.known;
            column.span = item.span;
            column.late = self.relations[relation as usize].rest != Rest::Closed;
            if alias.is_some() {
                column.name = alias.filter(|_| !is_made);
            }
            self.add(relation, column);
        }
        if let Some(rest) = many.rest {
            self.open(relation, rest);
        }
    }

    /// `unnest({'a': x, b: y})`: a column for each field, whatever alias there is. Takes it when that is what stands here.
    pub(super) fn unnested_struct(&mut self, relation: u32) -> bool {
        let begin = self.tokens.at;
        let is_struct = self.is_word(0, "unnest")
            && self.is_open(1)
            && self.kind(2) == TokenKind::Open(Bracket::Curly)
            && self.tokens.behind(begin + 2) == self.tokens.closing(begin + 1);
        if !is_struct {
            return false;
        }
        self.tokens.at += 2;
        if let Some(outer) = self.enter() {
            while !self.is_end() {
                let is_key = self.is_name(0) || self.kind(0).is_string();
                let mut column = self.unknown_column();
                if is_key && self.operator(1) == ":" {
                    column.name = Some(self.name_at(self.tokens.at));
                    self.tokens.at += 2;
                }
                let value = self.tokens.at;
                self.item_inputs(&mut column, Self::expression);
                column.span = self.span(value, self.tokens.at);
                column.late = self.relations[relation as usize].rest != Rest::Closed;
                self.add(relation, column);
                while !self.is_end() && !self.eat_comma() {
                    self.skip();
                }
            }
            self.leave(outer);
        }
        // The bracket of the call, and an alias, which names nothing.
        self.tokens.at = (self.tokens.at + 1).min(self.tokens.end);
        true
    }
}

/// Whether a name has a part that fits a pattern of characters, `.`, `x*`, `^` and `$`.
fn is_match(pattern: &[u8], name: &[u8]) -> bool {
    match pattern {
        [b'^', pattern @ ..] => is_match_here(pattern, name),
        _ => (0..=name.len()).any(|at| is_match_here(pattern, &name[at..])),
    }
}

fn is_match_here(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], _) => true,
        (b"$", _) => name.is_empty(),
        ([one, b'*', pattern @ ..], _) => {
            let fits = |byte: &&u8| *one == b'.' || *one == **byte;
            let most = name.iter().take_while(fits).count();
            (0..=most).any(|at| is_match_here(pattern, &name[at..]))
        }
        ([one, pattern @ ..], [byte, name @ ..]) if *one == b'.' || one == byte => {
            is_match_here(pattern, name)
        }
        _ => false,
    }
}
