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
    /// The columns that are known, with their inputs.
    columns: Vec<(Column, Vec<Reading>)>,
    /// Which other columns there are.
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
        let Some(found) = found else {
            if !self.scopes.is_empty() {
                self.lose_scope();
            }
            (self.is_star, self.is_unknown) = (true, true);
            return;
        };
        self.lose_relation(found);
        match &self.many {
            // COLUMNS twice in an item are the same ones.
            Some(many) if many.is_found => self.inputs.truncate(inputs),
            Some(_) => {
                let Relation {
                    start, len, rest, ..
                } = self.relations[found as usize];
                let mut columns = Vec::new();
                for at in start..start + len {
                    let column = self.columns[at as usize];
                    let (first, count) = column.inputs;
                    if !self.burn(1 + count as usize) {
                        break;
                    }
                    let inputs = &self.inputs[first as usize..(first + count) as usize];
                    columns.push((column, inputs.to_vec()));
                }
                self.many = Some(Many {
                    is_found: true,
                    columns,
                    rest: Some(rest),
                });
                // They are none of the rest of the item.
                self.inputs.truncate(inputs);
            }
            None => (self.is_star, self.is_unknown) = (true, true),
        }
    }

    /// `f(*COLUMNS(…))`: all of them are arguments. The star is taken.
    pub(super) fn unpacked_columns(&mut self) {
        self.tokens.at += 1;
        let many = self.many.take();
        let (is_star, is_unknown) = (self.is_star, self.is_unknown);
        self.many = Some(Many::default());
        self.columns_call();
        let found = std::mem::replace(&mut self.many, many).filter(|found| found.is_found);
        let Some(found) = found.filter(|found| found.rest == Some(Rest::Closed)) else {
            self.is_unknown = true;
            return;
        };
        (self.is_star, self.is_unknown) = (is_star, is_unknown);
        for (column, inputs) in found.columns {
            self.inputs.extend(inputs);
            // What it is computed from is there already.
            let mut own = column;
            own.inputs = (0, 0);
            self.append(own, column.span);
        }
    }

    /// The columns that stand in the brackets of COLUMNS: `*`, `t.* EXCLUDE (a)`, `'pattern'`, `['a', 'b']`.
    fn columns_of(&mut self) -> Option<u32> {
        let begin = self.tokens.at;
        let all = self.new_relation(Rest::Closed);
        if self.operator(0) == "*" {
            self.tokens.at += 1;
            self.star(all, None, begin);
            return self.is_end().then_some(all);
        }
        if self.is_name(0) && self.kind(1) == TokenKind::Dot && self.operator(2) == "*" {
            let table = self.name_at(begin);
            self.tokens.at += 3;
            self.star(all, Some(&[table]), begin);
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
        self.star_of(all, None, span, Vec::new());
        let Relation {
            start, len, rest, ..
        } = self.relations[all as usize];
        if rest != Rest::Closed || !self.burn(len as usize * (text.len() + names.len())) {
            return None;
        }
        let chosen = self.new_relation(Rest::Closed);
        if is_list {
            // In the order of the table.
            for at in start..start + len {
                self.choose(chosen, at, |tracer, column| {
                    names.iter().any(|&name| tracer.names.is(column, name))
                });
            }
            return Some(chosen);
        }
        let pattern = &text[1..text.len() - 1];
        let is_plain = |byte: u8| !byte.is_ascii_punctuation() || b"_.*^$|".contains(&byte);
        let stars = pattern.matches('*').count();
        if !pattern.is_ascii() || !pattern.bytes().all(is_plain) || stars > MOST_STARS {
            return None;
        }
        for at in start..start + len {
            // The engine's `.` is a character.
            let name = self.columns[at as usize].name?;
            let name = self.names.text(name);
            let work = name.len().saturating_pow(stars as u32);
            if !name.is_ascii() || !self.burn(work) {
                return None;
            }
            self.choose(chosen, at, |tracer, column| {
                let name = tracer.names.text(column).as_bytes();
                pattern
                    .split('|')
                    .any(|pattern| is_match(pattern.as_bytes(), name))
            });
        }
        Some(chosen)
    }

    fn choose(&mut self, chosen: u32, at: u32, is_chosen: impl Fn(&Self, Name) -> bool) {
        let column = self.columns[at as usize];
        if column.name.is_some_and(|name| is_chosen(self, name)) {
            self.add(chosen, column);
        }
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
        let is_open = many.rest != Some(Rest::Closed);
        let (first, count) = item.inputs;
        // Other columns that are not known keep their names, but have no place for other inputs or another name.
        let goes_on = alias.is_none() && (is_bare || (item.known && count == 0));
        if is_open && !goes_on {
            self.lose_scope();
            return self.open(relation, Rest::Unknown);
        }
        // `AS 'x_\\0'` makes names out of the columns' names.
        let is_made = alias.is_some_and(|alias| self.names.text(alias).contains('\\'));
        for (mut column, own) in many.columns {
            if column.gone {
                self.add(relation, column);
                continue;
            }
            if !self.burn(1 + own.len() + count as usize) {
                return self.open(relation, Rest::Unknown);
            }
            let start = self.inputs.len();
            self.inputs.extend(own);
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
        if let (true, Some(rest)) = (is_open, many.rest) {
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
