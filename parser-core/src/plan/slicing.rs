//! Which output column tells the slice of a row, as the script itself cuts them.

use crate::body::StatementKind;
use crate::lex::{Bracket, Keyword, Token, TokenKind, lex};
use crate::script::Script;
use crate::source::Span;

/// The output column that is, unchanged, the one column which the script's SELECT gives to `wm_partition`. Only where that shows
/// in the SELECT itself: what a query inside of it has under the same name may be another column.
pub(super) fn sliced_column(text: &str, script: &Script) -> Option<String> {
    let mut statements = script.body.statements.iter();
    let output =
        statements.rfind(|statement| matches!(statement.kind, StatementKind::Output(_)))?;
    let query = Query::read(text, output.span)?;
    let is_set = |token: &Token| {
        matches!(
            token.keyword,
            Some(Keyword::Union | Keyword::Intersect | Keyword::Except)
        )
    };
    if query.outer.iter().any(is_set) {
        return None;
    }
    let sliced = query.sliced()?;
    let Some(list) = query.select_list() else {
        // `FROM t WHERE …`
        return sliced.last().cloned();
    };
    let items: Vec<&[Token]> = list.split(|token| token.kind == TokenKind::Comma).collect();
    if let [[of @ .., star]] = items.as_slice()
        && star.text(text) == "*"
    {
        // The star of another table than the column's has another column of its name, or none.
        let is_all = match of {
            [] => true,
            [table @ .., _dot] => {
                let named = path(text, table);
                sliced.len() > 1 && named.as_deref() == sliced.split_last().map(|(_, of)| of)
            }
        };
        return sliced.last().filter(|_| is_all).cloned();
    }
    items.into_iter().find_map(|item| {
        let (item, alias) = aliased(text, item);
        let item = path(text, item)?;
        // What has no table in front of it is the same column: there is but one of its name.
        let is_same = same(&item, &sliced)
            || ((item.len() == 1 || sliced.len() == 1)
                && same(&item[item.len() - 1..], &sliced[sliced.len() - 1..]));
        let name = alias.or_else(|| item.last().cloned());
        name.filter(|_| is_same)
    })
}

/// A query's tokens without trivia.
struct Query<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    /// Those in no bracket, with the outermost brackets themselves.
    outer: Vec<Token>,
}

impl<'t> Query<'t> {
    fn read(text: &'t str, span: Span) -> Option<Self> {
        let mut tokens = lex(text.get(..span.end)?, span.start);
        tokens.retain(|token| !token.kind.is_trivia());
        let mut depth = 0usize;
        let mut outer = Vec::new();
        for token in &tokens {
            if matches!(token.kind, TokenKind::Close(_)) {
                depth = depth.checked_sub(1)?;
            }
            if depth == 0 {
                outer.push(*token);
            }
            depth += usize::from(matches!(token.kind, TokenKind::Open(_)));
        }
        Some(Self {
            text,
            tokens,
            outer,
        })
    }

    /// The one column that is given to `wm_partition`, as a path.
    fn sliced(&self) -> Option<Vec<String>> {
        let is_named = |token: &Token| token.is_word(self.text, "wm_partition");
        let mut found: Option<Vec<String>> = None;
        let mut shown = 0;
        for window in self.outer.windows(3) {
            let [name, open, close] = window else {
                continue;
            };
            if !is_named(name) || open.kind != TokenKind::Open(Bracket::Round) {
                continue;
            }
            let from = self.place(open)? + 1;
            let column = path(self.text, &self.tokens[from..self.place(close)?])?;
            if found.as_ref().is_some_and(|known| !same(known, &column)) {
                return None;
            }
            found = Some(column);
            shown += 1;
        }
        // One in a bracket is about another query, or about an expression.
        let all = self.tokens.iter().filter(|token| is_named(token)).count();
        found.filter(|_| all == shown)
    }

    /// Where a token of the query stands among all.
    fn place(&self, token: &Token) -> Option<usize> {
        let start = |known: &Token| known.span.start;
        self.tokens
            .binary_search_by_key(&token.span.start, start)
            .ok()
    }

    /// The items behind SELECT.
    fn select_list(&self) -> Option<&[Token]> {
        let is = |token: &Token, keyword| token.keyword == Some(keyword);
        let select = self
            .outer
            .iter()
            .position(|token| is(token, Keyword::Select))?;
        let rest = self.outer.get(select + 1..)?;
        let rest = match rest {
            [distinct, rest @ ..] if is(distinct, Keyword::Distinct) => rest,
            rest => rest,
        };
        let end = rest.iter().position(|token| {
            matches!(
                token.keyword,
                Some(
                    Keyword::From
                        | Keyword::Where
                        | Keyword::Group
                        | Keyword::Having
                        | Keyword::Qualify
                        | Keyword::Window
                        | Keyword::Order
                        | Keyword::Limit
                        | Keyword::Offset
                        | Keyword::Using
                )
            )
        });
        rest.get(..end.unwrap_or(rest.len()))
    }
}

/// An item and the alias behind it.
fn aliased<'i>(text: &str, item: &'i [Token]) -> (&'i [Token], Option<String>) {
    match item {
        [rest @ .., word, alias] if word.keyword == Some(Keyword::As) => (rest, alias.name(text)),
        [rest @ .., alias]
            if rest
                .last()
                .is_some_and(|before| before.kind != TokenKind::Dot)
                && alias.name(text).is_some() =>
        {
            (rest, alias.name(text))
        }
        item => (item, None),
    }
}

/// `t.a` as its names.
fn path(text: &str, tokens: &[Token]) -> Option<Vec<String>> {
    let (names, dots): (Vec<_>, Vec<_>) =
        tokens.iter().enumerate().partition(|(at, _)| at % 2 == 0);
    let is_path =
        names.len() == dots.len() + 1 && dots.iter().all(|(_, token)| token.kind == TokenKind::Dot);
    let names = names.iter().map(|(_, token)| token.name(text));
    names.collect::<Option<Vec<String>>>().filter(|_| is_path)
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
