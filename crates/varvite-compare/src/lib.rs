//! Comparisons: hashes of a whole graph, pairs of equal nodes of two graphs, and the diff that turns one
//! graph into the other.
//!
//! Use the crate `varvite`, which re-exports this crate as `varvite::compare`.
#![forbid(unsafe_code)]

mod difference;
mod digest;

pub use difference::{
    Beside, ChangeCounts, DeclaredAs, Difference, EdgeAt, EdgeCounts, Edit, NodeCounts, SharedEdgeLabel,
    SharedProperty, TurningDiff, Unreachable,
};
pub use digest::{
    Below, ColumnDifference, ColumnDigest, ColumnTree, Comparison, ContentHash, DifferingOwners, Digest,
    DigestTree, OwnerDifference, RangeHash, RangeHashes, RangeShift, Side, odd_one_out,
};
