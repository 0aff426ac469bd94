//! [`LogBatch`]: consecutive records of the log, applied as one diff.
//!
//! Applying a diff looks up the names of the graph, scans the labels of its edges, and searches the base for
//! new texts: this is most of the cost of a small record. Several records that only add elements and set
//! values have the same effect as one diff that numbers their new elements consecutively. A record that
//! removes elements, appends values, or names an edge by its rank is applied by itself.

use varvite_format::{LogNode, LogOperation, LogOperations, LogOwner, LogValue, Result};

use super::diff::Diff;
use super::record::{Renumbering, take};

/// The maximum size, in bytes, of records that are applied together. Each of these records is in memory
/// twice.
const BYTES_MAX: usize = 1 << 20;

/// Records that are applied together.
#[derive(Debug)]
pub(super) struct LogBatch {
    pub(super) diff: Diff,
    /// The number of nodes in the graph before the first record.
    first_node: u32,
    /// Bytes of the records in the batch.
    bytes: usize,
}

impl LogBatch {
    /// An empty batch of records, for a graph of `nodes` nodes.
    pub(super) fn behind(nodes: u32) -> Self {
        Self { diff: Diff::new(), first_node: nodes, bytes: 0 }
    }

    /// Adds a record to the batch. Returns false if the record must be applied by itself, after the records
    /// of the batch, if any.
    ///
    /// # Errors
    /// Damage of the record.
    pub(super) fn take(&mut self, payload: &[u8]) -> Result<bool> {
        let operations = LogOperations::read(payload)?;
        let nodes = self.first_node.saturating_add(self.diff.new_nodes() as u32);
        let has_room = self.bytes == 0 || self.bytes + payload.len() <= BYTES_MAX;
        if !has_room || !Additions::of(operations.clone())?.are_whole(nodes) {
            return Ok(false);
        }
        self.bytes += payload.len();
        let names = operations.names().to_vec();
        let renumbering = Renumbering {
            first_node: self.first_node,
            nodes: self.diff.new_nodes() as u32,
            edges: self.diff.new_edges() as u32,
        };
        for operation in operations {
            take(&mut self.diff, &names, operation?, &renumbering);
        }
        Ok(true)
    }
}

/// The counts of elements that a record adds, and the largest numbers that it refers to.
#[derive(Default)]
struct Additions {
    nodes: u32,
    edges: u32,
    /// One more than the largest id of an existing node that the record refers to.
    known_end: u32,
    new_nodes_end: u32,
    new_edges_end: u32,
    /// Whether the record does anything but add elements and set values.
    does_more: bool,
}

impl Additions {
    fn of(operations: LogOperations<'_>) -> Result<Self> {
        let mut additions = Self::default();
        for operation in operations {
            additions.look_at(operation?);
        }
        Ok(additions)
    }

    fn look_at(&mut self, operation: LogOperation<'_>) {
        match operation {
            LogOperation::AddNode { .. } => self.nodes += 1,
            LogOperation::AddEdge { from, to, .. } => {
                self.edges += 1;
                [from, to].into_iter().for_each(|node| self.name(node));
            }
            LogOperation::Values { owner, is_append: false, values, .. } => {
                match owner {
                    LogOwner::Node(node) => self.name(node),
                    LogOwner::NewEdge(edge) => {
                        self.new_edges_end = self.new_edges_end.max(edge.saturating_add(1));
                    }
                    LogOwner::Edge(_) => self.does_more = true,
                }
                for value in values {
                    if let LogValue::Node(node) = value {
                        self.name(node);
                    }
                }
            }
            _ => self.does_more = true,
        }
    }

    fn name(&mut self, node: LogNode) {
        let end = if node.is_new { &mut self.new_nodes_end } else { &mut self.known_end };
        *end = (*end).max(node.number.saturating_add(1));
    }

    /// Whether the record only adds elements and sets values, and refers only to the graph's `nodes` nodes
    /// and to its own additions.
    fn are_whole(&self, nodes: u32) -> bool {
        !self.does_more
            && self.known_end <= nodes
            && self.new_nodes_end <= self.nodes
            && self.new_edges_end <= self.edges
    }
}
