//! What a string literal means.

use super::{Token, TokenKind};

/// The value of a string literal's token; `None` for any other token.
///
/// Escapes of an `E'…'` literal that name no character (`\x80`, a lone surrogate) are left out: the
/// engine refuses them.
#[must_use]
pub fn string_value(text: &str, token: &Token) -> Option<String> {
    let literal = token.text(text);
    match token.kind {
        TokenKind::String => between(literal, 1, 1).map(|inner| inner.replace("''", "'")),
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

fn between(literal: &str, open: usize, close: usize) -> Option<&str> {
    literal.get(open..literal.len().checked_sub(close)?)
}

fn unescape(inner: &str) -> String {
    let mut value = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find(['\\', '\'']) {
        value.push_str(&rest[..at]);
        // What follows: an escape, or the second half of a doubled quote.
        let escaped = &rest[at + 1..];
        let Some(next) = escaped.chars().next() else {
            return value;
        };
        rest = &escaped[next.len_utf8()..];
        match next {
            'b' => value.push('\u{8}'),
            'f' => value.push('\u{c}'),
            'n' => value.push('\n'),
            'r' => value.push('\r'),
            't' => value.push('\t'),
            'x' => rest = push_code(&mut value, rest, 16, 2),
            'u' => rest = push_code(&mut value, rest, 16, 4),
            'U' => rest = push_code(&mut value, rest, 16, 8),
            '0'..='7' => rest = push_code(&mut value, escaped, 8, 3),
            other => value.push(other),
        }
    }
    value.push_str(rest);
    value
}

fn push_code<'t>(value: &mut String, rest: &'t str, radix: u32, most: usize) -> &'t str {
    let len = rest
        .bytes()
        .take(most)
        .take_while(|byte| char::from(*byte).is_digit(radix))
        .count();
    let (digits, after) = rest.split_at(len);
    value.extend(
        u32::from_str_radix(digits, radix)
            .ok()
            .and_then(char::from_u32),
    );
    after
}
