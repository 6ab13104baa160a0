//! Which tables and files a statement names (spec: body, "References and lineage").
//!
//! One pass over the tokens with a stack of open brackets, so that it is linear and no nesting
//! overflows. It knows where in a query a table may stand and leaves everything else alone.

mod heads;

use std::collections::HashMap;

use super::cursor::Cursor;
use super::keyword::{Keyword, is_reserved};
use super::{Access, TableName};
use crate::lex::{Bracket, Token, TokenKind, string_value};
use crate::source::Spanned;

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

/// The references of the statement whose tokens, trivia left out, are `tokens`, in text order.
pub(super) fn references(text: &str, tokens: &[Token]) -> Vec<Reference> {
    let mut reader = Reader {
        cursor: Cursor::new(text, tokens),
        frames: vec![Frame::query(State::Start)],
        visible: HashMap::new(),
        found: Vec::new(),
        is_first: true,
    };
    while reader.step() {}
    reader.found
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    /// Open brackets; the first is the statement itself.
    frames: Vec<Frame>,
    /// Names of common tables in scope, lower case, with how many definitions are.
    visible: HashMap<String, usize>,
    found: Vec<Reference>,
    /// No verb has been read yet.
    is_first: bool,
}

/// A bracket that is open.
#[derive(Debug)]
struct Frame {
    role: Role,
    state: State,
    /// Common tables defined in it.
    defined: Vec<String>,
    /// The common table that is being defined: its name.
    defining: Option<String>,
    /// The common table that this bracket is the body of.
    body_of: Option<String>,
    is_recursive: bool,
    /// PIVOT or MERGE: an ON that belongs to no join ends the tables.
    own_on: bool,
    /// Joins whose ON has not come.
    open_joins: usize,
    /// DELETE or MERGE: tables follow the first USING.
    using_tables: bool,
    /// COPY: a file follows TO.
    copies: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Tables may be named directly in it.
    Query,
    /// Expressions, arguments, columns: only brackets inside it matter.
    Expression,
    /// Arguments of a function that reads files.
    Files,
}

/// Where in a query the next token stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A query may begin here.
    Start,
    /// CREATE: a query begins after AS.
    BeforeAs,
    /// WITH: a name comes.
    CteName,
    /// WITH: after the name, before AS.
    CteHead,
    /// WITH: after AS.
    CteBody,
    /// WITH: after the body.
    CteEnd,
    /// A table comes.
    Table,
    /// Among the tables of FROM, after one of them.
    AfterTable,
    /// In a clause that names no table.
    Clause,
    /// The rest of the bracket names no table.
    Rest,
}

impl Frame {
    const fn new(role: Role, state: State) -> Self {
        Self {
            role,
            state,
            defined: Vec::new(),
            defining: None,
            body_of: None,
            is_recursive: false,
            own_on: false,
            open_joins: 0,
            using_tables: false,
            copies: false,
        }
    }

    const fn query(state: State) -> Self {
        Self::new(Role::Query, state)
    }
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
            _ => match self.frame().role {
                Role::Query => self.in_query(token),
                Role::Files => {
                    self.file(Access::Read);
                }
                Role::Expression => {
                    self.cursor.next();
                }
            },
        }
        true
    }

    /// The innermost bracket. The statement's own frame is never popped.
    fn frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::query(State::Rest));
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Takes the next token; when it is a string, a file is named by it.
    fn file(&mut self, access: Access) {
        let Some(token) = self.cursor.next() else {
            return;
        };
        if let Some(path) = string_value(self.cursor.text, token) {
            let target = Target::File(Spanned::new(path, token.span));
            self.found.push(Reference { target, access });
        }
    }

    fn open(&mut self, bracket: Bracket) {
        let before = self.cursor.behind(1);
        self.cursor.next();
        let begins_query = bracket == Bracket::Round && self.begins_query(before);
        let nests =
            bracket == Bracket::Round && self.cursor.is_kind(TokenKind::Open(Bracket::Round));
        let (role, state) = (self.frame().role, self.frame().state);
        let mut inner = Frame::new(Role::Expression, State::Rest);
        match (role, state) {
            (Role::Query, State::CteBody) => {
                inner = Frame::query(State::Start);
                let name = self.frame().defining.take();
                if self.frame().is_recursive {
                    inner.defined.extend(name.clone());
                    self.show(name.as_deref());
                }
                inner.body_of = name;
                self.frame().state = State::CteEnd;
            }
            (Role::Query, State::Table) => {
                self.frame().state = State::AfterTable;
                if bracket == Bracket::Round {
                    inner = Frame::query(if begins_query {
                        State::Start
                    } else {
                        State::Table
                    });
                }
            }
            (Role::Query, State::Start | State::CteEnd) if begins_query || nests => {
                self.frame().state = State::Clause;
                inner = Frame::query(State::Start);
            }
            (Role::Files, _) if bracket == Bracket::Square => inner.role = Role::Files,
            _ if begins_query => inner = Frame::query(State::Start),
            _ if bracket == Bracket::Round
                && before.is_some_and(|name| reads_files(name.text(self.cursor.text))) =>
            {
                inner.role = Role::Files;
            }
            _ => {}
        }
        self.frames.push(inner);
    }

    fn close(&mut self) {
        if self.frames.len() == 1 {
            return;
        }
        let Some(closed) = self.frames.pop() else {
            return;
        };
        for name in closed.defined {
            if let Some(count) = self.visible.get_mut(&name) {
                *count -= 1;
            }
        }
        if let Some(name) = closed.body_of {
            self.show(Some(&name));
            self.frame().defined.push(name);
        }
    }

    /// Brings a common table into scope.
    fn show(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            *self.visible.entry(name.to_owned()).or_insert(0) += 1;
        }
    }

    fn keyword(&self, token: &Token) -> Option<Keyword> {
        (token.kind == TokenKind::Word)
            .then(|| Keyword::of(token.text(self.cursor.text)))
            .flatten()
    }

    /// Whether a query begins at the next token, the first in parentheses after `before`.
    fn begins_query(&self, before: Option<&Token>) -> bool {
        let Some(token) = self.cursor.peek() else {
            return false;
        };
        match self.keyword(token) {
            // `trim(FROM x)`
            Some(Keyword::From) => {
                !before.is_some_and(|name| name.is_word(self.cursor.text, "trim"))
            }
            Some(Keyword::Values) => self
                .cursor
                .peek_at(1)
                .is_some_and(|next| next.kind == TokenKind::Open(Bracket::Round)),
            Some(
                Keyword::Select
                | Keyword::With
                | Keyword::Table
                | Keyword::Pivot
                | Keyword::PivotWider
                | Keyword::Unpivot
                | Keyword::PivotLonger
                | Keyword::Desc
                | Keyword::Describe
                | Keyword::Summarize
                | Keyword::Show,
            ) => true,
            Some(_) | None => false,
        }
    }

    fn in_query(&mut self, token: &Token) {
        match self.frame().state {
            State::Start => self.start(token),
            State::BeforeAs => {
                if self.keyword(token) == Some(Keyword::As) {
                    self.frame().state = State::Start;
                }
                self.cursor.next();
            }
            State::CteName => self.cte_name(token),
            State::CteHead => {
                if self.keyword(token) == Some(Keyword::As) {
                    self.frame().state = State::CteBody;
                }
                self.cursor.next();
            }
            State::CteBody => match self.keyword(token) {
                Some(Keyword::Not | Keyword::Materialized) => drop(self.cursor.next()),
                Some(_) | None => self.frame().state = State::Start,
            },
            State::CteEnd if token.kind == TokenKind::Comma => {
                self.cursor.next();
                self.frame().state = State::CteName;
            }
            State::CteEnd => self.frame().state = State::Start,
            State::Table => self.table(token),
            State::AfterTable => self.after_table(token),
            State::Clause => self.clause(token),
            State::Rest => drop(self.cursor.next()),
        }
    }

    fn start(&mut self, token: &Token) {
        let is_comparison = self.is_distinct_from();
        self.cursor.next();
        let keyword = self.keyword(token);
        // A body of WITH comes before the verb, in brackets of its own.
        if self.frames.len() == 1
            && std::mem::take(&mut self.is_first)
            && let Some(keyword) = keyword
            && self.head(keyword)
        {
            return;
        }
        let next_begins =
            self.begins_query(None) || self.cursor.is_kind(TokenKind::Open(Bracket::Round));
        let frame = self.frame();
        match keyword {
            Some(Keyword::Select | Keyword::Values) => frame.state = State::Clause,
            Some(Keyword::From) if !is_comparison => frame.state = State::Table,
            Some(Keyword::With) => {
                frame.state = State::CteName;
                self.is_first = self.frames.len() == 1;
            }
            // `CREATE MACRO m() AS TABLE SELECT …`, `DESCRIBE SELECT …`
            Some(Keyword::Table | Keyword::Desc | Keyword::Describe | Keyword::Summarize)
                if next_begins => {}
            Some(Keyword::Table | Keyword::Desc | Keyword::Describe | Keyword::Summarize) => {
                frame.state = State::Table;
            }
            Some(
                Keyword::Pivot | Keyword::PivotWider | Keyword::Unpivot | Keyword::PivotLonger,
            ) => {
                frame.state = State::Table;
                frame.own_on = true;
            }
            Some(Keyword::Show) => frame.state = State::Rest,
            Some(Keyword::To) if frame.copies => self.file(Access::Write),
            Some(_) | None => {}
        }
    }

    fn cte_name(&mut self, token: &Token) {
        let is_flag = self.keyword(token) == Some(Keyword::Recursive)
            && self.cursor.peek_at(1).is_some_and(|next| {
                matches!(next.kind, TokenKind::Word | TokenKind::QuotedIdent)
                    && self.keyword(next) != Some(Keyword::As)
            });
        self.cursor.next();
        if is_flag {
            self.frame().is_recursive = true;
            return;
        }
        let name = token.name(self.cursor.text).map(|name| name.to_lowercase());
        let frame = self.frame();
        frame.state = if name.is_some() {
            State::CteHead
        } else {
            State::Start
        };
        frame.defining = name;
    }

    fn table(&mut self, token: &Token) {
        let text = self.cursor.text;
        match self.keyword(token) {
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
        if token.kind == TokenKind::Word && is_reserved(token.text(text)) {
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
    fn name(&mut self, parts: Vec<Spanned<String>>, access: Access) {
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

    /// Whether the next token is no keyword there: after a dot, or a name after AS.
    fn is_plain_name(&self) -> bool {
        self.cursor.behind(1).is_some_and(|before| {
            before.kind == TokenKind::Dot || self.keyword(before) == Some(Keyword::As)
        })
    }

    fn after_table(&mut self, token: &Token) {
        let keyword = if self.is_plain_name() {
            None
        } else {
            self.keyword(token)
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
                | Keyword::When
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

    fn clause(&mut self, token: &Token) {
        let keyword = if self.is_plain_name() {
            None
        } else {
            self.keyword(token)
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
    fn is_distinct_from(&self) -> bool {
        let word = |back, word| {
            self.cursor
                .behind(back)
                .is_some_and(|token| token.is_word(self.cursor.text, word))
        };
        word(1, "distinct") && (word(2, "is") || (word(2, "not") && word(3, "is")))
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
