//! [`Listing`]: writes rows about nodes to a [`Sink`]. A [`Selection`] chooses the columns, the order and the
//! number of rows.

use std::sync::Arc;

use varvite::{Budget, GraphError, Task};

use crate::error::Result;
use crate::layout::{Layout, NodeCursor, Source};
use crate::output::{Cell, Format, RowFormat, Rows, Sink};

/// Rows beyond the limit are dropped only if at least this many rows are in memory.
const SPARE_ROWS: usize = 1000;
/// The size in bytes of a row without its cells.
const ROW_BYTES: usize = 2 * size_of::<Vec<u8>>() + 32;

/// The part of a listing to show.
#[derive(Clone, Debug)]
pub struct Selection<'a> {
    /// The format of rows.
    pub format: Format,
    /// The names of columns. If empty, the usual columns are shown.
    pub columns: &'a [String],
    /// Whether file names begin with the root folder of the source (from META_DATA), so that terminals can
    /// open them.
    pub has_root: bool,
    /// Names of the columns to sort by.
    pub order_by: &'a [String],
    /// Whether to sort in descending order.
    pub descending: bool,
    /// The maximum number of rows to show. `None` for all.
    pub limit: Option<u64>,
    /// The memory for sorted rows, and the number of threads (including the caller's) that render rows of a
    /// run.
    pub task: Task<'a>,
}

/// The default selection: all rows and the usual columns, as a table, on the caller's thread.
impl Default for Selection<'_> {
    fn default() -> Self {
        Self {
            format: Format::default(),
            columns: &[],
            has_root: false,
            order_by: &[],
            descending: false,
            limit: None,
            task: Task::new().threads(1),
        }
    }
}

/// Writes rows about nodes to a [`Sink`]. Sorted rows are kept in memory until the end; other rows are
/// written as they come.
pub struct Listing<'l> {
    rows: Rows<'l>,
    shown: Vec<Source>,
    nodes: Vec<NodeCursor<'l>>,
    order: Option<Order>,
    left: u64,
    layout: &'l Layout<'l>,
    /// Whether the locations of all nodes were found in the rows that renderers wrote.
    is_complete: bool,
}

/// The result of writing rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shown {
    /// Whether the locations of all nodes were found. False if the syntax tree is so deep that the search for
    /// the file and method of some nodes was given up.
    pub has_all_places: bool,
}

/// The columns of rows that can be rendered independently of one another.
pub(crate) struct TextColumns<'l> {
    pub(crate) format: Arc<RowFormat>,
    pub(crate) shown: Vec<Source>,
    pub(crate) layout: &'l Layout<'l>,
}

impl<'l> Listing<'l> {
    /// Begins a listing: opens the columns, and writes the header.
    ///
    /// # Errors
    /// [`ShowError`](crate::ShowError) for an unknown column, a property that can't be read, or an error of
    /// the writer.
    pub fn begin(sink: Sink<'l>, layout: &'l mut Layout<'_>, selection: Selection<'_>) -> Result<Self> {
        if selection.has_root {
            layout.with_root()?;
        }
        let shown = layout.chosen(selection.columns)?;
        let keys: Vec<Source> =
            selection.order_by.iter().map(|name| layout.source(name)).collect::<Result<_>>()?;
        let layout: &'l Layout<'l> = layout;
        let titles = layout.columns(&shown);
        let order = (!keys.is_empty()).then(|| Order::new(keys, &selection));
        Ok(Self {
            rows: Rows::begin(sink, selection.format, titles)?,
            shown,
            nodes: layout.cursors(),
            order,
            left: selection.limit.unwrap_or(u64::MAX),
            layout,
            is_complete: true,
        })
    }

    /// Whether the limit of rows was reached.
    pub fn is_full(&self) -> bool {
        self.left == 0
    }

    /// Writes a row. `nodes` has one node for each prefix of the layout, or `None` for a missing node. `own`
    /// returns the cell of the caller's column with the given index. Does nothing once [`Listing::is_full`]
    /// returns true.
    ///
    /// # Errors
    /// An error of the writer or, for sorted rows, [`GraphError::OverBudget`]. The output is then incomplete.
    ///
    /// # Panics
    /// Panics if there are fewer nodes than prefixes.
    pub fn push<'c>(&mut self, nodes: &[Option<u32>], own: impl Fn(usize) -> Cell<'c>) -> Result<()> {
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
                Source::Of(node, _) | Source::Property(node, _) => match nodes[node] {
                    Some(id) => self.rows.put(&self.nodes[node].read(id, *source))?,
                    None => self.rows.put(&Cell::Null)?,
                },
            }
        }
        self.left -= 1;
        Ok(self.rows.end_row()?)
    }

    /// The columns for rendering rows independently of one another. `None` for sorted rows, which need all
    /// rows, and for receivers of cells.
    pub(crate) fn text_columns(&self) -> Option<TextColumns<'l>> {
        let format = self.rows.format().filter(|_| self.order.is_none())?;
        Some(TextColumns { format, shown: self.shown.clone(), layout: self.layout })
    }

    /// The number of rows left to show.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Writes `rows` rows that were rendered to `text` with [`Listing::text_columns`].
    pub(crate) fn put_text(&mut self, text: &[u8], rows: usize) -> Result<()> {
        self.left -= rows as u64;
        Ok(self.rows.put_rows(text, rows)?)
    }

    /// Notes whether the locations of all nodes in rendered rows were found.
    pub(crate) fn note_places(&mut self, is_complete: bool) {
        self.is_complete &= is_complete;
    }

    /// Ends the listing: writes all remaining rows, and flushes the writer.
    ///
    /// # Errors
    /// The writer's error.
    pub fn finish(mut self) -> Result<Shown> {
        if let Some(order) = self.order.take() {
            order.write(&mut self.rows)?;
        }
        self.rows.finish()?;
        let has_all_places = self.is_complete && self.nodes.iter().all(NodeCursor::is_complete);
        Ok(Shown { has_all_places })
    }
}

/// The cells of a row, as owned copies.
fn owned<'c>(
    sources: &[Source],
    cursors: &mut [NodeCursor<'_>],
    nodes: &[Option<u32>],
    own: &impl Fn(usize) -> Cell<'c>,
) -> Vec<Cell<'static>> {
    let cell = |source: &Source| match *source {
        Source::Own(index) => own(index).into_owned(),
        Source::Of(node, _) | Source::Property(node, _) => {
            nodes[node].map_or(Cell::Null, |id| cursors[node].read(id, *source).into_owned())
        }
    };
    sources.iter().map(cell).collect()
}

/// Rows that wait to be sorted.
struct Order {
    keys: Vec<Source>,
    descending: bool,
    limit: usize,
    rows: Vec<KeyedRow>,
    budget: Budget,
}

struct KeyedRow {
    keys: Vec<Cell<'static>>,
    cells: Vec<Cell<'static>>,
    bytes: usize,
}

impl Order {
    fn new(keys: Vec<Source>, selection: &Selection<'_>) -> Self {
        let limit = selection.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        let budget = Budget::of(&selection.task);
        Self { keys, descending: selection.descending, limit, rows: Vec::new(), budget }
    }

    fn push(&mut self, keys: Vec<Cell<'static>>, cells: Vec<Cell<'static>>) -> Result<()> {
        let all = keys.iter().chain(&cells);
        let bytes = all.map(|cell| size_of::<Cell<'_>>() + cell.heap_bytes()).sum::<usize>() + ROW_BYTES;
        self.budget.take(bytes).map_err(GraphError::from)?;
        self.rows.push(KeyedRow { keys, cells, bytes });
        if self.rows.len() >= self.limit.saturating_mul(2).max(SPARE_ROWS) {
            self.sort();
        }
        Ok(())
    }

    /// Sorts the rows pushed so far, and drops those beyond the limit.
    fn sort(&mut self) {
        let descending = self.descending;
        self.rows.sort_by(|a, b| {
            let mut pairs = a.keys.iter().zip(&b.keys).map(|(a, b)| a.compare(b, descending));
            pairs.find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
        });
        let dropped = self.rows.drain(self.limit.min(self.rows.len())..);
        self.budget.give_back(dropped.map(|row| row.bytes).sum());
    }

    fn write(mut self, rows: &mut Rows<'_>) -> Result<()> {
        self.sort();
        for row in &self.rows {
            row.cells.iter().try_for_each(|cell| rows.put(cell))?;
            rows.end_row()?;
        }
        Ok(())
    }
}
