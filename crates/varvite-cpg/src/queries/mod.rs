//! Ten questions that Joern's own scanners ask, as examples of the steps and of closures beside them.
//!
//! Each is a module: what it asks, in words that a loop can be written from, and how. Names of functions stand for families
//! (libc, Linux, SQLite, zlib), so that the questions have answers in real code. Preparing a question compiles pipelines and
//! opens cursors; asking it gives nodes in an order that is not promised, some of them more than once where the question
//! says so.

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

use varvite::Graph;
use varvite::pipeline::{Options, Pipeline, Plan};

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

/// A question that is ready to be asked, again and again.
pub type Question = Box<dyn FnMut() -> Result<Vec<u32>>>;

/// One of the ten.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// Its name.
    pub name: &'static str,
    /// The rule of Joern's query database that it follows.
    pub follows: &'static str,
    /// Compiles it for a graph.
    pub prepare: fn(&Graph) -> Result<Question>,
}

/// All ten.
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

/// A question that is one pipeline or several, one after another.
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
