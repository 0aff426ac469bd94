//! Headers and superblocks that lie or disagree, and files of other lengths than they say.

use super::repair::repair;
use super::sketch::Sketch;
use crate::HostileFile;

const PAGE: usize = 4096;
const GENERATION: usize = 8;
const DIRECTORY_OFFSET: usize = 16;
const DIRECTORY_LEN: usize = 24;
const FILE_LEN: usize = 40;

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
    slots.into_iter().chain(others).map(|(name, bytes)| HostileFile::graph(name, bytes)).collect()
}

/// A file with another number in its superblock.
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

/// The second slot is the first one, of a later generation.
fn two_superblocks(generation: u64) -> Vec<u8> {
    let mut file = Sketch::code(10).finish();
    file.copy_within(PAGE..2 * PAGE, 2 * PAGE);
    file[2 * PAGE + GENERATION..2 * PAGE + GENERATION + 8].copy_from_slice(&generation.to_le_bytes());
    repair(&mut file);
    file
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
