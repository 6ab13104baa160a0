//! Deploy rules: what a run would reject, told at check time, as pure functions over the script.

use crate::diagnostic::Diagnostic;
use crate::script::Script;

/// What validation must ask its surroundings.
pub trait Zones {
    /// Whether `name` is an IANA time zone here (jiff natively, `Intl` in the browser).
    fn is_known(&self, name: &str) -> bool;
    /// Whether the zone's clock is ever set back, so that an hour comes twice.
    fn has_fold(&self, name: &str) -> bool;
}

/// Checks one script. Findings in text order.
#[must_use]
pub fn validate(_text: &str, _script: &Script, _zones: &dyn Zones) -> Vec<Diagnostic> {
    Vec::new()
}
