//! Every workload that the peers run, implemented with Varvite's cursors. `bench/peers/flatgraph/README.md`
//! defines the answers; the comments here describe how Varvite computes them.
//!
//! The rules are those of the peers: plain loops over the public API, one thread, no allocation for a hop,
//! and reuse of all buffers. The work for one node or METHOD is in a separate function. Preparing a workload
//! opens its cursors, for which an archive decodes its columns; this set-up is not timed. The measured time
//! is that of a [`Round`]. Questions that run as pipelines are in [`pipelines`]; pipelines may use all cores
//! for work on whole columns.

mod checksum;
pub mod columns;
mod everything;
mod file;
mod flow;
pub mod pipelines;
mod properties;
mod table;
mod text_output;
mod texts;
mod trees;

use varvite::{Graph, Result};

pub use file::{name_equality_cold, name_equality_index_cold, open_first_answer};

/// The name that workloads search for.
pub const NAME_SOUGHT: &str = "memcpy";

/// The answer of a workload, as one or more numbers, and the number of elementary steps in one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The numbers of the answer, in the order of the workload's definition.
    pub values: Vec<i64>,
    /// The number of elementary steps, by which the time of a round is divided for "ns per step".
    pub operations: u64,
}

impl Answer {
    fn new(value: i64, operations: u64) -> Self {
        Self { values: vec![value], operations }
    }

    /// The answer of a workload whose answer is its number of steps.
    fn of_steps(steps: u64) -> Self {
        Self::new(steps as i64, steps)
    }
}

/// A function that runs a prepared workload once.
pub type Round = Box<dyn FnMut() -> Answer>;

/// A workload on an open graph.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// The name that all peers share.
    pub name: &'static str,
    /// Opens the cursors, and returns the function that is timed.
    pub prepare: fn(&Graph) -> Result<Round>,
}

/// Every workload on an open graph, in the order of reports.
pub const WORKLOADS: [Workload; 14] = [
    Workload { name: "load_everything", prepare: everything::load_everything },
    Workload { name: "ast_dfs", prepare: trees::ast_dfs },
    Workload { name: "ast_below_methods", prepare: trees::ast_below_methods },
    Workload { name: "ast_below_methods_count", prepare: trees::ast_below_methods_count },
    Workload { name: "ast_below_methods_labels", prepare: trees::ast_below_methods_labels },
    Workload { name: "ast_below_methods_scan", prepare: trees::ast_below_methods_scan },
    Workload { name: "ast_up", prepare: trees::ast_up },
    Workload { name: "order_sum", prepare: properties::order_sum },
    Workload { name: "call_order", prepare: properties::call_order },
    Workload { name: "cfg_reachability", prepare: flow::cfg_reachability },
    Workload { name: "callee_names", prepare: flow::callee_names },
    Workload { name: "identifier_up", prepare: trees::identifier_up },
    Workload { name: "name_equality_scan", prepare: properties::name_equality_scan },
    Workload { name: "name_equality_index_warm", prepare: properties::name_equality_index_warm },
];

pub mod plan;
pub mod question;
