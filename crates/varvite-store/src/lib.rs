//! The graph file as a device: virtual file systems, mapping, crash-safe creation, accounted memory.
//!
//! Every byte that Varvite reads or writes passes one [`Vfs`], so that errors, short writes and power loss
//! can be enumerated in memory instead of waited for. Bytes leave this crate as [`Pinned`] slices, which keep
//! their map or buffer alive; the [`Ledger`] knows how many there are and what for.
//!
//! Files come from `varvite import`, or in Rust from `varvite_import::Import`:
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
//! Unsafe code lives in `mapping`, `pinned` and `heap_trim` alone. This crate knows nothing of nodes, columns or
//! encodings.
//!
//! - `vfs`: the trait [`Vfs`] and its file systems: `real`, `bytes` (in memory already), `memory`,
//!   `fault` (fails), `record` (remembers), `crash` (loses power at every point).
//! - `store`, `open_file`, `open_number`: an open file; `failures`: what went wrong where there was no caller to tell.
//! - `segment_reader`: the way to the bytes of a segment; `mapping`, `pinned`, `aligned_bytes`: the
//!   memory that readers see.
//! - `slot`, `cache`, `buffers`, `segment_blocks`: what is kept for the next reader, within limits.
//! - `ledger`, `process_memory`, `machine_memory`: who holds how much, and how much there is. `shared_budget`: what several
//!   files may have together; `memory_watch`: limits to what a process has of maps, with one thread for all files
//!   (`shared_thread`); `heap_trim`: what the allocator keeps.
//! - `change`, `locked_file`, `holder`, `opened_state`, `identity`: the one way to change a file: open it, lock it, and find it as it
//!   was opened before anything is published. `prepared`, `writer`, `copy`: columns, new or copied. `append`, `staged`: where they go, into the next commit of the file or into a
//!   successor; either appears whole or not at all. `commit`: which commit of a file counts.
//! - `log`, `log_writer`, `log_session`: small commits as records behind the large one, found and appended; `group_sync`:
//!   syncs that threads share; `tail`: the columns that records become in memory.
//! - `sync`, `models`: the locks of all these, and models of the threads that use them, for loom.
//! - `replacement`: a file that is written while the one whose place it takes gets commits.
//! - `scratch`, `tape`: a temporary file for what memory has no room for, and bytes that are written there end to end.
//! - `planted`: known mistakes, for the harness that must find them; not compiled into what is published.
//! - `verify`: reads every byte. `task`, `cancel`: how long work is done, and the flag that ends it. `threads`: threads
//!   are started here and nowhere else.
#![deny(unsafe_code)]

/// A known mistake, which is made only where it was planted; see docs/decisions/0040-plant-known-bugs.md.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "planted")]
macro_rules! planted {
    ($bug:ident) => { $crate::planted::is_planted($crate::planted::Bug::$bug) };
    ($bug:ident => $($mistake:tt)+) => { if $crate::planted!($bug) { $($mistake)+; } };
}

/// No mistake, and no code.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "planted"))]
macro_rules! planted {
    ($bug:ident) => {
        false
    };
    ($bug:ident => $($mistake:tt)+) => {};
}

mod aligned_bytes;
mod append;
mod buffers;
mod cache;
mod cancel;
mod change;
mod commit;
mod copy;
mod error;
mod failures;
mod group_sync;
#[allow(unsafe_code)]
mod heap_trim;
mod holder;
mod identity;
mod ledger;
mod locked_file;
mod log;
mod log_session;
mod log_writer;
mod machine_memory;
#[allow(unsafe_code)]
mod mapping;
mod memory_watch;
#[cfg(all(test, loom))]
mod models;
mod open_file;
mod open_number;
mod opened_state;
#[allow(unsafe_code)]
mod pinned;
#[cfg(feature = "planted")]
#[doc(hidden)]
pub mod planted;
mod prepared;
mod process_memory;
mod replacement;
mod scratch;
mod segment_blocks;
mod segment_reader;
mod shared_budget;
mod shared_thread;
mod slot;
mod staged;
mod store;
mod sync;
mod tail;
mod tape;
mod task;
pub mod threads;
mod verify;
pub mod vfs;
mod writer;

pub use aligned_bytes::AlignedBytes;
pub use cancel::{Cancel, Cancelled};
pub use change::FileChange;
pub use commit::Recovery;
pub use copy::CopiedColumns;
pub use error::{Operation, Result, StoreError};
pub use failures::Failures;
pub use heap_trim::trim_heap;
pub use holder::Holder;
pub use identity::Identity;
pub use ledger::{Account, AccountId, Charge, Ledger, LedgerRow, MemoryState};
pub use locked_file::Leftover;
pub use log::Log;
pub use log_session::{LogSession, Logged};
pub use log_writer::LogWriter;
pub use machine_memory::usable_memory;
pub use mapping::{Advice, Mapping};
pub use memory_watch::{PROCESS_MIN, Watched};
pub use pinned::Pinned;
pub use prepared::{PreparedColumn, prepare, prepare_until};
pub use process_memory::ProcessMemory;
pub use replacement::Replacement;
pub use scratch::Scratch;
pub use shared_budget::SharedBudget;
pub use staged::{IfExists, StagedFile, StagedStream};
pub use store::{MemoryLimits, OpenMode, Store, StoreOptions};
pub use tape::{Tape, TapeReader};
pub use task::{Progress, ProgressUnit, Task};
pub use verify::VerifyReport;
pub use vfs::{Vfs, VfsFile};
pub use writer::StoreWriter;
