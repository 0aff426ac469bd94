//! Tests of the store: power failures, failing operations, and a real file system.
#![allow(clippy::unwrap_used)] // Everything here is a test.

#[cfg(not(miri))] // These tests use real files and threads.
mod append;
#[cfg(not(miri))] // No unsafe code, and slow under Miri.
mod append_crash;
mod copy;
#[cfg(not(miri))] // No unsafe code, and slow under Miri.
mod crash;
mod faults;
mod hostile;
mod interruptible;
mod limits;
#[cfg(not(miri))] // Miri has no file maps.
mod live_map;
#[cfg(not(miri))] // Thousands of files: slow under Miri.
mod log;
#[cfg(not(miri))] // Miri has no file maps and few file operations.
mod real;
mod replacement;
mod sample;
#[cfg(not(miri))] // Thousands of files: slow under Miri.
mod smoke;
mod staged;
mod store;
mod throttled;
