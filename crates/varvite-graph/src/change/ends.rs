//! [`Ends`]: the ends of the appended edges of a label, in the order in which the edges were added.

use std::sync::Arc;

use varvite_store::{Scratch, Tape};

use crate::error::Result;

/// Bytes of an edge: its source and its target.
const EDGE: usize = 8;
/// The memory limit divided by this is the room for the last edges of a label.
const SHARE: usize = 64;
/// Fewest bytes of the room for the last edges.
const LEAST: usize = 4 << 10;

/// The sources and targets of edges. With a [`Scratch`], all edges but the last are in its temporary file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    tape: Tape,
}

impl Ends {
    /// An empty list of edges, within the memory of `scratch`.
    pub(crate) fn new(scratch: Option<&Arc<Scratch>>) -> Self {
        let room = scratch.map_or(0, |scratch| (scratch.memory() / SHARE).max(LEAST));
        Self::with_room(scratch, room / EDGE * EDGE)
    }

    /// An empty list of edges, of which about `room` bytes stay in memory.
    pub(crate) fn with_room(scratch: Option<&Arc<Scratch>>, room: usize) -> Self {
        Self { tape: Tape::new(scratch, room) }
    }

    /// The number of edges.
    pub(crate) fn len(&self) -> u32 {
        (self.tape.len() / EDGE as u64) as u32
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tape.is_empty()
    }

    /// Reserves memory for `edges` more edges.
    pub(super) fn reserve(&mut self, edges: u32) {
        self.tape.reserve(u64::from(edges) * EDGE as u64);
    }

    /// Appends an edge.
    ///
    /// # Errors
    /// An error of the file system.
    #[inline]
    pub(crate) fn push(&mut self, source: u32, target: u32) -> Result<()> {
        let edge = u64::from(target) << 32 | u64::from(source);
        Ok(self.tape.write(&edge.to_le_bytes())?)
    }

    /// Removes all edges after the first `len`. None of them may be on a disk.
    pub(super) fn truncate(&mut self, len: u32) {
        self.tape.truncate(u64::from(len) * EDGE as u64);
    }

    /// The source and target of each edge from number `first` on; `None` if some edges are on a disk.
    pub(super) fn behind(&self, first: u32) -> Option<impl Iterator<Item = (u32, u32)> + '_> {
        let (edges, _) = self.tape.in_memory()?.get(first as usize * EDGE..)?.as_chunks::<EDGE>();
        let edges = edges.iter().map(|edge| u64::from_le_bytes(*edge));
        Some(edges.map(|edge| (edge as u32, (edge >> 32) as u32)))
    }

    /// Calls `visit` with each edge: its number from 0, its source and its target.
    ///
    /// # Errors
    /// An error of the file system; the errors of `visit`.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(u32, u32, u32) -> Result<()>) -> Result<()> {
        let mut reader = self.tape.reader();
        for number in 0.. {
            let Some(edge) = reader.read_item()?.map(u64::from_le_bytes) else { break };
            visit(number, edge as u32, (edge >> 32) as u32)?;
        }
        Ok(())
    }
}
