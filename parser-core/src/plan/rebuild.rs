//! `lakemill rebuild`: the rows of a table in the layout that its script says, with slices or without.

use super::context::{Observed, RunContext, Strategy, TargetShape};
use super::drift::find;
use super::error::PlanError;
use super::prepare::{attach_target, target};
use super::sql::{Column, Ident, UserSql};
use super::statement::{ColumnChange, CommitInfo, Scope, SliceOf, Statement};
use super::{Drift, KEPT_TABLE, ManagedWrite, PARTITION_COLUMN, Plan, Preparation, temporary};
use crate::body::StatementKind;
use crate::lex::{Bracket, Token, TokenKind, lex};
use crate::partition::Grid;
use crate::script::{Mode, Partitioned, Script};
use crate::source::Span;

/// Plans what can be run before the lake has been looked at. Nothing of the script itself is run.
///
/// # Errors
/// A [`PlanError`] when the script materialises no table of a declared lake.
pub fn prepare_rebuild(script: &Script, context: &RunContext) -> Result<Preparation, PlanError> {
    let line = script.header.materialize.as_ref();
    let Some(line) = line.filter(|line| line.value.mode == Mode::Managed) else {
        return Err(PlanError::target_not_a_table("", script.header.span));
    };
    let target = target(line)?;
    let write = ManagedWrite {
        strategy: Strategy::Rebuild,
        query: UserSql {
            span: line.span,
            pieces: Vec::new(),
        },
        scope: Scope::Table,
        inspect: vec![Statement::DescribeTarget {
            table: target.table_ref.clone(),
            current_view: None,
        }],
        current_view: None,
        needs_staging: false,
        target,
    };
    Ok(Preparation {
        open: attach_target(&write, script, context)?
            .into_iter()
            .collect(),
        setup: Vec::new(),
        folders: Vec::new(),
        write: Some(write),
    })
}

/// Finishes the plan with what the lake answered. It publishes nothing when the table has the script's layout.
///
/// `by` names the column whose values tell the slices of rows; else the script's own `wm_partition(column)` does.
///
/// # Errors
/// A [`PlanError`] when there is no table, or nothing tells the slice of a row.
pub fn rebuild(
    preparation: Preparation,
    text: &str,
    script: &Script,
    context: &RunContext,
    observed: &Observed,
    by: Option<&str>,
) -> Result<Plan, PlanError> {
    let mut plan = Plan {
        preparation,
        stage: Vec::new(),
        publish: Vec::new(),
        finish: Vec::new(),
        checks: Vec::new(),
        columns: Vec::new(),
        drift: Drift::default(),
        warnings: Vec::new(),
    };
    let Some(write) = &plan.preparation.write else {
        return Ok(plan);
    };
    let (asset, span) = (&write.target.asset_path, write.query.span);
    let (columns, partitioned_by) = match &observed.target {
        TargetShape::Absent => return Err(PlanError::no_table(asset, span)),
        TargetShape::View => return Err(PlanError::target_is_view(asset, span)),
        TargetShape::Table {
            columns,
            partitioned_by,
        } => (columns, partitioned_by),
    };
    let table = write.target.table_ref.clone();
    let partition = script.header.partition.as_ref();
    let is_sliced = matches!(partitioned_by.as_slice(), [only] if only == PARTITION_COLUMN);
    let alter = |change| Statement::AlterColumn {
        table: table.clone(),
        change,
    };
    let body = match (partition, find(columns, PARTITION_COLUMN)) {
        (None, None) => return Ok(plan),
        (Some(_), Some(_)) if is_sliced => return Ok(plan),
        // The engine cannot write into a table in the transaction that takes its partitions away. It need not: where rows
        // lie is no matter then.
        (None, Some(_)) => vec![
            Statement::ResetPartitionedBy(table.clone()),
            alter(ColumnChange::Drop(Ident::new(PARTITION_COLUMN))),
        ],
        (Some(partition), known) => {
            let slice = match known {
                Some(_) => None,
                None => Some(
                    slice_of(&partition.value, text, script, columns, by)
                        .map_err(|why| PlanError::no_slices(asset, &why, span))?,
                ),
            };
            let rows = temporary(KEPT_TABLE);
            plan.finish.push(Statement::DropStaged(rows.clone()));
            let added = slice.is_some().then(|| {
                alter(ColumnChange::Add(Column {
                    name: PARTITION_COLUMN.to_owned(),
                    data_type: "VARCHAR".to_owned(),
                }))
            });
            let kept = Statement::KeepRows {
                into: rows.clone(),
                table: table.clone(),
                without: Vec::new(),
                retyped: Vec::new(),
                slice,
            };
            let mut body = vec![kept];
            body.extend(added);
            body.extend([
                Statement::SetPartitionedBy(table.clone()),
                Statement::EmptyTable(table.clone()),
                Statement::PutBack {
                    table: table.clone(),
                    rows,
                },
            ]);
            body
        }
    };
    let message = Statement::CommitMessage {
        catalog: table.catalog,
        author: context.author.clone(),
        message: ["rebuild ", asset].concat(),
        extra: CommitInfo::of(context, asset, &write.strategy),
    };
    plan.publish.push(Statement::Begin);
    plan.publish.extend(body);
    plan.publish.extend([message, Statement::Commit]);
    Ok(plan)
}

/// What tells the slice of a row, or why nothing does.
fn slice_of(
    partition: &Partitioned,
    text: &str,
    script: &Script,
    columns: &[Column],
    by: Option<&str>,
) -> Result<SliceOf, String> {
    let known =
        |name: &str| find(columns, name).ok_or_else(|| ["it has no column `", name, "`"].concat());
    let time = match (partition, by) {
        (Partitioned::Time(time), _) => time,
        (Partitioned::Dynamic { .. }, Some(name)) => {
            return Ok(SliceOf::Value(Ident::new(&known(name)?.name)));
        }
        (Partitioned::Dynamic { .. }, None) => {
            return Err("the slices of `partitioned dynamic` come from the caller".to_owned());
        }
    };
    let column =
        match by {
            Some(name) => known(name)?,
            None => known(&sliced_column(text, script).ok_or_else(|| {
                "its SELECT does not show, unchanged, the one column that it gives to `wm_partition(column)`".to_owned()
            })?)?,
        };
    if !matches!(
        column.data_type.as_str(),
        "DATE" | "TIMESTAMP" | "TIMESTAMP_S" | "TIMESTAMP_MS" | "TIMESTAMP_NS"
    ) {
        let why = [
            "`",
            &column.name,
            "` is ",
            &column.data_type,
            ", no plain local time",
        ];
        return Err(why.concat());
    }
    Ok(SliceOf::Time {
        column: Ident::new(&column.name),
        format: Grid::new(time).format().to_owned(),
    })
}

/// The output column that is, unchanged, the one column which the script's SELECT gives to `wm_partition`. Only where that shows
/// in the SELECT itself: what a query inside of it has under the same name may be another column.
fn sliced_column(text: &str, script: &Script) -> Option<String> {
    let query = script
        .body
        .statements
        .iter()
        .rfind(|statement| matches!(statement.kind, StatementKind::Output(_)))?;
    let tokens = outer(text, query.span)?;
    let is_set = |token: &&Token| {
        ["union", "intersect", "except"]
            .iter()
            .any(|word| token.is_word(text, word))
    };
    if tokens.iter().any(|token| is_set(&token)) {
        return None;
    }
    let sliced = sliced(text, &tokens, query.span)?;
    let Some(list) = select_list(text, &tokens) else {
        // `FROM t WHERE …`
        return sliced.last().cloned();
    };
    let items: Vec<&[Token]> = list.split(|token| token.kind == TokenKind::Comma).collect();
    if let [only] = items.as_slice()
        && only.last().is_some_and(|last| last.text(text) == "*")
    {
        let of = path(text, &only[..only.len().saturating_sub(2)]);
        let is_all = only.len() == 1
            || (sliced.len() > 1 && of.as_deref() == sliced.split_last().map(|(_, of)| of));
        return is_all.then(|| sliced.last().cloned()).flatten();
    }
    items.into_iter().find_map(|item| {
        let (item, alias) = aliased(text, item);
        let item = path(text, item)?;
        let is_same = same(&item, &sliced)
            || ((item.len() == 1 || sliced.len() == 1)
                && same(&item[item.len() - 1..], &sliced[sliced.len() - 1..]));
        is_same
            .then(|| alias.or_else(|| item.last().cloned()))
            .flatten()
    })
}

/// The tokens of a query that stand in no bracket, with the opening and closing ones.
fn outer(text: &str, span: Span) -> Option<Vec<Token>> {
    let mut depth = 0usize;
    let mut found = Vec::new();
    for token in lex(text.get(..span.end)?, span.start) {
        match token.kind {
            TokenKind::Close(_) => depth = depth.checked_sub(1)?,
            kind if kind.is_trivia() => continue,
            _ => {}
        }
        if depth == 0 {
            found.push(token);
        }
        if matches!(token.kind, TokenKind::Open(_)) {
            depth += 1;
        }
    }
    Some(found)
}

/// The one column that is given to `wm_partition`, as a path.
fn sliced(text: &str, outer: &[Token], span: Span) -> Option<Vec<String>> {
    let is_call = |token: &Token| token.is_word(text, "wm_partition");
    let calls = lex(text.get(..span.end)?, span.start).into_iter();
    let mut found: Option<Vec<String>> = None;
    let mut shown = 0;
    for pair in outer.windows(3) {
        let [name, open, close] = pair else { continue };
        if !is_call(name) || open.kind != TokenKind::Open(Bracket::Round) {
            continue;
        }
        let inner = lex(text.get(..close.span.start)?, open.span.end);
        let inner: Vec<Token> = inner
            .into_iter()
            .filter(|token| !token.kind.is_trivia())
            .collect();
        let column = path(text, &inner)?;
        if found.as_ref().is_some_and(|known| !same(known, &column)) {
            return None;
        }
        found = Some(column);
        shown += 1;
    }
    // One in a bracket is about another query, or about an expression.
    (calls.filter(is_call).count() == shown).then_some(found)?
}

/// The items behind SELECT.
fn select_list<'t>(text: &str, outer: &'t [Token]) -> Option<&'t [Token]> {
    let is = |token: &Token, words: &[&str]| words.iter().any(|word| token.is_word(text, word));
    let begin = outer.iter().position(|token| is(token, &["select"]))? + 1;
    let begin = begin
        + usize::from(
            outer
                .get(begin)
                .is_some_and(|token| is(token, &["distinct"])),
        );
    let ends = [
        "from", "where", "group", "having", "qualify", "window", "order", "limit", "offset",
        "using",
    ];
    let rest = outer.get(begin..)?;
    let end = rest.iter().position(|token| is(token, &ends));
    rest.get(..end.unwrap_or(rest.len()))
}

/// An item and the alias behind it.
fn aliased<'t>(text: &str, item: &'t [Token]) -> (&'t [Token], Option<String>) {
    match item {
        [rest @ .., word, alias] if word.is_word(text, "as") => (rest, alias.name(text)),
        [rest @ .., before, alias]
            if before.kind != TokenKind::Dot && alias.name(text).is_some() =>
        {
            (&item[..rest.len() + 1], alias.name(text))
        }
        _ => (item, None),
    }
}

/// `t.a` as its names.
fn path(text: &str, tokens: &[Token]) -> Option<Vec<String>> {
    let (dots, names): (Vec<_>, Vec<_>) =
        tokens.iter().enumerate().partition(|(at, _)| at % 2 == 1);
    let all_dots = dots.iter().all(|(_, token)| token.kind == TokenKind::Dot);
    let names: Option<Vec<String>> = names
        .iter()
        .map(|(_, token)| token.name(text).map(|name| name.to_string()))
        .collect();
    names.filter(|names| all_dots && !names.is_empty())
}

fn same(one: &[String], other: &[String]) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(one, other)| one.eq_ignore_ascii_case(other))
}

#[cfg(test)]
mod tests {
    use super::sliced_column;

    #[test]
    fn the_column_of_the_slices_shows_unchanged_in_the_select() {
        let of = |select: &str| {
            let text = format!("-- materialize ducklake://l/t\n-- partitioned daily\n{select}");
            sliced_column(&text, &crate::parse(&text).script)
        };
        for (select, column) in [
            (
                "SELECT id, at FROM q WHERE wm_partition(at) = {partition}",
                "at",
            ),
            (
                "SELECT id, q.at FROM q WHERE wm_partition(AT) = {partition}",
                "at",
            ),
            (
                "SELECT id, q.at AS day FROM q WHERE wm_partition(q.at) = {partition}",
                "day",
            ),
            (
                "SELECT q.\"at\" day FROM q WHERE wm_partition(at) = {partition}",
                "day",
            ),
            (
                "SELECT * FROM q WHERE id > 1 AND wm_partition(at) = {partition} ORDER BY id",
                "at",
            ),
            ("FROM q WHERE wm_partition(q.at) = {partition}", "at"),
            (
                "SELECT DISTINCT q.* FROM q, r WHERE wm_partition(q.at) = {partition}",
                "at",
            ),
            (
                "WITH q AS (SELECT 1 AS at) SELECT at FROM q WHERE wm_partition(at) = {partition}",
                "at",
            ),
        ] {
            assert_eq!(of(select).as_deref(), Some(column), "{select}");
        }
        for select in [
            "SELECT id, at + INTERVAL 1 DAY AS at FROM q WHERE wm_partition(q.at) = {partition}",
            "SELECT a.id, b.other AS at, a.at AS other FROM a, b WHERE wm_partition(b.at) = {partition}",
            "SELECT at FROM (SELECT at + 1 AS at FROM q WHERE wm_partition(at) = {partition})",
            "SELECT * REPLACE (at + 1 AS at) FROM q WHERE wm_partition(at) = {partition}",
            "SELECT r.* FROM q, r WHERE wm_partition(q.at) = {partition}",
            "SELECT r.*, 1 AS x FROM q, r WHERE wm_partition(q.at) = {partition}",
            "SELECT at FROM q WHERE wm_partition(at + 1) = {partition}",
            "SELECT at FROM q WHERE (wm_partition(at) = {partition})",
            "SELECT at, other FROM q WHERE wm_partition(at) = wm_partition(other)",
            "SELECT at FROM q WHERE wm_partition(at) = {partition} UNION ALL SELECT at FROM r",
            "SELECT at FROM q",
        ] {
            assert_eq!(of(select), None, "{select}");
        }
    }
}
