//! Writes rows, nodes and paths of a graph as tables, JSON, JSON lines and CSV, and finds nodes by name.
//!
//! An [`Answer`] writes the rows of a run, and [`Rows`] writes any other rows. A [`Listing`] writes rows
//! about nodes; a [`Layout`] describes the columns that these rows can have. All of them write to a [`Sink`],
//! which wraps any writer. [`node_at`], [`nodes_at`] and [`methods_at`] find the nodes that a user describes,
//! and [`Condition`] parses a user's conditions.
//!
//! ```no_run
//! use varvite::pipeline::{Options, Pipeline, nodes};
//! use varvite_show::{Answer, Format, Selection, Sink};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let graph = varvite::Graph::open("zlib.varvite")?;
//! let pipeline: Pipeline = nodes("METHOD").out("CONTAINS").limit(10);
//! let plan = pipeline.compile(&graph)?;
//! let answer = Answer::of_columns(&graph, plan.columns(), Format::Csv)?;
//! let (mut run, mut text) = (plan.run(Options::default()), Vec::new());
//! let selection = Selection { format: Format::Csv, ..Selection::default() };
//! answer.write(&mut run, None, Sink::new(&mut text), selection)?;
//! # Ok(())
//! # }
//! ```
//!
//! `varvite import` makes the graph; `varvite_import::Import` does so from Rust.
//!
//! Deliberately absent: arguments, exit codes, messages on standard error, and the detection of a terminal. A
//! caller that writes to a terminal passes the terminal's width to the sink.
//!
//! Modules in reading order; each needs only those before it: `error`; `beginning` for parts of long texts;
//! `output` for cells, columns and rows as text; `label_names` and `batch` for the content of cells; `layout`
//! for the possible columns of rows about nodes; `listing` for selecting columns, sorting rows and limiting
//! their number; `paths` and `view` for the form of a run's rows; `rendering` and `in_order` for writing many
//! rows at a time; and `answer`, which uses all of these. `search` finds nodes and lines of source code by
//! the words of a user, and `condition` turns words into predicates.
#![forbid(unsafe_code)]
// The print macros panic if a pipe is closed or a device is full. This crate writes only to its sink.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod beginning;
mod error;

mod output;

mod batch;
mod label_names;

mod layout;
mod listing;

mod answer;
mod in_order;
mod paths;
mod rendering;
mod view;

mod condition;
mod search;

pub use answer::Answer;
pub use beginning::Beginning;
pub use condition::Condition;
pub use error::{Candidate, Result, ShowError};
pub use label_names::{EdgeLabels, LabelNames};
pub use layout::{Field, Layout};
pub use listing::{Listing, Selection, Shown};
pub use output::{
    Cell, Column, Format, RowReceiver, Rows, Sink, counted, escaped, escaped_code, escaped_json, shortened,
    sized, thousands,
};
pub use paths::PathNode;
pub use search::{Namesakes, Passage, methods_at, node_at, node_at_within, nodes_at, nodes_at_within};
