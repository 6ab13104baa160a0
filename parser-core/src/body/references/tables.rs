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
                self.frame().state = State::AfterTable;
                return;
            }
            Some(_) | None => {}
        }
        if is_reserved(token) {
            // No table came; the word is read again as the start of another clause.
            self.frame().state = State::Clause;
            return;
        }
        if let Some(file) = string_value(text, token) {
            self.cursor.next();
            let name = TableName {
                parts: vec![Spanned::new(file, token.span)],
                span: token.span,
            };
            self.found.push(Reference {
                target: Target::FileTable(name),
                access: Access::Read,
            });
        } else if matches!(token.kind, TokenKind::Word | TokenKind::QuotedIdent) {
            let is_alias = self
                .cursor
                .peek_at(1)
                .is_some_and(|next| next.text(text) == ":");
            if is_alias {
                self.cursor.next();
                self.cursor.next();
                return;
            }
            let parts = self.cursor.qualified_name();
            if !self.cursor.is_kind(TokenKind::Open(Bracket::Round)) && !self.is_common(&parts) {
                self.name(parts, Access::Read);
            }
        } else {
            self.cursor.next();
            if token.kind == TokenKind::Comma {
                return;
            }
        }
        self.frame().state = State::AfterTable;
    }

    /// A name of one part that a common table in scope has.
    fn is_common(&self, parts: &[Spanned<String>]) -> bool {
        let [name] = parts else { return false };
        !self.visible.is_empty()
            && self
                .visible
                .get(&name.value.to_lowercase())
                .is_some_and(|&count| count > 0)
    }

    /// Notes a table. A name that goes on (`FROM lake.`) is not certain and left out.
    pub(super) fn name(&mut self, parts: Vec<Spanned<String>>, access: Access) {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
            return;
        };
        let span = first.span.to(last.span);
        if parts.len() <= 3 && !self.cursor.is_kind(TokenKind::Dot) {
            self.found.push(Reference {
                target: Target::Table(TableName { parts, span }),
                access,
            });
        }
    }

    /// Whether the next token is no keyword there: right after a dot, or a name after AS. A dot with
    /// a gap after it (`SELECT o. FROM t`) is one whose name is not typed yet.
    fn is_plain_name(&self, token: &Token) -> bool {
        self.cursor.behind(1).is_some_and(|before| {
            (before.kind == TokenKind::Dot && before.span.end == token.span.start)
                || before.keyword == Some(Keyword::As)
        })
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
            self.frame().state = State::Table;
            return;
        }
        let frame = self.frame();
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
                | Keyword::Set
                | Keyword::Returning
                | Keyword::Into,
            ) => frame.state = State::Clause,
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
        let frame = self.frame();
        match keyword {
            Some(Keyword::From) if !is_comparison => frame.state = State::Table,
            Some(Keyword::Union | Keyword::Except | Keyword::Intersect) => {
                frame.state = State::Start;
                frame.own_on = false;
                frame.open_joins = 0;
                let recursive_name = frame.recursive_name.take();
                if keyword == Some(Keyword::Union) {
                    recursive_name
                        .into_iter()
                        .for_each(|name| self.define(name));
                }
            }
            Some(Keyword::Using) if frame.using_tables => {
                frame.using_tables = false;
                frame.state = State::Table;
            }
            Some(Keyword::To) if frame.copies => self.file(Access::Write),
            Some(_) | None => {}
        }
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
