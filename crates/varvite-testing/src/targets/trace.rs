//! Traces: reads any bytes by every method of the reader.

use varvite_trace::{MemorySource, Reader, StreamSource};

use crate::trace_repair::repair;

/// Reads the bytes unchanged, and with repaired checksums.
pub fn read_trace_and_repaired(bytes: &[u8]) {
    read_trace(bytes);
    let mut repaired = bytes.to_vec();
    repair(&mut repaired);
    read_trace(&repaired);
}

/// Reads the trace to its end in every way: stopping at damage, skipping damage, through a pipe, by seeks,
/// and for its modules.
pub fn read_trace(bytes: &[u8]) {
    if let Ok(mut reader) = Reader::open(StreamSource::new(bytes)) {
        while let Ok(Some(block)) = reader.next_block() {
            assert_eq!(block.timed_records().count(), block.len());
        }
    }
    let Ok(mut reader) = Reader::open(MemorySource(bytes)) else { return };
    let _ = reader.modules().map(<[_]>::len);
    reader.skip_damaged();
    let mut records = 0;
    while let Ok(Some(block)) = reader.next_block() {
        records += block.records().count();
    }
    let _ = reader.modules().map(<[_]>::len);
    let threads = reader.threads().unwrap_or_default();
    for ordinal in [0, 1, records as u64 / 2, records as u64, u64::MAX] {
        let _ = reader.seek_ordinal(ordinal).map(|block| block.map(|block| block.records().count()));
        for thread in threads.iter().take(3) {
            let _ = reader.seek_thread(*thread, ordinal);
            let _ = reader.seek_time(*thread, ordinal);
        }
    }
}
