//! [`ChangeCounts`]: the number of changes of each kind.

use std::collections::BTreeMap;

use super::compared::Difference;
use super::edit::Edit;
use varvite_graph::{Labels, Result, ScratchVec};

/// The number of differences of each kind. A node with several labels is counted under the names of all its
/// labels, sorted and joined by `&`. A map has no entry for a name without differences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangeCounts {
    /// The number of nodes that both graphs have.
    pub matched: u64,
    /// The differences of nodes, by labels.
    pub nodes: BTreeMap<String, NodeCounts>,
    /// The number of nodes with changed values, by property.
    pub values: BTreeMap<String, u64>,
    /// The differences of edges, by label.
    pub edges: BTreeMap<String, EdgeCounts>,
    /// The number of edges with changed values, by property: `LABEL.PROPERTY`.
    pub edge_values: BTreeMap<String, u64>,
}

/// The numbers of differing nodes with the same labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NodeCounts {
    /// The number of nodes that only the first graph has.
    pub removed: u64,
    /// The number of nodes that only the second graph has.
    pub added: u64,
    /// The number of nodes that both graphs have, but with different values.
    pub changed: u64,
}

/// The numbers of differing edges with the same label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EdgeCounts {
    /// The number of edges that only the first graph has.
    pub removed: u64,
    /// The number of edges that only the second graph has.
    pub added: u64,
    /// The number of edge lists in which the shared edges (those that both graphs have) are in a different
    /// order.
    pub reordered_lists: u64,
}

impl ChangeCounts {
    /// Whether no node, edge, value or order differs. Schemas may still differ.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
            && self.values.is_empty()
            && self.edges.is_empty()
            && self.edge_values.is_empty()
    }

    /// The sums of node differences over all labels.
    pub fn all_nodes(&self) -> NodeCounts {
        self.nodes.values().fold(NodeCounts::default(), |sum, counts| NodeCounts {
            removed: sum.removed + counts.removed,
            added: sum.added + counts.added,
            changed: sum.changed + counts.changed,
        })
    }

    /// The sums of edge differences over all labels.
    pub fn all_edges(&self) -> EdgeCounts {
        self.edges.values().fold(EdgeCounts::default(), |sum, counts| EdgeCounts {
            removed: sum.removed + counts.removed,
            added: sum.added + counts.added,
            reordered_lists: sum.reordered_lists + counts.reordered_lists,
        })
    }
}

/// Counts of the changes that were found so far.
pub(super) struct Counting<'d> {
    difference: &'d Difference<'d>,
    labels: [Labels; 2],
    /// A bit for each node of the first graph, set if a value of the node changed.
    changed: ScratchVec<'d, u64>,
    pub(super) counts: ChangeCounts,
}

impl<'d> Counting<'d> {
    pub(super) fn of(difference: &'d Difference<'d>) -> Result<Self> {
        let nodes = difference.graph(0).node_count();
        let matched =
            (0..difference.walks[0].len()).filter(|node| difference.map.has_partner(0, *node)).count();
        Ok(Self {
            difference,
            labels: [difference.graph(0).label_sets()?, difference.graph(1).label_sets()?],
            changed: ScratchVec::filled(difference.passes[0], 0, nodes.div_ceil(64) as usize)?,
            counts: ChangeCounts { matched: matched as u64, ..ChangeCounts::default() },
        })
    }

    pub(super) fn add(&mut self, change: &Edit) {
        let difference = self.difference;
        match *change {
            Edit::NodeRemoved(node) => self.of_node(0, node).removed += 1,
            Edit::NodeAdded(node) => self.of_node(1, node).added += 1,
            Edit::NodeValue { property, nodes } => {
                let name = &difference.schema.properties[property as usize].name;
                add_one(&mut self.counts.values, name);
                let (word, bit) = (nodes[0] as usize / 64, 1u64 << (nodes[0] % 64));
                let is_first = self.changed[word] & bit == 0;
                self.changed[word] |= bit;
                if is_first {
                    self.of_node(0, nodes[0]).changed += 1;
                }
            }
            Edit::EdgeRemoved { edge_label, .. } => self.of_edges(edge_label).removed += 1,
            Edit::EdgeAdded { edge_label, .. } => self.of_edges(edge_label).added += 1,
            Edit::Order { edge_label, .. } => self.of_edges(edge_label).reordered_lists += 1,
            Edit::EdgeValue { property, .. } => {
                let property = &difference.schema.properties[property as usize];
                let label = property.edge_label.as_deref().unwrap_or_default();
                add_one(&mut self.counts.edge_values, &format!("{label}.{}", property.name));
            }
        }
    }

    fn of_node(&mut self, side: usize, node: u32) -> &mut NodeCounts {
        let set = self.difference.schema.label_set(side, self.labels[side].code(node));
        let names = self.difference.schema.set_names.get(set as usize);
        let name = names.map(|names| names.join("&")).unwrap_or_default();
        self.counts.nodes.entry(name).or_default()
    }

    fn of_edges(&mut self, label: u32) -> &mut EdgeCounts {
        let name = &self.difference.schema.edge_labels[label as usize].name;
        if !self.counts.edges.contains_key(name) {
            self.counts.edges.insert(name.clone(), EdgeCounts::default());
        }
        self.counts.edges.get_mut(name).expect("it was put there")
    }
}

fn add_one(counts: &mut BTreeMap<String, u64>, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => {
            counts.insert(name.to_owned(), 1);
        }
    }
}
