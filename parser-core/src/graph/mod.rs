//! Which script needs which: order by writes, reads, triggers and data tests.
//!
//! Pure: the browser orders the open scripts with the same function. An edge goes from the script
//! that writes an asset to the script that needs it; assets that no script writes give no edge.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::asset::Asset;
use crate::body::Access;
use crate::names::{Named, Names};
use crate::script::{Rule, Script, Trigger};

/// One script of a project.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// Its path, unique in the project; ties in the order are broken by it.
    pub path: &'a str,
    /// The script.
    pub script: &'a Script,
}

/// Why one script runs before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EdgeKind {
    /// It reads what the other writes.
    Read,
    /// It is triggered by what the other writes.
    Trigger,
    /// A data test of it looks at what the other writes; ordering only, no lineage.
    Test,
}

/// `from` runs before `to`, because of `asset`. Indices into the nodes that the graph was built of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The producer.
    pub from: usize,
    /// The consumer.
    pub to: usize,
    /// Why.
    pub kind: EdgeKind,
    /// Through which asset.
    pub asset: Asset,
}

/// The order of a set of scripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Edges, deduplicated, in order.
    pub edges: Vec<Edge>,
    /// Scripts in an order in which each comes after all that it needs. Scripts of a cycle, and
    /// only these, are left out.
    pub order: Vec<usize>,
    /// Each cycle as the scripts on it, in path order.
    pub cycles: Vec<Vec<usize>>,
}

impl Graph {
    /// Orders `nodes`.
    #[must_use]
    pub fn new(nodes: &[Node<'_>]) -> Self {
        let producers = producers(nodes);
        let mut edges = Vec::new();
        for (to, node) in nodes.iter().enumerate() {
            for (asset, kind) in needs(node.script) {
                for &from in producers_of(&asset, &producers) {
                    if from != to {
                        edges.push(Edge {
                            from,
                            to,
                            kind,
                            asset: asset.clone(),
                        });
                    }
                }
            }
        }
        crate::sort::by_text(&mut edges, |edge| &edge.asset.path);
        crate::sort::by(&mut edges, |edge| {
            let kinds = (edge.kind as usize) << 8 | edge.asset.kind as usize;
            [edge.from, edge.to, kinds]
        });
        edges.dedup();
        let ranks = ranks(nodes);
        let cycles = cycles(&ranks, &edges);
        let order = order(&ranks, &edges, &cycles);
        Self {
            edges,
            order,
            cycles,
        }
    }

    /// All scripts that `node` needs, directly or not.
    #[must_use]
    pub fn upstream(&self, node: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut open = vec![node];
        while let Some(at) = open.pop() {
            for edge in self.edges.iter().filter(|edge| edge.to == at) {
                if edge.from != node && found.insert(edge.from) {
                    open.push(edge.from);
                }
            }
        }
        found
    }
}

/// How a script and an asset belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LinkKind {
    /// The script writes it.
    Write,
    /// It reads it.
    Read,
    /// It is triggered by it.
    Trigger,
    /// A data test of it looks at it.
    Test,
}

/// A script and an asset that it writes or needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Index into the nodes.
    pub script: usize,
    /// The asset, without `{partition}`; of a history's view `<table>_current` that some script
    /// here writes, the table.
    pub asset: Asset,
    /// How.
    pub kind: LinkKind,
}

/// All links of `nodes`, script by script, each once.
#[must_use]
pub fn links(nodes: &[Node<'_>]) -> Vec<Link> {
    let mut histories: Named<Option<Asset>> = Named::default();
    for node in nodes {
        if let Some(line) = &node.script.header.materialize
            && line.value.history.is_some()
        {
            let asset = line.value.asset.value.without_partition();
            let view = current(&asset);
            *histories.entry(view, None) = Some(asset);
        }
    }
    let mut links = Vec::new();
    for (script, node) in nodes.iter().enumerate() {
        let mut seen = Names::default();
        let written = writes(node.script).map(|asset| (asset, LinkKind::Write));
        let needed = needs(node.script).map(|(asset, kind)| (asset, kind.into()));
        for (asset, kind) in written.chain(needed) {
            let asset = asset.without_partition();
            let history = histories.get(&asset.id()).cloned().flatten();
            let asset = history.unwrap_or(asset);
            if seen.add(format!("{} {}", kind as u8, asset.id())) {
                links.push(Link {
                    script,
                    asset,
                    kind,
                });
            }
        }
    }
    links
}

impl From<EdgeKind> for LinkKind {
    fn from(kind: EdgeKind) -> Self {
        match kind {
            EdgeKind::Read => Self::Read,
            EdgeKind::Trigger => Self::Trigger,
            EdgeKind::Test => Self::Test,
        }
    }
}

/// Assets that a script writes: its target, and what its statements write.
fn writes(script: &Script) -> impl Iterator<Item = Asset> + '_ {
    let target = script
        .header
        .materialize
        .iter()
        .map(|line| line.value.asset.value.clone());
    let written = script
        .body
        .assets
        .iter()
        .filter(|used| matches!(used.access, Access::Write | Access::ReadWrite))
        .map(|used| used.asset.clone());
    target.chain(written)
}

/// Assets that a script needs first, with the reason.
fn needs(script: &Script) -> impl Iterator<Item = (Asset, EdgeKind)> + '_ {
    let reads = script
        .body
        .assets
        .iter()
        .filter(|used| matches!(used.access, Access::Read | Access::ReadWrite))
        .map(|used| (used.asset.clone(), EdgeKind::Read));
    let triggers = script
        .header
        .triggers
        .iter()
        .filter_map(|trigger| match &trigger.value {
            Trigger::Asset { asset, .. } => Some((asset.value.clone(), EdgeKind::Trigger)),
            Trigger::Native { .. } => None,
        });
    let tests = script
        .header
        .data_tests
        .iter()
        .filter_map(|test| match &test.value.rule {
            Rule::Relationships { to, .. } => Some((to.asset.clone(), EdgeKind::Test)),
            Rule::Unique { .. }
            | Rule::NotNull { .. }
            | Rule::AcceptedValues { .. }
            | Rule::RowCount { .. }
            | Rule::Freshness { .. }
            | Rule::Expression { .. }
            | Rule::Custom { .. } => None,
        });
    reads.chain(triggers).chain(tests)
}

/// The id of a history's view of current versions.
fn current(table: &Asset) -> String {
    table.id() + "_current"
}

fn producers(nodes: &[Node<'_>]) -> Named<Vec<usize>> {
    let mut producers: Named<Vec<usize>> = Named::default();
    for (at, node) in nodes.iter().enumerate() {
        for asset in writes(node.script) {
            let writers = producers.entry(asset.without_partition().id(), Vec::new());
            if writers.last() != Some(&at) {
                writers.push(at);
            }
        }
        // A history also writes its view of current versions.
        if let Some(line) = &node.script.header.materialize
            && line.value.history.is_some()
        {
            producers
                .entry(current(&line.value.asset.value), Vec::new())
                .push(at);
        }
    }
    producers
}

fn producers_of<'a>(asset: &Asset, producers: &'a Named<Vec<usize>>) -> &'a [usize] {
    producers
        .get(&asset.without_partition().id())
        .map_or(&[], Vec::as_slice)
}

/// The place of each script in the order of paths.
fn ranks(nodes: &[Node<'_>]) -> Vec<usize> {
    let paths: Vec<&str> = nodes.iter().map(|node| node.path).collect();
    let by_path = crate::sort::order_of(&paths);
    let mut ranks = vec![0; nodes.len()];
    for (rank, at) in by_path.into_iter().enumerate() {
        ranks[at] = rank;
    }
    ranks
}

fn cycles(ranks: &[usize], edges: &[Edge]) -> Vec<Vec<usize>> {
    let mut graph: DiGraph<usize, ()> = DiGraph::new();
    let indices: Vec<NodeIndex> = (0..ranks.len()).map(|at| graph.add_node(at)).collect();
    for edge in edges {
        graph.update_edge(indices[edge.from], indices[edge.to], ());
    }
    let mut cycles: Vec<Vec<usize>> = tarjan_scc(&graph)
        .into_iter()
        .filter(|component| component.len() > 1)
        .map(|component| {
            let mut cycle: Vec<usize> = component.into_iter().map(|index| graph[index]).collect();
            crate::sort::by(&mut cycle, |&at| [ranks[at], 0, 0]);
            cycle
        })
        .collect();
    crate::sort::by(&mut cycles, |cycle| {
        [cycle.first().map_or(0, |&at| ranks[at]), 0, 0]
    });
    cycles
}

/// Kahn's algorithm with the ready scripts kept in path order, so that equal projects run alike.
fn order(ranks: &[usize], edges: &[Edge], cycles: &[Vec<usize>]) -> Vec<usize> {
    let mut is_cyclic = vec![false; ranks.len()];
    for &at in cycles.iter().flatten() {
        is_cyclic[at] = true;
    }
    let mut waiting = vec![0usize; ranks.len()];
    let mut consumers: Vec<Vec<usize>> = vec![Vec::new(); ranks.len()];
    for edge in edges {
        // A cyclic producer never runs in order; its consumers must not wait for it. Several edges between two scripts
        // count alike on both sides.
        if !is_cyclic[edge.from] {
            waiting[edge.to] += 1;
            consumers[edge.from].push(edge.to);
        }
    }
    let mut ready: BinaryHeap<Reverse<(usize, usize)>> = (0..ranks.len())
        .filter(|&at| waiting[at] == 0 && !is_cyclic[at])
        .map(|at| Reverse((ranks[at], at)))
        .collect();
    let mut order = Vec::new();
    while let Some(Reverse((_, at))) = ready.pop() {
        order.push(at);
        for &to in &consumers[at] {
            waiting[to] -= 1;
            if waiting[to] == 0 && !is_cyclic[to] {
                ready.push(Reverse((ranks[to], to)));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn graph(texts: &[(&str, String)]) -> Graph {
        let scripts: Vec<Script> = texts
            .iter()
            .map(|(_, text)| crate::parse(text).script)
            .collect();
        let nodes: Vec<Node<'_>> = texts
            .iter()
            .zip(&scripts)
            .map(|((path, _), script)| Node { path, script })
            .collect();
        Graph::new(&nodes)
    }

    fn script(target: usize, reads: &[usize]) -> String {
        let on: String = reads
            .iter()
            .map(|read| format!("-- on ducklake://l/t{read}\n"))
            .collect();
        format!("{on}-- materialize ducklake://l/t{target}\nSELECT 1 AS a\n")
    }

    #[test]
    fn reads_triggers_and_tests_order_scripts() {
        let graph = graph(&[
            ("a", "-- materialize ducklake://l/a\n-- data_test relationships x -> ducklake://l/dim.x\nATTACH 'ducklake://l' AS dl;\nSELECT x FROM dl.raw".to_owned()),
            ("dim", "-- materialize ducklake://l/dim\nSELECT 1 AS x".to_owned()),
            ("raw", "-- materialize ducklake://L/main.RAW\nSELECT 1 AS x".to_owned()),
        ]);
        assert_eq!(graph.order, [1, 2, 0]);
        assert_eq!(
            graph
                .edges
                .iter()
                .map(|edge| (edge.from, edge.to, edge.kind))
                .collect::<Vec<_>>(),
            [(1, 0, EdgeKind::Test), (2, 0, EdgeKind::Read)]
        );
    }

    #[test]
    fn a_cycle_is_reported_and_the_rest_is_ordered() {
        let graph = graph(&[
            ("a", script(0, &[1])),
            ("b", script(1, &[0])),
            ("c", script(2, &[1])),
            ("d", script(3, &[3])),
        ]);
        assert_eq!(graph.cycles, [vec![0, 1]]);
        assert_eq!(graph.order, [2, 3]);
    }

    proptest! {
        #[test]
        fn every_script_comes_after_what_it_needs(
            reads in prop::collection::vec(prop::collection::vec(0usize..12, 0..4), 1..12)
        ) {
            let texts: Vec<(String, String)> = reads
                .iter()
                .enumerate()
                .map(|(at, reads)| (format!("s{at:02}"), script(at, reads)))
                .collect();
            let borrowed: Vec<(&str, String)> =
                texts.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
            let graph = graph(&borrowed);
            let cyclic: BTreeSet<usize> = graph.cycles.iter().flatten().copied().collect();
            prop_assert_eq!(graph.order.len() + cyclic.len(), reads.len());
            for edge in &graph.edges {
                prop_assert!(edge.from != edge.to);
                let place = |node| graph.order.iter().position(|&at| at == node);
                if let (Some(from), Some(to)) = (place(edge.from), place(edge.to)) {
                    prop_assert!(from < to);
                }
            }
        }
    }
}
