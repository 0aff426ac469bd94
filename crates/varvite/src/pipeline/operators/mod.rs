//! Operators that pull batches from one another: how a plan is run.
//!
//! Each operator owns one output batch and fills it again and again; the last one is what the caller sees. Nothing is
//! read before it is asked for, so a consumer that stops early costs what it took. Memory that grows with the data is taken
//! from a budget, and a flag cancels: it is looked at for every batch, and inside every loop that may be long.
//! Operators know nothing of threads, but for two: `scan` shares windows of a search, and `exchange` sends rows in `parcel`s to a `crew` that
//! runs steps which treat each row for itself, and keeps the order.

mod batch;
mod branch;
mod chain;
mod context;
mod crew;
mod edges;
mod exchange;
mod fold;
mod hop;
mod keep;
mod key_table;
mod lists;
mod order;
mod parcel;
mod path;
mod repeat;
mod scan;
mod search;
mod side;
mod sort;
mod tree;
mod values;

pub(crate) use batch::Batch;
pub(crate) use chain::{Inner, Measured, Stage, pull, stages};
pub use context::{Cancel, Options};
pub(crate) use context::{Context, Stop};
pub(crate) use exchange::stages_on_threads;
pub(crate) use key_table::KeyTable;
pub(crate) use side::Side;
