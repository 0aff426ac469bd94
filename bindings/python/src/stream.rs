//! Results and parts of a graph as Arrow streams, in the capsules of Arrow's PyCapsule interface.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use varvite::arrow::{RecordBatch, TextForm, edges};
use varvite_arrow::OwnedStream;

use crate::failure::Result;
use crate::graph::Graph;
use crate::options::Limits;
use crate::plan::Plan;

#[pymethods]
impl Plan {
    /// A new stream of the rows of this plan. With `dictionaries`, texts are codes into a dictionary of each
    /// batch.
    fn stream<'py>(
        &self,
        py: Python<'py>,
        limits: Limits,
        dictionaries: bool,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let (open, options) = (self.open()?, limits.options()?);
        let form = if dictionaries { TextForm::Dictionary } else { TextForm::Full };
        let batches = self.compiled().run_arrow_as(options, form);
        capsule(py, OwnedStream::new(Arc::clone(batches.fields()), Box::new(batches), Box::new(open)))
    }
}

#[pymethods]
impl Graph {
    /// A new stream of the edges of a label: `source`, `target`, and `rank` if it is not the number of the
    /// row.
    fn edge_stream<'py>(&self, py: Python<'py>, label: &str) -> PyResult<Bound<'py, PyCapsule>> {
        let open = self.open()?;
        let batch = py.detach(|| -> Result<RecordBatch> {
            let id = open.graph.edge_label(label)?;
            Ok(edges(&open.graph, id)?)
        })?;
        let fields = Arc::clone(batch.fields());
        capsule(py, OwnedStream::new(fields, Box::new(std::iter::once(Ok(batch))), Box::new(())))
    }
}

fn capsule(py: Python<'_>, stream: OwnedStream) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
