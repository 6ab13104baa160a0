//! From text to tokens: one dispatch on the first byte, then a nom parser for the rest.

use nom::branch::alt;
use nom::bytes::complete::{tag, take, take_till, take_until, take_while, take_while1};
use nom::combinator::{opt, recognize};
use nom::multi::many0_count;
use nom::sequence::{pair, preceded};
use nom::{IResult, Parser};

use super::{Bracket, Token, TokenKind, Unterminated};
use crate::source::Span;

type Bytes<'t> = &'t [u8];
type Step<'t> = IResult<Bytes<'t>, TokenKind>;

/// The tokens of `text` from byte `start` on. They tile `text[start..]`; any text has tokens.
#[must_use]
pub fn lex(text: &str, start: usize) -> Vec<Token> {
    // A token of SQL is four bytes or so, spaces counted.
    let mut tokens = Vec::with_capacity(text.len().saturating_sub(start) / 4);
    tokens.extend(Lexer::new(text, start));
    tokens
}

/// Tokens one by one.
#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    text: &'t str,
    at: usize,
    continued: Continued,
}

/// Whether a quote would go on with the literal before it: `E'a'⏎'b'` is one literal, so that the
/// backslashes of its second part are escapes too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Continued {
    No,
    /// After a literal, no line end yet.
    SameLine(TokenKind),
    /// After a literal and a line end.
    NextLine(TokenKind),
}

impl<'t> Lexer<'t> {
    /// Tokens of `text` from byte `start` on, which must lie on a character boundary; a start that
    /// does not gives no token.
    #[must_use]
    pub fn new(text: &'t str, start: usize) -> Self {
        let at = if text.is_char_boundary(start) {
            start
        } else {
            text.len()
        };
        Self {
            text,
            at,
            continued: Continued::No,
        }
    }

    /// The byte where the next token begins.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    fn follow(&mut self, token: Token) {
        self.continued = match (token.kind, self.continued) {
            (TokenKind::String | TokenKind::EscapeString | TokenKind::BitString, _) => {
                Continued::SameLine(token.kind)
            }
            (TokenKind::Space, Continued::SameLine(kind)) => {
                let bytes = token.text(self.text).bytes();
                if bytes.into_iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
                    Continued::NextLine(kind)
                } else {
                    Continued::SameLine(kind)
                }
            }
            (TokenKind::Space | TokenKind::LineComment, continued) => continued,
            _ => Continued::No,
        };
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = self
            .text
            .as_bytes()
            .get(self.at..)
            .filter(|rest| !rest.is_empty())?;
        let kind_and_rest = match self.continued {
            Continued::NextLine(kind) if rest[0] == b'\'' => literal_part(rest, kind),
            Continued::No | Continued::SameLine(_) | Continued::NextLine(_) => token(rest),
        };
        // Every branch below takes at least one byte and does not fail; should one ever, the
        // character is unknown and the lexer still moves on.
        let (kind, len) = match kind_and_rest {
            Ok((after, kind)) if after.len() < rest.len() => (kind, rest.len() - after.len()),
            Ok(_) | Err(_) => (TokenKind::Unknown, char_len(rest[0])),
        };
        let span = Span::new(self.at, self.at + len);
        let token = Token { kind, span };
        self.at = span.end;
        self.follow(token);
        Some(token)
    }
}

fn token(rest: Bytes<'_>) -> Step<'_> {
    match rest[0] {
        b' ' | b'\t' | b'\n' | b'\r' | 0x0C => space(rest),
        b'e' | b'E' if rest.get(1) == Some(&b'\'') => escape_string(&rest[1..]),
        b'x' | b'X' | b'b' | b'B' if rest.get(1) == Some(&b'\'') => quoted(
            &rest[1..],
            b'\'',
            TokenKind::BitString,
            Unterminated::String,
        ),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => word(rest),
        b'0'..=b'9' => number(rest),
        b'\'' => quoted(rest, b'\'', TokenKind::String, Unterminated::String),
        b'"' => quoted(rest, b'"', TokenKind::QuotedIdent, Unterminated::Ident),
        b'(' => one(rest, TokenKind::Open(Bracket::Round)),
        b')' => one(rest, TokenKind::Close(Bracket::Round)),
        b'[' => one(rest, TokenKind::Open(Bracket::Square)),
        b']' => one(rest, TokenKind::Close(Bracket::Square)),
        b'{' => one(rest, TokenKind::Open(Bracket::Curly)),
        b'}' => one(rest, TokenKind::Close(Bracket::Curly)),
        b',' => one(rest, TokenKind::Comma),
        b';' => one(rest, TokenKind::Semicolon),
        b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => number(rest),
        b'.' => one(rest, TokenKind::Dot),
        b'$' => dollar(rest),
        b'?' => question(rest),
        b'#' => positional(rest).or_else(|_| one(rest, TokenKind::Operator)),
        b':' => colon(rest),
        b'-' if rest.get(1) == Some(&b'-') => line_comment(rest),
        b'/' if rest.get(1) == Some(&b'*') => block_comment(rest),
        byte if is_operator(byte) => operator(rest),
        byte if byte >= 0x80 && space_len(rest) > 0 => space(rest),
        byte if byte >= 0x80 => word(rest),
        _ => one(rest, TokenKind::Unknown),
    }
}

fn one(rest: Bytes<'_>, kind: TokenKind) -> Step<'_> {
    take(1usize).map(|_| kind).parse(rest)
}

fn char_len(first: u8) -> usize {
    match first {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    }
}

/// Bytes of the engine's white space at the front: ASCII without VT, and the Unicode spaces that
/// its parser replaces before it lexes. U+0085, U+1680, U+180E, U+2028 and U+2029 are not among them.
fn space_len(rest: Bytes<'_>) -> usize {
    match rest {
        [b' ' | b'\t' | b'\n' | b'\r' | 0x0C, ..] => 1,
        [0xC2, 0xA0, ..] => 2,
        [0xE2, 0x80, 0x80..=0x8D | 0xAF, ..]
        | [0xE2, 0x81, 0x9F | 0xA0, ..]
        | [0xE3, 0x80, 0x80, ..]
        | [0xEF, 0xBB, 0xBF, ..] => 3,
        _ => 0,
    }
}

fn space(rest: Bytes<'_>) -> Step<'_> {
    // Mostly one blank.
    let mut ascii = take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C));
    let (after, _) = ascii.parse(rest)?;
    let mut len = rest.len() - after.len();
    loop {
        match space_len(&rest[len..]) {
            0 => break,
            more => len += more,
        }
    }
    take(len).map(|_| TokenKind::Space).parse(rest)
}

const fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// Letters, digits, `_`, `$`, and everything above ASCII but the spaces.
fn word(rest: Bytes<'_>) -> Step<'_> {
    let mut after = rest;
    loop {
        (after, _) = take_while(is_word_byte).parse(after)?;
        match after.first() {
            Some(&byte) if byte >= 0x80 && space_len(after) == 0 => {
                (after, _) = take(char_len(byte).min(after.len())).parse(after)?;
            }
            _ => return Ok((after, TokenKind::Word)),
        }
    }
}

/// Digits with single `_` between them.
fn digits(rest: Bytes<'_>) -> IResult<Bytes<'_>, Bytes<'_>> {
    let digit_run = || take_while1(|byte: u8| byte.is_ascii_digit());
    recognize(pair(
        digit_run(),
        many0_count(preceded(tag("_"), digit_run())),
    ))
    .parse(rest)
}

fn exponent(rest: Bytes<'_>) -> IResult<Bytes<'_>, Bytes<'_>> {
    recognize((
        alt((tag("e"), tag("E"))),
        opt(alt((tag("+"), tag("-")))),
        digits,
    ))
    .parse(rest)
}

fn number(rest: Bytes<'_>) -> Step<'_> {
    let (after, _) = opt(digits).parse(rest)?;
    // `1..2`: the engine takes `1` and leaves the dots.
    let after = if after.starts_with(b"..") {
        after
    } else {
        opt(preceded(tag("."), opt(digits))).parse(after)?.0
    };
    opt(exponent).map(|_| TokenKind::Number).parse(after)
}

/// From the opening quote on; a doubled quote stands for itself.
fn quoted(rest: Bytes<'_>, quote: u8, kind: TokenKind, broken: Unterminated) -> Step<'_> {
    let (mut after, _) = take(1usize).parse(rest)?;
    loop {
        (after, _) = take_till(|byte| byte == quote).parse(after)?;
        match after {
            [_, next, ..] if *next == quote => after = &after[2..],
            [_, ..] => return Ok((&after[1..], kind)),
            [] => return Ok((after, TokenKind::Unterminated(broken))),
        }
    }
}

/// From the opening quote on; a backslash takes the next character with it.
fn escape_string(rest: Bytes<'_>) -> Step<'_> {
    let (mut after, _) = take(1usize).parse(rest)?;
    loop {
        (after, _) = take_till(|byte| matches!(byte, b'\'' | b'\\')).parse(after)?;
        match after {
            [b'\'', b'\'', ..] => after = &after[2..],
            [b'\'', ..] => return Ok((&after[1..], TokenKind::EscapeString)),
            [_, next, ..] => after = &after[(1 + char_len(*next)).min(after.len())..],
            _ => return Ok((&[], TokenKind::Unterminated(Unterminated::String))),
        }
    }
}

fn literal_part(rest: Bytes<'_>, kind: TokenKind) -> Step<'_> {
    if kind == TokenKind::EscapeString {
        escape_string(rest)
    } else {
        quoted(rest, b'\'', kind, Unterminated::String)
    }
}

fn dollar_tag(rest: Bytes<'_>) -> IResult<Bytes<'_>, Bytes<'_>> {
    let tag_byte = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let name = pair(take_while1(is_word_start), take_while(tag_byte));
    recognize((tag("$"), opt(name), tag("$"))).parse(rest)
}

fn dollar(rest: Bytes<'_>) -> Step<'_> {
    let Ok((after, delimiter)) = dollar_tag(rest) else {
        return parameter(rest);
    };
    let closed: IResult<_, _> = take_until::<_, _, nom::error::Error<_>>(delimiter).parse(after);
    match closed {
        Ok((close, _)) => take(delimiter.len())
            .map(|_| TokenKind::DollarString)
            .parse(close),
        Err(_) => Ok((&[], TokenKind::Unterminated(Unterminated::DollarString))),
    }
}

/// `$1`, `$name`; the engine allows a space after the `$`, then the `$` stands alone.
fn parameter(rest: Bytes<'_>) -> Step<'_> {
    let (after, _) = take(1usize).parse(rest)?;
    match after.first() {
        Some(byte) if byte.is_ascii_digit() => digits.map(|_| TokenKind::Parameter).parse(after),
        // `$E'…'` is a `$` and an escape string.
        Some(b'e' | b'E' | b'x' | b'X' | b'b' | b'B') if after.get(1) == Some(&b'\'') => {
            Ok((after, TokenKind::Parameter))
        }
        Some(&byte) if is_word_start(byte) && space_len(after) == 0 => {
            word.map(|_| TokenKind::Parameter).parse(after)
        }
        _ => Ok((after, TokenKind::Parameter)),
    }
}

fn question(rest: Bytes<'_>) -> Step<'_> {
    preceded(tag("?"), opt(digits))
        .map(|_| TokenKind::Parameter)
        .parse(rest)
}

fn positional(rest: Bytes<'_>) -> Step<'_> {
    preceded(tag("#"), digits)
        .map(|_| TokenKind::Positional)
        .parse(rest)
}

fn colon(rest: Bytes<'_>) -> Step<'_> {
    recognize(pair(tag(":"), opt(alt((tag(":"), tag("="))))))
        .map(|_| TokenKind::Operator)
        .parse(rest)
}

const fn is_operator(byte: u8) -> bool {
    matches!(
        byte,
        b'~' | b'!'
            | b'@'
            | b'^'
            | b'&'
            | b'|'
            | b'`'
            | b'+'
            | b'-'
            | b'*'
            | b'/'
            | b'%'
            | b'<'
            | b'>'
            | b'='
    )
}

/// A run of operator characters. A comment that begins inside it ends it; and so that `a=-1` reads
/// as `a = -1`, a run ends in a sign only when it holds a character that no standard operator has.
fn operator(rest: Bytes<'_>) -> Step<'_> {
    let (_, run) = take_while1(is_operator).parse(rest)?;
    let comment = run
        .windows(2)
        .position(|pair| matches!(pair, b"--" | b"/*"));
    let run = &run[..comment.unwrap_or(run.len())];
    let own = run
        .iter()
        .any(|byte| matches!(byte, b'~' | b'!' | b'@' | b'^' | b'&' | b'|' | b'`' | b'%'));
    let signs = run[1..]
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'+' | b'-'))
        .count();
    take(if own { run.len() } else { run.len() - signs })
        .map(|_| TokenKind::Operator)
        .parse(rest)
}

fn line_comment(rest: Bytes<'_>) -> Step<'_> {
    take_till(|byte| matches!(byte, b'\n' | b'\r'))
        .map(|_| TokenKind::LineComment)
        .parse(rest)
}

fn block_comment(rest: Bytes<'_>) -> Step<'_> {
    let mut after = rest;
    let mut depth = 0usize;
    loop {
        (after, _) = take_till(|byte| matches!(byte, b'/' | b'*')).parse(after)?;
        match after {
            [b'/', b'*', ..] => {
                depth += 1;
                after = &after[2..];
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                after = &after[2..];
                if depth == 0 {
                    return Ok((after, TokenKind::BlockComment));
                }
            }
            [_, ..] => after = &after[1..],
            [] => return Ok((after, TokenKind::Unterminated(Unterminated::Comment))),
        }
    }
}
