//! [`Cells`]: the cells of a table's column.

use std::ops::Range;

use super::element::Edge;
use varvite_graph::{Budget, OverBudget};

/// The cells of a table's column: one number per row, or a list of numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    pub(crate) numbers: Vec<i64>,
    /// The end of each row's list in `numbers`, if rows have lists.
    pub(crate) ends: Vec<u32>,
    /// For each row, whether it lacks a value. Empty if rows have lists.
    pub(crate) absent: Vec<bool>,
    pub(crate) refers: Refers,
}

/// The kind of data to which the numbers of cells refer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Refers {
    #[default]
    Nothing,
    /// Edges of the batch, by index.
    Edges,
    /// Elements of paths. Negative numbers refer to edges of the batch.
    Elements,
}

/// An empty column.
pub(super) static NO_CELLS: Cells =
    Cells { numbers: Vec::new(), ends: Vec::new(), absent: Vec::new(), refers: Refers::Nothing };

impl Cells {
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.ends.clear();
        self.absent.clear();
    }

    /// Makes room for `rows` rows of the same form as those of `like`, with `numbers` numbers in total, and
    /// charges the memory to a budget. `held` is the number of bytes charged so far, which may include those
    /// of other cells.
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
        // A row without a value still takes up a slot in `numbers`.
        budget.make_room(&mut self.numbers, if like.is_list() { numbers } else { rows }, held)
    }

    /// Makes room for `lists` lists with `numbers` numbers in total.
    pub(crate) fn reserve(&mut self, lists: usize, numbers: usize) {
        self.ends.reserve(lists);
        self.numbers.reserve(numbers);
    }

    /// Ends the list of a row. The list has all numbers that were appended since the end of the previous
    /// list.
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

    /// Whether any row from `first` on lacks a value.
    pub(crate) fn lacks_any(&self, first: usize) -> bool {
        self.absent.get(first..).is_some_and(|absent| absent.contains(&true))
    }

    /// Gives a number to each row from `first` on that lacks a value.
    pub(crate) fn fill_absent(&mut self, first: usize, number: i64) {
        for (is_absent, value) in self.absent.iter_mut().zip(&mut self.numbers).skip(first) {
            if std::mem::take(is_absent) {
                *value = number;
            }
        }
    }

    /// The sort keys of all rows, if each row has one and it is a number as it stands.
    pub(crate) fn whole_keys(&self) -> Option<&[i64]> {
        let is_plain = !self.is_list() && self.refers != Refers::Edges && !self.lacks_any(0);
        is_plain.then_some(&self.numbers[..])
    }

    /// Appends a row with a list of numbers.
    pub(crate) fn push_list(&mut self, numbers: impl Iterator<Item = i64>) {
        self.numbers.extend(numbers);
        self.end_list();
    }

    /// Appends row `row` of another `Cells`. `keep` maps the index of an edge in the other batch to its index
    /// in this batch.
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

    /// The sort key of a row: its number or, if it has a list, the length of the list.
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

    /// Calls `visit` with the sort key of each row, in order.
    #[inline]
    pub(crate) fn each_key(&self, edges: &[Edge], mut visit: impl FnMut(Option<i64>)) {
        if self.is_list() || self.refers == Refers::Edges {
            return (0..self.rows()).for_each(|row| visit(self.key(row, edges)));
        }
        let rows = self.numbers.iter().zip(&self.absent);
        rows.for_each(|(number, is_absent)| visit((!is_absent).then_some(*number)));
    }

    /// The list of a row. Empty if the rows do not have lists.
    pub(crate) fn list(&self, row: usize) -> &[i64] {
        self.numbers.get(self.range(row, true)).unwrap_or_default()
    }

    /// Whether rows have lists. False while there are no rows.
    fn is_list(&self) -> bool {
        !self.ends.is_empty()
    }

    /// The number of rows.
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

    /// The number of rows.
    pub(crate) fn len(&self, is_list: bool) -> usize {
        if is_list { self.ends.len() } else { self.absent.len() }
    }

    pub(crate) fn bytes(&self) -> usize {
        8 * self.numbers.capacity() + 4 * self.ends.capacity() + self.absent.capacity()
    }
}
