//! Estimates, from counts, the memory that encoding a draft takes, and chooses how to encode it within the
//! budget.

use std::collections::BTreeSet;

use super::content::{Draft, Element};
use super::values::Values;
use crate::budget::{Budget, OverBudget};
use crate::change::{ListStream, ValueStream};
use crate::change_error::ChangeError;
use crate::error::{GraphError, Result};
use crate::scan::threads::threads_within;

/// Bytes for each owner of a job: lengths and offsets; a job for edges has them in both directions.
const OWNER: u64 = 16;
/// Bytes for each edge: its entries in both directions, and its rank. `PAIR` is the number of additional
/// bytes if the edges have a property, for pairing the entries of both directions.
const EDGE: u64 = 24;
const PAIR: u64 = 24;
/// Bytes for the buffers of a thread, including those of compression.
const THREAD: u64 = 256 << 10;

/// A plan for encoding a draft within its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// The number of threads.
    pub(super) threads: usize,
    /// The edge labels whose lists do not fit in memory, so that they are sorted on disk; ascending.
    pub(super) streamed: Vec<u32>,
    /// The numbers of the node properties whose values do not fit in memory; ascending.
    pub(super) streamed_properties: Vec<usize>,
}

/// Plans the encoding on at most `threads` threads. The lists of the tree label, whose pre-order gives the
/// ids, are always encoded in memory.
///
/// # Errors
/// [`OverBudget`] if the memory does not suffice for one thread.
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
    // Sorting on disk takes memory too, so more columns may then not fit in memory.
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
    // One thread sorts on disk while the others already encode.
    let room = (limit as u64).checked_sub(held + streaming);
    let threads = room.and_then(|room| threads_within(jobs, room, threads)).ok_or_else(|| {
        let needed = usize::try_from(held + streaming + largest).unwrap_or(usize::MAX);
        GraphError::OverBudget(OverBudget { limit, needed })
    })?;
    Ok(Effort { threads, streamed, streamed_properties })
}

/// The largest number of times that the jobs are again divided into jobs in memory and jobs on disk. The
/// memory for sorting on disk depends on the kind of a job, and little on its length, so few rounds suffice.
const ROUNDS: usize = 4;

#[derive(Clone, Copy)]
struct Memory {
    limit: usize,
    held: u64,
    /// The memory that is reserved for sorting on disk.
    reserved: u64,
}

impl Memory {
    fn has_room(self, job: u64) -> bool {
        self.held + self.reserved + job + THREAD <= self.limit as u64
    }
}

/// The jobs that sort on disk, and the memory in bytes that each other job takes.
struct Split {
    streamed: Vec<u32>,
    streamed_properties: Vec<usize>,
    /// The memory for sorting on disk: that of the job that needs the most.
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
            let count = u64::from(edges.len());
            let most = own().map(|(_, values)| of_values(values, count)).max();
            let job = u64::from(nodes) * OWNER + count * EDGE + most.map_or(0, |most| most + count * PAIR);
            let may_stream = draft.scratch.is_some() && tree != Some(label) && own().next().is_none();
            if memory.has_room(job) || !may_stream {
                split.jobs.push(job);
                continue;
            }
            split.streamed.push(label);
            let takes = ListStream::heap_bytes(nodes, edges.len(), memory.limit);
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
