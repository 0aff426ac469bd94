//! Parts of answers: descriptions of nodes (`nodes`), and the cells of rows (`cell`).

mod cell;
mod nodes;

pub(crate) use cell::{Cells, Room, exact, of_owner};
pub(crate) use nodes::{Columns, Nodes};
