//! [`Target`]: where the answer for one graph goes: to standard output, or to the answer for many graphs.

use std::io;

use varvite::Graph;
use varvite::pipeline::Options;
use varvite_corpus::{Send, Visit};
use varvite_show::{Cell, Column, RowReceiver, Shown, Sink};

use crate::output::{note_places, sink, write_text};

/// The number of rows that are passed on together.
const ROWS_MAX: usize = 256;

/// The target of the answer for one graph.
pub(crate) enum Target<'a> {
    /// The only graph of the command.
    Stdout,
    /// One of many graphs.
    File { visit: &'a Visit<'a>, send: Send<'a, Part> },
}

/// A part of the answer for one of many graphs.
#[derive(Debug)]
pub(crate) enum Part {
    /// The columns of the rows that follow.
    Columns(Vec<Column>),
    /// Rows of these columns.
    Rows(Vec<Vec<Cell<'static>>>),
    /// A single value.
    Value(String),
    /// The file and method of some nodes are missing.
    Incomplete,
}

impl Target<'_> {
    /// The sink of rows.
    pub(crate) fn sink(&self) -> Sink<'_> {
        match self {
            Self::Stdout => sink(),
            Self::File { send, .. } => Sink::of_receiver(Batches { send: *send, rows: Vec::new() }),
        }
    }

    /// Writes a single value.
    pub(crate) fn value(&self, text: &str) -> io::Result<()> {
        match self {
            Self::Stdout => write_text(&format!("{text}\n")),
            Self::File { send, .. } => passed(send(Part::Value(text.to_owned()))),
        }
    }

    /// Says that rows were written.
    pub(crate) fn note(&self, shown: Shown) {
        match self {
            Self::Stdout => note_places(shown),
            Self::File { send, .. } if !shown.has_all_places => {
                send(Part::Incomplete);
            }
            Self::File { .. } => {}
        }
    }

    /// The options of a run: those of the command, or the share of one of many graphs.
    pub(crate) fn options(&self, graph: &Graph, of_command: impl FnOnce() -> Options) -> Options {
        match self {
            Self::Stdout => of_command(),
            Self::File { visit, .. } => Options::from(graph.task_beside(visit.task.clone())),
        }
    }
}

/// Collects rows, and passes them on in batches.
struct Batches<'a> {
    send: Send<'a, Part>,
    rows: Vec<Vec<Cell<'static>>>,
}

impl Batches<'_> {
    fn pass(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() { Ok(()) } else { passed((self.send)(Part::Rows(rows))) }
    }
}

impl RowReceiver for Batches<'_> {
    fn begin(&mut self, columns: Vec<Column>) -> io::Result<()> {
        passed((self.send)(Part::Columns(columns)))
    }

    fn row(&mut self, cells: Vec<Cell<'static>>) -> io::Result<()> {
        self.rows.push(cells);
        if self.rows.len() < ROWS_MAX { Ok(()) } else { self.pass() }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.pass()
    }
}

/// An error that ends the answer for a graph if nobody takes it.
fn passed(is_wanted: bool) -> io::Result<()> {
    if is_wanted { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
}
