//! Tests of the store: power failures, failing operations, and a real file system.
#![allow(clippy::unwrap_used)] // Everything here is a test.

#[cfg(not(miri))] // Real files and threads.
mod append;
#[cfg(not(miri))] // Without unsafe code in it, and slow there.
mod append_crash;
mod copy;
#[cfg(not(miri))] // Without unsafe code in it, and slow there.
mod crash;
mod faults;
mod hostile;
mod interruptible;
mod limits;
#[cfg(not(miri))] // Maps of files.
mod live_map;
#[cfg(not(miri))] // Thousands of files.
mod log;
#[cfg(not(miri))] // Miri has no file maps and few file operations.
mod real;
mod replacement;
mod sample;
#[cfg(not(miri))] // Thousands of files.
mod smoke;
mod staged;
mod store;
mod throttled;
