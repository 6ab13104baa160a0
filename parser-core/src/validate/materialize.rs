//! Rules of the `materialize` line and of the annotations that need it.

use crate::asset::{Asset, AssetKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::names::Names;
use crate::script::{DataTest, Header, Materialize, Mode, Rule};
use crate::source::{Span, Spanned};

/// Names that end so belong to the views of tables with history.
const CURRENT: &str = "_current";

pub(super) fn check(header: &Header, out: &mut Vec<Diagnostic>) {
    let Some(line) = &header.materialize else {
        without_materialize(&header.data_tests, out);
        return;
    };
    let line = &line.value;
    target(line, out);
    columns("key", &line.key, out);
    columns("track", &line.track, out);
    if line.mode == Mode::Managed {
        out.extend(history(header, line));
    }
    match line.mode {
        Mode::Managed => {
            inert_on_managed(header, line, out);
            test_references(&header.data_tests, out);
        }
        Mode::Manual => {
            inert_on_manual(line, out);
            tests_on_manual(&header.data_tests, out);
        }
    }
}

fn without_materialize(tests: &[Spanned<DataTest>], out: &mut Vec<Diagnostic>) {
    for test in tests {
        out.push(
            Diagnostic::new(
                Code::LM117,
                test.span,
                "a data test never runs on a script that materializes nothing",
            )
            .hint("add a `materialize` line, or remove the test"),
        );
    }
}

fn target(line: &Materialize, out: &mut Vec<Diagnostic>) {
    let Asset { kind, path } = &line.asset.value;
    let at = |code, message: String| Diagnostic::new(code, line.asset.span, message);
    match (kind, line.mode) {
        (AssetKind::Ducklake, _) => {}
        (AssetKind::Dbt, Mode::Manual) => return,
        (AssetKind::Dbt, Mode::Managed) => {
            out.push(
                at(
                    Code::LM104,
                    format!(
                        "`{}` is written by dbt and cannot be managed",
                        line.asset.value
                    ),
                )
                .hint(format!("write `materialize manual {}`", line.asset.value))
                .fix("Add `manual`", Span::at(line.asset.span.start), "manual "),
            );
            return;
        }
        (
            AssetKind::Datatable | AssetKind::S3Object | AssetKind::Resource | AssetKind::Volume,
            _,
        ) => {
            out.push(
                at(
                    Code::LM100,
                    format!(
                        "`{}` is no DuckLake table and cannot be materialized",
                        line.asset.value
                    ),
                )
                .hint("write `ducklake://<lake>/<table>` as the target"),
            );
            return;
        }
    }
    let Some((lake, name)) = path.split_once('/').filter(|(_, name)| !name.is_empty()) else {
        out.push(
            at(
                Code::LM101,
                format!("`{}` names a lake and no table", line.asset.value),
            )
            .hint(format!(
                "write `ducklake://{}/<table>`",
                path.trim_matches('/')
            )),
        );
        return;
    };
    if line.asset.value.has_partition() {
        out.push(
            at(
                Code::LM102,
                "the target has `{partition}` in its path".to_owned(),
            )
            .hint("write one table, and `partitioned` for its slices"),
        );
        return;
    }
    match line.asset.value.lake_table() {
        None => out.push(
            at(
                Code::LM102,
                if lake.is_empty() {
                    format!("`{}` names no lake", line.asset.value)
                } else {
                    format!("`{name}` is no table of lake `{lake}`")
                },
            )
            .hint("write `ducklake://<lake>/<table>` or `ducklake://<lake>/<schema>.<table>`"),
        ),
        Some(table) if table.table.to_ascii_lowercase().ends_with(CURRENT) => out.push(
            at(
                Code::LM103,
                format!(
                    "the name `{}` is reserved: `{CURRENT}` is the view of a table with history",
                    table.table
                ),
            )
            .hint(format!(
                "give the table a name that does not end in `{CURRENT}`"
            )),
        ),
        Some(_) => {}
    }
}

/// Columns of a list are distinct, in the engine's sense of equal names.
fn columns(option: &str, list: &[Spanned<String>], out: &mut Vec<Diagnostic>) {
    let mut seen = Names::default();
    let mut before = 0;
    for column in list {
        let removed = Span::new(before, column.span.end);
        before = column.span.end;
        if !seen.add(column.value.to_ascii_lowercase()) {
            out.push(
                Diagnostic::new(
                    Code::LM108,
                    column.span,
                    format!("`{option}=` names column `{}` twice", column.value),
                )
                .hint("name each column once")
                .fix("Remove", removed, ""),
            );
        }
    }
}

/// What keeps a managed script from writing a history.
pub(crate) fn history(header: &Header, line: &Materialize) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let Some(history) = line.history else {
        return out;
    };
    if line.key.is_empty() {
        out.push(
            Diagnostic::new(
                Code::LM105,
                history,
                "history needs a key, and none is given",
            )
            .hint("add `key=<column>`"),
        );
    }
    if let Some(partition) = &header.partition {
        out.push(
            Diagnostic::new(
                Code::LM106,
                history,
                "a table with history cannot be partitioned",
            )
            .hint("remove the `partitioned` line, or the history")
            .related(partition.span, "the partition"),
        );
    }
    let mut keys = Names::default();
    for key in &line.key {
        keys.add(key.value.to_ascii_lowercase());
    }
    for column in &line.track {
        if keys.find(&column.value.to_ascii_lowercase()).is_none() {
            continue;
        }
        out.push(
            Diagnostic::new(
                Code::LM107,
                column.span,
                format!("`track=` names the key column `{}`", column.value),
            )
            .hint("track columns that are not in the key"),
        );
    }
    out
}

fn inert(span: Span, what: &str, why: &str) -> Diagnostic {
    Diagnostic::new(Code::LM116, span, format!("{what} has no effect {why}"))
}

fn inert_on_managed(header: &Header, line: &Materialize, out: &mut Vec<Diagnostic>) {
    schema_change(header, line, out);
    if let (Some(history), Some(append)) = (line.history, line.append) {
        out.push(
            inert(history, "history", "beside `append`")
                .hint("keep one of them")
                .related(append, "`append` wins"),
        );
    }
    if line.history.is_some() {
        return;
    }
    if let Some(column) = line.track.first() {
        out.push(
            inert(column.span, "`track=`", "without `history`")
                .hint("add `history`, or remove the option"),
        );
    }
    if line.close_deleted {
        out.push(
            inert(line.asset.span, "`deletes=close`", "without `history`")
                .hint("add `history`, or remove the option"),
        );
    }
}

/// `on_schema_change=` counts where old rows are kept and the shape may change.
fn schema_change(header: &Header, line: &Materialize, out: &mut Vec<Diagnostic>) {
    let Some(change) = &line.on_schema_change else {
        return;
    };
    let (why, mend) = match (line.append, line.history, &header.partition) {
        (None, Some(_), _) => (
            "with `history`, where a difference always fails",
            "remove it",
        ),
        (None, None, None) if line.key.is_empty() => (
            "where the whole table is replaced, which takes the columns of the SELECT",
            "remove it, or add `key=`, `append` or a `partitioned` line",
        ),
        (Some(_), _, _) | (None, None, _) => return,
    };
    out.push(inert(change.span, "`on_schema_change=`", why).hint(mend));
}

/// A test that refers to what has no rows to compare could never be run.
fn test_references(tests: &[Spanned<DataTest>], out: &mut Vec<Diagnostic>) {
    for test in tests {
        let Rule::Relationships { to, .. } = &test.value.rule else {
            continue;
        };
        let is_table = match to.asset.kind {
            AssetKind::Ducklake => to.asset.lake_table().is_some(),
            AssetKind::Datatable => to.asset.path.contains('/'),
            AssetKind::S3Object | AssetKind::Resource | AssetKind::Volume | AssetKind::Dbt => false,
        };
        if !is_table {
            out.push(
                Diagnostic::new(
                    Code::LM123,
                    to.span,
                    format!("`{}` is no table that a test can look at", to.asset),
                )
                .hint("write `ducklake://<lake>/<table>.<column>`"),
            );
        }
    }
}

fn inert_on_manual(line: &Materialize, out: &mut Vec<Diagnostic>) {
    let options = [
        (line.append, "`append`"),
        (line.history, "`history`"),
        (line.key.first().map(|key| key.span), "`key=`"),
        (line.track.first().map(|column| column.span), "`track=`"),
        (
            line.close_deleted.then_some(line.asset.span),
            "`deletes=close`",
        ),
        (
            line.on_schema_change.as_ref().map(|change| change.span),
            "`on_schema_change=`",
        ),
    ];
    for (span, what) in options
        .into_iter()
        .filter_map(|(span, what)| Some((span?, what)))
    {
        out.push(inert(span, what, "on a manual script").hint("remove it, or remove `manual`"));
    }
}

fn tests_on_manual(tests: &[Spanned<DataTest>], out: &mut Vec<Diagnostic>) {
    for test in tests {
        out.push(
            Diagnostic::new(
                Code::LM109,
                test.span,
                "a data test cannot check a manual script, whose writes are not known",
            )
            .hint("remove the test, or remove `manual`"),
        );
    }
}
