//! Checks that, once they have begun, recording and reading allocate nothing.

use varvite_trace::{Codec, Field, MemorySource, Options, Reader, Recorder, Schema, TraceError};

use crate::counting::allocations_during;

const RECORDS: u64 = 60_000;

fn reference(count: u64) -> [u8; 12] {
    let mut record = [0; 12];
    record[0] = if count.is_multiple_of(3) { 10 } else { 0 };
    record[2] = 4;
    record[4..].copy_from_slice(&(count % 3 * 0x1000 + count / 3 % 500 * (count % 3 + 1)).to_le_bytes());
    record
}

#[test]
fn recording_allocates_nothing_once_streams_are_open() {
    for codec in Codec::ALL {
        let schema = Schema::of_references("test/references", 1 << 10);
        let options = Options { block_len: 16 << 10, ..Options::new(schema, [1; 16]).with_codec(codec) };
        let recorder = Recorder::create(std::io::sink(), &options).unwrap();
        let mut stream = recorder.stream(0).unwrap();
        let allocations = allocations_during(|| {
            for count in 0..RECORDS {
                stream.set_time(count / 1000).unwrap();
                stream.push(&reference(count)).unwrap();
            }
            stream.flush().unwrap();
        });
        assert_eq!(allocations, 0, "{codec}");
    }
}

#[test]
fn records_of_any_length_are_recorded_without_allocations_too() {
    let schema = Schema {
        split: varvite_trace::Split::Fields,
        fields: vec![Field::new("time", 8)],
        ..Schema::of_bytes("test/bytes")
    };
    let options = Options { block_len: 4096, ..Options::new(schema, [1; 16]) };
    let recorder = Recorder::create(std::io::sink(), &options).unwrap();
    let mut stream = recorder.stream(0).unwrap();
    let bytes = [7; 100];
    let allocations = allocations_during(|| {
        (0..RECORDS).for_each(|count| stream.push(&bytes[..8 + count as usize % 90]).unwrap())
    });
    assert_eq!(allocations, 0);
}

#[test]
fn reading_allocates_nothing_after_the_first_block() {
    for codec in Codec::ALL {
        let schema = Schema::of_references("test/references", 1 << 10);
        let options = Options { block_len: 16 << 10, ..Options::new(schema, [1; 16]).with_codec(codec) };
        let recorder = Recorder::create(Vec::new(), &options).unwrap();
        let mut stream = recorder.stream(0).unwrap();
        (0..RECORDS).for_each(|count| stream.push(&reference(count)).unwrap());
        stream.finish().unwrap();
        let mut reader = Reader::open(MemorySource(recorder.finish().unwrap())).unwrap();
        let largest =
            reader.blocks().unwrap().iter().enumerate().max_by_key(|(_, block)| block.stored_len).unwrap().0
                as u64;
        read_rest(&mut reader, largest).unwrap();
        reader.seek_ordinal(0).unwrap();
        let allocations = allocations_during(|| read_rest(&mut reader, u64::MAX).map(drop).unwrap());
        assert_eq!(allocations, 0, "{codec}");
        let allocations = allocations_during(|| {
            for ordinal in [500, RECORDS - 1, 30_000] {
                assert!(reader.seek_ordinal(ordinal).unwrap().is_some());
            }
        });
        assert_eq!(allocations, 0, "{codec}, seeking");
    }
}

/// Reads all blocks up to and including number `last`.
fn read_rest(reader: &mut Reader<MemorySource<Vec<u8>>>, last: u64) -> Result<u64, TraceError> {
    let mut sum = 0;
    while let Some(block) = reader.next_block()? {
        sum += block.records().map(|record| u64::from(record[4])).sum::<u64>();
        if block.number() == last {
            break;
        }
    }
    Ok(sum)
}
