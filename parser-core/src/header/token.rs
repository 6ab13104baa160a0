//! The tokens of an annotation: words, quoted texts, `name=value` pairs (grammar: options).

use crate::lex::is_in_name;
use nom::branch::alt;
use nom::bytes::complete::{take_till, take_while, take_while1};
use nom::character::complete::{char, one_of};
use nom::combinator::{map, opt};
use nom::sequence::terminated;
use nom::{IResult, Parser};

use super::piece::Piece;

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// Text up to white space.
    Word(Piece<'a>),
    /// A text in quotes that belongs to no option.
    Quoted {
        /// With its quotes.
        whole: Piece<'a>,
        /// Whether the closing quote is there.
        closed: bool,
    },
    /// `name=value`
    Pair(Pair<'a>),
}

/// `name=value`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair<'a> {
    /// All of it.
    pub(crate) whole: Piece<'a>,
    /// Left of the `=`.
    pub(crate) name: Piece<'a>,
    /// Right of it, without quotes.
    pub(crate) value: Piece<'a>,
    /// Whether the value is quoted.
    pub(crate) quoted: bool,
    /// Whether it is unquoted or its closing quote is there.
    pub(crate) closed: bool,
}

impl<'a> Token<'a> {
    /// All of it.
    pub(crate) const fn whole(self) -> Piece<'a> {
        match self {
            Self::Word(whole) | Self::Quoted { whole, .. } | Self::Pair(Pair { whole, .. }) => {
                whole
            }
        }
    }
}

/// The tokens of `text` from left to right.
pub(crate) fn tokens(text: Piece<'_>) -> impl Iterator<Item = Token<'_>> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        let (token, tail) = next(rest)?;
        rest = tail;
        Some(token)
    })
}

/// The first token of `text`, which is trimmed, and the trimmed rest; `None` when there is none.
fn next(text: Piece<'_>) -> Option<(Token<'_>, Piece<'_>)> {
    if text.is_empty() {
        return None;
    }
    let (rest, shape) = token(text.text()).ok()?;
    let (whole, tail) = text.taken(rest);
    let token = match shape {
        Shape::Word => Token::Word(whole),
        Shape::Quoted(quoted) => Token::Quoted {
            whole,
            closed: quoted.closed,
        },
        Shape::Pair { name, value } => {
            let quote = usize::from(value.quoted && value.closed);
            let value_end = whole.split_at(whole.text().len() - quote).0;
            Token::Pair(Pair {
                whole,
                name: whole.split_at(name.len()).0,
                value: value_end
                    .split_at(value_end.text().len() - value.text.len())
                    .1,
                quoted: value.quoted,
                closed: value.closed,
            })
        }
    };
    Some((token, tail.trim_start()))
}

enum Shape<'a> {
    Word,
    Quoted(Value<'a>),
    Pair { name: &'a str, value: Value<'a> },
}

#[derive(Clone, Copy)]
struct Value<'a> {
    text: &'a str,
    quoted: bool,
    closed: bool,
}

fn token(input: &str) -> IResult<&str, Shape<'_>> {
    alt((
        map(quoted, Shape::Quoted),
        map(
            (
                terminated(take_while1(is_name), char('=')),
                alt((quoted, bare)),
            ),
            |(name, value)| Shape::Pair { name, value },
        ),
        map(take_while1(|c: char| !c.is_whitespace()), |_| Shape::Word),
    ))
    .parse(input)
}

/// `"…"` or `'…'`; without its closing quote it runs to the end of the line.
fn quoted(input: &str) -> IResult<&str, Value<'_>> {
    let (rest, quote) = one_of("\"'").parse(input)?;
    let (rest, text) = take_till(|c| c == quote).parse(rest)?;
    let (rest, close) = opt(char(quote)).parse(rest)?;
    Ok((
        rest,
        Value {
            text,
            quoted: true,
            closed: close.is_some(),
        },
    ))
}

/// Text up to white space; may be empty.
fn bare(input: &str) -> IResult<&str, Value<'_>> {
    map(take_while(|c: char| !c.is_whitespace()), |text| Value {
        text,
        quoted: false,
        closed: true,
    })
    .parse(input)
}

/// A path such as `f/topic=x` is no option, so a name is made of letters, digits and `_-.` only.
fn is_name(c: char) -> bool {
    is_in_name(c) || matches!(c, '-' | '.')
}

/// A column name at the start of `text`: one word, or a text in quotes. Gives the name without
/// quotes, the trimmed rest and whether a quote was left open; `None` when there is no name.
pub(crate) fn column(text: Piece<'_>) -> Option<Column<'_>> {
    let text = text.trim();
    if let Ok((rest, value)) = quoted(text.text()) {
        let (whole, tail) = text.taken(rest);
        let inner = whole.split_at(1).1.split_at(value.text.len()).0;
        return (!value.text.trim().is_empty()).then_some(Column {
            name: inner,
            rest: tail.trim(),
            closed: value.closed,
        });
    }
    let (name, rest) = text.word();
    (!name.is_empty()).then_some(Column {
        name,
        rest,
        closed: true,
    })
}

/// A column name and what follows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<'a> {
    /// Without quotes.
    pub(crate) name: Piece<'a>,
    /// What follows, trimmed.
    pub(crate) rest: Piece<'a>,
    /// Whether the closing quote is there.
    pub(crate) closed: bool,
}

/// Splits at commas outside quotes. A quote opens at an item's start only, so that the apostrophe
/// of `it's` stays text. Items are trimmed and keep their quotes; empty ones are kept too.
pub(crate) fn items(text: Piece<'_>) -> impl Iterator<Item = Item<'_>> {
    split(text, |text| text.starts_with(['"', '\'']).then_some(0))
}

/// The items of a list of `<asset>.<column>`: a quote opens behind a dot too.
pub(crate) fn references(text: Piece<'_>) -> impl Iterator<Item = Item<'_>> {
    split(text, |text| {
        let item = &text[..text.find(',').unwrap_or(text.len())];
        item.char_indices()
            .find(|(at, c)| matches!(c, '"' | '\'') && (*at == 0 || item[..*at].ends_with('.')))
            .map(|(at, _)| at)
    })
}

/// Splits at commas outside quotes; `opening` says where the quote of the item at the text's start
/// opens.
fn split(
    text: Piece<'_>,
    opening: impl Fn(&str) -> Option<usize>,
) -> impl Iterator<Item = Item<'_>> {
    let mut rest = Some(text);
    let mut comma_before = text.split_at(0).0;
    let mut any = false;
    std::iter::from_fn(move || {
        let current = rest?.trim_start();
        let from = opening(current.text()).map_or("", |at| &current.text()[at..]);
        let (after, closed) = match quoted(from) {
            Ok((after, value)) => (after, value.closed),
            Err(_) => (current.text(), true),
        };
        let comma = after
            .find(',')
            .map(|at| current.text().len() - after.len() + at);
        let (item, tail) = current.split_at(comma.unwrap_or(current.text().len()));
        let (comma_behind, tail) = tail.split_at(usize::from(comma.is_some()));
        rest = comma.map(|_| tail);
        // The comma behind a first item, the one before a later one: no two items share theirs, but those of a lone comma.
        let gap = if any || comma_behind.is_empty() {
            comma_before
        } else {
            comma_behind
        };
        comma_before = comma_behind;
        let piece = item.trim();
        any |= !piece.is_empty();
        Some(Item { piece, gap, closed })
    })
}

/// One item of a comma list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    /// With its quotes, trimmed.
    pub(crate) piece: Piece<'a>,
    /// A comma beside it, to point at when the item is empty.
    pub(crate) gap: Piece<'a>,
    /// Whether it has no opening quote, or a closing one too.
    pub(crate) closed: bool,
}

/// The item without matching quotes; an opening quote that nothing closes is dropped alone.
pub(crate) fn unquote(item: Item<'_>) -> Piece<'_> {
    let piece = item.piece;
    let Some(quote) = piece
        .text()
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\''))
    else {
        return piece;
    };
    let inner = piece.split_at(1).1;
    if !item.closed {
        return inner.trim_end();
    }
    match inner.text().strip_suffix(quote) {
        Some(text) => inner.split_at(text.len()).0,
        None => piece,
    }
}
