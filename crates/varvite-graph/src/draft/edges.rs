//! [`Edges`]: the edges of one label, stored as they are read.

use std::sync::Arc;

use varvite_store::{Scratch, Tape, TapeReader};

use super::fault::DraftFault;
use super::values::TAPE_ROOM;

/// The source and target of each edge of one label.
#[derive(Debug)]
pub(super) struct Edges {
    tape: Tape,
    /// The number of the next edge.
    count: u32,
}

impl Edges {
    pub(super) fn new(scratch: Option<&Arc<Scratch>>) -> Self {
        Self { tape: Tape::new(scratch, TAPE_ROOM), count: 0 }
    }

    /// Adds an edge, and returns its number among the edges of its label.
    pub(super) fn put(&mut self, source: u32, target: u32) -> Result<u32, DraftFault> {
        let mut item = [0; 8];
        item[..4].copy_from_slice(&source.to_le_bytes());
        item[4..].copy_from_slice(&target.to_le_bytes());
        self.tape.write(&item)?;
        self.count += 1;
        Ok(self.count - 1)
    }

    /// The source and target of each edge, in the form that the sort takes.
    pub(super) fn as_ends(&self) -> crate::change::Ends {
        crate::change::Ends::of_tape(self.tape.clone())
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The source and target of each edge, in the order in which edges were added.
    pub(super) fn ends(&self) -> Ends<'_> {
        Ends { tape: self.tape.reader() }
    }
}

/// A reader of the ends of edges.
pub(super) struct Ends<'e> {
    tape: TapeReader<'e>,
}

impl Ends<'_> {
    /// The next source and target.
    pub(super) fn next(&mut self) -> crate::error::Result<Option<(u32, u32)>> {
        let item = self.tape.read_item::<8>()?;
        Ok(item.map(|[a, b, c, d, e, f, g, h]| {
            (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]))
        }))
    }
}
