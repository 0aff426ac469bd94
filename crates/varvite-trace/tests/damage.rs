//! Damaged traces: changed, moved, repeated and missing bytes.

use varvite_codec::hash;
use varvite_trace::{Ending, Losses, MemorySource, Reader, TraceError};

use crate::cuts::small_trace;
use crate::model::{open, read_all};

/// The records of a trace, the damage that was skipped, and the kind of the trace's end.
type Found = (Vec<Vec<u8>>, Losses, Option<Ending>);

fn read(trace: &[u8], skips: bool) -> Result<Found, TraceError> {
    let mut reader = Reader::open(MemorySource(trace))?;
    if skips {
        reader.skip_damaged();
    }
    let mut records = Vec::new();
    while let Some(block) = reader.next_block()? {
        records.extend(block.records().map(<[u8]>::to_vec));
    }
    Ok((records, reader.losses(), reader.ending()))
}

fn is_damage(error: &TraceError) -> bool {
    matches!(
        error,
        TraceError::Damaged { .. }
            | TraceError::Checksum { .. }
            | TraceError::Codec { .. }
            | TraceError::NotATrace { .. }
            | TraceError::TooNew { .. }
    )
}

#[test]
fn every_flipped_bit_is_found() {
    let trace = small_trace();
    for bit in 0..8 * trace.len() {
        let mut changed = trace.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        match read(&changed, false) {
            Err(error) => assert!(is_damage(&error), "bit {bit}: {error}"),
            Ok(_) => panic!("bit {bit} was not noticed"),
        }
    }
}

#[test]
fn a_skipped_bit_costs_its_block_and_is_counted() {
    let trace = small_trace();
    let (_, all) = read_all(&trace, 2);
    let blocks = open(&trace).blocks().unwrap().to_vec();
    for (number, block) in blocks.iter().enumerate() {
        for place in [0, 8, 12, 32, 40, 72, 80, 88, 87 + block.stored_len as u64] {
            let mut changed = trace.clone();
            changed[(block.offset + place) as usize] ^= 4;
            let (records, losses, ending) = read(&changed, true).unwrap();
            assert_eq!(losses.places, 1, "block {number}, byte {place}");
            assert_eq!(losses.records, u64::from(block.records), "block {number}, byte {place}");
            assert_eq!(losses.bytes, 88 + u64::from(block.stored_len), "block {number}, byte {place}");
            assert_eq!(records.len(), all.len() - block.records as usize);
            assert!(matches!(ending, Some(Ending::Complete(_))));
            let error = read(&changed, false).unwrap_err().to_string();
            assert!(error.contains(&format!("block {number} at byte {}", block.offset)), "{error}");
        }
    }
}

/// A header may claim any number of earlier records in its thread. The sum of the claims of two headers may
/// exceed 64 bits.
#[test]
fn records_that_threads_claim_to_have_lost_do_not_add_up_past_64_bits() {
    let mut trace = small_trace();
    let blocks = open(&trace).blocks().unwrap().to_vec();
    let seed = hash(&[3; 16], 0);
    for thread in 0..2 {
        let last = blocks.iter().rfind(|block| block.thread == thread).unwrap();
        let (at, stored) = (last.offset as usize, last.stored_len as usize);
        let number = u64::from_le_bytes(trace[at + 40..at + 48].try_into().unwrap()) + 1;
        trace[at + 40..at + 48].copy_from_slice(&number.to_le_bytes());
        trace[at + 48..at + 56].copy_from_slice(&(u64::MAX - 5 - thread).to_le_bytes());
        let place: Vec<u8> = [1, thread, number].iter().flat_map(|number| number.to_le_bytes()).collect();
        let sum = hash(&trace[at + 88..at + 88 + stored], hash(&place, seed));
        trace[at + 72..at + 80].copy_from_slice(&sum.to_le_bytes());
        let sum = hash(&trace[at..at + 80], seed);
        trace[at + 80..at + 88].copy_from_slice(&sum.to_le_bytes());
    }
    assert!(is_damage(&read(&trace, false).unwrap_err()));
    let mut reader = Reader::open(MemorySource(&trace[..])).unwrap();
    let mut errors = Vec::new();
    loop {
        // The loop skips damage as `skip_damaged` does, but also checks the errors.
        match reader.next_block() {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => {
                errors.push(error.to_string());
                reader.pass(error).unwrap();
            }
        }
    }
    assert!(
        errors.iter().any(|error| error.contains("number of records lost before the block")),
        "{errors:?}"
    );
    let (records, losses, _) = read(&trace, true).unwrap();
    assert!(losses.places >= 2 && !records.is_empty(), "{losses:?}");
}

#[test]
fn damaged_tables_of_the_index_do_not_keep_a_seek_from_its_record() {
    let trace = small_trace();
    let (_, all) = read_all(&trace, 2);
    let blocks = open(&trace).blocks().unwrap().to_vec();
    let tables = blocks.last().map(|last| last.offset as usize + 88 + last.stored_len as usize).unwrap();
    for place in tables..trace.len() {
        let mut changed = trace.clone();
        changed[place] ^= 16;
        let mut reader = open(&changed);
        reader.skip_damaged();
        for (ordinal, record) in all.iter().enumerate().step_by(17) {
            assert_eq!(
                reader.seek_ordinal(ordinal as u64).unwrap().unwrap().records().next().unwrap(),
                record
            );
        }
    }
}

#[test]
fn moved_repeated_and_removed_blocks_are_found() {
    let trace = small_trace();
    let blocks = open(&trace).blocks().unwrap().to_vec();
    let chunk = |number: usize| {
        let start = blocks[number].offset as usize;
        start..start + 88 + blocks[number].stored_len as usize
    };
    let same_thread = (1..blocks.len()).find(|number| blocks[*number].thread == blocks[0].thread).unwrap();
    let (one, other) = (chunk(0), chunk(same_thread));
    let swapped = [
        &trace[..one.start],
        &trace[other.clone()],
        &trace[one.end..other.start],
        &trace[one.clone()],
        &trace[other.end..],
    ];
    let repeated = [&trace[..one.end], &trace[one.clone()], &trace[one.end..]];
    let removed = [&trace[..one.start], &trace[one.end..]];
    for changed in [&swapped[..], &repeated[..], &removed[..]] {
        let error = read(&changed.concat(), false).unwrap_err();
        assert!(matches!(error, TraceError::Damaged { .. }), "{error}");
    }
}

#[test]
fn a_block_of_another_trace_is_found() {
    let trace = small_trace();
    let blocks = open(&trace).blocks().unwrap().to_vec();
    let mut other = trace.clone();
    // Changes the trace's id and makes the header's checksum match, as an attacker could.
    other[24] ^= 1;
    let end = blocks[0].offset as usize - 8;
    let sum = varvite_codec::hash(&other[..end], 0);
    other[end..end + 8].copy_from_slice(&sum.to_le_bytes());
    let error = read(&other, false).unwrap_err();
    assert!(matches!(error, TraceError::Checksum { block: 0, part: "header", .. }), "{error}");
}

#[test]
fn bytes_after_the_end_are_found() {
    let mut trace = small_trace();
    trace.push(0);
    assert!(matches!(read(&trace, false), Err(TraceError::Damaged { what: "bytes of the trace", .. })));
}
