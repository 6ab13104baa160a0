//! The graph of a set of scripts, as JSON.

use serde::{Deserialize, Serialize};

use super::finding::Diagnostic;
use super::parsed::AssetKind;
use super::shape::{inputs, objects, reads, words};
use crate::asset::Asset;
use crate::graph::{Graph, Node};
use crate::names::Named;
use crate::script::Script;
use crate::source::LineIndex;
use crate::validate::validate_set;

inputs! {
    /// One script of a project.
    #[derive(Clone, Debug)]
    pub struct ScriptFile {
        /// Its path, unique in the project.
        pub path: String = "path",
        /// Its text.
        pub text: String = "text",
    }
}

objects! {
    /// Which script and asset needs which.
    pub struct ProjectGraph {
        /// Version of the shape.
        pub version: u32,
        /// Scripts in the given order, then assets by id.
        pub nodes: Vec<GraphNode>,
        /// Between nodes, by their ids.
        pub edges: Vec<GraphEdge>,
        /// Paths of the scripts, each after all that it needs; those of a cycle are left out.
        pub order: Vec<String>,
        /// Each cycle as the paths of its scripts.
        pub cycles: Vec<Vec<String>>,
        /// What is wrong between the scripts; what is wrong in each alone is not repeated.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub findings: Vec<ScriptFinding>,
    }

    /// A finding and the script whose text it points into.
    pub struct ScriptFinding {
        /// Path of the script.
        pub path: String,
        /// The finding.
        pub diagnostic: Diagnostic,
    }

    /// A script or an asset.
    pub struct GraphNode {
        /// The path of a script; the URI of an asset, as assets are compared.
        pub id: String,
        /// Which of the two.
        pub kind: NodeKind,
        /// Of an asset: what it is stored as.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub asset: Option<AssetKind>,
        /// As the scripts spell it first.
        pub label: String,
    }

    /// `from` comes before `to`.
    pub struct GraphEdge {
        /// Id of a node.
        pub from: String,
        /// Id of a node.
        pub to: String,
        /// Why.
        pub kind: GraphEdgeKind,
    }
}

words! {
    /// Kind of a node.
    pub enum NodeKind { Script = "script", Asset = "asset", }

    /// Why one node comes before another.
    pub enum GraphEdgeKind from crate::graph::LinkKind {
        Write = "write", Read = "read", Trigger = "trigger", Test = "test",
    }
}

/// Version of [`ProjectGraph`].
const VERSION: u32 = 1;

/// The graph of `files`: a script leads to what it writes, and an asset to the scripts that need it.
#[must_use]
pub fn graph_to_wire(files: &[ScriptFile]) -> ProjectGraph {
    let scripts: Vec<Script> = files
        .iter()
        .map(|file| crate::parse(&file.text).script)
        .collect();
    let nodes: Vec<Node<'_>> = files
        .iter()
        .zip(&scripts)
        .map(|(file, script)| Node {
            path: &file.path,
            script,
        })
        .collect();
    let graph = Graph::new(&nodes);
    let findings = validate_set(&nodes, &graph)
        .into_iter()
        .map(|(at, found)| ScriptFinding {
            path: files[at].path.clone(),
            diagnostic: Diagnostic::new(&LineIndex::new(&files[at].text), &found),
        })
        .collect();
    let path = |at: &usize| files[*at].path.clone();

    let mut assets: Named<(String, Asset)> = Named::default();
    let mut edges = Vec::new();
    for link in crate::graph::links(&nodes) {
        let script = path(&link.script);
        let id = link.asset.id();
        let (from, to) = if link.kind == crate::graph::LinkKind::Write {
            (script, id.clone())
        } else {
            (id.clone(), script)
        };
        edges.push(GraphEdge {
            from,
            to,
            kind: link.kind.into(),
        });
        assets.entry(id.clone(), (id, link.asset));
    }
    let scripts = files.iter().map(|file| GraphNode {
        id: file.path.clone(),
        kind: NodeKind::Script,
        asset: None,
        label: file.path.clone(),
    });
    let mut assets = assets.into_list();
    crate::sort::by_text(&mut assets, |(id, _)| id);
    let assets = assets.into_iter().map(|(id, asset)| GraphNode {
        id,
        kind: NodeKind::Asset,
        asset: Some(asset.kind.into()),
        label: asset.to_string(),
    });
    ProjectGraph {
        version: VERSION,
        nodes: scripts.chain(assets).collect(),
        edges,
        order: graph.order.iter().map(path).collect(),
        cycles: graph
            .cycles
            .iter()
            .map(|cycle| cycle.iter().map(path).collect())
            .collect(),
        findings,
    }
}
