//! What every fix must keep: the finding that it mends is gone, and no error comes in its place.

use parser_core::wire::{self, Diagnostic, Severity};

use crate::Case;
use crate::snapshot::KnownZones;

/// Applies each fix of `case` alone.
///
/// # Errors
/// A sentence about the first fix that mends nothing or breaks something.
pub fn check(case: &Case) -> Result<(), String> {
    let before = findings(&case.text);
    for found in &before {
        let Some(fix) = &found.fix else { continue };
        let mended = wire::apply_fix(&case.text, fix);
        let after = findings(&mended);
        let told = |problem: String| {
            Err(format!(
                "{} `{}` (\"{}\"): {problem}\n{mended}",
                found.code, found.message, fix.title
            ))
        };
        let same = |other: &&Diagnostic| other.code == found.code && other.message == found.message;
        if after.iter().filter(same).count() >= before.iter().filter(same).count() {
            return told("the finding is still there".to_owned());
        }
        // What stood there before is not to blame on the fix, wherever it stands now.
        let is_new = |error: &&Diagnostic| {
            error.severity == Severity::Error
                && before
                    .iter()
                    .filter(|other| other.code == error.code)
                    .count()
                    < after
                        .iter()
                        .filter(|other| other.code == error.code)
                        .count()
        };
        if let Some(error) = after.iter().find(is_new) {
            return told(format!("{} `{}` is new", error.code, error.message));
        }
    }
    Ok(())
}

fn findings(text: &str) -> Vec<Diagnostic> {
    wire::validate_to_wire(text, &KnownZones).diagnostics
}
