//! The memory of a graph: the ledger as a tree, and functions that read whole columns to show how much memory
//! the columns then take.
//!
//! - `report`: the bytes of each part and column, and the memory of the process as the operating system
//!   reports it. `held`: bytes by state.
//! - `beside`: the memory that is left for an operation.
//! - `touch`: reads all values of selected parts of a graph.

mod beside;
mod held;
mod report;
mod touch;

pub use held::HeldBytes;
pub use report::{ColumnMemory, MemoryReport, PartMemory};
pub use touch::Touched;
pub use varvite_store::{PROCESS_MIN, trim_heap};
