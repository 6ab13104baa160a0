//! One line's annotation: the keyword's own grammar, independent of the lines around it.

use super::keyword::Keyword;
use super::piece::{Line, Piece};
use super::{lineage, materialize, partition, schedule, test, trigger};
use crate::diagnostic::{Code, Diagnostic, TextEdit};
use crate::script::{
    ColumnLineage, DataTest, Dimension, DurationText, Join, Materialize, Measure, Mute,
    Partitioned, Retry, Trigger,
};
use crate::source::{Span, Spanned};

/// A well-formed annotation.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Annotation {
    Pipeline,
    Macros,
    Use(String),
    Partitioned(Partitioned),
    Freshness(DurationText),
    Debounce(DurationText),
    Trigger(Join),
    Tag(String),
    Retry(Retry),
    Materialize(Box<Materialize>),
    DataTest(DataTest),
    Column(ColumnLineage),
    Measure(Measure),
    Dimension(Dimension),
    Mute(Mute),
    On(Trigger),
}

/// A comment line that begins with a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comment<'a> {
    /// Its first word.
    pub(super) word: Piece<'a>,
    /// What follows, trimmed.
    pub(super) rest: Piece<'a>,
    /// Word and rest.
    pub(super) text: Piece<'a>,
    /// Where they stand.
    pub(super) span: Span,
    /// Its whole line.
    pub(super) line: Line<'a>,
}

impl<'a> Comment<'a> {
    /// The comment with this trimmed text on `line`.
    pub(super) fn new(text: Piece<'a>, line: Line<'a>) -> Self {
        let (word, rest) = text.word();
        Self {
            word,
            rest,
            text,
            span: text.span(),
            line,
        }
    }

    /// The edit that removes it with its line.
    pub(super) fn removal(self) -> TextEdit {
        TextEdit {
            span: Span::new(self.line.piece.span().start, self.line.next),
            text: String::new(),
        }
    }

    /// The edit that puts a comment of `words` above it.
    pub(super) fn above(self, words: &str) -> TextEdit {
        let start = self.line.piece.span().start;
        let (prefix, _) = self.line.piece.split_at(self.span.start - start);
        let end = if self.line.end.is_empty() {
            "\n"
        } else {
            self.line.end
        };
        TextEdit {
            span: Span::at(start),
            text: [prefix.text(), words, end].concat(),
        }
    }
}

/// Reads `comment` as the annotation `keyword`. What is malformed gives `None` and a finding.
pub(super) fn read(
    keyword: Keyword,
    comment: Comment<'_>,
    out: &mut Vec<Diagnostic>,
) -> Option<Annotation> {
    let rest = comment.rest;
    match keyword {
        Keyword::Pipeline => alone(keyword, comment, out).then_some(Annotation::Pipeline),
        Keyword::Macros => alone(keyword, comment, out).then_some(Annotation::Macros),
        Keyword::Use => schedule::library(comment, out).map(Annotation::Use),
        Keyword::Partitioned => partition::read(comment, out).map(Annotation::Partitioned),
        Keyword::Freshness => {
            schedule::duration_line(keyword, comment, out).map(Annotation::Freshness)
        }
        Keyword::Debounce => {
            schedule::duration_line(keyword, comment, out).map(Annotation::Debounce)
        }
        Keyword::Trigger => schedule::join(comment, out).map(Annotation::Trigger),
        Keyword::Tag => schedule::tag(comment, out).map(Annotation::Tag),
        Keyword::Retry => schedule::retry(comment, out).map(Annotation::Retry),
        Keyword::Materialize => {
            materialize::read(comment, out).map(|found| Annotation::Materialize(Box::new(found)))
        }
        Keyword::DataTest => test::read(rest, comment, out).map(Annotation::DataTest),
        Keyword::Column => lineage::column(comment, out).map(Annotation::Column),
        Keyword::Measure => lineage::measure(comment, out).map(Annotation::Measure),
        Keyword::Dimension => lineage::dimension(comment, out).map(Annotation::Dimension),
        Keyword::Mute => trigger::mute(comment, out).map(Annotation::Mute),
        Keyword::On => trigger::on(comment, out).map(Annotation::On),
    }
}

/// Whether `comment` reads as the annotation `keyword` with nothing left over: what decides that a
/// comment was meant as one.
pub(super) fn looks_like(keyword: Keyword, comment: Comment<'_>) -> bool {
    let mut found = Vec::new();
    read(keyword, comment, &mut found).is_some()
        && found.iter().all(|found| found.code != Code::LM009)
}

/// The finding that drops a line.
pub(super) fn dropped(code: Code, keyword: Keyword, span: Span, why: &str) -> Diagnostic {
    Diagnostic::new(
        code,
        span,
        format!("{}, so the `{}` line is dropped", why, keyword.as_str()),
    )
    .hint(format!("write `{}`", keyword.shape()))
}

/// `dropped` for a finding that already says what to write.
pub(super) fn dropping(found: &mut Diagnostic, keyword: Keyword) {
    found.message = format!(
        "{}, so the `{}` line is dropped",
        found.message,
        keyword.as_str()
    );
}

fn alone(keyword: Keyword, comment: Comment<'_>, out: &mut Vec<Diagnostic>) -> bool {
    if comment.rest.is_empty() {
        return true;
    }
    let found = dropped(
        Code::LM006,
        keyword,
        comment.span,
        &format!("`{}` does not stand alone", keyword.as_str()),
    )
    .hint(format!("write `{}` alone on its line", keyword.as_str()));
    // What may stand in a library is another matter, so `macros` is no mechanical mend.
    out.push(if keyword == Keyword::Pipeline {
        let behind = Span::new(comment.word.span().end, comment.span.end);
        found.fix("Remove what stands behind it", behind, "")
    } else {
        found
    });
    false
}

/// `value` under the annotation's span.
pub(super) const fn at<T>(value: T, span: Span) -> Spanned<T> {
    Spanned { value, span }
}
