//! Limits on the claims of a flatgraph file: the lengths of its format, and its growth when decoded.

use varvite_codec::frame::Expansion;

/// The largest length of a blob, compressed or decoded, and of the manifest: they are Java arrays.
pub(super) const LENGTH_MAX: u64 = i32::MAX as u64;

/// The largest decoded size that a file may claim.
///
/// A zstd frame grows up to 32768-fold, and a node count costs nothing at all, so a small hostile file can
/// claim any amount of memory. Real files decode to 7 to 10 times their size and hold a node for every 8 to
/// 50 bytes; a single column of equal values may well grow 15000-fold. So the limits are on the file as a
/// whole, and far above what real ones need.
///
/// Every edge label, and every property by its name, becomes a column over all nodes, and every kind a
/// set of them: these products have a limit of their own. Real files stay below 4 cells for each byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest ratio of all decoded columns together to the file; also of all texts of properties.
    pub expansion: Expansion,
    /// The most nodes that all kinds may have, together, deleted ones included.
    pub nodes_max: u64,
    /// The most node kinds: label sets take a bit for each kind, for each kind.
    pub kinds_max: u64,
    /// The most cells: nodes, for each edge label, for each name of a property, and for every 16 kinds.
    pub cells_max: u64,
}

impl Limits {
    /// No limits but those of the format, for files that are trusted.
    pub const NONE: Self = Self {
        expansion: Expansion::UNLIMITED,
        nodes_max: u64::MAX,
        kinds_max: u64::MAX,
        cells_max: u64::MAX,
    };

    /// The limits of [`FlatgraphFile::open`](super::FlatgraphFile::open) for a file of `file_len` bytes: to
    /// grow 200-fold, four nodes and 64 cells for each byte, and 16,384 kinds; a small file may have 64 MiB,
    /// 1 Mi nodes and 64 Mi cells.
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
