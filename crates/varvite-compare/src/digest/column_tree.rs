//! [`ColumnTree`]: the hash of one column, with a hash for each range of its owners.

use std::ops::Range;

use super::ContentHash;
use super::stream::Stream;

/// The binary logarithm of the number of owners in a leaf.
pub(super) const LEAF_SHIFT: u32 = 16;
/// The binary logarithm of the number of leaves in a group.
const GROUP_SHIFT: u32 = 8;
/// The range of all possible owners.
pub(super) const ALL_OWNERS: Range<u64> = 0..1 << 32;

/// The hash of a range of owners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RangeHash {
    /// The number of the range: its first owner divided by the length of a range.
    pub number: u32,
    /// The hash of the content of the range's owners.
    pub hash: ContentHash,
}

/// Hashes of ranges of equal length. Ranges without owners are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RangeHashes {
    /// The range of owners that were read.
    pub owners: Range<u64>,
    /// The binary logarithm of the length of a range: 16, 8 or 0.
    pub shift: u32,
    /// The hashes, in ascending order of the numbers of ranges.
    pub hashes: Vec<RangeHash>,
}

/// The hash of one column and, if they are loaded, the hashes of ranges of its owners.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnTree {
    /// The name of the column, such as `edges CFG out` or `property NAME`.
    pub name: String,
    /// The hash of the column.
    pub hash: ContentHash,
    /// The hashes of ranges of owners, if they are loaded.
    pub below: Option<Below>,
}

/// Hashes below the hash of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Below {
    /// The hash of the column's row in the schema.
    pub header: ContentHash,
    /// Whether the owners are edges, which are numbered by rank. Otherwise they are nodes.
    pub are_edges: bool,
    /// The hashes of ranges of the column's owners.
    pub ranges: RangeHashes,
}

/// The number of owners in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeShift {
    /// 65,536 owners.
    Leaf,
    /// 256 owners.
    Part,
    /// One owner.
    Owner,
}

impl RangeShift {
    /// The binary logarithm of the number of owners in a range.
    pub fn bits(self) -> u32 {
        match self {
            Self::Leaf => LEAF_SHIFT,
            Self::Part => 8,
            Self::Owner => 0,
        }
    }

    /// The shortest length of ranges for which `owners` owners make at most 256 ranges; [`Self::Leaf`] if
    /// there is none.
    pub fn of(owners: u64) -> Self {
        match owners {
            0..=256 => Self::Owner,
            257..=65_536 => Self::Part,
            _ => Self::Leaf,
        }
    }
}

impl ColumnTree {
    pub(super) fn of_leaves(
        name: String,
        header: ContentHash,
        are_edges: bool,
        leaves: Vec<RangeHash>,
    ) -> Self {
        let hash = hash_of_leaves(&header, &leaves);
        let ranges = RangeHashes { owners: ALL_OWNERS, shift: LEAF_SHIFT, hashes: leaves };
        Self { name, hash, below: Some(Below { header, are_edges, ranges }) }
    }
}

/// The hash of a column, computed from its header and its groups. A group is the hash of up to 256 leaves.
pub(super) fn hash_of_leaves(header: &ContentHash, leaves: &[RangeHash]) -> ContentHash {
    let (mut column, mut group) = (Stream::default(), Stream::default());
    column.hash(header);
    for leaves in leaves.chunk_by(|a, b| a.number >> GROUP_SHIFT == b.number >> GROUP_SHIFT) {
        for leaf in leaves {
            group.u32(leaf.number);
            group.hash(&leaf.hash);
        }
        column.u32(leaves[0].number >> GROUP_SHIFT);
        column.hash(&group.finish());
    }
    column.finish()
}
