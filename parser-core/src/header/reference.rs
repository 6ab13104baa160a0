//! Assets and columns of assets as annotations name them.

use super::options::{shortened, unterminated};
use super::piece::Piece;
use super::spelling::one_edit_apart;
use super::token::{references, unquote};
use crate::asset::{Asset, AssetKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::is_in_name;
use crate::script::ColumnRef;
use crate::source::Spanned;

/// Whether `ducklake` alone names the lake `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    Allowed,
    Refused,
}

/// The asset that `uri` spells, or what is wrong with it. `code` is that of the annotation.
pub(super) fn asset(uri: Piece<'_>, bare: Bare, code: Code) -> Result<Spanned<Asset>, Diagnostic> {
    let found = match bare {
        Bare::Allowed => Asset::parse_target(uri.text()),
        Bare::Refused => Asset::parse_uri(uri.text()),
    };
    found
        .map(|asset| Spanned::new(asset, uri.span()))
        .ok_or_else(|| no_asset(uri, code))
}

fn no_asset(uri: Piece<'_>, code: Code) -> Diagnostic {
    let text = uri.text();
    if looks_like_lake_table(text) {
        // The annotation is dropped as with its own code, so it is as bad as that.
        let mut found = Diagnostic::new(
            Code::LM018,
            uri.span(),
            format!("`{}` has no scheme", shortened(text)),
        )
        .hint(format!("write `ducklake://{}`", shortened(text)))
        .fix(
            "Add `ducklake://`",
            crate::source::Span::at(uri.span().start),
            "ducklake://",
        );
        found.severity = code.severity();
        return found;
    }
    if let Some(inner) = unquoted(text) {
        return Diagnostic::new(
            code,
            uri.span(),
            format!("`{}` stands in quotes", shortened(inner)),
        )
        .hint("write it without quotes")
        .fix("Remove the quotes", uri.span(), inner);
    }
    if text == "ducklake" {
        return Diagnostic::new(code, uri.span(), "`ducklake` alone names no table here")
            .hint("write `ducklake://<lake>/<table>`");
    }
    if AssetKind::ALL.iter().any(|kind| {
        text.strip_prefix(kind.scheme())
            .is_some_and(|path| path.trim_matches('/').is_empty())
    }) || text == "$res:"
    {
        return Diagnostic::new(code, uri.span(), format!("`{text}` has an empty path"))
            .hint("write the path behind the scheme");
    }
    let found = Diagnostic::new(
        code,
        uri.span(),
        format!("`{}` is no asset", shortened(text)),
    );
    match near_scheme(text) {
        Some((wrong, scheme)) => found
            .hint(format!("the scheme is spelled `{scheme}`"))
            .change(uri.split_at(wrong).0.span(), scheme),
        None => found.hint("an asset is `ducklake://<lake>/<table>`, `s3://…`, `datatable://…`, `res://…`, `volume://…` or `dbt://…`"),
    }
}

/// The asset that `text` has in quotes.
fn unquoted(text: &str) -> Option<&str> {
    ['"', '\'']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))
        .filter(|inner| Asset::parse_uri(inner).is_some())
}

/// `lake/table` and `lake/schema.table`, the scheme forgotten.
fn looks_like_lake_table(text: &str) -> bool {
    let name = |part: &str| !part.is_empty() && part.chars().all(is_in_name);
    text.split_once('/').is_some_and(|(lake, table)| {
        name(lake) && table.split('.').count() <= 2 && table.split('.').all(name)
    })
}

/// How long the misspelled scheme of `text` is, and what it should be.
fn near_scheme(text: &str) -> Option<(usize, &'static str)> {
    // `ducklake:/a/b` and `Ducklake://a/b`: up to the path.
    let colon = text.find(':').filter(|at| *at <= 16)?;
    let slashes = text[colon + 1..]
        .bytes()
        .take_while(|byte| *byte == b'/')
        .count()
        .min(2);
    let end = colon + 1 + slashes;
    let wrong = text.get(..end).filter(|_| end < text.len())?;
    AssetKind::ALL
        .into_iter()
        .map(AssetKind::scheme)
        .find_map(|scheme| {
            (wrong.eq_ignore_ascii_case(scheme)
                || one_edit_apart(wrong, scheme)
                || Some(wrong) == scheme.strip_suffix("//"))
            .then_some((end, scheme))
        })
}

/// `<asset>.<column>`: the column follows the last dot, and may be quoted.
pub(super) fn column_ref(
    text: Piece<'_>,
    code: Code,
    out: &mut Vec<Diagnostic>,
) -> Option<ColumnRef> {
    let text = text.trim();
    let malformed = |out: &mut Vec<Diagnostic>, hint: &str| {
        out.push(
            Diagnostic::new(
                code,
                text.span(),
                format!("`{}` names no column of an asset", shortened(text.text())),
            )
            .hint(hint.to_owned()),
        );
    };
    let Some((asset_text, column)) = split_column(text) else {
        malformed(
            out,
            "write `<asset>.<column>`, such as `ducklake://shop/orders.amount`",
        );
        return None;
    };
    if column.is_empty() {
        malformed(out, "write the column behind the last dot");
        return None;
    }
    if column.is_open() {
        malformed(out, "close the quote");
        return None;
    }
    if asset_text.text().contains(char::is_whitespace)
        || column.1.is_none() && column.0.text().contains(char::is_whitespace)
    {
        malformed(out, "write one `<asset>.<column>`, without spaces");
        return None;
    }
    match asset(asset_text, Bare::Allowed, code) {
        Ok(asset) => Some(ColumnRef {
            asset: asset.value,
            column: column.0.text().to_owned(),
            span: text.span(),
        }),
        Err(found) => {
            out.push(found);
            None
        }
    }
}

/// A column's name, and its quote when it has one.
pub(crate) struct Name<'a>(pub(crate) Piece<'a>, Option<char>);

impl Name<'_> {
    fn is_empty(&self) -> bool {
        self.0.text().trim().is_empty()
    }

    /// Whether it has an opening quote and no closing one.
    fn is_open(&self) -> bool {
        self.1.is_none() && self.0.text().starts_with(['"', '\''])
    }
}

/// The asset and the column of `<asset>.<column>`.
pub(crate) fn split_column(text: Piece<'_>) -> Option<(Piece<'_>, Name<'_>)> {
    let source = text.text();
    if let Some(quote) = source
        .chars()
        .next_back()
        .filter(|c| matches!(c, '"' | '\''))
    {
        let open = source[..source.len() - 1].rfind(quote)?;
        let asset = source[..open].strip_suffix('.')?;
        let inner = text.split_at(open + 1).1;
        return Some((
            text.split_at(asset.len()).0,
            Name(inner.split_at(inner.text().len() - 1).0, Some(quote)),
        ));
    }
    let dot = source.rfind('.')?;
    Some((text.split_at(dot).0, Name(text.split_at(dot + 1).1, None)))
}

/// The references of a comma list. A bad one is diagnosed and dropped alone.
pub(super) fn column_refs(
    text: Piece<'_>,
    code: Code,
    out: &mut Vec<Diagnostic>,
) -> Vec<ColumnRef> {
    references(text)
        .filter_map(|item| {
            if !item.closed && item.piece.text().starts_with(['"', '\'']) {
                unterminated(item.piece.span(), out);
            }
            column_ref(unquote(item), code, out)
        })
        .collect()
}
