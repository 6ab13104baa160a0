//! Column differences between the SELECT and the table (spec: `on_schema_change`).

use super::PARTITION_COLUMN;
use super::sql::Column;
use crate::script::OnSchemaChange;

/// How the SELECT's columns differ from the table's. `_wm_partition` does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drift {
    /// In the SELECT, not in the table.
    pub added: Vec<String>,
    /// In the table, not in the SELECT.
    pub removed: Vec<String>,
    /// In both, with another type.
    pub retyped: Vec<Retyped>,
    /// How they are treated.
    pub policy: OnSchemaChange,
}

/// A column whose type differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retyped {
    /// The column, as the table names it.
    pub column: String,
    /// The table's type.
    pub table: String,
    /// The SELECT's type.
    pub select: String,
}

impl Drift {
    /// Compares column sets, names without regard to case.
    #[must_use]
    pub fn between(output: &[Column], table: &[Column], policy: OnSchemaChange) -> Self {
        let mut drift = Self {
            policy,
            ..Self::default()
        };
        for column in output {
            match find(table, &column.name) {
                None => drift.added.push(column.name.clone()),
                Some(known) if known.data_type != column.data_type => drift.retyped.push(Retyped {
                    column: known.name.clone(),
                    table: known.data_type.clone(),
                    select: column.data_type.clone(),
                }),
                Some(_) => {}
            }
        }
        drift.removed.extend(
            table
                .iter()
                .filter(|known| {
                    known.name != PARTITION_COLUMN && find(output, &known.name).is_none()
                })
                .map(|known| known.name.clone()),
        );
        drift
    }

    /// The table's columns once the difference has been dealt with.
    pub(super) fn apply(&self, table: &[Column], output: &[Column]) -> Vec<Column> {
        let mut columns = table.to_vec();
        if self.policy == OnSchemaChange::Sync {
            let is_retyped =
                |name: &String| self.retyped.iter().any(|retyped| retyped.column == *name);
            columns
                .retain(|column| !self.removed.contains(&column.name) && !is_retyped(&column.name));
            let added = output.iter();
            columns.extend(
                added
                    .filter(|column| self.added.contains(&column.name))
                    .cloned(),
            );
            columns.extend(self.retyped.iter().map(|retyped| Column {
                name: retyped.column.clone(),
                data_type: retyped.select.clone(),
            }));
        }
        columns
    }

    /// Whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.retyped.is_empty()
    }

    /// The differences in words: ``new `a`; missing `b`; `c` is INTEGER in the table and VARCHAR in the SELECT``.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut parts = Vec::new();
        if !self.added.is_empty() {
            parts.push(format!("new {}", quoted(self.added.iter())));
        }
        if !self.removed.is_empty() {
            parts.push(format!("missing {}", quoted(self.removed.iter())));
        }
        parts.extend(self.retyped.iter().map(|retyped| {
            format!(
                "`{}` is {} in the table and {} in the SELECT",
                retyped.column, retyped.table, retyped.select
            )
        }));
        parts.join("; ")
    }
}

/// Names in back-ticks, comma-separated.
pub(super) fn quoted<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let mut text = String::new();
    for name in names {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.extend(["`", name, "`"]);
    }
    text
}

/// The column of this name. The engine disregards the case of ASCII letters, and of no others.
pub(super) fn find<'a>(columns: &'a [Column], name: &str) -> Option<&'a Column> {
    columns
        .iter()
        .find(|column| column.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::{Column, find};

    #[test]
    fn names_compare_as_in_the_engine() {
        let column = |name: &str| Column {
            name: name.to_owned(),
            data_type: "INTEGER".to_owned(),
        };
        let columns = [column("É"), column("Id")];
        assert!(find(&columns, "iD").is_some());
        assert!(find(&columns, "é").is_none());
    }
}
