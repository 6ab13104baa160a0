//! Assets and their columns in annotations.

use super::Place;
use crate::asset::{Asset, AssetKind};
use crate::editor::complete::offers::Offers;
use crate::editor::complete::{Completion, CompletionKind};
use crate::editor::context::KnownColumn;
use crate::header::piece::Piece;
use crate::source::Span;

impl Place<'_> {
    /// Offers assets of the kinds that `takes` takes, each followed by `suffix`: those that the
    /// script reads, those that are known, then lakes and schemes.
    pub(super) fn assets(
        &self,
        offers: &mut Offers<'_>,
        takes: impl Fn(AssetKind) -> bool,
        suffix: &str,
    ) {
        let read = self.script.body.assets.iter().map(|used| &used.asset);
        let known = self.context.assets.iter().map(|known| &known.asset);
        for asset in read.chain(known).filter(|asset| takes(asset.kind)) {
            if let Some(offer) = offers.add(CompletionKind::Asset, asset.to_string()) {
                offer.detail = Some(asset.kind.as_str().to_owned());
                offer.insert_text.push_str(suffix);
            }
        }
        if takes(AssetKind::Ducklake) {
            for lake in self.context.lake_names() {
                let scheme = AssetKind::Ducklake.scheme();
                offers.add(CompletionKind::Lake, format!("{scheme}{lake}/"));
            }
        }
        if crate::source::search::find(offers.typed(), "://").is_none() {
            for kind in AssetKind::ALL.into_iter().filter(|kind| takes(*kind)) {
                offers.add(CompletionKind::Scheme, kind.scheme());
            }
        }
    }

    /// `<asset>.<column>`, of which `typed` is typed: columns behind the dot of a known asset, else
    /// assets.
    pub(super) fn reference(&self, typed: Piece<'_>) -> Vec<Completion> {
        if typed
            .text()
            .contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\''))
        {
            return Vec::new();
        }
        let start = typed.span().start;
        for (dot, _) in typed.text().rmatch_indices('.') {
            let columns = Asset::parse_target(&typed.text()[..dot])
                .map_or(&[][..], |asset| self.context.columns(&asset));
            if !columns.is_empty() {
                let mut offers = self.offers(start + dot + 1, &[',']);
                offers.columns(columns, |name| Some(quoted(name)));
                return offers.finish();
            }
        }
        let word = self.word(start, &[',']);
        let mut offers = Offers::new(self.text, word, self.offset);
        // With a dot behind it the columns follow at once.
        let has_dot = Span::new(self.offset, word.end)
            .slice(self.text)
            .contains('.');
        self.assets(&mut offers, |_| true, if has_dot { "" } else { "." });
        offers.finish()
    }

    /// The columns of the script's target, as far as they are known.
    pub(super) fn target_columns(&self) -> &[KnownColumn] {
        match &self.script.header.materialize {
            Some(line) => self.context.columns(&line.value.asset.value),
            None => &[],
        }
    }
}

/// A column's name as an annotation takes it.
pub(super) fn quoted(name: &str) -> String {
    let is_plain = !name.is_empty()
        && !name.contains(|c: char| {
            c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '.' | '=' | '<')
        });
    match (is_plain, name.contains('"')) {
        (true, _) => name.to_owned(),
        (false, false) => format!("\"{name}\""),
        (false, true) => format!("'{name}'"),
    }
}
