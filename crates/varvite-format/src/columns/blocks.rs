//! Segments that are read block by block, so that a reader of one value need not decode the whole segment.

use std::fmt;
use std::sync::Arc;

/// The blocks of one segment.
pub trait Blocks<B>: fmt::Debug + Send + Sync {
    /// The number of plain bytes of all blocks together.
    fn len(&self) -> u64;

    /// Whether the segment has no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of plain bytes of each block but the last.
    fn block_len(&self) -> usize;

    /// The plain bytes of block `number`. `None` if there is no such block or it is damaged; the
    /// implementation notes the damage.
    fn block(&self, number: usize) -> Option<B>;

    /// The plain bytes of block `number`, for a pass over all blocks. If the cache has room, the block is
    /// returned and stays in the cache. Otherwise the block is decoded into `buffer`, and the cache keeps its
    /// other blocks. So a pass over more blocks than fit in the cache still finds the blocks that the
    /// previous pass left there.
    fn block_in_pass(&self, number: usize, buffer: &mut Vec<u8>) -> Option<InPass<B>>;
}

/// A block in a pass over all blocks.
#[derive(Clone, Debug)]
pub enum InPass<B> {
    /// The block, which stays in the cache.
    Kept(B),
    /// The bytes of the block are in the buffer that the caller passed.
    InBuffer,
}

/// Blocks that several string tables and their readers share.
pub type SharedBlocks<B> = Arc<dyn Blocks<B>>;
