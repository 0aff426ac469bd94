//! The graph file as a device: virtual file systems, mapping, crash-safe creation, accounted memory.
//!
//! Every byte that Varvite reads or writes passes one [`Vfs`], so that errors, short writes and power loss can be
//! enumerated in memory instead of waited for. Bytes leave this crate as [`Pinned`] slices, which keep their map
//! or buffer alive; the [`Ledger`] knows how many there are and what for.
//!
//! Unsafe code lives in `mapping` and `pinned` alone. This crate knows nothing of nodes, columns or encodings.
#![deny(unsafe_code)]

mod aligned_bytes;
mod cache;
mod copy;
mod error;
mod ledger;
#[allow(unsafe_code)]
mod mapping;
mod open_file;
#[allow(unsafe_code)]
mod pinned;
mod process_memory;
mod segment_blocks;
mod segment_reader;
mod slot;
mod staged;
mod store;
mod verify;
pub mod vfs;
mod writer;

pub use aligned_bytes::AlignedBytes;
pub use copy::CopiedColumns;
pub use error::{Operation, Result, StoreError};
pub use ledger::{Account, AccountId, Charge, Ledger, LedgerRow, MemoryState};
pub use mapping::{Advice, Mapping};
pub use pinned::Pinned;
pub use process_memory::ProcessMemory;
pub use staged::{IfExists, StagedFile};
pub use store::{MemoryLimits, OpenMode, OpenOptions, Store};
pub use verify::{Progress, VerifyReport};
pub use vfs::{Vfs, VfsFile};
pub use writer::{PreparedColumn, StoreWriter, prepare};
