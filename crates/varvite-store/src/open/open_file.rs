//! [`OpenFile`]: the file of an open store, and all state that readers of the store's segments need.
//!
//! Segments that are read block by block may outlive the store, so they share this state with the store.
//! Decoders are kept for reuse, because making a codec's tables costs more than decoding a block. All files
//! of the process share the decoders, because a decoder takes more memory than the tables of a small graph.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use varvite_codec::Workspace;
use varvite_format::FormatError;

use crate::error::{Result, StoreError};
use crate::memory::aligned_bytes::AlignedBytes;
use crate::memory::buffers::Buffers;
use crate::memory::open_number::OpenNumber;
use crate::memory::shared_budget::SharedBudget;
use crate::memory::slot::Slot;
use crate::open::failures::Failures;
use crate::vfs::VfsFile;

/// An open file with its identity.
#[derive(Debug)]
pub(crate) struct OpenFile {
    pub(crate) path: PathBuf,
    pub(crate) file: Arc<dyn VfsFile>,
    pub(crate) file_id: [u8; 16],
    /// The number that identifies this file among all open files of the process.
    pub(crate) number: OpenNumber,
    /// Whether memory for buffers is limited, so that freed buffers are given back to the system.
    is_limited: AtomicBool,
    /// The budget that this file shares with other files.
    budget: Option<SharedBudget>,
    /// The cache that keeps blocks of this file for later readers.
    buffers: Arc<Buffers>,
    /// The number of plain bytes of all decoded blocks.
    decoded: AtomicU64,
    /// Errors that no call could return.
    pub(crate) failures: Arc<Failures>,
}

impl OpenFile {
    pub(crate) fn new(
        path: PathBuf,
        file: Arc<dyn VfsFile>,
        file_id: [u8; 16],
        buffers: Arc<Buffers>,
        budget: Option<SharedBudget>,
    ) -> Self {
        let (number, failures) = (OpenNumber::next(), Arc::new(Failures::new(path.clone())));
        let (is_limited, decoded) = (AtomicBool::new(budget.is_some()), AtomicU64::new(0));
        Self { path, file, file_id, number, is_limited, budget, buffers, decoded, failures }
    }

    /// Notes that memory for buffers is limited.
    pub(crate) fn limit_buffers(&self) {
        self.is_limited.store(true, Ordering::Relaxed);
    }

    /// Allocates a buffer for decoded bytes, which the caller has charged to the ledger.
    pub(crate) fn buffer(&self, length: usize) -> Result<AlignedBytes> {
        self.budget.iter().for_each(SharedBudget::make_room);
        match self.is_limited.load(Ordering::Relaxed) {
            true => AlignedBytes::zeroed_in_pages(length),
            false => AlignedBytes::zeroed(length),
        }
    }

    /// Registers a block in slot `index` with the cache, which keeps it for later readers within its limits.
    pub(crate) fn keep_block(&self, slots: &Arc<[Slot]>, index: usize, bytes: u64) {
        self.buffers.blocks.admit(self.number, slots, index, bytes);
    }

    /// Whether the cache has room for a block of `bytes` bytes without evicting another.
    pub(crate) fn has_room_for(&self, bytes: u64) -> bool {
        self.buffers.blocks.has_room_for(bytes)
    }

    /// Turns a fault into an error of this file.
    pub(crate) fn damaged(&self, error: FormatError) -> StoreError {
        self.failures.damaged(error)
    }

    /// Counts the plain bytes of a decoded block.
    pub(crate) fn add_decoded(&self, bytes: usize) {
        self.decoded.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// The number of plain bytes of all decoded blocks; a block that was decoded twice counts twice.
    pub(crate) fn decoded_bytes(&self) -> u64 {
        self.decoded.load(Ordering::Relaxed)
    }

    /// Runs `work` with a decoder that no other thread uses meanwhile.
    pub(crate) fn with_decoder<T>(&self, work: impl FnOnce(&mut Decoder) -> Result<T>) -> Result<T> {
        let mut decoder = DECODERS.take();
        let result = work(&mut decoder);
        DECODERS.keep(decoder);
        result
    }
}

impl Drop for OpenFile {
    /// Removes the blocks of this file from the cache: no later reader can use them.
    fn drop(&mut self) {
        self.buffers.blocks.forget(self.number);
    }
}

/// The memory for decoding a block, apart from the decoded bytes.
#[derive(Default)]
pub(crate) struct Decoder {
    pub(crate) workspace: Workspace,
    pub(crate) stored: Vec<u8>,
    pub(crate) scratch: Vec<u8>,
}

/// The length of the longest buffer that a decoder keeps. Blocks that need a longer buffer occur only in
/// files that other programs wrote.
const BUFFER_MAX: usize = 1 << 20;

/// The decoders of all open files.
static DECODERS: Decoders = Decoders(Mutex::new(Vec::new()));

/// Idle decoders: as many as there were threads that decoded at the same time, but at most one for each
/// processor.
struct Decoders(Mutex<Vec<Decoder>>);

impl Decoders {
    fn take(&self) -> Decoder {
        self.lock().pop().unwrap_or_default()
    }

    fn keep(&self, mut decoder: Decoder) {
        for buffer in [&mut decoder.stored, &mut decoder.scratch] {
            if buffer.capacity() > BUFFER_MAX {
                *buffer = Vec::new();
            }
        }
        let mut waiting = self.lock();
        if waiting.len() < crate::work::threads::processors() {
            waiting.push(decoder);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Decoder>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
