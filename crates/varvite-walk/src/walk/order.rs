//! [`Order`]: the order in which a walk visits branches.

/// The order in which a walk visits branches, and returns them as results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Each branch before those behind it, and these before its neighbours. Holds the branches of one path,
    /// and up to a thousand neighbours of each of its nodes.
    #[default]
    DepthFirst,
    /// The same, but each branch is given after those behind it. Evaluators and uniqueness are tested on the
    /// way down.
    DepthFirstPost,
    /// Branches with fewer edges first, in the order of those before them. Holds all branches: 24 bytes each.
    BreadthFirst,
    /// The same, but the deepest level is given first, and each level in its order. Nothing is given before
    /// all was visited.
    BreadthFirstPost,
    /// Branches of least cost first; among equal ones the first found. Holds a branch of 48 bytes for each
    /// edge that was read. Uniqueness is checked, and the branch evaluated, when it is the cheapest one left.
    BestFirst,
}
