//! [`Ends`]: the ends of the appended edges of a label, in the order in which the edges were added.

use std::sync::Arc;

use varvite_store::{Scratch, Tape};

use crate::error::Result;

/// The size of an edge in bytes: its source and its target.
const EDGE: usize = 8;
/// The memory for the last edges of a label is the memory limit divided by this.
const SHARE: usize = 64;
/// The least memory for the last edges in bytes, whatever the memory limit.
const LEAST: usize = 4 << 10;

/// The sources and targets of edges. With a [`Scratch`], only the last edges are in memory; the earlier ones
/// are in its temporary file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    tape: Tape,
}

impl Ends {
    /// Creates an empty list of edges. Its memory is a part of the memory limit of `scratch`.
    pub(crate) fn new(scratch: Option<&Arc<Scratch>>) -> Self {
        let room = scratch.map_or(0, |scratch| (scratch.memory() / SHARE).max(LEAST));
        Self::with_room(scratch, room / EDGE * EDGE)
    }

    /// Creates an empty list of edges, which keeps about `room` bytes in memory.
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

    /// Keeps only the first `len` edges. None of the removed edges may be on disk.
    pub(super) fn truncate(&mut self, len: u32) {
        self.tape.truncate(u64::from(len) * EDGE as u64);
    }

    /// The source and target of each edge from number `first` on; `None` if some edges are on disk.
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
