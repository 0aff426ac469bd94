//! The memory of a graph: the ledger as a tree, and reads of columns that show how much memory they take.
//!
//! - `report`: the bytes of each part and column, and the memory of the process as the operating system
//!   reports it. `held`: bytes by state.
//! - `beside`: the memory that is left for an operation.
//! - `touch`: reads parts of a graph from the first value to the last.

mod beside;
mod held;
mod report;
mod touch;

pub use held::HeldBytes;
pub use report::{ColumnMemory, MemoryReport, PartMemory};
pub use touch::Touched;
pub use varvite_store::{PROCESS_MIN, trim_heap};
