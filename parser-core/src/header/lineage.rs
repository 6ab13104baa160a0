//! Declared lineage and the semantic layer: `column`, `measure`, `dimension`.

use super::annotation::{Comment, dropped};
use super::keyword::Keyword;
use super::options::unterminated;
use super::piece::Piece;
use super::reference::column_refs;
use super::token::{Column, column as column_name};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::is_in_name;
use crate::script::{ColumnLineage, Dimension, Measure};

/// `column <out> <- <asset>.<col>[, …]`
pub(super) fn column(comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<ColumnLineage> {
    let sides = comment
        .rest
        .split_once("<-")
        .and_then(|(left, right)| Some((single(left)?, right)));
    let Some((name, right)) = sides else {
        let found = dropped(
            Code::LM023,
            Keyword::Column,
            comment.span,
            "lineage needs one output column, `<-` and its inputs",
        );
        out.push(match other_arrow(comment.rest) {
            Some(arrow) => found.fix("Change to `<-`", arrow.span(), "<-"),
            None => found,
        });
        return None;
    };
    if right.is_empty() {
        out.push(dropped(
            Code::LM023,
            Keyword::Column,
            comment.span,
            "the inputs are missing",
        ));
        return None;
    }
    if !name.closed {
        unterminated(name.name.span(), out);
    }
    let inputs = column_refs(right, Code::LM022, out);
    if inputs.is_empty() {
        out.push(dropped(
            Code::LM023,
            Keyword::Column,
            comment.span,
            "no input is well-formed",
        ));
        return None;
    }
    Some(ColumnLineage {
        column: name.name.spanned(),
        inputs,
    })
}

/// What stands where `<-` should, between one column and well-formed inputs.
fn other_arrow(text: Piece<'_>) -> Option<Piece<'_>> {
    let mark = ["< -", "->", "<=", "="]
        .into_iter()
        .find(|mark| text.text().contains(mark))?;
    let (left, right) = text.split_at(text.text().find(mark)?);
    let (arrow, right) = right.split_at(mark.len());
    let mut found = Vec::new();
    single(left)?;
    column_refs(right.trim(), Code::LM022, &mut found);
    found.is_empty().then_some(arrow)
}

/// The one name that `text` is.
fn single(text: Piece<'_>) -> Option<Column<'_>> {
    column_name(text).filter(|found| found.rest.is_empty())
}

/// Name and expression on both sides of the first `=`.
fn entry<'a>(
    keyword: Keyword,
    comment: Comment<'a>,
    out: &mut Vec<Diagnostic>,
) -> Option<(Column<'a>, Piece<'a>)> {
    let sides = comment
        .rest
        .split_once("=")
        .and_then(|(left, right)| Some((single(left)?, right)));
    match sides {
        Some((name, right)) if !right.is_empty() => Some((name, right)),
        Some(_) => {
            out.push(dropped(
                Code::LM024,
                keyword,
                comment.span,
                "the expression is missing",
            ));
            None
        }
        None => {
            out.push(dropped(
                Code::LM024,
                keyword,
                comment.span,
                &format!(
                    "a {} needs one name, `=` and an expression",
                    keyword.as_str()
                ),
            ));
            None
        }
    }
}

/// `dimension <name> = <expr>`
pub(super) fn dimension(comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<Dimension> {
    let (name, expr) = entry(Keyword::Dimension, comment, out)?;
    Some(Dimension {
        name: name.name.spanned(),
        expr: expr.spanned(),
    })
}

/// `measure <name> = <expr> [where <pred>]`
pub(super) fn measure(comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> Option<Measure> {
    let (name, right) = entry(Keyword::Measure, comment, out)?;
    let Some(at) = top_level_where(right.text()) else {
        return Some(Measure {
            name: name.name.spanned(),
            expr: right.spanned(),
            filter: None,
        });
    };
    let (expr, tail) = right.split_at(at);
    let (expr, filter) = (expr.trim(), tail.split_at("where".len()).1.trim());
    if expr.is_empty() || filter.is_empty() {
        let missing = if expr.is_empty() {
            "expression"
        } else {
            "predicate behind `where`"
        };
        out.push(dropped(
            Code::LM024,
            Keyword::Measure,
            comment.span,
            &format!("the {missing} is missing"),
        ));
        return None;
    }
    Some(Measure {
        name: name.name.spanned(),
        expr: expr.spanned(),
        filter: Some(filter.spanned()),
    })
}

/// Where the word `where`, in any case, stands outside quotes and brackets: that of
/// `sum(x) filter (where y)` belongs to the expression.
fn top_level_where(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, &byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (Some(open), _) => {
                if byte == open {
                    quote = None;
                }
            }
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            (None, b'w' | b'W') if depth == 0 && is_where(text, at) => return Some(at),
            (None, _) => {}
        }
    }
    None
}

fn is_where(text: &str, at: usize) -> bool {
    let part = |c: char| is_in_name(c) || c == '.';
    text.get(at..at + 5)
        .is_some_and(|word| word.eq_ignore_ascii_case("where"))
        && !text[..at].ends_with(part)
        && !text[at + 5..].starts_with(part)
}
