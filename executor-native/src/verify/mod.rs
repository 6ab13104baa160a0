//! Data tests: what the checks' one query found, and the verdict.

mod expression;
mod script;

use parser_core::plan::sql::{Column, Literal, TableRef, UserSql};
use parser_core::plan::{Check, Probe, Scope};
use parser_core::render;
use parser_core::script::Severity;
use serde::Serialize;

use crate::engine::{
    Class, Command, Engine, EngineError, Fault, Table, confinement, json, question,
};
pub use expression::sound as sound_expression;
pub use script::{Scripts, sound as sound_script};

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
    /// `warn` when violations fail nothing; absent otherwise.
    #[serde(rename = "severity", skip_serializing_if = "Option::is_none")]
    pub warns: Option<Warns>,
    /// Up to 20 of the rows, on a violated test only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<serde_json::Value>,
}

/// `severity=warn`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Warns {
    /// Its one value.
    Warn,
}

impl Warns {
    const fn of(severity: Severity) -> Option<Self> {
        match severity {
            Severity::Error => None,
            Severity::Warn => Some(Self::Warn),
        }
    }
}

/// What a data test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No violation.
    Passed,
    /// Violations that fail nothing.
    Warned,
    /// Violations that fail the run.
    Failed,
}

impl TestOutcome {
    /// What it says.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match (self.violating, self.warns) {
            (0, _) => Verdict::Passed,
            (_, Some(Warns::Warn)) => Verdict::Warned,
            (_, None) => Verdict::Failed,
        }
    }

    /// A mark, the test, and its count when it is violated.
    #[must_use]
    pub fn line(&self) -> String {
        let (test, count) = (&self.test, self.violating);
        match self.verdict() {
            Verdict::Passed => format!("✓ {test}"),
            Verdict::Warned => format!("! {test} ({count} violating, a warning)"),
            Verdict::Failed => format!("✗ {test} ({count} violating)"),
        }
    }
}

/// Why data tests have no outcomes.
#[derive(Debug)]
pub enum Halt<'c> {
    /// One of them cannot be run, and why.
    Refused(&'c Check, String),
    /// Something else.
    Engine(EngineError),
}

impl From<EngineError> for Halt<'_> {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

/// Runs the checks against what `engine` sees of the target now: one query for all counts and one for each script, then one
/// for the sample of each test that failed.
///
/// # Errors
/// [`Halt`]; also when there is no count for some check: a test that did not run must not pass.
pub fn run<'c>(
    engine: &Engine,
    checks: &'c [Check],
    scripts: &Scripts,
    target: &TableRef,
    scope: &Scope,
) -> Result<Vec<TestOutcome>, Halt<'c>> {
    let counts = match render::checks(checks, target, scope) {
        Some(query) => Some(engine.query(&Command::from(query))?),
        None => None,
    };
    let row = counts.as_ref().map(Table::one).transpose()?;
    let mut outcomes = Vec::with_capacity(checks.len());
    for (place, check) in checks.iter().enumerate() {
        let (violating, sample) = match (&check.probe, row) {
            (Probe::Script(path), _) => {
                let script = scripts
                    .get(path)
                    .ok_or_else(|| Halt::Refused(check, format!("`{path}` was not read")))?;
                let command = Command::from(render::script_check(&script.query, target));
                let count = match engine.query(&command) {
                    Ok(table) => table.one()?.integer(0)?,
                    Err(error) => {
                        let fault = error.of_the_statement()?;
                        return Err(Halt::Refused(check, script.told(&fault, &command)));
                    }
                };
                (count, render::script_sample(&script.query, target))
            }
            (_, Some(row)) => (row.integer(place)?, render::sample(check, target, scope)),
            (_, None) => return Err(Halt::Refused(check, "it gave no result".to_owned())),
        };
        outcomes.push(TestOutcome {
            test: check.name.clone(),
            violating,
            warns: Warns::of(check.severity),
            sample: (violating > 0)
                .then(|| sampled(engine, &Command::from(sample)))
                .flatten(),
        });
    }
    Ok(outcomes)
}

/// Why a check cannot be run against the table `target` with these columns; `None` when it can.
///
/// # Errors
/// What the engine says of something else.
pub fn obstacle(
    engine: &Engine,
    check: &Check,
    target: &TableRef,
    columns: &[Column],
) -> Result<Option<String>, EngineError> {
    let named = |name: &str| {
        columns
            .iter()
            .find(|known| known.name.eq_ignore_ascii_case(name))
    };
    match &check.probe {
        // A script's table is made by the run.
        Probe::Unique(_) | Probe::NotNull(_) | Probe::RowCount(..) | Probe::Script(_) => Ok(None),
        Probe::Freshness(column, _) => Ok(named(&column.0)
            .filter(|column| {
                let data_type = &column.data_type;
                data_type != "DATE" && !data_type.starts_with("TIMESTAMP")
            })
            .map(|column| {
                format!(
                    "the column `{}` has type {}, which is no date and no timestamp",
                    column.name, column.data_type
                )
            })),
        Probe::Expression(sql) => unsound(engine, check, sql, columns),
        Probe::AcceptedValues(column, values) => {
            let Some(column) = named(&column.0) else {
                return Ok(None);
            };
            let texts: Vec<&str> = values.iter().filter_map(Literal::as_text).collect();
            if texts.is_empty() {
                return Ok(None);
            }
            let unfit = engine.texts(&question::unfit_values(&texts, &column.data_type))?;
            Ok(unfit.first().map(|value| {
                format!(
                    "`{value}` is no {}, which is the type of the column `{}`",
                    column.data_type, column.name
                )
            }))
        }
        // The table itself may be one that the run makes or changes.
        Probe::Relationships { to, to_column, .. } if to == target => {
            let reason = || format!("the table has no column `{}`", to_column.0);
            Ok(named(&to_column.0).is_none().then(reason))
        }
        Probe::Relationships {
            column,
            to,
            to_column,
        } => match engine.texts(&question::columns(to, &question::At::Now)) {
            Ok(names)
                if names
                    .iter()
                    .any(|name| name.eq_ignore_ascii_case(&to_column.0)) =>
            {
                let Some(column) = named(&column.0) else {
                    return Ok(None);
                };
                let compared = question::compared(&column.data_type, to, to_column);
                let Err(error) = engine.query(&compared) else {
                    return Ok(None);
                };
                error.of_the_statement()?;
                Ok(Some(format!(
                    "the column `{}` has type {}, which cannot be compared with `{}` of `{}`",
                    column.name, column.data_type, to_column.0, to.table.0
                )))
            }
            Ok(_) => Ok(Some(format!(
                "the table `{}` has no column `{}`",
                to.table.0, to_column.0
            ))),
            // A lake on a DuckDB file is attached once, by the script where that reads it.
            Err(_) if !engine.has_attached(&to.catalog.0)? => Ok(Some(format!(
                "the lake of the table `{}` is attached once and was detached by the script: leave out the DETACH of `{}`",
                to.table.0, to.catalog.0
            ))),
            Err(error) if error.class() == Class::Catalog => Ok(Some(format!(
                "there is no table `{}` to look in",
                to.table.0
            ))),
            Err(error) => Err(error),
        },
    }
}

/// What there is against an expression over these columns, whose table may not be there yet.
fn unsound(
    engine: &Engine,
    check: &Check,
    sql: &UserSql,
    columns: &[Column],
) -> Result<Option<String>, EngineError> {
    engine.run(&question::make_shape(columns))?;
    let found = against(engine, check, sql);
    engine.run(&question::drop_shape())?;
    found
}

/// The same, once the shape of the table is there to ask of.
fn against(engine: &Engine, check: &Check, sql: &UserSql) -> Result<Option<String>, EngineError> {
    let table = question::shape_table();
    let ask = |query| engine.query(&Command::from(query));
    let data_type = match ask(render::expression(sql, &table, true)) {
        Ok(described) => described.one()?.text(1)?,
        Err(error) => return Ok(Some(told(&error.of_the_statement()?))),
    };
    let Some(query) = render::checks(std::slice::from_ref(check), &table, &Scope::Table) else {
        return Ok(None);
    };
    let refused = match ask(query) {
        Ok(_) => None,
        Err(error) => Some(error.of_the_statement()?),
    };
    Ok(match refused {
        // It is SQL, but not where it is asked of each row: then it is about several, and of no row an aggregate still
        // makes one.
        Some(fault) if fault.class == Class::Binder => {
            let rows = ask(render::expression(sql, &table, false))?.rows;
            let what = if rows.is_empty() {
                "a window function, or UNNEST"
            } else {
                "an aggregate function"
            };
            Some(format!(
                "it has {what}, and is asked of each row by itself: write a subquery, or a script of its own, \
                 `data_test <path of a script>`"
            ))
        }
        _ if data_type != "BOOLEAN" => Some(format!(
            "it has type {data_type}, and is to be true or false: write a comparison"
        )),
        Some(fault) => Some(told(&fault)),
        None => None,
    })
}

/// What an engine's complaint about a test may say: of a value that could not be converted the value itself is left out, since
/// messages are kept and mailed.
pub(crate) fn told(fault: &Fault) -> String {
    match fault.class {
        Class::Conversion | Class::InvalidInput => {
            "a value cannot be converted; write TRY_CAST, or compare values of one type".to_owned()
        }
        Class::Permission => format!("{}; {}", fault.message, confinement::SETTING),
        _ => fault.message.clone(),
    }
}

/// A sample is a courtesy: one that is missing, too long or unreadable changes no verdict.
fn sampled(engine: &Engine, command: &Command) -> Option<serde_json::Value> {
    let text = engine.query(command).ok()?.one().ok()?.optional_text(0)?;
    (text.len() <= SAMPLE_LIMIT_BYTES)
        .then(|| json(&text).ok())
        .flatten()
}

/// Which check it is that the engine refuses, and why: asked one by one, after the query for all of them failed. `None` when
/// each goes through by itself.
#[must_use]
pub fn refused<'c>(
    engine: &Engine,
    checks: &'c [Check],
    target: &TableRef,
    scope: &Scope,
) -> Option<(&'c Check, String)> {
    checks.iter().find_map(|check| {
        let command = render::checks(std::slice::from_ref(check), target, scope)?;
        let error = engine.query(&Command::from(command)).err()?;
        Some((check, told(&error.of_the_statement().ok()?)))
    })
}

/// Whether no test failed.
#[must_use]
pub fn passed(outcomes: &[TestOutcome]) -> bool {
    count(outcomes, Verdict::Failed) == 0
}

/// How many tests say this.
#[must_use]
pub fn count(outcomes: &[TestOutcome], verdict: Verdict) -> usize {
    let said = outcomes
        .iter()
        .filter(|outcome| outcome.verdict() == verdict);
    said.count()
}

/// Every test with a tick or a cross and its count; no row data, since messages are logged and mailed.
#[must_use]
pub fn verdict(outcomes: &[TestOutcome]) -> String {
    let list: Vec<String> = outcomes.iter().map(TestOutcome::line).collect();
    format!(
        "{} of {} data tests failed: {}",
        count(outcomes, Verdict::Failed),
        outcomes.len(),
        list.join(", ")
    )
}

/// The outcomes as they are recorded: without samples.
#[must_use]
pub fn record(outcomes: &[TestOutcome]) -> serde_json::Value {
    outcomes
        .iter()
        .filter_map(|outcome| {
            let sample = None;
            serde_json::to_value(TestOutcome {
                sample,
                ..outcome.clone()
            })
            .ok()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(test: &str, violating: i64) -> TestOutcome {
        TestOutcome {
            test: test.into(),
            violating,
            warns: None,
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
