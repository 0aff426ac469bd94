//! Finds the METHODs that are tests, by the name of their file or their own name.

use varvite::pipeline::{Options, Pipeline, PipelineError, nodes, regex};
use varvite::{Graph, PropertyInfo, ValueType};

use crate::error::Result;

/// The properties in which a test is recognized.
const NAMES: [&str; 2] = ["FILENAME", "FULL_NAME"];

/// The METHODs whose FILENAME or FULL_NAME as a whole matches a regular expression, ascending.
///
/// # Errors
/// Fails if the expression is invalid, if the graph can't be read, or over the limits of `options`.
pub fn methods_matching(graph: &Graph, pattern: &str, options: &Options) -> Result<Vec<u32>> {
    let mut found = Vec::new();
    for name in NAMES.into_iter().filter(|name| has_texts(graph, name)) {
        let pipeline: Pipeline = nodes("METHOD").has(name, regex(pattern));
        let plan = match pipeline.compile(graph) {
            Err(PipelineError::NotOfLabel { .. }) => continue,
            plan => plan?,
        };
        let mut run = plan.run(options.clone());
        while let Some(rows) = run.next()? {
            found.extend_from_slice(rows.nodes().unwrap_or(&[]));
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn has_texts(graph: &Graph, name: &str) -> bool {
    let is_it = |info: &PropertyInfo| {
        info.edge_label.is_none() && info.value_type == ValueType::String && info.name == name
    };
    graph.properties().iter().any(is_it)
}
