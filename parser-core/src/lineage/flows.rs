//! Lineage through the scripts of a project.

use super::{Schemas, trace};
use crate::graph::{Graph, Node};
use crate::plan::PARTITION_COLUMN;
use crate::script::{ColumnRef, Mode};

/// A column that a script writes, and what it is computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The script: its place among those given.
    pub script: usize,
    /// The column of the script's target, and where the script computes it.
    pub output: ColumnRef,
    /// The columns of assets that it is computed from; `None` when not all of them are known.
    pub inputs: Option<Vec<ColumnRef>>,
}

/// The columns that scripts write, each script after those whose tables it reads.
///
/// A table that one script writes has the columns of that script's output to those that read it, as long as all of them are
/// known. Of a script that writes by itself (`materialize manual`) only its `column` lines count.
#[must_use]
pub fn flows(nodes: &[Node<'_>], texts: &[&str]) -> Vec<Flow> {
    let graph = Graph::new(nodes);
    let (mut schemas, mut flows) = (Schemas::new(), Vec::new());
    let order = graph.order.iter().chain(graph.cycles.iter().flatten());
    for &script in order {
        let (Some(node), Some(text)) = (nodes.get(script), texts.get(script)) else {
            continue;
        };
        let header = &node.script.header;
        let Some(line) = header.materialize.as_ref().map(|line| &line.value) else {
            continue;
        };
        let target = &line.asset.value;
        let lineage = trace(text, node.script, &schemas);
        let is_declared = |name: &str| {
            let mut columns = header.columns.iter();
            columns.any(|line| line.value.column.value.eq_ignore_ascii_case(name))
        };
        let mut columns = Vec::new();
        for column in &lineage.columns {
            let Some(name) = &column.name else { continue };
            if line.mode == Mode::Manual && !is_declared(name) {
                continue;
            }
            columns.push(name.clone().into_owned());
            let inputs = lineage.inputs(column).map(|inputs| {
                let input = |input: &super::Input<'_>| ColumnRef {
                    asset: input.asset.clone(),
                    column: input.column.clone().into_owned(),
                    span: input.span,
                };
                inputs.iter().map(input).collect()
            });
            flows.push(Flow {
                script,
                output: ColumnRef {
                    asset: target.clone(),
                    column: name.clone().into_owned(),
                    span: column.span,
                },
                inputs,
            });
        }
        if lineage.is_complete && line.mode == Mode::Managed && line.history.is_none() {
            if header.partition.is_some() {
                columns.push(PARTITION_COLUMN.to_owned());
            }
            schemas.insert(target, columns);
        }
    }
    flows
}
