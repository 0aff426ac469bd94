//! [`together`]: runs of an inner pipeline for many rows at once.
//!
//! In such a run every row carries a number in place of a depth: the index of the row with which the pipeline
//! began. Operators pass numbers on as they pass depths on, so the results of a row can be told from those of
//! other rows. Runs may be nested; then [`Names`](super::names::Names) leads from the numbers of an inner run
//! to those around it.

use super::context::Context;
use super::stop::Stop;
use crate::pipeline::rows::{Batch, Carried};

/// Fills `around` with the numbers that rows have in the current run, for a run inside it. They are zeros
/// outside of any run.
pub(super) fn fill_around(around: &mut Vec<u32>, input: &Batch, rows: &[u32], cx: &Context) {
    around.clear();
    around.extend(rows.iter().map(|row| cx.number_of(input, *row as usize)));
}

/// The number of rows for which a pipeline may run at once. There are few in a plan with many operators:
/// each pipeline copies its rows, and the copies are not charged to the budget.
pub(super) fn rows_at_once(cx: &Context) -> usize {
    if cx.counts_batches { ROWS_FEW } else { usize::MAX }
}

const ROWS_FEW: usize = 16;
/// The number of results of one row in a batch from which on the row may have far more.
const RESULTS_MANY: usize = 16;

/// The number of the row to which all results of a batch belong, if there are many. This row may have as many
/// more results as the graph has nodes, so a run that needs only one of them ends here.
pub(super) fn number_of_many(results: &Batch) -> Option<usize> {
    let (first, last) = (results.depth.first()?, results.depth.last()?);
    (first == last && results.rows() >= RESULTS_MANY).then_some(*first as usize)
}

/// Runs a pipeline for many rows at once. `around` has the numbers of these rows in the current run.
pub(super) fn together<T>(
    cx: &mut Context,
    around: &mut Vec<u32>,
    work: impl FnOnce(&mut Context) -> Result<T, Stop>,
) -> Result<T, Stop> {
    within(cx, around, Carried { trail: false, depth: true }, work)
}

/// Runs a pipeline for one row, whose number in the current run is known. Its rows carry nothing.
pub(super) fn apart<T>(
    cx: &mut Context,
    number: u32,
    work: impl FnOnce(&mut Context) -> Result<T, Stop>,
) -> Result<T, Stop> {
    if cx.has_numbers {
        let mut around = std::mem::take(&mut cx.trails.names.spare);
        around.clear();
        around.push(number);
        let outcome = within(cx, &mut around, Carried::default(), work);
        cx.trails.names.spare = around;
        return outcome;
    }
    let carried = std::mem::take(&mut cx.carried);
    let outcome = work(cx);
    cx.carried = carried;
    outcome
}

fn within<T>(
    cx: &mut Context,
    around: &mut Vec<u32>,
    carried: Carried,
    work: impl FnOnce(&mut Context) -> T,
) -> T {
    let outside = (cx.carried, cx.has_numbers, cx.number);
    (cx.carried, cx.has_numbers, cx.number) = (carried, carried.depth, 0);
    cx.trails.names.enter(std::mem::take(around));
    let outcome = work(cx);
    *around = cx.trails.names.leave();
    (cx.carried, cx.has_numbers, cx.number) = outside;
    outcome
}
