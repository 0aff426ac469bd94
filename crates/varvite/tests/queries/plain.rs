//! A graph as plain lists and texts, so that the results of loops over it do not depend on any cursor, index
//! or pipeline.

use std::collections::HashMap;

use varvite::{Direction, EdgeLabelId, Graph};

/// The lists of neighbours, the texts and the numbers of each node.
pub(super) struct Plain {
    pub(super) labels: Vec<String>,
    out: HashMap<String, Vec<Vec<u32>>>,
    in_: HashMap<String, Vec<Vec<u32>>>,
    texts: HashMap<String, Vec<Option<String>>>,
    numbers: HashMap<String, Vec<Option<i64>>>,
    /// For each node, the VARIABLE of each of its REACHING_DEF out-edges.
    pub(super) variables: Vec<Vec<String>>,
}

const TEXTS: [&str; 6] = ["NAME", "FULL_NAME", "METHOD_FULL_NAME", "CODE", "TYPE_FULL_NAME", "FILENAME"];
const NUMBERS: [&str; 4] = ["ARGUMENT_INDEX", "ORDER", "INDEX", "IS_EXTERNAL"];

impl Plain {
    pub(super) fn of(graph: &Graph) -> Self {
        let nodes = 0..graph.node_count();
        let labels = graph.label_sets().unwrap();
        let label_of = |node| graph.labels()[labels.of(node).next().unwrap().index()].name.clone();
        let lists = |direction| {
            let lists_of = |label: EdgeLabelId| {
                let adjacency = graph.adjacency(label, direction).unwrap();
                nodes.clone().map(|node| adjacency.neighbors(node).collect()).collect()
            };
            let named = graph.edge_label_ids().zip(graph.edge_labels());
            named.map(|(id, label)| (label.name.clone(), lists_of(id))).collect()
        };
        let text = |name: &str| {
            let property = graph.property(name).unwrap();
            nodes.clone().map(|node| Some(property.str(node)?.to_string())).collect()
        };
        let number = |name: &str| {
            let property = graph.property(name).unwrap();
            nodes.clone().map(|node| property.number(node)).collect()
        };
        Self {
            labels: nodes.clone().map(label_of).collect(),
            out: lists(Direction::Out),
            in_: lists(Direction::In),
            texts: TEXTS.iter().map(|name| ((*name).to_owned(), text(name))).collect(),
            numbers: NUMBERS.iter().map(|name| ((*name).to_owned(), number(name))).collect(),
            variables: variables(graph),
        }
    }

    pub(super) fn nodes(&self) -> std::ops::Range<u32> {
        0..self.labels.len() as u32
    }

    pub(super) fn is(&self, node: u32, label: &str) -> bool {
        self.labels[node as usize] == label
    }

    pub(super) fn labelled<'a>(&'a self, label: &'a str) -> impl Iterator<Item = u32> + 'a {
        self.nodes().filter(move |node| self.is(*node, label))
    }

    pub(super) fn out(&self, node: u32, label: &str) -> &[u32] {
        &self.out[label][node as usize]
    }

    pub(super) fn in_(&self, node: u32, label: &str) -> &[u32] {
        &self.in_[label][node as usize]
    }

    /// The text of a property; empty if the node has none.
    pub(super) fn text(&self, node: u32, property: &str) -> &str {
        self.texts[property][node as usize].as_deref().unwrap_or("")
    }

    pub(super) fn number(&self, node: u32, property: &str) -> Option<i64> {
        self.numbers[property][node as usize]
    }

    /// The arguments of a CALL that have this ARGUMENT_INDEX.
    pub(super) fn arguments(&self, call: u32, index: i64) -> impl Iterator<Item = u32> + '_ {
        let arguments = self.out(call, "ARGUMENT").iter().copied();
        arguments.filter(move |node| self.number(*node, "ARGUMENT_INDEX") == Some(index))
    }

    /// A node and its descendants.
    pub(super) fn ast(&self, node: u32) -> Vec<u32> {
        let mut found = vec![node];
        for child in self.out(node, "AST") {
            found.extend(self.ast(*child));
        }
        found
    }

    /// The ancestors of a node, the nearest first.
    pub(super) fn above(&self, node: u32) -> Vec<u32> {
        let up = |node: &u32| self.in_(*node, "AST").first().copied();
        std::iter::successors(up(&node), up).collect()
    }

    /// The nodes that can be reached from a node in any number of steps, each once, without the node itself.
    pub(super) fn closure(&self, node: u32, step: impl Fn(u32) -> Vec<u32>) -> Vec<u32> {
        let mut reached = vec![node];
        let mut seen = std::collections::HashSet::from([node]);
        let mut next = 0;
        while next < reached.len() {
            for other in step(reached[next]) {
                if seen.insert(other) {
                    reached.push(other);
                }
            }
            next += 1;
        }
        reached.remove(0);
        reached
    }

    /// The METHOD that contains a node.
    pub(super) fn container(&self, node: u32) -> Option<u32> {
        self.in_(node, "CONTAINS").first().copied().filter(|above| self.is(*above, "METHOD"))
    }
}

fn variables(graph: &Graph) -> Vec<Vec<String>> {
    let out = graph.out("REACHING_DEF").unwrap();
    let variable = graph.edge_property("REACHING_DEF", Some("VARIABLE")).unwrap();
    let text = |rank: usize| variable.str(rank as u32).map(|text| text.to_string()).unwrap_or_default();
    let of_node = |node| {
        let first = out.first_rank(node).unwrap();
        (first..first + out.degree(node)).map(text).collect()
    };
    (0..graph.node_count()).map(of_node).collect()
}
