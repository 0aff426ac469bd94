//! The lists of a million appended edges and more, as columns that are never all in memory.
//!
//! Entries come in the order of lists, and go into three packed columns at once, whatever profile the file has: trying encodings
//! would take all values in memory. What is, is a bit for each node, and 64 bytes for a thousand edges.

use std::sync::Arc;

use varvite_format::{AdjacencyRow, ColumnId, PackedStream};
use varvite_store::{Scratch, StoreWriter, Tape, Task};

use super::ends::Ends;
use super::sorted_ends::{Entry, for_each_sorted};
use crate::cursor::adjacency::Direction;
use crate::error::Result;
use crate::write::Encoder;

/// From so many appended edges of a label on.
pub(super) const LARGE: u32 = 1 << 20;
/// Bytes of a column that are in memory, where there is a disk for them.
const ROOM: usize = 64 << 10;

/// Writes the lists of one direction among `nodes` nodes, and the ranks of their entries where these are not in their order.
pub(super) fn write_large_lists(
    ends: &Ends,
    direction: Direction,
    nodes: u32,
    scratch: Option<&Arc<Scratch>>,
    encoder: &Encoder,
    writer: &mut StoreWriter,
    task: &Task<'_>,
) -> Result<(AdjacencyRow, Option<ColumnId>)> {
    let mut lists = Lists::new(nodes, scratch);
    for_each_sorted(ends, direction, scratch, task, |entry| lists.push(entry))?;
    let Lists { owners, mut offsets, neighbors, ranks, count, is_ranked, base, .. } = lists;
    offsets.push(count)?;
    let neighbors = neighbors.write(base, base != 0, writer)?;
    let ranks = (!is_ranked).then(|| ranks.write(0, false, writer)).transpose()?;
    let row = AdjacencyRow {
        nodes: Some(writer.add(encoder.bitmap(&owners, nodes)?)?),
        offsets: Some(offsets.write(0, false, writer)?),
        neighbors: Some(neighbors),
    };
    Ok((row, ranks))
}

/// Lists in the making.
struct Lists {
    /// A bit for each node that has a list.
    owners: Vec<u64>,
    last: Option<u32>,
    offsets: LargeColumn,
    neighbors: LargeColumn,
    ranks: LargeColumn,
    count: u32,
    /// Each entry is the edge at its position.
    is_ranked: bool,
    /// The least difference of a neighbour from its owner; 0 where differences have no room, and neighbours are kept themselves.
    base: i64,
}

impl Lists {
    fn new(nodes: u32, scratch: Option<&Arc<Scratch>>) -> Self {
        let base = if nodes <= u32::MAX / 2 { -i64::from(nodes) } else { 0 };
        let column = |sloped| LargeColumn::new(sloped, scratch);
        Self {
            owners: vec![0; (nodes as usize).div_ceil(64)],
            last: None,
            offsets: column(true),
            neighbors: column(false),
            ranks: column(false),
            count: 0,
            is_ranked: true,
            base,
        }
    }

    fn push(&mut self, Entry { owner, number, neighbor }: Entry) -> Result<()> {
        if self.last != Some(owner) {
            self.owners[owner as usize / 64] |= 1 << (owner % 64);
            self.offsets.push(self.count)?;
            self.last = Some(owner);
        }
        let key = if self.base == 0 { 0 } else { i64::from(owner) };
        self.neighbors.push((i64::from(neighbor) - key - self.base) as u32)?;
        self.ranks.push(number)?;
        self.is_ranked &= number == self.count;
        self.count += 1;
        Ok(())
    }
}

/// A packed column in the making.
pub(super) struct LargeColumn {
    stream: PackedStream,
    data: Tape,
}

impl LargeColumn {
    /// A column without values; with slopes, if values rise.
    pub(super) fn new(sloped: bool, scratch: Option<&Arc<Scratch>>) -> Self {
        Self { stream: PackedStream::new(sloped), data: Tape::new(scratch, ROOM) }
    }

    /// The next value.
    ///
    /// # Errors
    /// What the file system says; more data than a column can have.
    #[inline]
    pub(super) fn push(&mut self, value: u32) -> Result<()> {
        if self.stream.push(value)? >= ROOM { self.put_aside() } else { Ok(()) }
    }

    fn put_aside(&mut self) -> Result<()> {
        let mut written = Ok(());
        self.stream.take_data(|data| written = self.data.write(data));
        Ok(written?)
    }

    /// Writes the column, whose values are above `base`.
    ///
    /// # Errors
    /// What the file system says.
    pub(super) fn write(mut self, base: i64, relative: bool, writer: &mut StoreWriter) -> Result<ColumnId> {
        let end = self.stream.finish(base, relative)?;
        self.data.write(&end.data)?;
        let len = end.headers.len() as u64 + self.data.len();
        let (mut headers, mut data) = (&end.headers[..], self.data.reader());
        Ok(writer.add_streamed(end.row, len, |part| {
            let (from_headers, from_data) = part.split_at_mut(headers.len().min(part.len()));
            let (now, later) = headers.split_at(from_headers.len());
            from_headers.copy_from_slice(now);
            headers = later;
            let read = data.read(from_data)?;
            debug_assert_eq!(read, from_data.len(), "the length is that of headers and data");
            Ok(())
        })?)
    }
}
