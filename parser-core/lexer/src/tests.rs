use proptest::prelude::*;

use super::*;
use pieces::pieces;

mod pieces;

fn shape(text: &str) -> Vec<(TokenKind, &str)> {
    lex(text, 0)
        .into_iter()
        .filter(|token| token.kind != TokenKind::Space)
        .map(|token| (token.kind, token.span.slice(text)))
        .collect()
}

#[test]
fn literals_hold_their_text() {
    for (text, kind) in [
        ("'a;''b'", TokenKind::String),
        ("'a\\'", TokenKind::String),
        ("E'a\\';b'", TokenKind::EscapeString),
        ("e'a''b\\\\'", TokenKind::EscapeString),
        ("x'ab;'", TokenKind::BitString),
        ("$$a;'$b$$", TokenKind::DollarString),
        ("$é$a;$$b$é$", TokenKind::DollarString),
        ("$_a1$x$a$_a1$", TokenKind::DollarString),
        ("\"a;\"\"b\"", TokenKind::QuotedIdent),
        ("/* a /* ; */ b */", TokenKind::BlockComment),
        ("-- a; 'b", TokenKind::LineComment),
        ("-- a\u{2028}\u{85}b", TokenKind::LineComment),
        ("a$b$c", TokenKind::Word),
        ("été", TokenKind::Word),
        ("🦆_1", TokenKind::Word),
        ("1_000.5e-3", TokenKind::Number),
        (".5", TokenKind::Number),
        ("1.e5", TokenKind::Number),
        ("$1", TokenKind::Parameter),
        ("$name", TokenKind::Parameter),
        ("?1", TokenKind::Parameter),
        ("#1", TokenKind::Positional),
        ("->>", TokenKind::Operator),
        ("//", TokenKind::Operator),
        (":=", TokenKind::Operator),
        ("::", TokenKind::Operator),
        ("'a;", TokenKind::Unterminated(Unterminated::String)),
        ("E'a\\'", TokenKind::Unterminated(Unterminated::String)),
        (
            "$a$ ; $$",
            TokenKind::Unterminated(Unterminated::DollarString),
        ),
        ("\"a;", TokenKind::Unterminated(Unterminated::Ident)),
        ("/* /* */ ;", TokenKind::Unterminated(Unterminated::Comment)),
        ("\\", TokenKind::Unknown),
        ("\u{b}", TokenKind::Unknown),
    ] {
        assert_eq!(shape(text), [(kind, text)], "{text}");
    }
}

#[test]
fn neighbours_part() {
    use TokenKind::{Dot, Number, Operator, Parameter, String, Word};
    for (text, expected) in [
        ("1..2", vec![(Number, "1"), (Dot, "."), (Number, ".2")]),
        ("0x1F", vec![(Number, "0"), (Word, "x1F")]),
        ("1__0", vec![(Number, "1"), (Word, "__0")]),
        ("12abc", vec![(Number, "12"), (Word, "abc")]),
        (
            "a=-1",
            vec![(Word, "a"), (Operator, "="), (Operator, "-"), (Number, "1")],
        ),
        ("a@-1", vec![(Word, "a"), (Operator, "@-"), (Number, "1")]),
        (
            "1-?",
            vec![(Number, "1"), (Operator, "-"), (Parameter, "?")],
        ),
        (
            "$E'\\''",
            vec![(Parameter, "$"), (TokenKind::EscapeString, "E'\\''")],
        ),
        ("a.b", vec![(Word, "a"), (Dot, "."), (Word, "b")]),
        ("'a''b' 'c'", vec![(String, "'a''b'"), (String, "'c'")]),
        (
            "1\u{a0}a\u{200b}b",
            vec![(Number, "1"), (Word, "a"), (Word, "b")],
        ),
        ("a\u{2028}b", vec![(Word, "a\u{2028}b")]),
        ("a\u{200d}b\u{200c}c", vec![(Word, "a\u{200d}b\u{200c}c")]),
    ] {
        assert_eq!(shape(text), expected, "{text}");
    }
    assert_eq!(shape("1--2\r;").last(), Some(&(TokenKind::Semicolon, ";")));
    assert_eq!(shape("1*/* ; */2").len(), 4);
}

#[test]
fn a_long_run_of_operator_characters_ends() {
    // Each sign is a token, and none is looked at more often than the bound says.
    assert_eq!(lex(&"+".repeat(100_000), 0).len(), 100_000);
    for length in 120..140 {
        for comment in ["-- x", "/* x */"] {
            let text = format!("{}{comment}", "<".repeat(length));
            assert_eq!(shape(&text).last().map(|(_, text)| *text), Some(comment));
        }
        let text = format!("<{}", "+".repeat(length));
        assert_eq!(shape(&text)[0], (TokenKind::Operator, "<"));
    }
}

#[test]
fn keywords_are_unquoted_words() {
    let keywords = |text| {
        lex(text, 0)
            .into_iter()
            .map(|token| token.keyword)
            .filter(Option::is_some)
            .collect::<Vec<_>>()
    };
    for word in [
        "from",
        "FROM",
        "From\u{202f}",
        "(from)",
        "from$1; 'from' from",
    ] {
        let expected = [Some(Keyword::From)];
        assert_eq!(keywords(word), expected, "{word}");
    }
    for word in ["fromé", "éfrom", "\"from\"", "$from", "from_", "unpivots"] {
        assert_eq!(keywords(word), [], "{word}");
    }
    for keyword in Keyword::all() {
        assert_eq!(Keyword::of(keyword.as_str()), Some(keyword));
        assert_eq!(
            Keyword::of(&keyword.as_str().to_ascii_uppercase()),
            Some(keyword)
        );
    }
}

#[test]
fn a_literal_goes_on_in_the_next_line() {
    let kinds = |text| {
        shape(text)
            .into_iter()
            .map(|(kind, _)| kind)
            .collect::<Vec<_>>()
    };
    let escape = TokenKind::EscapeString;
    assert_eq!(kinds("E'a'\n'b\\'c'"), [escape, escape]);
    assert_eq!(
        kinds("E'a' -- x\n'b\\'c'"),
        [escape, TokenKind::LineComment, escape]
    );
    assert_eq!(kinds("'a'\n'b\\'"), [TokenKind::String, TokenKind::String]);
    assert_eq!(kinds("E'a' 'b\\'")[1], TokenKind::String);
    assert_eq!(kinds("E'a'\n/**/'b\\'")[2], TokenKind::String);
}

#[test]
fn values_are_unescaped() {
    for (text, value) in [
        ("'it''s \\n'", "it's \\n"),
        (
            r"E'it\'s ''q'' \n\t\\ \x41\xC3\xa9\101'",
            "it's 'q' \n\t\\ AéA",
        ),
        ("$a$it's$a$", "it's"),
        ("$$$$", ""),
        ("''", ""),
        ("e''", ""),
    ] {
        assert_eq!(
            string_value(text, &lex(text, 0)[0]).as_deref(),
            Some(value),
            "{text}"
        );
    }
}

fn check_tiling(text: &str) {
    let mut at = 0;
    for token in lex(text, 0) {
        assert_eq!(token.span.start, at);
        assert!(
            token.span.end > at && text.is_char_boundary(token.span.end),
            "{token:?}"
        );
        at = token.span.end;
    }
    assert_eq!(at, text.len());
}

proptest! {
    #[test]
    fn tokens_tile_any_text(text in ".*") {
        check_tiling(&text);
    }

    #[test]
    fn tokens_tile_odd_texts_and_their_prefixes(text in pieces()) {
        for (end, _) in text.char_indices() {
            check_tiling(&text[..end]);
        }
        check_tiling(&text);
        for token in lex(&text, 0) {
            let _ = (string_value(&text, &token), token.name(&text));
        }
    }

    #[test]
    fn a_quoted_value_comes_back(value in ".*") {
        let text = format!("'{}'", value.replace('\'', "''"));
        let tokens = lex(&text, 0);
        assert_eq!(tokens.len(), 1);
        assert_eq!(string_value(&text, &tokens[0]), Some(value));
    }
}
