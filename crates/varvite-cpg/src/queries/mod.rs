//! Ten questions of Joern's scanners, as examples of the steps and of closures.
//!
//! Each module has one query, and states its question in words that are exact enough to write a loop from
//! them. The questions include names of functions from libc, Linux, SQLite and zlib, so that they have
//! answers in real code. Preparing a question compiles pipelines and opens cursors. Running it returns nodes
//! in no fixed order. A node may come more than once only if the description of the question says so.

mod calls_without_guard;
mod complex_methods;
mod copy_loops;
mod dangerous_calls;
mod format_strings;
mod freed_fields;
mod shared_arguments;
mod tainted_arguments;
mod truncated_lengths;
mod unchecked_results;

use std::convert::Infallible;

use varvite::columns::in_order;
use varvite::pipeline::{Options, Pipeline, Plan};
use varvite::{Graph, Task};

use crate::error::Result;

pub use calls_without_guard::GUARDS;
pub use complex_methods::{CONTROL_STRUCTURES_MAX, PARAMETERS_MAX, RETURNS_MAX};
pub use dangerous_calls::DANGEROUS;
pub use format_strings::FORMATS;
pub use freed_fields::{CLEARING, FREEING};
pub use shared_arguments::OPERATIONS;
pub use tainted_arguments::{SINKS, SOURCES};
pub use truncated_lengths::{LENGTHS, NARROW_TYPES};
pub use unchecked_results::FALLIBLE;

/// A prepared question, which can be run many times.
pub type Question = Box<dyn FnMut() -> Result<Vec<u32>>>;

/// One of the ten questions.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// The name of the question.
    pub name: &'static str,
    /// The rule of Joern's query database that the question follows.
    pub follows: &'static str,
    /// Compiles the question for a graph.
    pub prepare: fn(&Graph) -> Result<Question>,
}

/// All ten questions.
pub const ALL: [Query; 10] = [
    dangerous_calls::QUERY,
    format_strings::QUERY,
    complex_methods::QUERY,
    truncated_lengths::QUERY,
    copy_loops::QUERY,
    calls_without_guard::QUERY,
    shared_arguments::QUERY,
    unchecked_results::QUERY,
    freed_fields::QUERY,
    tainted_arguments::QUERY,
];

/// Prepares a question that consists of one or several pipelines.
fn pipelines(graph: &Graph, pipelines: impl IntoIterator<Item = Pipeline>) -> Result<Question> {
    let plans = compile(graph, pipelines)?;
    Ok(Box::new(move || nodes_of(&plans)))
}

fn compile(graph: &Graph, pipelines: impl IntoIterator<Item = Pipeline>) -> Result<Vec<Plan>> {
    pipelines.into_iter().map(|pipeline| Ok(pipeline.compile(graph)?)).collect()
}

/// The nodes that plans give.
fn nodes_of(plans: &[Plan]) -> Result<Vec<u32>> {
    let mut nodes = Vec::new();
    for plan in plans {
        let mut run = plan.run(Options::default());
        while let Some(rows) = run.next()? {
            nodes.extend_from_slice(rows.nodes().unwrap_or_default());
        }
    }
    Ok(nodes)
}

/// The number of nodes in a thread's job.
const NODES_AT_ONCE: usize = 512;

/// Calls `ask` for these nodes on all threads, and returns the results in the order of the nodes. Each job
/// has a state of its own, which `begin` makes.
fn ask_each<S>(
    nodes: &[u32],
    begin: impl Fn() -> S + Sync,
    ask: impl Fn(&mut S, u32) -> Option<u32> + Sync,
) -> Vec<u32> {
    let parts: Vec<&[u32]> = nodes.chunks(NODES_AT_ONCE).collect();
    let threads = Task::new().thread_count().min(parts.len());
    let mut found = Vec::new();
    let work = |part: &&[u32]| {
        let mut state = begin();
        Ok::<Vec<u32>, Infallible>(part.iter().filter_map(|node| ask(&mut state, *node)).collect())
    };
    let Ok(()) = in_order(&parts, threads, work, |part| {
        found.extend(part);
        Ok(())
    });
    found
}
