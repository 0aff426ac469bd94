//! The format from outside: what is encoded is read back, damage is survived, and the document tells the truth.
#![allow(clippy::unwrap_used)] // Everything here is a test.

#[path = "../../varvite-testing/src/targets/blocks.rs"]
mod blocks;
mod choice;
#[path = "../../varvite-testing/src/targets/columns.rs"]
mod columns;
mod damage;
mod directory;
mod document;
mod encoded;
mod ints;
#[path = "../../varvite-testing/src/iterators.rs"]
mod iterators;
#[path = "../../varvite-testing/src/targets/kernels.rs"]
mod kernels;
#[path = "../../varvite-testing/src/memory.rs"]
mod memory;
#[path = "../../varvite-testing/src/readers.rs"]
mod readers;
mod segments;
mod sets;
mod shapes;
mod smoke;
mod strings;
