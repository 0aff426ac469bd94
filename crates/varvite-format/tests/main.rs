//! The format from outside: what is encoded is read back, damage is survived, and the document tells the truth.
#![allow(clippy::unwrap_used)] // Everything here is a test.

#[path = "../../../fuzz/src/blocks.rs"]
mod blocks;
mod choice;
#[path = "../../../fuzz/src/columns.rs"]
mod columns;
mod damage;
mod directory;
mod document;
mod encoded;
mod ints;
mod iterators;
#[path = "../../../fuzz/src/kernels.rs"]
mod kernels;
#[path = "../../../fuzz/src/memory.rs"]
mod memory;
#[path = "../../../fuzz/src/readers.rs"]
mod readers;
mod segments;
mod sets;
mod shapes;
mod smoke;
mod strings;
