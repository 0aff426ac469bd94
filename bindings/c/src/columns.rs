//! Columns and segments in the layout of the file, for a binding that reads them in place without a call.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use varvite::write::Codec;
use varvite_format::{ColumnId, ColumnRow, Fault, FormatError, SegmentId, SegmentRow};
use varvite_store::Store;

use crate::failure::Failure;
use crate::graph::{GraphObject, OpenGraph};
use crate::handle::{Counted, Handle};
use crate::pin::PinObject;
use crate::pointer::{Byte, Out, OutAddress, OutItems, OutStructs, c_struct};
use crate::room::{Room, StructsRoom};
use crate::status::Status;

c_struct! {
    /// A column: the encoding of its values, and the addresses of its bytes.
    CColumn = "varvite_column" {
        count: u64,
        base: i64,
        step: i64,
        encoding: u32,
        width: u32,
        flags: u32,
        children: [u32; 3],
        segments: [u32; 2],
        addresses: [OutAddress<c_void>; 2],
        lengths: [u64; 2],
    }
}

c_struct! {
    /// A segment: a range of the file.
    CSegment = "varvite_segment" {
        address: OutAddress<c_void>,
        length: u64,
        file_offset: u64,
        stored_length: u64,
        codec: u32,
        block_length: u32,
    }
}

exports! {
    /// All columns, by number.
    fn varvite_graph_columns(
        graph: Handle<GraphObject>,
        columns: OutStructs<'_, CColumn>,
        column_size: u64,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        let open = graph.graph()?;
        let store = open.graph.store();
        check_unchanged(store)?;
        let rows: Result<Vec<CColumn>, Failure> =
            store.directory().columns.iter().map(|row| c_column(store, row)).collect();
        StructsRoom { items: columns, size: column_size, capacity, count }.fill(rows?.into_iter())
    }

    /// All segments, by number.
    fn varvite_graph_segments(
        graph: Handle<GraphObject>,
        segments: OutStructs<'_, CSegment>,
        segment_size: u64,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        let open = graph.graph()?;
        let store = open.graph.store();
        check_in_file(store)?;
        let rows: Result<Vec<CSegment>, Failure> =
            (0..store.directory().segments.len()).map(|number| c_segment(store, number)).collect();
        StructsRoom { items: segments, size: segment_size, capacity, count }.fill(rows?.into_iter())
    }

    /// The masks of all label sets, one after the other.
    fn varvite_graph_label_sets(
        graph: Handle<GraphObject>,
        words: OutItems<'_, u64>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        let open = graph.graph()?;
        let masks = open.graph.label_masks();
        Room { items: words, capacity, count }.fill(masks.iter().copied())
    }

    /// The plain bytes of a segment: in place in the mapped file, or decoded by this call and pinned.
    fn varvite_segment_pin(
        graph: Handle<GraphObject>,
        segment: u32,
        address: Out<'_, OutAddress<c_void>>,
        length: Out<'_, u64>,
        pin: Out<'_, Counted<PinObject>>,
    ) {
        let open = graph.graph()?;
        open.segment_row(segment)?;
        let bytes = open.graph.store().load(SegmentId(segment))?;
        if !bytes.is_mapped() {
            return Ok(PinObject::of_segment(&open, bytes).give(address, length, pin));
        }
        address.write(OutAddress::bytes(&bytes));
        length.write(bytes.len() as u64);
        pin.write(Counted::NULL);
        Ok(Status::Borrowed)
    }

    /// Copies a range of a segment's plain bytes; only the blocks that contain the range are decoded.
    fn varvite_segment_read(
        graph: Handle<GraphObject>,
        segment: u32,
        offset: u64,
        buffer: OutItems<'_, Byte>,
        length: u64,
    ) {
        graph.graph()?.read_plain(segment, offset, buffer.slice(length)?)?;
        Ok(Status::Ok)
    }
}

/// Fails if the graph has changes: a caller that reads columns in place would not see them.
fn check_unchanged(store: &Store) -> Result<(), Failure> {
    match store.directory().changes {
        None => check_in_file(store),
        Some(_) => Err(Failure::Changed { path: store.path().display().to_string() }),
    }
}

/// Fails if the graph has a log: segments made from log records have no offset in the file.
fn check_in_file(store: &Store) -> Result<(), Failure> {
    match store.log().is_empty() {
        true => Ok(()),
        false => Err(Failure::Changed { path: store.path().display().to_string() }),
    }
}

impl OpenGraph {
    /// Copies `room.len()` plain bytes of a segment, from `offset` on. Of a large coded segment, only the
    /// blocks that contain these bytes are decoded; they are kept for later calls while memory allows.
    fn read_plain(&self, segment: u32, offset: u64, room: &mut [MaybeUninit<Byte>]) -> Result<(), Failure> {
        let row = self.segment_row(segment)?;
        let end = offset.checked_add(room.len() as u64).filter(|end| *end <= row.plain_len);
        end.ok_or(Failure::Value {
            argument: "offset",
            expected: "a range within the segment",
            found: offset,
        })?;
        let Some(blocks) = self.blocks(segment)? else {
            let bytes = self.graph.store().load(SegmentId(segment))?;
            copy_bytes(room, &bytes[offset as usize..]);
            return Ok(());
        };
        let (mut at, mut room) = (offset as usize, room);
        while !room.is_empty() {
            let block = blocks.block(at / blocks.block_len()).ok_or_else(|| self.failure_of_a_block())?;
            let bytes = &block[at % blocks.block_len()..];
            let (now, later) = room.split_at_mut(bytes.len().min(room.len()));
            copy_bytes(now, bytes);
            at += now.len();
            room = later;
        }
        Ok(())
    }

    fn segment_row(&self, segment: u32) -> Result<&SegmentRow, Failure> {
        let all = &self.graph.store().directory().segments;
        let missing = Failure::Index { kind: "segment", index: segment.into(), count: all.len() };
        all.get(segment as usize).ok_or(missing)
    }

    /// The failure for a block that could not be decoded: the first damage that the store has noted.
    fn failure_of_a_block(&self) -> Failure {
        let missing = || FormatError::damaged("segment", Fault::Missing { what: "block", number: None });
        let store = self.graph.store();
        store.failures().first().cloned().unwrap_or_else(|| store.damaged(missing())).into()
    }
}

fn copy_bytes(room: &mut [MaybeUninit<Byte>], bytes: &[u8]) {
    for (place, byte) in room.iter_mut().zip(bytes) {
        place.write(Byte(*byte));
    }
}

fn c_column(store: &Store, row: &ColumnRow) -> Result<CColumn, Failure> {
    let mut addresses = [OutAddress::NULL; 2];
    let mut lengths = [0; 2];
    for (place, segment) in row.segments.iter().enumerate().filter_map(|(i, id)| Some((i, (*id)?))) {
        (addresses[place], lengths[place]) = in_place(store, segment)?;
    }
    let flags = [row.relative, row.sorted, row.signed, row.sloped];
    Ok(CColumn {
        count: row.count,
        base: row.base,
        step: row.step,
        encoding: row.encoding as u32,
        width: row.width.into(),
        flags: (0..).zip(flags).map(|(bit, flag)| u32::from(flag) << bit).sum(),
        children: row.children.map(ColumnId::to_number),
        segments: row.segments.map(SegmentId::to_number),
        addresses,
        lengths,
    })
}

fn c_segment(store: &Store, number: usize) -> Result<CSegment, Failure> {
    let row = &store.directory().segments[number];
    let (address, length) = in_place(store, SegmentId(number as u32))?;
    Ok(CSegment {
        address,
        length,
        file_offset: row.offset,
        stored_length: row.stored_len,
        codec: row.codec as u32,
        block_length: row.block_len,
    })
}

/// The address and length of a segment's plain bytes in the mapped file. The address is null if the segment
/// is coded or the file is not mapped.
fn in_place(store: &Store, segment: SegmentId) -> Result<(OutAddress<c_void>, u64), Failure> {
    let Some(row) = store.directory().segments.get(segment.index()) else { return Ok((OutAddress::NULL, 0)) };
    if row.codec != Codec::None || !store.is_mapped() {
        return Ok((OutAddress::NULL, row.plain_len));
    }
    let bytes = store.load(segment)?;
    let address = if bytes.is_mapped() { OutAddress::bytes(&bytes) } else { OutAddress::NULL };
    Ok((address, row.plain_len))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use varvite::change::{Diff, Durability, LogOptions};
    use varvite::write::GraphChange;
    use varvite::{OpenOptions, Profile, Task};
    use varvite_testing::small_graph::small_graph;
    use varvite_testing::vfs::MemoryVfs;

    use super::*;

    const PATH: &str = "logged.varvite";

    #[test]
    fn a_graph_with_a_log_has_no_columns_to_read_in_place() {
        let disk = MemoryVfs::new();
        disk.put(PATH, &small_graph(Profile::Direct));
        let open = || OpenOptions::new().open_in(&disk, PATH).expect("it is a graph");
        assert!(check_unchanged(open().store()).is_ok());
        let change =
            GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).expect("nobody else is at it");
        let log = change.log(LogOptions::default(), &Task::new()).expect("it has none");
        let mut diff = Diff::new();
        diff.add_edge("CFG", 1, 2);
        log.commit(&diff, Durability::Sync, &Task::new()).expect("it makes sense");
        for check in [check_unchanged, check_in_file] {
            let refused = check(open().store()).expect_err("the file does not say so");
            assert_eq!(refused.code(), varvite::ErrorCode::UnknownFeature);
            assert!(refused.to_string().contains("varvite compact"), "{refused}");
        }
    }
}
