//! Values that are easily mistaken for others, and the SELECTs that give them.

use proptest::prelude::*;

/// A type, and a few values of it: as SQL and as the engine prints them.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) values: &'static [(&'static str, &'static str)],
}

/// Sequences that share a table, each with a number in the table's first column.
pub(crate) const SIDE_BY_SIDE: usize = 10;

/// The kind of that number; no other column has it.
const PART: usize = 0;

pub(crate) const KINDS: [Kind; 10] = [
    Kind {
        name: "TINYINT",
        values: &[
            ("0", "0"),
            ("1", "1"),
            ("2", "2"),
            ("3", "3"),
            ("4", "4"),
            ("5", "5"),
            ("6", "6"),
            ("7", "7"),
            ("8", "8"),
            ("9", "9"),
        ],
    },
    Kind {
        name: "INTEGER",
        values: &[("0", "0"), ("1", "1"), ("-1", "-1")],
    },
    Kind {
        name: "VARCHAR",
        values: &[("''", ""), ("'NULL'", "NULL"), ("'it''s'", "it's")],
    },
    Kind {
        name: "DOUBLE",
        values: &[("'nan'", "nan"), ("0.1", "0.1"), ("'-inf'", "-inf")],
    },
    Kind {
        name: "DECIMAL(9,2)",
        values: &[("1.50", "1.50"), ("1.51", "1.51"), ("0", "0.00")],
    },
    Kind {
        name: "BOOLEAN",
        values: &[("true", "true"), ("false", "false"), ("true", "true")],
    },
    Kind {
        name: "TIMESTAMP",
        values: &[
            ("'2024-01-01'", "2024-01-01 00:00:00"),
            ("'2024-01-01 00:00:00.000001'", "2024-01-01 00:00:00.000001"),
            ("'infinity'", "infinity"),
        ],
    },
    Kind {
        name: "INTEGER[]",
        values: &[("[]", "[]"), ("[NULL]", "[NULL]"), ("[1, 2]", "[1, 2]")],
    },
    Kind {
        name: "STRUCT(a INTEGER, \"b c\" VARCHAR)",
        values: &[
            ("{'a': 1, 'b c': NULL}", "{'a': 1, 'b c': NULL}"),
            ("{'a': NULL, 'b c': NULL}", "{'a': NULL, 'b c': NULL}"),
            ("{'a': 1, 'b c': 'x'}", "{'a': 1, 'b c': x}"),
        ],
    },
    Kind {
        name: "BLOB",
        values: &[("''", ""), ("'\\x00'", "\\x00"), ("'a'", "a")],
    },
];

/// A value: its place among those of its kind; `None` is NULL.
pub(crate) type Cell = Option<usize>;

/// Mostly a value, sometimes NULL.
pub(crate) fn cell() -> impl Strategy<Value = Cell> {
    prop_oneof![1 => Just(None), 4 => (0..3_usize).prop_map(Some)]
}

/// A column of a source.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) kind: usize,
}

impl Column {
    /// A cell as the engine prints it.
    pub(crate) fn text(&self, cell: Cell) -> Option<String> {
        cell.map(|at| KINDS[self.kind].values[at].1.to_owned())
    }

    /// Whether two cells are the same value.
    pub(crate) fn is_same(&self, a: Cell, b: Cell) -> bool {
        self.text(a) == self.text(b)
    }
}

/// As many columns as there are names, each of any kind; in front of them the number, where sequences share a table.
pub(crate) fn columns(
    names: &'static [&'static str],
    width: usize,
) -> impl Strategy<Value = Vec<Column>> {
    proptest::collection::vec(PART + 1..KINDS.len(), names.len()).prop_map(move |kinds| {
        let part = (width > 1).then_some(Column {
            name: "part",
            kind: PART,
        });
        let columns = names.iter().zip(kinds);
        let columns = columns.map(|(&name, kind)| Column { name, kind });
        part.into_iter().chain(columns).collect()
    })
}

/// Rows of sequences that share a table, the number in front of each; those of one sequence as they are.
pub(crate) fn numbered(parts: Vec<Vec<Vec<Cell>>>) -> Vec<Vec<Cell>> {
    if let [_] = parts.as_slice() {
        return parts.into_iter().flatten().collect();
    }
    let rows = parts.into_iter().enumerate().flat_map(|(part, rows)| {
        rows.into_iter()
            .map(move |row| std::iter::once(Some(part)).chain(row).collect())
    });
    rows.collect()
}

/// `count` columns, in any order.
pub(crate) fn order(count: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..count).collect::<Vec<_>>()).prop_shuffle()
}

/// A SELECT that gives these rows, its columns in `order`.
pub(crate) fn select(columns: &[Column], rows: &[Vec<Cell>], order: &[usize]) -> String {
    let list = |parts: Vec<String>| parts.join(", ");
    let row = |cells: &[Cell]| {
        let literals = columns.iter().zip(cells).map(|(column, cell)| {
            let kind = &KINDS[column.kind];
            let literal = cell.map_or("NULL", |at| kind.values[at].0);
            format!("CAST({literal} AS {})", kind.name)
        });
        format!("({})", list(literals.collect()))
    };
    let quoted = |at: usize| format!("\"{}\"", columns[at].name);
    let nothing = vec![None; columns.len()];
    let values = match rows {
        [] => row(&nothing),
        rows => list(rows.iter().map(|cells| row(cells)).collect()),
    };
    format!(
        "SELECT {} FROM (VALUES {values}) AS v({}){}",
        list(order.iter().map(|&at| quoted(at)).collect()),
        list((0..columns.len()).map(quoted).collect()),
        if rows.is_empty() { " WHERE false" } else { "" }
    )
}
