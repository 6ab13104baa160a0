//! The tables in what `json_serialize_sql` makes of a query.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// A table of the engine's tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Table {
    pub(crate) parts: Vec<String>,
    /// The byte of the text where the engine saw it.
    pub(crate) at: Option<u64>,
}

/// Names of common tables in scope, lower case.
type Scope = HashSet<String>;

/// The base tables of each statement; names of common tables are none.
pub(crate) fn tables(serialized: &Value) -> Vec<Vec<Table>> {
    let statements = serialized["statements"].as_array();
    let of = |statement: &Value| {
        let mut found = Vec::new();
        walk(&statement["node"], &Scope::new(), &mut found);
        found
    };
    statements.into_iter().flatten().map(of).collect()
}

fn walk(value: &Value, scope: &Scope, found: &mut Vec<Table>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| walk(value, scope, found)),
        Value::Object(fields)
            if fields.contains_key("cte_map") || fields.contains_key("cte_name") =>
        {
            query(fields, scope, found);
        }
        Value::Object(fields) => {
            if fields.get("type").is_some_and(|kind| kind == "BASE_TABLE") {
                table(fields, scope, found);
            }
            fields.values().for_each(|value| walk(value, scope, found));
        }
        _ => {}
    }
}

fn table(fields: &Map<String, Value>, scope: &Scope, found: &mut Vec<Table>) {
    let part = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
    let parts: Vec<String> = ["catalog_name", "schema_name", "table_name"]
        .map(part)
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect();
    if let [name] = parts.as_slice()
        && scope.contains(&name.to_ascii_lowercase())
    {
        return;
    }
    let at = fields.get("query_location").and_then(Value::as_u64);
    // The engine has the largest number for no place.
    let at = at.filter(|&at| at < u64::from(u32::MAX));
    found.push(Table { parts, at });
}

/// A query with its common tables: each is in scope for those behind it and for the rest.
fn query(fields: &Map<String, Value>, scope: &Scope, found: &mut Vec<Table>) {
    let mut scope = scope.clone();
    let map = fields.get("cte_map").map(|map| &map["map"]);
    for common in map.and_then(Value::as_array).into_iter().flatten() {
        walk(&common["value"], &scope, found);
        scope.extend(common["key"].as_str().map(str::to_ascii_lowercase));
    }
    // The right arm of a recursive common table knows its own name.
    let is_recursive = fields
        .get("type")
        .is_some_and(|kind| kind == "RECURSIVE_CTE_NODE");
    for (name, value) in fields.iter().filter(|(name, _)| *name != "cte_map") {
        if is_recursive && name == "right" {
            let mut inner = scope.clone();
            inner.extend(fields["cte_name"].as_str().map(str::to_ascii_lowercase));
            walk(value, &inner, found);
        } else {
            walk(value, &scope, found);
        }
    }
}
