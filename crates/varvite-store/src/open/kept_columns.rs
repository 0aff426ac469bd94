//! [`KeptColumns`]: the decoded columns of an open file that the cache keeps for later readers.

use std::sync::Arc;

use crate::memory::buffers::Buffers;
use crate::memory::open_number::OpenNumber;

/// The cached buffers of a store's columns. When the store is dropped, the cache forgets them, and only
/// readers keep them alive.
#[derive(Debug)]
pub(super) struct KeptColumns {
    pub(super) buffers: Arc<Buffers>,
    pub(super) file: OpenNumber,
}

impl Drop for KeptColumns {
    fn drop(&mut self) {
        self.buffers.columns.forget(self.file);
    }
}
