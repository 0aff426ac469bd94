//! Tests of generated files: golden files of a small schema, and folders on the disk.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod folder;
mod golden;
mod limits;
mod schema;
