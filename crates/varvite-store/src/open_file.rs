//! [`OpenFile`]: the file behind an open store, and what everyone who reads it needs.
//!
//! Segments that are read block by block outlive the store, so what they need is shared. Decoders are kept for reuse,
//! because a codec's tables cost more to make than a block to decode.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use varvite_codec::Workspace;
use varvite_format::FormatError;

use crate::error::{Result, StoreError};
use crate::failures::Failures;
use crate::vfs::VfsFile;

/// An open file with its identity.
#[derive(Debug)]
pub(crate) struct OpenFile {
    pub(crate) path: PathBuf,
    pub(crate) file: Arc<dyn VfsFile>,
    pub(crate) file_id: [u8; 16],
    decoders: Decoders,
    /// Plain bytes of all blocks that were decoded.
    decoded: AtomicU64,
    /// What went wrong where there was nobody to return it to.
    pub(crate) failures: Arc<Failures>,
}

impl OpenFile {
    pub(crate) fn new(path: PathBuf, file: Arc<dyn VfsFile>, file_id: [u8; 16]) -> Self {
        let failures = Arc::new(Failures::new(path.clone()));
        Self { path, file, file_id, decoders: Decoders::default(), decoded: AtomicU64::new(0), failures }
    }

    /// What is wrong with this file.
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

    /// Runs `work` with a decoder that nobody else uses meanwhile.
    pub(crate) fn with_decoder<T>(&self, work: impl FnOnce(&mut Decoder) -> Result<T>) -> Result<T> {
        let mut decoder = self.decoders.lock().pop().unwrap_or_default();
        let result = work(&mut decoder);
        self.decoders.lock().push(decoder);
        result
    }
}

/// What decoding a block needs beside its bytes.
#[derive(Default)]
pub(crate) struct Decoder {
    pub(crate) workspace: Workspace,
    pub(crate) stored: Vec<u8>,
    pub(crate) scratch: Vec<u8>,
}

/// Decoders that wait for work: as many as threads were ever decoding at once.
#[derive(Default)]
struct Decoders(Mutex<Vec<Decoder>>);

impl Decoders {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Decoder>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Decoders {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} decoders", self.lock().len())
    }
}
