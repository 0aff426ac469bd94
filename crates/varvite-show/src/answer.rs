//! [`Answer`]: the rows of a run, written as text while the run produces them.
//!
//! Rows are rendered a batch at a time, on several threads, and written in their order. Sorted listings are
//! written row by row.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use varvite::pipeline::{KeptRows, PlanColumns, Rows as Batch, Run};
use varvite::{Graph, LabelNodes, Task};

use crate::batch::rows_of;
use crate::error::Result;
use crate::in_order::{JOBS_OF_THREAD, in_order};
use crate::layout::Layout;
use crate::listing::{Listing, Selection, Shown, TextColumns};
use crate::output::{Format, Sink};
use crate::paths;
use crate::rendering::Renderer;
use crate::view::{View, layout_of_label};

/// The number of bytes of rendered text after which the text is written.
const TEXT_BYTES: usize = 1 << 19;
/// The memory in bytes that each thread needs for waiting batches and texts. There are only as many threads
/// as this memory suffices for.
const MEMORY_OF_THREAD: usize = 4 * JOBS_OF_THREAD * TEXT_BYTES;
/// The number of batches that the caller's thread writes before other threads start. Most answers have fewer
/// batches.
const ALONE: usize = 4;

/// The rows of a run, with the columns to show.
///
/// Make the answer before the run begins, since making it opens columns of nodes and charges them to the
/// graph's budget.
pub struct Answer<'g> {
    view: View,
    layout: Layout<'g>,
}

impl<'g> Answer<'g> {
    /// Makes an answer for the rows of any plan. Nodes and edges get their most useful columns, paths are
    /// shown node by node, and values and columns are shown unchanged. `columns` are the columns of the plan
    /// or of one of its `side` steps. `format` is the format in which rows will be written.
    ///
    /// # Errors
    /// [`ShowError::Graph`](crate::ShowError::Graph), if properties of edges can't be read.
    pub fn of_columns(graph: &'g Graph, columns: PlanColumns<'_>, format: Format) -> Result<Self> {
        let (view, layout) = View::of_columns(graph, columns, format)?;
        Ok(Self { view, layout })
    }

    /// Makes an answer for a plan whose rows are nodes of one label. A sample of the first nodes decides
    /// which columns are shown.
    pub fn of_label(graph: &'g Graph, nodes: &LabelNodes, format: Format) -> Self {
        Self { view: View::Nodes, layout: layout_of_label(graph, nodes, format) }
    }

    /// Executes the run to its end, or to the limit of the selection, and writes its rows as they come. The
    /// rows are the run's results or, if `side` is given, the rows of the `side` step of this name. Memory is
    /// bounded for any number of rows. If the selection allows several threads, all of them render rows;
    /// the order of rows stays the same.
    ///
    /// # Errors
    /// [`ShowError`](crate::ShowError). The output is then incomplete.
    pub fn write(
        self,
        run: &mut Run,
        side: Option<&str>,
        sink: Sink<'_>,
        selection: Selection<'_>,
    ) -> Result<Shown> {
        let Self { view, mut layout } = self;
        if let View::Paths(labels) = &view {
            return paths::show_run(labels, layout, run, side, sink, selection);
        }
        let task = selection.task.clone();
        let mut listing = Listing::begin(sink, &mut layout, selection)?;
        let mut batches = Batches { run, side, is_over: false };
        match listing.text_columns() {
            Some(columns) => write_text(&view, &columns, &mut listing, &mut batches, &task)?,
            None => write_by_row(&view, &mut listing, &mut batches)?,
        }
        listing.finish()
    }
}

/// The batches of a run, one after another.
struct Batches<'r> {
    run: &'r mut Run,
    side: Option<&'r str>,
    is_over: bool,
}

impl Batches<'_> {
    /// The next batch, which may be empty. `None` at the end.
    fn next(&mut self) -> Result<Option<Batch<'_>>> {
        if self.is_over {
            return Ok(None);
        }
        self.is_over = self.run.next()?.is_none();
        Ok(rows_of(self.run, self.side))
    }
}

fn write_by_row(view: &View, listing: &mut Listing<'_>, batches: &mut Batches<'_>) -> Result<()> {
    while !listing.is_full()
        && let Some(batch) = batches.next()?
    {
        for row in 0..batch.len() {
            let nodes: Vec<_> = view.nodes_of(&batch, row).collect();
            listing.push(&nodes, |index| view.cell(&batch, row, index))?;
        }
    }
    Ok(())
}

/// Writes rows, rendered on the caller's thread and, if there are many, on other threads too.
fn write_text(
    view: &View,
    columns: &TextColumns<'_>,
    listing: &mut Listing<'_>,
    batches: &mut Batches<'_>,
    task: &Task<'_>,
) -> Result<()> {
    let begin = || Renderer::new(view, columns);
    let (mut own, mut text) = (begin(), Vec::new());
    let threads = task.thread_count().min(task.memory_bytes() / MEMORY_OF_THREAD);
    let alone = if threads > 1 { ALONE } else { usize::MAX };
    for _ in 0..alone {
        let Some(batch) = batches.next()?.filter(|_| !listing.is_full()) else { return Ok(()) };
        let rows = batch.len().min(usize::try_from(listing.left()).unwrap_or(usize::MAX));
        write_rows(&mut own, &batch, 0..rows, &mut text, listing)?;
    }
    let mut left = listing.left();
    let jobs = || {
        let Some(batch) = batches.next()?.filter(|_| left > 0) else { return Ok(None) };
        let rows = batch.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        left -= rows as u64;
        Ok(Some((batch.to_kept(), rows)))
    };
    // After a buffer was written, it is reused, since the system would have to clear the pages of a new one.
    let spare = Mutex::new(Vec::new());
    let spare = || spare.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |renderer: &mut Renderer<'_>, (batch, rows): (KeptRows, usize)| {
        let mut text: Vec<u8> = spare().pop().unwrap_or_default();
        let written = renderer.render(&batch.rows(), 0..rows, &mut text, TEXT_BYTES);
        Written { text, rows: written, batch, left: written..rows, is_complete: renderer.is_complete() }
    };
    in_order(threads, begin, work, jobs, |mut written| {
        listing.put_text(&written.text, written.rows)?;
        // A buffer that grew for a long text is not reused.
        if written.text.capacity() <= 2 * TEXT_BYTES {
            written.text.clear();
            spare().push(written.text);
        }
        listing.note_places(written.is_complete);
        write_rows(&mut own, &written.batch.rows(), written.left, &mut text, listing)
    })
}

/// Rendered rows of a batch. If texts are long, not all rows are rendered here, and the caller renders the
/// rest.
struct Written {
    text: Vec<u8>,
    rows: usize,
    batch: KeptRows,
    left: Range<usize>,
    is_complete: bool,
}

/// Writes rows of a batch on this thread, in several pieces if their texts are long.
fn write_rows(
    renderer: &mut Renderer<'_>,
    batch: &Batch<'_>,
    mut rows: Range<usize>,
    text: &mut Vec<u8>,
    listing: &mut Listing<'_>,
) -> Result<()> {
    while !rows.is_empty() {
        text.clear();
        let written = renderer.render(batch, rows.clone(), text, TEXT_BYTES);
        listing.put_text(text, written)?;
        rows.start += written;
    }
    listing.note_places(renderer.is_complete());
    Ok(())
}
