//! [`Morsel`]: a portion of work for one thread, either rows with their trails, or a range of nodes for a
//! scan. [`WorkerSteps`]: the steps that process morsels.
//!
//! A trail is an index into a table, and each thread has its own table. So a morsel contains copies of the
//! trails of its rows. Results have no trails, because no step after the worker's steps reads trails.

use std::ops::Range;

use super::chain::Measured;
use super::context::Context;
use super::inner::Inner;
use super::lists::has_room;
use super::stop::Stop;
use super::trails::Trails;
use crate::pipeline::rows::Batch;

/// The approximate maximum number of trail entries in a morsel. If paths are long, it limits the number of
/// rows.
const ENTRIES_MAX: usize = 1 << 16;

/// A portion of work: rows with their trails, or nodes for steps that begin with a scan.
#[derive(Debug, Default)]
pub(super) struct Morsel {
    rows: Batch,
    trails: Trails,
    nodes: Range<u32>,
}

impl Morsel {
    /// The number of rows or nodes in the morsel.
    pub(super) fn rows(&self) -> usize {
        self.rows.rows() + self.nodes.len()
    }

    /// Turns the morsel into a range of nodes.
    pub(super) fn set_nodes(&mut self, nodes: Range<u32>) {
        self.nodes = nodes;
    }

    /// Appends rows of a batch whose trails are in `cx`. Returns the number of appended rows, which is less
    /// than requested if the morsel becomes full.
    pub(super) fn push_range(
        &mut self,
        from: &Batch,
        rows: Range<usize>,
        cx: &Context,
    ) -> Result<usize, Stop> {
        if !cx.carried.trail {
            self.rows.push_range(from, rows.clone());
            return Ok(rows.len());
        }
        for row in rows.clone() {
            if row > rows.start && self.is_full() {
                return Ok(row - rows.start);
            }
            let first = self.rows.trail.len();
            self.rows.push_range(from, row..row + 1);
            for trail in &mut self.rows.trail[first..] {
                *trail = self.trails.copy(*trail, cx.trails, cx.budget, cx.cancel)?;
            }
        }
        Ok(rows.len())
    }

    /// Whether the morsel has so many trail entries or list items that it takes no more rows.
    pub(super) fn is_full(&self) -> bool {
        self.trails.len() >= ENTRIES_MAX || !has_room(&self.rows)
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.trails.clear();
        self.nodes = 0..0;
    }
}

/// Steps that process one morsel after another.
#[derive(Debug)]
pub(super) struct WorkerSteps {
    steps: Inner,
    trails: Trails,
}

impl WorkerSteps {
    pub(super) fn new(steps: Inner) -> Self {
        Self { steps, trails: Trails::default() }
    }

    /// Prepares the steps.
    pub(super) fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        self.steps.prepare(cx)
    }

    /// Makes the steps share the results of text tests with the same steps of another worker.
    pub(super) fn share(&mut self, other: &Self) {
        self.steps.share(&other.steps);
    }

    /// The same as [`WorkerSteps::share`], but `others` are the operators of only the first of these steps.
    pub(super) fn share_first(&mut self, others: &Inner) {
        self.steps.share(others);
    }

    /// Begins to process a morsel, and leaves `morsel` empty.
    pub(super) fn begin(&mut self, morsel: &mut Morsel) {
        match morsel.nodes.is_empty() {
            true => self.steps.begin_with(&mut morsel.rows),
            false => self.steps.begin_range(morsel.nodes.clone()),
        }
        std::mem::swap(&mut self.trails, &mut morsel.trails);
        morsel.clear();
    }

    /// Swaps the next results into `batch`, whose buffers are reused. Returns false at the end.
    pub(super) fn next_into(&mut self, batch: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        std::mem::swap(&mut self.trails, cx.trails);
        let more = self.steps.next_into(batch, cx);
        std::mem::swap(&mut self.trails, cx.trails);
        batch.trail.clear();
        more
    }

    /// Adds the measurements of each step to `sum`.
    pub(super) fn add_measured(&self, sum: &mut [Measured]) {
        self.steps.add_measured(sum);
    }

    /// The number of steps, including the one that gives the input rows.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }
}
