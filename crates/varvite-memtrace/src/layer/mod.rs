//! Traces of memory references as layers: the work of each METHOD of a graph in a run of the program.
//!
//! A trace has the addresses of instructions, and its modules are the files at these addresses. [`Binary`]
//! reads such a file: its functions and, from debug information, the source lines of them.
//! [`Methods`](varvite_cpg::join::Methods) finds the METHOD of a function by name, file and line. [`import`]
//! counts instructions, loads, stores, bytes and cache lines for each METHOD, and stores them as properties
//! of a layer. The report gives the reason for every record that has no METHOD.
//!
//! The reasons are in docs/decisions/0016. Binaries come from outside like everything else: the report names
//! damage in one, and the damage costs its own records alone.

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
