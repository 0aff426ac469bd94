//! Every workload of the peers, over Varvite's cursors. `bench/peers/flatgraph/README.md` defines the
//! answers; the comments here describe the use of Varvite.
//!
//! The rules are those of the peers: plain loops over the public API, one thread, no allocation for a hop,
//! and reuse of all buffers. The work of a loop for one node or METHOD is a function of its own. Preparing a
//! workload opens its cursors, and so decodes the columns of an archive; this set-up is not timed. The
//! measured time is that of a [`Round`]. Questions that go through pipelines are in [`pipelines`]; these may
//! use all cores for work on whole columns.

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

/// The answer of a workload, as one number or a few, and the number of elementary steps that it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The numbers of the answer, in the order of the workload's definition.
    pub values: Vec<i64>,
    /// The divisor of "ns per step".
    pub operations: u64,
}

impl Answer {
    fn new(value: i64, operations: u64) -> Self {
        Self { values: vec![value], operations }
    }

    /// The answer of a question that asks for the number of steps.
    fn of_steps(steps: u64) -> Self {
        Self::new(steps as i64, steps)
    }
}

/// One run of a prepared question.
pub type Round = Box<dyn FnMut() -> Answer>;

/// A question over an open graph.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// The name that all peers share.
    pub name: &'static str,
    /// Opens the cursors.
    pub prepare: fn(&Graph) -> Result<Round>,
}

/// Every workload over an open graph, in the order of reports.
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
