//! Random diffs that are valid for a graph. They have every kind of operation, on nodes and edges of the
//! graph and on those that the diff adds.

use super::value::{name, value};
use crate::history::{ModelHistory, Operation, Owner};
use crate::{NodeId, RandomGraph, RandomProperty, SplitMix64, Value};

const NODE_LABELS: [&str; 6] = ["METHOD", "CALL", "TYPE", "HOT", "NOBODY", "NEW_LABEL"];
const EDGE_LABELS: [&str; 6] = ["AST", "CFG", "REF", "NEVER", RandomGraph::EDGE_PROPERTY_LABEL, "NEW_EDGE"];

/// A diff that is being built.
struct Growth<'a> {
    random: &'a mut SplitMix64,
    history: &'a ModelHistory,
    /// The nodes that exist and that the diff does not remove.
    nodes: Vec<NodeId>,
    /// The nodes that the diff removes.
    removed: Vec<NodeId>,
    /// The edges that the diff removes, each as its label and its number.
    removed_edges: Vec<(String, usize)>,
    operations: Vec<Operation>,
}

impl ModelHistory {
    /// A random diff of about `operations` operations that is valid for this graph.
    pub fn random_diff(&self, random: &mut SplitMix64, operations: usize) -> Vec<Operation> {
        let mut nodes = self.nodes();
        random.shuffle(&mut nodes);
        let removed_max = nodes.len().min(operations / 8 + 1);
        let removed = if random.chance(60) { random.below(removed_max + 1).min(nodes.len()) } else { 0 };
        let removed = nodes.split_off(nodes.len() - removed);
        let (removed_edges, operations_before) = (Vec::new(), Vec::new());
        let mut growth =
            Growth { random, history: self, nodes, removed, removed_edges, operations: operations_before };
        growth.grow(operations);
        growth.operations
    }

    /// A diff like those of [`Self::random_diff`] that also removes nodes that it adds, and sets and appends
    /// to lists that are values of edges.
    ///
    /// This is a separate method, because golden files depend on the sequence of random numbers that
    /// [`Self::random_diff`] uses.
    pub fn random_diff_of_all_kinds(&self, random: &mut SplitMix64, operations: usize) -> Vec<Operation> {
        let diff = self.random_diff(random, operations);
        let mut addition = Addition { random, history: self, diff };
        addition.remove_new_nodes();
        addition.give_lists();
        addition.diff
    }
}

/// The additions to a random diff that give it every kind of operation.
struct Addition<'a> {
    random: &'a mut SplitMix64,
    history: &'a ModelHistory,
    diff: Vec<Operation>,
}

impl Addition<'_> {
    /// Removes some of the nodes that the diff adds. Before that, drops the operations of the diff that set
    /// values of these nodes or values that refer to them.
    fn remove_new_nodes(&mut self) {
        let first = self.history.slot_count();
        let added = self.diff.iter().filter(|it| matches!(it, Operation::AddNode { .. })).count();
        for node in (first..first + added).map(NodeId) {
            if self.random.chance(20) {
                self.diff.retain(|operation| !gives_or_is_value(operation, node));
                let place = self.random.below(self.diff.len() + 1);
                self.diff.insert(place, Operation::RemoveNode(node));
            }
        }
    }

    /// Sets or appends lists of numbers, as values of the edges of [`RandomGraph::LISTED_EDGES`]. The edges
    /// are existing ones that the diff does not remove, and new ones.
    fn give_lists(&mut self) {
        let (label, name) = RandomGraph::LISTED_EDGES;
        let old = self.history.edges(label).into_iter().filter(|number| self.stays(label, *number));
        let old = old.map(|number| Owner::Edge { label: label.to_owned(), number });
        let labels = self.diff.iter().filter_map(edge_label).enumerate();
        let new = labels.filter(|(_, of_edge)| of_edge == label).map(|(index, _)| Owner::NewEdge(index));
        let owners: Vec<Owner> = old.chain(new).collect();
        for _ in 0..2 * owners.len() {
            let owner = self.random.pick(&owners);
            let values = (0..self.random.below(4)).map(|_| Value::I64(self.random.below(9) as i64 - 3));
            let (values, name) = (values.collect(), name.to_owned());
            self.diff.push(match self.random.chance(70) {
                true => Operation::Append { owner, name, values },
                false => Operation::Set { owner, name, values },
            });
        }
    }

    /// Whether the diff removes neither this edge nor one of its nodes.
    fn stays(&self, label: &str, number: usize) -> bool {
        let edge = &self.history.edges[label].edges[&number];
        !self.diff.iter().any(|operation| match operation {
            Operation::RemoveNode(node) => [edge.source, edge.target].contains(node),
            Operation::RemoveEdge { label: removed, number: gone } => removed == label && *gone == number,
            _ => false,
        })
    }
}

/// Whether an operation sets values of a node, or sets a value that refers to it.
fn gives_or_is_value(operation: &Operation, node: NodeId) -> bool {
    match operation {
        Operation::Set { owner, values, .. } | Operation::Append { owner, values, .. } => {
            *owner == Owner::Node(node) || values.contains(&Value::Ref(Some(node)))
        }
        _ => false,
    }
}

impl Growth<'_> {
    fn grow(&mut self, operations: usize) {
        self.operations.extend(self.removed.iter().map(|node| Operation::RemoveNode(*node)));
        for label in NODE_LABELS {
            self.operations.push(Operation::DeclareLabel(label.to_owned()));
        }
        for label in EDGE_LABELS {
            self.operations.push(Operation::DeclareEdgeLabel(label.to_owned()));
        }
        for _ in 0..self.random.below(operations / 4 + 1) {
            self.remove_edge();
        }
        for _ in 0..self.random.below(operations / 4 + 1) {
            let labels = (0..self.random.below(3)).map(|_| self.random.pick(&NODE_LABELS).to_owned());
            let labels = labels.collect();
            self.operations.push(Operation::AddNode { labels });
        }
        self.random.shuffle(&mut self.operations);
        let added = self.operations.iter().filter(|it| matches!(it, Operation::AddNode { .. })).count();
        let slots = self.history.slot_count();
        self.nodes.extend((slots..slots + added).map(NodeId));
        if self.nodes.is_empty() {
            return;
        }
        let mut more = Vec::new();
        for _ in 0..self.random.below(operations + 1) {
            more.push(self.edge());
        }
        let new_edges = more.len();
        for _ in 0..self.random.below(operations + 1) {
            more.extend(self.values());
        }
        let labels: Vec<String> = more.iter().filter_map(edge_label).collect();
        for _ in 0..self.random.below(new_edges / 2 + 1) {
            more.extend(self.edge_values(&labels));
        }
        self.operations.extend(more);
    }

    fn remove_edge(&mut self) {
        let label = self.random.pick(&EDGE_LABELS);
        let edges = self.history.edges(label);
        if !edges.is_empty() {
            let number = self.random.pick(&edges);
            self.removed_edges.push((label.to_owned(), number));
            self.operations.push(Operation::RemoveEdge { label: label.to_owned(), number });
        }
    }

    /// An operation that adds a random edge. Sometimes the diff removes one of the edge's nodes, and
    /// sometimes the edge is parallel to an existing one.
    fn edge(&mut self) -> Operation {
        let label = self.random.pick(&EDGE_LABELS).to_owned();
        let [source, target] = [0, 1].map(|_| match self.random.chance(5) && !self.removed.is_empty() {
            true => self.random.pick(&self.removed),
            false => self.random.pick(&self.nodes),
        });
        let target = if self.random.chance(10) { source } else { target };
        if self.random.chance(15)
            && let Some((parallel, _)) = self.any_edge(&label)
        {
            let target = self.history.out(parallel, &label).first().map_or(target, |(target, _)| *target);
            return Operation::AddEdge { label, source: parallel, target };
        }
        Operation::AddEdge { label, source, target }
    }

    fn any_edge(&mut self, label: &str) -> Option<(NodeId, usize)> {
        let nodes: Vec<NodeId> =
            self.nodes.iter().copied().filter(|node| self.history.contains(*node)).collect();
        let node = (!nodes.is_empty()).then(|| self.random.pick(&nodes))?;
        self.history.out(node, label).first().map(|(_, number)| (node, *number))
    }

    /// An operation that sets or appends values of a node.
    fn values(&mut self) -> Option<Operation> {
        let property = self.random.pick(&RandomGraph::PROPERTIES);
        let owner = Owner::Node(self.random.pick(&self.nodes));
        let count = if property.list { self.random.below(4) } else { self.random.below(2) };
        let values = (0..count).map(|_| self.value(&property)).collect();
        let name = property.name.to_owned();
        Some(match property.list && self.random.chance(50) {
            true => Operation::Append { owner, name, values },
            false => Operation::Set { owner, name, values },
        })
    }

    fn value(&mut self, property: &RandomProperty) -> Value {
        match property.name {
            "NAME" | "FULL_NAME" => Value::String(name(self.random)),
            "STRING_LIST" if self.random.chance(20) => Value::Null,
            _ => value(self.random, property.value_type, &self.nodes),
        }
    }

    /// An operation that sets values of an edge whose label has a property. The edge is an existing one that
    /// the diff does not remove, or a new one.
    fn edge_values(&mut self, new_edges: &[String]) -> Option<Operation> {
        let label = RandomGraph::EDGE_PROPERTY_LABEL;
        let owner = match self.random.chance(50) {
            true => {
                let (_, number) = self.any_edge_that_stays(label)?;
                Owner::Edge { label: label.to_owned(), number }
            }
            false => {
                let of_label = (0..new_edges.len()).filter(|index| new_edges[*index] == label);
                let of_label: Vec<usize> = of_label.collect();
                Owner::NewEdge((!of_label.is_empty()).then(|| self.random.pick(&of_label))?)
            }
        };
        let values = (0..self.random.below(2)).map(|_| Value::String(name(self.random))).collect();
        Some(Operation::Set { owner, name: RandomGraph::EDGE_PROPERTY_NAME.to_owned(), values })
    }

    fn any_edge_that_stays(&mut self, label: &str) -> Option<(NodeId, usize)> {
        let (source, number) = self.any_edge(label)?;
        let target = self.history.out(source, label).iter().find(|(_, known)| *known == number)?.0;
        let stays =
            !self.removed.contains(&target) && !self.removed_edges.contains(&(label.to_owned(), number));
        stays.then_some((source, number))
    }
}

fn edge_label(operation: &Operation) -> Option<String> {
    match operation {
        Operation::AddEdge { label, .. } => Some(label.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_diffs_make_sense_and_do_everything() {
        let mut random = SplitMix64::new(7);
        let mut seen = [0usize; 8];
        for seed in 0..20 {
            let graph = RandomGraph::new(seed).build().in_canonical_order();
            let property = (RandomGraph::EDGE_PROPERTY_LABEL, RandomGraph::EDGE_PROPERTY_NAME);
            let mut history = ModelHistory::of(&graph, property, graph.is_forest());
            for _ in 0..4 {
                let nodes = history.slot_count();
                let diff = history.random_diff_of_all_kinds(&mut random, 40);
                let new_edges = history.apply(&diff);
                seen[0] += new_edges.iter().filter(|number| number.is_none()).count();
                for operation in &diff {
                    match operation {
                        Operation::AddNode { .. } => seen[1] += 1,
                        Operation::RemoveNode(node) if node.0 >= nodes => seen[6] += 1,
                        Operation::RemoveNode(_) => seen[2] += 1,
                        Operation::RemoveEdge { .. } => seen[3] += 1,
                        Operation::Set { owner: Owner::NewEdge(_), .. } => seen[4] += 1,
                        Operation::Append { owner: Owner::Edge { .. }, .. } => seen[7] += 1,
                        Operation::Append { .. } => seen[5] += 1,
                        _ => {}
                    }
                }
            }
        }
        assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
    }
}
