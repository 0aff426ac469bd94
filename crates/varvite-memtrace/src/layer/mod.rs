//! Makes layers from traces of memory references. A layer has, for each METHOD of a graph, counts from a run
//! of the program.
//!
//! A trace has the addresses of instructions, and its modules are the files mapped at these addresses.
//! [`Binary`] reads such a file's functions and, from debug information, their source lines.
//! [`Methods`](varvite_cpg::join::Methods) finds the METHOD of a function by the function's name, file and
//! line. [`import`] counts instructions, loads, stores, bytes and cache lines for each METHOD, and stores the
//! counts as properties of a layer. For every record without a METHOD, the report states the reason.
//!
//! The design is explained in docs/decisions/0016. Binaries come from outside and may be damaged. The report
//! describes the damage, which affects only the records of that binary.

mod binaries;
mod binary;
mod code_map;
mod debug_lines;
mod debug_weight;
mod error;
mod import;
mod report;
mod tally;

pub use binaries::{Binaries, FileBinaries};
pub use binary::{Binary, Function};
pub use error::{BinaryError, TraceLayerError};
pub use import::{TraceOptions, import};
pub use report::{ModuleReport, Reason, TraceReport, Unplaced};
