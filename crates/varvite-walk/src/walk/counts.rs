//! [`Counts`]: what a walk did.

/// What a walk did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Branches that it came to, starts included.
    pub branches: u64,
    /// Those of them that were results.
    pub results: u64,
    /// Branches behind which it looked for edges.
    pub expansions: u64,
    /// Edges that it looked at, those included that led where it may not go.
    pub edges: u64,
    /// Nodes whose labels it read.
    pub label_reads: u64,
    /// Nodes whose values evaluators read.
    pub value_reads: u64,
}
