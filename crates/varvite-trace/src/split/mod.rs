//! The split of a block's records into streams of similar bytes, and its inverse.
//!
//! | part | bytes | content |
//! |---|---|---|
//! | lengths | four for each record, if lengths vary | `u32`: all first bytes, then all second bytes, and so on |
//! | records | any number | the records, split as the schema's [`Split`] says |
//!
//! All functions work in the caller's buffers. A decoder gets the number of records and the length of all
//! records, and either fills exactly this length or returns [`Malformed`].

mod fields;
mod references;
mod runs;

use crate::schema::{Field, Schema, Split};

pub use runs::{RUN_RECORDS_MAX, RunBlock, RunEncoder, RunRecord, RunShape, RunValue};
pub(crate) use runs::{RunLimits, RunTables, bound as runs_bound, decode as decode_runs};

/// The requirement of a decoder that the data does not meet, as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed(pub(crate) &'static str);

/// The records of a block before they are split.
#[derive(Clone, Copy)]
pub(crate) struct Plain<'a> {
    /// The bytes of all records.
    pub(crate) bytes: &'a [u8],
    /// The lengths as little-endian `u32`s; empty if all records have one length.
    pub(crate) lengths: &'a [u8],
    pub(crate) records: usize,
}

/// The size of the table that a schema's split needs, in bytes.
pub(crate) fn table_len(schema: &Schema) -> usize {
    if matches!(schema.split, Split::References { .. }) { references::TABLE_LEN } else { 0 }
}

/// The size of the scratch memory for splitting a block, in bytes.
pub(crate) fn scratch_len(schema: &Schema, plain_len: usize) -> usize {
    if matches!(schema.split, Split::References { .. }) { plain_len } else { 0 }
}

/// The maximum size in bytes of a split block with `plain_len` bytes of records.
pub(crate) fn bound(schema: &Schema, plain_len: usize, lengths_len: usize) -> usize {
    match schema.split {
        Split::References { .. } => references::bound(plain_len),
        Split::None | Split::Fields => plain_len + lengths_len,
    }
}

/// Splits `plain` into `output`, which has [`bound`] bytes. Returns the number of bytes written.
pub(crate) fn encode(
    schema: &Schema,
    plain: Plain<'_>,
    table: &mut [u8],
    scratch: &mut [u8],
    output: &mut [u8],
) -> usize {
    if let Split::References { anchors } = schema.split {
        return references::encode(plain.bytes, anchors, table, scratch, output);
    }
    let (lengths, records) = output.split_at_mut(plain.lengths.len());
    fields::encode(plain.lengths, places_of(plain.lengths), 0, LENGTH, lengths);
    if schema.split == Split::None {
        records[..plain.bytes.len()].copy_from_slice(plain.bytes);
    } else if let Some(len) = schema.fixed_len() {
        encode_fields(schema, plain.bytes, (0..plain.records).map(|index| len * index), records);
    } else {
        let starts = starts(plain.lengths);
        let tails = encode_fields(schema, plain.bytes, starts.clone(), records);
        join_tails(schema, plain, starts, &mut records[tails..]);
    }
    plain.lengths.len() + plain.bytes.len()
}

/// The lengths of records as a field, since they are split as fields are.
const LENGTH: Field = Field { name: *b"length\0\0\0\0\0\0\0\0\0\0", width: 4, delta: false };

fn places_of(lengths: &[u8]) -> impl fields::Starts + use<> {
    (0..lengths.len() / 4).map(|index| 4 * index)
}

fn encode_fields(schema: &Schema, plain: &[u8], starts: impl fields::Starts, output: &mut [u8]) -> usize {
    let records = starts.clone().count();
    let (mut offset, mut at) = (0, 0);
    for field in &schema.fields {
        let planes = at..at + records * usize::from(field.width);
        at = planes.end;
        fields::encode(plain, starts.clone(), offset, *field, &mut output[planes]);
        offset += usize::from(field.width);
    }
    at
}

/// Copies, without gaps, those bytes of each record that follow its fields.
fn join_tails(schema: &Schema, plain: Plain<'_>, starts: impl fields::Starts, output: &mut [u8]) {
    let ends = starts.clone().skip(1).chain([plain.bytes.len()]);
    let mut at = 0;
    for (start, end) in starts.zip(ends) {
        let tail = &plain.bytes[start + schema.fields_len()..end];
        output[at..at + tail.len()].copy_from_slice(tail);
        at += tail.len();
    }
}

/// The start of each record, computed from the lengths of the records.
fn starts(lengths: &[u8]) -> impl fields::Starts {
    lengths.as_chunks::<4>().0.iter().scan(0usize, |end, length| {
        let start = *end;
        *end += u32::from_le_bytes(*length) as usize;
        Some(start)
    })
}

/// Fills `plain` and, if lengths vary, `lengths` from the output of [`encode`] for `records` records.
pub(crate) fn decode(
    schema: &Schema,
    split: &[u8],
    records: usize,
    table: &mut [u8],
    plain: &mut [u8],
    lengths: &mut [u8],
) -> Result<(), Malformed> {
    if let Split::References { anchors } = schema.split {
        return references::decode(split, anchors, table, plain);
    }
    if split.len() != lengths.len() + plain.len() {
        return Err(Malformed("as many bytes as records have"));
    }
    let (planes, split) = split.split_at(lengths.len());
    fields::decode(planes, places_of(lengths), 0, LENGTH, lengths);
    if schema.is_variable() {
        check_lengths(schema, lengths, plain.len())?;
    }
    if schema.split == Split::None {
        plain.copy_from_slice(split);
    } else if let Some(len) = schema.fixed_len() {
        decode_fields(schema, split, records, (0..records).map(|index| len * index), plain);
    } else {
        let tails = decode_fields(schema, split, records, starts(lengths), plain);
        part_tails(schema, &split[tails..], lengths, plain);
    }
    Ok(())
}

fn check_lengths(schema: &Schema, lengths: &[u8], plain_len: usize) -> Result<(), Malformed> {
    let each = lengths.as_chunks::<4>().0.iter().map(|length| u32::from_le_bytes(*length) as usize);
    if each.clone().any(|length| length < schema.fields_len()) {
        return Err(Malformed("records that are longer than their fields"));
    }
    let sum = each.fold(0u64, |sum, length| sum.saturating_add(length as u64));
    if sum == plain_len as u64 { Ok(()) } else { Err(Malformed("lengths that make up the block")) }
}

fn decode_fields(
    schema: &Schema,
    split: &[u8],
    records: usize,
    starts: impl fields::Starts,
    plain: &mut [u8],
) -> usize {
    let (mut offset, mut at) = (0, 0);
    for field in &schema.fields {
        let planes = at..at + records * usize::from(field.width);
        at = planes.end;
        fields::decode(&split[planes], starts.clone(), offset, *field, plain);
        offset += usize::from(field.width);
    }
    at
}

fn part_tails(schema: &Schema, mut tails: &[u8], lengths: &[u8], plain: &mut [u8]) {
    let mut start = 0;
    for length in lengths.as_chunks::<4>().0 {
        let length = u32::from_le_bytes(*length) as usize;
        let (tail, rest) = tails.split_at(length - schema.fields_len());
        plain[start + schema.fields_len()..start + length].copy_from_slice(tail);
        (start, tails) = (start + length, rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(schema: &Schema, records: &[Vec<u8>]) {
        let lengths: Vec<u8> =
            records.iter().flat_map(|record| (record.len() as u32).to_le_bytes()).collect();
        let lengths = if schema.is_variable() { lengths } else { Vec::new() };
        let bytes = records.concat();
        let plain = Plain { bytes: &bytes, lengths: &lengths, records: records.len() };
        let mut output = vec![0; bound(schema, bytes.len(), lengths.len())];
        let mut table = vec![0; table_len(schema)];
        let len =
            encode(schema, plain, &mut table, &mut vec![0; scratch_len(schema, bytes.len())], &mut output);
        let (mut back, mut back_lengths) = (vec![0; bytes.len()], vec![0; lengths.len()]);
        decode(schema, &output[..len], records.len(), &mut table, &mut back, &mut back_lengths).unwrap();
        assert_eq!((back, back_lengths), (bytes, lengths));
    }

    fn fields() -> impl Strategy<Value = Vec<Field>> {
        let width = prop_oneof![Just(1u8), Just(2), Just(4), Just(8)];
        let field =
            (width, any::<bool>()).prop_map(|(width, delta)| Field { delta, ..Field::new("f", width) });
        proptest::collection::vec(field, 1..5)
    }

    proptest! {
        #[test]
        fn records_come_back_from_every_split(
            fields in fields(), tails in proptest::collection::vec(0usize..20, 0..40), seed: u8, variable: bool, split: bool,
        ) {
            let len = if variable { crate::RecordLen::Variable } else { crate::RecordLen::Fixed };
            let split = if split { Split::Fields } else { Split::None };
            let schema = Schema { len, split, ..Schema::of_fields("test", &fields) };
            let record = |tail: usize| (0..schema.fields_len() + if variable { tail } else { 0 })
                .map(|index| seed.wrapping_mul(31).wrapping_add((index * tail) as u8)).collect::<Vec<u8>>();
            check(&schema, &tails.iter().map(|tail| record(*tail)).collect::<Vec<_>>());
        }

        #[test]
        fn no_bytes_make_a_split_panic(
            fields in fields(), bytes in proptest::collection::vec(any::<u8>(), 0..200), records in 0usize..20,
            plain_len in 0usize..200, variable: bool,
        ) {
            let len = if variable { crate::RecordLen::Variable } else { crate::RecordLen::Fixed };
            let schema = Schema { len, ..Schema::of_fields("test", &fields) };
            let plain_len = schema.fixed_len().map_or(plain_len, |len| len * records);
            let mut lengths = vec![0; if variable { 4 * records } else { 0 }];
            let _ = decode(&schema, &bytes, records, &mut [], &mut vec![0; plain_len], &mut lengths);
        }
    }
}
