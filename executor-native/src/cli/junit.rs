//! Data tests as JUnit XML, which continuous integration shows.

use std::fs::File;
use std::path::Path;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::failure::Failure;
use crate::verify::{TestOutcome, Verdict};

/// The data tests of one run or table.
pub(super) struct Suite<'a> {
    /// Of what.
    pub(super) name: String,
    pub(super) outcomes: &'a [TestOutcome],
    /// What kept them from having outcomes.
    pub(super) error: Option<&'a str>,
}

/// Writes them. Counts only: such files are kept and mailed, and rows are not for everybody.
pub(super) fn write<'a>(
    file: &Path,
    suites: impl Iterator<Item = Suite<'a>>,
) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::Failed(format!("cannot write {}: {error}", file.display()))
    };
    let mut report = Report::new("lakemill data tests");
    report.add_test_suites(suites.map(|suite| test_suite(&suite)));
    let mut out = File::create(file).map_err(|error| failed(&error))?;
    report.serialize(&mut out).map_err(|error| failed(&error))
}

fn test_suite(suite: &Suite<'_>) -> TestSuite {
    let mut cases = TestSuite::new(suite.name.clone());
    cases.add_test_cases(suite.outcomes.iter().map(|outcome| {
        let violating = format!("{} violating", outcome.violating);
        let status = match outcome.verdict() {
            Verdict::Passed => TestCaseStatus::success(),
            // The format knows no warning. As with expected failures of other tools, a skipped case shows its message and
            // fails nothing.
            Verdict::Warned => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(format!("warning: {violating}"));
                status
            }
            Verdict::Failed => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(violating);
                status
            }
        };
        TestCase::new(outcome.test.clone(), status)
    }));
    if let Some(error) = suite.error {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(error);
        cases.add_test_case(TestCase::new("run", status));
    }
    cases
}
