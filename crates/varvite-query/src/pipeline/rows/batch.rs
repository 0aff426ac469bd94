//! [`Batch`]: a batch of rows, stored as vectors of ids, values, depths and other data. The kind of rows
//! determines which of these vectors are used.

use std::ops::Range;

use super::cells::{Cells, Refers};
use super::element::{Edge, Element};
use super::shape::Shape;
use varvite_graph::{Budget, OverBudget};

/// A batch of rows. Its buffers are reused for the next batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    pub(crate) nodes: Vec<u32>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) numbers: Vec<i64>,
    pub(crate) table: Vec<Cells>,
    /// Keys that the operator `compute` made for the operator after it. Copies of rows do not have them.
    pub(crate) computed: Vec<Cells>,
    /// The trail of each row. Empty unless the plan needs trails.
    pub(crate) trail: Vec<u32>,
    /// The depth of each row in the last `repeat` (the number of runs of its body). Empty unless the plan
    /// uses depths.
    pub(crate) depth: Vec<u32>,
}

/// The data that rows carry for later steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Carried {
    /// Whether rows carry trails.
    pub(crate) trail: bool,
    /// Whether rows carry their depth in the last `repeat`.
    pub(crate) depth: bool,
}

impl Batch {
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.numbers.clear();
        self.table.iter_mut().chain(&mut self.computed).for_each(Cells::clear);
        self.trail.clear();
        self.depth.clear();
    }

    /// The number of rows.
    pub(crate) fn len(&self, shape: &Shape) -> usize {
        match shape {
            Shape::Nodes => self.nodes.len(),
            Shape::Edges => self.edges.len(),
            Shape::Values(_) => self.numbers.len(),
            Shape::Table(columns) => {
                let first = self.table.first().zip(columns.first());
                first.map_or(0, |(cells, column)| cells.len(column.is_list))
            }
        }
    }

    /// The number of rows, whatever their kind.
    pub(crate) fn rows(&self) -> usize {
        match self.table.first() {
            Some(cells) => cells.rows(),
            None => self.nodes.len().max(self.edges.len()).max(self.numbers.len()),
        }
    }

    /// The row at an index, which is a node, an edge or a value. `None` for other rows.
    #[inline]
    pub(crate) fn element(&self, row: usize) -> Option<Element> {
        if let Some(node) = self.nodes.get(row) {
            return Some(Element::Node(*node));
        }
        if let Some(edge) = self.edges.get(row) {
            return Some(Element::Edge(*edge));
        }
        self.numbers.get(row).map(|number| Element::Number(*number))
    }

    /// Appends a row without carried data.
    pub(crate) fn push(&mut self, element: Element) {
        match element {
            Element::Node(node) => self.nodes.push(node),
            Element::Edge(edge) => self.edges.push(edge),
            Element::Number(number) => self.numbers.push(number),
        }
    }

    /// Appends row `row` of another batch with its carried data.
    #[inline]
    pub(crate) fn push_row(&mut self, from: &Batch, row: usize, carried: Carried) {
        if !from.table.is_empty() {
            self.push_cells(from, row);
        } else if let Some(element) = from.element(row) {
            self.push(element);
        }
        self.push_carried(from, row, carried);
    }

    /// Appends a table row of another batch, and the edges to which the row refers.
    fn push_cells(&mut self, from: &Batch, row: usize) {
        self.table.resize_with(from.table.len(), Cells::default);
        let edges = &mut self.edges;
        for (cells, other) in self.table.iter_mut().zip(&from.table) {
            cells.push_row(other, row, |index| {
                edges.extend(from.edges.get(index));
                edges.len().saturating_sub(1)
            });
        }
    }

    /// Appends the depth and trail of a row of another batch.
    #[inline]
    pub(crate) fn push_carried(&mut self, from: &Batch, row: usize, carried: Carried) {
        if carried.trail {
            self.trail.push(from.trail.get(row).copied().unwrap_or(u32::MAX));
        }
        if carried.depth {
            self.depth.push(from.depth.get(row).copied().unwrap_or(0));
        }
    }

    /// Replaces the row at index `place` by row `row` of another batch, with its carried data.
    pub(crate) fn replace_row(&mut self, place: usize, from: &Batch, row: usize, carried: Carried) {
        match from.element(row) {
            Some(Element::Node(node)) => self.nodes[place] = node,
            Some(Element::Edge(edge)) => self.edges[place] = edge,
            Some(Element::Number(number)) => self.numbers[place] = number,
            None => return,
        }
        if carried.trail {
            self.trail[place] = from.trail.get(row).copied().unwrap_or(u32::MAX);
        }
        if carried.depth {
            self.depth[place] = from.depth.get(row).copied().unwrap_or(0);
        }
    }

    /// Makes room for `rows` rows with the same vectors as another batch uses, so that these vectors do not
    /// grow in small steps.
    pub(crate) fn reserve_like(&mut self, other: &Batch, rows: usize) {
        fn reserve<T>(vector: &mut Vec<T>, like: &[T], rows: usize) {
            if !like.is_empty() {
                vector.reserve(rows.saturating_sub(vector.len()));
            }
        }
        reserve(&mut self.nodes, &other.nodes, rows);
        reserve(&mut self.edges, &other.edges, rows);
        reserve(&mut self.numbers, &other.numbers, rows);
        reserve(&mut self.trail, &other.trail, rows);
        reserve(&mut self.depth, &other.depth, rows);
    }

    /// Makes room for rows of another batch, and charges the memory to a budget. `held` is the number of
    /// bytes that this batch has already charged.
    pub(crate) fn make_room(
        &mut self,
        from: &Batch,
        rows: impl ExactSizeIterator<Item = usize> + Clone,
        held: &mut usize,
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        let count = rows.len();
        if !from.table.is_empty() {
            return self.make_room_for_cells(from, rows, held, budget);
        }
        fn room<T>(
            vector: &mut Vec<T>,
            like: &[T],
            rows: usize,
            (held, budget): (&mut usize, &Budget),
        ) -> Result<(), OverBudget> {
            if like.is_empty() { Ok(()) } else { budget.make_room(vector, rows, held) }
        }
        room(&mut self.nodes, &from.nodes, count, (held, budget))?;
        room(&mut self.edges, &from.edges, count, (held, budget))?;
        room(&mut self.numbers, &from.numbers, count, (held, budget))?;
        room(&mut self.trail, &from.trail, count, (held, budget))?;
        room(&mut self.depth, &from.depth, count, (held, budget))
    }

    fn make_room_for_cells(
        &mut self,
        from: &Batch,
        rows: impl ExactSizeIterator<Item = usize> + Clone,
        held: &mut usize,
        budget: &Budget,
    ) -> Result<(), OverBudget> {
        self.table.resize_with(from.table.len(), Cells::default);
        for (cells, other) in self.table.iter_mut().zip(&from.table) {
            let numbers = rows.clone().map(|row| other.count(row)).sum();
            cells.make_room(other, rows.len(), numbers, held, budget)?;
            if other.refers != Refers::Nothing && !from.edges.is_empty() {
                budget.make_room(&mut self.edges, numbers, held)?;
            }
        }
        Ok(())
    }

    /// Appends all rows of another batch with their carried data.
    pub(crate) fn push_all(&mut self, from: &Batch) {
        self.push_range(from, 0..from.rows());
    }

    /// Appends a range of rows of another batch with their carried data.
    pub(crate) fn push_range(&mut self, from: &Batch, rows: Range<usize>) {
        if !from.table.is_empty() {
            return rows.for_each(|row| self.push_cells(from, row));
        }
        push_part(&mut self.trail, &from.trail, &rows);
        push_part(&mut self.depth, &from.depth, &rows);
        self.push_elements(from, rows);
    }

    /// Appends a range of nodes, edges or values of another batch, without carried data.
    pub(crate) fn push_elements(&mut self, from: &Batch, rows: Range<usize>) {
        push_part(&mut self.nodes, &from.nodes, &rows);
        push_part(&mut self.edges, &from.edges, &rows);
        push_part(&mut self.numbers, &from.numbers, &rows);
    }

    /// Appends the rows of another batch at the indexes `rows`, with their carried data.
    pub(crate) fn push_rows(&mut self, from: &Batch, rows: &[u32], carried: Carried) {
        if !from.table.is_empty() {
            return rows.iter().for_each(|row| self.push_cells(from, *row as usize));
        }
        if !from.nodes.is_empty() {
            self.nodes.extend(rows.iter().filter_map(|row| from.nodes.get(*row as usize)));
        } else if !from.edges.is_empty() {
            self.edges.extend(rows.iter().filter_map(|row| from.edges.get(*row as usize)));
        } else {
            self.numbers.extend(rows.iter().filter_map(|row| from.numbers.get(*row as usize)));
        }
        if carried.trail || carried.depth {
            rows.iter().for_each(|row| self.push_carried(from, *row as usize, carried));
        }
    }

    /// The bytes of all buffers.
    pub(crate) fn bytes(&self) -> usize {
        let cells: usize = self.table.iter().chain(&self.computed).map(Cells::bytes).sum();
        let ids = self.nodes.capacity() + self.trail.capacity() + self.depth.capacity();
        4 * ids + 8 * self.numbers.capacity() + size_of::<Edge>() * self.edges.capacity() + cells
    }
}

fn push_part<T: Copy>(vector: &mut Vec<T>, from: &[T], rows: &Range<usize>) {
    vector.extend_from_slice(from.get(rows.clone()).unwrap_or_default());
}
