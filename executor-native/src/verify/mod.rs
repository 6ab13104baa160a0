//! Data tests: what the checks' one query found, and the verdict.

use parser_core::plan::Check;
use serde::Serialize;

use crate::engine::{EngineError, Row, Table};

/// A sample longer than this is dropped, never cut: half a JSON text is none. Bytes of UTF-8.
const SAMPLE_LIMIT_BYTES: usize = 50 * 1024;

/// What one data test found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TestOutcome {
    /// `unique id`
    pub test: String,
    /// Violating rows (for `unique`: values).
    pub violating: i64,
    /// Up to 20 of them, on a failed test only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<serde_json::Value>,
}

/// Reads the checks' answer: a row `(position, test, violating, sample)` for each.
///
/// # Errors
/// [`EngineError::Shape`] when it is not that, or has fewer outcomes than there are checks: a test that did not run
/// must not pass.
pub fn outcomes(table: &Table, checks: &[Check]) -> Result<Vec<TestOutcome>, EngineError> {
    let outcomes = table
        .rows
        .iter()
        .map(outcome)
        .collect::<Result<Vec<_>, _>>()?;
    if outcomes.len() != checks.len() {
        return Err(EngineError::Shape(format!(
            "{} of {} data tests gave a result",
            outcomes.len(),
            checks.len()
        )));
    }
    Ok(outcomes)
}

fn outcome(row: &Row) -> Result<TestOutcome, EngineError> {
    let violating = row.integer(2)?;
    // A sample is a courtesy: one that is missing, too long or unreadable changes no verdict.
    let sample = row
        .optional_text(3)
        .filter(|text| violating > 0 && text.len() <= SAMPLE_LIMIT_BYTES)
        .and_then(|text| serde_json::from_str(&text).ok());
    Ok(TestOutcome {
        test: row.text(1)?,
        violating,
        sample,
    })
}

/// Whether every test passed.
#[must_use]
pub fn passed(outcomes: &[TestOutcome]) -> bool {
    outcomes.iter().all(|outcome| outcome.violating == 0)
}

/// Every test with a tick or a cross and its count; no row data, since messages are logged and mailed.
#[must_use]
pub fn verdict(outcomes: &[TestOutcome]) -> String {
    let failed = outcomes
        .iter()
        .filter(|outcome| outcome.violating > 0)
        .count();
    let list: Vec<String> = outcomes
        .iter()
        .map(|outcome| match outcome.violating {
            0 => format!("✓ {}", outcome.test),
            n => format!("✗ {} ({n} violating)", outcome.test),
        })
        .collect();
    format!(
        "{failed} of {} data tests failed: {}",
        outcomes.len(),
        list.join(", ")
    )
}

/// The outcomes as they are recorded: without samples.
#[must_use]
pub fn record(outcomes: &[TestOutcome]) -> serde_json::Value {
    outcomes
        .iter()
        .map(|outcome| serde_json::json!({ "test": outcome.test, "violating": outcome.violating }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(test: &str, violating: i64) -> TestOutcome {
        TestOutcome {
            test: test.into(),
            violating,
            sample: (violating > 0).then(|| serde_json::json!([{ "value": "secret" }])),
        }
    }

    #[test]
    fn the_message_has_counts_and_no_rows() {
        let outcomes = [found("unique id", 2), found("not_null id", 0)];
        let text = verdict(&outcomes);
        assert_eq!(
            text,
            "1 of 2 data tests failed: ✗ unique id (2 violating), ✓ not_null id"
        );
        assert!(!passed(&outcomes));
        assert!(!record(&outcomes).to_string().contains("secret"));
    }
}
