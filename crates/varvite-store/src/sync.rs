//! Locks and atomic counters for the modules that have loom models. Normally these are the types of the
//! standard library. In builds with `--cfg loom` they are the types of loom, which tries every order in which
//! threads may use them.
//!
//! docs/decisions/0044-model-threads-with-loom.md lists the modelled parts. Both builds use the `Arc` of the
//! standard library: no code here depends on the order of its counts.

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
