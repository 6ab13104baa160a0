//! Data tests, as a run and `lakemill test` go through them: told by name when one cannot be run.

use parser_core::Script;
use parser_core::partition::Slice;
use parser_core::plan::sql::{Column, TableRef};
use parser_core::plan::{Check, RunContext, Scope};
use parser_core::script::Rule;
use parser_core::source::Span;

use super::RunError;
use crate::config::Project;
use crate::engine::{Class, Engine, EngineError, Fault};
use crate::lake;
use crate::verify::{self, Halt, Scripts, TestOutcome};

/// Reads the scripts of the tests and looks for what would keep any test from being run against `target`, which has or will
/// have these columns.
///
/// # Errors
/// [`RunError::Test`], what the engine says.
pub(super) fn ready(
    project: &Project,
    engine: &Engine,
    checks: &[Check],
    target: &TableRef,
    columns: &[Column],
    slice: Option<&Slice>,
) -> Result<Scripts, RunError> {
    let scripts = scripts(project, checks, slice)?;
    for check in checks {
        if let Some(reason) = verify::obstacle(engine, check, target, columns)? {
            return Err(not_runnable(check, reason));
        }
    }
    Ok(scripts)
}

/// The scripts of the tests.
///
/// # Errors
/// [`RunError::Test`]
pub(super) fn scripts(
    project: &Project,
    checks: &[Check],
    slice: Option<&Slice>,
) -> Result<Scripts, RunError> {
    Scripts::read(project, checks, slice).map_err(|(check, reason)| not_runnable(check, reason))
}

/// Runs the tests; `in_transaction` when a failed query ends what could be asked.
///
/// # Errors
/// [`RunError::Test`], what the engine says.
pub(super) fn outcomes(
    engine: &Engine,
    checks: &[Check],
    scripts: &Scripts,
    target: &TableRef,
    scope: &Scope,
    in_transaction: bool,
) -> Result<Vec<TestOutcome>, RunError> {
    verify::run(engine, checks, scripts, target, scope).map_err(|halt| match halt {
        Halt::Refused(check, reason) => not_runnable(check, reason),
        Halt::Engine(error) => match error.of_the_statement() {
            // In a transaction that failed nothing more can be asked.
            Ok(fault) if in_transaction => one_of(checks, &fault),
            // Reading meets no conflict: a transaction that was given up before would only be so again.
            Err(EngineError::Statement(fault))
                if in_transaction && fault.class == Class::Transaction =>
            {
                one_of(checks, &fault)
            }
            Ok(fault) => match verify::refused(engine, checks, target, scope) {
                Some((check, reason)) => not_runnable(check, reason),
                None => EngineError::Statement(fault).into(),
            },
            Err(error) => error.into(),
        },
    })
}

/// Refuses a test that refers to a lake that holds nothing yet: attaching it would make it.
///
/// # Errors
/// [`RunError::Test`]
pub(super) fn refuse_missing_lakes(
    script: &Script,
    context: &RunContext,
    target: &str,
) -> Result<(), RunError> {
    for test in &script.header.data_tests {
        let Rule::Relationships { to, .. } = &test.value.rule else {
            continue;
        };
        let Some(table) = to.asset.lake_table() else {
            continue;
        };
        let source = context.lakes.get(&table.lake);
        if table.lake != target && !source.is_none_or(lake::exists) {
            return Err(RunError::Test {
                test: test.value.rule.name(),
                reason: format!("the lake `{}` holds nothing yet", table.lake),
                span: test.span,
            });
        }
    }
    Ok(())
}

/// One of the tests cannot be run, of which it is not known which.
fn one_of(checks: &[Check], fault: &Fault) -> RunError {
    let names: Vec<&str> = checks.iter().map(|check| check.name.as_str()).collect();
    RunError::Test {
        test: names.join(", "),
        reason: verify::told(fault),
        span: checks
            .first()
            .map_or_else(Span::default, |check| check.span),
    }
}

fn not_runnable(check: &Check, reason: String) -> RunError {
    RunError::Test {
        test: check.name.clone(),
        reason,
        span: check.span,
    }
}
