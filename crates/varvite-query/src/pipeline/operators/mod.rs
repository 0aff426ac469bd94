//! Operators that pull batches from one another: how a plan is run.
//!
//! Each operator owns one output batch and fills it again and again; the caller gets that of the last one.
//! Rows are read on demand, so a consumer that stops early pays only for the rows it took. Memory that grows
//! with the data is charged to a budget, and a flag cancels: it is checked for every batch, and inside every
//! loop that may be long. Only two operators use threads: `exchange` sends rows, or ranges of nodes for a
//! scan, in `morsel`s to a `worker_pool` that runs steps which treat each row for itself, and keeps the
//! order; and `fold_ranges` lets threads share the nodes by ranges where all rows end in one `fold`, so that
//! no row is sent anywhere. `code_test` and `tree` share work without rows: tests of texts, counts of ids.
//!
//! `build` makes the operators of a plan, `keep` and `values` those of their files. A plan is never changed:
//! the state of a run is in `condition`, `value_test`, `code_test` and `walk`.

mod accumulator;
mod branch;
mod build;
mod chain;
mod code_test;
mod condition;
mod context;
mod edges;
mod exchange;
mod first_nodes;
mod fold;
mod fold_ranges;
mod group;
mod hop;
mod inner;
mod keep;
mod key_counts;
mod key_table;
mod lists;
mod morsel;
mod node_numbers;
mod occurrences;
mod order;
mod path;
mod repeat;
mod scan;
mod search;
mod selection;
mod side;
mod sort;
mod stop;
mod stored;
mod summaries;
mod tally;
mod trails;
mod tree;
mod value_test;
mod values;
mod walk;
mod worker_pool;

pub(crate) use build::{stages_alone, stages_on_threads};
pub(crate) use chain::{Measured, Stage, pull};
pub(crate) use context::Settings;
pub(crate) use stop::Stop;
pub(crate) use trails::Trails;
