//! The store against broken disks: power failures, failing operations, and a real file system.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod crash;
mod faults;
mod real;
