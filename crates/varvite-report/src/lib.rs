//! A report about a code graph: one file of HTML that needs no network.
//!
//! A [`Report`] says what is in a graph, which functions and files are large, called and complex, which code
//! nothing calls, what a reviewer may want to look at, and, if the graph has layers of runs, what ran and
//! what it cost. It compares the graph with an earlier one, and answers a team's own questions.
//!
//! ```no_run
//! use varvite::Task;
//! use varvite_report::{Made, Report, Section};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let graph = varvite::Graph::open("zlib.varvite")?;
//! let report = Report {
//!     graph: &graph,
//!     title: "zlib".to_owned(),
//!     sections: Section::ALL.to_vec(),
//!     before: None,
//!     questions: Vec::new(),
//!     made: Made::default(),
//!     task: Task::new(),
//! };
//! report.write(&mut std::fs::File::create("zlib.html")?)?;
//! # Ok(())
//! # }
//! ```
//!
//! All texts of a graph come from strangers: the page shows them as text, whatever they contain, and its
//! content policy allows no other style and script than its own. Without scripts the page shows the same,
//! apart from the search in flame graphs. Equal graphs and options give equal pages.
//!
//! Modules in reading order; each needs only those before it: `error`; `html` for the page; `code` for names,
//! places and lines of nodes; `functions` for their numbers; `section` and `report` for what is asked;
//! `sections`, a module for each; `write` for their order.
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod code;
mod error;
mod functions;
mod html;
mod report;
mod section;
mod sections;
mod write;

pub use error::{ReportError, Result};
pub use report::{Before, Made, OwnQuestion, Report};
pub use section::Section;
