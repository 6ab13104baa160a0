//! What a byte can begin, and what it can go on with: one table, asked once a byte.

/// What the first byte of a token says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    Space,
    /// ASCII letters and `_`.
    Word,
    Digit,
    Operator,
    /// A byte of a character above ASCII: a word, or one of the engine's spaces.
    Wide,
    /// Brackets, quotes, and what has a rule of its own.
    Mark,
}

/// May stand in a word behind its first byte.
const IN_WORD: u8 = 1 << 3;
const OPERATOR: u8 = 1 << 4;

/// The low bits are a [`First`].
const TABLE: [u8; 256] = {
    let mut table = [First::Mark as u8; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        table[at] = match byte {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0C => First::Space as u8,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => First::Word as u8 | IN_WORD,
            b'0'..=b'9' => First::Digit as u8 | IN_WORD,
            b'$' => First::Mark as u8 | IN_WORD,
            // `-` and `/` may begin a comment.
            b'-' | b'/' => First::Mark as u8 | OPERATOR,
            b'~' | b'!' | b'@' | b'^' | b'&' | b'|' | b'`' | b'+' | b'*' | b'%' | b'<' | b'>'
            | b'=' => First::Operator as u8 | OPERATOR,
            0x80.. => First::Wide as u8,
            _ => First::Mark as u8,
        };
        at += 1;
    }
    table
};

pub(crate) const fn first(byte: u8) -> First {
    match TABLE[byte as usize] & 7 {
        0 => First::Space,
        1 => First::Word,
        2 => First::Digit,
        3 => First::Operator,
        4 => First::Wide,
        _ => First::Mark,
    }
}

/// Letters, digits, `_`, `$`.
pub(crate) const fn is_in_word(byte: u8) -> bool {
    TABLE[byte as usize] & IN_WORD != 0
}

/// Whether a character may stand in an unquoted name behind its first: ASCII letters, digits, `_`, and everything above ASCII
/// but white space. (Which of those are letters, only tables of many kilobytes tell.)
#[must_use]
pub fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !(c.is_ascii() || c.is_whitespace())
}

pub(crate) const fn is_operator(byte: u8) -> bool {
    TABLE[byte as usize] & OPERATOR != 0
}

pub(crate) const fn is_space(byte: u8) -> bool {
    TABLE[byte as usize] & 7 == First::Space as u8
}
