//! [`Branch`]: how a walk came to a node.
//!
//! Branches are numbered, and each has the number of the one before it; so a path costs nothing until a
//! caller reads it. Depth-first their numbers are depths, since only those of one path are there at a time.

use super::evaluation::Evaluation;

/// The number that no branch and no way has.
pub(super) const NO_BRANCH: u32 = u32::MAX;
pub(super) const NO_WAY: u16 = u16::MAX;

/// One step of a walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) node: u32,
    /// The branch before it; none at depth 0.
    pub(super) parent: u32,
    /// The number of edges before it.
    pub(super) depth: u32,
    /// The label set of the node.
    pub(super) code: u32,
    /// The rank of the edge that led here, if the walk identifies edges.
    pub(super) rank: u32,
    /// The way that led here.
    pub(super) way: u16,
    pub(super) evaluation: Evaluation,
}

/// The way to a branch, before anything is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) node: u32,
    pub(super) parent: u32,
    pub(super) depth: u32,
    pub(super) rank: u32,
    pub(super) way: u16,
}

impl Arrival {
    /// At a node where the walk starts.
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

/// The branches from one back to where it started.
#[inline]
pub(super) fn back_from(branches: &[Branch], number: u32) -> impl Iterator<Item = &Branch> + Clone {
    let before = move |branch: &&Branch| branches.get(branch.parent as usize);
    std::iter::successors(branches.get(number as usize), before)
}
