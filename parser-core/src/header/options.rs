//! Options and flags behind an annotation's fixed words, and everything that can be wrong there.

use super::annotation::Comment;
use super::keyword::Keyword;
use super::piece::Piece;
use super::spelling::nearest;
use super::token::{Item, Pair, Token, items, tokens, unquote};
use crate::diagnostic::{Code, Diagnostic, Fix, TextEdit};
use crate::names::Names;
use crate::source::{Span, Spanned};

/// What an annotation takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accepted {
    /// Option names; `None` takes any.
    pub(super) names: Option<&'static [&'static str]>,
    /// Those of them whose value is a comma list.
    pub(super) lists: &'static [&'static str],
    /// Bare words.
    pub(super) flags: &'static [&'static str],
}

impl Accepted {
    /// No option at all.
    pub(super) const NOTHING: Self = Self {
        names: Some(&[]),
        lists: &[],
        flags: &[],
    };

    /// The options `names`, none of them a list.
    pub(super) const fn names(names: &'static [&'static str]) -> Self {
        Self {
            names: Some(names),
            lists: &[],
            flags: &[],
        }
    }

    fn takes(&self, name: &str) -> bool {
        self.names.is_none_or(|names| names.contains(&name))
    }
}

/// The options found.
#[derive(Debug)]
pub(super) struct Options<'a> {
    /// The comment that they stand in.
    comment: Comment<'a>,
    pairs: Vec<Pair<'a>>,
    /// The names of the pairs, in their order.
    names: Names,
    flags: Vec<Piece<'a>>,
}

impl<'a> Options<'a> {
    /// Reads `text`, the end of `comment`; what is unknown or odd is diagnosed and left out.
    pub(super) fn read(
        comment: Comment<'a>,
        text: Piece<'a>,
        accepted: &Accepted,
        out: &mut Vec<Diagnostic>,
    ) -> Self {
        let tokens: Vec<Token<'a>> = tokens(text).collect();
        let mut options = Self {
            comment,
            pairs: Vec::new(),
            names: Names::default(),
            flags: Vec::new(),
        };
        let mut stray: Option<(Piece<'a>, Piece<'a>)> = None;
        let mut at = 0;
        while let Some(&token) = tokens.get(at) {
            let rest = &tokens[at + 1..];
            at += 1;
            let word = match token {
                Token::Pair(pair) => {
                    options.report_stray(stray.take(), accepted, out);
                    at += options.pair(pair, rest, accepted, out);
                    continue;
                }
                Token::Quoted { whole, closed } => {
                    if !closed {
                        unterminated(whole.span(), out);
                    }
                    stray = Some((stray.map_or(whole, |(first, _)| first), whole));
                    continue;
                }
                Token::Word(word) => word,
            };
            if accepted.flags.contains(&word.text()) {
                options.report_stray(stray.take(), accepted, out);
                options.flags.push(word);
            } else if let Some(taken) = spaced(word, rest, accepted, out) {
                options.report_stray(stray.take(), accepted, out);
                at += taken;
            } else if let Some(flag) = nearest(word.text(), accepted.flags) {
                options.report_stray(stray.take(), accepted, out);
                out.push(
                    Diagnostic::new(
                        Code::LM009,
                        word.span(),
                        format!("`{}` is no flag and is ignored", word.text()),
                    )
                    .hint(format!("`{flag}` is one"))
                    .change(word.span(), flag),
                );
            } else {
                stray = Some((stray.map_or(word, |(first, _)| first), word));
            }
        }
        options.report_stray(stray, accepted, out);
        options
    }

    /// Takes `pair`; gives how many of the tokens behind it belong to it.
    fn pair(
        &mut self,
        mut pair: Pair<'a>,
        rest: &[Token<'a>],
        accepted: &Accepted,
        out: &mut Vec<Diagnostic>,
    ) -> usize {
        let name = pair.name.text();
        if !pair.closed {
            unterminated(pair.whole.span(), out);
            close(pair, out);
        }
        if !accepted.takes(name) {
            out.push(unknown(pair, accepted));
            return 0;
        }
        if pair.value.text().trim().is_empty() {
            if let (false, Some(&Token::Word(value))) = (pair.quoted, rest.first())
                && !accepted.flags.contains(&value.text())
            {
                let taken = 1 + continuation(name, value, &rest[1..], accepted).len();
                out.push(spaced_option(name, pair.whole, &rest[..taken]));
                return taken;
            }
            out.push(
                Diagnostic::new(
                    Code::LM012,
                    pair.whole.span(),
                    format!("option `{name}` has no value and counts as absent"),
                )
                .hint(format!("write `{name}=<value>`, or leave it out"))
                .fix("Remove", self.removal(pair.whole.span()), ""),
            );
            return 0;
        }
        if accepted.lists.contains(&name)
            && let Some(list) = inner_quotes(self.comment.rest, pair)
        {
            let end = list.whole.span().end;
            let taken = rest
                .iter()
                .take_while(|token| token.whole().span().start < end);
            let taken = taken.count();
            pair = list.report(pair, out);
            self.keep(pair, out);
            return taken;
        }
        let more = if pair.quoted {
            &[][..]
        } else {
            continuation(name, pair.value, rest, accepted)
        };
        if let Some(last) = more.last() {
            let span = pair.whole.through(last.whole());
            let joined = joined(pair.whole, more);
            let counts = match pair.value.text().trim_end_matches(',') {
                "" => "nothing of it counts".to_owned(),
                counts => format!("only `{counts}` counts"),
            };
            out.push(
                Diagnostic::new(
                    Code::LM011,
                    span,
                    format!("the space ends the list of `{name}`: {counts}"),
                )
                .hint(format!("write `{joined}`, or put the list in quotes"))
                .fix("Remove the spaces", span, joined),
            );
            // The comma before the space has been diagnosed with it.
            pair.value = pair
                .value
                .split_at(pair.value.text().trim_end_matches(',').len())
                .0;
        }
        self.keep(pair, out);
        more.len()
    }

    /// The last of a name wins.
    fn keep(&mut self, pair: Pair<'a>, out: &mut Vec<Diagnostic>) {
        let name = pair.name.text();
        match self.names.find(name) {
            Some(at) => {
                let earlier = std::mem::replace(&mut self.pairs[at], pair);
                out.push(
                    Diagnostic::new(
                        Code::LM013,
                        earlier.whole.span(),
                        format!("option `{name}` stands more than once; the last one counts"),
                    )
                    .hint("keep one of them")
                    .related(pair.whole.span(), "this one counts")
                    .fix("Remove", self.removal(earlier.whole.span()), ""),
                );
            }
            None => {
                self.names.add(name.to_owned());
                self.pairs.push(pair);
            }
        }
    }

    /// `span` with the white space before it.
    fn removal(&self, span: Span) -> Span {
        let line = self.comment.rest;
        let (before, _) = line.split_at(span.start - line.span().start);
        Span::new(before.trim_end().span().end, span.end)
    }

    /// Diagnoses words that belong to nothing; a run of them is one finding.
    fn report_stray(
        &self,
        run: Option<(Piece<'_>, Piece<'_>)>,
        accepted: &Accepted,
        out: &mut Vec<Diagnostic>,
    ) {
        let Some((first, last)) = run else { return };
        let span = first.through(last);
        let message = if first == last {
            format!(
                "`{}` means nothing here and is ignored",
                shortened(first.text())
            )
        } else {
            format!(
                "the words from `{}` to `{}` mean nothing here and are ignored",
                shortened(first.text()),
                shortened(last.text())
            )
        };
        let found = Diagnostic::new(Code::LM009, span, message);
        let name = first.text();
        // `key id` is no remark, and to remove it would be no mend.
        if accepted.names.is_some_and(|names| names.contains(&name)) {
            out.push(found.hint(format!("an option is written `{name}=<value>`")));
            return;
        }
        let mut found = found
            .hint("put remarks on a comment line of their own")
            .fix("Remove", self.removal(span), "");
        // A remark that begins with a keyword would become an annotation.
        if let Some(fix) = &mut found.fix
            && first != last
            && Keyword::read(name).is_none()
        {
            let line = self.comment.rest;
            let (_, words) = line.split_at(span.start - line.span().start);
            let (words, _) = words.split_at(span.len());
            fix.title = "Move to a comment of its own".to_owned();
            fix.edits.insert(0, self.comment.above(words.text()));
        }
        out.push(found);
    }

    /// The value of `name`.
    pub(super) fn get(&self, name: &str) -> Option<Piece<'a>> {
        self.names.find(name).map(|at| self.pairs[at].value)
    }

    /// The value of `name`, owned.
    pub(super) fn text(&self, name: &str) -> Option<Spanned<String>> {
        self.get(name).map(Piece::spanned)
    }

    /// The items of the list `name`; empty ones are diagnosed and left out.
    pub(super) fn list(&self, name: &str, out: &mut Vec<Diagnostic>) -> Vec<Spanned<String>> {
        self.get(name)
            // `key=, id` is diagnosed as a whole: what is left of its value is nothing, not an empty item.
            .filter(|value| !value.is_empty())
            .map(|value| list(items(value), out))
            .unwrap_or_default()
    }

    /// Where the flag `name` stands first.
    pub(super) fn flag(&self, name: &str) -> Option<Span> {
        self.flags
            .iter()
            .find(|flag| flag.text() == name)
            .map(|flag| flag.span())
    }

    /// All pairs, in order of first mention.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        self.pairs
            .iter()
            .map(|pair| (pair.name.text().to_owned(), pair.value.text().to_owned()))
    }
}

/// The items without quotes; empty ones and open quotes are diagnosed.
pub(super) fn list<'a>(
    items: impl Iterator<Item = Item<'a>>,
    out: &mut Vec<Diagnostic>,
) -> Vec<Spanned<String>> {
    let mut values = Vec::new();
    for item in items {
        if !item.closed {
            unterminated(item.piece.span(), out);
        }
        let value = unquote(item);
        if value.is_empty() {
            let span = if item.piece.is_empty() {
                item.gap.span()
            } else {
                item.piece.span()
            };
            // A lone comma has an empty item on both sides.
            if out
                .last()
                .is_none_or(|last| last.code != Code::LM025 || last.span != span)
            {
                out.push(
                    Diagnostic::new(Code::LM025, span, "an empty item of a list is ignored")
                        .hint("remove the comma, or write the item")
                        .fix("Remove", span.to(item.gap.span()), ""),
                );
            }
        } else {
            values.push(value.spanned());
        }
    }
    values
}

/// Says that a quote is not closed.
pub(super) fn unterminated(span: Span, out: &mut Vec<Diagnostic>) {
    out.push(
        Diagnostic::new(
            Code::LM014,
            span,
            "a quote is not closed and runs to the end of the line",
        )
        .hint("close the quote"),
    );
}

/// Offers the closing quote where it is clear: white space may have been meant outside of it.
fn close(pair: Pair<'_>, out: &mut [Diagnostic]) {
    let quote = pair.whole.text().as_bytes().get(pair.name.text().len() + 1);
    if let (Some(found), Some(quote)) = (out.last_mut(), quote)
        && !pair.value.text().contains(char::is_whitespace)
    {
        found.fix = Some(Fix {
            title: "Close the quote".to_owned(),
            edits: vec![TextEdit {
                span: Span::at(pair.whole.span().end),
                text: char::from(*quote).to_string(),
            }],
        });
    }
}

/// A list with quotes round single items: `key=id,"order id"`. They end the option early.
struct InnerQuotes<'a> {
    /// All of it, as far as it reads as one list.
    whole: Piece<'a>,
    items: Vec<&'a str>,
}

/// The list that `pair`, an option of `line`, was meant to have; `None` when no item is in quotes, or
/// only the whole list.
fn inner_quotes<'a>(line: Piece<'a>, pair: Pair<'a>) -> Option<InnerQuotes<'a>> {
    let start = pair.whole.span().start + pair.name.text().len() + 1;
    let (_, text) = line.split_at(start - line.span().start);
    let mut rest = text.text();
    let mut items = Vec::new();
    let mut is_quoted = false;
    loop {
        let (item, behind) = match rest.strip_prefix(['"', '\'']) {
            Some(inner) => {
                is_quoted = true;
                let end = inner.find(char::from(rest.as_bytes()[0]))?;
                (&inner[..end], &inner[end + 1..])
            }
            None => rest.split_at(
                rest.find(|c: char| c == ',' || c.is_whitespace())
                    .unwrap_or(rest.len()),
            ),
        };
        items.push(item);
        rest = behind;
        let Some(more) = behind.strip_prefix(',') else {
            break;
        };
        // Behind white space only a quote surely goes on with the list.
        let trimmed = more.trim_start();
        rest = if trimmed.starts_with(['"', '\'']) {
            trimmed
        } else {
            more
        };
    }
    (is_quoted && items.len() > 1).then(|| InnerQuotes {
        whole: text.taken(rest).0,
        items,
    })
}

impl InnerQuotes<'_> {
    /// Diagnoses it; gives `pair` with the items that count.
    fn report<'a>(&self, mut pair: Pair<'a>, out: &mut Vec<Diagnostic>) -> Pair<'a> {
        if !pair.quoted {
            let end = pair.value.text().find(['"', '\'']);
            let (value, _) = pair.value.split_at(end.unwrap_or(pair.value.text().len()));
            pair.value = value.split_at(value.text().trim_end_matches(',').len()).0;
        }
        let name = pair.name.text();
        let span = Span::new(pair.whole.span().start, self.whole.span().end);
        let found = Diagnostic::new(
            Code::LM011,
            span,
            format!(
                "the quotes inside it end the list of `{name}`: only `{}` counts",
                pair.value.text()
            ),
        );
        let list = self.items.join(",");
        let quote = ['"', '\''].into_iter().find(|quote| !list.contains(*quote));
        let has_comma = self.items.iter().any(|item| item.contains(','));
        out.push(match quote.filter(|_| !has_comma) {
            Some(quote) => {
                let whole = format!("{name}={quote}{list}{quote}");
                found.hint(format!("write `{whole}`")).fix(
                    "Put the quotes round the whole list",
                    span,
                    whole,
                )
            }
            None => found.hint("put the quotes round the whole list"),
        });
        pair
    }
}

/// Says that the option `name` takes no such value.
pub(super) fn unknown_value(
    name: &str,
    value: Piece<'_>,
    known: &[&'static str],
    default: &str,
) -> Diagnostic {
    let found = Diagnostic::new(
        Code::LM015,
        value.span(),
        format!(
            "`{}` is no value of `{name}`, and the default `{default}` counts",
            shortened(value.text())
        ),
    )
    .hint(format!("known are `{}`", known.join("`, `")));
    match nearest(value.text(), known) {
        Some(near) => found.change(value.span(), near),
        None => found,
    }
}

/// At most 40 characters of `text`.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn unknown(pair: Pair<'_>, accepted: &Accepted) -> Diagnostic {
    let name = pair.name.text();
    let names = accepted.names.unwrap_or_default();
    let is_flag = accepted.flags.contains(&name);
    let found = Diagnostic::new(
        Code::LM008,
        pair.whole.span(),
        format!(
            "option `{}` is unknown here and is ignored",
            shortened(name)
        ),
    );
    match nearest(name, names) {
        None if is_flag => {
            let found = found.hint("it is a flag: write it alone, or leave it out");
            if pair.value.text().eq_ignore_ascii_case("true") {
                found.change(pair.whole.span(), name)
            } else {
                found
            }
        }
        Some(near) => found
            .hint(format!("`{near}` is one"))
            .change(pair.name.span(), near),
        None if names.is_empty() => found.hint("no option belongs here"),
        None => found.hint(format!("known are `{}`", names.join("`, `"))),
    }
}

/// `key = id` and `key =id`: how many tokens behind the name belong to it.
fn spaced(
    name: Piece<'_>,
    rest: &[Token<'_>],
    accepted: &Accepted,
    out: &mut Vec<Diagnostic>,
) -> Option<usize> {
    if !accepted.takes(name.text()) {
        return None;
    }
    let (value, taken) = match rest {
        [Token::Word(mark), Token::Word(value), ..] if mark.text() == "=" => (*value, 2),
        [Token::Word(mark), Token::Quoted { .. }, ..] if mark.text() == "=" => {
            out.push(spaced_option(name.text(), name, &rest[..2]));
            return Some(2);
        }
        [Token::Word(value), ..] if value.text().len() > 1 && value.text().starts_with('=') => {
            (*value, 1)
        }
        _ => return None,
    };
    let taken = taken + continuation(name.text(), value, &rest[taken..], accepted).len();
    out.push(spaced_option(name.text(), name, &rest[..taken]));
    Some(taken)
}

fn spaced_option(name: &str, first: Piece<'_>, more: &[Token<'_>]) -> Diagnostic {
    let span = more
        .last()
        .map_or(first.span(), |last| first.through(last.whole()));
    let joined = joined(first, more);
    Diagnostic::new(
        Code::LM010,
        span,
        format!("spaces around `=` keep `{name}` from being an option, and it is ignored"),
    )
    .hint(format!("write `{joined}`"))
    .fix("Remove the spaces", span, joined)
}

fn joined(first: Piece<'_>, more: &[Token<'_>]) -> String {
    std::iter::once(first.text())
        .chain(more.iter().map(|token| token.whole().text()))
        .collect()
}

/// The tokens that go on with the comma list whose text so far ends in `value`.
fn continuation<'t, 'a>(
    name: &str,
    value: Piece<'a>,
    rest: &'t [Token<'a>],
    accepted: &Accepted,
) -> &'t [Token<'a>] {
    if !accepted.lists.contains(&name) {
        return &[];
    }
    let mut open = value.text().ends_with(',');
    let goes_on = |token: &&Token<'a>| match token {
        Token::Word(word) => {
            let text = word.text();
            // A flag stays a flag, also behind a comma.
            let belongs = (open && !accepted.flags.contains(&text)) || text.starts_with(',');
            open = text.ends_with(',');
            belongs
        }
        Token::Quoted { .. } | Token::Pair(_) => false,
    };
    &rest[..rest.iter().take_while(goes_on).count()]
}
