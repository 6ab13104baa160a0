//! Deploy rules: what a run would reject, told at check time, as pure functions over the script.

mod body;
mod materialize;
mod partition;
mod set;
mod time;

pub(crate) use materialize::history;
pub use set::validate_set;

use crate::diagnostic::{self, Diagnostic};
use crate::script::{Parsed, Script};

/// What validation must ask its surroundings.
pub trait Zones {
    /// Whether `name` is an IANA time zone here (jiff natively, `Intl` in the browser).
    fn is_known(&self, name: &str) -> bool;
    /// Whether the zone's clock is ever set back, so that an hour comes twice.
    fn has_fold(&self, name: &str) -> bool;
}

/// Checks one script. Findings in text order.
///
/// ```
/// use parser_core::validate::{Zones, validate};
/// struct Utc;
/// impl Zones for Utc {
///     fn is_known(&self, name: &str) -> bool { name == "UTC" }
///     fn has_fold(&self, _: &str) -> bool { false }
/// }
/// let text = "-- materialize ducklake://shop/customers history\nSELECT 1 AS id";
/// let found = validate(text, &parser_core::parse(text).script, &Utc);
/// assert_eq!(found[0].code.info().name, "history-without-key");
/// ```
#[must_use]
pub fn validate(text: &str, script: &Script, zones: &dyn Zones) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    materialize::check(&script.header, &mut out);
    partition::check(&script.header, zones, &mut out);
    body::check(text, script, &mut out);
    diagnostic::in_text_order(&mut out);
    out
}

/// Parses a script and checks it: the findings of both, in text order.
#[must_use]
pub fn parse_and_validate(text: &str, zones: &dyn Zones) -> Parsed {
    let mut parsed = crate::parse(text);
    parsed
        .diagnostics
        .extend(validate(text, &parsed.script, zones));
    diagnostic::in_text_order(&mut parsed.diagnostics);
    parsed
}
