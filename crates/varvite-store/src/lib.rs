//! The graph file as a device: virtual file systems, mapping, crash-safe creation, memory accounting.
//!
//! Varvite reads and writes all files through a [`Vfs`], so that tests can enumerate errors, short writes and
//! power loss in memory. Readers get bytes as [`Pinned`] slices, which keep their map or buffer alive; the
//! [`Ledger`] counts the bytes by purpose.
//!
//! `varvite import` creates files, and so does `varvite_import::Import` in Rust. This example opens one:
//!
//! ```no_run
//! use varvite_store::vfs::RealVfs;
//! use varvite_store::{OpenMode, Store};
//!
//! # fn main() -> varvite_store::Result<()> {
//! let store = Store::open(&RealVfs, "zlib.varvite".as_ref(), OpenMode::Buffered)?;
//! println!("{} columns, {} bytes", store.directory().columns.len(), store.superblock().file_len);
//! # Ok(())
//! # }
//! ```
//!
//! The only modules with unsafe code are `mapping`, `pinned` and `heap_trim` in `memory`. This crate does not
//! interpret the values in columns.
//!
//! - `vfs`: the trait [`Vfs`] and its file systems: `real`, `bytes` (a file in memory), `interruptible`,
//!   `throttled`.
//! - `memory`: the bytes that readers get, the cache of these bytes, and its limits. `open`: an open file.
//! - `commits`: the valid commit of a file, and its log. `writing`: changes of a file, each of which appears
//!   whole or not at all.
//! - `work`: cancellation and threads of long work. `error`, `holder`: errors, and the holder of a lock.
//! - `sync`, `models`: the locks of these modules, and loom models of the threads that use the locks.
//! - `planted`: deliberate bugs, which the crash harness must find; not compiled into releases.
#![deny(unsafe_code)]

/// Runs the code of a deliberate bug if a test has planted the bug; see
/// docs/decisions/0040-plant-known-bugs.md.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "planted")]
macro_rules! planted {
    ($bug:ident) => { $crate::planted::is_planted($crate::planted::Bug::$bug) };
    ($bug:ident => $($mistake:tt)+) => { if $crate::planted!($bug) { $($mistake)+; } };
}

/// Expands to no code: without the feature `planted` there are no deliberate bugs.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "planted"))]
macro_rules! planted {
    ($bug:ident) => {
        false
    };
    ($bug:ident => $($mistake:tt)+) => {};
}

mod commits;
mod error;
mod holder;
mod memory;
#[cfg(all(test, loom))]
mod models;
mod open;
#[cfg(feature = "planted")]
#[doc(hidden)]
pub mod planted;
mod sync;
pub mod vfs;
mod work;
mod writing;

pub use commits::commit::Recovery;
pub use commits::identity::Identity;
pub use commits::log::Log;
pub use commits::log_session::{LogSession, Logged};
pub use commits::log_writer::LogWriter;
pub use error::{Operation, Result, StoreError};
pub use holder::Holder;
pub use memory::aligned_bytes::AlignedBytes;
pub use memory::heap_trim::trim_heap;
pub use memory::ledger::{Account, AccountId, Charge, Ledger, LedgerRow, MemoryState};
pub use memory::mapping::{Advice, Mapping};
pub use memory::memory_watch::{PROCESS_MIN, Watched};
pub use memory::pinned::Pinned;
pub use memory::process_memory::ProcessMemory;
pub use memory::shared_budget::SharedBudget;
pub use open::failures::Failures;
pub use open::store::{MemoryLimits, OpenMode, Store, StoreOptions};
pub use open::verify::VerifyReport;
pub use vfs::{Vfs, VfsFile};
pub use work::cancel::{Cancel, Cancelled};
pub use work::machine_memory::{default_memory, usable_memory};
pub use work::task::{Progress, ProgressUnit, Task};
pub use work::{kept_threads, threads};
pub use writing::change::FileChange;
pub use writing::coded_segment::CodedSegment;
pub use writing::copy::CopiedColumns;
pub use writing::locked_file::Leftover;
pub use writing::prepared::{PreparedColumn, prepare, prepare_for_memory, prepare_until};
pub use writing::replacement::Replacement;
pub use writing::scratch::Scratch;
pub use writing::staged::{IfExists, StagedFile, StagedStream};
pub use writing::staged_folder::{FolderFile, FolderShape, StagedFolder};
pub use writing::tape::{Tape, TapeReader};
pub use writing::writer::StoreWriter;
