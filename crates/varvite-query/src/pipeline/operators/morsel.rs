//! [`Morsel`]: rows on their way to a thread, with the trails that are theirs, or a range of nodes that a
//! scan looks for rows in; and [`WorkerSteps`]: steps that take them.
//!
//! Trails are numbers of one table, and each thread has a table of its own. So a row takes a copy of its
//! trail along, and results have none: the worker runs the last step that reads trails.

use std::ops::Range;

use super::chain::Measured;
use super::context::Context;
use super::inner::Inner;
use super::lists::has_room;
use super::stop::Stop;
use super::trails::Trails;
use crate::pipeline::rows::Batch;

/// Entries of trails that a morsel has, more or less: rows of long paths travel few at a time.
const ENTRIES_MAX: usize = 1 << 16;

/// Rows with the trails that are theirs, or nodes for steps that begin with a scan.
#[derive(Debug, Default)]
pub(super) struct Morsel {
    rows: Batch,
    trails: Trails,
    nodes: Range<u32>,
}

impl Morsel {
    /// The number of its rows or nodes.
    pub(super) fn rows(&self) -> usize {
        self.rows.rows() + self.nodes.len()
    }

    /// Becomes a range of nodes.
    pub(super) fn set_nodes(&mut self, nodes: Range<u32>) {
        self.nodes = nodes;
    }

    /// Appends rows of a batch of `cx`; how many, which is fewer where their trails fill the morsel.
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

    /// Whether trails or lists fill it.
    pub(super) fn is_full(&self) -> bool {
        self.trails.len() >= ENTRIES_MAX || !has_room(&self.rows)
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.trails.clear();
        self.nodes = 0..0;
    }
}

/// Steps at work on one morsel after another.
#[derive(Debug)]
pub(super) struct WorkerSteps {
    steps: Inner,
    trails: Trails,
}

impl WorkerSteps {
    pub(super) fn new(steps: Inner) -> Self {
        Self { steps, trails: Trails::default() }
    }

    /// Gets the steps ready.
    pub(super) fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        self.steps.prepare(cx)
    }

    /// Shares the answers about texts with the same steps of another worker.
    pub(super) fn share(&mut self, other: &Self) {
        self.steps.share(&other.steps);
    }

    /// The same with the answers of steps that begin with these.
    pub(super) fn share_first(&mut self, others: &Inner) {
        self.steps.share(others);
    }

    /// Begins with a morsel, which is empty then.
    pub(super) fn begin(&mut self, morsel: &mut Morsel) {
        match morsel.nodes.is_empty() {
            true => self.steps.begin_with(&mut morsel.rows),
            false => self.steps.begin_range(morsel.nodes.clone()),
        }
        std::mem::swap(&mut self.trails, &mut morsel.trails);
        morsel.clear();
    }

    /// Puts the next results into a batch whose buffers are used again; false at the end.
    pub(super) fn next_into(&mut self, batch: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        std::mem::swap(&mut self.trails, cx.trails);
        let more = self.steps.next_into(batch, cx);
        std::mem::swap(&mut self.trails, cx.trails);
        batch.trail.clear();
        more
    }

    /// Adds the measurements of each step.
    pub(super) fn add_measured(&self, sum: &mut [Measured]) {
        self.steps.add_measured(sum);
    }

    /// The number of steps, the one that gives the rows included.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }
}
