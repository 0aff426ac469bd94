//! Writes the adjacency lists of a million edges or more: either appended edges, or the edges of a new graph.
//! The columns are never completely in memory.
//!
//! Entries are added in list order, to three columns at once. All three use the packed encoding, whatever the
//! profile of the file, because trying other encodings would need all values in memory. The memory needed is
//! one bit for each node, and 64 bytes for each thousand edges.

use std::sync::Arc;

use varvite_format::{AdjacencyRow, ColumnId, PackedStream};
use varvite_store::{Scratch, StoreWriter, Tape, Task};

use super::ends::Ends;
use super::sorted_ends::{Entry, for_each_sorted, sorting_bytes};
use crate::change_error::ChangeError;
use crate::cursor::adjacency::Direction;
use crate::error::Result;
use crate::write::Encoder;

/// The appended edges of a label are written as large lists if there are at least this many.
pub(super) const LARGE: u32 = 1 << 20;
/// How many bytes of a column stay in memory when the rest is on disk.
const ROOM: usize = 64 << 10;

/// Writes the lists of one direction for `nodes` nodes. Also writes the ranks of the entries, if they differ
/// from the positions of the entries.
pub(super) fn write_large_lists(
    ends: &Ends,
    direction: Direction,
    nodes: u32,
    scratch: Option<&Arc<Scratch>>,
    encoder: &Encoder,
    writer: &mut StoreWriter,
    task: &Task<'_>,
) -> Result<(AdjacencyRow, Option<ColumnId>), ChangeError> {
    let (mut lists, mut ranks) = (Lists::new(nodes, scratch), LargeColumn::new(false, scratch));
    // Whether the rank of each entry so far is its position.
    let mut is_ranked = true;
    for_each_sorted(ends, direction, scratch, task, |entry| {
        is_ranked &= entry.number == lists.count;
        ranks.push(entry.number)?;
        lists.push(entry)
    })?;
    lists.write(encoder, writer, |writer| (!is_ranked).then(|| ranks.write(0, false, writer)).transpose())
}

/// Writes the lists of a new graph.
pub(crate) struct ListStream<'a> {
    pub(crate) nodes: u32,
    pub(crate) scratch: Option<&'a Arc<Scratch>>,
    pub(crate) encoder: &'a Encoder,
    pub(crate) task: &'a Task<'a>,
}

impl ListStream<'_> {
    /// Bytes of memory for writing the lists of `edges` edges with a temporary file and a memory limit of
    /// `memory` bytes.
    pub(crate) fn heap_bytes(nodes: u32, edges: u32, memory: usize) -> u64 {
        const HEADERS: u64 = 64;
        const COLUMNS: u64 = 2;
        let headers = (u64::from(edges) + u64::from(nodes)) / 1024 * HEADERS * COLUMNS;
        sorting_bytes(memory) as u64 + u64::from(nodes) / 4 + headers + COLUMNS * 4 * ROOM as u64
    }

    /// Writes the lists of one direction, and calls `see` with the owner and the neighbour of each entry, in
    /// the order of entries.
    ///
    /// # Errors
    /// An error of the file system; more edges than a column can have; cancellation.
    pub(crate) fn write(
        &self,
        ends: &Ends,
        direction: Direction,
        writer: &mut StoreWriter,
        mut see: impl FnMut(u32, u32),
    ) -> Result<AdjacencyRow, ChangeError> {
        let mut lists = Lists::new(self.nodes, self.scratch);
        for_each_sorted(ends, direction, self.scratch, self.task, |entry| {
            see(entry.owner, entry.neighbor);
            lists.push(entry)
        })?;
        Ok(lists.write(self.encoder, writer, |_| Ok(()))?.0)
    }
}

/// Lists of one direction that are being built.
struct Lists {
    nodes: u32,
    /// A bit for each node that has a list.
    owners: Vec<u64>,
    last: Option<u32>,
    offsets: LargeColumn,
    neighbors: LargeColumn,
    count: u32,
    /// A lower bound of the differences between a neighbour and its owner; 0 if the differences might not fit
    /// in 32 bits, so that the column has the neighbours themselves.
    base: i64,
}

impl Lists {
    fn new(nodes: u32, scratch: Option<&Arc<Scratch>>) -> Self {
        let base = if nodes <= u32::MAX / 2 { -i64::from(nodes) } else { 0 };
        let column = |sloped| LargeColumn::new(sloped, scratch);
        Self {
            nodes,
            owners: vec![0; (nodes as usize).div_ceil(64)],
            last: None,
            offsets: column(true),
            neighbors: column(false),
            count: 0,
            base,
        }
    }

    fn push(&mut self, Entry { owner, neighbor, .. }: Entry) -> Result<(), ChangeError> {
        if self.last != Some(owner) {
            self.owners[owner as usize / 64] |= 1 << (owner % 64);
            self.offsets.push(self.count)?;
            self.last = Some(owner);
        }
        let key = if self.base == 0 { 0 } else { i64::from(owner) };
        self.neighbors.push((i64::from(neighbor) - key - self.base) as u32)?;
        self.count += 1;
        Ok(())
    }

    /// Writes the columns, and then the data that `then` writes.
    fn write<T>(
        self,
        encoder: &Encoder,
        writer: &mut StoreWriter,
        then: impl FnOnce(&mut StoreWriter) -> Result<T, ChangeError>,
    ) -> Result<(AdjacencyRow, T), ChangeError> {
        let Self { nodes, owners, mut offsets, neighbors, count, base, .. } = self;
        offsets.push(count)?;
        let neighbors = neighbors.write(base, base != 0, writer)?;
        let written = then(writer)?;
        let row = AdjacencyRow {
            nodes: Some(writer.add(encoder.bitmap(&owners, nodes)?)?),
            offsets: Some(offsets.write(0, false, writer)?),
            neighbors: Some(neighbors),
        };
        Ok((row, written))
    }
}

/// A packed column that is being built.
pub(super) struct LargeColumn {
    stream: PackedStream,
    data: Tape,
}

impl LargeColumn {
    /// Creates an empty column. `sloped` is true if its values ascend.
    pub(super) fn new(sloped: bool, scratch: Option<&Arc<Scratch>>) -> Self {
        Self { stream: PackedStream::new(sloped), data: Tape::new(scratch, ROOM) }
    }

    /// Appends a value.
    ///
    /// # Errors
    /// An error of the file system; more data than a column can have.
    #[inline]
    pub(super) fn push(&mut self, value: u32) -> Result<(), ChangeError> {
        if self.stream.push(value)? >= ROOM { self.put_aside() } else { Ok(()) }
    }

    fn put_aside(&mut self) -> Result<(), ChangeError> {
        let mut written = Ok(());
        self.stream.take_data(|data| written = self.data.write(data));
        Ok(written?)
    }

    /// Writes the column. The pushed values are offsets from `base`.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn write(
        mut self,
        base: i64,
        relative: bool,
        writer: &mut StoreWriter,
    ) -> Result<ColumnId, ChangeError> {
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
