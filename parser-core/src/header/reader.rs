//! Puts annotations into the header under the repeat rule of each.

use std::collections::{HashMap, HashSet};

use super::annotation::{self, Annotation, Comment, at};
use super::keyword::Keyword;
use super::meant;
use super::own_line::OwnLines;
use super::piece::{Line, Piece};
use crate::asset::AssetKind;
use crate::diagnostic::{Code, Diagnostic, Fix, TextEdit};
use crate::script::{Header, Join, NativeTrigger, Trigger};
use crate::source::{Span, Spanned};

/// What makes two `on` lines one.
#[derive(PartialEq, Eq, Hash)]
enum TriggerKey {
    Asset(AssetKind, String, Option<String>),
    Native(NativeTrigger, Vec<(String, String)>),
}

/// Reads comment lines into a header.
pub(super) struct Reader<'d> {
    header: Header,
    out: &'d mut Vec<Diagnostic>,
    own_lines: OwnLines,
    uses: HashSet<String>,
    measures: HashMap<String, Span>,
    dimensions: HashMap<String, Span>,
    triggers: HashSet<TriggerKey>,
    /// Every `trigger` line with its removal; the last one counts, which is known at the end.
    joins: Vec<(Spanned<Join>, TextEdit)>,
}

impl<'d> Reader<'d> {
    pub(super) fn new(out: &'d mut Vec<Diagnostic>) -> Self {
        Self {
            header: Header::default(),
            out,
            own_lines: OwnLines::default(),
            uses: HashSet::new(),
            measures: HashMap::new(),
            dimensions: HashMap::new(),
            triggers: HashSet::new(),
            joins: Vec::new(),
        }
    }

    /// Reads one comment line, of which `text` stands behind the prefix.
    pub(super) fn comment(&mut self, text: Piece<'_>, line: Line<'_>) {
        let comment = Comment::new(text, line);
        if comment.word.is_empty() {
            return;
        }
        match Keyword::read(comment.word.text()) {
            Some(keyword) => {
                if let Some(found) = annotation::read(keyword, comment, self.out) {
                    self.place(found, keyword, comment);
                }
            }
            None if self.own_lines.read(comment) => {}
            None => self.out.extend(meant::finding(comment)),
        }
    }

    /// The header, once all its lines are read.
    pub(super) fn finish(mut self, span: Span) -> Header {
        self.header.span = span;
        self.own_lines.report(&self.header, self.out);
        if let Some(last) = &self.header.trigger {
            let differing = self.joins.into_iter();
            for (line, removal) in differing.filter(|(line, _)| line.value != last.value) {
                self.out.push(ignored(
                    line.span,
                    "a later `trigger` line counts, and this one is ignored".to_owned(),
                    last.span,
                    Some(removal),
                ));
            }
        }
        self.header
    }

    fn place(&mut self, found: Annotation, keyword: Keyword, comment: Comment<'_>) {
        let span = comment.span;
        let header = &mut self.header;
        let earlier = match found {
            Annotation::Pipeline => first(&mut header.pipeline, span, |first| *first),
            Annotation::Macros => first(&mut header.macros, span, |first| *first),
            Annotation::Use(path) => {
                if self.uses.insert(path.clone()) {
                    header.uses.push(at(path, span));
                }
                None
            }
            Annotation::Partitioned(found) => {
                first(&mut header.partition, at(found, span), |first| first.span)
            }
            Annotation::Freshness(found) => {
                first(&mut header.freshness, at(found, span), |first| first.span)
            }
            Annotation::Debounce(found) => {
                first(&mut header.debounce, at(found, span), |first| first.span)
            }
            Annotation::Trigger(found) => {
                self.joins.push((at(found, span), comment.removal()));
                header.trigger = Some(at(found, span));
                None
            }
            Annotation::Tag(found) => first(&mut header.tag, at(found, span), |first| first.span),
            Annotation::Retry(found) => {
                first(&mut header.retry, at(found, span), |first| first.span)
            }
            Annotation::Materialize(found) => {
                first(&mut header.materialize, at(*found, span), |first| {
                    first.span
                })
            }
            Annotation::DataTest(found) => push(&mut header.data_tests, found, span),
            Annotation::Column(found) => push(&mut header.columns, found, span),
            Annotation::Measure(found) => match self.measures.entry(found.name.value.clone()) {
                std::collections::hash_map::Entry::Occupied(first) => Some(*first.get()),
                std::collections::hash_map::Entry::Vacant(free) => {
                    free.insert(span);
                    push(&mut header.measures, found, span)
                }
            },
            Annotation::Dimension(found) => match self.dimensions.entry(found.name.value.clone()) {
                std::collections::hash_map::Entry::Occupied(first) => Some(*first.get()),
                std::collections::hash_map::Entry::Vacant(free) => {
                    free.insert(span);
                    push(&mut header.dimensions, found, span)
                }
            },
            Annotation::Mute(found) => push(&mut header.mutes, found, span),
            Annotation::On(found) => {
                if self.triggers.insert(TriggerKey::of(&found)) {
                    header.triggers.push(at(found, span));
                }
                None
            }
        };
        if let Some(earlier) = earlier {
            let message = format!(
                "an earlier `{}` line counts, and this one is ignored",
                keyword.as_str()
            );
            self.out
                .push(ignored(span, message, earlier, Some(comment.removal())));
        }
    }
}

/// Of two lines of one value, the one that does not count.
fn ignored(span: Span, message: String, counts: Span, removal: Option<TextEdit>) -> Diagnostic {
    let mut found = Diagnostic::new(Code::LM017, span, message)
        .hint("keep one of them")
        .related(counts, "this one counts");
    found.fix = removal.map(|edit| Fix {
        title: "Remove the line".to_owned(),
        edits: vec![edit],
    });
    found
}

impl TriggerKey {
    fn of(trigger: &Trigger) -> Self {
        match trigger {
            Trigger::Asset { asset, debounce } => Self::Asset(
                asset.value.kind,
                asset.value.path.clone(),
                debounce.as_ref().map(|debounce| debounce.text.clone()),
            ),
            Trigger::Native { kind, options } => {
                let mut options = options.clone();
                options.sort();
                Self::Native(*kind, options)
            }
        }
    }
}

/// Fills an empty slot; gives where the earlier one stands when it is taken.
fn first<T>(slot: &mut Option<T>, found: T, span: impl Fn(&T) -> Span) -> Option<Span> {
    match slot {
        Some(earlier) => Some(span(earlier)),
        None => {
            *slot = Some(found);
            None
        }
    }
}

fn push<T>(list: &mut Vec<Spanned<T>>, found: T, span: Span) -> Option<Span> {
    list.push(at(found, span));
    None
}
