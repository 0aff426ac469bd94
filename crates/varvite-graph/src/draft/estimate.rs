//! An estimate of the memory that the columns of a draft take while they are made, from counts of its
//! reading, and the choice of an encoding path that has room in the budget.

use std::collections::BTreeSet;

use super::content::{Draft, Element};
use super::values::Values;
use crate::budget::{Budget, OverBudget};
use crate::change::{ListStream, ValueStream};
use crate::change_error::ChangeError;
use crate::error::{GraphError, Result};
use crate::scan::threads::threads_within;

/// A job over all owners: lengths and offsets, of two directions if they are edges.
const OWNER: u64 = 16;
/// An edge in both directions, its rank, and the memory for pairing both if edges have a property.
const EDGE: u64 = 24;
const PAIR: u64 = 24;
/// Buffers of a thread, those of compression among them.
const THREAD: u64 = 256 << 10;

/// A plan for making the columns of a draft within its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// The number of threads.
    pub(super) threads: usize,
    /// Edge labels whose lists have no room in memory: they are sorted on the disk. Rising.
    pub(super) streamed: Vec<u32>,
    /// Properties of nodes whose values have no room, by their numbers. Rising.
    pub(super) streamed_properties: Vec<usize>,
}

/// The way of making the columns, on at most `threads` threads. The lists of the label along which nodes are
/// numbered are in memory.
///
/// # Errors
/// [`OverBudget`] if there is too little memory for one thread.
pub(super) fn effort_within(
    draft: &Draft,
    tree: Option<u32>,
    indexes: &BTreeSet<String>,
    budget: &Budget,
    threads: usize,
) -> Result<Effort, ChangeError> {
    let (limit, held) = (budget.limit(), budget.held() as u64);
    let memory = Memory { limit, held, reserved: 0 };
    let mut split = Split::of(draft, tree, indexes, memory);
    // Sorting on the disk takes memory too, so that more columns may have no room.
    for _ in 0..ROUNDS {
        let memory = Memory { reserved: split.streaming, ..memory };
        let next = Split::of(draft, tree, indexes, memory);
        let is_enough = next.streaming <= split.streaming;
        split = next;
        if is_enough {
            break;
        }
    }
    let Split { streamed, streamed_properties, streaming, jobs } = split;
    let jobs: Vec<u64> = jobs.into_iter().map(|job| job + THREAD).collect();
    let largest = jobs.iter().copied().max().unwrap_or_default();
    // One thread streams, while the others are at work already.
    let room = (limit as u64).checked_sub(held + streaming);
    let threads = room.and_then(|room| threads_within(jobs, room, threads)).ok_or_else(|| {
        let needed = usize::try_from(held + streaming + largest).unwrap_or(usize::MAX);
        GraphError::OverBudget(OverBudget { limit, needed })
    })?;
    Ok(Effort { threads, streamed, streamed_properties })
}

/// Times that jobs are split again: jobs of one kind that sort on the disk need the same memory, but for
/// their length.
const ROUNDS: usize = 4;

#[derive(Clone, Copy)]
struct Memory {
    limit: usize,
    held: u64,
    /// Memory for sorting on the disk.
    reserved: u64,
}

impl Memory {
    fn has_room(self, job: u64) -> bool {
        self.held + self.reserved + job + THREAD <= self.limit as u64
    }
}

/// The jobs that sort on the disk, and the bytes of every other job.
struct Split {
    streamed: Vec<u32>,
    streamed_properties: Vec<usize>,
    /// The largest memory of sorting.
    streaming: u64,
    jobs: Vec<u64>,
}

impl Split {
    fn of(draft: &Draft, tree: Option<u32>, indexes: &BTreeSet<String>, memory: Memory) -> Self {
        let nodes = draft.node_count();
        let mut split =
            Self { streamed: Vec::new(), streamed_properties: Vec::new(), streaming: 0, jobs: Vec::new() };
        for (label, edges) in (0..).zip(&draft.edges) {
            let own = || draft.properties.iter().filter(|(of, _)| *of == Element::Edge(label));
            let count = u64::from(edges.count());
            let most = own().map(|(_, values)| of_values(values, count)).max();
            let job = u64::from(nodes) * OWNER + count * EDGE + most.map_or(0, |most| most + count * PAIR);
            let may_stream = draft.scratch.is_some() && tree != Some(label) && own().next().is_none();
            if memory.has_room(job) || !may_stream {
                split.jobs.push(job);
                continue;
            }
            split.streamed.push(label);
            let takes = ListStream::heap_bytes(nodes, edges.count(), memory.limit);
            split.streaming = split.streaming.max(takes);
        }
        let of_nodes = draft.properties.iter().enumerate().filter(|(_, (of, _))| *of == Element::Node);
        for (number, (_, values)) in of_nodes {
            let job = of_values(values, nodes.into());
            let may_stream = draft.may_stream(number) && !indexes.contains(&values.name);
            if memory.has_room(job) || !may_stream {
                split.jobs.push(job);
                continue;
            }
            split.streamed_properties.push(number);
            let takes = ValueStream::heap_bytes(nodes, values.count(), memory.limit);
            split.streaming = split.streaming.max(takes);
        }
        split
    }
}

fn of_values(values: &Values, owners: u64) -> u64 {
    let defaults = if values.default.is_some() { owners * values.value_bytes() } else { 0 };
    owners * OWNER + values.bytes_to_encode() + defaults
}
