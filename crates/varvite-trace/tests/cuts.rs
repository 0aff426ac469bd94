//! Traces of a recorder that was stopped: a small trace, truncated at every length.

use varvite_trace::{Codec, Ending, Options, Reader, Schema, TraceError};

use crate::model::{Step, open, read_all, record};

/// A small trace of two threads that each have a few blocks.
pub(crate) fn small_trace() -> Vec<u8> {
    let options =
        Options { block_len: 256, ..Options::new(Schema::of_references("test/references", 1 << 2), [3; 16]) };
    let steps = |thread: u64| {
        (0..60u64).map(move |index| match index % 12 {
            5 => Step::Pass(index + thread),
            _ => {
                let mut record = vec![(index % 3) as u8, 0, 4, 0];
                record.extend_from_slice(&(index * index * 1000 + thread).to_le_bytes());
                Step::Push(record)
            }
        })
    };
    record(&options.with_codec(Codec::Lz4), &[steps(0).collect(), steps(1).collect()]).0
}

#[test]
fn every_truncation_keeps_the_whole_blocks_and_says_what_is_missing() {
    let trace = small_trace();
    let (_, all) = read_all(&trace, 2);
    let blocks = open(&trace).blocks().unwrap().to_vec();
    let header_len = blocks[0].offset as usize;
    for len in 0..trace.len() {
        let cut = &trace[..len];
        if len < header_len {
            let error = Reader::open(varvite_trace::MemorySource(cut)).err().unwrap();
            assert!(
                matches!(error, TraceError::NotATrace { .. } | TraceError::Damaged { .. }),
                "{len}: {error}"
            );
            continue;
        }
        let whole =
            blocks.iter().filter(|block| block.offset + 88 + u64::from(block.stored_len) <= len as u64);
        let expected: u64 = whole.map(|block| u64::from(block.records)).sum();
        let mut reader = open(cut);
        let mut records = Vec::new();
        while let Some(block) = reader.next_block().unwrap() {
            records.extend(block.records().map(<[u8]>::to_vec));
        }
        assert_eq!(records, all[..expected as usize], "{len}");
        let Some(Ending::Cut { offset, partial_bytes }) = reader.ending() else {
            panic!("{len}: not seen as cut")
        };
        assert_eq!(offset + partial_bytes, len as u64);

        // A new reader makes the index from the headers.
        let mut reader = open(cut);
        assert_eq!(reader.record_count().unwrap(), expected, "{len}");
        for (ordinal, record) in all.iter().enumerate().step_by(7) {
            let found = reader
                .seek_ordinal(ordinal as u64)
                .unwrap()
                .map(|block| block.records().next().unwrap().to_vec());
            assert_eq!(found, (ordinal < expected as usize).then(|| record.clone()), "{len}");
        }
    }
}
