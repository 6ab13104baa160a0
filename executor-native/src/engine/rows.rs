//! Results as plain values.

use duckdb::types::Value;

use super::EngineError;

/// The result of a query.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Table {
    /// The only row of a query that has exactly one.
    ///
    /// # Errors
    /// [`EngineError::Shape`]
    pub fn one(&self) -> Result<&Row, EngineError> {
        match self.rows.as_slice() {
            [row] => Ok(row),
            rows => Err(EngineError::Shape(format!(
                "{} rows where one is expected",
                rows.len()
            ))),
        }
    }
}

/// A row.
#[derive(Clone, Debug)]
pub struct Row(pub(super) Vec<Value>);

impl Row {
    /// The value at `at`.
    #[must_use]
    pub fn value(&self, at: usize) -> Option<&Value> {
        self.0.get(at)
    }

    /// The text at `at`.
    ///
    /// # Errors
    /// [`EngineError::Shape`] when there is none.
    pub fn text(&self, at: usize) -> Result<String, EngineError> {
        self.optional_text(at)
            .ok_or_else(|| EngineError::Shape(format!("column {at} is no text")))
    }

    /// The text at `at`; `None` for NULL and other types.
    #[must_use]
    pub fn optional_text(&self, at: usize) -> Option<String> {
        match self.0.get(at) {
            Some(Value::Text(text) | Value::Enum(text)) => Some(text.clone()),
            _ => None,
        }
    }

    /// Whether the value at `at` is `true`.
    #[must_use]
    pub fn truth(&self, at: usize) -> bool {
        matches!(self.0.get(at), Some(Value::Boolean(true)))
    }

    /// The integer at `at`.
    ///
    /// # Errors
    /// [`EngineError::Shape`] when there is none.
    pub fn integer(&self, at: usize) -> Result<i64, EngineError> {
        self.0
            .get(at)
            .and_then(integer)
            .ok_or_else(|| EngineError::Shape(format!("column {at} is no integer")))
    }
}

/// An integer of any width.
fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::TinyInt(n) => Some(i64::from(*n)),
        Value::SmallInt(n) => Some(i64::from(*n)),
        Value::Int(n) => Some(i64::from(*n)),
        Value::BigInt(n) => Some(*n),
        Value::HugeInt(n) => i64::try_from(*n).ok(),
        Value::UTinyInt(n) => Some(i64::from(*n)),
        Value::USmallInt(n) => Some(i64::from(*n)),
        Value::UInt(n) => Some(i64::from(*n)),
        Value::UBigInt(n) => i64::try_from(*n).ok(),
        _ => None,
    }
}
