//! Annotation-looking comments below the header, where they mean nothing.

use super::annotation::{Comment, looks_like};
use super::keyword::Keyword;
use super::piece::{Piece, comment};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Diagnoses the line comments `comments` of the body that read as annotations.
///
/// The spans cover whole comments, `--` included, without the line's end; the caller knows the
/// body's strings and block comments, and gives only comments that begin a line.
pub fn read_below(
    text: &str,
    comments: impl Iterator<Item = Span>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for span in comments {
        let Some(inner) = comment(Piece::new(span.slice(text), span.start)) else {
            continue;
        };
        let found = Comment::new(inner);
        let Some(keyword) =
            Keyword::read(found.word.text()).filter(|keyword| looks_like(*keyword, found))
        else {
            continue;
        };
        diagnostics.push(
            Diagnostic::new(
                Code::LM019,
                found.span,
                format!(
                    "this `{}` line stands below the header and is an ordinary comment",
                    keyword.as_str()
                ),
            )
            .hint("annotations stand above the first statement"),
        );
    }
}
