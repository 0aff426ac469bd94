//! A graph that is changed by diffs. Removed nodes leave holes, and each edge has a number that never
//! changes.
//!
//! All operations of a diff refer to the graph before the diff. The removals are applied first, then the new
//! nodes, then the new edges, then the values, each kind in the order of the diff. A new node gets the next
//! number after those of all other nodes; a new edge gets the next number after those of all other edges with
//! its label. An out-list is in the order of the edges' numbers. An in-list keeps its earlier edges in their
//! order, followed by new edges in the order of their numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::layer_names::LayerNames;
use crate::{AST, ModelGraph, NodeId, Value};

/// A graph that is changed by diffs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelHistory {
    pub(crate) nodes: Vec<Option<Node>>,
    pub(crate) edges: BTreeMap<String, Edges>,
    pub(crate) layers: BTreeMap<String, LayerNames>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) labels: BTreeSet<String>,
    pub(crate) properties: BTreeMap<String, Vec<Value>>,
}

/// The edges of one label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edges {
    /// The number that the next new edge will get.
    pub(crate) next: usize,
    pub(crate) edges: BTreeMap<usize, Edge>,
    /// The numbers of the edges that lead to each node.
    pub(crate) in_: BTreeMap<NodeId, Vec<usize>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) source: NodeId,
    pub(crate) target: NodeId,
    properties: BTreeMap<String, Vec<Value>>,
}

/// An operation of a diff. The nodes that a diff adds get the next numbers after those of all existing nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say what they do")]
pub enum Operation {
    AddNode { labels: Vec<String> },
    AddEdge { label: String, source: NodeId, target: NodeId },
    RemoveNode(NodeId),
    RemoveEdge { label: String, number: usize },
    Set { owner: Owner, name: String, values: Vec<Value> },
    Append { owner: Owner, name: String, values: Vec<Value> },
    DeclareLabel(String),
    DeclareEdgeLabel(String),
}

/// An owner of values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say what they are")]
pub enum Owner {
    Node(NodeId),
    Edge {
        label: String,
        number: usize,
    },
    /// An edge that the diff adds, given by the number of edges that the diff adds before it.
    NewEdge(usize),
}

impl ModelHistory {
    /// The history that begins with this graph, which must have no holes. Edges are numbered in the order of
    /// their sources and, for each source, in the order of the out-list. But if the file stores the AST as a
    /// forest without lists (`is_forest`), an AST edge has the number of its target.
    pub fn of(graph: &ModelGraph, edge_property: (&str, &str), is_forest: bool) -> Self {
        let mut history = Self::default();
        for node in graph.nodes() {
            assert_eq!(node.0, history.nodes.len(), "no holes");
            let (labels, properties) = (graph.labels(node).clone(), graph.properties(node).clone());
            history.nodes.push(Some(Node { labels, properties }));
        }
        for label in graph.edge_labels() {
            let by_target = label == AST && is_forest;
            history.edges.insert(label.to_owned(), Edges::of(graph, label, edge_property, by_target));
        }
        if is_forest {
            history.edges.entry(AST.to_owned()).or_default().next = history.nodes.len();
        }
        history
    }

    /// Applies a valid diff. Returns the number of each new edge, or `None` for an edge that was left out
    /// because the diff removes one of its nodes.
    ///
    /// # Panics
    /// Panics if the diff is invalid.
    pub fn apply(&mut self, operations: &[Operation]) -> Vec<Option<usize>> {
        self.remove(operations);
        let before = self.nodes.len();
        for operation in operations {
            if let Operation::AddNode { labels } = operation {
                let labels = labels.iter().cloned().collect();
                self.nodes.push(Some(Node { labels, properties: BTreeMap::new() }));
            }
        }
        for operation in operations {
            if let Operation::RemoveNode(node) = operation {
                self.nodes[node.0] = None;
            }
        }
        let mut new_edges = Vec::new();
        for operation in operations {
            if let Operation::AddEdge { label, source, target } = operation {
                let are_there = self.contains(*source) && self.contains(*target);
                assert!(source.0.max(target.0) < self.nodes.len(), "{before} nodes and those of the diff");
                let number = are_there.then(|| self.add_edge(label, *source, *target));
                new_edges.push((label.clone(), number));
            }
        }
        for operation in operations {
            if let Operation::Set { owner, name, values } | Operation::Append { owner, name, values } =
                operation
                && let Some(properties) = self.properties_mut(owner, &new_edges)
            {
                let all = properties.entry(name.clone()).or_default();
                if matches!(operation, Operation::Set { .. }) {
                    all.clear();
                }
                all.extend(values.iter().cloned());
                if all.is_empty() {
                    properties.remove(name);
                }
            }
        }
        new_edges.into_iter().map(|(_, number)| number).collect()
    }

    fn remove(&mut self, operations: &[Operation]) {
        for operation in operations {
            if let Operation::RemoveEdge { label, number } = operation {
                let edges = self.edges.get_mut(label).expect("there is such a label");
                let _gone_already = edges.edges.remove(number);
            }
            // A node that this diff both adds and removes does not exist yet, and is removed later.
            if let Operation::RemoveNode(node) = operation
                && let Some(slot) = self.nodes.get_mut(node.0)
            {
                *slot = None;
            }
        }
        for edges in self.edges.values_mut() {
            let is_there = |node: NodeId| self.nodes[node.0].is_some();
            edges.edges.retain(|_, edge| is_there(edge.source) && is_there(edge.target));
            for numbers in edges.in_.values_mut() {
                numbers.retain(|number| edges.edges.contains_key(number));
            }
        }
    }

    fn add_edge(&mut self, label: &str, source: NodeId, target: NodeId) -> usize {
        let edges = self.edges.entry(label.to_owned()).or_default();
        let number = edges.next;
        edges.next += 1;
        edges.edges.insert(number, Edge { source, target, properties: BTreeMap::new() });
        edges.in_.entry(target).or_default().push(number);
        number
    }

    /// The properties of an owner. `None` for an edge that was left out.
    fn properties_mut(
        &mut self,
        owner: &Owner,
        new_edges: &[(String, Option<usize>)],
    ) -> Option<&mut BTreeMap<String, Vec<Value>>> {
        let (label, number) = match owner {
            Owner::Node(node) => {
                let node = self.nodes[node.0].as_mut().expect("values are for nodes that are there");
                return Some(&mut node.properties);
            }
            Owner::Edge { label, number } => (label, *number),
            Owner::NewEdge(index) => (&new_edges[*index].0, new_edges[*index].1?),
        };
        let edge = self.edges.get_mut(label).and_then(|edges| edges.edges.get_mut(&number));
        Some(&mut edge.expect("values are for edges that are there").properties)
    }
}

/// Methods that read elements and values.
impl ModelHistory {
    /// The number of nodes, including removed ones.
    pub fn slot_count(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes that were not removed, in ascending order.
    pub fn nodes(&self) -> Vec<NodeId> {
        (0..self.nodes.len()).map(NodeId).filter(|node| self.contains(*node)).collect()
    }

    /// Whether there is a node with this id that was not removed.
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.get(node.0).is_some_and(Option::is_some)
    }

    /// The labels of a node; empty if the node was removed.
    pub fn labels(&self, node: NodeId) -> BTreeSet<String> {
        self.nodes[node.0].as_ref().map(|node| node.labels.clone()).unwrap_or_default()
    }

    /// The values of a property of a node.
    pub fn values(&self, node: NodeId, name: &str) -> &[Value] {
        let node = self.nodes[node.0].as_ref();
        node.and_then(|node| node.properties.get(name)).map_or(&[], Vec::as_slice)
    }

    /// The number of edges of a label.
    pub fn edge_count(&self, label: &str) -> usize {
        self.edges.get(label).map_or(0, |edges| edges.edges.len())
    }

    /// The first unused edge number of a label. Removed edges count as using theirs.
    pub fn edge_numbers(&self, label: &str) -> usize {
        self.edges.get(label).map_or(0, |edges| edges.next)
    }

    /// The numbers of the edges of a label, in ascending order.
    pub fn edges(&self, label: &str) -> Vec<usize> {
        self.edges.get(label).map_or(Vec::new(), |edges| edges.edges.keys().copied().collect())
    }

    /// The labels of all edges, including removed edges.
    pub fn edge_labels(&self) -> Vec<String> {
        self.edges.keys().cloned().collect()
    }

    /// The target and the number of each edge with a label that starts at a node.
    pub fn out(&self, node: NodeId, label: &str) -> Vec<(NodeId, usize)> {
        let Some(edges) = self.edges.get(label) else { return Vec::new() };
        let of_node = edges.edges.iter().filter(|(_, edge)| edge.source == node);
        of_node.map(|(number, edge)| (edge.target, *number)).collect()
    }

    /// The source and the number of each edge with a label that ends at a node.
    pub fn in_(&self, node: NodeId, label: &str) -> Vec<(NodeId, usize)> {
        let Some(edges) = self.edges.get(label) else { return Vec::new() };
        let numbers = edges.in_.get(&node).map_or(&[][..], Vec::as_slice);
        numbers.iter().map(|number| (edges.edges[number].source, *number)).collect()
    }

    /// The values of a property of an edge; empty if the edge was removed.
    pub fn edge_values(&self, label: &str, number: usize, name: &str) -> &[Value] {
        let edge = self.edges.get(label).and_then(|edges| edges.edges.get(&number));
        edge.and_then(|edge| edge.properties.get(name)).map_or(&[], Vec::as_slice)
    }
}

impl Edges {
    fn of(graph: &ModelGraph, label: &str, property: (&str, &str), by_target: bool) -> Self {
        let mut edges = Self::default();
        let mut numbers: BTreeMap<(NodeId, usize), usize> = BTreeMap::new();
        for node in graph.nodes() {
            for edge in graph.out_edges(node, label) {
                let number = if by_target { edge.target.0 } else { numbers.len() };
                numbers.insert((node, edge.position), number);
                let values = edge.property.filter(|_| property.0 == label).cloned();
                let properties =
                    values.map(|value| (property.1.to_owned(), vec![value])).into_iter().collect();
                edges.edges.insert(number, Edge { source: node, target: edge.target, properties });
            }
        }
        edges.next = numbers.len();
        for node in graph.nodes() {
            let in_edges = graph.in_edges(node, label);
            let in_numbers = in_edges.iter().map(|edge| numbers[&(edge.source, edge.position)]);
            edges.in_.insert(node, in_numbers.collect());
        }
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> ModelHistory {
        let mut graph = ModelGraph::default();
        let [a, b, c] = ["A", "B", "C"].map(|label| graph.add_node(&[label]));
        for (source, target) in [(a, b), (a, b), (b, c)] {
            graph.add_edge(source, "REF", target, None);
        }
        ModelHistory::of(&graph, ("REF", "VARIABLE"), false)
    }

    fn edge(source: usize, target: usize) -> Operation {
        Operation::AddEdge { label: "REF".to_owned(), source: NodeId(source), target: NodeId(target) }
    }

    #[test]
    fn operations_refer_to_the_graph_before_the_diff() {
        let mut history = history();
        let new_edges = history.apply(&[
            edge(0, 1),
            edge(0, 3),
            Operation::RemoveNode(NodeId(1)),
            Operation::AddNode { labels: vec!["D".to_owned()] },
        ]);
        assert_eq!(new_edges, [None, Some(3)], "an edge to a node that the diff removes is left out");
        assert_eq!(history.out(NodeId(0), "REF"), [(NodeId(3), 3)]);
        assert_eq!(history.in_(NodeId(2), "REF"), []);
        assert_eq!((history.slot_count(), history.nodes().len()), (4, 3));
    }

    #[test]
    fn a_node_that_its_own_diff_removes_leaves_a_hole() {
        let mut history = history();
        let add = || Operation::AddNode { labels: vec!["D".to_owned()] };
        let new_edges =
            history.apply(&[Operation::RemoveNode(NodeId(3)), add(), add(), edge(0, 3), edge(0, 4)]);
        assert_eq!(new_edges, [None, Some(3)]);
        assert_eq!((history.slot_count(), history.contains(NodeId(3))), (5, false));
    }

    #[test]
    fn an_edge_goes_from_both_lists() {
        let mut history = history();
        history.apply(&[Operation::RemoveEdge { label: "REF".to_owned(), number: 0 }]);
        assert_eq!(history.out(NodeId(0), "REF"), [(NodeId(1), 1)]);
        assert_eq!(history.in_(NodeId(1), "REF"), [(NodeId(0), 1)]);
        assert_eq!((history.edge_count("REF"), history.edge_numbers("REF")), (2, 3));
    }

    #[test]
    fn the_last_value_that_is_set_wins_and_others_are_appended() {
        let mut history = history();
        let owner = || Owner::Node(NodeId(0));
        let set = |values| Operation::Set { owner: owner(), name: "LIST".to_owned(), values };
        let append = |values| Operation::Append { owner: owner(), name: "LIST".to_owned(), values };
        history.apply(&[set(vec![Value::I8(1)]), set(vec![Value::I8(2)]), append(vec![Value::I8(3)])]);
        assert_eq!(history.values(NodeId(0), "LIST"), [Value::I8(2), Value::I8(3)]);
        history.apply(&[append(vec![Value::I8(4)])]);
        assert_eq!(history.values(NodeId(0), "LIST").len(), 3);
        history.apply(&[set(vec![])]);
        assert_eq!(history.values(NodeId(0), "LIST"), []);
    }

    #[test]
    fn edges_of_a_new_label_and_of_the_diff_have_values() {
        let mut history = history();
        let label = "NEW".to_owned();
        let add = Operation::AddEdge { label, source: NodeId(2), target: NodeId(0) };
        let value = Operation::Set {
            owner: Owner::NewEdge(0),
            name: "WEIGHT".to_owned(),
            values: vec![Value::I64(7)],
        };
        assert_eq!(history.apply(&[value, add]), [Some(0)]);
        assert_eq!(history.edge_values("NEW", 0, "WEIGHT"), [Value::I64(7)]);
        assert_eq!(history.edge_labels(), ["NEW", "REF"]);
    }
}
