//! Windows: behind OVER, and by name.

use super::Tracer;
use super::scope::Column;
use crate::lex::Keyword;

/// `WINDOW name AS (…)`
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// The scope that defines it.
    pub(super) level: u32,
    /// Its name, and what it is made of.
    column: Column,
}

impl Tracer<'_> {
    /// What stands behind OVER.
    pub(super) fn window(&mut self) {
        if self.is_open(0) {
            if let Some(outer) = self.enter() {
                self.window_body();
                self.leave(outer);
            }
        } else if self.is_name(0) {
            self.named_window();
        }
    }

    fn named_window(&mut self) {
        let name = self.name_at(self.tokens.at);
        self.tokens.at += 1;
        let found = self.windows.iter().rev().find(|window| {
            window
                .column
                .name
                .is_some_and(|known| self.names.is(known, name))
        });
        let made = found.and_then(|window| window.column.name);
        match found {
            Some(window) => {
                let column = window.column;
                self.append(column, column.span);
            }
            None => self.is_unknown = true,
        }
        self.see_made(self.tokens.at - 1, made);
    }

    fn window_body(&mut self) {
        let is = |tracer: &Self, word: &str| tracer.is_word(0, word);
        let begins = ["partition", "rows", "range", "groups"]
            .iter()
            .any(|word| is(self, word));
        if self.is_free_name(0) && !begins {
            self.named_window();
        }
        while !self.is_end() {
            if self.eat_comma() {
                continue;
            }
            let is_by = self.is_word(0, "partition") || self.key(0) == Some(Keyword::Order);
            if is_by && self.is_word(1, "by") {
                self.tokens.at += 2;
                continue;
            }
            if ["rows", "range", "groups"]
                .iter()
                .any(|word| is(self, word))
            {
                return self.frame();
            }
            let before = self.tokens.at;
            self.expression();
            if self.tokens.at == before {
                self.skip();
            }
        }
    }

    /// `RANGE BETWEEN a PRECEDING AND CURRENT ROW EXCLUDE TIES`: bounds may name columns.
    fn frame(&mut self) {
        const BOUNDS: [&str; 2] = ["preceding", "following"];
        self.tokens.at += 1;
        self.eat_word("between");
        while !self.is_end() {
            let is_bound =
                |tracer: &Self, ahead| BOUNDS.iter().any(|word| tracer.is_word(ahead, word));
            if self.is_word(0, "exclude") {
                self.tokens.at = self.tokens.end;
            } else if (self.is_word(0, "unbounded") && is_bound(self, 1))
                || (self.is_word(0, "current") && self.is_word(1, "row"))
            {
                self.tokens.at += 2;
            } else if self.key(0) == Some(Keyword::And) || is_bound(self, 0) {
                self.tokens.at += 1;
            } else {
                let before = self.tokens.at;
                self.expression();
                if self.tokens.at == before {
                    self.skip();
                }
            }
        }
    }

    /// `WINDOW w AS (…), v AS (w ORDER BY x)`
    pub(super) fn window_definitions(&mut self) {
        while self.is_name(0) {
            let mut column = self.unknown_column();
            column.name = Some(self.name_at(self.tokens.at));
            self.tokens.at += 1;
            self.eat_key(Keyword::As);
            self.item_inputs(&mut column, Self::window);
            let level = self.scopes.len() as u32 - 1;
            if self.burn(self.windows.len()) {
                self.windows.push(Window { level, column });
            }
            if !self.eat_comma() {
                return;
            }
        }
    }
}
