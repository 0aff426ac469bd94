//! Files of digests: reading any bytes returns a digest or an error, even if length and checksum are right.

use varvite::Task;
use varvite::compare::{Comparison, DigestTree, Side};

/// The offset of the field with the length of the file.
const LEN_AT: usize = 16;
const CHECKSUM_LEN: usize = 8;

/// Reads the bytes unchanged, and with repaired length and checksum.
pub fn read_digest(bytes: &[u8]) {
    check(bytes);
    let mut mended = bytes.to_vec();
    let len = mended.len() as u64;
    let Some(sum_at) = mended.len().checked_sub(CHECKSUM_LEN).filter(|at| *at >= LEN_AT + 8) else { return };
    mended[LEN_AT..LEN_AT + 8].copy_from_slice(&len.to_le_bytes());
    let checksum = varvite_codec::hash(&mended[..sum_at], 0);
    mended[sum_at..].copy_from_slice(&checksum.to_le_bytes());
    check(&mended);
}

/// Checks that writing a digest that was read gives the same bytes, and that the digest does not differ from
/// itself.
fn check(bytes: &[u8]) {
    let Ok(digest) = DigestTree::from_bytes(bytes) else { return };
    assert_eq!(digest.to_bytes(), bytes);
    let side = Side { digest: &digest, graph: None };
    let comparison = Comparison::of(&[side, side], &Task::new()).expect("no graph is read");
    assert!(comparison.is_equal());
}
