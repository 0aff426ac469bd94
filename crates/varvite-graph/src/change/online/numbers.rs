//! [`Numbers`]: the numbers that a graph's nodes and edges get in the new file that is written from the
//! graph.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use varvite_store::{Scratch, Tape};

use crate::change_error::ChangeError;
use crate::error::Result;
use crate::write::{NewNumbers, REMOVED};

/// How many bytes of a map of edges stay in memory; the rest is on disk.
const ROOM: usize = 64 << 10;

/// The new number of each node and edge of the snapshot, and of each node and edge that was added after the
/// snapshot.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// The new ids by old id; `None` if all ids stayed the same.
    nodes: Option<Vec<u32>>,
    /// The new ranks of edges by label.
    edges: BTreeMap<String, EdgeNumbers>,
}

/// The new ranks of the edges of a label.
#[derive(Debug, Default)]
struct EdgeNumbers {
    /// The new ranks of the snapshot's edges, by old rank; `None` if all ranks stayed the same.
    first: Option<Tape>,
    /// The number of edges of the label in the snapshot.
    first_len: u32,
    /// The new ranks of the edges that were added after the snapshot.
    later: Vec<u32>,
}

/// Records the new numbers that a fold (the writing of the new file) assigns: those of nodes in memory, those
/// of edges on disk.
#[derive(Debug)]
pub(super) struct Told {
    scratch: Arc<Scratch>,
    numbers: Mutex<Numbers>,
}

impl Told {
    pub(super) fn new(scratch: Arc<Scratch>) -> Self {
        Self { scratch, numbers: Mutex::default() }
    }

    pub(super) fn into_numbers(self) -> Numbers {
        self.numbers.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl NewNumbers for Told {
    fn nodes(&self, new_of_old: &[u32]) -> Result<(), ChangeError> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner).nodes = Some(new_of_old.to_vec());
        Ok(())
    }

    fn edges(&self, label: &str, new_of_old: &[u32]) -> Result<(), ChangeError> {
        let mut tape = Tape::new(Some(&self.scratch), ROOM);
        new_of_old.iter().try_for_each(|rank| tape.write(&rank.to_le_bytes()))?;
        tape.settle()?;
        let edges = EdgeNumbers { first: Some(tape), first_len: new_of_old.len() as u32, later: Vec::new() };
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner).edges.insert(label.to_owned(), edges);
        Ok(())
    }

    fn complete(&self, _: &[u8; 16]) -> Result<(), ChangeError> {
        Ok(())
    }
}

impl Numbers {
    /// The new id of a node; `None` if the node was removed.
    pub(super) fn node(&self, old: u32) -> Option<u32> {
        match &self.nodes {
            None => Some(old),
            Some(new_of_old) => new_of_old.get(old as usize).copied().filter(|new| *new != REMOVED),
        }
    }

    /// Records the new id of the next appended node; `None` if the new file does not have that node. `nodes`
    /// is the number of nodes before that node.
    pub(super) fn push_node(&mut self, nodes: u32, new: Option<u32>) {
        if self.nodes.is_none() && new != Some(nodes) {
            self.nodes = Some((0..nodes).collect());
        }
        if let Some(new_of_old) = &mut self.nodes {
            new_of_old.push(new.unwrap_or(REMOVED));
        }
    }

    /// Records the removal of the node `old` from a graph with `nodes` nodes.
    pub(super) fn forget_node(&mut self, nodes: u32, old: u32) {
        let new_of_old = self.nodes.get_or_insert_with(|| (0..nodes).collect());
        if let Some(new) = new_of_old.get_mut(old as usize) {
            *new = REMOVED;
        }
    }

    /// Records the new rank of the appended edge with the rank `old`; `None` if the new file does not have
    /// that edge.
    pub(super) fn push_edge(&mut self, label: &str, old: u32, new: Option<u32>) {
        if !self.edges.contains_key(label) {
            let edges = EdgeNumbers { first_len: old, ..EdgeNumbers::default() };
            self.edges.insert(label.to_owned(), edges);
        }
        if let Some(edges) = self.edges.get_mut(label) {
            debug_assert_eq!(edges.first_len as usize + edges.later.len(), old as usize);
            edges.later.push(new.unwrap_or(REMOVED));
        }
    }

    /// The new ranks of edges of a label; `None` for removed edges. The old ranks must ascend.
    pub(super) fn edges(&self, label: &str, old: &[u32]) -> Result<Vec<Option<u32>>, ChangeError> {
        let Some(edges) = self.edges.get(label) else {
            return Ok(old.iter().copied().map(Some).collect());
        };
        let (mut found, mut next) = (Vec::with_capacity(old.len()), 0);
        let mut first = edges.first.as_ref().map(Tape::reader);
        for rank in old {
            let new = match (rank.checked_sub(edges.first_len), &mut first) {
                (Some(later), _) => edges.later.get(later as usize).copied().unwrap_or(REMOVED),
                (None, None) => *rank,
                (None, Some(first)) => {
                    let mut new = None;
                    while next <= *rank {
                        (new, next) = (first.read_item()?, next + 1);
                    }
                    new.map_or(REMOVED, u32::from_le_bytes)
                }
            };
            found.push((new != REMOVED).then_some(new));
        }
        Ok(found)
    }

    /// The new id, or [`REMOVED`], of each node by its old id; `None` if all ids stayed the same.
    pub(super) fn into_nodes(self) -> Option<Vec<u32>> {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use varvite_testing::vfs::MemoryVfs;

    use super::*;

    #[test]
    fn numbers_are_those_that_were_told_and_those_that_came() {
        let scratch = Scratch::beside(Arc::new(MemoryVfs::new()), Path::new("file"), 0).unwrap();
        let told = Told::new(Arc::new(scratch));
        told.nodes(&[1, REMOVED, 0]).unwrap();
        told.edges("CFG", &[REMOVED, 2, 0, 1]).unwrap();
        let mut numbers = told.into_numbers();
        numbers.push_node(3, Some(2));
        numbers.push_node(4, None);
        numbers.push_edge("CFG", 4, None);
        numbers.push_edge("CFG", 5, Some(3));
        numbers.push_edge("NEW", 0, Some(0));
        let nodes: Vec<Option<u32>> = (0..6).map(|node| numbers.node(node)).collect();
        assert_eq!(nodes, [Some(1), None, Some(0), Some(2), None, None]);
        assert_eq!(
            numbers.edges("CFG", &[0, 2, 3, 4, 5, 6]).unwrap(),
            [None, Some(0), Some(1), None, Some(3), None]
        );
        assert_eq!(numbers.edges("NEW", &[0]).unwrap(), [Some(0)]);
        assert_eq!(numbers.edges("OTHER", &[7]).unwrap(), [Some(7)]);
    }

    #[test]
    fn numbers_that_stayed_take_no_memory_before_one_does_not() {
        let mut numbers = Numbers::default();
        numbers.push_node(3, Some(3));
        assert_eq!((numbers.node(3), numbers.nodes.is_none()), (Some(3), true));
        numbers.push_node(4, None);
        numbers.push_node(5, Some(4));
        numbers.forget_node(6, 3);
        assert_eq!([2, 3, 4, 5].map(|node| numbers.node(node)), [Some(2), None, None, Some(4)]);
    }
}
