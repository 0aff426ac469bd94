//! [`Order`]: in which order a walk comes to branches.

/// In which order a walk comes to branches, and when it gives them as results.
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
    /// Branches that cost least first; of equal ones what was found first. Holds a branch for each edge that
    /// was looked at: 48 bytes. Uniqueness is looked at, and the branch evaluated, when it is the cheapest
    /// that is left.
    BestFirst,
}
