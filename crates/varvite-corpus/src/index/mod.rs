//! The index of a corpus: a graph of its files, of the names that they define and use, and of the links
//! between them.
//!
//! `schema` has the names of the graph; `entry` a file of the index; `read` and `write` turn a graph into
//! entries and back; `links` finds the definitions of uses; `update` makes an index, and reuses the entries
//! of the one before; `clones` finds equal functions, and `near` those that are mostly equal.

mod clones;
mod entry;
mod links;
mod near;
mod read;
mod schema;
mod update;
mod write;

pub use clones::{CloneGroup, ClonedFunction, Clones, LeftOut, clones};
pub use near::near_clones;
pub use update::{IndexOptions, IndexReport, index};
