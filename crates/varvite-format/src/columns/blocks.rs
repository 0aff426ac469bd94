//! Segments that are read block by block, because whole they would be decoded at once.

use std::fmt;
use std::sync::Arc;

/// The blocks of one segment.
pub trait Blocks<B>: fmt::Debug + Send + Sync {
    /// Plain bytes of all blocks together.
    fn len(&self) -> u64;

    /// True if there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Plain bytes of each block but the last.
    fn block_len(&self) -> usize;

    /// The plain bytes of block `number`. None if there is no such block or it is damaged, which the source
    /// notes.
    fn block(&self, number: usize) -> Option<B>;

    /// The same for a pass over all blocks: either the block, or its bytes in `buffer` if others would have
    /// to go to keep it. So a pass over more blocks than are kept finds those that the pass before it kept,
    /// and not only the last ones.
    fn block_in_pass(&self, number: usize, buffer: &mut Vec<u8>) -> Option<InPass<B>>;
}

/// A block, as a pass over blocks finds it.
#[derive(Clone, Debug)]
pub enum InPass<B> {
    /// Here.
    Kept(B),
    /// In the buffer of the pass.
    InBuffer,
}

/// Blocks that several string tables and their readers share.
pub type SharedBlocks<B> = Arc<dyn Blocks<B>>;
