//! [`Functions`]: one small graph for each METHOD, in arrays for machine learning.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use varvite::{Budget, Cancel, Task};
use varvite_cpg::CodeFiles;
use varvite_cpg::functions::{FunctionBatch, FunctionBatches, FunctionJson, FunctionOptions, token_id};

use crate::array::Array;
use crate::failure::Result;
use crate::graph::{Graph, Open};
use crate::interrupt::{interruptible, on_this_thread, on_worker};
use crate::options::Limits;

/// The functions of a graph, read by batches.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Functions {
    graph: Py<Graph>,
    batches: Arc<Mutex<FunctionBatches<Held>>>,
    json: FunctionJson,
    cancel: Cancel,
    len: usize,
}

/// An open graph, as the owner that functions hold.
struct Held(Arc<Open>);

impl Deref for Held {
    type Target = varvite::Graph;

    fn deref(&self) -> &varvite::Graph {
        &self.0.graph
    }
}

/// Begins to read the functions of some METHODs, or of all. Without edge labels, functions have the default
/// labels that the graph has. `sizes` has the number of nodes of a batch, and
/// the number of ids of tokens.
#[pyfunction]
pub(crate) fn functions(
    py: Python<'_>,
    graph: Py<Graph>,
    edge_labels: Option<Vec<String>>,
    methods: Option<Vec<u32>>,
    sizes: (usize, u32),
    limits: Limits,
) -> PyResult<Functions> {
    let (open, task) = (graph.get().open()?, limits.task()?);
    let (batch_nodes, token_ids) = sizes;
    let cancel = task.flag().clone();
    let found = interruptible(py, &cancel, || {
        let mut options =
            FunctionOptions { methods, batch_nodes, token_ids, task, ..FunctionOptions::default() };
        if let Some(edge_labels) = edge_labels {
            (options.edge_labels, options.labels_may_be_missing) = (edge_labels, false);
        }
        let json = FunctionJson::open(&open.graph, &options.edge_labels)?;
        let functions = varvite_cpg::functions::Functions::open(Held(open), options)?;
        let len = functions.len();
        Ok((Arc::new(Mutex::new(functions.batches())), json, len))
    });
    let (batches, json, len) = found?;
    Ok(Functions { graph, batches, json, cancel, len })
}

#[pymethods]
impl Functions {
    fn __len__(&self) -> usize {
        self.len
    }

    /// The arrays of the next batch by name, and its texts. `None` at the end.
    fn next_arrays<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<(Bound<'py, PyDict>, Bound<'py, PyList>)>> {
        let Some(batch) = self.next_batch(py)? else { return Ok(None) };
        let texts = PyList::new(py, (0..batch.text_offsets.len() as i64 - 1).map(|index| batch.text(index)))?;
        Ok(Some((arrays_of(py, batch)?, texts)))
    }

    /// The functions of the next batch as lines of JSON. `None` at the end.
    fn next_lines(&self, py: Python<'_>) -> PyResult<Option<Vec<(u32, String)>>> {
        let Some(batch) = self.next_batch(py)? else { return Ok(None) };
        let line = |index: usize| {
            let mut line = Vec::new();
            self.json.write(&batch, index, &mut line).ok()?;
            Some((batch.methods[index], String::from_utf8(line).ok()?))
        };
        let lines = on_this_thread(py, Task::new(), |task| {
            let mut lines = Vec::with_capacity(batch.len());
            for index in 0..batch.len() {
                task.check()?;
                lines.extend(line(index));
            }
            Ok(lines)
        })?;
        Ok(Some(lines))
    }
}

impl Functions {
    fn next_batch(&self, py: Python<'_>) -> PyResult<Option<FunctionBatch>> {
        self.graph.get().open()?;
        let batches = Arc::clone(&self.batches);
        let next = move || Ok(batches.lock().unwrap_or_else(PoisonError::into_inner).next().transpose()?);
        Ok(on_worker(py, &self.cancel, next)?)
    }
}

fn arrays_of(py: Python<'_>, batch: FunctionBatch) -> PyResult<Bound<'_, PyDict>> {
    let arrays = PyDict::new(py);
    arrays.set_item("methods", Array::of_u32(batch.methods))?;
    arrays.set_item("nodes", Array::of_u32(batch.nodes))?;
    let mut edges = batch.sources;
    edges.extend_from_slice(&batch.targets);
    for (name, numbers) in [
        ("node_offsets", batch.node_offsets),
        ("node_types", batch.node_types),
        ("lines", batch.lines),
        ("codes", batch.codes),
        ("edge_offsets", batch.edge_offsets),
        ("edges", edges),
        ("edge_types", batch.edge_types),
        ("token_offsets", batch.token_offsets),
        ("tokens", batch.tokens),
    ] {
        arrays.set_item(name, Array::of(numbers, "<i8"))?;
    }
    Ok(arrays)
}

/// The METHODs at lines of files: for each line the innermost, several if the path is ambiguous.
#[pyfunction]
pub(crate) fn methods_at(
    py: Python<'_>,
    graph: Py<Graph>,
    lines: Vec<(String, u32)>,
    limits: Limits,
) -> PyResult<Vec<Vec<u32>>> {
    let (open, task) = (graph.get().open()?, limits.task()?);
    let (budget, cancel) = (Budget::of(&task), task.flag());
    let found = interruptible(py, cancel, || {
        let files = CodeFiles::of_cancellable(&open.graph, &budget, cancel)?;
        let at = |(path, line): &(String, u32)| -> Result<Vec<u32>> {
            cancel.check()?;
            Ok(files.find(path).iter().flat_map(|file| file.innermost_at(*line)).collect())
        };
        lines.iter().map(at).collect()
    });
    Ok(found?)
}

/// The number of a token, below `ids`.
#[pyfunction]
pub(crate) fn token_number(token: &str, ids: u32) -> i64 {
    token_id(token, ids)
}
