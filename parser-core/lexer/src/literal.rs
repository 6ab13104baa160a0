//! What a string literal means.

use crate::{Token, TokenKind};

/// The value of a string literal's token; `None` for any other token.
///
/// The engine refuses `\u` and bytes above ASCII (`\xC3\xA9`) in an `E'…'` literal; here they give
/// some value all the same, with U+FFFD for what is no UTF-8.
#[must_use]
pub fn string_value(text: &str, token: &Token) -> Option<String> {
    let literal = token.text(text);
    match token.kind {
        TokenKind::String => between(literal, 1, 1).map(|inner| undoubled(inner, '\'')),
        TokenKind::EscapeString => {
            let open = if literal.starts_with('\'') { 1 } else { 2 };
            between(literal, open, 1).map(unescape)
        }
        TokenKind::DollarString => {
            let open = 2 + literal.get(1..)?.find('$')?;
            between(literal, open, open).map(str::to_owned)
        }
        TokenKind::Space
        | TokenKind::LineComment
        | TokenKind::BlockComment
        | TokenKind::BitString
        | TokenKind::QuotedIdent
        | TokenKind::Word
        | TokenKind::Number
        | TokenKind::Parameter
        | TokenKind::Positional
        | TokenKind::Operator
        | TokenKind::Open(_)
        | TokenKind::Close(_)
        | TokenKind::Comma
        | TokenKind::Semicolon
        | TokenKind::Dot
        | TokenKind::Unterminated(_)
        | TokenKind::Unknown => None,
    }
}

/// The text between two quotes: in it a doubled quote stands for one.
#[must_use]
pub fn undoubled(inner: &str, quote: char) -> String {
    let mut value = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find(quote) {
        let (head, tail) = rest.split_at(at + 1);
        value.push_str(head);
        rest = tail.strip_prefix(quote).unwrap_or(tail);
    }
    value.push_str(rest);
    value
}

fn between(literal: &str, open: usize, close: usize) -> Option<&str> {
    literal.get(open..literal.len().checked_sub(close)?)
}

fn unescape(inner: &str) -> String {
    // `\x` and octal escapes are bytes of UTF-8, not characters.
    let mut value = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find(['\\', '\'']) {
        value.extend_from_slice(&rest.as_bytes()[..at]);
        // What follows: an escape, or the second half of a doubled quote.
        let escaped = &rest[at + 1..];
        let Some(next) = escaped.chars().next() else {
            rest = "";
            break;
        };
        rest = &escaped[next.len_utf8()..];
        match next {
            'b' => value.push(0x08),
            'f' => value.push(0x0C),
            'n' => value.push(b'\n'),
            'r' => value.push(b'\r'),
            't' => value.push(b'\t'),
            'x' => rest = push_byte(&mut value, rest, 16, 2),
            '0'..='7' => rest = push_byte(&mut value, escaped, 8, 3),
            other => value.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    value.extend_from_slice(rest.as_bytes());
    // The engine refuses a literal whose bytes are no text.
    String::from_utf8(value).unwrap_or_else(|_| inner.to_owned())
}

fn push_byte<'t>(value: &mut Vec<u8>, rest: &'t str, radix: u32, most: usize) -> &'t str {
    let len = rest
        .bytes()
        .take(most)
        .take_while(|byte| char::from(*byte).is_digit(radix))
        .count();
    let (digits, after) = rest.split_at(len);
    let digits = digits.chars().filter_map(|digit| digit.to_digit(radix));
    if len > 0 {
        // Octal 777 is more than a byte; the engine keeps the low one.
        value.push((digits.fold(0, |code, digit| code * radix + digit) & 0xFF) as u8);
    }
    after
}
