//! Limits on the sizes that a flatgraph file states: the lengths that the format allows, and the growth of
//! the file when decoded.

use varvite_codec::frame::Expansion;

/// The largest length of a blob, compressed or decoded, and of the manifest: each is a Java array.
pub(super) const LENGTH_MAX: u64 = i32::MAX as u64;

/// Limits on the sizes that a file may state.
///
/// A zstd frame can decode to 32768 times its size, and a node count takes the same space in the file however
/// large it is, so a small hostile file can claim any size. Real files decode to 7 to 10 times their size and
/// have a node for every 8 to 50 bytes; a single column of equal values may well grow 15000-fold. The limits
/// therefore apply to the file as a whole, and are far above the needs of real files.
///
/// In the graph, every edge label and every property name becomes a column with a cell for each node, and the
/// kinds become label sets of all nodes. Cells have a limit of their own. Real files have fewer than 4 cells
/// for each byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest ratio of the decoded length of all columns to the length of the file. The same ratio
    /// limits the total length of the texts of all properties.
    pub expansion: Expansion,
    /// The largest number of nodes of all kinds together, including deleted ones.
    pub nodes_max: u64,
    /// The largest number of node kinds: each label set has a bit for each kind, and there is a set for each
    /// kind.
    pub kinds_max: u64,
    /// The largest number of cells. Each edge label, each property name and each group of 16 kinds has as
    /// many cells as there are nodes.
    pub cells_max: u64,
}

impl Limits {
    /// Only the limits that the format itself sets, for trusted files.
    pub const NONE: Self = Self {
        expansion: Expansion::UNLIMITED,
        nodes_max: u64::MAX,
        kinds_max: u64::MAX,
        cells_max: u64::MAX,
    };

    /// The limits of [`FlatgraphFile::open`](super::FlatgraphFile::open) for a file of `file_len` bytes:
    /// 200-fold growth, four nodes and 64 cells for each byte, and 16,384 kinds. Small files may always have
    /// 64 MiB, 1 Mi nodes and 64 Mi cells.
    #[must_use]
    pub fn for_file_len(file_len: u64) -> Self {
        Self {
            expansion: Expansion::default(),
            nodes_max: file_len.saturating_mul(4).max(1 << 20),
            kinds_max: 1 << 14,
            cells_max: file_len.saturating_mul(64).max(64 << 20),
        }
    }
}
