//! Repairs every checksum of a changed file, so that tests reach the checks that a reader makes after it has
//! verified checksums.
//!
//! The offsets are taken from `docs/format.md` and not from the engine, so this is a second implementation of
//! that document. Offsets outside the file are skipped. No function panics, for any bytes.

use varvite_codec::{BlockAddress, block_hash, hash};

const PAGE: usize = 4096;
/// The offset of the row counts of the directory's tables, from the beginning of the directory.
const COUNTS: usize = 24;
/// The row sizes of the tables before the table of segments: names, layers, labels, edge labels, properties,
/// text indexes, label sets, columns.
pub const BEFORE_SEGMENTS: [usize; 8] = [8, 56, 20, 44, 40, 28, 8, 48];
/// The size of a directory before its tables, in bytes.
pub const DIRECTORY_FIXED: usize = 72;
const SEGMENT_ROW: usize = 40;
const BLOCK_ENTRY: usize = 12;
/// The number of bytes before the fixed part of a directory that continues an older one.
const CONTINUED_HEAD: usize = 40;

/// Repairs header, superblocks, directories and block tables.
pub fn repair(file: &mut [u8]) {
    let Some(id) = file.get(24..40).and_then(|id| id.first_chunk::<16>()).copied() else { return };
    if let Some(sum) = file.get(..64).map(|fields| hash(fields, 0)) {
        put(file, 64, sum);
    }
    for page in [PAGE, 2 * PAGE] {
        let is_written = file.get(page..page + PAGE).is_some_and(|slot| slot.iter().any(|byte| *byte != 0));
        if is_written {
            let _ = repair_directory(file, page, id);
            let sum = hash(&file[page..page + 56], hash(&id, 0));
            put(file, page + 56, sum);
        }
    }
}

/// Repairs the directory of the superblock at offset `page`. `None` if its range is not inside the file.
fn repair_directory(file: &mut [u8], page: usize, id: [u8; 16]) -> Option<()> {
    let generation = u64_at(file, page + 8)?;
    let directory = place(file, page + 16)?;
    let end = directory.checked_add(place(file, page + 24)?)?;
    file.get(directory..end)?;
    if file[directory..end].starts_with(b"VVCONTIN") {
        let _ = repair_continued(file, directory, end, id);
    } else {
        let _ = repair_segments(file, directory, end, id, 0);
    }
    let sum = hash(&file[directory..end], generation);
    put(file, page + 32, sum);
    Some(())
}

/// Repairs the older directory that a directory continues, the reference to it, and the segments that the
/// newer directory adds.
fn repair_continued(file: &mut [u8], directory: usize, end: usize, id: [u8; 16]) -> Option<()> {
    let (older, generation) = (place(file, directory + 8)?, u64_at(file, directory + 32)?);
    let older_end = older.checked_add(place(file, directory + 16)?)?;
    file.get(older..older_end)?;
    let _ = repair_segments(file, older, older_end, id, 0);
    let sum = hash(&file[older..older_end], generation);
    put(file, directory + 24, sum);
    let first = u32_at(file, older + COUNTS + 4 * BEFORE_SEGMENTS.len())?;
    repair_segments(file, directory + CONTINUED_HEAD, end, id, first)
}

/// Repairs the block tables of a directory's segments. The first segment has the number `first`. `None` if
/// the tables end too early.
fn repair_segments(file: &mut [u8], directory: usize, end: usize, id: [u8; 16], first: u32) -> Option<()> {
    let mut row = directory + DIRECTORY_FIXED;
    for (table, size) in BEFORE_SEGMENTS.iter().enumerate() {
        row = row.checked_add(u32_at(file, directory + COUNTS + 4 * table)? as usize * size)?;
    }
    for segment in 0..u32_at(file, directory + COUNTS + 4 * BEFORE_SEGMENTS.len())? {
        if row + SEGMENT_ROW > end {
            return None;
        }
        if let Some(sum) = repair_blocks(file, row, id, first.wrapping_add(segment)) {
            put(file, row + 24, sum);
        }
        row += SEGMENT_ROW;
    }
    Some(())
}

/// Repairs the block table of the segment whose row is at offset `row`, and returns its hash.
fn repair_blocks(file: &mut [u8], row: usize, id: [u8; 16], segment: u32) -> Option<u64> {
    let mut block = place(file, row)?;
    let table = block.checked_add(place(file, row + 8)?)?;
    let blocks = u64_at(file, row + 16)?.div_ceil(u64::from(u32_at(file, row + 32)?).max(1));
    let table_len = usize::try_from(blocks).ok()?.checked_mul(BLOCK_ENTRY)?;
    file.get(table..table.checked_add(table_len)?)?;
    for number in 0..blocks as usize {
        let entry = table + number * BLOCK_ENTRY;
        let end = block.checked_add(u32_at(file, entry + 8)? as usize)?;
        if let Some(stored) = file.get(block..end) {
            let sum = block_hash(stored, BlockAddress { file: id, segment, block: number as u32 });
            put(file, entry, sum);
        }
        block = end;
    }
    let address = BlockAddress { file: id, segment, block: u32::MAX };
    Some(block_hash(&file[table..table + table_len], address))
}

fn place(file: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u64_at(file, at)?).ok()
}

fn u32_at(file: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*file.get(at..)?.first_chunk()?))
}

fn u64_at(file: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*file.get(at..)?.first_chunk()?))
}

/// Writes a number, if its bytes are inside the file.
fn put(file: &mut [u8], at: usize, number: u64) {
    if let Some(place) = file.get_mut(at..at + 8) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}
