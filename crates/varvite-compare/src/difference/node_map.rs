//! [`NodeMap`]: pairs of equal nodes of two graphs.

use super::walk::NONE;
use varvite_graph::{GraphScan, Result, ScratchVec};

/// Pairs of nodes of two graphs, given by their positions. No node is in two pairs.
pub(super) struct NodeMap<'p> {
    partners: [ScratchVec<'p, u32>; 2],
}

impl<'p> NodeMap<'p> {
    /// An empty map for graphs with these numbers of nodes.
    pub(super) fn new(passes: [&'p GraphScan<'_>; 2], lens: [u32; 2]) -> Result<Self> {
        let [first, second] = passes;
        Ok(Self {
            partners: [
                ScratchVec::filled(first, NONE, lens[0] as usize)?,
                ScratchVec::filled(second, NONE, lens[1] as usize)?,
            ],
        })
    }

    /// The partner of a node of graph `side`.
    #[inline]
    pub(super) fn partner(&self, side: usize, position: u32) -> Option<u32> {
        self.partners[side].get(position as usize).copied().filter(|partner| *partner != NONE)
    }

    #[inline]
    pub(super) fn has_partner(&self, side: usize, position: u32) -> bool {
        self.partner(side, position).is_some()
    }

    /// Pairs two nodes, unless one of them already has a partner. Returns whether they were paired.
    #[inline]
    pub(super) fn pair(&mut self, first: u32, second: u32) -> bool {
        let are_free = !self.has_partner(0, first) && !self.has_partner(1, second);
        if are_free {
            self.partners[0][first as usize] = second;
            self.partners[1][second as usize] = first;
        }
        are_free
    }

    /// Separates a node of the second graph from its partner.
    pub(super) fn part(&mut self, second: u32) {
        if let Some(first) = self.partner(1, second) {
            self.partners[0][first as usize] = NONE;
            self.partners[1][second as usize] = NONE;
        }
    }
}
