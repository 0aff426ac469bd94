//! [`Cells`]: a column of rows of columns.

use std::ops::Range;

use super::element::Edge;
use varvite_graph::{Budget, OverBudget};

/// The cells of a column of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    pub(crate) numbers: Vec<i64>,
    /// For lists: the end of each row's list.
    pub(crate) ends: Vec<u32>,
    /// For others: whether a row has no cell.
    pub(crate) absent: Vec<bool>,
    pub(crate) refers: Refers,
}

/// Data that the numbers of cells refer to.
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
pub(super) static NO_CELLS: Cells =
    Cells { numbers: Vec::new(), ends: Vec::new(), absent: Vec::new(), refers: Refers::Nothing };

impl Cells {
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.ends.clear();
        self.absent.clear();
    }

    /// Makes room for rows of other cells with so many numbers together, and takes it from a budget; `held`
    /// bytes of it are in these cells and others already.
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

    /// The number of values of a row.
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

    /// The sort key of a row: its number, or for a list its length.
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

    /// The number of its rows, lists or not.
    pub(crate) fn rows(&self) -> usize {
        self.ends.len().max(self.absent.len())
    }

    pub(super) fn range(&self, row: usize, is_list: bool) -> Range<usize> {
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

    /// The number of its rows.
    pub(crate) fn len(&self, is_list: bool) -> usize {
        if is_list { self.ends.len() } else { self.absent.len() }
    }

    pub(crate) fn bytes(&self) -> usize {
        8 * self.numbers.capacity() + 4 * self.ends.capacity() + self.absent.capacity()
    }
}
