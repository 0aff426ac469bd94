//! Memory traces of other programs: read into Varvite's own, and placed in a graph.
//!
//! Traces and programs come from outside, so every one of their bytes is treated as hostile: damage is an
//! error with its place, never a panic and never an allocation that the file merely claims to need.
//!
//! # Where a trace comes from
//!
//! From valgrind's lackey (`varvite trace record -o run.vtrace -- PROGRAM`), or from DynamoRIO's drmemtrace.
//! In Rust the text of lackey becomes a trace, and the trace a layer of the graph of the program's code:
//!
//! ```no_run
//! use std::{fs::File, path::Path, sync::Arc};
//!
//! use varvite::{Task, vfs::RealVfs};
//! use varvite_memtrace::layer::{self, FileBinaries, TraceOptions};
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
//! - `lackey`, `drmemtrace`: traces of memory references of valgrind and of DynamoRIO. `reference` has their
//!   common records, and writes those of any number of threads to one stream; `process_maps` lists the files
//!   that a process has in memory.
//! - `layer`: makes layers of traces. `binary` and `debug_lines` read the programs that ran, after
//!   `debug_weight` has compared claimed sizes with the size of the file; `code_map` leads from addresses to
//!   functions, `methods` from functions to METHODs, and `tally` counts.

#![forbid(unsafe_code)]

pub mod drmemtrace;
pub mod lackey;
pub mod layer;
pub mod process_maps;
pub mod reference;
