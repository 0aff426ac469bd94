//! Whole columns as arrays: the values of a property, and the edges of a label as CSR.
//!
//! A column whose stored numbers have the layout of the array is not copied: the array shows the mapped file.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use varvite::write::Codec;
use varvite::{Direction, Property, ValueType};
use varvite_format::{ColumnId, ColumnRow, Encoding, PropertyId};
use varvite_store::Store;

use super::open::{Graph, Open};
use crate::array::Array;
use crate::failure::{Failure, Result};

/// The number of texts between two looks for signals.
const CODES_OF_LOOK: u32 = 1 << 14;

/// The values of a property in one array.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Column {
    open: Arc<Open>,
    id: PropertyId,
    property: Property,
}

#[pymethods]
impl Graph {
    /// The column of a property of nodes, or of the edges of a label.
    #[pyo3(signature = (name, edge_label=None))]
    fn column(&self, name: &str, edge_label: Option<&str>) -> PyResult<Column> {
        Ok(Column::open(self.open()?, name, edge_label)?)
    }

    /// The edges of a label as CSR: the starts of the lists of all nodes and the end of the last one, and the
    /// neighbours. Both are `<i4` if the numbers fit, otherwise `<i8`.
    fn csr(&self, py: Python<'_>, label: &str, is_out: bool) -> PyResult<(Array, Array)> {
        let open = self.open()?;
        let direction = if is_out { Direction::Out } else { Direction::In };
        Ok(py.detach(|| open.csr(label, direction))?)
    }
}

#[pymethods]
impl Column {
    /// The name of the type of values, as the schema has it.
    #[getter]
    fn value_type(&self) -> &'static str {
        self.property.value_type().name()
    }

    /// Whether an owner may have several values.
    #[getter]
    fn is_list(&self) -> bool {
        self.property.is_list()
    }

    fn __len__(&self) -> usize {
        self.property.value_count()
    }

    /// The owners that have a value, ascending: ids of nodes, or ranks of edges.
    fn owners(&self, py: Python<'_>) -> PyResult<Array> {
        let owners = py.detach(|| self.property.owners().collect());
        self.checked(Array::of_u32(owners))
    }

    /// For lists: the start of each owner's values, and the end of the last.
    fn offsets(&self, py: Python<'_>) -> PyResult<Array> {
        let offsets = py.detach(|| {
            let mut end = 0i64;
            let ends = self.property.owners().map(|owner| {
                end += self.property.range(owner).len() as i64;
                end
            });
            std::iter::once(0).chain(ends).collect::<Vec<i64>>()
        });
        self.checked(Array::of(offsets, "<i8"))
    }

    /// All values, in the order of their owners. Texts are codes. With `stored`, plain numbers of any width
    /// are shown in the mapped file; otherwise only those of the width of the property's type.
    fn values(&self, py: Python<'_>, stored: bool) -> PyResult<Array> {
        if let Some(view) = self.view(stored)? {
            return Ok(view);
        }
        let values = py.detach(|| decoded(&self.property));
        self.checked(values)
    }

    /// The texts that the codes stand for, or the bytes. A code that is the number of texts stands for null.
    fn texts(&self, py: Python<'_>) -> PyResult<Py<PyList>> {
        let list = PyList::empty(py);
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
        self.open.graph.check().map_err(Failure::from)?;
        Ok(list.unbind())
    }
}

impl Column {
    fn open(open: Arc<Open>, name: &str, edge_label: Option<&str>) -> Result<Self> {
        let graph = &open.graph;
        // The methods by name have the error with the nearest name.
        match edge_label {
            None => drop(graph.property_id(name)?),
            Some(label) => drop(graph.edge_property(label, Some(name))?),
        }
        let is_it =
            |info: &varvite::PropertyInfo| info.name == name && info.edge_label.as_deref() == edge_label;
        let found = graph.property_ids().zip(graph.properties()).find(|(_, info)| is_it(info));
        let id = found.map(|(id, _)| id);
        let id = id.ok_or_else(|| Failure::Argument(format!("property {name} has no column")))?;
        let property = graph.property_at(id)?;
        Ok(Self { id, property, open })
    }

    /// The array, if no read of the graph has met damage.
    fn checked(&self, array: Array) -> PyResult<Array> {
        self.open.graph.check().map_err(Failure::from)?;
        Ok(array)
    }

    /// The values in the mapped file, if they are stored as the array has them.
    fn view(&self, stored: bool) -> Result<Option<Array>> {
        let store = self.open.graph.store();
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

/// The layout of an array: the type as NumPy writes it, and the width of a number in bytes.
struct Layout {
    dtype: &'static str,
    width: u8,
}

const fn layout_of(dtype: &'static str, width: u8) -> Layout {
    Layout { dtype, width }
}

fn layout(value_type: ValueType) -> Layout {
    match value_type {
        ValueType::Bool => layout_of("|b1", 1),
        ValueType::I8 => layout_of("|i1", 1),
        ValueType::I16 => layout_of("<i2", 2),
        ValueType::I32 => layout_of("<i4", 4),
        ValueType::I64 => layout_of("<i8", 8),
        ValueType::U8 => layout_of("|u1", 1),
        ValueType::U16 => layout_of("<u2", 2),
        ValueType::U32 | ValueType::Ref | ValueType::String | ValueType::Bytes => layout_of("<u4", 4),
        ValueType::U64 => layout_of("<u8", 8),
        ValueType::F32 => layout_of("<f4", 4),
        ValueType::F64 => layout_of("<f8", 8),
    }
}

fn is_whole(layout: &Layout) -> bool {
    !matches!(layout.dtype, "<f4" | "<f8" | "|b1")
}

/// The layout in which a column stores plain whole numbers.
fn stored_layout(row: &ColumnRow) -> Option<Layout> {
    Some(match (row.width, row.signed) {
        (1, true) => layout_of("|i1", 1),
        (1, false) => layout_of("|u1", 1),
        (2, true) => layout_of("<i2", 2),
        (2, false) => layout_of("<u2", 2),
        (4, true) => layout_of("<i4", 4),
        (4, false) => layout_of("<u4", 4),
        _ => return None,
    })
}

/// The numbers of a column in the mapped file, if they are stored there in numbers of this width. The values
/// of a property fit its type, so that bits of the same width mean the same number, with or without a sign.
fn plain_view(store: &Store, column: ColumnId, layout: Layout) -> Result<Option<Array>> {
    let Some(row) = store.directory().columns.get(column.index()) else { return Ok(None) };
    if !is_plain(row, &layout) || layout.dtype == "|b1" {
        return Ok(None);
    }
    let Some(segment) = row.segments[0] else { return Ok(None) };
    let is_coded = store.directory().segments.get(segment.index()).is_none_or(|row| row.codec != Codec::None);
    if is_coded || !store.is_mapped() {
        return Ok(None);
    }
    let bytes = store.load(segment)?;
    let (len, width) = (row.count as usize, usize::from(layout.width));
    let fits = len.checked_mul(width).is_some_and(|need| need <= bytes.len());
    let is_aligned = bytes.as_ptr().addr().is_multiple_of(width);
    Ok((fits && is_aligned && bytes.is_mapped()).then(|| Array::view(bytes, layout.dtype, len)))
}

fn is_plain(row: &ColumnRow, layout: &Layout) -> bool {
    let is_same = row.base == 0 && !row.relative && row.width == layout.width;
    row.encoding == Encoding::Plain && is_same && cfg!(target_endian = "little")
}

/// All values of a property, decoded to the type of the property.
fn decoded(property: &Property) -> Array {
    fn numbers<T: Send + Sync + 'static>(property: &Property, of: fn(i64) -> T) -> Array {
        let mut numbers = Vec::with_capacity(property.value_count());
        property.for_each(|_, value| numbers.push(of(value)));
        Array::of(numbers, layout(property.value_type()).dtype)
    }
    match property.value_type() {
        ValueType::Bool => numbers(property, |value| u8::from(value != 0)),
        ValueType::I8 => numbers(property, |value| value as i8),
        ValueType::I16 => numbers(property, |value| value as i16),
        ValueType::I32 => numbers(property, |value| value as i32),
        ValueType::I64 | ValueType::U64 => numbers(property, |value| value),
        ValueType::U8 => numbers(property, |value| value as u8),
        ValueType::U16 => numbers(property, |value| value as u16),
        ValueType::U32 | ValueType::Ref | ValueType::String | ValueType::Bytes => {
            numbers(property, |value| value as u32)
        }
        ValueType::F32 => numbers(property, |value| f32::from_bits(value as u32)),
        ValueType::F64 => numbers(property, |value| f64::from_bits(value as u64)),
    }
}

impl Open {
    fn csr(&self, label: &str, direction: Direction) -> Result<(Array, Array)> {
        let adjacency = self.adjacency(label, direction)?;
        let nodes = self.graph.node_count();
        let is_narrow = adjacency.edge_count() <= i32::MAX as u64 && nodes <= i32::MAX as u32;
        let mut ends = Vec::with_capacity(nodes as usize + 1);
        let mut end = 0i64;
        ends.push(end);
        for node in 0..nodes {
            end += adjacency.degree(node) as i64;
            ends.push(end);
        }
        let neighbours = match self.neighbours_view(label, direction, is_narrow)? {
            Some(view) => view,
            None => neighbours(&adjacency, end as usize, is_narrow),
        };
        self.graph.check()?;
        let starts = match is_narrow {
            true => Array::of(ends.iter().map(|end| *end as i32).collect::<Vec<i32>>(), "<i4"),
            false => Array::of(ends, "<i8"),
        };
        Ok((starts, neighbours))
    }

    /// The neighbours in the mapped file, if they are stored as numbers of 32 bits. All of them are less than
    /// 2^31, so it does not matter that the array has a sign.
    fn neighbours_view(&self, label: &str, direction: Direction, is_narrow: bool) -> Result<Option<Array>> {
        let id = self.graph.edge_label(label)?;
        let store = self.graph.store();
        let Some(row) = store.directory().edge_labels.get(id.index()) else { return Ok(None) };
        let side = if direction == Direction::Out { row.out } else { row.in_ };
        match side.neighbors {
            Some(column) if is_narrow && !self.graph.has_changed_edges(id) => {
                plain_view(store, column, layout_of("<i4", 4))
            }
            _ => Ok(None),
        }
    }
}

fn neighbours(adjacency: &varvite::Adjacency, count: usize, is_narrow: bool) -> Array {
    let mut narrow = Vec::new();
    let mut wide = Vec::new();
    match is_narrow {
        true => {
            narrow.reserve(count);
            adjacency.for_each_edge(|_, neighbour| narrow.push(neighbour as i32));
            Array::of(narrow, "<i4")
        }
        false => {
            wide.reserve(count);
            adjacency.for_each_edge(|_, neighbour| wide.push(i64::from(neighbour)));
            Array::of(wide, "<i8")
        }
    }
}
