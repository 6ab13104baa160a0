//! Comments that were probably meant as annotations: a first word that is close to a keyword, or
//! that other tools use for the same thing, before a text that fits it.
//!
//! Prose must never be diagnosed, so a text fits only when the annotation reads it with nothing left
//! over, or would after the one mend that its own finding offers.

use super::annotation::{Annotation, Comment, looks_like, read};
use super::keyword::Keyword;
use super::piece::Piece;
use crate::diagnostic::{Code, Diagnostic, Fix, TextEdit};
use crate::script::{DataTest, Rule};
use crate::source::Span;

/// Words that stand for a keyword elsewhere. A colon may follow each.
const ELSEWHERE: [(&str, Keyword); 9] = [
    ("test", Keyword::DataTest),
    ("tests", Keyword::DataTest),
    ("partition", Keyword::Partitioned),
    ("partitions", Keyword::Partitioned),
    ("partition_by", Keyword::Partitioned),
    ("partitioned_by", Keyword::Partitioned),
    ("materialized", Keyword::Materialize),
    ("materialised", Keyword::Materialize),
    ("retries", Keyword::Retry),
];
/// Built-in tests whose names are no words of prose.
const TESTS: [&str; 4] = ["not_null", "accepted_values", "relationships", "row_count"];
/// Words that may stand needlessly between keyword and text.
const FILLERS: [&str; 2] = ["by", "as"];
/// A keyword that is no longer is one edit away from too many words to be guessed at.
const SHORT: usize = 3;

/// What to say about `comment`, whose first word is no keyword; nothing when it is prose.
pub(super) fn finding(comment: Comment<'_>) -> Option<Diagnostic> {
    let word = comment.word.text();
    let bare = word.strip_suffix(':').unwrap_or(word);
    let elsewhere = ELSEWHERE
        .iter()
        .filter(|(other, _)| *other == bare)
        .map(|(_, keyword)| *keyword);
    let (keyword, edits) = Keyword::near(word)
        .find_map(|keyword| Some((keyword, mend(keyword, comment, comment.rest)?)))
        .or_else(|| {
            let (filler, behind) = comment.rest.word();
            let text = if FILLERS.contains(&filler.text()) {
                behind
            } else {
                comment.rest
            };
            elsewhere.into_iter().find_map(|keyword| {
                let edits = mend(keyword, comment, text)?;
                (!is_custom_test(keyword, comment, text)).then_some((keyword, edits))
            })
        })
        .or_else(|| {
            let edits = TESTS
                .contains(&word)
                .then(|| mend(Keyword::DataTest, comment, comment.text))??;
            Some((Keyword::DataTest, edits))
        })?;
    let mut found = Diagnostic::new(
        Code::LM001,
        comment.word.span(),
        format!("`{word}` is no keyword, so the line is an ordinary comment"),
    );
    let keyword = keyword.as_str();
    let (hint, title) = if edits.first().is_some_and(|edit| edit.span.is_empty()) {
        (
            format!("`{keyword}` stands before it"),
            format!("Write `{keyword}` before it"),
        )
    } else {
        (
            format!("the keyword is spelled `{keyword}`"),
            format!("Change to `{keyword}`"),
        )
    };
    found.hint = Some(hint);
    found.fix = Some(Fix { title, edits });
    Some(found)
}

/// The edits that make `comment` the annotation `keyword` with `text` behind it; `None` when it does
/// not fit.
fn mend(keyword: Keyword, comment: Comment<'_>, text: Piece<'_>) -> Option<Vec<TextEdit>> {
    let start = comment.word.span().start;
    let mut edits = vec![if text.span().start == start {
        TextEdit {
            span: Span::at(start),
            text: format!("{} ", keyword.as_str()),
        }
    } else {
        let end = if text.is_empty() {
            comment.span.end
        } else {
            text.span().start
        };
        let space = if text.is_empty() { "" } else { " " };
        TextEdit {
            span: Span::new(start, end),
            text: format!("{}{space}", keyword.as_str()),
        }
    }];
    let comment = Comment {
        rest: text,
        ..comment
    };
    if looks_like(keyword, comment) {
        return Some(edits);
    }
    let mut found = Vec::new();
    if keyword.as_str().len() <= SHORT || read(keyword, comment, &mut found).is_some() {
        return None;
    }
    let [found] = found.as_slice() else {
        return None;
    };
    let is_slip = matches!(found.code, Code::LM002 | Code::LM003 | Code::LM018);
    let fix = found.fix.as_ref().filter(|_| is_slip)?;
    let [edit] = fix.edits.as_slice() else {
        return None;
    };
    let (before, _) = text.split_at(edit.span.start - text.span().start);
    let (_, behind) = text.split_at(edit.span.end - text.span().start);
    let mended = format!("{}{}{}", before.text(), edit.text, behind.text());
    let rest = Piece::new(&mended, 0);
    let fits = looks_like(keyword, Comment { rest, ..comment });
    edits.push(edit.clone());
    fits.then_some(edits)
}

/// `tests pending` is prose: any single word is the path of a test script.
fn is_custom_test(keyword: Keyword, comment: Comment<'_>, text: Piece<'_>) -> bool {
    let comment = Comment {
        rest: text,
        ..comment
    };
    matches!(
        read(keyword, comment, &mut Vec::new()),
        Some(Annotation::DataTest(DataTest {
            rule: Rule::Custom { .. },
            ..
        }))
    )
}
