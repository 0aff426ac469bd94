//! Headers and superblocks with false or contradictory numbers, and files whose length is not the one that
//! they claim.

use varvite_format::{Continuable, Continued, Superblock};

use super::sketch::{FILE_ID, Sketch, align};
use crate::HostileFile;
use varvite_testing::repair::repair;

const PAGE: usize = 4096;
const GENERATION: usize = 8;
const DIRECTORY_OFFSET: usize = 16;
const DIRECTORY_LEN: usize = 24;
const FILE_LEN: usize = 40;
const FEATURES: usize = 48;

pub(super) fn all() -> Vec<HostileFile> {
    let slots = [
        ("superblock-of-generation-0", GENERATION, 0),
        ("superblock-of-generation-2^64", GENERATION, u64::MAX),
        ("superblock-of-generation-2-in-page-1", GENERATION, 2),
        ("directory-at-0", DIRECTORY_OFFSET, 0),
        ("directory-in-the-superblock", DIRECTORY_OFFSET, 4096),
        ("directory-at-2^64", DIRECTORY_OFFSET, u64::MAX),
        ("directory-of-no-bytes", DIRECTORY_LEN, 0),
        ("directory-of-16-megabytes", DIRECTORY_LEN, 16 << 20),
        ("directory-of-2^64-bytes", DIRECTORY_LEN, u64::MAX),
        ("file-of-no-bytes-by-its-superblock", FILE_LEN, 0),
        ("file-of-2^64-bytes-by-its-superblock", FILE_LEN, u64::MAX),
        ("superblock-of-unknown-features", FEATURES, 1 << 63),
    ];
    let slots = slots.map(|(name, field, value)| (name, with_slot(field, value)));
    let others = [
        ("two-superblocks-of-one-directory", two_superblocks(2)),
        ("two-superblocks-of-which-the-newer-has-no-directory", newer_without_directory()),
        ("two-superblocks-of-which-one-is-noise", noise()),
        ("header-of-a-future-version", with_header(16, 99)),
        ("header-of-pages-of-4-gigabytes", with_header(20, 0xff)),
        ("header-of-unknown-features", with_header(40, 0xff)),
        ("header-alone", Sketch::code(10).finish()[..PAGE].to_vec()),
        ("a-file-of-one-byte", vec![0x89]),
        ("a-file-of-zeros", vec![0; 1 << 20]),
        ("a-file-cut-in-its-directory", cut()),
        ("a-file-with-a-megabyte-after-its-end", [Sketch::code(10).finish(), vec![0xff; 1 << 20]].concat()),
    ];
    let continued = [
        ("a-sound-directory-that-continues-another", 0, None),
        ("continued-directory-at-0", 8, Some(0)),
        ("continued-directory-in-a-segment", 8, Some(3 * PAGE as u64)),
        ("continued-directory-at-2^64", 8, Some(u64::MAX)),
        ("continued-directory-of-no-bytes", 16, Some(0)),
        ("continued-directory-of-16-megabytes", 16, Some(16 << 20)),
        ("continued-directory-of-2^64-bytes", 16, Some(u64::MAX)),
        ("continued-directory-of-its-fixed-part", 16, Some(72)),
        ("directory-that-continues-with-2^32-columns", 40 + 24 + 4 * 7, Some(u64::MAX)),
        ("directory-that-continues-with-2^32-names", 40 + 24, Some(u64::MAX)),
    ];
    let continued = continued.map(|(name, field, value)| (name, continued_with(field, value)));
    let others = others
        .into_iter()
        .chain(continued)
        .chain([("a-directory-that-continues-itself", continues_itself())]);
    slots.into_iter().chain(others).map(|(name, bytes)| HostileFile::graph(name, bytes)).collect()
}

/// A file with a changed number in its superblock.
fn with_slot(field: usize, value: u64) -> Vec<u8> {
    let mut file = Sketch::code(10).finish();
    file[PAGE + field..PAGE + field + 8].copy_from_slice(&value.to_le_bytes());
    repair(&mut file);
    file
}

fn with_header(at: usize, byte: u8) -> Vec<u8> {
    let mut file = Sketch::code(10).finish();
    file[at] = byte;
    repair(&mut file);
    file
}

/// A file whose second superblock is a copy of the first with another generation.
fn two_superblocks(generation: u64) -> Vec<u8> {
    let mut file = Sketch::code(10).finish();
    file.copy_within(PAGE..2 * PAGE, 2 * PAGE);
    file[2 * PAGE + GENERATION..2 * PAGE + GENERATION + 8].copy_from_slice(&generation.to_le_bytes());
    repair(&mut file);
    file
}

/// A file whose newer directory continues the older one, with a number in the reference replaced by `value`.
/// Both directories describe the same graph.
fn continued_with(field: usize, value: Option<u64>) -> Vec<u8> {
    let (mut file, directory) = continued();
    if let Some(value) = value {
        file[directory + field..][..8].copy_from_slice(&value.to_le_bytes());
    }
    repair(&mut file);
    file
}

fn continues_itself() -> Vec<u8> {
    let (mut file, directory) = continued();
    let length = file.len() - directory;
    // Appends the directory again, so that it continues a directory that itself continues another.
    let copy = file[directory..].to_vec();
    align(&mut file);
    let last = file.len();
    file.extend(copy);
    file[last + 8..last + 16].copy_from_slice(&(directory as u64).to_le_bytes());
    file[last + 16..last + 24].copy_from_slice(&(length as u64).to_le_bytes());
    put_slot(&mut file, last);
    repair(&mut file);
    file
}

/// A file of two commits, and the offset of the second directory.
fn continued() -> (Vec<u8>, usize) {
    let mut file = Sketch::code(10).finish();
    let number = |at: usize| u64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(|byte| file[at + byte]));
    let (offset, len) = (number(PAGE + DIRECTORY_OFFSET), number(PAGE + DIRECTORY_LEN));
    let whole = file[offset as usize..][..len as usize].to_vec();
    let count = |table: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| whole[24 + 4 * table + byte]));
    let place = Continued { offset, len, hash: number(PAGE + 32), generation: 1 };
    let rows = Continuable { place, columns: count(7), segments: count(8) };
    let short = rows.shorten(&whole).expect("it is the same directory");
    align(&mut file);
    let directory = file.len();
    file.extend(short);
    put_slot(&mut file, directory);
    (file, directory)
}

/// Writes a superblock of generation 2 for the directory at the end of the file.
fn put_slot(file: &mut [u8], directory: usize) {
    let slot = Superblock {
        generation: 2,
        directory_offset: directory as u64,
        directory_len: (file.len() - directory) as u64,
        directory_hash: 0,
        file_len: file.len() as u64,
        required_features: 0,
    };
    file[2 * PAGE..3 * PAGE].copy_from_slice(&slot.to_page(&FILE_ID));
}

fn newer_without_directory() -> Vec<u8> {
    let mut file = two_superblocks(4);
    let at = 2 * PAGE + DIRECTORY_OFFSET;
    file[at..at + 8].copy_from_slice(&(3 * PAGE as u64).to_le_bytes());
    repair(&mut file);
    file
}

fn noise() -> Vec<u8> {
    let mut file = Sketch::code(10).finish();
    file[2 * PAGE..3 * PAGE].fill(0xa5);
    file
}

fn cut() -> Vec<u8> {
    let mut file = Sketch::code(10).finish();
    file.truncate(file.len() - 20);
    file
}
