//! Types that a DuckLake cannot store, told before anything is written, and types that it stores as others.

use super::statement::Kept;
use crate::lex::is_in_name;

const INTERVAL: &str = "INTERVAL";

/// Why a type cannot be stored and what to cast it to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unstorable {
    /// What it is.
    pub(super) what: &'static str,
    /// The mend.
    pub(super) cast: &'static str,
}

/// Looks for an unstorable type anywhere in a type text such as `STRUCT(a INTEGER[2], "b c" ENUM('x'))`.
///
/// Quoted names and labels are skipped, so that a field called `UNION` is no UNION.
pub(super) fn problem(data_type: &str) -> Option<Unstorable> {
    search(data_type, &mut |before, word, _| match (before, word) {
        (_, INTERVAL) if data_type != INTERVAL => Some(Unstorable {
            what: "an INTERVAL inside another type",
            cast: "text, `::VARCHAR`, inside of it",
        }),
        _ => by_name(before, word),
    })
}

/// Why values of a type may come back from a lake's files changed, and what files hold of them.
pub(super) fn inexact(data_type: &str) -> Option<(Unstorable, Kept)> {
    let cast = |what, cast| Unstorable { what, cast };
    if data_type == INTERVAL {
        return Some((cast("an INTERVAL", "text, `::VARCHAR`"), Kept::Milliseconds));
    }
    let mut kept = String::new();
    let mut at = 0;
    let _ = search(data_type, &mut |_, word, start| {
        if matches!(word, "HUGEINT" | "UHUGEINT") {
            kept.push_str(&data_type[at..start]);
            kept.push_str("DOUBLE");
            at = start + word.len();
        }
        None
    });
    (at > 0).then(|| {
        kept.push_str(&data_type[at..]);
        let huge = cast("a HUGEINT", "`::BIGINT` or `::DECIMAL(38, 0)`");
        (huge, Kept::As(kept))
    })
}

/// Hands each word that is no name to `by_name`: the word before, the word, and where it starts.
fn search(
    data_type: &str,
    by_name: &mut dyn FnMut(&str, &str, usize) -> Option<Unstorable>,
) -> Option<Unstorable> {
    let mut rest = data_type;
    // In STRUCT(…) and UNION(…) a name stands before each type; names may be unquoted.
    let mut nesting: Vec<bool> = Vec::new();
    let mut expect_name = false;
    let mut last_word = "";
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        match c {
            '"' | '\'' => {
                taken = quoted_len(rest, c);
                if c == '"' {
                    expect_name = false;
                }
            }
            '(' => {
                let named = last_word.eq_ignore_ascii_case("STRUCT");
                nesting.push(named);
                expect_name = named;
                if named && starts_with_type_only(&rest[1..]) {
                    return Some(Unstorable {
                        what: "an unnamed row",
                        cast: "a struct with names, `{'a': …, 'b': …}`",
                    });
                }
            }
            ')' => {
                nesting.pop();
                expect_name = false;
            }
            ',' => expect_name = nesting.last().copied().unwrap_or(false),
            '[' => {
                let inside = rest[1..].chars().next();
                if inside.is_some_and(|c| c.is_ascii_digit()) {
                    return Some(Unstorable {
                        what: "a fixed-size array",
                        cast: "a list, `::INTEGER[]`",
                    });
                }
            }
            c if is_in_name(c) => {
                taken = rest.find(|c| !is_in_name(c)).unwrap_or(rest.len());
                let word = &rest[..taken];
                if expect_name {
                    expect_name = false;
                    last_word = "";
                } else {
                    let start = data_type.len() - rest.len();
                    if let Some(found) = by_name(last_word, word, start) {
                        return Some(found);
                    }
                    last_word = word;
                }
            }
            _ => {}
        }
        rest = &rest[taken..];
    }
    None
}

/// `STRUCT(INTEGER, VARCHAR)`: the first field is a single word followed by `,` or `)`.
fn starts_with_type_only(fields: &str) -> bool {
    if fields.starts_with('"') {
        return false;
    }
    let end = fields.find(|c| !is_in_name(c)).unwrap_or(fields.len());
    matches!(
        fields[end..].chars().next(),
        None | Some(',' | ')' | '(' | '[')
    )
}

fn quoted_len(text: &str, quote: char) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        if bytes[at] == quote as u8 {
            if bytes.get(at + 1) == Some(&(quote as u8)) {
                at += 1;
            } else {
                return at + 1;
            }
        }
        at += 1;
    }
    text.len()
}

/// By the word before (`TIME` of `TIME WITH TIME ZONE`) and the word.
fn by_name(before: &str, word: &str) -> Option<Unstorable> {
    let cast = |what, cast| Some(Unstorable { what, cast });
    match word {
        "WITH" if before == "TIME" => cast(
            "the zone of a TIME WITH TIME ZONE",
            "`::TIME`, or text, `::VARCHAR`",
        ),
        "UNION" => cast("a UNION", "a struct or JSON, `to_json(…)`"),
        "ENUM" => cast("an ENUM", "text, `::VARCHAR`"),
        "BIT" => cast("a BIT string", "text, `::VARCHAR`"),
        "BIGNUM" | "VARINT" => cast("a BIGNUM", "`::DECIMAL(38, 0)` or text, `::VARCHAR`"),
        "TIME_NS" => cast("a TIME_NS", "`::TIME`"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_unstorable_types_at_any_depth() {
        for data_type in [
            "INTEGER[2]",
            "INTEGER[2][]",
            "STRUCT(a INTEGER[3])",
            "UNION(num INTEGER, str VARCHAR)",
            "ENUM('a', 'b')",
            "MAP(VARCHAR, BIT)",
            "BIGNUM",
            "TIME_NS",
            "STRUCT(INTEGER, VARCHAR)",
            "STRUCT(STRUCT(a INTEGER), VARCHAR)",
            "TIME WITH TIME ZONE",
            "MAP(VARCHAR, TIME WITH TIME ZONE[])",
            "STRUCT(a INTERVAL)",
            "INTERVAL[]",
        ] {
            assert!(problem(data_type).is_some(), "{data_type}");
        }
    }

    #[test]
    fn finds_inexact_types_at_any_depth() {
        for (data_type, kept) in [
            ("HUGEINT", "DOUBLE"),
            ("UHUGEINT[]", "DOUBLE[]"),
            (
                "MAP(UHUGEINT, STRUCT(a HUGEINT, \"HUGEINT\" INTEGER))",
                "MAP(DOUBLE, STRUCT(a DOUBLE, \"HUGEINT\" INTEGER))",
            ),
        ] {
            assert_eq!(inexact(data_type).unwrap().1, Kept::As(kept.to_owned()));
        }
        assert_eq!(inexact("INTERVAL").unwrap().1, Kept::Milliseconds);
        for data_type in [
            "TIME",
            "TIMESTAMP WITH TIME ZONE",
            "STRUCT(a TIME, b TIMESTAMP WITH TIME ZONE)",
            "STRUCT(\"INTERVAL\" INTEGER, HUGEINT VARCHAR)",
        ] {
            assert_eq!(inexact(data_type), None, "{data_type}");
        }
    }

    #[test]
    fn accepts_storable_types_and_odd_names() {
        for data_type in [
            "INTEGER",
            "DECIMAL(38,2)",
            "STRUCT(\"UNION\" INTEGER, \"ENUM(\"\"x\" VARCHAR)",
            "STRUCT(bit INTEGER, BIT2 VARCHAR)",
            "STRUCT(BIT INTEGER)",
            "MAP(VARCHAR, INTEGER[])",
            "TIMESTAMP WITH TIME ZONE",
            "INTERVAL",
            "VARIANT",
            "STRUCT(a STRUCT(b DECIMAL(3,1)[]))",
            "",
        ] {
            assert_eq!(problem(data_type), None, "{data_type}");
        }
    }
}
