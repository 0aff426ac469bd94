//! Repairs every checksum of a changed trace, so that tests reach the checks that a reader makes after it has
//! verified checksums.
//!
//! The offsets are taken from `docs/trace-format.md`, so this is a second implementation of that document.

use varvite_codec::hash;

const CHUNK_HEADER: usize = 88;
const SYNC: [u8; 8] = *b"\x8aVVCK\r\n\x1a";

/// Repairs the header and every chunk.
pub fn repair(trace: &mut [u8]) {
    let Some(header) = u32_at(trace, 20).map(|len| len as usize) else { return };
    let Some(id) = trace.get(24..40) else { return };
    let seed = hash(id, 0);
    if let Some(fields) = header.checked_sub(8).and_then(|end| trace.get(..end)) {
        let sum = hash(fields, 0);
        put(trace, header - 8, sum);
    }
    let places: Vec<usize> = (0..trace.len()).filter(|at| trace[*at..].starts_with(&SYNC)).collect();
    for at in places {
        let _ = repair_chunk(trace, at, seed);
    }
}

fn repair_chunk(trace: &mut [u8], at: usize, seed: u64) -> Option<()> {
    let stored_len = u32_at(trace, at + 24)? as usize;
    let mut place = [0; 24];
    place[0] = *trace.get(at + 8)?;
    place[8..].copy_from_slice(trace.get(at + 32..at + 48)?);
    let content = trace.get(at + CHUNK_HEADER..at + CHUNK_HEADER + stored_len);
    if let Some(sum) = content.map(|content| hash(content, hash(&place, seed))) {
        put(trace, at + 72, sum);
    }
    let sum = hash(trace.get(at..at + 80)?, seed);
    put(trace, at + 80, sum);
    Some(())
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn put(bytes: &mut [u8], at: usize, value: u64) {
    if let Some(place) = bytes.get_mut(at..at + 8) {
        place.copy_from_slice(&value.to_le_bytes());
    }
}
