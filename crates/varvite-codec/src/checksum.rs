//! XXH3-64, seeded with the address of a block, and CRC-32C for formats that require it.
//!
//! A checksum without a seed shows that the bytes are some valid block. With the seed, it shows that they are
//! *this* block of *this* file, so that swapped, stale or misdirected blocks are found too. Both checksums
//! run at about the speed of memory, so that there is no reason to omit them. Algorithms: XXH3 (xxHash 0.8);
//! CRC-32C (Castagnoli, polynomial 0x1EDC6F41), by instructions of the processor if it has them, else by
//! tables.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The address of a block: its file, its segment and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockAddress {
    /// The identity of the file.
    pub file: [u8; 16],
    /// The number of the segment in the file.
    pub segment: u32,
    /// The number of the block in the segment.
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

/// XXH3-64 of `bytes`, seeded with `address`.
pub fn block_hash(bytes: &[u8], address: BlockAddress) -> u64 {
    xxh3_64_with_seed(bytes, address.seed())
}

/// XXH3-64 of `bytes` with `seed`, for structures that are not blocks of a segment.
pub fn hash(bytes: &[u8], seed: u64) -> u64 {
    xxh3_64_with_seed(bytes, seed)
}

/// CRC-32C of `bytes`.
pub fn crc32c(bytes: &[u8]) -> u32 {
    #[cfg(feature = "std")]
    return crc32c::crc32c(bytes);
    #[cfg(not(feature = "std"))]
    crc32c_by_tables(bytes)
}

/// CRC-32C without special instructions, eight bytes at a time ("slicing by 8", Kounavis and Berry 2005).
#[cfg(any(test, not(feature = "std")))]
fn crc32c_by_tables(bytes: &[u8]) -> u32 {
    let (eights, rest) = bytes.as_chunks::<8>();
    let step = |crc: u32, eight: &[u8; 8]| {
        let word = u64::from_le_bytes(*eight) ^ u64::from(crc);
        let looked_up = word.to_le_bytes().into_iter().rev().zip(&CRC32C_TABLES);
        looked_up.fold(0, |sum, (byte, table)| sum ^ table[usize::from(byte)])
    };
    let crc = eights.iter().fold(!0, step);
    !rest.iter().fold(crc, |crc, byte| CRC32C_TABLES[0][usize::from(crc as u8 ^ byte)] ^ (crc >> 8))
}

/// Table `n` contains, for each byte, the checksum of that byte followed by `n` zero bytes.
#[cfg(any(test, not(feature = "std")))]
static CRC32C_TABLES: [[u32; 256]; 8] = crc32c_tables();

#[cfg(any(test, not(feature = "std")))]
const fn crc32c_tables() -> [[u32; 256]; 8] {
    const POLYNOMIAL_REVERSED: u32 = 0x82F6_3B78;
    let mut tables = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 * 256 {
        let (table, byte) = (at / 256, at % 256);
        let mut crc = if table == 0 { byte as u32 } else { tables[table - 1][byte] };
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL_REVERSED } else { crc >> 1 };
            bit += 1;
        }
        tables[table][byte] = crc;
        at += 1;
    }
    tables
}

/// The kind of a block's checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Checksum {
    /// No checksum: only the codec may notice damage.
    None = 0,
    /// CRC-32C, in the low half of the 64-bit number.
    Crc32c = 1,
    /// XXH3-64.
    Xxh3 = 2,
}

impl Checksum {
    /// Every checksum, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::None, Self::Crc32c, Self::Xxh3];

    /// The checksum with this number in a file; `None` if there is none.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|checksum| *checksum as u8 == number)
    }

    /// The name in commands and output.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Crc32c => "crc32c",
            Self::Xxh3 => "xxh3",
        }
    }

    /// The checksum of `bytes` with `seed`, which identifies their position; 0 for [`Checksum::None`].
    pub fn of(self, bytes: &[u8], seed: u64) -> u64 {
        match self {
            Self::None => 0,
            Self::Crc32c => u64::from(crc32c(bytes) ^ xxh3_64(&seed.to_le_bytes()) as u32),
            Self::Xxh3 => hash(bytes, seed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_check_value_of_crc32c() {
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
        assert_eq!(crc32c_by_tables(b"123456789"), 0xE306_9283);
    }

    #[test]
    fn tables_and_instructions_give_one_crc32c_at_every_length() {
        let bytes: Vec<u8> = (0..2000u32).map(|n| ((n * n) >> 3) as u8).collect();
        for len in (0..300).chain([1000, 2000]) {
            assert_eq!(crc32c_by_tables(&bytes[..len]), crc32c(&bytes[..len]), "{len} bytes");
        }
    }

    #[test]
    fn a_checksum_notices_another_byte_and_another_seed() {
        for checksum in [Checksum::Crc32c, Checksum::Xxh3] {
            assert_ne!(checksum.of(b"block", 0), checksum.of(b"clock", 0));
            assert_ne!(checksum.of(b"block", 0), checksum.of(b"block", 1));
            assert_eq!(Checksum::from_number(checksum as u8), Some(checksum));
        }
    }

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
