//! Looking for a text in another.
//!
//! The standard library's search is linear for any text that is looked for, with code that weighs more than what uses it in
//! the browser's module. What is looked for here has a few bytes and is known beforehand, or was typed.

/// Where `needle`, which is not empty, stands in `text` first.
pub(crate) fn find(text: &str, needle: &str) -> Option<usize> {
    text.as_bytes()
        .windows(needle.len())
        .position(|window| window == needle.as_bytes())
}

/// What stands before and after the first `mark`.
pub(crate) fn split_once<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str)> {
    let at = find(text, mark)?;
    Some((&text[..at], &text[at + mark.len()..]))
}
