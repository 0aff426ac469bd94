//! Tests of corpora of small graphs, which the tests write.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod corpus;
mod ends;
mod files;
mod index;
mod inquiry;
mod near;
mod visit;
