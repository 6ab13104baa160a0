//! From text to tokens: one dispatch on the first byte. What most of a text is made of (words, spaces, comments, strings)
//! is walked over byte by byte; nom parsers read the rest.

use memchr::{memchr, memchr2};
use nom::branch::alt;
use nom::bytes::complete::{tag, take, take_until, take_while, take_while1};
use nom::combinator::{opt, recognize};
use nom::sequence::pair;
use nom::{IResult, Parser};

use crate::byte::{First, first, is_in_word, is_operator, is_space};
use crate::{Bracket, Keyword, Span, Token, TokenKind, Unterminated};

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

    /// Passes over the ASCII blanks that come. Does nothing where a line's end among them would count.
    #[inline(always)]
    pub(crate) fn pass_blanks(&mut self) {
        if self.continued == Continued::No {
            let bytes = self.text.as_bytes();
            while bytes.get(self.at).is_some_and(|&byte| is_space(byte)) {
                self.at += 1;
            }
        }
    }

    /// The next token. Whoever walks over all of a text gets this loop into its own, without a call for each token.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> Option<Token> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let byte = *rest.first()?;
        let mut keyword = None;
        let (kind, len) = match first(byte) {
            First::Space => (TokenKind::Space, space(rest)),
            First::Word => {
                let len;
                (keyword, len) = word(rest);
                match (len, rest.get(1)) {
                    // A prefix of one letter and a quote.
                    (1, Some(b'\'')) => prefixed(rest),
                    _ => (TokenKind::Word, len),
                }
            }
            First::Digit => (TokenKind::Number, number(rest)),
            First::Operator => (TokenKind::Operator, operator(rest)),
            First::Wide if space_len(rest) > 0 => (TokenKind::Space, space(rest)),
            First::Wide => (TokenKind::Word, word(rest).1),
            First::Mark => match self.continued {
                Continued::NextLine(kind) if byte == b'\'' => literal_part(rest, kind),
                Continued::No | Continued::SameLine(_) | Continued::NextLine(_) => mark(rest),
            },
        };
        let span = Span::new(self.at, self.at + len);
        let keyword = if kind == TokenKind::Word {
            keyword
        } else {
            None
        };
        let token = Token {
            kind,
            keyword,
            span,
        };
        self.at = span.end;
        let is_literal = matches!(
            kind,
            TokenKind::String | TokenKind::EscapeString | TokenKind::BitString
        );
        if is_literal || self.continued != Continued::No {
            self.follow(token);
        }
        Some(token)
    }

    /// What a quote after `token` would be, when `token` is a literal or comes after one.
    fn follow(&mut self, token: Token) {
        self.continued = match (token.kind, self.continued) {
            (TokenKind::String | TokenKind::EscapeString | TokenKind::BitString, _) => {
                Continued::SameLine(token.kind)
            }
            (TokenKind::Space, Continued::SameLine(kind)) => {
                let mut bytes = token.text(self.text).bytes();
                if bytes.any(|byte| matches!(byte, b'\n' | b'\r')) {
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
        self.step()
    }
}

/// What begins with a byte that begins nothing else.
fn mark(rest: Bytes<'_>) -> (TokenKind, usize) {
    let kind = match rest[0] {
        b'\'' => return quoted(rest, 0, TokenKind::String, Unterminated::String),
        b'"' => return quoted(rest, 0, TokenKind::QuotedIdent, Unterminated::Ident),
        b'(' => TokenKind::Open(Bracket::Round),
        b')' => TokenKind::Close(Bracket::Round),
        b'[' => TokenKind::Open(Bracket::Square),
        b']' => TokenKind::Close(Bracket::Square),
        b'{' => TokenKind::Open(Bracket::Curly),
        b'}' => TokenKind::Close(Bracket::Curly),
        b',' => TokenKind::Comma,
        b';' => TokenKind::Semicolon,
        b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => {
            return (TokenKind::Number, number(rest));
        }
        b'.' => TokenKind::Dot,
        b'$' => return taken(rest, dollar(rest)),
        b'?' => return (TokenKind::Parameter, digits(rest, 1)),
        b'#' => {
            return match digits(rest, 1) {
                1 => (TokenKind::Operator, 1),
                end => (TokenKind::Positional, end),
            };
        }
        b':' => return taken(rest, colon(rest)),
        b'-' if rest.get(1) == Some(&b'-') => return (TokenKind::LineComment, line(rest)),
        b'/' if rest.get(1) == Some(&b'*') => return block_comment(rest),
        b'-' | b'/' => return (TokenKind::Operator, operator(rest)),
        _ => TokenKind::Unknown,
    };
    (kind, 1)
}

/// The kind and the bytes that a parser took off the front of `rest`. None of them fails; should one ever, the character is
/// unknown and the lexer still moves on.
fn taken(rest: Bytes<'_>, step: Step<'_>) -> (TokenKind, usize) {
    match step {
        Ok((after, kind)) if after.len() < rest.len() => (kind, rest.len() - after.len()),
        Ok(_) | Err(_) => (TokenKind::Unknown, char_len(rest[0]).min(rest.len())),
    }
}

const fn char_len(first: u8) -> usize {
    match first {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    }
}

/// Bytes of the engine's white space at the front: ASCII without VT, and the Unicode spaces that
/// its parser replaces before it lexes. U+0085, U+1680, U+180E, U+200C, U+200D (which joins emoji), U+2028 and U+2029
/// are not among them.
const fn space_len(rest: Bytes<'_>) -> usize {
    match rest {
        [b' ' | b'\t' | b'\n' | b'\r' | 0x0C, ..] => 1,
        [0xC2, 0xA0, ..] => 2,
        [0xE2, 0x80, 0x80..=0x8B | 0xAF, ..]
        | [0xE2, 0x81, 0x9F | 0xA0, ..]
        | [0xE3, 0x80, 0x80, ..]
        | [0xEF, 0xBB, 0xBF, ..] => 3,
        _ => 0,
    }
}

/// The first place from `at` on whose byte is one; else the end.
fn find(rest: Bytes<'_>, at: usize, is: impl Fn(u8) -> bool) -> usize {
    rest.iter()
        .skip(at)
        .position(|&byte| is(byte))
        .map_or(rest.len(), |more| at + more)
}

fn space(rest: Bytes<'_>) -> usize {
    let mut len = find(rest, 0, |byte| !is_space(byte));
    loop {
        match space_len(&rest[len..]) {
            0 => return len,
            more => len += more,
        }
    }
}

const fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// Letters, digits, `_`, `$`, and everything above ASCII but the spaces. With the keyword that it spells.
#[inline(always)]
fn word(rest: Bytes<'_>) -> (Option<Keyword>, usize) {
    let len = find(rest, 1, |byte| !is_in_word(byte));
    match rest.get(len) {
        Some(0x80..) if space_len(&rest[len..]) == 0 => (None, wide_word(rest, len)),
        Some(_) | None => (Keyword::find(&rest[..len]), len),
    }
}

/// A word's length when its first `len` bytes are ASCII and others may follow.
fn wide_word(rest: Bytes<'_>, mut len: usize) -> usize {
    loop {
        len = find(rest, len, |byte| !is_in_word(byte));
        match rest.get(len) {
            Some(&byte @ 0x80..) if space_len(&rest[len..]) == 0 => {
                len = (len + char_len(byte)).min(rest.len());
            }
            Some(_) | None => return len,
        }
    }
}

/// A letter and a quote: `E'…'`, `x'…'`, `b'…'`; after another letter the quote is a literal of its own.
fn prefixed(rest: Bytes<'_>) -> (TokenKind, usize) {
    match rest[0] {
        b'e' | b'E' => escape_string(rest, 1),
        b'x' | b'X' | b'b' | b'B' => quoted(rest, 1, TokenKind::BitString, Unterminated::String),
        _ => (TokenKind::Word, 1),
    }
}

/// From `at` on past digits with single `_` between them.
fn digits(rest: Bytes<'_>, at: usize) -> usize {
    let mut end = find(rest, at, |byte| !byte.is_ascii_digit());
    while end > at && rest.get(end) == Some(&b'_') {
        let more = find(rest, end + 1, |byte| !byte.is_ascii_digit());
        if more == end + 1 {
            break;
        }
        end = more;
    }
    end
}

fn number(rest: Bytes<'_>) -> usize {
    let mut end = digits(rest, 0);
    // `1..2`: the engine takes `1` and leaves the dots.
    if rest.get(end) == Some(&b'.') && rest.get(end + 1) != Some(&b'.') {
        end = digits(rest, end + 1);
    }
    if let Some(b'e' | b'E') = rest.get(end) {
        let sign = usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(rest, end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}

/// From the opening quote at `open` on; a doubled quote stands for itself.
fn quoted(
    rest: Bytes<'_>,
    open: usize,
    kind: TokenKind,
    broken: Unterminated,
) -> (TokenKind, usize) {
    let quote = rest[open];
    let mut at = open + 1;
    loop {
        at = memchr(quote, &rest[at..]).map_or(rest.len(), |more| at + more);
        match rest.get(at + 1) {
            Some(&next) if next == quote => at += 2,
            _ if at < rest.len() => return (kind, at + 1),
            _ => return (TokenKind::Unterminated(broken), rest.len()),
        }
    }
}

/// From the opening quote at `open` on; a backslash takes the next character with it.
fn escape_string(rest: Bytes<'_>, open: usize) -> (TokenKind, usize) {
    let mut at = open + 1;
    loop {
        at = find(rest, at, |byte| matches!(byte, b'\'' | b'\\'));
        at += match rest.get(at..) {
            Some([b'\'', b'\'', ..]) => 2,
            Some([b'\'', ..]) => return (TokenKind::EscapeString, at + 1),
            Some([_, next, ..]) => 1 + char_len(*next),
            _ => return (TokenKind::Unterminated(Unterminated::String), rest.len()),
        };
    }
}

/// The part of a literal that goes on in another line.
fn literal_part(rest: Bytes<'_>, kind: TokenKind) -> (TokenKind, usize) {
    if kind == TokenKind::EscapeString {
        escape_string(rest, 0)
    } else {
        quoted(rest, 0, kind, Unterminated::String)
    }
}

fn line(rest: Bytes<'_>) -> usize {
    memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
}

fn block_comment(rest: Bytes<'_>) -> (TokenKind, usize) {
    let mut depth = 0usize;
    let mut at = 0;
    loop {
        at = find(rest, at, |byte| matches!(byte, b'/' | b'*'));
        match rest.get(at..) {
            Some([b'/', b'*', ..]) => {
                depth += 1;
                at += 2;
            }
            Some([b'*', b'/', ..]) => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return (TokenKind::BlockComment, at);
                }
            }
            Some([_, ..]) => at += 1,
            Some([]) | None => return (TokenKind::Unterminated(Unterminated::Comment), rest.len()),
        }
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
        Some(byte) if byte.is_ascii_digit() => {
            Ok((&after[digits(after, 0)..], TokenKind::Parameter))
        }
        // `$E'…'` is a `$` and an escape string.
        Some(b'e' | b'E' | b'x' | b'X' | b'b' | b'B') if after.get(1) == Some(&b'\'') => {
            Ok((after, TokenKind::Parameter))
        }
        Some(&byte) if is_word_start(byte) && space_len(after) == 0 => {
            Ok((&after[wide_word(after, 0)..], TokenKind::Parameter))
        }
        _ => Ok((after, TokenKind::Parameter)),
    }
}

fn colon(rest: Bytes<'_>) -> Step<'_> {
    recognize(pair(tag(":"), opt(alt((tag(":"), tag("="))))))
        .map(|_| TokenKind::Operator)
        .parse(rest)
}

/// The engine refuses operators of 64 bytes and more, so that it does not matter how they are cut.
const LONGEST_OPERATOR: usize = 128;

/// A run of operator characters. A comment that begins inside it ends it; and so that `a=-1` reads
/// as `a = -1`, a run ends in a sign only when it holds a character that no standard operator has.
fn operator(rest: Bytes<'_>) -> usize {
    // Signs are looked at from each of them on: without a bound a run of them takes quadratic time. One byte more, so that a
    // comment that begins at the bound is seen.
    let rest = &rest[..rest.len().min(LONGEST_OPERATOR + 1)];
    let run = &rest[..find(rest, 0, |byte| !is_operator(byte))];
    let comment = run
        .windows(2)
        .position(|pair| matches!(pair, b"--" | b"/*"));
    let run = &run[..comment.unwrap_or(run.len()).min(LONGEST_OPERATOR)];
    let own = run
        .iter()
        .any(|byte| matches!(byte, b'~' | b'!' | b'@' | b'^' | b'&' | b'|' | b'`' | b'%'));
    if own {
        return run.len();
    }
    let signs = run[1..]
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'+' | b'-'))
        .count();
    run.len() - signs
}
