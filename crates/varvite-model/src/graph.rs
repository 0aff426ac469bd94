//! The graph: a list of nodes, each with its labels, its properties, its out-edges and its in-edges.
//!
//! Invariants: an edge from `a` to `b` has one entry in the out-list of `a` and one in the in-list of `b`,
//! under its label. Each out-list and each in-list has an order of its own. If several edges lead from `a` to
//! `b`, the k-th entry for `b` in the out-list of `a` belongs to the k-th entry for `a` in the in-list of
//! `b`. There is no property without values and no list without edges. No edge and no reference leads to a
//! removed node.

use std::collections::{BTreeMap, BTreeSet};

use crate::{NodeId, Value};

/// A property graph made of maps.
///
/// Every method that takes a node panics if the node does not exist or was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelGraph {
    nodes: Vec<Option<Node>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    labels: BTreeSet<String>,
    properties: BTreeMap<String, Vec<Value>>,
    out: BTreeMap<String, Vec<OutEntry>>,
    in_: BTreeMap<String, Vec<NodeId>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct OutEntry {
    target: NodeId,
    property: Option<Value>,
}

/// An edge, which is the entry at `position` of its source's out-list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the type says what they are")]
pub struct Edge<'graph> {
    pub label: &'graph str,
    pub source: NodeId,
    pub target: NodeId,
    pub position: usize,
    pub property: Option<&'graph Value>,
}

/// Methods that build a graph.
impl ModelGraph {
    /// Adds a node at the end of the list.
    ///
    /// # Panics
    /// Panics if `labels` is empty.
    pub fn add_node(&mut self, labels: &[&str]) -> NodeId {
        assert!(!labels.is_empty(), "a node has at least one label");
        self.nodes.push(Some(Node {
            labels: labels.iter().map(|label| label.to_string()).collect(),
            properties: BTreeMap::new(),
            out: BTreeMap::new(),
            in_: BTreeMap::new(),
        }));
        NodeId(self.nodes.len() - 1)
    }

    /// Adds an edge at the end of the source's out-list and of the target's in-list.
    pub fn add_edge(&mut self, source: NodeId, label: &str, target: NodeId, property: Option<Value>) {
        let out = self.node_mut(source).out.entry(label.to_string()).or_default();
        out.push(OutEntry { target, property });
        self.node_mut(target).in_.entry(label.to_string()).or_default().push(source);
    }

    /// Replaces all values of a property. If `values` is empty, the node does not have the property.
    pub fn set_property(&mut self, node: NodeId, name: &str, values: Vec<Value>) {
        let properties = &mut self.node_mut(node).properties;
        if values.is_empty() {
            properties.remove(name);
        } else {
            properties.insert(name.to_string(), values);
        }
    }

    /// Replaces the property value of the edge at `position` of the source's out-list.
    ///
    /// # Panics
    /// Panics if there is no such edge.
    pub fn set_edge_property(
        &mut self,
        source: NodeId,
        label: &str,
        position: usize,
        property: Option<Value>,
    ) {
        let out = self.node_mut(source).out.get_mut(label).expect("the source has edges of this label");
        out[position].property = property;
    }

    /// Reorders an in-list: the entry at index `permutation[i]` moves to index `i`.
    ///
    /// # Panics
    /// Panics if `permutation` does not name every position of the list exactly once.
    pub fn permute_in(&mut self, node: NodeId, label: &str, permutation: &[usize]) {
        let sources = self.sources(node, label);
        let mut positions = permutation.to_vec();
        positions.sort();
        assert_eq!(positions, (0..sources.len()).collect::<Vec<_>>(), "not a permutation of the list");

        let permuted: Vec<NodeId> = permutation.iter().map(|position| sources[*position]).collect();
        set_list(&mut self.node_mut(node).in_, label, permuted);
    }

    /// Removes the edge at `position` of the source's out-list, with its entry in the target's in-list.
    ///
    /// # Panics
    /// Panics if there is no such edge.
    pub fn remove_edge(&mut self, source: NodeId, label: &str, position: usize) {
        let mut targets = self.node(source).out[label].clone();
        let target = targets[position].target;
        let parallel_before = targets[..position].iter().filter(|entry| entry.target == target).count();
        targets.remove(position);
        set_list(&mut self.node_mut(source).out, label, targets);

        let mut sources = self.sources(target, label).to_vec();
        let paired = nth_position(&sources, parallel_before, |entry| *entry == source);
        sources.remove(paired);
        set_list(&mut self.node_mut(target).in_, label, sources);
    }

    /// Removes a node and all its edges. References to the node become null. The node's place in the list
    /// remains, as a hole, so that every other node keeps its id.
    pub fn remove_node(&mut self, removed: NodeId) {
        self.node(removed);
        self.nodes[removed.0] = None;
        for node in self.nodes.iter_mut().flatten() {
            for entries in node.out.values_mut() {
                entries.retain(|entry| entry.target != removed);
            }
            for sources in node.in_.values_mut() {
                sources.retain(|source| *source != removed);
            }
            node.out.retain(|_, entries| !entries.is_empty());
            node.in_.retain(|_, sources| !sources.is_empty());
            node.map_references(|reference| Some(reference).filter(|reference| *reference != removed));
        }
    }

    /// A copy of this graph, without the holes of removed nodes. The node `order[i]` gets the id `i`.
    ///
    /// # Panics
    /// Panics if `order` does not name every node exactly once.
    pub fn renumbered(&self, order: &[NodeId]) -> ModelGraph {
        let new_ids: BTreeMap<NodeId, NodeId> =
            order.iter().enumerate().map(|(new, old)| (*old, NodeId(new))).collect();
        assert_eq!(order.len(), self.node_count(), "the order names every node");
        assert_eq!(new_ids.len(), self.node_count(), "the order names no node twice");

        let renumbered = order.iter().map(|old| {
            let mut node = self.node(*old).clone();
            node.out.values_mut().flatten().for_each(|entry| entry.target = new_ids[&entry.target]);
            node.in_.values_mut().flatten().for_each(|source| *source = new_ids[source]);
            node.map_references(|reference| Some(new_ids[&reference]));
            Some(node)
        });
        ModelGraph { nodes: renumbered.collect() }
    }
}

/// Methods that read nodes.
impl ModelGraph {
    /// The number of nodes, not counting removed ones.
    pub fn node_count(&self) -> usize {
        self.nodes().len()
    }

    /// The number of places in the list of nodes, including the holes of removed nodes.
    pub fn slot_count(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes, in ascending order.
    pub fn nodes(&self) -> Vec<NodeId> {
        (0..self.nodes.len()).map(NodeId).filter(|node| self.contains(*node)).collect()
    }

    /// All nodes that have the label, in ascending order.
    pub fn nodes_with_label(&self, label: &str) -> Vec<NodeId> {
        self.nodes().into_iter().filter(|node| self.has_label(*node, label)).collect()
    }

    /// Whether there is a node with this id that was not removed.
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.get(node.0).is_some_and(|node| node.is_some())
    }

    /// The node's labels, at least one.
    pub fn labels(&self, node: NodeId) -> &BTreeSet<String> {
        &self.node(node).labels
    }

    /// Whether this is one of the node's labels.
    pub fn has_label(&self, node: NodeId, label: &str) -> bool {
        self.labels(node).contains(label)
    }

    /// The node's label; if the node has several, all of them in sorted order, joined by `&`.
    pub fn label_text(&self, node: NodeId) -> String {
        let labels: Vec<&str> = self.labels(node).iter().map(String::as_str).collect();
        labels.join("&")
    }

    /// The values of a property, in order; empty if the node does not have the property.
    pub fn values(&self, node: NodeId, name: &str) -> &[Value] {
        self.properties(node).get(name).map_or(&[], Vec::as_slice)
    }

    /// The values of all properties that the node has, by the name of the property. No list of values is
    /// empty.
    pub fn properties(&self, node: NodeId) -> &BTreeMap<String, Vec<Value>> {
        &self.node(node).properties
    }

    fn node(&self, node: NodeId) -> &Node {
        self.nodes[node.0].as_ref().expect("the node was not removed")
    }

    fn node_mut(&mut self, node: NodeId) -> &mut Node {
        self.nodes[node.0].as_mut().expect("the node was not removed")
    }
}

/// Methods that read edges.
impl ModelGraph {
    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges().len()
    }

    /// All edges, ordered by source, then by label, then by position.
    pub fn edges(&self) -> Vec<Edge<'_>> {
        let edges_of = |source| self.out_labels(source).flat_map(move |label| self.out_edges(source, label));
        self.nodes().into_iter().flat_map(edges_of).collect()
    }

    /// The edge labels that occur in the graph.
    pub fn edge_labels(&self) -> BTreeSet<&str> {
        self.nodes().into_iter().flat_map(|node| self.out_labels(node)).collect()
    }

    /// The targets of a node's edges of one label, in the order of the out-list.
    pub fn targets(&self, source: NodeId, label: &str) -> Vec<NodeId> {
        self.out_edges(source, label).iter().map(|edge| edge.target).collect()
    }

    /// The sources of the edges of one label that lead to a node, in the order of the in-list.
    pub fn sources(&self, target: NodeId, label: &str) -> &[NodeId] {
        self.node(target).in_.get(label).map_or(&[], Vec::as_slice)
    }

    /// A node's out-list of one label.
    pub fn out_edges(&self, source: NodeId, label: &str) -> Vec<Edge<'_>> {
        let Some((label, entries)) = self.node(source).out.get_key_value(label) else {
            return Vec::new();
        };
        let edges = entries.iter().enumerate().map(|(position, entry)| {
            let property = entry.property.as_ref();
            Edge { label, source, target: entry.target, position, property }
        });
        edges.collect()
    }

    /// A node's in-list of one label, as edges: one for each entry.
    pub fn in_edges(&self, target: NodeId, label: &str) -> Vec<Edge<'_>> {
        let sources = self.sources(target, label);
        let edge_at = |place: usize| {
            let parallel_before = sources[..place].iter().filter(|source| **source == sources[place]).count();
            let mut out = self.out_edges(sources[place], label);
            out.swap_remove(nth_position(&out, parallel_before, |edge| edge.target == target))
        };
        (0..sources.len()).map(edge_at).collect()
    }

    fn out_labels(&self, node: NodeId) -> impl Iterator<Item = &str> {
        self.node(node).out.keys().map(String::as_str)
    }
}

impl Node {
    /// Replaces every reference in a property of the node or of its edges.
    fn map_references(&mut self, new: impl Fn(NodeId) -> Option<NodeId>) {
        let of_edges = self.out.values_mut().flatten().filter_map(|entry| entry.property.as_mut());
        let of_node = self.properties.values_mut().flatten();
        for value in of_edges.chain(of_node) {
            if let Value::Ref(reference) = value {
                *reference = reference.and_then(&new);
            }
        }
    }
}

/// Replaces a list, or removes it if the new list is empty.
fn set_list<T>(lists: &mut BTreeMap<String, Vec<T>>, label: &str, list: Vec<T>) {
    if list.is_empty() {
        lists.remove(label);
    } else {
        lists.insert(label.to_string(), list);
    }
}

/// The position of the matching item that comes after `matches_before` other matching items.
fn nth_position<T>(items: &[T], matches_before: usize, matches: impl Fn(&T) -> bool) -> usize {
    let mut positions = (0..items.len()).filter(|position| matches(&items[*position]));
    positions.nth(matches_before).expect("out-lists and in-lists hold the same edges")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph_of(nodes: usize) -> ModelGraph {
        let mut graph = ModelGraph::default();
        for _ in 0..nodes {
            graph.add_node(&["BLOCK"]);
        }
        graph
    }

    /// The edges of an in-list, each as its source and its position in the source's out-list.
    fn pairs(graph: &ModelGraph, target: NodeId) -> Vec<(usize, usize)> {
        graph.in_edges(target, "REF").iter().map(|edge| (edge.source.0, edge.position)).collect()
    }

    #[test]
    fn parallel_edges_pair_in_order_whatever_lies_between() {
        let (mut graph, [a, b, c]) = (graph_of(3), [0, 1, 2].map(NodeId));
        for target in [b, c, b] {
            graph.add_edge(a, "REF", target, None);
        }
        graph.add_edge(c, "REF", b, None);
        assert_eq!(pairs(&graph, b), [(0, 0), (0, 2), (2, 0)]);

        graph.permute_in(b, "REF", &[2, 1, 0]);
        assert_eq!(graph.sources(b, "REF"), [c, a, a]);
        assert_eq!(pairs(&graph, b), [(2, 0), (0, 0), (0, 2)]);
    }

    #[test]
    fn removing_an_edge_removes_its_own_entry_of_the_in_list() {
        let (mut graph, [a, b, c]) = (graph_of(3), [0, 1, 2].map(NodeId));
        for (source, property) in [(a, "first"), (c, "other"), (a, "second")] {
            graph.add_edge(source, "REF", b, Some(Value::string(property)));
        }
        graph.remove_edge(a, "REF", 1);
        assert_eq!(graph.sources(b, "REF"), [a, c]);
        assert_eq!(graph.in_edges(b, "REF")[0].property, Some(&Value::string("first")));

        graph.remove_edge(a, "REF", 0);
        graph.remove_edge(c, "REF", 0);
        assert_eq!(graph, graph_of(3));
    }

    #[test]
    fn removing_a_node_removes_its_edges_and_references_and_leaves_a_hole() {
        let (mut graph, [a, b, c]) = (graph_of(3), [0, 1, 2].map(NodeId));
        for (source, target) in [(a, b), (b, c), (b, b), (a, c)] {
            graph.add_edge(source, "REF", target, None);
        }
        graph.set_property(c, "EVIDENCE", vec![Value::Ref(Some(b)), Value::Ref(Some(a))]);

        graph.remove_node(b);
        assert_eq!(graph.nodes(), [a, c]);
        assert_eq!((graph.node_count(), graph.slot_count(), graph.edge_count()), (2, 3, 1));
        assert_eq!(graph.targets(a, "REF"), [c]);
        assert_eq!(graph.sources(c, "REF"), [a]);
        assert_eq!(graph.values(c, "EVIDENCE"), [Value::Ref(None), Value::Ref(Some(a))]);
    }

    #[test]
    fn a_property_without_values_is_absent() {
        let mut graph = graph_of(1);
        graph.set_property(NodeId(0), "ORDER", vec![Value::I32(-1)]);
        assert_eq!(graph.values(NodeId(0), "ORDER"), [Value::I32(-1)]);

        graph.set_property(NodeId(0), "ORDER", vec![]);
        assert_eq!(graph.values(NodeId(0), "ORDER"), []);
        assert!(graph.properties(NodeId(0)).is_empty());
    }

    #[test]
    fn an_edge_has_its_own_property() {
        let (mut graph, [a, b]) = (graph_of(2), [0, 1].map(NodeId));
        graph.add_edge(a, "REF", b, None);
        graph.add_edge(a, "REF", b, Some(Value::string("x")));
        graph.set_edge_property(a, "REF", 0, Some(Value::string("y")));
        let properties: Vec<_> = graph.edges().iter().map(|edge| edge.property).collect();
        assert_eq!(properties, [Some(&Value::string("y")), Some(&Value::string("x"))]);
    }

    #[test]
    fn renumbering_moves_nodes_edges_and_references() {
        let (mut graph, [a, b, hole, c]) = (graph_of(4), [0, 1, 2, 3].map(NodeId));
        graph.remove_node(hole);
        graph.add_edge(a, "REF", c, None);
        graph.add_edge(b, "REF", c, None);
        graph.permute_in(c, "REF", &[1, 0]);
        graph.set_property(a, "EVIDENCE", vec![Value::Ref(Some(b))]);

        let graph = graph.renumbered(&[c, a, b]);
        let [c, a, b] = [0, 1, 2].map(NodeId);
        assert_eq!(graph.slot_count(), 3);
        assert_eq!(graph.sources(c, "REF"), [b, a]);
        assert_eq!(graph.targets(a, "REF"), [c]);
        assert_eq!(graph.values(a, "EVIDENCE"), [Value::Ref(Some(b))]);
    }

    #[test]
    fn several_labels_are_written_in_sorted_order() {
        let mut graph = ModelGraph::default();
        let node = graph.add_node(&["TYPE", "HOT", "TYPE"]);
        assert_eq!(graph.label_text(node), "HOT&TYPE");
        assert!(graph.has_label(node, "HOT"));
        assert!(!graph.has_label(node, "HOT&TYPE"));
    }
}
