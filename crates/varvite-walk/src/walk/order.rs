//! [`Order`]: the order in which a walk visits branches.

/// The order in which a walk visits branches, and returns them as results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// A branch is visited before the branches that follow it, and these before its siblings. Holds the
    /// branches of one path, and up to a thousand neighbours of each of its nodes.
    #[default]
    DepthFirst,
    /// The same as [`Self::DepthFirst`], but a branch is returned after the branches that follow it.
    /// Evaluators and uniqueness are tested on the way down.
    DepthFirstPost,
    /// Branches with fewer edges are visited first, in the order of their parent branches. Holds all
    /// branches: 24 bytes each.
    BreadthFirst,
    /// The same as [`Self::BreadthFirst`], but the deepest level is returned first, and each level in its
    /// order. Nothing is returned before all branches are visited.
    BreadthFirstPost,
    /// Branches of least cost are visited first; among branches of equal cost, the one found first. Holds a
    /// branch of 48 bytes for each edge that was read. A branch is checked for uniqueness and evaluated when
    /// it is the cheapest remaining branch.
    BestFirst,
}
