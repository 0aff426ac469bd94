//! How much memory the columns of a draft take while they are made, told from what was counted while it was read.

use varvite::memory::OverBudget;
use varvite::{Budget, GraphError, Result};

use super::content::{Draft, Element};
use super::values::Values;
use crate::threads::threads_within;

/// A job over all owners: lengths and offsets, of two directions if they are edges.
const OWNER: u64 = 16;
/// An edge in both directions, its rank, and what pairing both takes if edges have a property.
const EDGE: u64 = 24;
const PAIR: u64 = 24;
/// Buffers of a thread, those of compression among them.
const THREAD: u64 = 256 << 10;

/// How many threads may work on the columns, at most `threads`.
///
/// # Errors
/// [`OverBudget`] if there is too little memory for one.
pub(super) fn threads_for(draft: &Draft, budget: &Budget, threads: usize) -> Result<usize> {
    let nodes = u64::from(draft.node_count());
    let of_edges = |(label, edges): (usize, &super::edges::Edges)| {
        let count = u64::from(edges.count());
        let own = draft.properties.iter().filter(|(of, _)| *of == Element::Edge(label as u32));
        let most = own.map(|(_, values)| of_values(values, count)).max();
        nodes * OWNER + count * EDGE + most.map_or(0, |most| most + count * PAIR)
    };
    let edges = draft.edges.iter().enumerate().map(of_edges);
    let properties = draft.properties.iter().filter(|(of, _)| *of == Element::Node);
    let properties = properties.map(|(_, values)| of_values(values, nodes));
    let jobs: Vec<u64> = edges.chain(properties).map(|job| job + THREAD).collect();
    let (limit, held) = (budget.limit(), budget.held());
    let largest = jobs.iter().copied().max().unwrap_or_default();
    let room = limit.checked_sub(held);
    room.and_then(|room| threads_within(jobs, room as u64, threads)).ok_or_else(|| {
        let needed = usize::try_from(held as u64 + largest).unwrap_or(usize::MAX);
        GraphError::OverBudget(OverBudget { limit, needed })
    })
}

fn of_values(values: &Values, owners: u64) -> u64 {
    let defaults = if values.default.is_some() { owners * values.value_bytes() } else { 0 };
    owners * OWNER + values.bytes_to_encode() + defaults
}
