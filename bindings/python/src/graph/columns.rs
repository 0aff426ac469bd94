//! Whole columns as arrays: the values of a property with their owners.
//!
//! A column whose stored numbers have the layout of the array is not copied: the array shows the mapped file.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use varvite::{Property, Task, ValueType};
use varvite_format::PropertyId;

use super::layout::{Layout, is_whole, layout, plain_view, stored_layout};
use super::open::{Graph, Open};
use super::values::Values;
use crate::array::Array;
use crate::failure::{Failure, Result};
use crate::interrupt::{collected, on_this_thread};

/// The number of texts between two looks for signals.
const CODES_OF_LOOK: u32 = 1 << 14;

/// The values of a property in one array.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Column {
    graph: Py<Graph>,
    id: PropertyId,
    property: Property,
}

#[pymethods]
impl Graph {
    /// The column of a property of nodes, or of the edges of a label.
    #[pyo3(signature = (name, edge_label=None))]
    fn column(slf: Py<Self>, py: Python<'_>, name: &str, edge_label: Option<&str>) -> PyResult<Column> {
        let open = slf.get().open()?;
        let (id, property) = py.detach(|| opened(&open, name, edge_label))?;
        Ok(Column { graph: slf, id, property })
    }
}

#[pymethods]
impl Column {
    /// The name of the type of values, as the schema has it.
    #[getter]
    fn value_type(&self) -> &'static str {
        self.property.value_type().name()
    }

    /// The name of the type of the array of values, as NumPy writes it.
    #[getter]
    fn dtype(&self) -> &'static str {
        layout(self.property.value_type()).dtype
    }

    /// Whether an owner may have several values.
    #[getter]
    fn is_list(&self) -> bool {
        self.property.is_list()
    }

    fn __len__(&self) -> PyResult<usize> {
        self.open_graph()?;
        Ok(self.property.value_count())
    }

    /// The owners that have a value, ascending: ids of nodes, or ranks of edges.
    fn owners(&self, py: Python<'_>) -> PyResult<Array> {
        self.open_graph()?;
        let owners = on_this_thread(py, Task::new(), |task| collected(self.property.owners(), task))?;
        self.checked(Array::of_u32(owners))
    }

    /// For lists: the start of each owner's values, and the end of the last.
    fn offsets(&self, py: Python<'_>) -> PyResult<Array> {
        self.open_graph()?;
        let offsets = on_this_thread(py, Task::new(), |task| {
            let mut end = 0i64;
            let ends = self.property.owners().map(|owner| {
                end += self.property.range(owner).len() as i64;
                end
            });
            collected(std::iter::once(0).chain(ends), task)
        })?;
        self.checked(Array::of(offsets, "<i8"))
    }

    /// All values, in the order of their owners. Texts are codes. With `stored`, plain numbers of any width
    /// are shown in the mapped file; otherwise only those of the width of the property's type.
    fn values(&self, py: Python<'_>, stored: bool) -> PyResult<Array> {
        if let Some(view) = self.view(stored)? {
            return Ok(view);
        }
        let values = on_this_thread(py, Task::new(), |task| Values::of(&self.property).array(task))?;
        self.checked(values)
    }

    /// The values of some owners from the id `start` on, and the id after those; `None` at the end. A view of
    /// the mapped file has all values at once.
    fn part(&self, py: Python<'_>, start: u32) -> PyResult<Option<(Array, u32)>> {
        if let Some(view) = self.view(false)? {
            return Ok((start == 0).then_some((view, u32::MAX)));
        }
        let found = py.detach(|| {
            let mut values = Values::from(&self.property, start);
            values.part().map(|array| (array, values.start()))
        });
        found.map(|(array, next)| Ok((self.checked(array)?, next))).transpose()
    }

    /// The texts that the codes stand for, or the bytes. A code that is the number of texts stands for null.
    fn texts(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
        let (open, list) = (self.open_graph()?, PyList::empty(py));
        let Some(texts) = self.property.strings() else { return Ok(list.unbind()) };
        let (mut reader, is_text) = (texts.reader(), self.property.value_type() == ValueType::String);
        for code in 0..texts.len() {
            if code % CODES_OF_LOOK == 0 {
                py.check_signals()?;
            }
            match is_text {
                true => list.append(reader.str(code).unwrap_or_default())?,
                false => list.append(PyBytes::new(py, reader.bytes(code).unwrap_or_default()))?,
            }
        }
        open.graph.check().map_err(Failure::from)?;
        Ok(list.unbind())
    }
}

impl Column {
    /// The graph, if it is still open.
    fn open_graph(&self) -> Result<Arc<Open>> {
        self.graph.get().open()
    }

    /// The array, if no read of the graph has met damage.
    fn checked(&self, array: Array) -> PyResult<Array> {
        self.open_graph()?.graph.check().map_err(Failure::from)?;
        Ok(array)
    }

    /// The values in the mapped file, if they are stored as the array has them.
    fn view(&self, stored: bool) -> Result<Option<Array>> {
        let open = self.open_graph()?;
        let store = open.graph.store();
        let Some(row) = store.directory().properties.get(self.id.index()) else { return Ok(None) };
        if self.property.change.is_some() {
            return Ok(None);
        }
        let declared = layout(self.property.value_type());
        let of_file = store.directory().columns.get(row.values.index()).and_then(stored_layout);
        let is_narrower = |of_file: &Layout| stored && of_file.width < declared.width && is_whole(&declared);
        plain_view(store, row.values, of_file.filter(is_narrower).unwrap_or(declared))
    }
}

/// The id of a property, and its column. Opening may decode it.
fn opened(open: &Open, name: &str, edge_label: Option<&str>) -> Result<(PropertyId, Property)> {
    let graph = &open.graph;
    // The methods by name have the error with the nearest name.
    match edge_label {
        None => drop(graph.property_id(name)?),
        Some(label) => drop(graph.edge_property(label, Some(name))?),
    }
    let is_it = |info: &varvite::PropertyInfo| info.name == name && info.edge_label.as_deref() == edge_label;
    let found = graph.property_ids().zip(graph.properties()).find(|(_, info)| is_it(info));
    let id = found.map(|(id, _)| id);
    let id = id.ok_or_else(|| Failure::Argument(format!("property {name} has no column")))?;
    Ok((id, graph.property_at(id)?))
}
