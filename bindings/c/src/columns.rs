//! Columns and segments as they lie in the file: for a binding that reads them in place, without a call.

use std::ffi::c_void;

use varvite::Codec;
use varvite_format::{ColumnId, ColumnRow, SegmentId};
use varvite_store::Store;

use crate::export::Status;
use crate::failure::Failure;
use crate::graph::GraphObject;
use crate::handle::{Counted, Handle};
use crate::pin::PinObject;
use crate::pointer::{Given, Out, OutItems, c_struct};
use crate::room::Room;

c_struct! {
    /// A column: how its values are encoded, and where the bytes are.
    CColumn = "varvite_column" {
        count: u64,
        base: i64,
        step: i64,
        encoding: u32,
        width: u32,
        flags: u32,
        children: [u32; 3],
        segments: [u32; 2],
        addresses: [Given<c_void>; 2],
        lengths: [u64; 2],
    }
}

c_struct! {
    /// A segment: a range of the file.
    CSegment = "varvite_segment" {
        address: Given<c_void>,
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
        columns: OutItems<'_, CColumn>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        let open = graph.graph()?;
        let store = open.graph.store();
        let rows: Result<Vec<CColumn>, Failure> =
            store.directory().columns.iter().map(|row| c_column(store, row)).collect();
        Room { items: columns, capacity, count }.fill(rows?.into_iter())
    }

    /// All segments, by number.
    fn varvite_graph_segments(
        graph: Handle<GraphObject>,
        segments: OutItems<'_, CSegment>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        let open = graph.graph()?;
        let store = open.graph.store();
        let rows: Result<Vec<CSegment>, Failure> =
            (0..store.directory().segments.len()).map(|number| c_segment(store, number)).collect();
        Room { items: segments, capacity, count }.fill(rows?.into_iter())
    }

    /// The masks of all label sets, one after the other.
    fn varvite_graph_label_sets(
        graph: Handle<GraphObject>,
        words: OutItems<'_, u64>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        let open = graph.graph()?;
        let masks = &open.graph.store().directory().label_sets;
        Room { items: words, capacity, count }.fill(masks.iter().copied())
    }

    /// The plain bytes of a segment: as they lie in the file, or decoded now and pinned.
    fn varvite_segment_pin(
        graph: Handle<GraphObject>,
        segment: u32,
        address: Out<'_, Given<c_void>>,
        length: Out<'_, u64>,
        pin: Out<'_, Counted<PinObject>>,
    ) {
        let open = graph.graph()?;
        let store = open.graph.store();
        let count = store.directory().segments.len();
        if segment as usize >= count {
            return Err(Failure::Index { kind: "segment", index: segment.into(), count });
        }
        let bytes = store.load(SegmentId(segment))?;
        if !bytes.is_mapped() {
            return Ok(PinObject::of_segment(&open, bytes).give(address, length, pin));
        }
        address.write(Given::bytes(&bytes));
        length.write(bytes.len() as u64);
        pin.write(Counted::NULL);
        Ok(Status::Borrowed)
    }
}

fn c_column(store: &Store, row: &ColumnRow) -> Result<CColumn, Failure> {
    let mut addresses = [Given::NULL; 2];
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

/// Where the plain bytes of a segment are, null if they must be decoded or read, and how many they are.
fn in_place(store: &Store, segment: SegmentId) -> Result<(Given<c_void>, u64), Failure> {
    let Some(row) = store.directory().segments.get(segment.index()) else { return Ok((Given::NULL, 0)) };
    if row.codec != Codec::None || !store.is_mapped() {
        return Ok((Given::NULL, row.plain_len));
    }
    let bytes = store.load(segment)?;
    let address = if bytes.is_mapped() { Given::bytes(&bytes) } else { Given::NULL };
    Ok((address, row.plain_len))
}
