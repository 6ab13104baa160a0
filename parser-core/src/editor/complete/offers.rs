//! Collects what is offered at one place.

use super::{Completion, CompletionKind};
use crate::editor::context::KnownColumn;
use crate::editor::registry::{AnnotationOption, Takes, Word};
use crate::source::Span;

/// Offers that replace one span.
#[derive(Debug)]
pub(super) struct Offers<'t> {
    /// What is typed of it before the place.
    typed: &'t str,
    replace: Span,
    starting: Vec<Completion>,
    holding: Vec<Completion>,
}

impl<'t> Offers<'t> {
    /// Offers that replace `replace`, of which the part up to byte `offset` is what is typed.
    pub(super) fn new(text: &'t str, replace: Span, offset: usize) -> Self {
        Self {
            typed: Span::new(replace.start, offset).slice(text),
            replace,
            starting: Vec::new(),
            holding: Vec::new(),
        }
    }

    /// What is typed before the place.
    pub(super) const fn typed(&self) -> &'t str {
        self.typed
    }

    /// Offers `label`, which is also what is written; left out when what is typed is not in it.
    pub(super) fn add(
        &mut self,
        kind: CompletionKind,
        label: impl Into<String>,
    ) -> Option<&mut Completion> {
        let label = label.into();
        let list = match position(&label, self.typed)? {
            0 => &mut self.starting,
            _ => &mut self.holding,
        };
        if list.iter().any(|known| known.label == label) {
            return None;
        }
        list.push(Completion {
            insert_text: label.clone(),
            label,
            kind,
            detail: None,
            documentation: None,
            replace: self.replace,
        });
        list.last_mut()
    }

    pub(super) fn words(&mut self, words: &[Word]) {
        for word in words {
            if let Some(offer) = self.add(CompletionKind::Value, word.word) {
                offer.documentation = Some(word.doc.to_owned());
            }
        }
    }

    pub(super) fn option(&mut self, option: &AnnotationOption) {
        let kind = match option.takes {
            Takes::Nothing => CompletionKind::Flag,
            Takes::Columns
            | Takes::One(_)
            | Takes::TimeZone
            | Takes::Format
            | Takes::Slice
            | Takes::Duration
            | Takes::Path => CompletionKind::Option,
        };
        if let Some(offer) = self.add(kind, option.label()) {
            offer.detail = Some(option.syntax());
            offer.documentation = Some(option.doc.to_owned());
        }
    }

    /// Offers a column that is written as `spelled` says; `None` when it cannot be written here.
    pub(super) fn columns(
        &mut self,
        columns: &[KnownColumn],
        spelled: impl Fn(&str) -> Option<String>,
    ) {
        for column in columns {
            let Some(insert_text) = spelled(&column.name) else {
                continue;
            };
            if let Some(offer) = self.add(CompletionKind::Column, column.name.as_str()) {
                offer.detail = Some(column.data_type.clone());
                offer.insert_text = insert_text;
            }
        }
    }

    pub(super) fn finish(self) -> Vec<Completion> {
        let mut offers = self.starting;
        offers.extend(self.holding);
        offers
    }
}

/// Where `typed` stands in `label`, whatever the case of ASCII letters, as names are compared.
fn position(label: &str, typed: &str) -> Option<usize> {
    if typed.is_empty() {
        return Some(0);
    }
    crate::source::search::find(&label.to_ascii_lowercase(), &typed.to_ascii_lowercase())
}
