//! Applying a mend.

use super::Fix;

/// `text` with the edits of `fix`. Edits that overlap an earlier one or do not belong to the text
/// are left out.
///
/// ```
/// use parser_core::diagnostic::apply;
/// let text = "-- materialise ducklake://shop/orders\nSELECT 1 AS id";
/// let fix = parser_core::parse(text).diagnostics[0].fix.clone().expect("a fix");
/// assert!(apply(text, &fix).starts_with("-- materialize ducklake://shop/orders\n"));
/// ```
#[must_use]
pub fn apply(text: &str, fix: &Fix) -> String {
    let mut edits: Vec<_> = fix.edits.iter().collect();
    crate::sort::by(&mut edits, |edit| [edit.span.start, edit.span.end, 0]);
    let mut mended = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let Some(kept) = text
            .get(at..edit.span.start)
            .filter(|_| text.get(edit.span.start..edit.span.end).is_some())
        else {
            continue;
        };
        mended.push_str(kept);
        mended.push_str(&edit.text);
        at = edit.span.end;
    }
    mended.push_str(text.get(at..).unwrap_or_default());
    mended
}
