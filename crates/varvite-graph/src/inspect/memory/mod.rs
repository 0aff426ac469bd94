//! The memory of a graph: the ledger as a tree, and reads of columns to show their cost.
//!
//! - `report`: bytes by holder, beside the operating system's figures of the process. `held`: the bytes of a
//!   holder by state.
//! - `beside`: the memory that is left to an operation.
//! - `touch`: parts of a graph, read from end to end.

mod beside;
mod held;
mod report;
mod touch;

pub use held::HeldBytes;
pub use report::{ColumnMemory, MemoryReport, PartMemory};
pub use touch::Touched;
pub use varvite_store::{PROCESS_MIN, trim_heap};
