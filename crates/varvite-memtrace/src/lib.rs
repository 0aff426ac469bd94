//! Converts memory traces from other tools to Varvite's format, and adds traces to graphs as layers.
//!
//! Traces and binaries come from outside, so every byte is treated as hostile. Damage is reported as an error
//! with its position, and never causes a panic. A size that a file only claims never causes an allocation.
//!
//! # Where a trace comes from
//!
//! Traces come from valgrind's lackey (`varvite trace record -o run.vtrace -- PROGRAM`), or from DynamoRIO's
//! drmemtrace. This example converts lackey's text to a trace, and the trace to a layer of the graph of the
//! program's code:
//!
//! ```no_run
//! use std::{fs::File, path::Path, sync::Arc};
//!
//! use varvite::{Task, vfs::RealVfs};
//! use varvite_memtrace::code::FileBinaries;
//! use varvite_memtrace::layer::{self, TraceOptions};
//! use varvite_memtrace::reference::{References, schema};
//! use varvite_memtrace::lackey;
//! use varvite_trace::{Clock, FileSource, Options, Reader, Recorder};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // valgrind --tool=lackey --trace-mem=yes --log-file=run.lackey PROGRAM
//! let options = Options::new(schema(Clock::Ticks), [1; 16]);
//! let recorder = Recorder::create(File::create("run.vtrace")?, &options)?;
//! lackey::import(File::open("run.lackey")?, References::new(&recorder))?;
//! recorder.finish()?;
//!
//! let mut trace = Reader::open(FileSource::new(File::open("run.vtrace")?)?)?;
//! let (binaries, task) = (FileBinaries::default(), Task::new().progress(|progress| eprintln!("{progress}")));
//! let options = TraceOptions::default();
//! let report =
//!     layer::import(Arc::new(RealVfs), Path::new("code.varvite"), &mut trace, &binaries, &options, &task)?;
//! println!("{} of {} records belong to a METHOD", report.placed, report.records);
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! - `lackey`, `drmemtrace`, `perf`, `valgrind`: read traces of memory references from valgrind's lackey,
//!   from DynamoRIO, from perf's samples, and from Varvite's own tool for valgrind. `reference` has the record
//!   that these traces share, and writes the records of any number of threads to one stream; `process_maps`
//!   lists the files that are mapped in a process.
//! - `code`: finds the files, functions and source lines at the addresses of a trace, in the program's
//!   binaries.
//! - `layer`: makes layers from traces. The `Methods` of `varvite-cpg` map functions to METHODs, and `tally`
//!   counts records.
//! - `usage`: describes a trace without a graph: functions, lines, modules, sizes, working set, reuse.

#![forbid(unsafe_code)]

pub mod code;
pub mod drmemtrace;
pub mod lackey;
pub mod layer;
pub mod perf;
pub mod process_maps;
pub mod reference;
pub mod usage;
pub mod valgrind;
