//! `data_test …`

use super::annotation::{Comment, dropped, dropping};
use super::keyword::Keyword;
use super::options::{list, shortened, unterminated};
use super::piece::Piece;
use super::reference::column_ref;
use super::spelling::nearest;
use super::token::{Column, column, items};
use crate::diagnostic::{Code, Diagnostic};
use crate::script::DataTest;
use crate::source::{Span, Spanned};

const BUILT_IN: [&str; 4] = ["unique", "not_null", "accepted_values", "relationships"];

/// What follows `data_test`.
pub(super) fn read(
    rest: Piece<'_>,
    comment: Comment<'_>,
    out: &mut Vec<Diagnostic>,
) -> Option<DataTest> {
    let (head, more) = rest.word();
    match head.text() {
        "" => malformed(
            comment.span,
            "the test is missing",
            "write `data_test unique <column>`, another built-in test, or the path of a script",
            out,
        ),
        "unique" => {
            one_column("unique", more, comment, out).map(|column| DataTest::Unique { column })
        }
        "not_null" => {
            one_column("not_null", more, comment, out).map(|column| DataTest::NotNull { column })
        }
        "accepted_values" => accepted_values(more, comment, out),
        "relationships" => relationships(more, comment, out),
        other if more.is_empty() => {
            if let Some(near) = nearest(other, &BUILT_IN).filter(|_| !other.contains('/')) {
                out.push(
                    Diagnostic::new(
                        Code::LM021,
                        head.span(),
                        format!("`{other}` is read as the path of a test script"),
                    )
                    .hint(format!("the built-in test is `{near}`, with a column")),
                );
            }
            Some(DataTest::Custom {
                path: head.spanned(),
            })
        }
        other => {
            let found = dropped(
                Code::LM004,
                Keyword::DataTest,
                comment.span,
                format!(
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
    test: &str,
    text: Piece<'_>,
    comment: Comment<'_>,
    out: &mut Vec<Diagnostic>,
) -> Option<Spanned<String>> {
    let hint =
        format!("write `data_test {test} <column>`, the column in quotes when it has spaces");
    match column(text) {
        None => malformed(comment.span, "the column is missing", &hint, out),
        Some(found) if !found.rest.is_empty() => malformed(
            comment.span,
            &format!("`{test}` takes one column"),
            &hint,
            out,
        ),
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
) -> Option<DataTest> {
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
    Some(DataTest::AcceptedValues {
        column: name(column, out),
        values,
    })
}

fn relationships(
    text: Piece<'_>,
    comment: Comment<'_>,
    out: &mut Vec<Diagnostic>,
) -> Option<DataTest> {
    let Some((column, right)) = column_and(text, "->") else {
        return malformed(
            comment.span,
            "`relationships` needs one column, `->` and a column of an asset",
            "write `data_test relationships <column> -> <asset>.<column>`",
            out,
        );
    };
    let mut found = Vec::new();
    let to = column_ref(right, Code::LM004, &mut found);
    out.extend(
        found
            .into_iter()
            .map(|found| dropping(found, Keyword::DataTest)),
    );
    let to = to?;
    Some(DataTest::Relationships {
        column: name(column, out),
        to,
    })
}
