//! The appended edges of a label, sorted into the order of lists: by the owner of the list, then by rank.
//!
//! Edges are read in the order of their ranks. Runs of edges are sorted in memory; if there is more than one
//! run, each is written to the disk, and all runs are merged. Among the edges of one node, edges of an
//! earlier run come first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use varvite_store::{Scratch, Tape, TapeReader, Task};

use super::ends::Ends;
use crate::cursor::adjacency::Direction;
use crate::error::{GraphError, Result};

/// Bytes of an edge while its run is sorted: its node and number as a key, and its neighbour.
const SORTED: usize = 12;
/// Bytes of an edge of a run on the disk: node, number, neighbour.
const MERGED: usize = 12;
/// The memory limit divided by this is the room for one run while it is sorted, and later for the buffers of
/// all runs.
const SHARE: usize = 4;
/// Fewest edges of a run.
const RUN_LEAST: usize = 1 << 10;
/// Fewest and most bytes of one run that are in memory while runs are merged.
const PIECE: (usize, usize) = (MERGED * 64, MERGED << 12);
/// Edges between two checks for cancellation.
const LOOK: u32 = 1 << 16;

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

/// The sorted entries of the lists of both directions, kept while edges are appended.
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

    /// Adds the edges that were appended since the last call, unless some are on a disk. Moves the entries
    /// after the first new one.
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
        if number.is_multiple_of(LOOK) {
            task.check().map_err(GraphError::from)?;
        }
        let (owner, neighbor) = match direction {
            Direction::Out => (source, target),
            Direction::In => (target, source),
        };
        run.push(number, owner, neighbor);
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
    while let Some(entry) = merge.next()? {
        if merge.taken.is_multiple_of(LOOK) {
            task.check().map_err(GraphError::from)?;
        }
        visit(entry)?;
    }
    Ok(())
}

/// Bytes of memory that sorting takes, if there is a disk and the memory limit is `memory` bytes.
pub(super) fn sorting_bytes(memory: usize) -> usize {
    (memory / SHARE).max(RUN_LEAST * SORTED)
}

/// The bytes of each run in memory while `runs` runs are merged.
fn piece_of(scratch: Option<&Arc<Scratch>>, runs: usize) -> usize {
    let memory = scratch.map_or(usize::MAX, |scratch| scratch.memory());
    let piece = memory / SHARE / runs.max(1);
    piece.clamp(PIECE.0, PIECE.1) / MERGED * MERGED
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
    fn push(&mut self, number: u32, owner: u32, neighbor: u32) {
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

    /// Writes the run to the disk and starts the next run.
    fn put_aside(&mut self, scratch: Option<&Arc<Scratch>>, piece: usize) -> Result<Tape> {
        let mut tape = Tape::new(scratch, piece);
        for Entry { owner, number, neighbor } in self.sorted() {
            let mut bytes = [0; MERGED];
            for (part, value) in bytes.chunks_exact_mut(4).zip([owner, number, neighbor]) {
                part.copy_from_slice(&value.to_le_bytes());
            }
            tape.write(&bytes)?;
        }
        tape.settle()?;
        self.keys.clear();
        self.neighbors.clear();
        Ok(tape)
    }
}

/// A merge of sorted runs on the disk.
struct Merge<'r> {
    runs: Vec<TapeReader<'r>>,
    /// The next entry of each run.
    next: Vec<Entry>,
    /// For each run that has a next entry: the owner of that entry, and the run.
    heads: BinaryHeap<Reverse<(u32, usize)>>,
    taken: u32,
}

impl<'r> Merge<'r> {
    fn of(tapes: &'r [Tape]) -> Result<Self> {
        let (mut runs, mut next, mut heads) = (Vec::new(), Vec::new(), BinaryHeap::new());
        for (number, tape) in tapes.iter().enumerate() {
            let mut run = tape.reader();
            let entry = read(&mut run)?.expect("a run has an entry");
            heads.push(Reverse((entry.owner, number)));
            runs.push(run);
            next.push(entry);
        }
        Ok(Self { runs, next, heads, taken: 0 })
    }

    fn next(&mut self) -> Result<Option<Entry>> {
        let Some(mut head) = self.heads.peek_mut() else { return Ok(None) };
        let Reverse((owner, run)) = &mut *head;
        let entry = self.next[*run];
        match read(&mut self.runs[*run])? {
            Some(following) => (self.next[*run], *owner) = (following, following.owner),
            None => _ = std::collections::binary_heap::PeekMut::pop(head),
        }
        self.taken = self.taken.wrapping_add(1);
        Ok(Some(entry))
    }
}

fn read(run: &mut TapeReader<'_>) -> Result<Option<Entry>> {
    let Some(bytes) = run.read_item::<MERGED>()? else { return Ok(None) };
    let [owner, number, neighbor] =
        [0, 4, 8].map(|at| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]));
    Ok(Some(Entry { owner, number, neighbor }))
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
        // Many runs, and many edges of the same nodes.
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
