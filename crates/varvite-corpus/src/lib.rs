//! Questions over many graphs: thousands of Varvite files in one process.
//!
//! A [`Corpus`] knows its files by their paths, opens a graph when a question touches it, keeps a limited
//! number of graphs open, and gives all of them one memory budget. [`Corpus::visit`] asks every file a
//! question on several threads, and passes the results on in the order of the files; files that fail are
//! named, and the others are answered.
//!
//! ```no_run
//! use std::ops::ControlFlow;
//! use varvite::Task;
//! use varvite_corpus::{Corpus, Event};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let corpus = Corpus::open("corpus/**/*.varvite")?;
//! let count = |visit: &varvite_corpus::Visit<'_>, send: varvite_corpus::Send<'_, u32>| {
//!     send(visit.graph.nodes("METHOD")?.len());
//!     Ok::<(), varvite::GraphError>(())
//! };
//! corpus.visit(&Task::new(), count, |file, event| {
//!     let path = corpus.files()[file].path().display();
//!     match event {
//!         Event::Result(methods) => println!("{path}: {methods} methods"),
//!         Event::End(Err(error)) => eprintln!("{path}: {error:?}"),
//!         Event::End(Ok(())) => {}
//!     }
//!     ControlFlow::Continue(())
//! });
//! # Ok(())
//! # }
//! ```
//!
//! [`index()`] writes the names that the files define and use as a graph of its own, with links from uses to
//! definitions in other files, [`clones`] finds functions that were copied, and [`near_clones`] those that
//! were changed a little since.
//!
//! Reading order: `error`; `file_key`, `pattern` and `file_list` for the paths that words name; `open_graphs`
//! and `corpus` for files and their graphs; `visit` for questions, `inquiry` for answers that the caller
//! takes one by one, and `ends` for the files that failed; `linkage` for the rules of languages; `facts` for
//! what one graph defines and uses; `index` for all of them.
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod error;

mod file_key;

mod pattern;

mod file_list;

mod open_graphs;

mod corpus;

mod visit;

mod inquiry;

mod ends;

mod linkage;

mod facts;

mod index;

pub use corpus::{Corpus, CorpusFile, CorpusOptions, Seen};
pub use ends::{Ends, FailureKind, FileFailure};
pub use error::{CorpusError, FileError, Result};
pub use facts::{CodeFacts, Content, Function, Import, Sketch};
pub use file_list::{FileList, OtherName, UnreadableFolder, names_many};
pub use index::{
    CloneGroup, ClonedFunction, Clones, IndexOptions, IndexReport, LeftOut, clones, index, near_clones,
};
pub use inquiry::Inquiry;
pub use visit::{Event, Send, Visit, VisitError};
