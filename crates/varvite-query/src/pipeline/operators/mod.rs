//! Operators: they run a plan, by pulling batches from one another.
//!
//! Each operator owns an output batch, which it fills again and again; the caller gets the output of the last
//! operator. Rows are computed on demand, so a consumer that stops early pays only for the rows that it took.
//! Memory that grows with the data is charged to a budget. The cancel flag is checked for every batch, and
//! inside every loop that may be long. Only two operators process rows on several threads. `exchange` sends
//! `morsel`s (rows, or ranges of nodes for a scan) to a `worker_pool`, which runs steps that treat each row
//! independently and keeps the order of results. If all rows end in one `fold`, `fold_ranges` divides the
//! nodes into ranges for threads, so that no row is sent to another thread. `code_test` divides the tests of
//! texts among threads, and `tree` the counts of ids.
//!
//! An inner pipeline runs for one row at a time or, if its operators allow it, for all rows of a batch: see
//! `runs`. `each_row` computes keys in this way, `merge` the branches of steps.
//!
//! `build` makes the operators of a plan, except those that the modules `keep` and `values` define and make.
//! A run never changes its plan: the state that filters and tests need in a run is in `condition`,
//! `neighbor_test`, `value_test`, `code_test` and `walk`.

mod accumulator;
mod branch;
mod build;
mod chain;
mod code_test;
mod compute;
mod condition;
mod context;
mod count_test;
mod cut;
mod each_row;
mod edges;
mod evaluate;
mod exchange;
mod first_nodes;
mod fold;
mod fold_ranges;
mod group;
mod hop;
mod hop_each;
mod inner;
mod keep;
mod key_counts;
mod key_table;
mod lists;
mod merge;
mod morsel;
mod names;
mod neighbor_test;
mod node_numbers;
mod occurrences;
mod order;
mod path;
mod repeat;
mod runs;
mod scan;
mod search;
mod select;
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
