//! `varvite export --format functions-jsonl`: a line of JSON for each METHOD.

use varvite::Graph;
use varvite_cpg::functions::{FunctionJson, FunctionOptions, Functions};

use super::part::Chosen;
use super::{ExportArgs, Written};
use crate::failure::Failure;
use crate::output::note;

impl ExportArgs {
    /// Writes the functions of the chosen METHODs, or of all.
    pub(super) fn write_functions(&self, graph: &Graph, chosen: Option<Chosen>) -> Result<Written, Failure> {
        let mut options = FunctionOptions { task: self.memory.task(graph), ..FunctionOptions::default() };
        options.methods = chosen.map(|chosen| chosen.part.nodes);
        if !self.part.along.is_empty() {
            options.edge_labels.clone_from(&self.part.along);
            options.labels_may_be_missing = false;
        }
        note_missing(&options.missing_labels(graph));
        let json = FunctionJson::open(graph, &options.edge_labels)?;
        let batches = Functions::open(graph, options)?.batches();
        let (mut nodes, mut edges) = (0, 0);
        let file_len = self.write_staged(|mut out| {
            for batch in batches {
                let batch = batch?;
                for index in 0..batch.len() {
                    json.write(&batch, index, &mut out)?;
                }
                nodes += batch.nodes.len() as u32;
                edges += batch.sources.len() as u64;
            }
            // Damage that the writer met would be missing in the file.
            Ok(graph.check()?)
        })?;
        Ok(Written { nodes, edges, file_len })
    }
}

/// Says that a graph lacks labels of edges that functions have by default.
fn note_missing(labels: &[&str]) {
    if !labels.is_empty() {
        note(&format!("the graph has no edges {}; choose others by --along", labels.join(", ")));
    }
}
