//! Results and parts of a graph as Arrow streams, in the capsules of Arrow's PyCapsule interface.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use varvite::arrow::TextForm;
use varvite_arrow::OwnedStream;

use crate::failure::Result;
use crate::graph::Graph;
use crate::interrupt::of_stream;
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
        let (open, mut options) = (self.open()?, limits.options()?);
        options.task = of_stream(py, options.task)?;
        let form = if dictionaries { TextForm::Dictionary } else { TextForm::Full };
        let batches = self.compiled().run_arrow_as(options, form);
        capsule(py, OwnedStream::new(Arc::clone(batches.fields()), batches, Box::new(open)))
    }
}

/// The nodes or the edges of a label with chosen properties.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Table {
    graph: Py<Graph>,
    table: varvite::arrow::Table,
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.table.fields().iter().map(|field| field.name.clone()).collect()
    }

    /// A new stream of the rows; of those whose nodes, or whose sources, are in a range of ids, if there is
    /// one.
    #[pyo3(signature = (limits, nodes=None))]
    fn stream<'py>(
        &self,
        py: Python<'py>,
        limits: Limits,
        nodes: Option<(u32, u32)>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let (open, mut options) = (self.graph.get().open()?, limits.options()?);
        options.task = of_stream(py, options.task)?;
        let (start, end) = nodes.unwrap_or((0, u32::MAX));
        let batches = self.table.clone().within(start..end).batches(options);
        capsule(py, OwnedStream::new(Arc::clone(batches.fields()), batches, Box::new(open)))
    }
}

/// The nodes with a label, or all nodes, as a table with some of their properties.
#[pyfunction]
pub(crate) fn node_table(
    py: Python<'_>,
    graph: Py<Graph>,
    label: Option<&str>,
    columns: Vec<String>,
) -> PyResult<Table> {
    let open = graph.get().open()?;
    let table = || -> Result<varvite::arrow::Table> {
        let label = label.map(|label| open.graph.label(label)).transpose()?;
        let ids = columns.iter().map(|name| Ok(open.graph.property_id(name)?)).collect::<Result<Vec<_>>>()?;
        Ok(varvite::arrow::Table::of_nodes(&open.graph, label, &ids)?)
    };
    let table = py.detach(table)?;
    Ok(Table { graph, table })
}

/// All nodes as a table with their labels and some of their properties.
#[pyfunction]
pub(crate) fn labelled_node_table(py: Python<'_>, graph: Py<Graph>, columns: Vec<String>) -> PyResult<Table> {
    let open = graph.get().open()?;
    let table = || -> Result<varvite::arrow::Table> {
        let ids = columns.iter().map(|name| Ok(open.graph.property_id(name)?)).collect::<Result<Vec<_>>>()?;
        Ok(varvite::arrow::Table::of_labelled_nodes(&open.graph, &ids)?)
    };
    let table = py.detach(table)?;
    Ok(Table { graph, table })
}

/// The edges of a label as a table with some of their properties, or with all.
#[pyfunction]
pub(crate) fn edge_table(
    py: Python<'_>,
    graph: Py<Graph>,
    label: &str,
    columns: Option<Vec<String>>,
) -> PyResult<Table> {
    let open = graph.get().open()?;
    let table = || -> Result<varvite::arrow::Table> {
        let id = open.graph.edge_label(label)?;
        let ids = match columns {
            Some(names) => {
                let id_of = |name: &String| Ok(open.graph.edge_property_id(label, name)?);
                names.iter().map(id_of).collect::<Result<Vec<_>>>()?
            }
            None => open.graph.edge_property_ids(label),
        };
        Ok(varvite::arrow::Table::of_edges(&open.graph, id, &ids)?)
    };
    let table = py.detach(table)?;
    Ok(Table { graph, table })
}

fn capsule(py: Python<'_>, stream: OwnedStream) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
