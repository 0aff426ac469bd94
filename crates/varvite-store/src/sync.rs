//! Locks and counters of the modules whose threads are modelled: those of the standard library, or in builds
//! with `--cfg loom` those of loom, which runs every order in which threads may use them.
//!
//! docs/decisions/0044-model-threads-with-loom.md lists the modelled parts. `Arc` is the standard library's
//! in both: no code here depends on the order of its counts.

#[cfg(loom)]
pub(crate) use loom::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicU64, Ordering},
};
#[cfg(not(loom))]
pub(crate) use std::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicU64, Ordering},
};
