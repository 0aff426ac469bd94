//! Traces of memory references as layers: the counts of each METHOD of a graph in a run of the program.
//!
//! A trace has the addresses of instructions, and its modules are the files mapped at these addresses.
//! [`Binary`] reads such a file: its functions and, from debug information, their source lines.
//! [`Methods`](varvite_cpg::join::Methods) finds the METHOD of a function by name, file and line. [`import`]
//! counts instructions, loads, stores, bytes and cache lines for each METHOD, and stores them as properties
//! of a layer. The report states the reason for every record without a METHOD.
//!
//! The design is explained in docs/decisions/0016. Binaries come from outside: damage in a binary is named in
//! the report, and affects only the records of that binary.

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
