//! Describes a trace without a graph: the code that ran, and the memory that it used.
//!
//! [`CodeCounts`] counts the records of each instruction and groups them by function, source line or module.
//! [`Accesses`] has the sizes of loads and stores, the working set over time, and the distances between two
//! uses of the same memory (`reuse`). Both read the trace once, in memory that the caller limits.

mod accesses;
mod code_counts;
mod code_rows;
mod error;
mod instructions;
mod reuse;

pub use accesses::{Accesses, LINE_LEN, ReuseRow, SizeRow, Window};
pub use code_counts::CodeCounts;
pub use code_rows::{CodeBy, CodeRow};
pub use error::UsageError;
pub use instructions::AccessCounts;
pub(crate) use instructions::Instructions;
