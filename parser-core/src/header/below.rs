//! Annotation-looking comments below the header, where they mean nothing.

use super::BOM;
use super::annotation::{Comment, looks_like};
use super::keyword::Keyword;
use super::piece::{Line, comment, lines};
use crate::diagnostic::{Code, Diagnostic, Fix, TextEdit};
use crate::lex::{Lexer, TokenKind};
use crate::source::Span;

/// Diagnoses comment lines from byte `start` on that read as annotations.
///
/// Strings and block comments may hold such lines too, so the lexer has the last word; it is asked
/// only when some line looks right.
pub fn read_below(text: &str, start: usize, diagnostics: &mut Vec<Diagnostic>) {
    let mut suspects = lines(text, start).filter_map(annotation).peekable();
    if suspects.peek().is_none() {
        return;
    }
    let mut comments = Lexer::new(text, start)
        .filter(|token| token.kind == TokenKind::LineComment)
        .peekable();
    for (keyword, found) in suspects {
        // The comment's token starts at its `--`, before the annotation, on the same line.
        while comments
            .next_if(|token| token.span.end <= found.span.start)
            .is_some()
        {}
        if comments
            .peek()
            .is_none_or(|token| token.span.start > found.span.start)
        {
            continue;
        }
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
            edits: vec![inserted(text, start, found.line), found.removal()],
        });
        diagnostics.push(below);
    }
}

/// Inserts the comment on the line `moved` below the last comment of the header, which ends at `end`.
fn inserted(text: &str, end: usize, moved: Span) -> TextEdit {
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
    let first = lines(text, 0).next();
    let line_end = first.map_or("", |line| {
        Span::new(line.piece.span().end, line.next).slice(text)
    });
    TextEdit {
        span: Span::at(at),
        text: format!("{}{line_end}", moved.slice(text).trim()),
    }
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
