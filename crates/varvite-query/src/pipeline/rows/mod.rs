//! Rows: their shape, batches of rows, and the caller's view of a batch.
//!
//! Nothing here depends on plans or operators.

mod batch;
mod cells;
mod columns;
mod element;
mod shape;
mod text_pool;
mod view;

pub(crate) use batch::{Batch, Carried};
pub(crate) use cells::{Cells, Refers};
pub use columns::{ColumnKind, PlanColumn, PlanColumns};
pub use element::Edge;
pub(crate) use element::Element;
pub(crate) use shape::{ColumnSpec, Meaning, Shape};
pub(crate) use text_pool::TextPool;
pub use view::{Cell, Column, Columns, KeptRows, RowCells, Rows};
