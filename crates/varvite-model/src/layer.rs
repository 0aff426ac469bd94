//! Layers of a graph that is changed by diffs. A layer consists of labels, edge labels and properties, which
//! are added and dropped together, and of the nodes, edges and values that have these names.
//!
//! The nodes of a layer are those with its labels. A layer can be dropped only if no edge of another label
//! and no value of another property refers to its nodes; the values of its nodes are dropped with it. When a
//! layer is added, its edges are numbered in the order of their sources, and for each source in the order in
//! which they were added.

use crate::history::{Edges, ModelHistory, Operation};
use crate::layer_names::LayerNames;
use crate::{AST, NodeId, Value};

impl ModelHistory {
    /// Adds a layer. Returns the numbers of the new edges.
    ///
    /// # Panics
    /// Panics if there already is a layer with this name, or if the operations are invalid.
    pub fn add_layer(
        &mut self,
        name: &str,
        names: LayerNames,
        operations: &[Operation],
    ) -> Vec<Option<usize>> {
        let came = self.apply(operations);
        let labels = operations.iter().filter_map(|operation| match operation {
            Operation::AddEdge { label, .. } => Some(label),
            _ => None,
        });
        let mut numbers = Vec::new();
        for label in &names.edge_labels {
            let edges = self.edges.entry(label.clone()).or_default();
            numbers.push((label.clone(), edges.number_by_source()));
        }
        let number_of = |(label, came): (&String, Option<usize>)| {
            let (_, numbers) = numbers.iter().find(|(known, _)| known == label)?;
            Some(numbers[came?])
        };
        let numbers = labels.zip(came).map(number_of).collect();
        assert!(self.layers.insert(name.to_owned(), names).is_none(), "layers have different names");
        numbers
    }

    /// All layers with their names, sorted by name.
    pub fn layers(&self) -> impl Iterator<Item = (&str, &LayerNames)> {
        self.layers.iter().map(|(name, names)| (name.as_str(), names))
    }

    /// Whether a layer may be dropped: no edge and no value outside the layer refers to its nodes.
    pub fn may_drop(&self, name: &str) -> bool {
        let names = &self.layers[name];
        let is_of = |node: NodeId| self.labels(node).iter().any(|label| names.labels.contains(label));
        let others = self.edges.iter().filter(|(label, _)| !names.edge_labels.contains(*label));
        let mut edges = others.flat_map(|(_, edges)| edges.edges.values());
        let has_edges = edges.any(|edge| is_of(edge.source) || is_of(edge.target));
        let mut values = self.nodes().into_iter().filter(|node| !is_of(*node)).flat_map(|node| {
            let node = self.nodes[node.0].as_ref().expect("it is there");
            let others = node.properties.iter().filter(|(name, _)| !names.properties.contains(*name));
            others.flat_map(|(_, values)| values)
        });
        let is_value = values.any(|value| matches!(value, Value::Ref(Some(node)) if is_of(*node)));
        !has_edges && !is_value
    }

    /// Drops a layer that may be dropped.
    pub fn drop_layer(&mut self, name: &str) {
        let names = self.layers.remove(name).expect("there is such a layer");
        names.edge_labels.iter().for_each(|label| _ = self.edges.remove(label));
        for slot in &mut self.nodes {
            slot.take_if(|node| node.labels.iter().any(|label| names.labels.contains(label)));
        }
        for node in self.nodes.iter_mut().flatten() {
            node.properties.retain(|property, _| !names.properties.contains(property));
        }
    }

    /// Gives every node the number that `new` returns for it, and numbers edges by their positions. The holes
    /// of removed nodes disappear. But if the file stores the AST as a forest without lists (`is_forest`),
    /// AST edges get the numbers of their targets.
    ///
    /// # Panics
    /// Panics if, in the new order, a node of a layer comes before a node that belongs to no layer.
    pub fn renumber(&mut self, new: impl Fn(NodeId) -> Option<NodeId>, is_forest: bool) {
        let mut nodes = Vec::new();
        for (old, slot) in self.nodes.drain(..).enumerate() {
            let place = new(NodeId(old));
            assert_eq!(place.is_some(), slot.is_some(), "removed nodes are gone, and no others");
            nodes.extend(place.zip(slot));
        }
        nodes.sort_by_key(|(place, _)| *place);
        assert!(nodes.iter().enumerate().all(|(number, (place, _))| place.0 == number), "no holes");
        self.nodes = nodes.into_iter().map(|(_, node)| Some(node)).collect();
        let layers: Vec<usize> = self.nodes().into_iter().map(|node| self.layer_of(node)).collect();
        assert!(layers.is_sorted_by_key(|layer| (*layer).min(1)), "nodes of layers come last");
        for value in self.nodes.iter_mut().flatten().flat_map(|node| node.properties.values_mut()).flatten() {
            if let Value::Ref(node) = value {
                *node = node.and_then(&new);
            }
        }
        if is_forest {
            // The entry is needed even if the forest has no edges: AST edges that are added later get the
            // next numbers after those of the nodes.
            self.edges.entry(AST.to_owned()).or_default();
        }
        for (label, edges) in &mut self.edges {
            let move_node = |node: &mut NodeId| *node = new(*node).expect("edges end with their nodes");
            edges.edges.values_mut().for_each(|edge| {
                move_node(&mut edge.source);
                move_node(&mut edge.target);
            });
            let in_ = std::mem::take(&mut edges.in_).into_iter();
            edges.in_ = in_.filter_map(|(node, numbers)| Some((new(node)?, numbers))).collect();
            edges.number_by_source();
            if label == AST && is_forest {
                edges.number_by_target(self.nodes.len());
            }
        }
    }

    /// One more than the position of the layer to which a node belongs, or 0 if it belongs to no layer.
    fn layer_of(&self, node: NodeId) -> usize {
        let labels = self.labels(node);
        let of =
            self.layers.values().position(|names| names.labels.iter().any(|label| labels.contains(label)));
        of.map_or(0, |layer| layer + 1)
    }
}

impl Edges {
    /// Numbers edges in the order of their sources; the edges of one source keep their order. Returns the new
    /// number for each old number.
    fn number_by_source(&mut self) -> Vec<usize> {
        let mut order: Vec<(NodeId, usize)> =
            self.edges.iter().map(|(number, edge)| (edge.source, *number)).collect();
        order.sort();
        let mut new = vec![usize::MAX; self.next];
        order.iter().enumerate().for_each(|(number, (_, old))| new[*old] = number);
        self.renumber(|old| new[old]);
        self.next = order.len();
        new
    }

    /// Gives each edge the number of its target. The next new edge will get the number after those of all
    /// nodes.
    fn number_by_target(&mut self, nodes: usize) {
        let targets: Vec<usize> = self.edges.values().map(|edge| edge.target.0).collect();
        self.renumber(|old| targets[old]);
        self.next = nodes;
    }

    fn renumber(&mut self, new: impl Fn(usize) -> usize) {
        let edges = std::mem::take(&mut self.edges).into_iter();
        self.edges = edges.map(|(old, edge)| (new(old), edge)).collect();
        self.in_.values_mut().flatten().for_each(|number| *number = new(*number));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{ModelGraph, Owner};

    fn names(label: &str) -> LayerNames {
        let one = |name: String| BTreeSet::from([name]);
        LayerNames {
            labels: one(label.to_owned()),
            edge_labels: one(format!("{label}_TO")),
            properties: one(format!("{label}_VALUE")),
        }
    }

    fn edge(label: &str, source: usize, target: usize) -> Operation {
        Operation::AddEdge { label: label.to_owned(), source: NodeId(source), target: NodeId(target) }
    }

    #[test]
    fn a_layer_goes_with_its_nodes_edges_and_values_unless_others_refer_to_them() {
        let mut graph = ModelGraph::default();
        graph.add_node(&["A"]);
        let mut history = ModelHistory::of(&graph, ("REF", "VARIABLE"), false);
        let before = history.clone();
        let value = Operation::Set {
            owner: Owner::Node(NodeId(0)),
            name: "L_VALUE".to_owned(),
            values: vec![Value::I64(1)],
        };
        let add = |labels: &[&str]| Operation::AddNode {
            labels: labels.iter().map(|it| (*it).to_owned()).collect(),
        };
        let operations = [add(&["L"]), add(&["L"]), edge("L_TO", 2, 0), edge("L_TO", 1, 0), value];
        assert_eq!(history.add_layer("l", names("L"), &operations), [Some(1), Some(0)]);
        assert_eq!(history.in_(NodeId(0), "L_TO"), [(NodeId(2), 1), (NodeId(1), 0)]);
        assert!(history.may_drop("l"));
        history.apply(&[edge("REF", 0, 1)]);
        assert!(!history.may_drop("l"));
        history.apply(&[Operation::RemoveEdge { label: "REF".to_owned(), number: 0 }]);
        history.drop_layer("l");
        assert_eq!((history.nodes(), history.slot_count()), (before.nodes(), 3));
        assert_eq!(history.values(NodeId(0), "L_VALUE"), []);
        history.renumber(|node| (node.0 == 0).then_some(node), false);
        assert_eq!(history.nodes, before.nodes);
    }
}
