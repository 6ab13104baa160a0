//! Rules between the scripts of a folder.

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::script::Script;

/// Checks `scripts`, given with their paths, against each other. Each finding comes with the index
/// of the script whose text it points into.
///
/// The paths stand in messages only; the findings are in the order of the scripts.
///
/// ```
/// use parser_core::validate::validate_set;
/// let script = parser_core::parse("-- materialize ducklake://shop/orders\nSELECT 1 AS id").script;
/// let found = validate_set(&[("a.sql", &script), ("b.sql", &script)]);
/// assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 1]);
/// ```
#[must_use]
pub fn validate_set(scripts: &[(&str, &Script)]) -> Vec<(usize, Diagnostic)> {
    let mut writers: HashMap<String, Vec<usize>> = HashMap::new();
    let target = |at: usize| {
        scripts[at]
            .1
            .header
            .materialize
            .as_ref()
            .map(|line| &line.value.asset)
    };
    for at in 0..scripts.len() {
        if let Some(asset) = target(at) {
            writers.entry(asset.value.id()).or_default().push(at);
        }
    }
    (0..scripts.len())
        .filter_map(|at| {
            let asset = target(at)?;
            let writers = writers.get(&asset.value.id())?;
            // One other is named; with many writers the message stays one line.
            let other = writers.iter().find(|other| **other != at)?;
            let message = match writers.len() {
                2 => format!(
                    "`{}` is materialized by `{}` too",
                    asset.value, scripts[*other].0
                ),
                more => format!(
                    "`{}` is materialized by `{}` and {} more",
                    asset.value,
                    scripts[*other].0,
                    more - 2
                ),
            };
            let found = Diagnostic::new(Code::LM118, asset.span, message)
                .hint("write each asset from one script");
            Some((at, found))
        })
        .collect()
}
