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
mod change;
mod copy;
mod error;
mod failures;
mod holder;
mod identity;
mod ledger;
mod machine_memory;
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
pub mod threads;
mod verify;
pub mod vfs;
mod write_lock;
mod writer;

pub use aligned_bytes::AlignedBytes;
pub use change::FileChange;
pub use copy::CopiedColumns;
pub use error::{Operation, Result, StoreError};
pub use failures::Failures;
pub use holder::Holder;
pub use identity::Identity;
pub use ledger::{Account, AccountId, Charge, Ledger, LedgerRow, MemoryState};
pub use machine_memory::usable_memory;
pub use mapping::{Advice, Mapping};
pub use pinned::Pinned;
pub use process_memory::ProcessMemory;
pub use staged::{IfExists, Leftover, StagedFile, StagedStream};
pub use store::{MemoryLimits, OpenMode, OpenOptions, Store};
pub use verify::{Progress, VerifyReport};
pub use vfs::{Vfs, VfsFile};
pub use write_lock::WriteLock;
pub use writer::{PreparedColumn, StoreWriter, prepare};
