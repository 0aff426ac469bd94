//! [`Order`]: the order in which a walk visits branches.

/// The order in which a walk visits branches, and returns them as results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// A branch is visited first, then the branches that extend it, then its siblings. Memory holds the
    /// branches of one path, and up to a thousand neighbours of each node on the path.
    #[default]
    DepthFirst,
    /// The same as [`Self::DepthFirst`], but a branch is returned after the branches that extend it.
    /// Evaluators and uniqueness are still tested before those branches are visited.
    DepthFirstPost,
    /// Branches with fewer edges are visited first; branches with equally many edges are visited in the order
    /// of their parent branches. Memory holds all branches, with 24 bytes each.
    BreadthFirst,
    /// The same as [`Self::BreadthFirst`], but the levels are returned from the deepest to the first; the
    /// order within a level is the same. Nothing is returned until all branches have been visited.
    BreadthFirstPost,
    /// The branch with the least cost is visited first; among branches of equal cost, the one that was found
    /// first. Memory holds a branch of 48 bytes for each edge that was read. A branch is checked for
    /// uniqueness and evaluated only when it is the cheapest remaining branch.
    BestFirst,
}
