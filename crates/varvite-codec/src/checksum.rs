//! XXH3-64, seeded with where a block belongs.
//!
//! A plain checksum says that the bytes are some block; the seed says that they are *this* block of *this* file,
//! so that swapped, stale or misdirected blocks are found too. Algorithm: XXH3 (xxHash 0.8).

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The place of a block: which file, which segment of it, which block of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockAddress {
    /// Identity of the file.
    pub file: [u8; 16],
    /// Segment number within the file.
    pub segment: u32,
    /// Block number within the segment.
    pub block: u32,
}

impl BlockAddress {
    fn seed(&self) -> u64 {
        let mut bytes = [0u8; 24];
        bytes[..16].copy_from_slice(&self.file);
        bytes[16..20].copy_from_slice(&self.segment.to_le_bytes());
        bytes[20..].copy_from_slice(&self.block.to_le_bytes());
        xxh3_64(&bytes)
    }
}

/// XXH3-64 of `bytes`, bound to `address`.
pub fn block_hash(bytes: &[u8], address: BlockAddress) -> u64 {
    xxh3_64_with_seed(bytes, address.seed())
}

/// XXH3-64 of `bytes` with `seed`, for structures that are bound to their place in another way.
pub fn hash(bytes: &[u8], seed: u64) -> u64 {
    xxh3_64_with_seed(bytes, seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_moved_to_another_place_has_another_hash() {
        let here = BlockAddress { file: [7; 16], segment: 1, block: 2 };
        let elsewhere = [
            BlockAddress { file: [8; 16], ..here },
            BlockAddress { segment: 2, ..here },
            BlockAddress { block: 3, ..here },
        ];
        for other in elsewhere {
            assert_ne!(block_hash(b"same bytes", here), block_hash(b"same bytes", other));
        }
    }

    #[test]
    fn the_published_value_of_the_empty_input() {
        assert_eq!(hash(b"", 0), 0x2D06_8005_38D3_94C2);
    }
}
