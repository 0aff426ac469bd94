//! Rows with lists: paths, the nodes of a group, or the values of list properties.
//!
//! Batches are not charged to the budget, because rows are small. But a single list may have as many items as
//! the graph has nodes. So a batch ends early once its lists have many items ([`NUMBERS`]), and further items
//! are charged to the budget.

use super::context::Context;
use super::stop::Stop;
use crate::pipeline::rows::{Batch, Cells, Edge, Refers};

/// Once a column of a batch has this number of list items (half a megabyte), the batch takes no further row.
const NUMBERS: usize = 1 << 16;
/// The number of list items copied between two checks of the cancel flag.
const AT_ONCE: usize = 1 << 12;

/// Whether the lists of a batch leave room for another row.
pub(super) fn has_room(output: &Batch) -> bool {
    output.table.iter().chain(&output.computed).all(|cells| cells.numbers.len() < NUMBERS)
}

/// Appends a list to a column. `held` is the number of bytes that the batch has charged to the budget.
pub(super) fn push_list(
    output: &mut Batch,
    column: usize,
    len: usize,
    mut numbers: impl Iterator<Item = i64>,
    held: &mut usize,
    cx: &mut Context,
) -> Result<(), Stop> {
    let beside = output.bytes();
    let cells = &mut output.table[column];
    make_room(cells, beside, len, held, cx)?;
    for left in (1..=len).rev().step_by(AT_ONCE) {
        cx.tick_by(left.min(AT_ONCE))?;
        cells.numbers.extend(numbers.by_ref().take(AT_ONCE));
    }
    cells.end_list();
    Ok(())
}

/// Copies the next kept rows to the output: as many as fill a batch, or fewer if they have long lists.
/// Returns their number.
pub(super) fn give_rows(
    kept: &Batch,
    rows: &[u32],
    output: &mut Batch,
    held: &mut usize,
    cx: &mut Context,
) -> Result<usize, Stop> {
    let rows = &rows[..rows.len().min(cx.batch_rows)];
    if kept.table.is_empty() {
        output.push_rows(kept, rows, cx.carried);
        return Ok(rows.len());
    }
    output.table.resize_with(kept.table.len(), Cells::default);
    for (given, row) in rows.iter().enumerate() {
        if given > 0 && !has_room(output) {
            return Ok(given);
        }
        let mut numbers = 0;
        for (column, cells) in kept.table.iter().enumerate() {
            let len = cells.count(*row as usize);
            let beside = output.bytes();
            make_room(&mut output.table[column], beside, len, held, cx)?;
            if cells.refers != Refers::Nothing && !kept.edges.is_empty() {
                make_room_for_edges(output, len, held, cx)?;
            }
            numbers += len;
        }
        cx.tick_by(1 + numbers)?;
        output.push_row(kept, *row as usize, cx.carried);
    }
    Ok(rows.len())
}

/// Makes room for the edges to which the numbers of a list refer.
pub(super) fn make_room_for_edges(
    output: &mut Batch,
    more: usize,
    held: &mut usize,
    cx: &Context,
) -> Result<(), Stop> {
    let edges = &output.edges;
    if edges.len() + more <= edges.capacity().max(NUMBERS) {
        return Ok(());
    }
    cx.budget.hold(held, output.bytes() + size_of::<Edge>() * more)?;
    output.edges.reserve_exact(more);
    Ok(())
}

/// Makes room for `more` items in a column of lists. `beside` is the number of bytes in the batch, including
/// this column.
pub(super) fn make_room(
    cells: &mut Cells,
    beside: usize,
    more: usize,
    held: &mut usize,
    cx: &Context,
) -> Result<(), Stop> {
    let needed = cells.numbers.len() + more;
    if needed <= cells.numbers.capacity().max(NUMBERS) {
        return Ok(());
    }
    let bytes = size_of::<i64>() * (needed - cells.numbers.capacity());
    cx.budget.hold(held, beside + bytes)?;
    cells.numbers.reserve_exact(more);
    Ok(())
}
