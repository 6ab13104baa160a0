//! Slices of the script that remember where they stand, and the lines of the header.

use crate::source::{Span, Spanned, search};

/// A slice of the script's text and the byte where it starts there.
///
/// Every span of the header is made from pieces, so a span cannot leave the text or cut a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Piece<'a> {
    /// The slice `text` that starts at byte `at` of the script.
    pub(crate) const fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    pub(crate) const fn text(self) -> &'a str {
        self.text
    }

    pub(crate) const fn span(self) -> Span {
        Span::new(self.at, self.at + self.text.len())
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// An owned copy with its span.
    pub(crate) fn spanned(self) -> Spanned<String> {
        Spanned::new(self.text.to_owned(), self.span())
    }

    /// The piece cut at byte `at`, which must be a character boundary of it; else all and nothing.
    pub(crate) fn split_at(self, at: usize) -> (Self, Self) {
        match self.text.split_at_checked(at) {
            Some((head, tail)) => (Self::new(head, self.at), Self::new(tail, self.at + at)),
            None => (self, Self::new("", self.at + self.text.len())),
        }
    }

    /// What is left of it when a parser has left `rest`, a suffix of its text.
    pub(crate) fn taken(self, rest: &str) -> (Self, Self) {
        self.split_at(self.text.len() - rest.len())
    }

    pub(crate) fn trim_start(self) -> Self {
        let rest = self.text.trim_start();
        Self::new(rest, self.at + self.text.len() - rest.len())
    }

    pub(crate) fn trim_end(self) -> Self {
        Self::new(self.text.trim_end(), self.at)
    }

    pub(crate) fn trim(self) -> Self {
        self.trim_start().trim_end()
    }

    /// Its first word, up to white space, and the trimmed rest.
    pub(crate) fn word(self) -> (Self, Self) {
        let (head, tail) = self.split_at(
            self.text
                .find(char::is_whitespace)
                .unwrap_or(self.text.len()),
        );
        (head, tail.trim())
    }

    /// What stands before and after the first `mark`, both trimmed.
    pub(crate) fn split_once(self, mark: &str) -> Option<(Self, Self)> {
        let at = search::find(self.text, mark)?;
        let (head, tail) = self.split_at(at);
        Some((head.trim(), tail.split_at(mark.len()).1.trim()))
    }

    /// From the start of this piece to the end of `last`, a later piece of the same line.
    pub(crate) const fn through(self, last: Self) -> Span {
        Span::new(self.at, last.at + last.text.len())
    }
}

/// One line of the script, without its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// Its text.
    pub(crate) piece: Piece<'a>,
    /// What ends it; empty at the end of the text.
    pub(crate) end: &'a str,
    /// Where the next line starts.
    pub(crate) next: usize,
}

/// The lines of `text` from byte `at` on; LF, CRLF and a lone CR end one.
pub(crate) fn lines(text: &str, at: usize) -> impl Iterator<Item = Line<'_>> {
    let mut at = at;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        // Bytes, not characters: the body's lines are looked through too.
        let len = rest
            .bytes()
            .position(|byte| matches!(byte, b'\n' | b'\r'))
            .unwrap_or(rest.len());
        let end = match rest.as_bytes().get(len..) {
            Some([b'\r', b'\n', ..]) => 2,
            Some([_, ..]) => 1,
            Some([]) | None => 0,
        };
        let line = Line {
            piece: Piece::new(&rest[..len], at),
            end: &rest[len..len + end],
            next: at + len + end,
        };
        at = line.next;
        Some(line)
    })
}

/// The text of a comment behind its prefix; `None` when the line is no comment.
///
/// `---`, `///` and `##` are ordinary comments, which the empty result says.
pub(crate) fn comment(line: Piece<'_>) -> Option<Piece<'_>> {
    let line = line.trim();
    ["--", "//", "#"].iter().find_map(|prefix| {
        let rest = line.text().strip_prefix(prefix)?;
        let inner = line.taken(rest).1;
        let doubled = prefix
            .chars()
            .next()
            .is_some_and(|mark| rest.starts_with(mark));
        Some(if doubled {
            inner.split_at(inner.text().len()).1
        } else {
            inner.trim()
        })
    })
}
