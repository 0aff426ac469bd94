//! [`NodeLists`]: a list of nodes for each node, in two arrays.

use super::error::AlgorithmError;

/// Lists of nodes, one after another: the edges that a caller supplies, or an algorithm's list for each node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeLists {
    /// The start of each list, followed by the end of the last list.
    offsets: Vec<u32>,
    nodes: Vec<u32>,
}

impl Default for NodeLists {
    fn default() -> Self {
        Self { offsets: vec![0], nodes: Vec::new() }
    }
}

impl NodeLists {
    /// Creates an object without lists, with room for lists of `nodes` nodes.
    pub fn with_capacity(lists: usize, nodes: usize) -> Self {
        let mut offsets = Vec::with_capacity(lists + 1);
        offsets.push(0);
        Self { offsets, nodes: Vec::with_capacity(nodes) }
    }

    /// Appends a node to the list that is being filled.
    #[inline]
    pub fn push(&mut self, node: u32) {
        self.nodes.push(node);
    }

    /// Ends the list that is being filled, and begins the next one.
    ///
    /// # Errors
    /// [`AlgorithmError::OverBudget`] if the lists have 2^32 nodes or more.
    pub fn end_list(&mut self) -> Result<(), AlgorithmError> {
        let end = u32::try_from(self.nodes.len());
        let too_many = |_| AlgorithmError::OverBudget { limit: u32::MAX as usize, needed: self.nodes.len() };
        self.offsets.push(end.map_err(too_many)?);
        Ok(())
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The lists, in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.offsets.windows(2).map(|ends| &self.nodes[ends[0] as usize..ends[1] as usize])
    }

    /// Checks that these are lists of a graph with so many nodes.
    pub(super) fn check(&self, nodes: u32) -> Result<(), AlgorithmError> {
        if self.len() != nodes as usize {
            let (name, value) = ("the number of lists", self.len() as f64);
            return Err(AlgorithmError::Parameter { name, value, expected: "the number of nodes" });
        }
        match self.nodes.iter().find(|node| **node >= nodes) {
            Some(node) => Err(AlgorithmError::NotSelected { node: *node }),
            None => Ok(()),
        }
    }

    /// The offsets of the lists with the end of the last one, and the nodes.
    pub(super) fn into_parts(self) -> (Vec<u32>, Vec<u32>) {
        (self.offsets, self.nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_the_nodes_pushed_before_their_ends() {
        let mut lists = NodeLists::default();
        lists.push(2);
        lists.end_list().unwrap();
        lists.end_list().unwrap();
        lists.push(0);
        lists.push(1);
        lists.end_list().unwrap();
        assert_eq!(lists.iter().collect::<Vec<_>>(), [&[2][..], &[], &[0, 1]]);
        assert!(lists.check(3).is_ok());
        assert!(matches!(lists.check(4), Err(AlgorithmError::Parameter { .. })));
        lists.push(3);
        assert!(matches!(lists.check(3), Err(AlgorithmError::NotSelected { node: 3 })));
    }
}
