//! Rows of batches as dictionaries of Python.

use std::path::Path;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use varvite::arrow::{ArrayValue, RecordBatch};

use super::answers::title_beside;

/// The number of rows that become objects between two looks for signals.
const ROWS_OF_LOOK: usize = 1 << 12;

/// The rows of a batch: dictionaries by the names of columns, the path of the graph first.
pub(super) fn rows_to_python(py: Python<'_>, path: &Path, batch: &RecordBatch) -> PyResult<Py<PyList>> {
    let title = PyString::new(py, title_beside(batch.fields()));
    let path = path.as_os_str().into_pyobject(py)?;
    let names: Vec<_> = batch.fields().iter().map(|field| PyString::new(py, &field.name)).collect();
    let rows = PyList::empty(py);
    for row in 0..batch.len() {
        if row.is_multiple_of(ROWS_OF_LOOK) {
            py.check_signals()?;
        }
        let cells = PyDict::new(py);
        cells.set_item(&title, &path)?;
        for ((name, field), array) in names.iter().zip(batch.fields().iter()).zip(batch.columns()) {
            cells.set_item(name, value_to_python(py, array.value(&field.data_type, row))?)?;
        }
        rows.append(cells)?;
    }
    Ok(rows.unbind())
}

/// A value: `None` for null, a list for a list, and a dictionary for a struct, such as an edge.
fn value_to_python(py: Python<'_>, value: ArrayValue<'_>) -> PyResult<Py<PyAny>> {
    match value {
        ArrayValue::Bool(value) => value.into_py_any(py),
        ArrayValue::Int(number) => number.into_py_any(py),
        ArrayValue::Uint(number) => number.into_py_any(py),
        ArrayValue::F32(number) => number.into_py_any(py),
        ArrayValue::F64(number) => number.into_py_any(py),
        ArrayValue::Text(text) => text.into_py_any(py),
        ArrayValue::Bytes(bytes) => Ok(PyBytes::new(py, bytes).into_any().unbind()),
        ArrayValue::List(items) => {
            let items = items.into_iter().map(|item| value_to_python(py, item));
            Ok(PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind())
        }
        ArrayValue::Struct(parts) => {
            let fields = PyDict::new(py);
            for (name, part) in parts {
                fields.set_item(name, value_to_python(py, part)?)?;
            }
            Ok(fields.into_any().unbind())
        }
        _ => Ok(py.None()),
    }
}
