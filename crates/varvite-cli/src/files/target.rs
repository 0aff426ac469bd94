//! [`Target`]: where the answer for one graph goes: to standard output, or to the answer for many graphs.

use std::io;

use varvite::Graph;
use varvite::pipeline::Options;
use varvite_corpus::{Send, Visit};
use varvite_show::{Cell, Column, RowReceiver, Shown, Sink};

use crate::files::room::Room;
use crate::output::{note_places, sink, write_text};

/// The largest number of rows that are passed on together.
const ROWS_MAX: usize = 256;
/// The bytes of rows after which they are passed on, even if they are few.
const BYTES_MAX: usize = 1 << 16;

/// The target of the answer for one graph.
pub(crate) enum Target<'a> {
    /// The only graph of the command.
    Stdout,
    /// One of many graphs.
    File(FileTarget<'a>),
}

/// The target of the answer for one of many graphs.
#[derive(Clone, Copy)]
pub(crate) struct FileTarget<'a> {
    pub(crate) visit: &'a Visit<'a>,
    pub(crate) send: Send<'a, Part>,
    pub(crate) room: &'a Room,
}

/// A part of the answer for one of many graphs.
#[derive(Debug)]
pub(crate) enum Part {
    /// The columns of the rows that follow.
    Columns(Vec<Column>),
    /// Rows of these columns, and their bytes.
    Rows(Vec<Vec<Cell<'static>>>, usize),
    /// A single value.
    Value(String),
    /// The file and method of some nodes are missing.
    Incomplete,
}

impl Part {
    /// The approximate number of bytes that the part takes while it waits.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Rows(_, bytes) => *bytes,
            Self::Value(text) => text.len(),
            Self::Columns(_) | Self::Incomplete => 0,
        }
    }
}

impl FileTarget<'_> {
    /// Passes a part on, once there is room for it. Fails if nobody takes it.
    fn pass(&self, part: Part) -> io::Result<()> {
        let has_room = self.room.take(self.visit.file, part.bytes(), &self.visit.task).is_ok();
        let is_taken = has_room && (self.send)(part);
        if is_taken { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
    }
}

impl Target<'_> {
    /// The sink of rows.
    pub(crate) fn sink(&self) -> Sink<'_> {
        match self {
            Self::Stdout => sink(),
            Self::File(target) => Sink::of_receiver(Batches { target: *target, rows: Vec::new(), bytes: 0 }),
        }
    }

    /// Writes a single value.
    pub(crate) fn value(&self, text: &str) -> io::Result<()> {
        match self {
            Self::Stdout => write_text(&format!("{text}\n")),
            Self::File(target) => target.pass(Part::Value(text.to_owned())),
        }
    }

    /// Says that rows were written.
    pub(crate) fn note(&self, shown: Shown) {
        match self {
            Self::Stdout => note_places(shown),
            Self::File(target) if !shown.has_all_places => {
                (target.send)(Part::Incomplete);
            }
            Self::File(_) => {}
        }
    }

    /// The options of a run: those of the command, or the share of one of many graphs.
    pub(crate) fn options(&self, graph: &Graph, of_command: impl FnOnce() -> Options) -> Options {
        match self {
            Self::Stdout => of_command(),
            Self::File(target) => Options::from(graph.task_beside(target.visit.task.clone())),
        }
    }
}

/// Collects rows, and passes them on in batches.
struct Batches<'a> {
    target: FileTarget<'a>,
    rows: Vec<Vec<Cell<'static>>>,
    /// The bytes of the rows.
    bytes: usize,
}

impl Batches<'_> {
    fn pass(&mut self) -> io::Result<()> {
        let (rows, bytes) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.bytes));
        if rows.is_empty() { Ok(()) } else { self.target.pass(Part::Rows(rows, bytes)) }
    }
}

impl RowReceiver for Batches<'_> {
    fn begin(&mut self, columns: Vec<Column>) -> io::Result<()> {
        self.target.pass(Part::Columns(columns))
    }

    fn row(&mut self, cells: Vec<Cell<'static>>) -> io::Result<()> {
        self.bytes += cells.iter().map(|cell| size_of::<Cell<'_>>() + cell.heap_bytes()).sum::<usize>();
        self.rows.push(cells);
        if self.rows.len() < ROWS_MAX && self.bytes < BYTES_MAX { Ok(()) } else { self.pass() }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.pass()
    }
}
