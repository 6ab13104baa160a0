use serde::{Deserialize, Serialize};

use super::Span;

/// A span as editors want it: bytes, UTF-16 code units, and 1-based lines and columns.
///
/// Lines end at LF, CRLF or a lone CR. Columns count UTF-16 code units from 1, as Monaco and LSP
/// clients do, so that JavaScript needs no arithmetic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Range {
    /// First UTF-8 byte.
    pub start: usize,
    /// One past the last UTF-8 byte.
    pub end: usize,
    /// First UTF-16 code unit.
    pub utf16_start: usize,
    /// One past the last UTF-16 code unit.
    pub utf16_end: usize,
    /// 1-based line of the start.
    pub start_line: usize,
    /// 1-based UTF-16 column of the start.
    pub start_column: usize,
    /// 1-based line of the end.
    pub end_line: usize,
    /// 1-based UTF-16 column of the end.
    pub end_column: usize,
}

/// Where the lines of one text begin, so that spans turn into [`Range`]s cheaply.
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// For each line: its first byte and its first UTF-16 code unit.
    starts: Vec<(usize, usize)>,
    /// For each non-ASCII character: the byte after it and how many bytes more than UTF-16 units
    /// the text up to there has. Empty for ASCII text.
    wide: Vec<(usize, usize)>,
    len: usize,
}

impl LineIndex {
    /// Indexes `text` in one pass.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![(0, 0)];
        let mut wide = Vec::new();
        let mut surplus = 0;
        let mut at = 0;
        while at < bytes.len() {
            at += plain(&bytes[at..]);
            let Some(&byte) = bytes.get(at) else { break };
            match byte {
                b'\n' => {
                    at += 1;
                    starts.push((at, at - surplus));
                }
                b'\r' => {
                    at += if bytes.get(at + 1) == Some(&b'\n') {
                        2
                    } else {
                        1
                    };
                    starts.push((at, at - surplus));
                }
                byte if byte < 0x80 => at += 1,
                byte => {
                    // UTF-8 length → UTF-16 length: 2→1, 3→1, 4→2.
                    let (utf8, utf16) = if byte >= 0xF0 {
                        (4, 2)
                    } else if byte >= 0xE0 {
                        (3, 1)
                    } else {
                        (2, 1)
                    };
                    at += utf8;
                    surplus += utf8 - utf16;
                    wide.push((at, surplus));
                }
            }
        }
        Self {
            starts,
            wide,
            len: bytes.len(),
        }
    }

    /// The UTF-16 offset of byte offset `at`; past the end it is the end's.
    #[must_use]
    pub fn utf16(&self, at: usize) -> usize {
        let at = at.min(self.len);
        let before = self.wide.partition_point(|&(end, _)| end <= at);
        let surplus = if before == 0 {
            0
        } else {
            self.wide[before - 1].1
        };
        at - surplus
    }

    /// The byte offset of UTF-16 offset `utf16`. Between the two units of a character it lies inside
    /// the character; past the end it is the end.
    #[must_use]
    pub fn byte(&self, utf16: usize) -> usize {
        let before = self
            .wide
            .partition_point(|&(end, surplus)| end - surplus <= utf16);
        let surplus = before.checked_sub(1).map_or(0, |last| self.wide[last].1);
        utf16.saturating_add(surplus).min(self.len)
    }

    /// 1-based line and UTF-16 column of byte offset `at`.
    #[must_use]
    pub fn line_column(&self, at: usize) -> (usize, usize) {
        let line = self
            .starts
            .partition_point(|&(start, _)| start <= at.min(self.len));
        (line, self.utf16(at) - self.starts[line - 1].1 + 1)
    }

    /// The full range of `span`.
    #[must_use]
    pub fn range(&self, span: Span) -> Range {
        let (start_line, start_column) = self.line_column(span.start);
        let (end_line, end_column) = self.line_column(span.end);
        Range {
            start: span.start,
            end: span.end,
            utf16_start: self.utf16(span.start),
            utf16_end: self.utf16(span.end),
            start_line,
            start_column,
            end_line,
            end_column,
        }
    }
}

/// How many bytes at the front, or some of them, are ASCII and end no line: eight at a time.
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    /// Above both line ends, below what text is made of.
    const LIMIT: u64 = 0x0E;
    let mut len = 0;
    for chunk in bytes.as_chunks::<8>().0 {
        let chunk = u64::from_le_bytes(*chunk);
        // A high bit is set where a byte is below the limit or above ASCII; never in vain for a byte before the first such.
        if (chunk.wrapping_sub(ONES * LIMIT) | chunk) & HIGH != 0 {
            break;
        }
        len += 8;
    }
    len
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf16_units() {
        let text = "a🦆é\r\nb\rc\n";
        let index = LineIndex::new(text);
        let duck = text.find('🦆').unwrap();
        assert_eq!(index.line_column(duck), (1, 2));
        assert_eq!(index.line_column(duck + 4), (1, 4));
        assert_eq!(index.line_column(text.find('b').unwrap()), (2, 1));
        assert_eq!(index.line_column(text.find('c').unwrap()), (3, 1));
        assert_eq!(index.line_column(text.len()), (4, 1));
    }

    proptest::proptest! {
        #[test]
        fn the_utf16_slice_is_the_byte_slice(text in "[a🦆é\u{301}\r\n]{0,40}") {
            let index = LineIndex::new(&text);
            let units: Vec<u16> = text.encode_utf16().collect();
            let mut ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            ends.push(text.len());
            for &start in &ends {
                assert_eq!(index.byte(index.utf16(start)), start);
                for &end in ends.iter().filter(|&&end| end >= start) {
                    let range = index.range(Span::new(start, end));
                    let slice = String::from_utf16(&units[range.utf16_start..range.utf16_end]).unwrap();
                    assert_eq!(slice, text[start..end]);
                }
            }
        }
    }
}
