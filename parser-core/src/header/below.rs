//! Annotation-looking comments below the header, where they mean nothing.

use super::BOM;
use super::annotation::{Comment, looks_like};
use super::keyword::Keyword;
use super::piece::{Line, Piece, comment, lines};
use crate::diagnostic::{Code, Diagnostic, Fix, TextEdit};
use crate::source::Span;

/// Diagnoses comment lines of the body, which starts at byte `start`, that read as annotations. The `comments` stand alone on
/// their lines.
pub fn read_below(text: &str, start: usize, comments: &[Span], diagnostics: &mut Vec<Diagnostic>) {
    let mut place = None;
    for comment in comments {
        let Some((keyword, found)) = annotation(line_of(text, *comment)) else {
            continue;
        };
        let place = place.get_or_insert_with(|| insertion(text, start));
        let mut below = Diagnostic::new(
            Code::LM019,
            found.span,
            format!(
                "this `{}` line stands below the header and is an ordinary comment",
                keyword.as_str()
            ),
        )
        .hint("annotations stand above the first statement");
        below.fix = Some(Fix {
            title: "Move into the header".to_owned(),
            edits: vec![
                TextEdit {
                    span: Span::at(place.at),
                    text: [found.line.piece.text().trim(), place.line_end].concat(),
                },
                found.removal(),
            ],
        });
        diagnostics.push(below);
    }
}

/// Where a comment goes that is moved into the header.
struct Insertion<'t> {
    at: usize,
    line_end: &'t str,
}

/// Below the last comment of the header, which ends at byte `end`.
fn insertion(text: &str, end: usize) -> Insertion<'_> {
    let bom = if text.starts_with(BOM) {
        BOM.len_utf8()
    } else {
        0
    };
    let at = lines(text, bom)
        .take_while(|line| line.next <= end)
        .filter(|line| comment(line.piece).is_some())
        .last()
        .map_or(bom, |line| line.next);
    let line_end = lines(text, 0).next().map_or("", |line| line.end);
    Insertion { at, line_end }
}

/// The line that a comment stands alone on.
fn line_of(text: &str, comment: Span) -> Line<'_> {
    let start = text[..comment.start]
        .rfind(['\n', '\r'])
        .map_or(0, |at| at + 1);
    lines(text, start).next().unwrap_or(Line {
        piece: Piece::new("", comment.start),
        end: "",
        next: comment.end,
    })
}

/// The annotation that a line of the body would be above it. Only `--` begins a comment there.
fn annotation(line: Line<'_>) -> Option<(Keyword, Comment<'_>)> {
    if !line.piece.text().trim_start().starts_with("--") {
        return None;
    }
    let found = Comment::new(comment(line.piece)?, line);
    let keyword = Keyword::read(found.word.text()).filter(|keyword| looks_like(*keyword, found))?;
    Some((keyword, found))
}
