//! [`Rows`]: a batch of results as columns.
//!
//! Everything is a number with a meaning: an id, a code of a text, a label set, an integer, the bits of a float. Texts are
//! looked up when a cell is asked for, so that a consumer that wants codes pays for no text.

use std::ops::Range;
use std::sync::Arc;

use super::operators::Batch;
use crate::budget::{Budget, OverBudget};
use crate::property::Property;
use crate::value::{Value, ValueType};

/// What rows are.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Nodes,
    Edges,
    Values(ColumnSpec),
    Table(Arc<[ColumnSpec]>),
}

impl Shape {
    /// In the words of errors.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Edges => "edges",
            Self::Values(_) => "values",
            Self::Table(_) => "rows of columns",
        }
    }

    /// The columns of such rows.
    pub(crate) fn columns(&self) -> Vec<ColumnSpec> {
        match self {
            Self::Nodes => vec![ColumnSpec::new("node", Meaning::Node)],
            Self::Edges => vec![ColumnSpec::new("edge", Meaning::Edge)],
            Self::Values(column) => vec![column.clone()],
            Self::Table(columns) => columns.to_vec(),
        }
    }
}

/// A column of results.
#[derive(Clone, Debug)]
pub(crate) struct ColumnSpec {
    pub(crate) name: Arc<str>,
    pub(crate) meaning: Meaning,
    pub(crate) is_list: bool,
}

impl ColumnSpec {
    /// The column of a count.
    pub(crate) fn count() -> Self {
        Self::new("count", Meaning::Plain(ValueType::U64))
    }

    pub(crate) fn new(name: &str, meaning: Meaning) -> Self {
        Self { name: name.into(), meaning, is_list: false }
    }

    pub(crate) fn list(name: &str, meaning: Meaning) -> Self {
        Self { name: name.into(), meaning, is_list: true }
    }
}

/// What a number means.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A node's id.
    Node,
    /// An edge, by its index in the batch.
    Edge,
    /// An element of a path: a node's id, or below zero an edge, minus one minus its index in the batch.
    Element,
    /// An index into names: of label sets, or of edge labels.
    Name(Arc<[String]>),
    /// A number of its own.
    Plain(ValueType),
    /// A value of a property.
    Of(Arc<Property>),
}

impl Meaning {
    /// The type of the values; none for nodes, edges and names.
    pub(crate) fn value_type(&self) -> Option<ValueType> {
        match self {
            Self::Plain(value_type) => Some(*value_type),
            Self::Of(property) => Some(property.value_type()),
            _ => None,
        }
    }

    /// One more than the greatest number, where that is known.
    pub(crate) fn bound(&self, nodes: u32) -> Option<u64> {
        match self {
            Self::Node => Some(u64::from(nodes)),
            Self::Name(names) => Some(names.len() as u64),
            Self::Of(property) => property.strings().map(|strings| u64::from(strings.len()) + 1),
            Self::Edge | Self::Element | Self::Plain(_) => None,
        }
    }
}

/// An edge in a result. Laid out as it stands here: other languages read it in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(C)]
pub struct Edge {
    /// Index of its label in [`Graph::edge_labels`](crate::Graph::edge_labels).
    pub label: u32,
    /// The node it starts at.
    pub source: u32,
    /// The node it leads to.
    pub target: u32,
    /// Its rank among the edges of its label, in the out direction: what edge properties are stored under. For the forest label,
    /// whose edges have no rank, the target. `u32::MAX` for an edge that was reached against its direction in a label
    /// without properties.
    pub rank: u32,
}

impl Edge {
    /// The edge as one number, that of no other edge: its label and its rank.
    pub(crate) fn number(&self) -> i64 {
        i64::from(self.label) << 32 | i64::from(self.rank)
    }
}

/// What a cell holds.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub enum Cell<'r> {
    /// A node's id.
    Node(u32),
    /// An edge.
    Edge(Edge),
    /// A label, or several joined by `&`.
    Label(&'r str),
    /// A value.
    Value(Value<'r>),
}

/// A batch of results. Good until the next is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'r> {
    batch: &'r Batch,
    shape: &'r Shape,
    count: usize,
}

impl<'r> Rows<'r> {
    pub(crate) fn new(batch: &'r Batch, shape: &'r Shape) -> Self {
        Self { batch, shape, count: batch.len(shape) }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The ids, if rows are nodes.
    pub fn nodes(&self) -> Option<&'r [u32]> {
        matches!(self.shape, Shape::Nodes).then_some(&self.batch.nodes)
    }

    /// The edges, if rows are edges.
    pub fn edges(&self) -> Option<&'r [Edge]> {
        matches!(self.shape, Shape::Edges).then_some(&self.batch.edges)
    }

    /// The numbers, if rows are values: integers, truth values, codes of texts, ids or the bits of floats.
    pub fn numbers(&self) -> Option<&'r [i64]> {
        matches!(self.shape, Shape::Values(_)).then_some(&self.batch.numbers)
    }

    /// How many columns there are: one, unless rows are rows of columns.
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
        Some(Column { name, meaning, is_list, data, edges: &batch.edges, count: self.count })
    }

    /// All columns.
    pub fn columns(&self) -> impl Iterator<Item = Column<'r>> + use<'r> {
        let rows = *self;
        (0..self.width()).filter_map(move |index| rows.column(index))
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
    /// Its name: of a property, or `node`, `edge`, `label`, `depth`, `count`, `path`, `nodes`.
    pub fn name(&self) -> &'r str {
        self.name
    }

    /// True if a row has a list of cells.
    pub fn is_list(&self) -> bool {
        self.is_list
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if it has no rows.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The type of its values; none for nodes, edges and labels.
    pub fn value_type(&self) -> Option<ValueType> {
        self.meaning.value_type()
    }

    /// The cell of a row; none where it has none. Of a list the first.
    pub fn get(&self, row: usize) -> Option<Cell<'r>> {
        let numbers = self.numbers_of(row);
        self.cell_at(numbers.start).filter(|_| !numbers.is_empty())
    }

    /// All cells of a row.
    pub fn list(&self, row: usize) -> impl Iterator<Item = Cell<'r>> + use<'r> {
        let column = *self;
        self.numbers_of(row).filter_map(move |index| column.cell_at(index))
    }

    /// The number behind the cell of a row.
    pub fn number(&self, row: usize) -> Option<i64> {
        let numbers = self.numbers_of(row);
        self.number_at(numbers.start).filter(|_| !numbers.is_empty())
    }

    /// Where the numbers of a row are.
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
        })
    }
}

/// A number that belongs to no property.
fn plain_value(value_type: ValueType, number: i64) -> Value<'static> {
    match value_type {
        ValueType::U8 | ValueType::U16 | ValueType::U32 | ValueType::U64 => Value::Uint(number as u64),
        ValueType::F64 => Value::F64(f64::from_bits(number as u64)),
        ValueType::F32 => Value::F32(f32::from_bits(number as u32)),
        ValueType::Bool => Value::Bool(number != 0),
        _ => Value::Int(number),
    }
}

/// The cells of a column of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    pub(crate) numbers: Vec<i64>,
    /// Of lists: where the list of each row ends.
    pub(crate) ends: Vec<u32>,
    /// Of others: whether a row has no cell.
    pub(crate) absent: Vec<bool>,
    pub(crate) refers: Refers,
}

/// What the numbers of cells refer to beside themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Refers {
    #[default]
    Nothing,
    /// Edges of the batch, by their index.
    Edges,
    /// Elements of paths: below zero, edges of the batch.
    Elements,
}

/// The cells of columns before there are rows.
static NO_CELLS: Cells =
    Cells { numbers: Vec::new(), ends: Vec::new(), absent: Vec::new(), refers: Refers::Nothing };

impl Cells {
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.ends.clear();
        self.absent.clear();
    }

    /// Makes room for rows of other cells with so many numbers together, out of a budget, of which `held` bytes are in these
    /// cells and others.
    pub(crate) fn make_room(
        &mut self,
        like: &Cells,
        rows: usize,
        numbers: usize,
        held: &mut usize,
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        match like.is_list() {
            true => budget.make_room(&mut self.ends, rows, held)?,
            false => budget.make_room(&mut self.absent, rows, held)?,
        }
        // A row without a cell has a number all the same.
        budget.make_room(&mut self.numbers, if like.is_list() { numbers } else { rows }, held)
    }

    /// Makes room for some lists with so many numbers together.
    pub(crate) fn reserve(&mut self, lists: usize, numbers: usize) {
        self.ends.reserve(lists);
        self.numbers.reserve(numbers);
    }

    /// Ends the list of a row: the numbers since the one before.
    pub(crate) fn end_list(&mut self) {
        self.ends.push(self.numbers.len() as u32);
    }

    /// How many numbers a row has.
    pub(crate) fn count(&self, row: usize) -> usize {
        self.range(row, self.is_list()).len()
    }

    /// Appends a row of at most one number.
    pub(crate) fn push(&mut self, number: Option<i64>) {
        self.numbers.push(number.unwrap_or(0));
        self.absent.push(number.is_none());
    }

    /// Appends a row of many.
    pub(crate) fn push_list(&mut self, numbers: impl Iterator<Item = i64>) {
        self.numbers.extend(numbers);
        self.end_list();
    }

    /// Appends a row of other cells; `keep` gives the edge of an index a new index.
    pub(crate) fn push_row(&mut self, from: &Cells, row: usize, mut keep: impl FnMut(usize) -> usize) {
        self.refers = from.refers;
        let is_list = from.is_list();
        let range = from.range(row, is_list);
        let numbers = from.numbers.get(range.clone()).unwrap_or(&[]).iter().map(|number| match from.refers {
            Refers::Edges => keep(*number as usize) as i64,
            Refers::Elements if *number < 0 => -1 - keep((-1 - *number) as usize) as i64,
            _ => *number,
        });
        match is_list {
            true => self.push_list(numbers),
            false => {
                let mut numbers = numbers;
                self.push(numbers.next());
            }
        }
    }

    /// What a row is sorted by: its number, and of a list how many it holds.
    pub(crate) fn key(&self, row: usize, edges: &[Edge]) -> Option<i64> {
        let range = self.range(row, self.is_list());
        if self.is_list() {
            return Some(range.len() as i64);
        }
        let number = self.numbers.get(range)?.first().copied()?;
        match self.refers {
            Refers::Edges => edges.get(usize::try_from(number).ok()?).map(Edge::number),
            _ => Some(number),
        }
    }

    /// Whether rows have lists; false as long as there is no row.
    fn is_list(&self) -> bool {
        !self.ends.is_empty()
    }

    /// How many rows it has, lists or not.
    pub(crate) fn rows(&self) -> usize {
        self.ends.len().max(self.absent.len())
    }

    fn range(&self, row: usize, is_list: bool) -> Range<usize> {
        if is_list {
            let start = row.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
            return match (start, self.ends.get(row)) {
                (Some(start), Some(end)) => start as usize..*end as usize,
                _ => 0..0,
            };
        }
        match self.absent.get(row) {
            Some(false) => row..row + 1,
            _ => 0..0,
        }
    }

    /// How many rows it has.
    pub(crate) fn len(&self, is_list: bool) -> usize {
        if is_list { self.ends.len() } else { self.absent.len() }
    }

    pub(crate) fn bytes(&self) -> usize {
        8 * self.numbers.capacity() + 4 * self.ends.capacity() + self.absent.capacity()
    }
}
