//! [`Counts`]: how much a walk has read.

/// How much work a walk has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Branches that the walk visited, including starts.
    pub branches: u64,
    /// Visited branches that were results.
    pub results: u64,
    /// Branches from which the walk searched for edges.
    pub expansions: u64,
    /// Edges that were read, including edges to nodes that the walk then did not visit.
    pub edges: u64,
    /// Nodes whose labels were read.
    pub label_reads: u64,
    /// Nodes whose values were read by evaluators.
    pub value_reads: u64,
}
