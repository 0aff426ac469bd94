//! What a graph has in memory: the ledger as a tree, and reads whose cost it shows.
//!
//! - `report`: who holds what, beside what the operating system says of the process. `held`: bytes by state.
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
