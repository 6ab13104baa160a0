//! Puts annotations into the header under the repeat rule of each.

use super::annotation::{self, Annotation, Comment, at};
use super::keyword::Keyword;
use super::meant;
use super::own_line::OwnLines;
use super::piece::{Line, Piece};
use crate::diagnostic::{Code, Diagnostic, TextEdit};
use crate::names::{Named, Names};
use crate::script::{Header, Join, Trigger};
use crate::source::{Span, Spanned};

/// Reads comment lines into a header.
pub(super) struct Reader<'d> {
    header: Header,
    out: &'d mut Vec<Diagnostic>,
    own_lines: OwnLines,
    uses: Names,
    measures: Named<Span>,
    dimensions: Named<Span>,
    triggers: Names,
    /// Every `trigger` line with its removal; the last one counts, which is known at the end.
    joins: Vec<(Spanned<Join>, TextEdit)>,
}

impl<'d> Reader<'d> {
    pub(super) fn new(out: &'d mut Vec<Diagnostic>) -> Self {
        Self {
            header: Header::default(),
            out,
            own_lines: OwnLines::default(),
            uses: Names::default(),
            measures: Named::default(),
            dimensions: Named::default(),
            triggers: Names::default(),
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
                if self.uses.add(path.clone()) {
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
            Annotation::Measure(found) => {
                let first = *self.measures.entry(found.name.value.clone(), span);
                if first == span {
                    push(&mut header.measures, found, span)
                } else {
                    Some(first)
                }
            }
            Annotation::Dimension(found) => {
                let first = *self.dimensions.entry(found.name.value.clone(), span);
                if first == span {
                    push(&mut header.dimensions, found, span)
                } else {
                    Some(first)
                }
            }
            Annotation::Mute(found) => push(&mut header.mutes, found, span),
            Annotation::On(found) => {
                if self.triggers.add(identity(&found)) {
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
    let found = Diagnostic::new(Code::LM017, span, message)
        .hint("keep one of them")
        .related(counts, "this one counts");
    match removal {
        Some(edit) => found.fix_all("Remove the line", vec![edit]),
        None => found,
    }
}

/// What makes two `on` lines one. The separator is a character that ends a line of the script.
fn identity(trigger: &Trigger) -> String {
    match trigger {
        Trigger::Asset { asset, debounce } => {
            let debounce = debounce.as_ref().map(|debounce| debounce.text.as_str());
            [
                asset.value.kind.scheme(),
                &asset.value.path,
                if debounce.is_some() { "\n" } else { "" },
                debounce.unwrap_or_default(),
            ]
            .concat()
        }
        Trigger::Native { kind, options } => {
            let mut options = options.clone();
            crate::sort::by_text(&mut options, |(name, _)| name);
            let mut text = kind.as_str().to_owned();
            for (name, value) in &options {
                text.extend(["\n", name, "=", value]);
            }
            text
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
