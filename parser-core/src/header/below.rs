//! Annotation-looking comments below the header, where they mean nothing.

use super::annotation::{Comment, looks_like};
use super::keyword::Keyword;
use super::piece::{Piece, comment, lines};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Lexer, TokenKind};

/// Diagnoses comment lines from byte `start` on that read as annotations.
///
/// Strings and block comments may hold such lines too, so the lexer has the last word; it is asked
/// only when some line looks right.
pub fn read_below(text: &str, start: usize, diagnostics: &mut Vec<Diagnostic>) {
    let mut suspects = lines(text, start)
        .filter_map(|line| annotation(line.piece))
        .peekable();
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

/// The annotation that a line of the body would be above it. Only `--` begins a comment there.
fn annotation(line: Piece<'_>) -> Option<(Keyword, Comment<'_>)> {
    if !line.text().trim_start().starts_with("--") {
        return None;
    }
    let found = Comment::new(comment(line)?);
    let keyword = Keyword::read(found.word.text()).filter(|keyword| looks_like(*keyword, found))?;
    Some((keyword, found))
}
