//! Holds the core's reading of a text against the engine's.

use std::collections::BTreeMap;

use duckdb::Connection;
use engine_oracle::{Oracle, StatementType};
use parser_core::body::{Body, SetupKind, Statement, StatementKind, read};
use parser_core::lex::{Keyword, Token, TokenKind, lex};
use serde_json::Value;

use super::tree::{self, Table};
use super::types::{self, EXPANDED, Untold};

/// What was compared, and what came of it.
pub(crate) struct Comparison {
    oracle: Oracle,
    connection: Connection,
    pub(crate) rejected: usize,
    pub(crate) texts: usize,
    pub(crate) statements: usize,
    pub(crate) queries: usize,
    pub(crate) references: usize,
    /// How many statements of each of the engine's types were compared.
    pub(crate) types: BTreeMap<StatementType, usize>,
    /// Disagreements that have a reason, by reason.
    pub(crate) excused: BTreeMap<&'static str, usize>,
    pub(crate) faults: Vec<String>,
}

/// Why the engine and the core may differ. Each has its text in `known_disagreements_are_still_there`.
pub(crate) const UNUSED_WINDOW: &str = "the engine forgets a WINDOW that nothing uses";
pub(crate) const HALF_TYPED: &str =
    "a keyword after a dot and a gap is no name to us, so that `FROM lake. WHERE` can be typed";

/// What the engine's tree of a text is.
enum Answer {
    /// The tables of each of its queries.
    Queries(Vec<Vec<Table>>),
    /// There are statements other than queries, which the engine has no tree for.
    Others,
    /// The engine cannot write down a query that it has read.
    Unknown,
}

impl Answer {
    fn of(serialized: &Value) -> Self {
        match (
            serialized["error"] == false,
            serialized["error_type"].as_str(),
        ) {
            (true, _) => Self::Queries(tree::tables(serialized)),
            (false, Some("not implemented")) => Self::Others,
            (false, _) => Self::Unknown,
        }
    }
}

impl Comparison {
    pub(crate) fn new() -> Self {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("SET threads = 1").unwrap();
        Self {
            oracle: Oracle::open().unwrap(),
            connection,
            rejected: 0,
            texts: 0,
            statements: 0,
            queries: 0,
            references: 0,
            types: BTreeMap::new(),
            excused: BTreeMap::new(),
            faults: Vec::new(),
        }
    }

    /// Compares those that the engine accepts.
    pub(crate) fn texts(&mut self, texts: impl IntoIterator<Item = String>) {
        let mut accepted = Vec::new();
        for text in texts {
            let Ok(types) = self.oracle.types(&text) else {
                self.rejected += 1;
                continue;
            };
            let body = read(&text, 0, &mut Vec::new());
            self.texts += 1;
            self.statements += body.statements.len();
            if self.boundaries(&text, &body, &types) {
                accepted.push((text, body));
            }
        }
        let mut pieces = Vec::new();
        let whole: Vec<&str> = accepted.iter().map(|(text, _)| text.as_str()).collect();
        for ((text, body), answer) in accepted.iter().zip(self.trees(&whole)) {
            match answer {
                Answer::Queries(trees) if trees.len() == body.statements.len() => {
                    for (statement, tables) in body.statements.iter().zip(&trees) {
                        self.query(text, 0, statement, tables);
                    }
                }
                Answer::Queries(trees) => self.fault("statements in the tree", text, &trees, body),
                Answer::Others | Answer::Unknown => {
                    pieces.extend(body.statements.iter().map(|statement| (text, statement)));
                }
            }
        }
        let parts: Vec<&str> = pieces
            .iter()
            .map(|(text, statement)| statement.span.slice(text))
            .collect();
        for (((text, statement), piece), answer) in
            pieces.iter().zip(&parts).zip(self.trees(&parts))
        {
            match answer {
                Answer::Queries(trees) => {
                    for tables in &trees {
                        self.query(text, statement.span.start, statement, tables);
                    }
                }
                Answer::Others
                    if matches!(statement.kind, StatementKind::Output(_))
                        && !is_expanded(piece) =>
                {
                    self.fault("the tree", piece, &statement.kind, &"no query");
                }
                Answer::Others | Answer::Unknown => {}
            }
        }
    }

    /// The engine has a tree of it, as it has of DESCRIBE, SUMMARIZE and SHOW, and of a PRAGMA that is a query.
    fn query(&mut self, text: &str, offset: usize, statement: &Statement, tables: &[Table]) {
        match statement.kind {
            StatementKind::Output(_)
            | StatementKind::Other
            | StatementKind::Setup(SetupKind::Pragma) => {}
            _ => self.fault("the tree", text, &statement.kind, &"a query"),
        }
        self.tables(text, offset, statement, tables);
    }

    /// Each of our statements is one to the engine, of the type that ours has to be, and there are no others.
    fn boundaries(&mut self, text: &str, body: &Body, types: &[StatementType]) -> bool {
        let mut sum = Vec::new();
        for statement in &body.statements {
            let piece = statement.span.slice(text);
            let parts = match body.statements.as_slice() {
                [_] => Ok(types.to_vec()),
                _ => self.oracle.types(piece),
            };
            match parts.as_deref() {
                Ok([only]) => self.kind(text, statement, *only),
                Ok(_) if is_expanded(piece) => *self.excused.entry(EXPANDED).or_default() += 1,
                _ => {
                    self.fault("a statement", text, &piece, &parts);
                    return false;
                }
            }
            sum.extend(parts.into_iter().flatten());
        }
        if sum != types {
            self.fault("the statements", text, &sum, &types);
        }
        sum == types
    }

    fn kind(&mut self, text: &str, statement: &Statement, engine: StatementType) {
        *self.types.entry(engine).or_default() += 1;
        match types::told(text, statement) {
            Ok(ours) if ours == engine => {}
            Ok(ours) => self.fault("the type", text, &(&statement.kind, ours), &engine),
            Err(Untold::Because(reason)) => *self.excused.entry(reason).or_default() += 1,
            Err(Untold::Nothing) => self.fault("the type", text, &statement.kind, &engine),
        }
    }

    /// What the engine's trees of these texts are. Many are asked for at once: a question costs more than an answer.
    fn trees(&self, texts: &[&str]) -> Vec<Answer> {
        const SQL: &str = "SELECT json_serialize_sql(text, skip_null := true, skip_empty := true, skip_default := true)
            FROM (SELECT unnest(from_json(?, '[\"VARCHAR\"]')) AS text)";
        let mut statement = self.connection.prepare(SQL).unwrap();
        let mut answers = Vec::new();
        for chunk in texts.chunks(1_000) {
            let list = serde_json::to_string(chunk).unwrap();
            let rows = statement
                .query_map([list], |row| row.get::<_, String>(0))
                .unwrap();
            answers
                .extend(rows.map(|row| Answer::of(&serde_json::from_str(&row.unwrap()).unwrap())));
        }
        assert_eq!(answers.len(), texts.len());
        answers
    }

    fn tables(&mut self, text: &str, offset: usize, statement: &Statement, engine: &[Table]) {
        self.queries += 1;
        self.references += engine.len();
        let place = |at: usize| u64::try_from(at - offset).ok();
        let mut ours: Vec<Table> = statement
            .tables
            .iter()
            .map(|table| Table {
                parts: table.parts.iter().map(|part| part.value.clone()).collect(),
                at: place(table.span.start),
            })
            .collect();
        let mut theirs = engine.to_vec();
        // `ARRAY(… ORDER BY (FROM t))`: the engine copies the expression.
        theirs.sort();
        theirs.dedup();
        // The engine's places are those in a text whose wide spaces it has made narrow.
        if has_wide_space(text) {
            ours.iter_mut()
                .chain(&mut theirs)
                .for_each(|table| table.at = None);
        }
        ours.sort();
        theirs.sort();
        if ours == theirs {
            return;
        }
        let tokens = lex(statement.span.slice(text), 0);
        let has_window = tokens
            .iter()
            .any(|token| token.keyword == Some(Keyword::Window));
        let reason = if has_window && theirs.iter().all(|table| ours.contains(table)) {
            UNUSED_WINDOW
        } else if has_half_name(&tokens) {
            HALF_TYPED
        } else {
            return self.fault("tables", text, &ours, &theirs);
        };
        *self.excused.entry(reason).or_default() += 1;
    }

    /// Compares the tables of single queries with ours of `before query after`, where the engine accepts that.
    pub(crate) fn around(&mut self, texts: &[(String, (&str, &str))]) {
        let mut queries = Vec::new();
        for (text, (before, after)) in texts {
            if let [statement] = read(text, 0, &mut Vec::new()).statements.as_slice() {
                queries.push((
                    statement.span.slice(text),
                    statement.clone(),
                    *before,
                    *after,
                ));
            }
        }
        let texts: Vec<&str> = queries.iter().map(|(query, ..)| *query).collect();
        let answers = self.trees(&texts);
        for ((query, mut statement, before, after), answer) in queries.into_iter().zip(answers) {
            let text = [before, query, after].concat();
            let Answer::Queries(trees) = answer else {
                continue;
            };
            if self.oracle.types(&text).is_err() {
                continue;
            }
            self.texts += 1;
            let [around] = read(&text, 0, &mut Vec::new())
                .statements
                .try_into()
                .unwrap();
            let around: Statement = around;
            let is_inner = |at: usize| (before.len()..before.len() + query.len()).contains(&at);
            // What else is named is what is written.
            let others = around
                .tables
                .iter()
                .filter(|table| !is_inner(table.span.start));
            if others
                .clone()
                .any(|table| table.parts[0].value != "w" && table.parts[0].value != "q")
            {
                self.fault("what is written", &text, &others.collect::<Vec<_>>(), &"w");
            }
            statement.tables = around.tables;
            statement.tables.retain(|table| is_inner(table.span.start));
            statement.span = around.span;
            for tables in &trees {
                let mut tables = tables.clone();
                for table in &mut tables {
                    let moved = u64::try_from(before.len()).unwrap();
                    table.at = table.at.map(|at| at + moved);
                }
                self.tables(&text, 0, &statement, &tables);
            }
        }
    }

    /// The engine whose trees are compared with.
    pub(crate) const fn engine(&self) -> &Connection {
        &self.connection
    }

    /// The queries that an extension carries.
    pub(crate) fn queries_of(&self, extension: &str) -> Vec<String> {
        let directory = option_env!("LAKEMILL_TOOLCHAIN_EXTENSIONS").unwrap_or_default();
        let load = format!(
            "SET extension_directory = '{}'; SET autoinstall_known_extensions = false; LOAD {extension}",
            directory.replace('\'', "''")
        );
        self.connection
            .execute_batch(&load)
            .unwrap_or_else(|error| panic!("{error}: run `cargo xtask setup test`"));
        let sql = format!("SELECT query FROM {extension}_queries()");
        let mut statement = self.connection.prepare(&sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    fn fault(
        &mut self,
        what: &str,
        text: &str,
        ours: &dyn std::fmt::Debug,
        theirs: &dyn std::fmt::Debug,
    ) {
        let fault = format!("{what} of {text:?}\n  ours:   {ours:?}\n  engine: {theirs:?}");
        self.faults.push(fault);
    }

    /// Says what was compared, and fails if anything differs without a reason.
    pub(crate) fn finish(&self, source: &str, least: usize) {
        println!(
            "{source}: {} texts and {} that the engine rejects, {} statements {:?}, {} queries with {} tables; {:?}",
            self.texts,
            self.rejected,
            self.statements,
            self.types,
            self.queries,
            self.references,
            self.excused
        );
        let shown: Vec<&str> = self.faults.iter().take(5).map(String::as_str).collect();
        let faults = self.faults.len();
        assert!(
            faults == 0,
            "{source}: {faults} disagreements\n{}",
            shown.join("\n")
        );
        assert!(
            self.statements >= least,
            "{source}: {} statements",
            self.statements
        );
    }
}

fn is_expanded(piece: &str) -> bool {
    let words: Vec<String> = lex(piece, 0)
        .iter()
        .filter(|token| token.kind == TokenKind::Word)
        .map(|token| token.text(piece).to_lowercase())
        .collect();
    let begins =
        |with: &[&str]| words.iter().zip(with).filter(|(a, b)| a == b).count() == with.len();
    begins(&["copy", "from", "database"])
        || (begins(&["alter", "table"]) && words.iter().any(|word| word == "add"))
        || words
            .iter()
            .any(|word| word == "pivot" || word == "pivot_wider")
}

fn has_wide_space(text: &str) -> bool {
    let tokens = lex(text, 0);
    let mut spaces = tokens.iter().filter(|token| token.kind == TokenKind::Space);
    spaces.any(|token| !token.text(text).is_ascii())
}

/// `lake. where`
fn has_half_name(tokens: &[Token]) -> bool {
    let mut before_gap = None;
    let mut before = None;
    for token in tokens {
        if token.kind.is_trivia() {
            before_gap = before.or(before_gap);
            before = None;
        } else {
            if before_gap == Some(TokenKind::Dot) && token.keyword.is_some() {
                return true;
            }
            before_gap = None;
            before = Some(token.kind);
        }
    }
    false
}
