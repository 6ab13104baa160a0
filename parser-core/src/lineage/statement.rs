//! Statements: the output, and what prepares it.

use super::names::Name;
use super::query::Table;
use super::scope::{Column, Rest};
use super::{ATTACHED, SetupKind, StatementKind, Tracer};
use crate::body::Statement;
use crate::lex::{Keyword, TokenKind};

impl<'a> Tracer<'a> {
    /// Reads a statement; gives the columns of one that is the output.
    pub(super) fn statement(&mut self, statement: &'a Statement, is_output: bool) -> Option<u32> {
        let reads = match &statement.kind {
            StatementKind::Output(_) => is_output || !statement.tables.is_empty(),
            StatementKind::Setup(SetupKind::Attach(attach)) => {
                let name = self.names.make(attach.alias_name());
                let named = attach
                    .alias
                    .as_ref()
                    .map_or(attach.target.span, |alias| alias.span);
                self.names.set(ATTACHED, name, named.start as u32);
                false
            }
            StatementKind::Setup(SetupKind::Use) => {
                self.forget_macros();
                false
            }
            StatementKind::Setup(kind) => {
                matches!(kind, SetupKind::CreateTemp | SetupKind::WriteTemp)
            }
            StatementKind::Write { verb } => {
                matches!(
                    verb.as_str(),
                    "COPY"
                        | "INSERT"
                        | "CREATE TABLE"
                        | "CREATE VIEW"
                        | "CREATE MACRO"
                        | "CREATE FUNCTION"
                )
            }
            StatementKind::Transaction | StatementKind::Other => false,
        };
        if !reads {
            return None;
        }
        self.tokens.load(self.text, statement.span);
        self.temps = self.tables.len();
        (self.is_unknown, self.in_expression, self.is_correlated) = (false, false, false);
        if let StatementKind::Output(_) = statement.kind {
            let relation = self.query(None);
            if !is_output {
                self.lose_relation(relation);
            }
            return Some(relation);
        }
        let is_temp = matches!(statement.kind, StatementKind::Setup(_));
        match self.key(0) {
            Some(Keyword::Create) => self.create(is_temp),
            Some(Keyword::Insert) => self.insert(is_temp),
            Some(Keyword::Copy) => {
                self.skip_to_query();
                let relation = self.query(None);
                self.lose_relation(relation);
            }
            Some(Keyword::Drop) => {
                let name = self.name_at(self.tokens.end - 1);
                let names = &self.names;
                self.tables.retain(|table| !names.is(table.name, name));
                self.forget_macro(name);
                self.forget_macros();
            }
            Some(Keyword::Delete | Keyword::Truncate) => {}
            // UPDATE, MERGE, ALTER: what they leave is not known.
            Some(_) | None => self.forget(false),
        }
        None
    }

    /// What temp tables, or views alone, hold is not known any more.
    fn forget(&mut self, only_views: bool) {
        self.forget_macros();
        let unknown = self.new_relation(Rest::Unknown);
        for table in &mut self.tables {
            if table.is_view || !only_views {
                table.relation = unknown;
            }
        }
    }

    /// Moves to the query in a statement, or to the end.
    fn skip_to_query(&mut self) {
        while !self.is_end() && !self.begins_query(0) && !self.is_query_in_brackets() {
            self.skip();
        }
    }

    fn is_query_in_brackets(&self) -> bool {
        self.is_open(0) && self.begins_query(1)
    }

    /// Takes the name of what is written; its last part counts.
    fn target(&mut self) -> Name {
        let mut name = self.name_at(self.tokens.at);
        self.skip();
        while self.kind(0) == TokenKind::Dot {
            name = self.name_at(self.tokens.at + 1);
            self.tokens.at = (self.tokens.at + 2).min(self.tokens.end);
        }
        name
    }

    /// `CREATE TEMP TABLE t AS …`, `CREATE TEMP VIEW v (a, b) AS …`, `CREATE MACRO …`
    fn create(&mut self, is_temp: bool) {
        let (mut is_macro, mut is_view) = (false, false);
        while !self.is_end() {
            is_view = self.is_word(0, "view");
            let is_table = is_view || self.key(0) == Some(Keyword::Table);
            is_macro = self.is_word(0, "macro") || self.is_word(0, "function");
            self.tokens.at += 1;
            if is_table || is_macro {
                break;
            }
        }
        if self.is_word(0, "if") {
            self.tokens.at += 3;
        }
        let name = self.target();
        if is_macro {
            return self.create_macro(name);
        }
        self.forget_macros();
        let mut columns = self.name_list();
        while !self.is_end() && self.key(0) != Some(Keyword::As) {
            self.skip();
        }
        let relation = if self.eat_key(Keyword::As) {
            let relation = self.query(None);
            self.renamed(relation, columns)
        } else {
            const CONSTRAINTS: [&str; 5] = ["primary", "unique", "check", "foreign", "constraint"];
            columns.retain(|name| {
                !CONSTRAINTS
                    .iter()
                    .any(|word| word.eq_ignore_ascii_case(self.names.text(*name)))
            });
            let relation = self.new_relation(Rest::Closed);
            for name in columns {
                let column = Column {
                    name: Some(name),
                    known: true,
                    ..self.unknown_column()
                };
                self.add(relation, column);
            }
            relation
        };
        if is_temp {
            self.tables.push(Table {
                name,
                relation,
                is_view,
            });
        } else {
            self.lose_relation(relation);
        }
    }

    /// `INSERT INTO t [(a, b)] [BY NAME] …`
    fn insert(&mut self, is_temp: bool) {
        while !self.is_end() && self.key(0) != Some(Keyword::Into) {
            self.skip();
        }
        self.tokens.at += 1;
        let name = self.target();
        let is_listed = self.is_open(0) && !self.is_query_in_brackets();
        let mut by_name = false;
        while !self.is_end() && !self.begins_query(0) && !self.is_query_in_brackets() {
            by_name |= self.is_word(0, "by") && self.is_word(1, "name");
            self.skip();
        }
        let temps = self.tables.len();
        let relation = self.query(None);
        if !is_temp {
            return self.lose_relation(relation);
        }
        let found = (0..temps)
            .rev()
            .find(|&at| self.names.is(self.tables[at].name, name));
        if let Some(at) = found {
            let relation = if is_listed {
                self.lose_relation(relation);
                self.new_relation(Rest::Unknown)
            } else {
                self.combine(self.tables[at].relation, relation, by_name, true)
            };
            self.tables[at].relation = relation;
            self.forget(true);
        }
    }
}
