//! [`TextRoom`]: a limit of the texts that an export writes.

use varvite::Graph;

/// Largest number of bytes of texts in an export for each byte of the graph file, each node and each edge.
const TEXT_OF_PART: u64 = 1024;

/// The number of bytes of texts that may still be written. Many values may share a text, and in a hostile
/// file texts may share bytes.
pub(crate) struct TextRoom {
    limit: u64,
    left: u64,
}

/// The texts of an export would be longer than this number of bytes.
pub(crate) struct LongTexts(pub(crate) u64);

impl TextRoom {
    /// The room of an export of a graph.
    pub(crate) fn of(graph: &Graph) -> Self {
        let parts = [graph.store().superblock().file_len, graph.node_count().into(), graph.edge_count()];
        let limit = parts.into_iter().fold(0, u64::saturating_add).saturating_mul(TEXT_OF_PART);
        Self { limit, left: limit }
    }

    /// Subtracts `bytes` from the remaining number, or fails if too little remains.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), LongTexts> {
        self.left = self.left.checked_sub(bytes as u64).ok_or(LongTexts(self.limit))?;
        Ok(())
    }
}
