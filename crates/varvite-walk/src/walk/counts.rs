//! [`Counts`]: how much of the graph a walk read.

/// Counts of a walk's work so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Branches that it came to, starts included.
    pub branches: u64,
    /// The branches that were results.
    pub results: u64,
    /// Branches behind which it looked for edges.
    pub expansions: u64,
    /// Edges that it read, those included that led to refused nodes.
    pub edges: u64,
    /// Nodes whose labels were read.
    pub label_reads: u64,
    /// Nodes whose values were read by evaluators.
    pub value_reads: u64,
}
