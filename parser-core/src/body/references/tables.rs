//! FROM clauses: the tables in them, and where they end.

use super::{Reader, Reference, State, Target};
use crate::body::cursor::is_reserved;
use crate::body::{Access, TableName};
use crate::lex::{Bracket, Keyword, Token, TokenKind, string_value};
use crate::source::Spanned;

impl Reader<'_> {
    pub(super) fn table(&mut self, token: &Token) {
        let text = self.cursor.text;
        match token.keyword {
            Some(Keyword::Lateral | Keyword::Only) => {
                self.cursor.next();
                return;
            }
            Some(Keyword::Values)
                if self
                    .cursor
                    .peek_at(1)
                    .is_some_and(|next| next.kind == TokenKind::Open(Bracket::Round)) =>
            {
                self.cursor.next();
                self.frame.state = State::Rows;
                return;
            }
            Some(_) | None => {}
        }
        if is_reserved(token) {
            // No table came; the word is read again as the start of another clause.
            self.frame.state = State::Clause;
            return;
        }
        let file = string_value(text, token);
        if file.is_some() || matches!(token.kind, TokenKind::Word | TokenKind::QuotedIdent) {
            let is_alias = self
                .cursor
                .peek_at(1)
                .is_some_and(|next| next.text(text) == ":");
            if is_alias {
                self.cursor.next();
                self.cursor.next();
                return;
            }
            if let Some(file) = file {
                self.cursor.next();
                self.read(vec![Spanned::new(file, token.span)], Target::FileTable);
            } else {
                let parts = self.cursor.qualified_name();
                if !self.cursor.is_kind(TokenKind::Open(Bracket::Round)) {
                    self.read(parts, Target::Table);
                }
            }
        } else {
            self.cursor.next();
            if token.kind == TokenKind::Comma {
                return;
            }
        }
        self.frame.state = State::AfterTable;
    }

    /// Notes a table that is read, if it is no common table in scope.
    fn read(&mut self, parts: Vec<Spanned<String>>, target: fn(TableName) -> Target) {
        let mut arm = None;
        if let [name] = parts.as_slice()
            && let Some(visible) = self.visible.get(&name.value.to_ascii_lowercase())
        {
            if visible.defined > 0 {
                return;
            }
            arm = visible.arms.last().copied();
        }
        let place = self.found.len();
        self.note(parts, target, Access::Read);
        if let Some(frame) = arm
            && place < self.found.len()
        {
            self.hold(frame, vec![place]);
        }
    }

    /// Notes a table.
    pub(super) fn name(&mut self, parts: Vec<Spanned<String>>, access: Access) {
        self.note(parts, Target::Table, access);
    }

    /// A name that goes on (`FROM lake.`) is not certain and left out.
    fn note(
        &mut self,
        parts: Vec<Spanned<String>>,
        target: fn(TableName) -> Target,
        access: Access,
    ) {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
            return;
        };
        let span = first.span.to(last.span);
        if parts.len() <= 3 && !self.cursor.is_kind(TokenKind::Dot) {
            let target = target(TableName { parts, span });
            self.found.push(Some(Reference { target, access }));
        }
    }

    /// After DESCRIBE, SHOW or SUMMARIZE: a table, or something of the engine's own.
    pub(super) fn described(&mut self) {
        const OWN: [&str; 4] = ["databases", "schemas", "tables", "variables"];
        let text = self.cursor.text;
        let is = |ahead: usize, word: &str| {
            let token = self.cursor.peek_at(ahead);
            token.is_some_and(|token| token.is_word(text, word))
        };
        let name = self.cursor.peek().and_then(|token| token.name(text));
        let is_own = name.is_some_and(|name| {
            OWN.iter().any(|own| name.eq_ignore_ascii_case(own))
                && self
                    .cursor
                    .peek_at(1)
                    .is_none_or(|next| next.kind != TokenKind::Dot)
        });
        let is_setting =
            (is(0, "time") && is(1, "zone")) || (is(0, "transaction") && is(1, "isolation"));
        self.frame.state = if is_own || is_setting {
            State::Rest
        } else {
            State::Table
        };
    }

    /// Whether the next token is no keyword there: right after a dot, or a name after AS, or the type in
    /// `x::UNION(…)`. A dot with a gap after it (`SELECT o. FROM t`) is one whose name is not typed yet.
    fn is_plain_name(&self, token: &Token) -> bool {
        let is_dot =
            |before: &Token, at: usize| before.kind == TokenKind::Dot && before.span.end == at;
        let Some(before) = self.cursor.behind(1) else {
            return false;
        };
        match before.keyword {
            // `x AS as FROM t`, `t.as FROM t`: that AS is a name itself.
            Some(Keyword::As) => self.cursor.behind(2).is_none_or(|first| {
                first.keyword != Some(Keyword::As) && !is_dot(first, before.span.start)
            }),
            _ => {
                is_dot(before, token.span.start)
                    || (token.keyword == Some(Keyword::Union)
                        && before.text(self.cursor.text) == "::")
            }
        }
    }

    pub(super) fn after_table(&mut self, token: &Token) {
        let keyword = if self.is_plain_name(token) {
            None
        } else {
            token.keyword
        };
        let before_bracket = self
            .cursor
            .peek_at(1)
            .is_some_and(|next| next.kind == TokenKind::Open(Bracket::Round));
        if token.kind == TokenKind::Comma {
            self.cursor.next();
            self.frame.state = State::Table;
            return;
        }
        let before = |back, keyword| {
            let token = self.cursor.behind(back);
            token.is_some_and(|token| token.keyword == Some(keyword))
        };
        let is_update = before(1, Keyword::Update) && before(2, Keyword::Do);
        let frame = &mut self.frame;
        match keyword {
            Some(Keyword::Join) => {
                frame.state = State::Table;
                frame.open_joins += 1;
            }
            Some(Keyword::On) if frame.open_joins > 0 => frame.open_joins -= 1,
            Some(Keyword::On) if frame.own_on => frame.state = State::Clause,
            // `JOIN t USING (a)`; without a join the USING of PIVOT.
            Some(Keyword::Using) if before_bracket && frame.open_joins > 0 => frame.open_joins -= 1,
            Some(Keyword::Using) if frame.own_on => frame.state = State::Clause,
            Some(
                Keyword::Where
                | Keyword::Group
                | Keyword::Having
                | Keyword::Order
                | Keyword::Limit
                | Keyword::Offset
                | Keyword::Window
                | Keyword::Qualify
                | Keyword::Select
                | Keyword::Returning
                | Keyword::Into,
            ) => frame.state = State::Clause,
            // `INSERT INTO t FROM u ON CONFLICT DO UPDATE SET …`; anywhere else it is an alias.
            Some(Keyword::Set) if is_update => frame.state = State::Clause,
            Some(Keyword::From | Keyword::Union | Keyword::Except | Keyword::Intersect) => {
                return self.clause(token);
            }
            Some(_) | None => {}
        }
        self.cursor.next();
    }

    pub(super) fn clause(&mut self, token: &Token) {
        let keyword = if self.is_plain_name(token) {
            None
        } else {
            token.keyword
        };
        let is_comparison = keyword == Some(Keyword::From) && self.is_distinct_from();
        self.cursor.next();
        let frame = &mut self.frame;
        match keyword {
            Some(Keyword::From) if !is_comparison => frame.state = State::Table,
            Some(operator @ (Keyword::Union | Keyword::Except | Keyword::Intersect)) => {
                frame.state = State::Start;
                frame.own_on = false;
                frame.open_joins = 0;
                let by_name = self.is_by_name();
                self.set_operation(operator, by_name);
            }
            Some(Keyword::Using) if frame.using_tables => {
                frame.using_tables = false;
                frame.state = State::Table;
            }
            Some(Keyword::To) if frame.copies => self.file(Access::Write),
            Some(_) | None => {}
        }
    }

    /// `[ALL|DISTINCT] BY NAME` comes.
    fn is_by_name(&self) -> bool {
        let by = |ahead| {
            let next = self.cursor.peek_at(ahead);
            next.is_some_and(|token| token.is_word(self.cursor.text, "by"))
        };
        by(0) || by(1)
    }

    /// `IS [NOT] DISTINCT` before the next token.
    pub(super) fn is_distinct_from(&self) -> bool {
        let word = |back, word| {
            self.cursor
                .behind(back)
                .is_some_and(|token| token.is_word(self.cursor.text, word))
        };
        word(1, "distinct") && (word(2, "is") || (word(2, "not") && word(3, "is")))
    }
}
