//! The header taken apart: what each piece of an annotation line is, for tokens and hover alike.

use super::registry::{Annotation, AnnotationOption, Takes, Word};
use super::tokens::{TokenClass, sql};
use crate::asset::Asset;
use crate::header::piece::{self, Piece};
use crate::header::reference::split_column;
use crate::header::test;
use crate::header::token::{Pair, Token, column, items, references, tokens, unquote};
use crate::header::{BOM, Keyword};
use crate::script::NativeTrigger;
use crate::source::Span;

/// A piece of a header line.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) span: Span,
    pub(super) class: TokenClass,
    pub(super) meaning: Meaning,
}

/// What the hover says about a piece.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// Nothing.
    Plain,
    /// An annotation's keyword.
    Keyword(Keyword),
    /// An option's name, or a flag.
    Option(&'static AnnotationOption),
    /// A word of the grammar.
    Word(&'static Word),
    /// An asset.
    Asset(Asset),
    /// A column of an asset, or of the target.
    Column(Option<Asset>),
    /// A time zone.
    TimeZone,
}

/// The pieces of the header, which ends at byte `end`, in text order.
pub(super) fn parts(text: &str, end: usize) -> Vec<Part> {
    let header = text.get(..end).unwrap_or_default();
    let start = if header.starts_with(BOM) {
        BOM.len_utf8()
    } else {
        0
    };
    let mut anatomy = Anatomy::default();
    for line in piece::lines(header, start) {
        if let Some(comment) = piece::comment(line.piece) {
            anatomy.line(line.piece.trim(), comment);
        }
    }
    anatomy.parts
}

#[derive(Default)]
struct Anatomy {
    parts: Vec<Part>,
}

impl Anatomy {
    fn line(&mut self, line: Piece<'_>, comment: Piece<'_>) {
        let (word, rest) = comment.word();
        let Some(keyword) = Keyword::read(word.text()) else {
            return self.plain(line, TokenClass::Comment);
        };
        let mark = if line.text().starts_with('#') { 1 } else { 2 };
        self.plain(line.split_at(mark).0, TokenClass::Comment);
        self.push(word, TokenClass::Annotation, Meaning::Keyword(keyword));
        self.arguments(keyword, rest);
    }

    fn push(&mut self, piece: Piece<'_>, class: TokenClass, meaning: Meaning) {
        if !piece.is_empty() {
            self.parts.push(Part {
                span: piece.span(),
                class,
                meaning,
            });
        }
    }

    fn plain(&mut self, piece: Piece<'_>, class: TokenClass) {
        self.push(piece, class, Meaning::Plain);
    }

    fn arguments(&mut self, keyword: Keyword, rest: Piece<'_>) {
        let annotation = Annotation::of(keyword);
        let (first, more) = rest.word();
        match keyword {
            Keyword::Pipeline | Keyword::Macros => self.plain(rest, TokenClass::Comment),
            Keyword::Use => self.first(first, TokenClass::String, more),
            Keyword::Tag => self.first(first, TokenClass::Value, more),
            Keyword::Freshness | Keyword::Debounce => self.first(first, TokenClass::Number, more),
            Keyword::Retry => {
                let (delay, more) = more.word();
                self.plain(first, TokenClass::Number);
                self.first(delay, TokenClass::Number, more);
            }
            Keyword::Trigger => {
                self.word(annotation, first);
                self.plain(more, TokenClass::Comment);
            }
            Keyword::Partitioned => {
                self.word(annotation, first);
                self.options(annotation, more, false);
            }
            Keyword::Materialize => {
                if annotation.word(first.text()).is_some() {
                    let (target, more) = more.word();
                    self.word(annotation, first);
                    self.asset(target);
                    self.options(annotation, more, false);
                } else {
                    self.asset(first);
                    self.options(annotation, more, false);
                }
            }
            Keyword::DataTest => self.data_test(annotation, rest),
            Keyword::Column => {
                if let Some((left, right)) = rest.split_once("<-") {
                    self.column_name(left);
                    self.operator(rest, left, 2);
                    self.references(right);
                } else {
                    self.column_name(rest);
                }
            }
            Keyword::Measure | Keyword::Dimension => {
                if let Some((left, right)) = rest.split_once("=") {
                    self.plain(left, TokenClass::Identifier);
                    self.operator(rest, left, 1);
                    let found = sql(right.text(), right.span().start);
                    self.parts
                        .extend(found.into_iter().map(|(span, class)| Part {
                            span,
                            class,
                            meaning: Meaning::Plain,
                        }));
                } else {
                    self.plain(rest, TokenClass::Identifier);
                }
            }
            Keyword::Mute => {
                self.word_or_asset(annotation, first);
                self.plain(more, TokenClass::Comment);
            }
            Keyword::On => {
                let native = NativeTrigger::ALL
                    .iter()
                    .any(|kind| kind.as_str() == first.text());
                self.word_or_asset(annotation, first);
                self.options(annotation, more, native);
            }
        }
    }

    fn first(&mut self, first: Piece<'_>, class: TokenClass, more: Piece<'_>) {
        self.plain(first, class);
        self.plain(more, TokenClass::Comment);
    }

    fn word(&mut self, annotation: &Annotation, piece: Piece<'_>) {
        match annotation.word(piece.text()) {
            Some(word) => self.push(piece, TokenClass::Value, Meaning::Word(word)),
            None => self.plain(piece, TokenClass::Comment),
        }
    }

    fn word_or_asset(&mut self, annotation: &Annotation, piece: Piece<'_>) {
        match annotation.word(piece.text()) {
            Some(word) => self.push(piece, TokenClass::Value, Meaning::Word(word)),
            None => self.asset(piece),
        }
    }

    fn asset(&mut self, piece: Piece<'_>) {
        match Asset::parse_target(piece.text()) {
            Some(asset) => self.push(piece, TokenClass::Asset, Meaning::Asset(asset)),
            None => self.plain(piece, TokenClass::Comment),
        }
    }

    fn column_name(&mut self, piece: Piece<'_>) {
        self.push(piece, TokenClass::Column, Meaning::Column(None));
    }

    /// The mark of `len` bytes that stands behind `left`, the trimmed text before it in `whole`.
    fn operator(&mut self, whole: Piece<'_>, left: Piece<'_>, len: usize) {
        let behind = whole
            .split_at(left.span().end - whole.span().start)
            .1
            .trim_start();
        self.plain(behind.split_at(len).0, TokenClass::Operator);
    }

    fn references(&mut self, list: Piece<'_>) {
        for item in references(list) {
            self.reference(unquote(item));
        }
    }

    /// `<asset>.<column>`
    fn reference(&mut self, piece: Piece<'_>) {
        let Some((asset, name)) = split_column(piece) else {
            return self.asset(piece);
        };
        let column = Meaning::Column(Asset::parse_target(asset.text()));
        self.asset(asset);
        self.push(name.0, TokenClass::Column, column);
    }

    fn data_test(&mut self, annotation: &Annotation, rest: Piece<'_>) {
        let (head, more, options) = test::parts(rest);
        if annotation.word(head.text()).is_some() {
            self.word(annotation, head);
            self.built_in_test(head.text(), more);
        } else {
            self.first(head, TokenClass::String, more);
        }
        self.options(annotation, options, false);
    }

    fn built_in_test(&mut self, name: &str, more: Piece<'_>) {
        let mark = match name {
            "accepted_values" => "=",
            "relationships" => "->",
            "freshness" => "<=",
            "row_count" => return self.plain(more, TokenClass::Number),
            "expression" => return self.plain(more, TokenClass::String),
            _ => {
                let Some(found) = column(more) else { return };
                self.column_name(found.name);
                return self.plain(found.rest, TokenClass::Comment);
            }
        };
        let Some((left, right)) = more.split_once(mark) else {
            return self.column_name(more);
        };
        self.column_name(left);
        self.operator(more, left, mark.len());
        match mark {
            "->" => self.reference(right),
            "<=" => self.plain(right, TokenClass::Number),
            _ => {
                for item in items(right) {
                    self.plain(item.piece, TokenClass::String);
                }
            }
        }
    }

    /// `any` is set where options of any name may stand.
    fn options(&mut self, annotation: &Annotation, rest: Piece<'_>, any: bool) {
        for token in tokens(rest) {
            match token {
                Token::Pair(pair) => self.pair(annotation.option(pair.name.text()), pair, any),
                Token::Word(word) => {
                    let flag = annotation
                        .option(word.text())
                        .filter(|option| matches!(option.takes, Takes::Nothing));
                    match flag {
                        Some(flag) => self.push(word, TokenClass::Option, Meaning::Option(flag)),
                        None => self.plain(word, TokenClass::Comment),
                    }
                }
                Token::Quoted { whole, .. } => self.plain(whole, TokenClass::Comment),
            }
        }
    }

    fn pair(&mut self, option: Option<&'static AnnotationOption>, pair: Pair<'_>, any: bool) {
        let (_, tail) = pair.whole.split_at(pair.name.text().len());
        let (equals, value) = tail.split_at(1);
        let Some(option) = option else {
            if !any {
                return self.plain(pair.whole, TokenClass::Comment);
            }
            self.plain(pair.name, TokenClass::Option);
            self.plain(equals, TokenClass::Operator);
            return self.plain(value, TokenClass::String);
        };
        self.push(pair.name, TokenClass::Option, Meaning::Option(option));
        self.plain(equals, TokenClass::Operator);
        match option.takes {
            Takes::Nothing => self.plain(value, TokenClass::Comment),
            Takes::Columns => {
                for item in items(pair.value) {
                    self.column_name(unquote(item));
                }
            }
            Takes::One(words) => match words.iter().find(|word| word.word == pair.value.text()) {
                Some(word) => self.push(pair.value, TokenClass::Value, Meaning::Word(word)),
                None => self.plain(value, TokenClass::String),
            },
            Takes::TimeZone => self.push(pair.value, TokenClass::Value, Meaning::TimeZone),
            Takes::Duration => self.plain(pair.value, TokenClass::Number),
            Takes::Format | Takes::Slice | Takes::Path => self.plain(value, TokenClass::String),
        }
    }
}
