//! [`Branch`]: the edges from a walk's start to a node.
//!
//! Branches are numbered, and each has the number of its parent branch, so a path costs nothing until a
//! caller reads it. In a depth-first walk, the number of a branch is its depth, because only the branches of
//! one path exist at a time.

use super::evaluation::Evaluation;

/// The numbers that stand for "no branch" and "no way".
pub(super) const NO_BRANCH: u32 = u32::MAX;
pub(super) const NO_WAY: u16 = u16::MAX;

/// A branch of a walk: its last node, the edge to this node, and the parent branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) node: u32,
    /// The number of the parent branch; [`NO_BRANCH`] at depth 0.
    pub(super) parent: u32,
    /// The number of edges from the start.
    pub(super) depth: u32,
    /// The code of the node's label set.
    pub(super) code: u32,
    /// The rank of the edge to the node, if the walk identifies edges.
    pub(super) rank: u32,
    /// The way of the edge to the node.
    pub(super) way: u16,
    pub(super) evaluation: Evaluation,
}

/// A branch whose last node's labels are not read yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) node: u32,
    pub(super) parent: u32,
    pub(super) depth: u32,
    pub(super) rank: u32,
    pub(super) way: u16,
}

impl Arrival {
    /// The arrival at a start node.
    #[inline]
    pub(super) fn start(node: u32) -> Self {
        Self { node, parent: NO_BRANCH, depth: 0, rank: 0, way: NO_WAY }
    }

    #[inline]
    pub(super) fn branch(self, code: u32) -> Branch {
        let Self { node, parent, depth, rank, way } = self;
        Branch { node, parent, depth, code, rank, way, evaluation: Evaluation::default() }
    }
}

/// A branch and its ancestors, back to the start.
#[inline]
pub(super) fn back_from(branches: &[Branch], number: u32) -> impl Iterator<Item = &Branch> + Clone {
    let before = move |branch: &&Branch| branches.get(branch.parent as usize);
    std::iter::successors(branches.get(number as usize), before)
}
