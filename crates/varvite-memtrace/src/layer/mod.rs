//! Makes layers from traces of memory references. A layer has, for each METHOD of a graph, counts from a run
//! of the program.
//!
//! The module [`code`](crate::code) finds the function at the address of an instruction.
//! [`Methods`](varvite_cpg::join::Methods) finds the METHOD of a function by the function's name, file and
//! line. [`import`] counts instructions, loads, stores, bytes and cache lines for each METHOD, and all but
//! cache lines for each source line, at the CALL of the line. It stores the counts as properties of a layer.
//! For every record without a METHOD, the report states the reason.
//!
//! The design is explained in docs/decisions/0016.

mod error;
mod import;
mod line_nodes;
mod report;
mod tally;

pub use error::TraceLayerError;
pub use import::{TraceOptions, import};
pub use report::{ModuleReport, Reason, TraceReport, Unplaced};
