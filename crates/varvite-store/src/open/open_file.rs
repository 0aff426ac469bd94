//! [`OpenFile`]: the file behind an open store, with all that its readers need.
//!
//! Segments that are read block by block outlive the store, so they share this state. Decoders are kept for
//! reuse, because a codec's tables cost more to make than a block to decode; all files of the process share
//! them, because a decoder takes more memory than the tables of a small graph.

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
    /// A number that identifies it among all open files of this process.
    pub(crate) number: OpenNumber,
    /// Whether memory for buffers is limited, so that those that are freed go back to the system.
    is_limited: AtomicBool,
    /// The budget that it shares with other files.
    budget: Option<SharedBudget>,
    /// The buffers that keep its blocks for later readers.
    buffers: Arc<Buffers>,
    /// Plain bytes of all blocks that were decoded.
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

    /// Takes note that memory for buffers is limited.
    pub(crate) fn limit_buffers(&self) {
        self.is_limited.store(true, Ordering::Relaxed);
    }

    /// A buffer for decoded bytes, which were charged.
    pub(crate) fn buffer(&self, length: usize) -> Result<AlignedBytes> {
        self.budget.iter().for_each(SharedBudget::make_room);
        match self.is_limited.load(Ordering::Relaxed) {
            true => AlignedBytes::zeroed_in_pages(length),
            false => AlignedBytes::zeroed(length),
        }
    }

    /// Takes note of a block in a slot, which is kept for later readers within the limits.
    pub(crate) fn keep_block(&self, slots: &Arc<[Slot]>, index: usize, bytes: u64) {
        self.buffers.blocks.admit(self.number, slots, index, bytes);
    }

    /// Whether a block of so many bytes would be kept without giving back another.
    pub(crate) fn has_room_for(&self, bytes: u64) -> bool {
        self.buffers.blocks.has_room_for(bytes)
    }

    /// The fault of this file.
    pub(crate) fn damaged(&self, error: FormatError) -> StoreError {
        self.failures.damaged(error)
    }

    /// Takes note of a block that was decoded.
    pub(crate) fn add_decoded(&self, bytes: usize) {
        self.decoded.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Plain bytes of all blocks that were decoded, each as often as it was.
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
    /// No reader has blocks of it any more.
    fn drop(&mut self) {
        self.buffers.blocks.forget(self.number);
    }
}

/// Memory for decoding a block beside its bytes.
#[derive(Default)]
pub(crate) struct Decoder {
    pub(crate) workspace: Workspace,
    pub(crate) stored: Vec<u8>,
    pub(crate) scratch: Vec<u8>,
}

/// Buffers longer than this are not kept with a decoder: only files of others have such blocks.
const BUFFER_MAX: usize = 1 << 20;

/// The decoders of all open files.
static DECODERS: Decoders = Decoders(Mutex::new(Vec::new()));

/// Decoders that wait for work: as many as threads were ever decoding at once, and one for each processor at
/// most.
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
