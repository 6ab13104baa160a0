//! `data_test …`

use super::annotation::{Comment, dropped, dropping};
use super::keyword::Keyword;
use super::options::{Accepted, Options, list, shortened, unknown_value, unterminated};
use super::piece::Piece;
use super::reference::column_ref;
use super::schedule::duration_or_report;
use super::spelling::nearest;
use super::token::{Column, Token, column, items, tokens};
use crate::diagnostic::{Code, Diagnostic};
use crate::script::{Comparison, DataTest, Rule, Severity};
use crate::source::{Span, Spanned};

const BUILT_IN: [&str; 7] = [
    "unique",
    "not_null",
    "accepted_values",
    "relationships",
    "row_count",
    "freshness",
    "expression",
];
const SEVERITY: &str = "severity";
/// The greatest number of rows that the engine counts.
const MOST_ROWS: u64 = i64::MAX.unsigned_abs();

/// What follows `data_test`.
pub(super) fn read(
    rest: Piece<'_>,
    comment: Comment<'_>,
    out: &mut Vec<Diagnostic>,
) -> Option<DataTest> {
    let (head, more, options) = parts(rest);
    let rule = rule(head, more, comment, out);
    let severity = severity(options, comment, out);
    Some(DataTest {
        rule: rule?,
        severity,
    })
}

/// The first word, what the test is about, and its options.
pub(crate) fn parts(rest: Piece<'_>) -> (Piece<'_>, Piece<'_>, Piece<'_>) {
    let (mut head, mut more) = rest.word();
    // An operator needs no space before it.
    if let Some(operator) = rest.text().strip_prefix("row_count")
        && !comparison(Piece::new(operator, 0)).0.is_empty()
    {
        (head, more) = rest.taken(operator);
    }
    let is_list = head.text() == "accepted_values";
    let (more, options) = more.split_at(options_start(more, is_list));
    (head, more.trim_end(), options)
}

/// Where `severity=` stands in `text`. Before the `=` of a list of values it is the column.
fn options_start(text: Piece<'_>, is_list: bool) -> usize {
    let tokens: Vec<Token<'_>> = tokens(text).collect();
    for (at, token) in tokens.iter().enumerate().skip(usize::from(is_list)) {
        let name = match token {
            Token::Pair(pair) => pair.name,
            Token::Word(word) if tokens.get(at + 1).is_some_and(is_equals) => *word,
            Token::Word(_) | Token::Quoted { .. } => continue,
        };
        if name.text() == SEVERITY || nearest(name.text(), &[SEVERITY]).is_some() {
            let start = name.span().start - text.span().start;
            // In the quotes of a list's item it is text.
            let quotes = text.text()[..start].matches('"').count();
            if quotes.is_multiple_of(2) {
                return start;
            }
        }
    }
    text.text().len()
}

fn is_equals(token: &Token<'_>) -> bool {
    token.whole().text().starts_with('=')
}

fn severity(text: Piece<'_>, comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Severity {
    let options = Options::read(comment, text, &Accepted::names(&[SEVERITY]), out);
    match options.get(SEVERITY).map(|value| (value, value.text())) {
        None | Some((_, "error")) => Severity::Error,
        Some((_, "warn")) => Severity::Warn,
        Some((value, _)) => {
            let known = &["error", "warn"];
            out.push(unknown_value(SEVERITY, value, known, "error"));
            Severity::Error
        }
    }
}

fn rule(
    head: Piece<'_>,
    more: Piece<'_>,
    comment: Comment<'_>,
    out: &mut Vec<Diagnostic>,
) -> Option<Rule> {
    match head.text() {
        "" => malformed(
            comment.span,
            "the test is missing",
            "write `data_test unique <column>`, another built-in test, or the path of a script",
            out,
        ),
        "unique" => one_column(more, comment, out).map(|column| Rule::Unique { column }),
        "not_null" => one_column(more, comment, out).map(|column| Rule::NotNull { column }),
        "accepted_values" => accepted_values(more, comment, out),
        "relationships" => relationships(more, comment, out),
        "row_count" => row_count(more, comment, out),
        "freshness" => freshness(more, comment, out),
        "expression" => expression(more, comment, out),
        other if more.is_empty() => {
            if let Some(near) = nearest(other, &BUILT_IN).filter(|_| !other.contains('/')) {
                out.push(
                    Diagnostic::new(
                        Code::LM021,
                        head.span(),
                        format!("`{other}` is read as the path of a test script"),
                    )
                    .hint(format!(
                        "the built-in test is `{near}`, with more behind it"
                    )),
                );
            }
            Some(Rule::Custom {
                path: head.spanned(),
            })
        }
        other => {
            let found = dropped(
                Code::LM004,
                Keyword::DataTest,
                comment.span,
                &format!(
                    "`{}` is no built-in test, and a script's path stands alone",
                    shortened(other)
                ),
            )
            .hint(format!("built-in are `{}`", BUILT_IN.join("`, `")));
            out.push(match nearest(other, &BUILT_IN) {
                Some(near) => found.change(head.span(), near),
                None => found,
            });
            None
        }
    }
}

fn malformed<T>(span: Span, why: &str, hint: &str, out: &mut Vec<Diagnostic>) -> Option<T> {
    out.push(dropped(Code::LM004, Keyword::DataTest, span, why).hint(hint));
    None
}

fn name(column: Column<'_>, out: &mut Vec<Diagnostic>) -> Spanned<String> {
    if !column.closed {
        unterminated(column.name.span(), out);
    }
    column.name.spanned()
}

fn one_column(
    text: Piece<'_>,
    comment: Comment<'_>,
    out: &mut Vec<Diagnostic>,
) -> Option<Spanned<String>> {
    let hint = "write one column behind the test, in quotes when it has spaces";
    match column(text) {
        None => malformed(comment.span, "the column is missing", hint, out),
        Some(found) if !found.rest.is_empty() => {
            malformed(comment.span, "the test takes one column", hint, out)
        }
        Some(found) => Some(name(found, out)),
    }
}

/// A column and what follows `mark`, the first one outside the column's quotes.
fn column_and<'a>(text: Piece<'a>, mark: &str) -> Option<(Column<'a>, Piece<'a>)> {
    if text.text().starts_with(['"', '\'']) {
        let found = column(text)?;
        let behind = found.rest.text().strip_prefix(mark)?;
        return Some((found, found.rest.taken(behind).1.trim()));
    }
    let (left, right) = text.split_once(mark)?;
    let found = column(left).filter(|found| found.rest.is_empty())?;
    Some((found, right))
}

fn accepted_values(
    text: Piece<'_>,
    comment: Comment<'_>,
    out: &mut Vec<Diagnostic>,
) -> Option<Rule> {
    let hint = "write `data_test accepted_values <column> = a,b,\"c,d\"`";
    let Some((column, right)) = column_and(text, "=") else {
        return malformed(
            comment.span,
            "`accepted_values` needs one column, `=` and a list",
            hint,
            out,
        );
    };
    let values = if right.is_empty() {
        Vec::new()
    } else {
        list(items(right), out)
    };
    if values.is_empty() {
        return malformed(
            comment.span,
            "the list of accepted values is empty",
            hint,
            out,
        );
    }
    Some(Rule::AcceptedValues {
        column: name(column, out),
        values,
    })
}

fn relationships(text: Piece<'_>, comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<Rule> {
    let Some((column, right)) = column_and(text, "->") else {
        return malformed(
            comment.span,
            "`relationships` needs one column, `->` and a column of an asset",
            "write `data_test relationships <column> -> <asset>.<column>`",
            out,
        );
    };
    let to = or_dropped(out, |found| column_ref(right, Code::LM004, found))?;
    Some(Rule::Relationships {
        column: name(column, out),
        to,
    })
}

/// What `read` reads; its finding says that the line is dropped.
fn or_dropped<T>(
    out: &mut Vec<Diagnostic>,
    read: impl FnOnce(&mut Vec<Diagnostic>) -> Option<T>,
) -> Option<T> {
    let before = out.len();
    let value = read(out);
    if let Some(found) = out.get_mut(before) {
        found.severity = Code::LM004.severity();
        dropping(found, Keyword::DataTest);
    }
    value
}

/// The comparison that `text` begins with, whatever it means, and what stands behind it.
fn comparison(text: Piece<'_>) -> (Piece<'_>, Piece<'_>) {
    let is_part = |byte: &u8| matches!(byte, b'<' | b'>' | b'=' | b'!');
    let (operator, rest) = text.split_at(text.text().bytes().take_while(is_part).count());
    (operator, rest.trim())
}

fn row_count(text: Piece<'_>, comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<Rule> {
    let (operator, number) = comparison(text);
    let mut known = Comparison::ALL.into_iter();
    let comparison = known.find(|known| known.as_str() == operator.text());
    // As the engine counts.
    let rows = number.text().parse().ok().filter(|rows| *rows <= MOST_ROWS);
    if let (Some(comparison), Some(rows)) = (comparison, rows) {
        return Some(Rule::RowCount { comparison, rows });
    }
    malformed(
        comment.span,
        "`row_count` needs a comparison and a whole number",
        "write `data_test row_count >= <number>`, or `<=`, `=`, `<>`, `>`, `<`",
        out,
    )
}

fn freshness(text: Piece<'_>, comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<Rule> {
    let Some((column, age)) = column_and(text, "<=") else {
        return malformed(
            comment.span,
            "`freshness` needs one column, `<=` and a duration",
            "write `data_test freshness <column> <= 1d`",
            out,
        );
    };
    let age = or_dropped(out, |found| duration_or_report(age, found))?;
    Some(Rule::Freshness {
        column: name(column, out),
        age,
    })
}

fn expression(text: Piece<'_>, comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<Rule> {
    let is_quoted = text.text().starts_with(['"', '\'']);
    if let Some(sql) = column(text).filter(|found| is_quoted && found.rest.is_empty()) {
        return Some(Rule::Expression {
            sql: name(sql, out),
        });
    }
    let found = dropped(
        Code::LM004,
        Keyword::DataTest,
        comment.span,
        "`expression` needs one SQL expression in quotes",
    )
    .hint("write `data_test expression \"<SQL>\"`");
    let quote = ["\"", "'"]
        .into_iter()
        .find(|quote| !text.text().contains(*quote) && !text.is_empty());
    out.push(match quote {
        Some(quote) => {
            let quoted = [quote, text.text(), quote].concat();
            found.fix("Put it in quotes", text.span(), quoted)
        }
        None => found,
    });
    None
}
