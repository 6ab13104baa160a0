//! What a statement is (spec: body, "Managed mode").

use super::attach::attach;
use super::cursor::Cursor;
use super::session::{Effect, Session, Space};
use super::{OutputKind, SetupKind, StatementKind};
use crate::lex::{Token, TokenKind};
use crate::source::Spanned;

/// A statement's kind, and how it changes the session for those after it.
pub(super) struct Classified {
    pub(super) kind: StatementKind,
    pub(super) effect: Effect,
}

impl Classified {
    const fn plain(kind: StatementKind) -> Self {
        Self {
            kind,
            effect: Effect::None,
        }
    }

    const fn setup(kind: SetupKind, effect: Effect) -> Self {
        Self {
            kind: StatementKind::Setup(kind),
            effect,
        }
    }

    const fn other() -> Self {
        Self::plain(StatementKind::Other)
    }
}

/// Classifies the statement whose tokens, trivia left out, are `tokens`.
pub(super) fn classify(text: &str, tokens: &[Token], session: &Session) -> Classified {
    let mut cursor = Cursor::new(text, tokens);
    let bracketed = cursor.opening() > 0;
    let with = cursor.is("with");
    cursor.common_tables();
    // `WITH a AS (…) (SELECT …)`, `(((SELECT …)))`
    let bracketed = cursor.opening() > 0 || bracketed;
    if let Some(kind) = output(&cursor) {
        return Classified::plain(StatementKind::Output(kind));
    }
    if bracketed {
        return if cursor.is("with") {
            nested_with(cursor)
        } else {
            Classified::other()
        };
    }
    // `WITH … INSERT` is a write; nothing else than a write goes on from a WITH.
    if with
        && !["insert", "update", "delete", "merge"]
            .iter()
            .any(|word| cursor.is(word))
    {
        return Classified::other();
    }
    verb(cursor, session)
}

/// `WITH a AS (…) (WITH b AS (…) SELECT …)`: as deep as it goes.
fn nested_with(mut cursor: Cursor<'_>) -> Classified {
    while cursor.is("with") {
        cursor.common_tables();
        cursor.opening();
    }
    output(&cursor).map_or_else(Classified::other, |kind| {
        Classified::plain(StatementKind::Output(kind))
    })
}

fn output(cursor: &Cursor<'_>) -> Option<OutputKind> {
    const WORDS: [(&str, OutputKind); 8] = [
        ("select", OutputKind::Select),
        ("from", OutputKind::From),
        ("values", OutputKind::Values),
        ("table", OutputKind::Table),
        ("pivot", OutputKind::Pivot),
        ("pivot_wider", OutputKind::Pivot),
        ("unpivot", OutputKind::Unpivot),
        ("pivot_longer", OutputKind::Unpivot),
    ];
    WORDS
        .iter()
        .find(|(word, _)| cursor.is(word))
        .map(|&(_, kind)| kind)
}

fn verb(mut cursor: Cursor<'_>, session: &Session) -> Classified {
    let Some(token) = cursor.next() else {
        return Classified::other();
    };
    if token.kind != TokenKind::Word {
        return Classified::other();
    }
    let verb = token.text(cursor.text).to_ascii_uppercase();
    match verb.as_str() {
        "ATTACH" => match attach(&mut cursor) {
            Some(attach) => {
                let effect = Effect::Attach(
                    attach.alias_name().to_owned(),
                    attach.asset.clone(),
                    attach.again,
                );
                Classified::setup(SetupKind::Attach(attach), effect)
            }
            None => Classified::other(),
        },
        "DETACH" => detach(cursor, session),
        "INSTALL" => Classified::setup(SetupKind::Install, Effect::None),
        "FORCE" if cursor.is("install") => Classified::setup(SetupKind::Install, Effect::None),
        "LOAD" => Classified::setup(SetupKind::Load, Effect::None),
        "SET" => Classified::setup(SetupKind::Set, Effect::None),
        "RESET" => Classified::setup(SetupKind::Reset, Effect::None),
        "PRAGMA" => Classified::setup(SetupKind::Pragma, Effect::None),
        "USE" => {
            let parts = cursor
                .qualified_name()
                .into_iter()
                .map(|part| part.value)
                .collect();
            Classified::setup(SetupKind::Use, Effect::Use(parts))
        }
        "CREATE" => create(cursor, session),
        "BEGIN" | "START" | "COMMIT" | "END" | "ROLLBACK" | "ABORT" => {
            Classified::plain(StatementKind::Transaction)
        }
        "INSERT" => {
            let _ = cursor.eat_all(&["or", "replace"]) || cursor.eat_all(&["or", "ignore"]);
            cursor.eat("into");
            write(verb, cursor, session)
        }
        "UPDATE" if cursor.is("extensions") => Classified::other(),
        "UPDATE" => write(verb, cursor, session),
        "DELETE" => {
            cursor.eat("from");
            write(verb, cursor, session)
        }
        "TRUNCATE" => {
            cursor.eat("table");
            write(verb, cursor, session)
        }
        "MERGE" => {
            cursor.eat("into");
            write(verb, cursor, session)
        }
        "COPY" => copy(cursor, session),
        "DROP" | "ALTER" | "COMMENT" => change(verb, cursor, session),
        "EXPORT" | "IMPORT" => {
            let verb = if cursor.is("database") {
                format!("{verb} DATABASE")
            } else {
                verb
            };
            Classified::plain(StatementKind::Write { verb })
        }
        _ => Classified::other(),
    }
}

fn detach(mut cursor: Cursor<'_>, session: &Session) -> Classified {
    cursor.eat("database");
    cursor.eat_all(&["if", "exists"]);
    match cursor.name() {
        Some(alias) if session.has_attached(&alias.value) => {
            Classified::setup(SetupKind::Detach, Effect::Detach(alias.value))
        }
        Some(_) | None => Classified::other(),
    }
}

/// A write to the table whose name comes next.
fn write(verb: String, mut cursor: Cursor<'_>, session: &Session) -> Classified {
    let target = cursor.qualified_name();
    if session.is_temp(Space::Relation, &target) {
        Classified::setup(SetupKind::WriteTemp, Effect::None)
    } else {
        Classified::plain(StatementKind::Write { verb })
    }
}

/// `COPY t FROM …` fills a table; every other COPY leaves the session.
fn copy(mut cursor: Cursor<'_>, session: &Session) -> Classified {
    let target = cursor.qualified_name();
    if cursor.is_kind(TokenKind::Open(crate::lex::Bracket::Round)) {
        cursor.group();
    }
    if cursor.is("from") && session.is_temp(Space::Relation, &target) {
        Classified::setup(SetupKind::WriteTemp, Effect::None)
    } else {
        Classified::plain(StatementKind::Write {
            verb: "COPY".to_owned(),
        })
    }
}

/// The name space of an object word, when objects of that kind can be temporary.
fn space(object: &str) -> Option<Space> {
    match object {
        "TABLE" | "VIEW" | "SEQUENCE" => Some(Space::Relation),
        "MACRO" | "FUNCTION" => Some(Space::Macro),
        "TYPE" => Some(Space::Type),
        "SECRET" => Some(Space::Secret),
        _ => None,
    }
}

fn object_word(cursor: &mut Cursor<'_>) -> String {
    match cursor.peek() {
        Some(token) if token.kind == TokenKind::Word => {
            cursor.next();
            token.text(cursor.text).to_ascii_uppercase()
        }
        Some(_) | None => String::new(),
    }
}

fn create(mut cursor: Cursor<'_>, session: &Session) -> Classified {
    cursor.eat_all(&["or", "replace"]);
    let persistent = cursor.eat("persistent") | cursor.eat("unlogged");
    let _ = cursor.eat("local") || cursor.eat("global");
    let short = cursor.eat("temp");
    let temporary = short || cursor.eat("temporary");
    let _ = cursor.eat("recursive") || cursor.eat("unique") || cursor.eat("materialized");
    let object = object_word(&mut cursor);
    cursor.eat_all(&["if", "not", "exists"]);
    let name = cursor.qualified_name();
    let verb = format!("CREATE {object}").trim_end().to_owned();
    let Some(space) = space(&object) else {
        return match (temporary, object.as_str()) {
            (false, "SCHEMA" | "INDEX" | "DATABASE") => {
                Classified::plain(StatementKind::Write { verb })
            }
            _ => Classified::other(),
        };
    };
    // The engine knows CREATE TEMPORARY SECRET but not CREATE TEMP SECRET; a secret is temporary
    // unless it is said to be persistent.
    let is_temp = match space {
        Space::Secret if short => return Classified::other(),
        Space::Secret => !persistent,
        Space::Relation | Space::Macro | Space::Type => {
            temporary || (name.len() > 1 && session.is_temp(space, &name))
        }
    };
    if is_temp {
        let effect = name.last().map_or(Effect::None, |name| {
            Effect::CreateTemp(space, name.value.clone())
        });
        Classified::setup(SetupKind::CreateTemp, effect)
    } else {
        Classified::plain(StatementKind::Write { verb })
    }
}

/// `DROP`, `ALTER` and `COMMENT ON` of an object.
fn change(verb: String, mut cursor: Cursor<'_>, session: &Session) -> Classified {
    cursor.eat("on");
    let _ = cursor.eat("temporary") || cursor.eat("persistent");
    let object = object_word(&mut cursor);
    if object == "MACRO" || object == "FUNCTION" {
        cursor.eat("table");
    }
    cursor.eat_all(&["if", "exists"]);
    let name = cursor.qualified_name();
    let column_of = object == "COLUMN" && name.len() > 1;
    let target = if column_of {
        &name[..name.len() - 1]
    } else {
        &name[..]
    };
    let space = if column_of {
        Some(Space::Relation)
    } else {
        space(&object)
    };
    match space {
        Some(space) if session.is_temp(space, target) => Classified::setup(
            SetupKind::WriteTemp,
            change_effect(&verb, space, target, cursor),
        ),
        Some(_) | None => {
            let verb = format!("{verb} {object}").trim_end().to_owned();
            Classified::plain(StatementKind::Write { verb })
        }
    }
}

fn change_effect(
    verb: &str,
    space: Space,
    target: &[Spanned<String>],
    mut cursor: Cursor<'_>,
) -> Effect {
    let Some(old) = target.last().map(|name| name.value.clone()) else {
        return Effect::None;
    };
    if verb == "DROP" {
        return Effect::DropTemp(space, old);
    }
    if verb == "ALTER"
        && cursor.eat_all(&["rename", "to"])
        && let Some(new) = cursor.name()
    {
        return Effect::RenameTemp(space, old, new.value);
    }
    Effect::None
}
