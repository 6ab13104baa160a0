//! The header: annotation lines at the top of a script.

use crate::diagnostic::Diagnostic;
use crate::script::Header;

/// Reads the header of `text`. The header's `span` says where the body begins.
#[must_use]
pub fn read(_text: &str, _diagnostics: &mut Vec<Diagnostic>) -> Header {
    Header::default()
}
