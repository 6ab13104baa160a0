//! In the header: keywords, and what follows them.

mod assets;

use super::offers::Offers;
use super::{Completion, CompletionKind};
use crate::asset::AssetKind;
use crate::editor::context::CompletionContext;
use crate::editor::registry::{self, Annotation, AnnotationOption, Repeats, Takes};
use crate::header::Keyword;
use crate::header::piece::Piece;
use crate::header::test;
use crate::header::token::{self, Pair, Token, tokens};
use crate::lex::is_in_name;
use crate::script::{Grain, Header, Script};
use crate::source::{Span, Spanned};

/// The place that is completed.
struct Place<'a> {
    text: &'a str,
    /// Its byte.
    offset: usize,
    /// The end of its line.
    end: usize,
    script: &'a Script,
    context: &'a CompletionContext,
}

/// Completes at byte `offset` of the header line that starts at byte `line`.
pub(super) fn complete(
    text: &str,
    line: usize,
    offset: usize,
    script: &Script,
    context: &CompletionContext,
) -> Vec<Completion> {
    let line = if line == 0 && text.starts_with(crate::header::BOM) {
        crate::header::BOM.len_utf8().min(offset)
    } else {
        line
    };
    let tail = text.get(offset..).unwrap_or_default();
    let end = offset + tail.find(['\n', '\r']).unwrap_or(tail.len());
    let place = Place {
        text,
        offset,
        end,
        script,
        context,
    };
    let whole = Piece::new(Span::new(line, end).slice(text), line);
    if whole.text().trim().is_empty() {
        return place.blank_line();
    }
    let Some(typed) = place.typed(line) else {
        return Vec::new();
    };
    let (word, _) = typed.word();
    if word.text().len() == typed.text().len() {
        return place.keyword(typed);
    }
    let Some(keyword) = Keyword::read(word.text()) else {
        return Vec::new();
    };
    let before = typed.split_at(word.text().len()).1.trim_start();
    place.arguments(keyword, before)
}

impl<'a> Place<'a> {
    /// What is typed between the comment's prefix and the place.
    fn typed(&self, line: usize) -> Option<Piece<'a>> {
        let before = Piece::new(Span::new(line, self.offset).slice(self.text), line).trim_start();
        let mark = ["--", "//", "#"]
            .into_iter()
            .find(|mark| before.text().starts_with(mark))?;
        let inner = before.split_at(mark.len()).1;
        // `---` is an ordinary comment.
        let behind = Span::new(inner.span().start, self.end).slice(self.text);
        (!behind.starts_with(&mark[..1])).then(|| inner.trim_start())
    }

    /// From byte `start` to the end of the word at the place, which `stop` also ends.
    fn word(&self, start: usize, stop: &[char]) -> Span {
        let tail = Span::new(self.offset, self.end).slice(self.text);
        let len = tail
            .find(|c: char| c.is_whitespace() || stop.contains(&c))
            .unwrap_or(tail.len());
        Span::new(start, self.offset + len)
    }

    fn offers(&self, start: usize, stop: &[char]) -> Offers<'a> {
        Offers::new(self.text, self.word(start, stop), self.offset)
    }

    fn blank_line(&self) -> Vec<Completion> {
        let mut offers = Offers::new(self.text, Span::at(self.offset), self.offset);
        self.keywords(&mut offers, "-- ");
        offers.finish()
    }

    fn keyword(&self, typed: Piece<'_>) -> Vec<Completion> {
        let mut offers = self.offers(typed.span().start, &[]);
        self.keywords(&mut offers, "");
        offers.finish()
    }

    fn keywords(&self, offers: &mut Offers<'_>, prefix: &str) {
        for &keyword in Keyword::ALL {
            let annotation = Annotation::of(keyword);
            let is_used = first_line(keyword, &self.script.header)
                .is_some_and(|span| self.offset < span.start || self.offset > span.end);
            if annotation.repeats == Repeats::First && is_used {
                continue;
            }
            let word = keyword.as_str();
            if let Some(offer) = offers.add(CompletionKind::Keyword, format!("{prefix}{word}")) {
                let alone = matches!(keyword, Keyword::Pipeline | Keyword::Macros);
                let follows = Span::new(offer.replace.end, self.end)
                    .slice(self.text)
                    .starts_with(char::is_whitespace);
                if !alone && !follows {
                    offer.insert_text.push(' ');
                }
                offer.detail = Some(annotation.syntax.to_owned());
                offer.documentation = Some(registry::markdown(keyword));
            }
        }
    }

    /// `before` is what stands between the keyword and the place.
    fn arguments(&self, keyword: Keyword, before: Piece<'a>) -> Vec<Completion> {
        let annotation = Annotation::of(keyword);
        let (first, more) = before.word();
        let is_first = first.text().len() == before.text().len();
        match keyword {
            Keyword::Pipeline
            | Keyword::Macros
            | Keyword::Tag
            | Keyword::Freshness
            | Keyword::Debounce
            | Keyword::Retry => Vec::new(),
            Keyword::Use if is_first => self.libraries(first),
            Keyword::Use => Vec::new(),
            Keyword::Trigger | Keyword::Partitioned if is_first => self.words(annotation, first),
            Keyword::Trigger => Vec::new(),
            Keyword::Partitioned => self.options(annotation, first.text(), before, more),
            Keyword::Materialize => self.materialize(annotation, before, is_first),
            Keyword::DataTest => self.data_test(annotation, before, is_first),
            Keyword::Column => match before.split_once("<-") {
                Some(_) => self.reference(after_last(before, &["<-", ","])),
                None => self.column(before),
            },
            Keyword::Measure | Keyword::Dimension => match before.split_once("=") {
                Some(_) => self.expression(before),
                None => Vec::new(),
            },
            Keyword::Mute | Keyword::On if is_first => {
                let mut offers = self.offers(first.span().start, &[]);
                offers.words(annotation.words);
                self.assets(&mut offers, |_| true, "");
                offers.finish()
            }
            Keyword::Mute => Vec::new(),
            Keyword::On => self.options(annotation, first.text(), before, more),
        }
    }

    fn words(&self, annotation: &Annotation, typed: Piece<'_>) -> Vec<Completion> {
        let mut offers = self.offers(typed.span().start, &[]);
        offers.words(annotation.words);
        offers.finish()
    }

    fn materialize(
        &self,
        annotation: &Annotation,
        before: Piece<'a>,
        is_first: bool,
    ) -> Vec<Completion> {
        let (first, _) = before.word();
        let mode = annotation.word(first.text()).filter(|_| !is_first);
        let target = match mode {
            Some(_) => before.split_at(first.text().len()).1.trim_start(),
            None => before,
        };
        let (word, more) = target.word();
        if word.text().len() < target.text().len() {
            return self.options(annotation, first.text(), target, more);
        }
        let mut offers = self.offers(word.span().start, &[]);
        let is_manual = mode.is_some_and(|mode| mode.word == "manual");
        self.assets(
            &mut offers,
            |kind| is_manual || kind == AssetKind::Ducklake,
            "",
        );
        if mode.is_none() {
            offers.words(annotation.words);
        }
        offers.finish()
    }

    fn data_test(
        &self,
        annotation: &Annotation,
        before: Piece<'a>,
        is_first: bool,
    ) -> Vec<Completion> {
        let (head, _, mut options) = test::parts(before);
        if is_first {
            let mut offers = self.offers(head.span().start, &[]);
            offers.words(annotation.words);
            for test in &self.context.tests {
                offers.add(CompletionKind::Test, test.as_str());
            }
            return offers.finish();
        }
        let more = before.split_at(head.text().len()).1.trim_start();
        let last = after_last(more, &["->", "=", ",", "<", ">"]);
        let has_mark = last.text().len() < more.text().len();
        let is_in_quotes = more.text().matches(['"', '\'']).count() % 2 == 1;
        // Behind the last thing that the test needs, a space begins the options.
        let behind = last.text().rfind(char::is_whitespace);
        let is_past = match head.text() {
            _ if is_in_quotes => false,
            _ if !options.is_empty() => true,
            "unique" | "not_null" | "expression" => behind.is_some(),
            "accepted_values" | "relationships" | "row_count" | "freshness" => {
                has_mark && behind.is_some()
            }
            _ => true,
        };
        if options.is_empty() {
            options = last.split_at(behind.unwrap_or(0)).1.trim_start();
        }
        match head.text() {
            _ if is_past => self.options(annotation, head.text(), more, options),
            "expression" => self.expression(more),
            "relationships" if has_mark => self.reference(last),
            "accepted_values" if has_mark => self.accepted_values(more),
            "unique" | "not_null" | "accepted_values" | "relationships" | "freshness"
                if !has_mark =>
            {
                self.column(more)
            }
            _ => Vec::new(),
        }
    }

    /// A macro library that the script does not load yet.
    fn libraries(&self, typed: Piece<'_>) -> Vec<Completion> {
        let mut offers = self.offers(typed.span().start, &[]);
        for path in &self.context.libraries {
            let is_used = |used: &Spanned<String>| {
                used.value == *path
                    && (self.offset < used.span.start || self.offset > used.span.end)
            };
            if !self.script.header.uses.iter().any(is_used) {
                offers.add(CompletionKind::Library, path.as_str());
            }
        }
        offers.finish()
    }

    /// A value of the column that stands before the `=` in `before`.
    fn accepted_values(&self, before: Piece<'_>) -> Vec<Completion> {
        let typed = after_last(before, &["=", ","]);
        let named = before
            .split_once("=")
            .and_then(|(left, _)| token::column(left));
        let Some(named) = named.filter(|_| !typed.text().starts_with(['"', '\''])) else {
            return Vec::new();
        };
        let name = named.name.text();
        let column = self
            .target_columns()
            .iter()
            .find(|column| column.name.eq_ignore_ascii_case(name));
        let line = Span::new(before.span().start, self.end).slice(self.text);
        let listed = |value: &str| {
            line.split(['=', ','])
                .any(|item| item.trim().trim_matches(['"', '\'']) == value)
        };
        let mut offers = self.offers(typed.span().start, &[',']);
        for value in column.map_or(&[][..], |column| &column.values) {
            if !listed(value)
                && let Some(offer) = offers.add(CompletionKind::Value, value.as_str())
            {
                offer.insert_text = assets::quoted(value);
            }
        }
        offers.finish()
    }

    /// A column of the target, of which `typed` is typed.
    fn column(&self, typed: Piece<'_>) -> Vec<Completion> {
        if typed.text().contains(char::is_whitespace) || typed.text().starts_with(['"', '\'']) {
            return Vec::new();
        }
        let mut offers = self.offers(typed.span().start, &['=', '<', '-']);
        offers.columns(self.target_columns(), |name| Some(assets::quoted(name)));
        offers.finish()
    }

    /// A name in the expression that `before` ends with.
    fn expression(&self, before: Piece<'_>) -> Vec<Completion> {
        let text = before.text();
        let typed = text.len() - text.trim_end_matches(is_in_name).len();
        let start = self.offset - typed;
        if text.ends_with('.') || text.matches('\'').count() % 2 == 1 {
            return Vec::new();
        }
        let mut offers = self.offers(start, &['(', ')', ',', '=', '+', '-', '*', '/', '<', '>']);
        offers.columns(self.target_columns(), |name| {
            Some(super::body::identifier(name))
        });
        offers.finish()
    }

    /// Options behind the fixed words; `before` ends at the place, `more` is its part behind them.
    fn options(
        &self,
        annotation: &Annotation,
        first: &str,
        before: Piece<'a>,
        more: Piece<'a>,
    ) -> Vec<Completion> {
        let is_fresh = before.text().ends_with(char::is_whitespace);
        let typed: Vec<Token<'a>> = tokens(more).collect();
        let open = typed.last().copied().filter(|token| match token {
            Token::Pair(Pair { closed, .. }) | Token::Quoted { closed, .. } => !closed || !is_fresh,
            Token::Word(_) => !is_fresh,
        });
        let start = match open {
            Some(Token::Pair(pair)) => {
                let option = annotation.option(pair.name.text());
                return option.map_or_else(Vec::new, |option| self.value(option, pair));
            }
            Some(Token::Quoted { .. }) => return Vec::new(),
            Some(Token::Word(word)) => word.span().start,
            None => self.offset,
        };
        let mut replace = self.word(start, &['=']);
        if Span::new(replace.end, self.end)
            .slice(self.text)
            .starts_with('=')
        {
            replace.end += 1;
        }
        let rest = Piece::new(
            Span::new(replace.end, self.end).slice(self.text),
            replace.end,
        );
        let used: Vec<&str> = typed
            .iter()
            .filter(|token| Some(**token) != open)
            .copied()
            .chain(tokens(rest))
            .map(|token| match token {
                Token::Pair(pair) => pair.name.text(),
                Token::Word(whole) | Token::Quoted { whole, .. } => whole.text(),
            })
            .collect();
        let mut offers = Offers::new(self.text, replace, self.offset);
        for option in annotation.options {
            let fits = option.with.is_empty() || option.with.contains(&first);
            if fits && !used.contains(&option.name) {
                offers.option(option);
            }
        }
        offers.finish()
    }

    fn value(&self, option: &AnnotationOption, pair: Pair<'a>) -> Vec<Completion> {
        let start = pair.value.span().start;
        // An empty quoted value has the place behind its quotes.
        if self.offset < start || pair.quoted && pair.closed {
            return Vec::new();
        }
        match option.takes {
            Takes::Nothing | Takes::Slice | Takes::Duration | Takes::Path => Vec::new(),
            Takes::One(words) => {
                let mut offers = self.offers(start, &['"', '\'']);
                offers.words(words);
                offers.finish()
            }
            Takes::TimeZone => {
                let mut offers = self.offers(start, &['"', '\'']);
                for zone in &self.context.time_zones {
                    offers.add(CompletionKind::TimeZone, zone.as_str());
                }
                offers.finish()
            }
            Takes::Format => {
                let mut offers = self.offers(start, &['"', '\'']);
                for grain in [Grain::Daily, Grain::Hourly, Grain::Weekly, Grain::Monthly] {
                    if let Some(offer) = offers.add(CompletionKind::Value, grain.default_format()) {
                        offer.detail = Some(grain.as_str().to_owned());
                    }
                }
                offers.finish()
            }
            Takes::Columns => {
                let before = Span::new(start, self.offset).slice(self.text);
                let item = before.rfind(',').map_or(0, |at| at + 1);
                let item = item + before[item..].len() - before[item..].trim_start().len();
                let mut offers = self.offers(start + item, &[',', '"', '\'']);
                let rest = self.word(self.offset, &['"', '\'']).slice(self.text);
                let used: Vec<&str> = before[..item]
                    .split(',')
                    .chain(rest.split(',').skip(1))
                    .map(str::trim)
                    .collect();
                offers.columns(self.target_columns(), |name| {
                    let is_used = used.iter().any(|used| used.eq_ignore_ascii_case(name));
                    (!is_used && assets::quoted(name) == name).then(|| name.to_owned())
                });
                offers.finish()
            }
        }
    }
}

/// What follows the last of `marks` in `text`.
fn after_last<'a>(text: Piece<'a>, marks: &[&str]) -> Piece<'a> {
    let at = marks
        .iter()
        .filter_map(|mark| Some(text.text().rfind(mark)? + mark.len()))
        .max();
    text.split_at(at.unwrap_or(0)).1.trim_start()
}

/// Where the line of `keyword` stands that counts; `None` where several count too.
fn first_line(keyword: Keyword, header: &Header) -> Option<Span> {
    match keyword {
        Keyword::Pipeline => header.pipeline,
        Keyword::Macros => header.macros,
        Keyword::Partitioned => header.partition.as_ref().map(|found| found.span),
        Keyword::Freshness => header.freshness.as_ref().map(|found| found.span),
        Keyword::Debounce => header.debounce.as_ref().map(|found| found.span),
        Keyword::Trigger => header.trigger.as_ref().map(|found| found.span),
        Keyword::Tag => header.tag.as_ref().map(|found| found.span),
        Keyword::Retry => header.retry.as_ref().map(|found| found.span),
        Keyword::Materialize => header.materialize.as_ref().map(|found| found.span),
        Keyword::Use
        | Keyword::DataTest
        | Keyword::Column
        | Keyword::Measure
        | Keyword::Dimension
        | Keyword::Mute
        | Keyword::On => None,
    }
}
