//! Data tests that are scripts of the project: one SELECT over the table under test.

use std::collections::BTreeMap;

use parser_core::body::{StatementKind, partition_tokens};
use parser_core::partition::Slice;
use parser_core::plan::sql::{Piece, TableRef, UserSql};
use parser_core::plan::{Check, Probe, TARGET_ALIAS};
use parser_core::render::{self, Rendered};
use parser_core::source::LineIndex;

use super::expression;
use crate::config::{Project, ScriptFile};
use crate::engine::{Command, Fault, confinement};

/// The scripts of a run's data tests, by their paths as the tests give them.
#[derive(Debug, Default)]
pub struct Scripts(BTreeMap<String, TestScript>);

/// A script that finds violating rows.
#[derive(Debug)]
pub(super) struct TestScript {
    file: ScriptFile,
    pub(super) query: UserSql,
}

impl Scripts {
    /// Reads those that `checks` name, for one slice.
    ///
    /// # Errors
    /// The check whose script is missing or is no test, and why.
    pub fn read<'c>(
        project: &Project,
        checks: &'c [Check],
        slice: Option<&Slice>,
    ) -> Result<Self, (&'c Check, String)> {
        let mut scripts = BTreeMap::new();
        for check in checks {
            match &check.probe {
                Probe::Script(path) => {
                    let script =
                        TestScript::read(project, path, slice).map_err(|why| (check, why))?;
                    scripts.insert(path.clone(), script);
                }
                Probe::Expression(sql) => {
                    let text: String = sql.pieces.iter().map(Piece::text).collect();
                    expression::sound(project, &text).map_err(|why| (check, why))?;
                }
                Probe::Unique(_)
                | Probe::NotNull(_)
                | Probe::AcceptedValues(..)
                | Probe::Relationships { .. }
                | Probe::RowCount(..)
                | Probe::Freshness(..) => {}
            }
        }
        Ok(Self(scripts))
    }

    /// The query of each, which counts its rows.
    pub fn queries<'s>(&'s self, target: &'s TableRef) -> impl Iterator<Item = Rendered> + 's {
        let scripts = self.0.values();
        scripts.map(|script| render::script_check(&script.query, target))
    }

    pub(super) fn get(&self, path: &str) -> Option<&TestScript> {
        self.0.get(path)
    }
}

/// Whether the script that a data test names by `path` could be run for a slice; else why not.
///
/// # Errors
/// The reason.
pub fn sound(project: &Project, path: &str, slice: Option<&Slice>) -> Result<(), String> {
    TestScript::read(project, path, slice).map(|_| ())
}

impl TestScript {
    fn read(project: &Project, path: &str, slice: Option<&Slice>) -> Result<Self, String> {
        let file = project
            .test_script(path)
            .map_err(|error| error.to_string())?;
        if !project.config.engine.allow_local_files
            && let Some((_, what)) = confinement::called(&file.text)
        {
            let (name, setting) = (&file.name, confinement::SETTING);
            return Err(format!("`{name}` has {what}, which is refused: {setting}"));
        }
        let query = query(&file.text, slice).map_err(|why| format!("`{}` {why}", file.name))?;
        Ok(Self { file, query })
    }

    /// An engine's complaint about the script, at its place in it.
    pub(super) fn told(&self, fault: &Fault, command: &Command) -> String {
        let place = fault
            .position
            .and_then(|position| command.to_source(position));
        let (name, message) = (&self.file.name, super::told(fault));
        match place {
            Some(byte) => {
                let span = parser_core::source::Span::at(byte);
                let at = LineIndex::new(&self.file.text).range(span);
                format!("{name}:{}:{}: {message}", at.start_line, at.start_column)
            }
            None => format!("{name}: {message}"),
        }
    }
}

/// The SELECT of a test script, with the slice in place of its tokens; or why it is no test.
fn query(text: &str, slice: Option<&Slice>) -> Result<UserSql, String> {
    let body = parser_core::parse(text).script.body;
    let statement = match body.statements.as_slice() {
        [] => return Err("is empty: a data test is one SELECT".to_owned()),
        [statement] => statement,
        more => {
            return Err(format!(
                "holds {} statements: a data test is one SELECT",
                more.len()
            ));
        }
    };
    if !matches!(statement.kind, StatementKind::Output(_)) {
        return Err("is no SELECT: a data test only reads".to_owned());
    }
    if !statement.names_in(TARGET_ALIAS) {
        return Err(format!(
            "does not read `{TARGET_ALIAS}`, the table that is tested: write `FROM {TARGET_ALIAS}`"
        ));
    }
    partition_tokens::substitute(text, statement, slice)
        .map_err(|error| format!("cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::query;

    fn refusal(text: &str) -> String {
        query(text, None).expect_err(text)
    }

    #[test]
    fn a_test_is_one_select_over_the_target() {
        for test in [
            "SELECT * FROM _wm_target WHERE amount < 0",
            "-- no negative amounts\nFROM _wm_target.orders WHERE amount < 0;",
            "WITH bad AS (SELECT id FROM _WM_TARGET) SELECT * FROM bad",
        ] {
            assert!(query(test, None).is_ok(), "{test}");
        }
        assert!(refusal("-- nothing").contains("is empty"));
        assert!(refusal("FROM _wm_target; FROM _wm_target").contains("2 statements"));
        assert!(refusal("DELETE FROM _wm_target.orders").contains("only reads"));
        assert!(refusal("SELECT 1 AS bad").contains("`_wm_target`"));
        assert!(refusal("FROM _wm_target WHERE day = {partition}").contains("partition"));
    }
}
