//! [`Listing`]: rows about nodes, on their way to standard output; which columns, in which order, and how many of them.

use std::sync::Arc;

use varvite::{Budget, GraphError};

use crate::failure::{Failure, Outcome};
use crate::layout::{Layout, NodeCursor, Source};
use crate::output::{Cell, Format, RowFormat, Rows, note};

/// Rows that are kept beyond a limit before those that come last are dropped.
const SPARE_ROWS: usize = 1000;
/// Bytes that a row takes beside its cells.
const ROW_BYTES: usize = 2 * size_of::<Vec<u8>>() + 32;

/// What of a listing is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selection<'a> {
    pub(crate) format: Format,
    /// Names of columns; without any, the usual ones are shown.
    pub(crate) columns: &'a [String],
    /// Names of the columns to sort by.
    pub(crate) order_by: &'a [String],
    pub(crate) descending: bool,
    /// Most rows.
    pub(crate) limit: Option<u64>,
    /// What sorting may remember.
    pub(crate) memory_bytes: usize,
    /// Threads that write rows.
    pub(crate) threads: usize,
}

/// Rows on their way to standard output.
pub(crate) struct Listing<'l> {
    rows: Rows,
    shown: Vec<Source>,
    nodes: Vec<NodeCursor<'l>>,
    order: Option<Order>,
    left: u64,
    layout: &'l Layout<'l>,
    /// Whether all nodes of rows that came as text were placed.
    is_complete: bool,
}

/// The columns of rows that are text.
pub(crate) struct TextColumns<'l> {
    pub(crate) format: Arc<RowFormat>,
    pub(crate) shown: Vec<Source>,
    pub(crate) layout: &'l Layout<'l>,
}

impl<'l> Listing<'l> {
    /// Begins an answer.
    pub(crate) fn begin(layout: &'l mut Layout<'_>, selection: Selection<'_>) -> Result<Self, Failure> {
        let shown = layout.chosen(selection.columns)?;
        let keys: Vec<Source> =
            selection.order_by.iter().map(|name| layout.source(name)).collect::<Result<_, _>>()?;
        let layout: &'l Layout<'l> = layout;
        let titles = shown.iter().map(|source| layout.column(*source)).collect();
        let order = (!keys.is_empty()).then(|| Order::new(keys, &selection));
        Ok(Self {
            rows: Rows::begin(selection.format, titles)?,
            shown,
            nodes: layout.cursors(),
            order,
            left: selection.limit.unwrap_or(u64::MAX),
            layout,
            is_complete: true,
        })
    }

    /// Whether no more rows are wanted.
    pub(crate) fn is_full(&self) -> bool {
        self.left == 0
    }

    /// Writes a row about some nodes; `own` gives the cells of the command's own columns.
    pub(crate) fn push<'c>(&mut self, nodes: &[Option<u32>], own: impl Fn(usize) -> Cell<'c>) -> Outcome {
        if self.left == 0 {
            return Ok(());
        }
        if let Some(order) = &mut self.order {
            let keys = owned(&order.keys, &mut self.nodes, nodes, &own);
            return order.push(keys, owned(&self.shown, &mut self.nodes, nodes, &own));
        }
        for source in &self.shown {
            match *source {
                Source::Own(index) => self.rows.put(&own(index))?,
                Source::Of(node, field) => match nodes[node] {
                    Some(id) => self.rows.put(&self.nodes[node].cell(id, field))?,
                    None => self.rows.put(&Cell::Null)?,
                },
            }
        }
        self.left -= 1;
        Ok(self.rows.end_row()?)
    }

    /// What it takes to write rows as text, apart from one another; none where that is not enough: in tables, and where
    /// rows are sorted.
    pub(crate) fn text_columns(&self) -> Option<TextColumns<'l>> {
        let format = self.rows.format().filter(|_| self.order.is_none())?;
        Some(TextColumns { format, shown: self.shown.clone(), layout: self.layout })
    }

    /// How many rows are wanted yet.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Writes rows in the text that [`Listing::text_columns`] has for them.
    pub(crate) fn put_text(&mut self, text: &[u8], rows: usize) -> Outcome {
        self.left -= rows as u64;
        Ok(self.rows.put_rows(text, rows)?)
    }

    /// Notes whether all nodes of such rows were placed.
    pub(crate) fn note_places(&mut self, is_complete: bool) {
        self.is_complete &= is_complete;
    }

    /// Ends the answer: only now is all of it written.
    pub(crate) fn finish(mut self) -> Outcome {
        if let Some(order) = self.order.take() {
            order.write(&mut self.rows)?;
        }
        self.rows.finish()?;
        if !self.is_complete || !self.nodes.iter().all(NodeCursor::is_complete) {
            note("the syntax tree is so deep that file and method of some nodes were not looked for");
        }
        Ok(())
    }
}

/// The cells of a row, to keep.
fn owned<'c>(
    sources: &[Source],
    cursors: &mut [NodeCursor<'_>],
    nodes: &[Option<u32>],
    own: &impl Fn(usize) -> Cell<'c>,
) -> Vec<Cell<'static>> {
    let cell = |source: &Source| match *source {
        Source::Own(index) => own(index).into_owned(),
        Source::Of(node, field) => {
            nodes[node].map_or(Cell::Null, |id| cursors[node].cell(id, field).into_owned())
        }
    };
    sources.iter().map(cell).collect()
}

/// Rows that wait for their order.
struct Order {
    keys: Vec<Source>,
    descending: bool,
    limit: usize,
    rows: Vec<Kept>,
    budget: Budget,
}

struct Kept {
    keys: Vec<Cell<'static>>,
    cells: Vec<Cell<'static>>,
    bytes: usize,
}

impl Order {
    fn new(keys: Vec<Source>, selection: &Selection<'_>) -> Self {
        let limit = selection.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        let budget = Budget::new(selection.memory_bytes);
        Self { keys, descending: selection.descending, limit, rows: Vec::new(), budget }
    }

    fn push(&mut self, keys: Vec<Cell<'static>>, cells: Vec<Cell<'static>>) -> Outcome {
        let all = keys.iter().chain(&cells);
        let bytes = all.map(|cell| size_of::<Cell<'_>>() + cell.heap_bytes()).sum::<usize>() + ROW_BYTES;
        self.budget.take(bytes).map_err(GraphError::from)?;
        self.rows.push(Kept { keys, cells, bytes });
        if self.rows.len() >= self.limit.saturating_mul(2).max(SPARE_ROWS) {
            self.sort();
        }
        Ok(())
    }

    /// Sorts what there is so far, and drops what no longer can be shown.
    fn sort(&mut self) {
        let descending = self.descending;
        self.rows.sort_by(|a, b| {
            let mut pairs = a.keys.iter().zip(&b.keys).map(|(a, b)| a.compare(b, descending));
            pairs.find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
        });
        let dropped = self.rows.drain(self.limit.min(self.rows.len())..);
        self.budget.give_back(dropped.map(|row| row.bytes).sum());
    }

    fn write(mut self, rows: &mut Rows) -> Outcome {
        self.sort();
        for row in &self.rows {
            row.cells.iter().try_for_each(|cell| rows.put(cell))?;
            rows.end_row()?;
        }
        Ok(())
    }
}
