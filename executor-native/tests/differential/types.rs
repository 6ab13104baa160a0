//! The engine's type of a statement, as far as our reading of it tells.

use engine_oracle::StatementType as Type;
use parser_core::body::{SetupKind, Statement, StatementKind};
use parser_core::lex::{Token, TokenKind, lex};

/// Why a type cannot be told from the tokens. Each has its texts in `types_that_tokens_do_not_tell`.
pub(crate) const PRAGMA: &str =
    "the engine's table of pragmas says whether one is a query, a setting or a call";
pub(crate) const EXPANDED: &str = "the engine makes several statements of one";

/// A type that is not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Untold {
    /// For a reason.
    Because(&'static str),
    /// Our reading does not know the statement.
    Nothing,
}

/// The type that the engine has to give.
pub(crate) fn told(text: &str, statement: &Statement) -> Result<Type, Untold> {
    match &statement.kind {
        StatementKind::Output(_) => Ok(Type::Select),
        StatementKind::Setup(setup) => match setup {
            SetupKind::Attach(_) => Ok(Type::Attach),
            SetupKind::Detach => Ok(Type::Detach),
            SetupKind::Install | SetupKind::Load => Ok(Type::Load),
            SetupKind::Set | SetupKind::Reset | SetupKind::Use => Ok(Type::Set),
            SetupKind::Pragma => Err(Untold::Because(PRAGMA)),
            SetupKind::CreateTemp => Ok(Type::Create),
            SetupKind::WriteTemp => write(&verb(text, statement)),
        },
        StatementKind::Write { verb } => write(verb),
        StatementKind::Transaction => Ok(Type::Transaction),
        StatementKind::Other => other(&verb(text, statement)),
    }
}

fn write(verb: &str) -> Result<Type, Untold> {
    match verb.split(' ').next().unwrap_or_default() {
        "INSERT" => Ok(Type::Insert),
        "UPDATE" => Ok(Type::Update),
        "DELETE" | "TRUNCATE" => Ok(Type::Delete),
        "MERGE" => Ok(Type::MergeInto),
        "CREATE" => Ok(Type::Create),
        "DROP" => Ok(Type::Drop),
        "ALTER" | "COMMENT" => Ok(Type::Alter),
        "COPY" => Ok(Type::Copy),
        "DETACH" => Ok(Type::Detach),
        "EXPORT" => Ok(Type::Export),
        // Of the statements in its files, which it reads as it parses: no text here has one.
        "IMPORT" => Err(Untold::Because(EXPANDED)),
        _ => Err(Untold::Nothing),
    }
}

/// What managed mode has no word for is told by the word it begins with.
fn other(verb: &str) -> Result<Type, Untold> {
    match verb {
        "DESCRIBE" | "DESC" | "SUMMARIZE" | "SHOW" => Ok(Type::Select),
        "CALL" | "CHECKPOINT" | "FORCE" => Ok(Type::Call),
        "EXPLAIN" => Ok(Type::Explain),
        "PREPARE" => Ok(Type::Prepare),
        "EXECUTE" => Ok(Type::Execute),
        "DEALLOCATE" => Ok(Type::Drop),
        "CREATE" => Ok(Type::Create),
        "DETACH" => Ok(Type::Detach),
        "VACUUM" | "ANALYZE" | "ANALYSE" => Ok(Type::Vacuum),
        "UPDATE" => Ok(Type::UpdateExtensions),
        _ => Err(Untold::Nothing),
    }
}

/// The first word, in brackets or not; behind a WITH the verb that follows it.
fn verb(text: &str, statement: &Statement) -> String {
    let sql = statement.span.slice(text);
    let tokens = lex(sql, 0);
    let upper = |token: &Token| token.text(sql).to_ascii_uppercase();
    let mut all = tokens.iter().filter(|token| token.kind == TokenKind::Word);
    let first = all.next().map(upper).unwrap_or_default();
    if first != "WITH" {
        return first;
    }
    let mut depth = 0usize;
    let words = tokens.iter().filter(|token| {
        depth += usize::from(matches!(token.kind, TokenKind::Open(_)));
        depth -= usize::from(matches!(token.kind, TokenKind::Close(_))).min(depth);
        depth == 0 && token.kind == TokenKind::Word
    });
    let verbs = ["INSERT", "UPDATE", "DELETE", "MERGE"];
    words
        .map(upper)
        .find(|word| verbs.contains(&word.as_str()))
        .unwrap_or(first)
}
