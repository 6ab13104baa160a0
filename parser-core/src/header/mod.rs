//! The header: annotation lines at the top of a script (grammar: where annotations live).
//!
//! Reading is total and linear: each line is looked at once, whatever stands on it. A malformed line
//! gives a finding and no annotation.

mod annotation;
mod below;
pub(crate) mod keyword;
mod lineage;
mod materialize;
mod meant;
mod options;
mod own_line;
mod partition;
pub(crate) mod piece;
mod reader;
pub(crate) mod reference;
mod schedule;
mod spelling;
pub(crate) mod test;
#[cfg(test)]
mod tests;
pub(crate) mod token;
mod trigger;

use crate::diagnostic::Diagnostic;
use crate::script::Header;
use crate::source::Span;

pub use below::read_below;
pub use keyword::Keyword;

/// A byte order mark may stand before the header.
pub(crate) const BOM: char = '\u{feff}';

/// Reads the header of `text`. The header's `span` says where the body begins.
#[must_use]
pub fn read(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Header {
    let mut reader = reader::Reader::new(diagnostics);
    let start = if text.starts_with(BOM) {
        BOM.len_utf8()
    } else {
        0
    };
    let mut end = text.len();
    for line in piece::lines(text, start) {
        let at = line.piece.span().start;
        if line.piece.text().trim().is_empty()
            || (at == start && line.piece.text().starts_with("#!"))
        {
            continue;
        }
        match piece::comment(line.piece) {
            Some(comment) => reader.comment(comment, line),
            None => {
                end = at;
                break;
            }
        }
    }
    reader.finish(Span::new(0, end))
}
