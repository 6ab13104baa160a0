//! Rules between the scripts of a folder.

use crate::diagnostic::{Code, Diagnostic};
use crate::graph::{Graph, Node};
use crate::names::Named;
use crate::source::Span;

/// Checks `nodes` against each other, with the graph that was built of them. Each finding comes with
/// the index of the script whose text it points into; they are in the order of the scripts.
///
/// ```
/// use parser_core::graph::{Graph, Node};
/// use parser_core::validate::validate_set;
/// let script = parser_core::parse("-- materialize ducklake://shop/orders\nSELECT 1 AS id").script;
/// let nodes = ["a.sql", "b.sql"].map(|path| Node { path, script: &script });
/// let found = validate_set(&nodes, &Graph::new(&nodes));
/// assert_eq!(found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 1]);
/// ```
#[must_use]
pub fn validate_set(nodes: &[Node<'_>], graph: &Graph) -> Vec<(usize, Diagnostic)> {
    let mut found = two_writers(nodes);
    for cycle in &graph.cycles {
        let names: Vec<&str> = cycle.iter().map(|&at| nodes[at].path).collect();
        let message = format!("`{}` need each other in a circle", names.join("`, `"));
        found.extend(cycle.iter().map(|&at| {
            let found = Diagnostic::new(Code::LM122, target_span(nodes[at]), message.as_str())
                .hint("let one of them read something else");
            (at, found)
        }));
    }
    crate::sort::by(&mut found, |(at, found)| {
        [*at, found.span.start, found.code as usize]
    });
    found
}

/// Where a script says what it writes.
fn target_span(node: Node<'_>) -> Span {
    let header = &node.script.header;
    header
        .materialize
        .as_ref()
        .map_or(header.span, |line| line.value.asset.span)
}

fn two_writers(nodes: &[Node<'_>]) -> Vec<(usize, Diagnostic)> {
    let target = |at: usize| {
        let line = nodes[at].script.header.materialize.as_ref()?;
        Some(&line.value.asset)
    };
    let mut writers: Named<Vec<usize>> = Named::default();
    for at in 0..nodes.len() {
        if let Some(asset) = target(at) {
            writers.entry(asset.value.id(), Vec::new()).push(at);
        }
    }
    (0..nodes.len())
        .filter_map(|at| {
            let asset = target(at)?;
            let writers = writers.get(&asset.value.id())?;
            // One other is named; with many writers the message stays one line.
            let other = writers.iter().find(|other| **other != at)?;
            let message = match writers.len() {
                2 => format!(
                    "`{}` is materialized by `{}` too",
                    asset.value, nodes[*other].path
                ),
                more => format!(
                    "`{}` is materialized by `{}` and {} more",
                    asset.value,
                    nodes[*other].path,
                    more - 2
                ),
            };
            let found = Diagnostic::new(Code::LM118, asset.span, message)
                .hint("write each asset from one script");
            Some((at, found))
        })
        .collect()
}
