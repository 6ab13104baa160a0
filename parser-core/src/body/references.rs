//! Which tables and files a statement names (spec: body, "References and lineage").
//!
//! One pass over the tokens with a stack of open brackets, so that it is linear and no nesting
//! overflows. It knows where in a query a table may stand and leaves everything else alone.

mod arms;
mod frame;
mod heads;
mod tables;

use super::cursor::Cursor;
use super::{Access, TableName};
use crate::lex::{Bracket, Keyword, StatementTokens, Stop, Token, TokenKind, string_value};
use crate::names::Named;
use crate::source::Spanned;
use frame::{Frame, Role, State};

/// Something that a statement names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reference {
    pub(super) target: Target,
    /// `Read` or `Write`.
    pub(super) access: Access,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target {
    /// `a.b.c`
    Table(TableName),
    /// `FROM 'file'`: to the engine a table of that name, and else a file.
    FileTable(TableName),
    /// A file given to `read_…()` or COPY.
    File(Spanned<String>),
}

/// The references of a statement, in text order.
pub(super) fn references(text: &str, statement: StatementTokens<'_>) -> Vec<Reference> {
    let mut reader = Reader {
        cursor: Cursor::new(text, statement.tokens),
        stops: statement.stops,
        stop: 0,
        frame: Frame::query(State::Start),
        around: Vec::new(),
        visible: Named::default(),
        found: Vec::new(),
        is_first: true,
    };
    while reader.step() {}
    // Brackets that are still open get their partners some day.
    loop {
        let arm = reader.frame.arm.take();
        reader.drop_held(arm);
        match reader.around.pop() {
            Some(frame) => reader.frame = frame,
            None => break,
        }
    }
    reader.found.into_iter().flatten().collect()
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    /// Where to look; those before `stop` are passed.
    stops: &'t [Stop],
    stop: usize,
    /// The innermost bracket that is open, or the statement itself.
    frame: Frame,
    /// Those around it; the first is the statement itself.
    around: Vec<Frame>,
    /// Names of common tables in scope, lower case.
    visible: Named<Visible>,
    /// What is named, in text order; `None` where a name turned out to be that of a common table.
    found: Vec<Option<Reference>>,
    /// No verb has been read yet.
    is_first: bool,
}

/// What a name stands for.
#[derive(Default)]
struct Visible {
    /// Common tables of that name that are defined.
    defined: usize,
    /// Arms of recursive common tables of that name: how many frames are around the arm's.
    arms: Vec<usize>,
}

impl Reader<'_> {
    fn step(&mut self) -> bool {
        let Some(token) = self.cursor.peek() else {
            return false;
        };
        match token.kind {
            TokenKind::Open(bracket) => self.open(bracket),
            TokenKind::Close(_) => {
                self.cursor.next();
                self.close();
            }
            _ if self.frame.plain > 0 => {
                self.cursor.next();
                self.skip();
            }
            _ => match (self.frame.role, self.frame.state) {
                (Role::Query, State::Clause)
                    if !token.keyword.is_some_and(Keyword::leads_to_tables) =>
                {
                    self.skip();
                }
                (Role::Query, _) => self.in_query(token),
                (Role::Files, _) => self.file(Access::Read),
            },
        }
        true
    }

    /// Enters a bracket.
    fn enter(&mut self, frame: Frame) {
        self.around.push(std::mem::replace(&mut self.frame, frame));
    }

    /// Moves to the next bracket or word that leads to tables, or to the end. Brackets without such words and strings are
    /// passed over as a whole.
    fn skip(&mut self) {
        while let Some(stop) = self.stops.get(self.stop) {
            if stop.place < self.cursor.place() {
                self.stop += 1;
            } else if stop.next > self.stop + 1 {
                self.stop = stop.next;
            } else {
                return self.cursor.move_to(stop.place);
            }
        }
        self.cursor.move_to(usize::MAX);
    }

    /// Takes the next token; when it is a string, a file is named by it.
    fn file(&mut self, access: Access) {
        let Some(token) = self.cursor.next() else {
            return;
        };
        if let Some(path) = string_value(self.cursor.text, token) {
            let target = Target::File(Spanned::new(path, token.span));
            self.found.push(Some(Reference { target, access }));
        }
    }

    fn open(&mut self, bracket: Bracket) {
        let before = self.cursor.behind(1);
        self.cursor.next();
        let begins_query = bracket == Bracket::Round && self.begins_query(before);
        let nests =
            bracket == Bracket::Round && self.cursor.is_kind(TokenKind::Open(Bracket::Round));
        let frame = &mut self.frame;
        let place = (frame.plain == 0).then_some((frame.role, frame.state));
        let mut inner = None;
        match place {
            Some((Role::Query, State::CteBody)) => {
                let mut body = Frame::query(State::Start);
                let name = self.frame.defining.take();
                body.recursive_name = name.clone().filter(|_| self.frame.is_recursive);
                body.body_of = name;
                inner = Some(body);
                self.frame.state = State::CteEnd;
            }
            Some((Role::Query, State::Table)) => {
                self.frame.state = State::AfterTable;
                if bracket == Bracket::Round {
                    inner = Some(Frame::query(if begins_query {
                        State::Start
                    } else {
                        State::Table
                    }));
                }
            }
            Some((Role::Query, State::Start | State::CteEnd)) if begins_query || nests => {
                self.frame.state = State::Clause;
                let mut query = Frame::query(State::Start);
                if !self.frame.is_right {
                    query.recursive_name = self.frame.recursive_name.take();
                    query.lends_names = true;
                }
                inner = Some(query);
            }
            Some((Role::Files, _)) if bracket == Bracket::Square => inner = Some(Frame::files()),
            _ if begins_query => inner = Some(Frame::query(State::Start)),
            _ if bracket == Bracket::Round
                && before.is_some_and(|name| reads_files(name.text(self.cursor.text))) =>
            {
                inner = Some(Frame::files());
            }
            _ => {}
        }
        match inner {
            Some(inner) => self.enter(inner),
            None => self.frame.plain += 1,
        }
    }

    fn close(&mut self) {
        if self.frame.plain > 0 {
            self.frame.plain -= 1;
            return self.goes_on();
        }
        let Some(around) = self.around.pop() else {
            return;
        };
        let mut closed = std::mem::replace(&mut self.frame, around);
        if closed.lends_names {
            // `(WITH a AS (…) SELECT …) LIMIT (FROM a)`
            closed.lent.append(&mut closed.defined);
            self.frame.lent = closed.lent;
        } else {
            self.undefine(closed.lent);
        }
        self.undefine(closed.defined);
        let arm = closed.arm.map(|arm| self.close_arm(arm));
        if let Some(name) = closed.body_of {
            self.drop_held(arm);
            self.define(name);
        } else if closed.recursive_name.is_some() {
            self.frame.recursive_name = closed.recursive_name;
            self.frame.arm = arm;
        }
        self.goes_on();
    }

    /// `x IN ((SELECT …) UNION SELECT …)`: only after the first query it shows that the bracket holds one.
    fn goes_on(&mut self) {
        let goes_on = self.cursor.peek().is_some_and(|token| {
            matches!(
                token.keyword,
                Some(Keyword::Union | Keyword::Except | Keyword::Intersect)
            )
        });
        if goes_on && self.frame.plain > 0 {
            self.frame.plain -= 1;
            self.enter(Frame::query(State::Clause));
        }
    }

    /// Brings a common table into scope, until the innermost bracket closes.
    fn define(&mut self, name: String) {
        self.visible.entry(name.clone(), Visible::default()).defined += 1;
        self.frame.defined.push(name);
    }

    /// Takes common tables out of scope.
    fn undefine(&mut self, names: Vec<String>) {
        for name in names {
            if let Some(visible) = self.visible.get_mut(&name) {
                visible.defined -= 1;
            }
        }
    }

    /// Whether a query begins at the next token, the first in parentheses after `before`.
    fn begins_query(&self, before: Option<&Token>) -> bool {
        let Some(token) = self.cursor.peek() else {
            return false;
        };
        match token.keyword {
            // `trim(FROM x)`
            Some(Keyword::From) => {
                !before.is_some_and(|name| name.is_word(self.cursor.text, "trim"))
            }
            Some(Keyword::Values) => self
                .cursor
                .peek_at(1)
                .is_some_and(|next| next.kind == TokenKind::Open(Bracket::Round)),
            Some(keyword) => keyword.begins_query(),
            None => false,
        }
    }

    fn in_query(&mut self, token: &Token) {
        match self.frame.state {
            State::Start => self.start(token),
            State::BeforeAs => {
                if token.keyword == Some(Keyword::As) {
                    self.frame.state = State::Start;
                }
                self.cursor.next();
            }
            State::CteName => self.cte_name(token),
            State::CteHead => {
                if token.keyword == Some(Keyword::As) {
                    self.frame.state = State::CteBody;
                }
                self.cursor.next();
            }
            State::CteBody => match token.keyword {
                Some(Keyword::Not | Keyword::Materialized) => drop(self.cursor.next()),
                Some(_) | None => self.frame.state = State::Start,
            },
            State::CteEnd if token.kind == TokenKind::Comma => {
                self.cursor.next();
                self.frame.state = State::CteName;
            }
            State::CteEnd => self.frame.state = State::Start,
            State::Table => self.table(token),
            State::Rows if token.kind == TokenKind::Comma => drop(self.cursor.next()),
            State::Rows => self.frame.state = State::AfterTable,
            State::AfterTable => self.after_table(token),
            State::Clause => self.clause(token),
            State::Rest => {
                self.cursor.next();
                self.skip();
            }
        }
    }

    fn start(&mut self, token: &Token) {
        let is_comparison = self.is_distinct_from();
        self.cursor.next();
        let keyword = token.keyword;
        // A body of WITH comes before the verb, in brackets of its own.
        if self.around.is_empty()
            && std::mem::take(&mut self.is_first)
            && let Some(keyword) = keyword
            && self.head(keyword)
        {
            return;
        }
        let next_begins =
            self.begins_query(None) || self.cursor.is_kind(TokenKind::Open(Bracket::Round));
        let frame = &mut self.frame;
        match keyword {
            Some(Keyword::Select) => frame.state = State::Clause,
            Some(Keyword::Values) => frame.state = State::Rows,
            Some(Keyword::From) if !is_comparison => frame.state = State::Table,
            Some(Keyword::With) => {
                frame.state = State::CteName;
                self.is_first = self.around.is_empty();
            }
            // `CREATE MACRO m() AS TABLE SELECT …`, `DESCRIBE SELECT …`
            Some(
                Keyword::Table
                | Keyword::Desc
                | Keyword::Describe
                | Keyword::Summarize
                | Keyword::Show,
            ) if next_begins => {}
            Some(Keyword::Table) => frame.state = State::Table,
            Some(Keyword::Desc | Keyword::Describe | Keyword::Summarize | Keyword::Show) => {
                self.described();
            }
            Some(
                Keyword::Pivot | Keyword::PivotWider | Keyword::Unpivot | Keyword::PivotLonger,
            ) => {
                frame.state = State::Table;
                frame.own_on = true;
            }
            Some(Keyword::To) if frame.copies => self.file(Access::Write),
            Some(_) | None => {}
        }
    }

    fn cte_name(&mut self, token: &Token) {
        let is_flag = token.keyword == Some(Keyword::Recursive)
            && self.cursor.peek_at(1).is_some_and(|next| {
                matches!(next.kind, TokenKind::Word | TokenKind::QuotedIdent)
                    && next.keyword != Some(Keyword::As)
            });
        self.cursor.next();
        if is_flag {
            self.frame.is_recursive = true;
            return;
        }
        let text = self.cursor.text;
        let name = token.name(text).or_else(|| string_value(text, token));
        let name = name.map(|name| name.to_ascii_lowercase());
        let frame = &mut self.frame;
        frame.state = if name.is_some() {
            State::CteHead
        } else {
            State::Start
        };
        frame.defining = name;
    }
}

/// Functions whose arguments name files.
fn reads_files(function: &str) -> bool {
    const OTHERS: [&str; 9] = [
        "parquet_scan",
        "parquet_metadata",
        "parquet_file_metadata",
        "parquet_kv_metadata",
        "parquet_schema",
        "sniff_csv",
        "glob",
        "delta_scan",
        "iceberg_scan",
    ];
    function
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("read_"))
        || OTHERS
            .iter()
            .any(|name| name.eq_ignore_ascii_case(function))
}
