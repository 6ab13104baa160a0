//! Data tests as JUnit XML, which continuous integration shows.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::failure::Failure;
use crate::verify::{TestOutcome, Verdict};

/// The data tests of one run or table.
pub(super) struct Suite<'a> {
    /// Of what.
    pub(super) name: String,
    /// The script that declares them.
    pub(super) script: &'a str,
    pub(super) outcomes: &'a [TestOutcome],
    /// What kept them from having outcomes.
    pub(super) halt: Option<Halt<'a>>,
    /// Of the whole run: one query looks for all tests.
    pub(super) elapsed: Duration,
}

/// What kept tests from having outcomes.
pub(super) enum Halt<'a> {
    /// They, or the run before them, failed.
    Failed {
        message: &'a str,
        /// `LM313`
        code: Option<&'static str>,
    },
    /// The script did not run, and why.
    Skipped(&'a str),
}

/// Whether the file that `--junit` names is the standard output.
pub(super) fn is_stdout(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Refuses two texts on one standard output.
pub(super) fn refuse_both(file: Option<&Path>, json: bool) -> Result<(), Failure> {
    if json && file.is_some_and(is_stdout) {
        return Err(Failure::Usage(
            "`--json` and `--junit -` both print to the standard output: name a file for one of them".to_owned(),
        ));
    }
    Ok(())
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
    let mut elapsed = Duration::ZERO;
    for suite in suites {
        elapsed += suite.elapsed;
        report.add_test_suite(test_suite(&suite));
    }
    report.set_time(elapsed);
    let mut out: Box<dyn Write> = if is_stdout(file) {
        Box::new(std::io::stdout().lock())
    } else {
        Box::new(File::create(file).map_err(|error| failed(&error))?)
    };
    report.serialize(&mut out).map_err(|error| failed(&error))?;
    out.flush().map_err(|error| failed(&error))
}

fn test_suite(suite: &Suite<'_>) -> TestSuite {
    let mut cases = TestSuite::new(suite.name.clone());
    cases.set_time(suite.elapsed);
    // Tools take cases of one name for one.
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    let mut add = |name: &str, count: u32, status| {
        let name = match count {
            1 => name.to_owned(),
            more => format!("{name} ({more})"),
        };
        let mut case = TestCase::new(name, status);
        case.set_classname(suite.script);
        cases.add_test_case(case);
    };
    for outcome in suite.outcomes {
        let count = seen.entry(&outcome.test).or_default();
        *count += 1;
        add(&outcome.test, *count, status(outcome, &suite.name));
    }
    match &suite.halt {
        None => {}
        Some(Halt::Failed { message, code }) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(message.lines().next().unwrap_or_default());
            status.set_description(*message);
            if let Some(code) = code {
                status.set_type(*code);
            }
            add("run", 1, status);
        }
        Some(Halt::Skipped(why)) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(*why);
            add("run", 1, status);
        }
    }
    // The library counts skipped cases as `disabled`, which is for tests that are switched off. Servers read `skipped`.
    let skipped = std::mem::take(&mut cases.disabled);
    cases
        .extra
        .insert("skipped".into(), skipped.to_string().into());
    cases
}

fn status(outcome: &TestOutcome, of: &str) -> TestCaseStatus {
    let violating = format!("{} violating", outcome.violating);
    match outcome.verdict() {
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
            status.set_description(format!(
                "the data test `{}` of {of} has {violating}; `lakemill test` shows some of them",
                outcome.test
            ));
            status.set_message(violating);
            status.set_type("violation");
            status
        }
    }
}
