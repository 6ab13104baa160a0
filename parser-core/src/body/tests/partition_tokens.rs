use proptest::prelude::*;

use super::body;
use crate::body::partition_tokens::{SubstituteError, substitute};
use crate::body::{PartitionValue, TokenPlace, read};
use crate::lex::{Token, TokenKind, lex, string_value};
use crate::partition::{Bounds, Slice, civil_time};
use crate::plan::sql::Piece;

fn slice(value: &str) -> Slice {
    let bounds = Bounds {
        start: civil_time(2024, 1, 1, 0, 0, 0).unwrap(),
        end: civil_time(2024, 1, 2, 6, 0, 0).unwrap(),
    };
    Slice {
        value: value.to_owned(),
        bounds: Some(bounds),
    }
}

fn sql(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Source { text, .. } | Piece::Substituted { text, .. } => text.as_str(),
        })
        .collect()
}

fn replaced(text: &str, value: &str) -> Result<String, SubstituteError> {
    substitute(text, &body(text).statements[0], Some(&slice(value))).map(|sql_| sql(&sql_.pieces))
}

#[test]
fn an_escaped_brace_begins_no_token() {
    let count = |text: &str| read(text, 0, &mut Vec::new()).statements[0].tokens.len();
    assert_eq!(count(r"SELECT E'\{partition}'"), 0);
    assert_eq!(count(r"SELECT E'\\{partition}'"), 1);
    assert_eq!(count(r"SELECT '\{partition}'"), 1);
}

#[test]
fn tokens_are_found_with_their_place() {
    use PartitionValue::{End, Identity, Start};
    use TokenPlace::{InDollarString, InEscapeString, InString, Literal};
    for (text, expected) in [
        (
            "SELECT {partition}",
            vec![("{partition}", Identity, Literal)],
        ),
        (
            "SELECT '{partition}'",
            vec![("'{partition}'", Identity, Literal)],
        ),
        (
            "SELECT E'{partition}'",
            vec![("E'{partition}'", Identity, Literal)],
        ),
        (
            "SELECT $a${partition}$a$",
            vec![("$a${partition}$a$", Identity, Literal)],
        ),
        (
            "SELECT '/{partition}/{partition}'",
            vec![("{partition}", Identity, InString); 2],
        ),
        (
            "SELECT E'\\'{partition}'",
            vec![("{partition}", Identity, InEscapeString)],
        ),
        (
            "SELECT $$ {partition}$$",
            vec![("{partition}", Identity, InDollarString)],
        ),
        (
            "SELECT {partition_start}, {partition_end}",
            vec![
                ("{partition_start}", Start, Literal),
                ("{partition_end}", End, Literal),
            ],
        ),
        (
            "SELECT TIMESTAMP '{partition_start}'",
            vec![("{partition_start}", Start, InString)],
        ),
        (
            "SELECT 'a'\n'{partition}'",
            vec![("{partition}", Identity, InString)],
        ),
        (
            "SELECT {'a': {partition}}",
            vec![("{partition}", Identity, Literal)],
        ),
        (
            "SELECT \"{partition}\", 1 -- {partition}\n/* {partition} */",
            vec![],
        ),
        (
            "SELECT { partition }, {Partition}, {partition_x}, '{partition', x'{partition}'",
            vec![],
        ),
        (
            "SELECT '{{partition}}'",
            vec![("{partition}", Identity, InString)],
        ),
    ] {
        let tokens = &body(text).statements[0].tokens;
        let found: Vec<_> = tokens
            .iter()
            .map(|token| (token.span.slice(text), token.value, token.place))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn values_are_escaped_for_their_place() {
    for (text, value, expected) in [
        ("SELECT {partition}", "it's", "SELECT 'it''s'"),
        ("SELECT '{partition}'", "it's", "SELECT 'it''s'"),
        (
            "SELECT 's3:///raw/{partition}/x'",
            "it's",
            "SELECT 's3:///raw/it''s/x'",
        ),
        ("SELECT E'a{partition}'", "\\'", "SELECT E'a\\\\'''"),
        ("SELECT $$ {partition}$$", "it's", "SELECT $$ it's$$"),
        (
            "SELECT {partition_start}",
            "x",
            "SELECT TIMESTAMP '2024-01-01 00:00:00'",
        ),
        (
            "SELECT '{partition_end}'",
            "x",
            "SELECT TIMESTAMP '2024-01-02 06:00:00'",
        ),
        (
            "SELECT 'to {partition_end}'",
            "x",
            "SELECT 'to 2024-01-02 06:00:00'",
        ),
        (
            "SELECT TIMESTAMP '{partition_end}'",
            "x",
            "SELECT TIMESTAMP '2024-01-02 06:00:00'",
        ),
        ("SELECT e{partition}", "\\", "SELECT e '\\'"),
        ("SELECT ''{partition}", "a", "SELECT ''('a')"),
        ("SELECT {partition}'b'", "a", "SELECT ('a')'b'"),
        ("SELECT E'a'\n{partition}", "\\", "SELECT E'a'\n('\\')"),
        ("SELECT {partition}\n{partition}", "a", "SELECT 'a'\n('a')"),
        ("SELECT {partition}, {partition}", "a", "SELECT 'a', 'a'"),
    ] {
        assert_eq!(replaced(text, value).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn what_has_no_value_is_an_error() {
    let text = "SELECT {partition_start}";
    let statement = &body(text).statements[0];
    assert!(matches!(
        substitute(text, statement, None),
        Err(SubstituteError::NoSlice { .. })
    ));
    let dynamic = Slice {
        value: "a".to_owned(),
        bounds: None,
    };
    assert!(matches!(
        substitute(text, statement, Some(&dynamic)),
        Err(SubstituteError::NoBounds { .. })
    ));
    assert!(matches!(
        replaced("SELECT {partition}", "a\0"),
        Err(SubstituteError::Nul { .. })
    ));
    for (text, value) in [
        ("SELECT $$ {partition}$$", "$$"),
        ("SELECT $$ {partition}$$", "a$"),
        ("SELECT $a$ $a{partition}$a$", "$; DROP"),
        ("SELECT $a$ {partition}a$ $a$", "$"),
    ] {
        assert!(
            matches!(
                replaced(text, value),
                Err(SubstituteError::ClosesDollarString { .. })
            ),
            "{text}"
        );
    }
    assert!(replaced("SELECT $a$ {partition}$a$, $$ $$", "$$").is_ok());
}

fn significant(text: &str) -> Vec<Token> {
    lex(text, 0)
        .into_iter()
        .filter(|token| !token.kind.is_trivia())
        .collect()
}

fn values() -> impl Strategy<Value = String> {
    prop_oneof![
        "[^\0]*",
        prop::collection::vec(
            prop::sample::select(vec![
                "'",
                "''",
                "\\",
                "$$",
                "$a$",
                "\n",
                "--",
                "/*",
                ";",
                "é",
                "{partition}",
                "\""
            ]),
            0..8
        )
        .prop_map(|parts| parts.concat()),
    ]
}

proptest! {
    #[test]
    fn the_literal_is_the_value(value in values()) {
        for text in ["SELECT {partition}", "SELECT '{partition}'", "SELECT E'{partition}'", "SELECT $${partition}$$", "SELECT E'\\n'\n{partition}"] {
            let sql = replaced(text, &value).unwrap();
            let tokens = significant(&sql);
            let last = tokens.iter().rfind(|token| token.kind.is_string()).unwrap();
            prop_assert_eq!(string_value(&sql, last), Some(value.clone()), "{}", sql);
        }
        for text in ["SELECT 'a{partition}b'", "SELECT E'a{partition}b'", "SELECT $é$a{partition}b$é$"] {
            if let Ok(sql) = replaced(text, &value) {
                let tokens = significant(&sql);
                prop_assert_eq!(tokens.len(), 2);
                prop_assert_eq!(string_value(&sql, &tokens[1]), Some(format!("a{value}b")));
            }
        }
    }

    /// The replaced statement has the tokens of the script's, but for the literals.
    #[test]
    fn no_value_changes_the_rest(text in super::pieces::pieces(), value in values()) {
        for statement in &read(&text, 0, &mut Vec::new()).statements {
            let Ok(done) = substitute(&text, statement, Some(&slice(&value))) else { continue };
            let source: String = done.pieces.iter().map(|piece| match piece {
                Piece::Source { text, .. } => text.as_str(),
                Piece::Substituted { span, .. } => span.slice(&text),
            }).collect();
            prop_assert_eq!(source, statement.span.slice(&text));

            let tame = substitute(&text, statement, Some(&slice("a"))).unwrap();
            let (tame, done) = (sql(&tame.pieces), sql(&done.pieces));
            let shape = |text: &str| significant(text).iter().map(|token| {
                let kept = if matches!(token.kind, TokenKind::String | TokenKind::EscapeString | TokenKind::DollarString) { "" } else { token.text(text) };
                (token.kind, kept.to_owned())
            }).collect::<Vec<_>>();
            prop_assert_eq!(shape(&tame), shape(&done), "{} / {}", tame, done);
        }
    }
}
