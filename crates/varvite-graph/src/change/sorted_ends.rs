//! The appended edges of a label, sorted into the order of the adjacency lists: by the owner of the list,
//! then by rank.
//!
//! Edges are read in the order of their ranks. Runs of edges are sorted in memory; if there is more than one
//! run, each is written to disk, and all runs are then merged. Among the edges of one node, edges of an
//! earlier run come first. A run takes 12 bytes of memory for each edge; in a
//! [`Sorter`](super::sorter::Sorter), an edge would take 28.

use std::sync::Arc;

use varvite_store::{Scratch, Tape, Task};

use super::ends::Ends;
use super::sorter::{HEAD, Merge, check_at, write_head};
use crate::cursor::adjacency::Direction;
use crate::error::{GraphError, Result};

/// Bytes of memory for an edge while its run is sorted: a key of the list's owner and the edge's number, and
/// the neighbour.
const SORTED: usize = 12;
/// The memory limit divided by this is the memory for one run while it is sorted, and later for the buffers
/// of all runs together. The same holds for one part of a [`ByRank`](super::by_rank::ByRank), and for the
/// buffers of all its parts together.
pub(super) const SHARE: usize = 4;
/// The minimum number of edges in a run, whatever the memory limit.
const RUN_LEAST: usize = 1 << 10;
/// The minimum and the maximum size, in bytes, of the buffer of one run while runs are merged.
const PIECE: (usize, usize) = (HEAD * 64, HEAD << 12);

/// An edge in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The owner of the list.
    pub(super) owner: u32,
    /// The number of the edge among the appended edges.
    pub(super) number: u32,
    /// The node at the edge's other end.
    pub(super) neighbor: u32,
}

impl Entry {
    fn of(number: u32, (source, target): (u32, u32), direction: Direction) -> Self {
        match direction {
            Direction::Out => Self { owner: source, number, neighbor: target },
            Direction::In => Self { owner: target, number, neighbor: source },
        }
    }
}

/// The sorted entries of the lists of both directions. They are kept when edges are appended, so that only
/// the new edges have to be sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct SortedEnds {
    lists: [Vec<Entry>; 2],
}

impl SortedEnds {
    /// Bytes of memory that the entries take.
    pub(super) fn heap_bytes(&self) -> usize {
        self.lists.iter().map(|list| size_of_val(&**list)).sum()
    }

    /// The entries of one direction, if they include all of the `edges` appended edges.
    pub(super) fn entries(&self, direction: Direction, edges: u32) -> Option<&[Entry]> {
        let entries = &self.lists[direction as usize];
        (entries.len() == edges as usize).then_some(entries)
    }

    /// Adds the edges that were appended since the last call; does nothing if some edges are on disk. Moves
    /// all entries that come after the first new entry.
    pub(super) fn take_up(&mut self, ends: &Ends) {
        for direction in Direction::BOTH {
            let entries = &mut self.lists[direction as usize];
            let first = entries.len() as u32;
            let Some(new) = ends.behind(first) else { return };
            let mut new: Vec<Entry> =
                (first..).zip(new).map(|(number, ends)| Entry::of(number, ends, direction)).collect();
            new.sort_by_key(|entry| entry.owner);
            merge(entries, &new);
        }
    }
}

/// Inserts new entries after those of the same owner.
fn merge(entries: &mut Vec<Entry>, new: &[Entry]) {
    let mut end = entries.len();
    entries.extend_from_slice(new);
    for (before, entry) in new.iter().enumerate().rev() {
        let place = entries[..end].partition_point(|known| known.owner <= entry.owner);
        entries.copy_within(place..end, place + before + 1);
        entries[place + before] = *entry;
        end = place;
    }
}

/// The lists of one direction, in memory.
#[derive(Debug, Default)]
pub(super) struct SortedLists {
    /// The nodes that have a list, in ascending order.
    pub(super) owners: Vec<u32>,
    /// The start of each list, followed by the end of the last list.
    pub(super) starts: Vec<u32>,
    pub(super) neighbors: Vec<u32>,
    /// The number of the edge of each entry.
    pub(super) edges: Vec<u32>,
}

impl SortedLists {
    /// Makes the lists of the edges `ends`. If `sorted` has the sorted entries of all edges, uses them.
    ///
    /// # Errors
    /// An error of the file system; [`GraphError::Cancelled`](crate::GraphError::Cancelled).
    pub(super) fn of(
        ends: &Ends,
        direction: Direction,
        sorted: Option<&[Entry]>,
        scratch: Option<&Arc<Scratch>>,
        task: &Task<'_>,
    ) -> Result<Self> {
        let [neighbors, edges] = [(); 2].map(|()| Vec::with_capacity(ends.len() as usize));
        let mut lists = Self { neighbors, edges, ..Self::default() };
        let visit = |entry| -> Result<()> {
            lists.push(entry);
            Ok(())
        };
        match sorted {
            Some(entries) => entries.iter().copied().try_for_each(visit)?,
            None => for_each_sorted(ends, direction, scratch, task, visit)?,
        }
        lists.starts.push(lists.edges.len() as u32);
        Ok(lists)
    }

    fn push(&mut self, Entry { owner, number, neighbor }: Entry) {
        if self.owners.last() != Some(&owner) {
            self.owners.push(owner);
            self.starts.push(self.edges.len() as u32);
        }
        self.neighbors.push(neighbor);
        self.edges.push(number);
    }
}

/// Calls `visit` with all entries of the lists of one direction, in order.
///
/// # Errors
/// An error of the file system; the errors of `visit`;
/// [`GraphError::Cancelled`](crate::GraphError::Cancelled).
pub(super) fn for_each_sorted<E: From<GraphError>>(
    ends: &Ends,
    direction: Direction,
    scratch: Option<&Arc<Scratch>>,
    task: &Task<'_>,
    mut visit: impl FnMut(Entry) -> Result<(), E>,
) -> Result<(), E> {
    let all = ends.len() as usize;
    let run_len = scratch.map_or(all, |scratch| (scratch.memory() / SHARE / SORTED).max(RUN_LEAST)).min(all);
    let (mut run, mut runs) = (Run::with_room_for(run_len), Vec::new());
    let piece = piece_of(scratch, all.div_ceil(run_len.max(1)));
    ends.for_each(|number, source, target| {
        check_at(number, task)?;
        run.push(Entry::of(number, (source, target), direction));
        if run.neighbors.len() == run_len && run_len < all {
            runs.push(run.put_aside(scratch, piece)?);
        }
        Ok(())
    })?;
    if runs.is_empty() {
        return run.sorted().try_for_each(visit);
    }
    if !run.neighbors.is_empty() {
        runs.push(run.put_aside(scratch, piece)?);
    }
    drop(run);
    let mut merge = Merge::of(&runs)?;
    while let Some(run) = merge.next()? {
        let entry = Entry { owner: (run.key >> 32) as u32, number: run.key as u32, neighbor: run.word };
        check_at(merge.taken, task)?;
        visit(entry)?;
    }
    Ok(())
}

/// Bytes of memory that sorting takes with a temporary file and a memory limit of `memory` bytes.
pub(super) fn sorting_bytes(memory: usize) -> usize {
    (memory / SHARE).max(RUN_LEAST * SORTED)
}

/// The size, in bytes, of the buffer of each run or part, while `runs` of them are merged or written.
pub(super) fn piece_of(scratch: Option<&Arc<Scratch>>, runs: usize) -> usize {
    let memory = scratch.map_or(usize::MAX, |scratch| scratch.memory());
    let piece = memory / SHARE / runs.max(1);
    piece.clamp(PIECE.0, PIECE.1) / HEAD * HEAD
}

/// Edges with consecutive numbers.
struct Run {
    first: u32,
    /// For each edge, the owner of its list, and its index in the run.
    keys: Vec<u64>,
    neighbors: Vec<u32>,
}

impl Run {
    fn with_room_for(edges: usize) -> Self {
        Self { first: 0, keys: Vec::with_capacity(edges), neighbors: Vec::with_capacity(edges) }
    }

    #[inline]
    fn push(&mut self, Entry { owner, number, neighbor }: Entry) {
        if self.neighbors.is_empty() {
            self.first = number;
        }
        // Keys and indexes are sorted as pairs: a sort of indexes alone would look up a key in memory for
        // each comparison.
        self.keys.push(u64::from(owner) << 32 | self.neighbors.len() as u64);
        self.neighbors.push(neighbor);
    }

    fn sorted(&mut self) -> impl Iterator<Item = Entry> + '_ {
        if !self.keys.is_sorted() {
            self.keys.sort_unstable();
        }
        let (first, keys, neighbors) = (self.first, &self.keys, &self.neighbors);
        keys.iter().map(move |key| {
            let index = *key as u32;
            Entry { owner: (key >> 32) as u32, number: first + index, neighbor: neighbors[index as usize] }
        })
    }

    /// Writes the run to disk and starts the next run.
    fn put_aside(&mut self, scratch: Option<&Arc<Scratch>>, piece: usize) -> Result<Tape> {
        let mut tape = Tape::new(scratch, piece);
        for Entry { owner, number, neighbor } in self.sorted() {
            write_head(&mut tape, u64::from(owner) << 32 | u64::from(number), neighbor)?;
        }
        tape.settle()?;
        self.keys.clear();
        self.neighbors.clear();
        Ok(tape)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use varvite_testing::vfs::MemoryVfs;

    use super::*;

    fn entries(edges: &[(u32, u32)], direction: Direction, scratch: Option<&Arc<Scratch>>) -> Vec<Entry> {
        let (mut ends, mut entries) = (Ends::new(scratch), Vec::new());
        edges.iter().for_each(|(source, target)| ends.push(*source, *target).unwrap());
        let visit = |entry| {
            entries.push(entry);
            Ok::<(), GraphError>(())
        };
        for_each_sorted(&ends, direction, scratch, &Task::new(), visit).unwrap();
        entries
    }

    #[test]
    fn runs_on_the_disk_are_merged_as_all_are_sorted_in_memory() {
        let scratch = Scratch::beside(Arc::new(MemoryVfs::new()), Path::new("file"), 1).unwrap();
        let scratch = Arc::new(scratch);
        // The edges make many runs, and each node has many edges.
        let edges: Vec<(u32, u32)> =
            (0..10_000u32).map(|number| (number * 7919 % 601, number % 13)).collect();
        for direction in Direction::BOTH {
            let mut expected: Vec<Entry> = (0..)
                .zip(&edges)
                .map(|(number, (source, target))| match direction {
                    Direction::Out => Entry { owner: *source, number, neighbor: *target },
                    Direction::In => Entry { owner: *target, number, neighbor: *source },
                })
                .collect();
            expected.sort_by_key(|entry| entry.owner);
            let (mut ends, mut sorted) = (Ends::new(None), SortedEnds::default());
            for (number, (source, target)) in (1..).zip(&edges) {
                ends.push(*source, *target).unwrap();
                if number % 997 == 0 || number == edges.len() {
                    sorted.take_up(&ends);
                }
            }
            assert_eq!(sorted.entries(direction, ends.len()), Some(&expected[..]));
            assert_eq!(sorted.entries(direction, 9_999), None);
            assert_eq!(entries(&edges, direction, None), expected);
            assert_eq!(entries(&edges, direction, Some(&scratch)), expected);
        }
        assert!(scratch.written() > 0);
        assert_eq!(entries(&[], Direction::Out, Some(&scratch)), []);
    }
}
