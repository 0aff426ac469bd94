//! Values and cells of results as Python objects.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use varvite::pipeline::{Cell, Column, Edge, Literal};
use varvite::{Graph, Value};

/// A value: `None` for null, the id of the node for a reference.
pub(crate) fn value_to_python(py: Python<'_>, value: Value<'_>) -> PyResult<Py<PyAny>> {
    match value {
        Value::Bool(value) => value.into_py_any(py),
        Value::Int(value) => value.into_py_any(py),
        Value::Uint(value) => value.into_py_any(py),
        Value::F32(value) => value.into_py_any(py),
        Value::F64(value) => value.into_py_any(py),
        Value::Str(value) => Ok(PyString::new(py, &value).into_any().unbind()),
        Value::Bytes(value) => Ok(PyBytes::new(py, &value).into_any().unbind()),
        Value::Ref(node) => node.into_py_any(py),
        Value::Null => Ok(py.None()),
    }
}

/// An edge: the name of its label, its source, its target and its rank; `None` if its rank is unknown.
pub(crate) fn edge_to_python(py: Python<'_>, graph: &Graph, edge: Edge) -> PyResult<Py<PyAny>> {
    let label = graph.edge_labels().get(edge.label.index()).map_or("", |label| label.name.as_str());
    let rank = (edge.rank != u32::MAX).then_some(edge.rank);
    (label, edge.source, edge.target, rank).into_py_any(py)
}

fn cell_to_python(py: Python<'_>, graph: &Graph, cell: Cell<'_>) -> PyResult<Py<PyAny>> {
    match cell {
        Cell::Node(node) => node.into_py_any(py),
        Cell::Edge(edge) => edge_to_python(py, graph, edge),
        Cell::Label(label) => label.into_py_any(py),
        Cell::Value(value) => value_to_python(py, value),
        _ => Ok(py.None()),
    }
}

/// The cell of a row, or the list of its cells.
pub(crate) fn row_to_python(
    py: Python<'_>,
    graph: &Graph,
    column: &Column<'_>,
    row: usize,
) -> PyResult<Py<PyAny>> {
    if !column.is_list() {
        return column.get(row).map_or(Ok(py.None()), |cell| cell_to_python(py, graph, cell));
    }
    let cells = column.list(row).map(|cell| cell_to_python(py, graph, cell));
    Ok(PyList::new(py, cells.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind())
}

/// A constant.
pub(crate) fn literal_to_python(py: Python<'_>, literal: &Literal) -> PyResult<Py<PyAny>> {
    match literal {
        Literal::Bool(value) => value.into_py_any(py),
        Literal::Int(value) => value.into_py_any(py),
        Literal::Uint(value) => value.into_py_any(py),
        Literal::Float(value) => value.into_py_any(py),
        Literal::Text(value) => value.into_py_any(py),
    }
}
