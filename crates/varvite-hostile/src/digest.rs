//! Digests: counts and lengths beyond the file, ranges in the wrong order, hashes that match no content.
//!
//! Offsets are taken from `docs/digest-format.md`; length and checksum are right.

use crate::{HostileFile, Kind};

pub(crate) fn all() -> Vec<HostileFile> {
    HostileFile::made(
        Kind::Digest,
        &[
            ("a-digest-of-nothing", || digest(0, 0, &[])),
            ("a-digest-of-2^32-columns", || digest(0, u32::MAX, &[])),
            ("a-name-of-4-gigabytes", || digest(0, 1, &u32::MAX.to_le_bytes())),
            ("a-million-columns-of-no-name", || digest(0, 1 << 20, &column("", 0).repeat(1 << 20))),
            ("2^32-ranges-of-a-column", || digest(0, 1, &ranges(16, [0, 1 << 32], u32::MAX, &[]))),
            ("ranges-that-fall", || digest(0, 1, &ranges(8, [0, 1 << 32], 2, &[2, 1]))),
            ("a-range-of-owners-that-nobody-asked-for", || digest(0, 1, &ranges(0, [5, 6], 1, &[6]))),
            ("owners-that-end-before-they-begin", || digest(0, 1, &ranges(0, [6, 5], 0, &[]))),
            ("owners-past-32-bits", || digest(0, 1, &ranges(16, [0, u64::MAX], 1, &[u32::MAX]))),
            ("a-range-of-2^60-owners", || digest(0, 1, &ranges(60, [0, 1 << 32], 1, &[1]))),
            ("leaves-that-are-not-of-their-column", || digest(0, 1, &ranges(16, [0, 1 << 32], 1, &[1]))),
            ("a-root-of-other-columns", || digest(1, 1, &column("layers", 0))),
            ("bytes-behind-the-last-column", || digest(0, 0, &[7; 100])),
        ],
    )
}

fn digest(flags: u32, columns: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x89VDIGEST\x01\0\0\0".to_vec();
    bytes.extend(flags.to_le_bytes());
    bytes.extend((96 + body.len() as u64 + 8).to_le_bytes());
    bytes.extend([1; 64]);
    bytes.extend(20u32.to_le_bytes());
    bytes.extend(columns.to_le_bytes());
    bytes.extend(body);
    let checksum = varvite_codec::hash(&bytes, 0);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

fn column(name: &str, more: u8) -> Vec<u8> {
    [&(name.len() as u32).to_le_bytes(), name.as_bytes(), &[2; 32], &[more]].concat()
}

/// A column of hashes of one repeated byte, with ranges.
fn ranges(shift: u32, [first, end]: [u64; 2], count: u32, numbers: &[u32]) -> Vec<u8> {
    let mut bytes = column("property NAME", 1);
    bytes.extend([3; 32]);
    bytes.extend(shift.to_le_bytes());
    bytes.extend(first.to_le_bytes());
    bytes.extend(end.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    for number in numbers {
        bytes.extend(number.to_le_bytes());
        bytes.extend([4; 32]);
    }
    bytes
}
