//! [`Spare`]: the buffers of functions, which are used again, so that a batch allocates nothing once they
//! have grown.

use crate::pipeline::rows::Batch;

/// The values of some rows, in the order of the rows; `None` for a row without a value.
pub(super) type Values = Vec<Option<i64>>;

/// The rows of a batch for which a function is computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'b> {
    pub(super) input: &'b Batch,
    /// The indexes of the rows in the batch, in ascending order.
    pub(super) rows: &'b [u32],
}

impl Rows<'_> {
    pub(super) fn len(self) -> usize {
        self.rows.len()
    }

    /// Whether these are all rows of the batch.
    pub(super) fn are_all(self) -> bool {
        self.len() == self.input.rows()
    }

    /// The index of each row.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        self.rows.iter().map(|row| *row as usize)
    }
}

/// Buffers that no function uses at the moment.
#[derive(Debug, Default)]
pub(super) struct Spare {
    values: Vec<Values>,
    rows: Vec<Vec<u32>>,
}

impl Spare {
    /// An empty buffer for values.
    pub(super) fn values(&mut self) -> Values {
        self.values.pop().unwrap_or_default()
    }

    /// Keeps a buffer of values for later.
    pub(super) fn keep(&mut self, mut values: Values) {
        values.clear();
        self.values.push(values);
    }

    /// An empty buffer for indexes of rows.
    pub(super) fn rows(&mut self) -> Vec<u32> {
        self.rows.pop().unwrap_or_default()
    }

    /// Keeps a buffer of indexes for later.
    pub(super) fn keep_rows(&mut self, mut rows: Vec<u32>) {
        rows.clear();
        self.rows.push(rows);
    }
}
