//! [`NodeValues`]: an algorithm's value for each node.

use std::sync::Arc;

use super::members::Members;

/// A value for each node of a subgraph.
#[derive(Clone, Debug)]
pub struct NodeValues<T> {
    members: Arc<Members>,
    values: Vec<T>,
}

impl<T: Copy> NodeValues<T> {
    pub(super) fn new(members: &Arc<Members>, values: Vec<T>) -> Self {
        Self { members: Arc::clone(members), values }
    }

    /// The value of a node; `None` if the subgraph does not have the node.
    #[inline]
    pub fn get(&self, node: u32) -> Option<T> {
        self.values.get(self.members.index(node)? as usize).copied()
    }

    /// All nodes with their values, in ascending order of nodes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, T)> + '_ {
        self.values.iter().enumerate().map(move |(index, value)| (self.members.node(index as u32), *value))
    }

    /// The values, in the order of the nodes.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}
