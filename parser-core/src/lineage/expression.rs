//! Expressions: the columns that they name.
//!
//! Reading knows whether an operand or an operator comes next, and no more of the grammar: so it tells a column from the words
//! of operators and an alias from both.

use super::Tracer;
use super::scope::Rest;
use crate::lex::{Bracket, Keyword, TokenKind};

impl<'a> Tracer<'a> {
    /// Reads one expression: up to a comma, a clause, an alias, or the end of the bracket.
    pub(super) fn expression(&mut self) {
        let known = self.parameters.len();
        self.operands();
        self.parameters.truncate(known);
    }

    fn operands(&mut self) {
        let mut has_operand = false;
        loop {
            match self.kind(0) {
                TokenKind::Semicolon | TokenKind::Comma => return,
                TokenKind::Word if has_operand => match self.behind_operand() {
                    Some(is_operand) => has_operand = is_operand,
                    None => return,
                },
                TokenKind::QuotedIdent if has_operand => return,
                TokenKind::Word => match self.keyword() {
                    Some(is_operand) => has_operand = is_operand,
                    None => return,
                },
                TokenKind::QuotedIdent => {
                    self.name();
                    has_operand = true;
                }
                TokenKind::Operator => {
                    let operator = self.operator(0);
                    let is_star = !has_operand && operator == "*";
                    self.tokens.at += 1;
                    if is_star && self.is_word(0, "columns") && self.is_open(1) {
                        self.unpacked_columns();
                        has_operand = true;
                        continue;
                    }
                    has_operand = is_star || operator == "::";
                    if operator == "::" {
                        self.type_name();
                    }
                    self.is_unknown |= is_star;
                }
                TokenKind::Dot => {
                    // A field, or a function that is called on what stands before.
                    self.tokens.at += 1;
                    if self.operator(0) == "*" {
                        self.is_unknown = true;
                        self.is_star = true;
                    }
                    let function = self.tokens.at;
                    self.tokens.at += usize::from(!self.is_end());
                    if self.is_open(0) {
                        self.call(function, true);
                    }
                    has_operand = true;
                }
                TokenKind::Open(Bracket::Round) => {
                    self.operand_group();
                    has_operand = true;
                }
                TokenKind::Open(Bracket::Square) => {
                    self.list(has_operand);
                    has_operand = true;
                }
                TokenKind::Open(Bracket::Curly) => {
                    self.object(false);
                    has_operand = true;
                }
                TokenKind::Positional | TokenKind::Unterminated(_) | TokenKind::Unknown => {
                    self.is_unknown = true;
                    self.tokens.at += 1;
                    has_operand = true;
                }
                TokenKind::Close(_) => self.tokens.at += 1,
                _ => {
                    self.tokens.at += 1;
                    has_operand = true;
                }
            }
        }
    }

    /// Reads expressions up to the end of the bracket.
    pub(super) fn expressions(&mut self) {
        self.arguments(false);
    }

    /// The word that comes next is an operator, or nothing of the expression: `None`. Gives whether an operand stands before what
    /// comes then.
    fn behind_operand(&mut self) -> Option<bool> {
        if let Some(keyword) = self.key(0).filter(|keyword| keyword.is_reserved()) {
            let has_operand = match keyword {
                Keyword::And
                | Keyword::Or
                | Keyword::In
                | Keyword::Not
                | Keyword::When
                | Keyword::Then
                | Keyword::Else
                | Keyword::To => false,
                Keyword::End | Keyword::Asc | Keyword::Desc => true,
                Keyword::Collate => {
                    self.tokens.at += 1;
                    while self.kind(1) == TokenKind::Dot {
                        self.tokens.at += 2;
                    }
                    true
                }
                _ => return None,
            };
            self.tokens.at = (self.tokens.at + 1).min(self.tokens.end);
            return Some(has_operand);
        }
        const OPERATORS: [&str; 7] = [
            "like", "ilike", "glob", "similar", "between", "escape", "overlaps",
        ];
        let word = self.word(0);
        let is = |known: &str| word.eq_ignore_ascii_case(known);
        let (len, has_operand) = if OPERATORS.into_iter().any(is) {
            (1, false)
        } else if is("is") {
            let not = usize::from(self.key(1) == Some(Keyword::Not));
            if self.key(1 + not) == Some(Keyword::Distinct) {
                (3 + not, false)
            } else {
                (1 + not, false)
            }
        } else if is("isnull") || is("notnull") {
            (1, true)
        } else if is("at") && self.is_word(1, "time") {
            (3, false)
        } else if is("nulls") || ((is("ignore") || is("respect")) && self.is_word(1, "nulls")) {
            (2, true)
        } else if is("over") {
            self.tokens.at += 1;
            self.window();
            (0, true)
        } else if is("filter") && self.is_open(1) {
            self.tokens.at += 1;
            self.operand_group();
            (0, true)
        } else if is("within") && self.key(1) == Some(Keyword::Group) {
            self.tokens.at += 2;
            if self.is_open(0) {
                self.operand_group();
            }
            (0, true)
        } else {
            return None;
        };
        self.tokens.at = (self.tokens.at + len).min(self.tokens.end);
        Some(has_operand)
    }

    /// A word where an operand may stand: a keyword, a literal or a name. `None` when it is nothing of the expression.
    fn keyword(&mut self) -> Option<bool> {
        let Some(keyword) = self.key(0).filter(|keyword| keyword.is_reserved()) else {
            self.name();
            return Some(true);
        };
        let has_operand = match keyword {
            Keyword::Null | Keyword::True | Keyword::False | Keyword::End => true,
            Keyword::Cast => {
                self.name();
                return Some(true);
            }
            Keyword::Lambda => {
                self.lambda();
                return Some(false);
            }
            Keyword::Case
            | Keyword::When
            | Keyword::Then
            | Keyword::Else
            | Keyword::And
            | Keyword::Or
            | Keyword::Not
            | Keyword::In
            | Keyword::To
            | Keyword::Distinct
            | Keyword::All
            | Keyword::Any
            | Keyword::Some
            | Keyword::Array
            | Keyword::Both
            | Keyword::Leading
            | Keyword::Trailing
            | Keyword::Symmetric
            | Keyword::Asymmetric
            | Keyword::Default => false,
            _ => return None,
        };
        self.tokens.at += 1;
        Some(has_operand)
    }

    /// A name where an operand may stand: a column, a function, the type before a literal.
    fn name(&mut self) {
        let begin = self.tokens.at;
        let is_word = self.kind(0) == TokenKind::Word;
        if is_word && self.is_word(0, "interval") && !self.is_open(1) {
            // `INTERVAL '1' DAY`
            if self.kind(1).is_string() || self.kind(1) == TokenKind::Number {
                self.tokens.at += 2;
                return self.unit();
            }
        }
        if is_word && self.is_word(0, "grouping") && self.is_word(1, "sets") {
            self.tokens.at += 2;
            return;
        }
        if is_word && self.is_word(0, "map") && self.kind(1) == TokenKind::Open(Bracket::Curly) {
            self.tokens.at += 1;
            return self.object(true);
        }
        let mut last = begin;
        self.tokens.at += 1;
        while self.kind(0) == TokenKind::Dot && self.is_name(1) {
            // `SELECT o. FROM t`: the name is not typed yet.
            let (dot, next) = (
                self.span(self.tokens.at, 0),
                self.span(self.tokens.at + 1, 0),
            );
            if dot.end < next.start && self.key(1).is_some_and(Keyword::is_reserved) {
                self.tokens.at += 1;
                self.is_unknown = true;
                return;
            }
            last = self.tokens.at + 1;
            self.tokens.at += 2;
        }
        if self.is_open(0) {
            if last > begin && !self.is_catalog(begin, last) {
                self.column(begin, last - 1);
            }
            self.call(last, last > begin && !self.is_schema(begin, last));
            return;
        }
        if begin == last && is_word {
            if self.kind(0).is_string() {
                self.tokens.at += 1;
                return;
            }
            if is_value(self.text_at(begin)) {
                return;
            }
            // `timestamp with time zone '…'`
            if self.key(0) == Some(Keyword::With)
                && self.is_word(1, "time")
                && self.kind(3).is_string()
            {
                self.tokens.at += 4;
                return;
            }
        }
        if self.kind(0) == TokenKind::Dot && self.operator(1) == "*" {
            self.tokens.at += 2;
            self.is_unknown = true;
            self.is_star = true;
            return;
        }
        self.column(begin, last + 1);
        self.whole = (begin, self.tokens.at);
    }

    /// The column that the names from the token at `begin` to the one before `end` mean.
    fn column(&mut self, begin: usize, end: usize) {
        let span = self.span(begin, end);
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        for at in (begin..end).step_by(2) {
            let part = self.name_at(at);
            parts.push(part);
        }
        if self.watches_column(begin, end) {
            let (start, is_unknown) = (self.inputs.len(), std::mem::take(&mut self.is_unknown));
            self.take_column(&parts, span);
            self.see_column(begin, end, start);
            self.is_unknown |= is_unknown;
        } else {
            self.take_column(&parts, span);
        }
        self.parts = parts;
    }

    /// Whether the names before a function's are a schema and not a column: `main.sum(x)`. What a lake has is not known.
    fn is_catalog(&mut self, begin: usize, last: usize) -> bool {
        let name = self.name_at(begin);
        let is_attached = self.names.get(super::ATTACHED, name).is_some();
        self.is_unknown |= is_attached;
        is_attached || self.is_schema(begin, last)
    }

    /// Whether the name before a function's is a schema of the engine's own.
    fn is_schema(&self, begin: usize, last: usize) -> bool {
        last == begin + 2
            && ["main", "temp", "system", "pg_catalog"]
                .iter()
                .any(|known| self.text_at(begin).eq_ignore_ascii_case(known))
    }

    /// A function's arguments; its name is at `name`. In `x.f()`, `x` is one too.
    fn call(&mut self, name: usize, is_method: bool) {
        const LAMBDAS: [&str; 8] = [
            "apply",
            "transform",
            "filter",
            "reduce",
            "list_apply",
            "list_transform",
            "list_filter",
            "list_reduce",
        ];
        let text = self.text_at(name);
        let name = self.name_at(name);
        if let Some(number) = self.names.get(super::MACROS, name) {
            self.see_macro(self.tokens.at - 1);
            return self.macro_call(number, is_method);
        }
        let is = |known: &str| text.eq_ignore_ascii_case(known);
        let has_lambda = LAMBDAS.into_iter().any(is)
            || (text
                .get(..6)
                .is_some_and(|start| start.eq_ignore_ascii_case("array_"))
                && LAMBDAS
                    .iter()
                    .any(|known| text[6..].eq_ignore_ascii_case(known)));
        let is_exists = is("exists");
        if is("columns") {
            return self.columns_call();
        }
        let Some(outer) = self.enter() else { return };
        // `trim(FROM x)`
        if !is("trim") && self.begins_bracketed_query() {
            self.subquery(is_exists);
        } else if is("count") && self.operator(0) == "*" && self.kind(1) == TokenKind::Semicolon {
            // `count(*)` counts rows.
        } else {
            // `extract(year FROM x)`
            if self.key(1) == Some(Keyword::From) && (is("extract") || is("date_part")) {
                self.tokens.at += 2;
            }
            self.arguments(has_lambda);
        }
        self.leave(outer);
        if is("interval") {
            self.unit();
        }
    }

    /// What is in round brackets where an operand may stand.
    pub(super) fn operand_group(&mut self) {
        let Some(outer) = self.enter() else { return };
        if self.begins_bracketed_query() {
            self.subquery(false);
        } else {
            self.arguments(false);
        }
        self.leave(outer);
    }

    /// A query as an operand: all that it names counts for the column that it stands in.
    fn subquery(&mut self, is_exists: bool) {
        let outer = std::mem::replace(&mut self.in_expression, true);
        let many = self.many.take();
        let is_correlated = std::mem::replace(&mut self.is_correlated, true);
        let relation = self.query(None);
        self.is_correlated = is_correlated;
        self.in_expression = outer;
        self.many = many;
        // EXISTS asks for rows and for no column.
        if is_exists {
            return;
        }
        let known = self.relations[relation as usize];
        self.lose(known.rest);
        self.is_unknown |= known.rest != Rest::Closed;
        for at in known.start..known.start + known.len {
            let column = self.columns[at as usize];
            self.append(column, column.span);
        }
    }

    /// Arguments, items of a list, and what else stands in brackets, up to the end.
    fn arguments(&mut self, has_lambda: bool) {
        while !self.is_end() {
            if self.eat_comma() {
                continue;
            }
            let is_named = self.is_name(0) && matches!(self.operator(1), ":=" | "=>");
            if is_named {
                self.tokens.at += 2;
            }
            if has_lambda && self.arrow() {
                continue;
            }
            self.expression();
            match self.key(0) {
                // `CAST(x AS type)`
                Some(Keyword::As) => self.tokens.at = self.tokens.end,
                Some(Keyword::Order | Keyword::Group) if self.is_word(1, "by") => {
                    self.tokens.at += 2;
                }
                _ if self.is_end() || self.kind(0) == TokenKind::Comma => {}
                // `substring(x FROM 1 FOR 2)`
                _ => self.skip(),
            }
        }
    }

    /// `x -> …` and `(x, y) -> …`
    fn arrow(&mut self) -> bool {
        let known = self.parameters.len();
        if self.is_name(0) && self.operator(1) == "->" {
            let name = self.name_at(self.tokens.at);
            self.parameters.push(name);
            self.tokens.at += 2;
        } else if self.is_open(0) {
            let behind = self.tokens.behind(self.tokens.at) - self.tokens.at;
            if self.operator(behind) != "->" {
                return false;
            }
            let names = self.name_list();
            self.parameters.extend(names);
            self.tokens.at += 1;
        } else {
            return false;
        }
        self.expression();
        self.parameters.truncate(known);
        true
    }

    /// `lambda x, y:`; the parameters are known up to the end of the expression.
    fn lambda(&mut self) {
        self.tokens.at += 1;
        while self.is_name(0) {
            let name = self.name_at(self.tokens.at);
            self.parameters.push(name);
            self.tokens.at += 1;
            self.eat_comma();
        }
        self.tokens.at += usize::from(self.operator(0) == ":");
    }

    /// `[a, b]`, `[x + 1 FOR x IN l IF x > 0]`, and an index behind an operand.
    fn list(&mut self, is_index: bool) {
        let Some(outer) = self.enter() else { return };
        let (begin, end) = (self.tokens.at, self.tokens.end);
        if !is_index {
            while !self.is_end() && self.key(0) != Some(Keyword::For) {
                self.skip();
            }
        }
        if is_index || self.is_end() {
            self.tokens.at = begin;
            self.arguments(false);
            return self.leave(outer);
        }
        let head = self.tokens.at;
        let known = self.parameters.len();
        let mut parameters = Vec::new();
        self.tokens.at += 1;
        while !self.is_end() && self.key(0) != Some(Keyword::In) {
            let name = self.name_at(self.tokens.at);
            parameters.push(name);
            self.tokens.at += 1;
            self.eat_comma();
        }
        self.tokens.at = (self.tokens.at + 1).min(end);
        // The list itself knows no parameter yet.
        self.expression();
        self.parameters.extend(parameters);
        if self.eat_word("if") {
            self.arguments(false);
        }
        (self.tokens.at, self.tokens.end) = (begin, head);
        self.arguments(false);
        self.parameters.truncate(known);
        self.tokens.end = end;
        self.leave(outer);
    }

    /// `{'a': 1, b: x}`, of which the keys are no columns, but those of a map are. `{partition}` is a value.
    fn object(&mut self, is_map: bool) {
        let Some(outer) = self.enter() else { return };
        let is_token = self.tokens.at + 1 == self.tokens.end
            && ["partition", "partition_start", "partition_end"]
                .iter()
                .any(|word| self.word(0) == *word);
        while !is_token && !self.is_end() {
            let is_key = self.is_name(0) || self.kind(0).is_string();
            if !is_map && is_key && self.operator(1) == ":" {
                self.tokens.at += 2;
            }
            self.expression();
            if !self.eat_comma() {
                self.skip();
            }
        }
        self.leave(outer);
    }

    /// The unit behind an interval.
    fn unit(&mut self) {
        const UNITS: [&str; 12] = [
            "year",
            "quarter",
            "month",
            "week",
            "day",
            "hour",
            "minute",
            "second",
            "millisecond",
            "microsecond",
            "decade",
            "century",
        ];
        let word = self.word(0);
        let single = word.strip_suffix(['s', 'S']).unwrap_or(word);
        if UNITS.iter().any(|unit| unit.eq_ignore_ascii_case(single)) {
            self.tokens.at += 1;
            if self.eat_key(Keyword::To) {
                self.skip();
            }
        }
    }

    /// The type behind `::`.
    fn type_name(&mut self) {
        self.tokens.at += usize::from(self.is_name(0));
        while self.kind(0) == TokenKind::Dot && self.is_name(1) {
            self.tokens.at += 2;
        }
        let _ = self.eat_word("precision") || self.eat_word("varying");
        if self.is_open(0) {
            self.skip();
        }
        let has_zone = |ahead| self.is_word(ahead, "time") && self.is_word(ahead + 1, "zone");
        if (self.key(0) == Some(Keyword::With) || self.is_word(0, "without")) && has_zone(1) {
            self.tokens.at += 3;
        }
        while self.kind(0) == TokenKind::Open(Bracket::Square) {
            self.skip();
        }
    }
}

/// Words that are values without a bracket behind them.
fn is_value(word: &str) -> bool {
    const VALUES: [&str; 10] = [
        "current_date",
        "current_time",
        "current_timestamp",
        "localtime",
        "localtimestamp",
        "current_user",
        "session_user",
        "current_role",
        "current_catalog",
        "current_schema",
    ];
    VALUES.iter().any(|value| value.eq_ignore_ascii_case(word))
}
