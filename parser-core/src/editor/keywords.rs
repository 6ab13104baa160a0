//! SQL words that an editor shows as keywords.

use crate::body::is_reserved;

/// Words with a fixed meaning that the engine does not reserve. Before a bracket most of them are
/// functions.
#[rustfmt::skip]
const OTHERS: [&str; 103] = [
    "abort", "add", "after", "alter", "anti", "asof", "at", "attach", "before", "begin",
    "between", "by", "call", "cascade", "checkpoint", "columns", "comment", "commit", "copy", "cross",
    "cube", "current", "database", "delete", "detach", "drop", "escape", "exclude", "execute", "exists",
    "explain", "export", "extract", "filter", "first", "following", "full", "function", "glob", "grouping",
    "if", "ignore", "ilike", "import", "index", "inner", "insert", "install", "interval", "is",
    "isnull", "join", "key", "last", "left", "like", "load", "macro", "map", "materialized",
    "merge", "natural", "notnull", "nulls", "outer", "over", "partition", "positional", "pragma", "preceding",
    "prepare", "range", "recursive", "rename", "replace", "reset", "respect", "right", "rollback", "rollup",
    "row", "rows", "schema", "semi", "set", "sets", "similar", "struct", "tablesample", "temp",
    "temporary", "truncate", "try_cast", "type", "unbounded", "update", "use", "vacuum", "values", "variable",
    "view", "within", "without",
];

/// Whether `word`, in any case, is shown as a keyword; `before_bracket` says that `(` follows at once.
pub(super) fn is_keyword(word: &str, before_bracket: bool) -> bool {
    is_reserved(word) || (!before_bracket && is_other(word))
}

fn is_other(word: &str) -> bool {
    const LONGEST: usize = "materialized".len();
    let mut lower = [0; LONGEST];
    let Some(lower) = lower.get_mut(..word.len()) else {
        return false;
    };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    OTHERS
        .binary_search_by(|other| other.as_bytes().cmp(lower))
        .is_ok()
}

/// Words behind a table that are no alias of it.
pub(super) fn is_no_alias(word: &str) -> bool {
    const JOINS: [&str; 15] = [
        "anti",
        "asof",
        "at",
        "cross",
        "full",
        "inner",
        "join",
        "left",
        "natural",
        "positional",
        "right",
        "semi",
        "set",
        "tablesample",
        "values",
    ];
    is_reserved(word) || JOINS.iter().any(|join| join.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order() {
        assert!(OTHERS.is_sorted());
        assert!(OTHERS.iter().all(|word| is_other(word) && word.len() <= 12));
        assert!(is_keyword("Left", false) && !is_keyword("left", true));
        assert!(is_keyword("SELECT", true) && !is_keyword("amount", false));
    }
}
