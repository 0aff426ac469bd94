//! [`RowReceiver`]: takes rows as cells, for programs that write them later or elsewhere.

use std::io;

use super::cell::Cell;
use super::column::Column;

/// Takes the rows of an answer as cells, instead of their text.
/// [`Sink::of_receiver`](super::Sink::of_receiver) makes a receiver the target of rows; the format of the
/// answer then only decides which columns it has.
pub trait RowReceiver {
    /// Is called once, before the first row, with the columns of all rows.
    ///
    /// # Errors
    /// Any error ends the answer.
    fn begin(&mut self, columns: Vec<Column>) -> io::Result<()>;

    /// Takes a row, which has a cell for each column.
    ///
    /// # Errors
    /// Any error ends the answer.
    fn row(&mut self, cells: Vec<Cell<'static>>) -> io::Result<()>;

    /// Is called once, after the last row, unless an error ended the answer.
    ///
    /// # Errors
    /// Any error ends the answer.
    fn finish(&mut self) -> io::Result<()>;
}
