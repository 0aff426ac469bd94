//! The bytes that readers get, the cache of these bytes, and memory limits.
//!
//! - `mapping`, `pinned`, `aligned_bytes`: bytes of a map or a buffer, and the slices that keep them alive.
//! - `slot`, `cache`, `buffers`, `open_number`: the cache that keeps bytes for later readers, within limits.
//! - `ledger`, `process_memory`: the bytes that each column holds, and the memory of the whole process.
//! - `shared_budget`, `memory_watch`, `file_pages`, `shared_thread`, `heap_trim`: limits of several
//!   files and of a process.

pub(crate) mod aligned_bytes;
pub(crate) mod buffers;
pub(crate) mod cache;
mod file_pages;
#[allow(unsafe_code)]
pub(crate) mod heap_trim;
pub(crate) mod ledger;
#[allow(unsafe_code)]
pub(crate) mod mapping;
pub(crate) mod memory_watch;
pub(crate) mod open_number;
#[allow(unsafe_code)]
pub(crate) mod pinned;
pub(crate) mod process_memory;
pub(crate) mod shared_budget;
pub(crate) mod shared_thread;
pub(crate) mod slot;
