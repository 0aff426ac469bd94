//! [`Rows`]: a batch of results as columns.
//!
//! Cells are stored as numbers: an id, a code of a text, a label set, an integer, the bits of a float. Texts
//! are looked up when the caller reads a cell, so a consumer that reads only codes does not pay for texts.

use std::iter::FusedIterator;
use std::ops::Range;
use std::sync::Arc;

use super::batch::Batch;
use super::cells::{Cells, NO_CELLS};
use super::columns::ColumnKind;
use super::element::Edge;
use super::shape::{Meaning, Shape};
use super::text_pool::TextPool;
use varvite_graph::{Texts, Value, ValueType};

/// The content of a cell.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub enum Cell<'r> {
    /// A node's id.
    Node(u32),
    /// An edge.
    Edge(Edge),
    /// A label, or several labels joined by `&`.
    Label(&'r str),
    /// A value.
    Value(Value<'r>),
}

/// A batch of results. It is valid until the next batch is requested.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'r> {
    batch: &'r Batch,
    shape: &'r Shape,
    /// The texts that the run has computed.
    texts: &'r Arc<TextPool>,
    count: usize,
}

impl<'r> Rows<'r> {
    pub(crate) fn new(batch: &'r Batch, shape: &'r Shape, texts: &'r Arc<TextPool>) -> Self {
        Self { batch, shape, texts, count: batch.len(shape) }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the batch has no rows.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The ids of nodes. `None` unless rows are nodes.
    pub fn nodes(&self) -> Option<&'r [u32]> {
        matches!(self.shape, Shape::Nodes).then_some(&self.batch.nodes)
    }

    /// The edges. `None` unless rows are edges.
    pub fn edges(&self) -> Option<&'r [Edge]> {
        matches!(self.shape, Shape::Edges).then_some(&self.batch.edges)
    }

    /// The numbers: integers, truth values, codes of texts, ids or the bits of floats. `None` unless rows are
    /// values.
    pub fn numbers(&self) -> Option<&'r [i64]> {
        matches!(self.shape, Shape::Values(_)).then_some(&self.batch.numbers)
    }

    /// The number of columns: one, unless the rows are those of a table.
    pub fn width(&self) -> usize {
        match self.shape {
            Shape::Table(columns) => columns.len(),
            _ => 1,
        }
    }

    /// A column, by its index.
    pub fn column(&self, index: usize) -> Option<Column<'r>> {
        let batch = self.batch;
        let (name, meaning, is_list, data) = match self.shape {
            Shape::Nodes if index == 0 => ("node", &Meaning::Node, false, Data::Nodes(&batch.nodes)),
            Shape::Edges if index == 0 => ("edge", &Meaning::Edge, false, Data::Edges),
            Shape::Values(spec) if index == 0 => {
                (&*spec.name, &spec.meaning, false, Data::Numbers(&batch.numbers))
            }
            Shape::Table(columns) => {
                let (spec, cells) = (columns.get(index)?, batch.table.get(index).unwrap_or(&NO_CELLS));
                (&*spec.name, &spec.meaning, spec.is_list, Data::Cells(cells))
            }
            _ => return None,
        };
        let texts = &**self.texts;
        Some(Column { name, meaning, is_list, data, edges: &batch.edges, texts, count: self.count })
    }

    /// All columns.
    pub fn columns(&self) -> Columns<'r> {
        Columns { rows: *self, left: 0..self.width() }
    }
}

impl Rows<'_> {
    /// A copy of the rows that remains valid after the next batch and may be sent to another thread. It
    /// copies numbers, but no texts: it keeps all texts that the run computes.
    pub fn to_kept(&self) -> KeptRows {
        let Batch { nodes, edges, numbers, table, .. } = self.batch;
        let (nodes, edges, numbers, table) = (nodes.clone(), edges.clone(), numbers.clone(), table.clone());
        let batch = Batch { nodes, edges, numbers, table, ..Batch::default() };
        KeptRows { batch, shape: self.shape.clone(), texts: self.texts.clone() }
    }
}

/// A batch of results that stays valid after the next batch is requested.
#[derive(Clone, Debug)]
pub struct KeptRows {
    batch: Batch,
    shape: Shape,
    texts: Arc<TextPool>,
}

impl KeptRows {
    /// A view of the rows, with the same methods as a batch that a run returns.
    pub fn rows(&self) -> Rows<'_> {
        Rows::new(&self.batch, &self.shape, &self.texts)
    }
}

/// A column of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Column<'r> {
    name: &'r str,
    meaning: &'r Meaning,
    is_list: bool,
    data: Data<'r>,
    edges: &'r [Edge],
    texts: &'r TextPool,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
enum Data<'r> {
    Nodes(&'r [u32]),
    Edges,
    Numbers(&'r [i64]),
    Cells(&'r Cells),
}

impl<'r> Column<'r> {
    /// The column's name: that of a property or an aggregate, or `node`, `edge`, `label`, `depth`, `count`,
    /// `path` or `nodes`.
    pub fn name(&self) -> &'r str {
        self.name
    }

    /// The kind of the column's cells.
    pub fn kind(&self) -> ColumnKind {
        self.meaning.kind()
    }

    /// Whether a row has a list of cells.
    pub fn is_list(&self) -> bool {
        self.is_list
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether the column has no rows.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The type of the column's values. `None` for nodes, edges and labels.
    pub fn value_type(&self) -> Option<ValueType> {
        self.meaning.value_type()
    }

    /// The table of texts to which the column's numbers, as codes, refer. `None` unless the column has
    /// strings or byte strings of a property; texts that the run has computed are in no table.
    pub fn texts(&self) -> Option<&'r Texts> {
        match self.meaning {
            Meaning::Of(property) => property.strings(),
            _ => None,
        }
    }

    /// The names of labels to which the column's numbers, as indexes, refer. `None` unless the column has
    /// labels.
    pub fn names(&self) -> Option<&'r [String]> {
        match self.meaning {
            Meaning::Name(names) => Some(names),
            _ => None,
        }
    }

    /// The cell of a row. For a list, its first item. `None` if the cell is null or the list is empty.
    pub fn get(&self, row: usize) -> Option<Cell<'r>> {
        let numbers = self.numbers_of(row);
        self.cell_at(numbers.start).filter(|_| !numbers.is_empty())
    }

    /// All cells of a row.
    pub fn list(&self, row: usize) -> RowCells<'r> {
        RowCells { column: *self, left: self.numbers_of(row) }
    }

    /// The stored number of a row's cell. `None` if the cell is null or the list is empty.
    pub fn number(&self, row: usize) -> Option<i64> {
        let numbers = self.numbers_of(row);
        self.number_at(numbers.start).filter(|_| !numbers.is_empty())
    }

    /// The indexes of a row's numbers.
    pub(crate) fn numbers_of(&self, row: usize) -> Range<usize> {
        match self.data {
            Data::Cells(cells) => cells.range(row, self.is_list),
            _ if row < self.count => row..row + 1,
            _ => 0..0,
        }
    }

    pub(crate) fn number_at(&self, index: usize) -> Option<i64> {
        match self.data {
            Data::Nodes(nodes) => nodes.get(index).map(|node| i64::from(*node)),
            Data::Edges => Some(index as i64),
            Data::Numbers(numbers) => numbers.get(index).copied(),
            Data::Cells(cells) => cells.numbers.get(index).copied(),
        }
    }

    pub(crate) fn cell_at(&self, index: usize) -> Option<Cell<'r>> {
        let number = self.number_at(index)?;
        let edge = |index: i64| self.edges.get(usize::try_from(index).ok()?).copied().map(Cell::Edge);
        Some(match self.meaning {
            Meaning::Node => Cell::Node(number as u32),
            Meaning::Edge => edge(number)?,
            Meaning::Element if number < 0 => edge(-1 - number)?,
            Meaning::Element => Cell::Node(number as u32),
            Meaning::Name(names) => Cell::Label(names.get(usize::try_from(number).ok()?)?),
            Meaning::Plain(value_type) => Cell::Value(plain_value(*value_type, number)),
            Meaning::Of(property) => Cell::Value(property.value_of(number, 0)),
            Meaning::Text => Cell::Value(Value::Str(self.texts.get(number)?.into())),
        })
    }
}

/// The columns of a batch.
#[derive(Clone, Debug)]
pub struct Columns<'r> {
    rows: Rows<'r>,
    left: Range<usize>,
}

impl<'r> Iterator for Columns<'r> {
    type Item = Column<'r>;

    fn next(&mut self) -> Option<Column<'r>> {
        self.rows.column(self.left.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl DoubleEndedIterator for Columns<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.rows.column(self.left.next_back()?)
    }
}

impl ExactSizeIterator for Columns<'_> {}

impl FusedIterator for Columns<'_> {}

/// The cells of a row in one column.
#[derive(Clone, Debug)]
pub struct RowCells<'r> {
    column: Column<'r>,
    left: Range<usize>,
}

impl<'r> Iterator for RowCells<'r> {
    type Item = Cell<'r>;

    fn next(&mut self) -> Option<Cell<'r>> {
        self.left.find_map(|index| self.column.cell_at(index))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.left.len()))
    }
}

impl DoubleEndedIterator for RowCells<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.left.by_ref().rev().find_map(|index| self.column.cell_at(index))
    }
}

impl FusedIterator for RowCells<'_> {}

/// The value of a stored number that is not the value of a property, such as a count.
fn plain_value(value_type: ValueType, number: i64) -> Value<'static> {
    match value_type {
        ValueType::U8 | ValueType::U16 | ValueType::U32 | ValueType::U64 => Value::Uint(number as u64),
        ValueType::F64 => Value::F64(f64::from_bits(number as u64)),
        ValueType::F32 => Value::F32(f32::from_bits(number as u32)),
        ValueType::Bool => Value::Bool(number != 0),
        _ => Value::Int(number),
    }
}
