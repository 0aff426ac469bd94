//! [`Cells`]: rows of texts that wait to be written.

use unicode_width::UnicodeWidthStr;

/// The number of spaces between the columns of a table.
pub(super) const GAP: usize = 2;

/// Rows with the same number of cells, stored in one string.
#[derive(Debug)]
pub(super) struct Cells {
    columns: usize,
    text: String,
    /// The end of each cell, and the cell's width in terminal columns.
    ends: Vec<(usize, usize)>,
}

impl Cells {
    /// Makes an empty list of rows that have this number of columns.
    pub(super) fn new(columns: usize) -> Self {
        Self { columns, text: String::new(), ends: Vec::new() }
    }

    /// Appends the next cell.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        let width = if text.is_ascii() { text.len() } else { text.width() };
        self.ends.push((self.text.len(), width));
    }

    /// The number of complete rows.
    pub(super) fn row_count(&self) -> usize {
        self.ends.len().checked_div(self.columns).unwrap_or(0)
    }

    /// The complete rows, as the text and the width of each cell.
    pub(super) fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = (&str, usize)>> {
        let columns = self.columns;
        (0..self.row_count()).map(move |row| (row * columns..(row + 1) * columns).map(|cell| self.cell(cell)))
    }

    fn cell(&self, index: usize) -> (&str, usize) {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before].0);
        let (end, width) = self.ends[index];
        (&self.text[begin..end], width)
    }

    /// Removes the rows, but keeps the memory for later rows.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }
}
