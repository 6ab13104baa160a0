//! Open brackets, and where in a query the next token stands.

use super::arms::Arm;

/// A bracket that is open.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) role: Role,
    pub(super) state: State,
    /// Brackets open in it, one in the other, that hold expressions, arguments or columns: in those only other brackets
    /// matter.
    pub(super) plain: usize,
    /// Common tables defined in it.
    pub(super) defined: Vec<String>,
    /// The common table that is being defined: its name.
    pub(super) defining: Option<String>,
    /// The common table that this bracket is the body of.
    pub(super) body_of: Option<String>,
    pub(super) is_recursive: bool,
    /// It is, or begins, the body of this recursive common table; see [`super::arms`].
    pub(super) recursive_name: Option<String>,
    /// What follows its last UNION, when that may use the recursive name.
    pub(super) arm: Option<Arm>,
    /// Its common tables are in scope behind it too: it is the whole query, but for ORDER BY and LIMIT.
    pub(super) lends_names: bool,
    /// The common tables of a bracket in it that does so.
    pub(super) lent: Vec<String>,
    /// UNION, EXCEPT or INTERSECT came.
    pub(super) is_right: bool,
    /// PIVOT or MERGE: an ON that belongs to no join ends the tables.
    pub(super) own_on: bool,
    /// Joins whose ON has not come.
    pub(super) open_joins: usize,
    /// DELETE or MERGE: tables follow the first USING.
    pub(super) using_tables: bool,
    /// COPY: a file follows TO.
    pub(super) copies: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Tables may be named directly in it.
    Query,
    /// Arguments of a function that reads files.
    Files,
}

/// Where in a query the next token stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
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
    /// VALUES: among the rows, which a comma does not end. In FROM, an alias and other tables may follow.
    Rows,
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
            plain: 0,
            defined: Vec::new(),
            defining: None,
            body_of: None,
            is_recursive: false,
            recursive_name: None,
            arm: None,
            lends_names: false,
            lent: Vec::new(),
            is_right: false,
            own_on: false,
            open_joins: 0,
            using_tables: false,
            copies: false,
        }
    }

    pub(super) const fn query(state: State) -> Self {
        Self::new(Role::Query, state)
    }

    pub(super) const fn files() -> Self {
        Self::new(Role::Files, State::Rest)
    }
}
