//! A session whose statements reach some folders only, and change no setting.
//!
//! The engine refuses files, ATTACH, LOAD and SET by itself once it is locked, but does not ask about SQLite files and PostgreSQL
//! connections. So what would open them is refused by its name, and so is what runs a text that is not in the script.

use parser_core::Script;
use parser_core::body::{SetupKind, StatementKind};
use parser_core::lex::{Bracket, TokenKind, lex};
use parser_core::source::Span;

use super::{Engine, EngineError, question};

/// The setting that is behind a refusal, for messages.
pub const SETTING: &str = "`[engine] allow_local_files` of lakemill.toml is false";

impl Engine {
    /// From now on statements reach files below `directories` only. It holds for all sessions of the instance, and for good: what is
    /// attached stays, and secrets are made before.
    ///
    /// # Errors
    /// What the engine says.
    pub fn confine(&mut self, directories: &[String]) -> Result<(), EngineError> {
        for command in question::confine(directories) {
            self.run(&command)?;
        }
        self.is_confined = true;
        Ok(())
    }
}

/// What a script has that a confined session would not confine, and where.
#[must_use]
pub fn loophole(text: &str, script: &Script) -> Option<(Span, String)> {
    let statements = script.body.statements.iter();
    let mut attached = statements.filter_map(|statement| match &statement.kind {
        StatementKind::Setup(SetupKind::Attach(attach))
            if attach.asset.is_none() && attach.target.value != ":memory:" =>
        {
            Some((
                attach.target.span,
                "ATTACH of what is neither `ducklake://` nor `datatable://`",
            ))
        }
        StatementKind::Setup(SetupKind::Attach(attach)) => attach
            .options
            .filter(|span| !are_harmless(span.slice(text)))
            .map(|span| {
                (
                    span,
                    "an option of ATTACH that says where the catalog or its files are",
                )
            }),
        StatementKind::Setup(_)
        | StatementKind::Output(_)
        | StatementKind::Write { .. }
        | StatementKind::Transaction
        | StatementKind::Other => None,
    });
    if let Some((span, what)) = attached.next() {
        return Some((span, what.to_owned()));
    }
    called(text)
}

/// Whether options of an ATTACH say how it is read only, and not from where.
fn are_harmless(options: &str) -> bool {
    const HARMLESS: [&str; 4] = ["read_only", "schema", "snapshot_time", "snapshot_version"];
    let mut begins = true;
    lex(options, 0)
        .iter()
        .filter(|token| !token.kind.is_trivia())
        .all(|token| {
            let is_option = std::mem::replace(&mut begins, token.kind == TokenKind::Comma);
            !is_option || HARMLESS.iter().any(|name| token.is_word(options, name))
        })
}

/// A call or a statement that opens what the engine does not confine.
pub fn called(text: &str) -> Option<(Span, String)> {
    let tokens: Vec<_> = lex(text, 0)
        .into_iter()
        .filter(|token| !token.kind.is_trivia())
        .collect();
    tokens.windows(2).find_map(|pair| {
        let name = pair[0].name(text)?.to_ascii_lowercase();
        let is_call = pair[1].kind == TokenKind::Open(Bracket::Round);
        let opens = ["sqlite_", "postgres_", "mysql_"]
            .iter()
            .any(|prefix| name.starts_with(prefix));
        let runs_a_text = matches!(name.as_str(), "query" | "json_execute_serialized_sql");
        let imports = name == "import" && pair[1].is_word(text, "database");
        // A catalog's own tables hold the SQL of its views, and where its files are.
        let is_catalog = name.starts_with("__ducklake_metadata");
        (imports || is_catalog || (is_call && (opens || runs_a_text)))
            .then(|| (pair[0].span, format!("`{name}`")))
    })
}

#[cfg(test)]
mod tests {
    use super::loophole;

    fn found(text: &str) -> Option<String> {
        loophole(text, &parser_core::parse(text).script).map(|(_, what)| what)
    }

    #[test]
    fn what_the_engine_does_not_confine_is_found() {
        for text in [
            "SELECT * FROM sqlite_scan('x', 'y')",
            "SELECT * FROM system.main.\"SQLite_Scan\" ('x', 'y')",
            "CALL sqlite_attach('x')",
            "SELECT * FROM /* c */ postgres_query('a', 'b')",
            "SELECT * FROM query('FROM ' || x)",
            "IMPORT DATABASE 'x'",
            "ATTACH 'x.sqlite' AS x (TYPE sqlite); SELECT 1 AS a",
            "ATTACH 'ducklake:sqlite:x' AS x; SELECT 1 AS a",
            "ATTACH 'ducklake://a' AS x (READ_ONLY, METADATA_PATH 'sqlite:y'); SELECT 1 AS a",
            "ATTACH 'ducklake://a' AS x (DATA_PATH '/etc'); SELECT 1 AS a",
            "UPDATE \"__ducklake_metadata_x\".ducklake_view SET sql = ''",
        ] {
            assert!(found(text).is_some(), "{text}");
        }
        for text in [
            "SELECT query, import, sqlite_version FROM t -- query(",
            "ATTACH 'ducklake://shop' AS s (SNAPSHOT_VERSION 3, READ_ONLY); FROM s.t",
            "ATTACH 'ducklake://shop' AS s; ATTACH ':memory:' AS m; SELECT 'sqlite_scan(' AS a",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
