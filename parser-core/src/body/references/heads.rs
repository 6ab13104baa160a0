//! Statements other than queries: what their first words name.

use super::{Reader, State};
use crate::body::Access;
use crate::lex::{Bracket, Keyword, TokenKind};

impl Reader<'_> {
    /// Reads the target of a statement whose first word was taken; `false` when it is none that has one.
    pub(super) fn head(&mut self, verb: Keyword) -> bool {
        match verb {
            Keyword::Insert => {
                let _ = self.cursor.eat_all(&["or", "replace"])
                    || self.cursor.eat_all(&["or", "ignore"]);
                self.cursor.eat("into");
                self.target(State::Start);
            }
            Keyword::Update => self.target(State::Clause),
            Keyword::Delete => {
                self.cursor.eat("from");
                self.target(State::Clause);
                self.frame.using_tables = true;
            }
            Keyword::Truncate => {
                self.cursor.eat("table");
                self.target(State::Rest);
            }
            Keyword::Merge => {
                self.cursor.eat("into");
                self.target(State::Clause);
                let frame = &mut self.frame;
                frame.using_tables = true;
                frame.own_on = true;
            }
            Keyword::Copy => self.copy(),
            Keyword::Create => self.create(),
            Keyword::Drop | Keyword::Alter | Keyword::Comment => self.change(),
            _ => return false,
        }
        true
    }

    /// Takes the name of what is written.
    fn target(&mut self, then: State) {
        let parts = self.cursor.qualified_name();
        self.name(parts, Access::Write);
        self.frame.state = then;
    }

    fn copy(&mut self) {
        self.frame.copies = true;
        if self.cursor.is_kind(TokenKind::Open(Bracket::Round)) {
            self.frame.state = State::Start;
            return;
        }
        self.frame.state = State::Rest;
        if self.cursor.eat_all(&["from", "database"]) {
            return;
        }
        let parts = self.cursor.qualified_name();
        if self.cursor.is_kind(TokenKind::Open(Bracket::Round)) {
            self.cursor.group();
        }
        let (table, file) = match () {
            () if self.cursor.is("to") => (Access::Read, Access::Write),
            () if self.cursor.is("from") => (Access::Write, Access::Read),
            () => return,
        };
        self.name(parts, table);
        self.cursor.next();
        self.file(file);
    }

    fn create(&mut self) {
        const BEFORE: [&str; 10] = [
            "or",
            "replace",
            "persistent",
            "unlogged",
            "local",
            "global",
            "temp",
            "temporary",
            "recursive",
            "unique",
        ];
        while BEFORE.iter().any(|word| self.cursor.eat(word)) {}
        let is_table = self.cursor.eat("table") || self.cursor.eat("view");
        let has_query = is_table
            || self.cursor.eat("macro")
            || self.cursor.eat("function")
            || self.cursor.eat("type");
        let is_index = !has_query && self.cursor.eat("index");
        self.cursor.eat_all(&["if", "not", "exists"]);
        if is_table {
            return self.target(State::BeforeAs);
        }
        if is_index {
            while self.cursor.peek().is_some() && !self.cursor.eat("on") {
                self.cursor.next();
            }
            return self.target(State::Rest);
        }
        self.frame.state = if has_query {
            State::BeforeAs
        } else {
            State::Rest
        };
    }

    /// `DROP`, `ALTER`, `COMMENT ON` of a table, a view or a column.
    fn change(&mut self) {
        self.cursor.eat("on");
        let is_table = self.cursor.eat("table") || self.cursor.eat("view");
        let is_column = !is_table && self.cursor.eat("column");
        self.frame.state = State::Rest;
        if !is_table && !is_column {
            return;
        }
        self.cursor.eat_all(&["if", "exists"]);
        let mut parts = self.cursor.qualified_name();
        if is_column {
            parts.pop();
        }
        self.name(parts, Access::Write);
    }
}
