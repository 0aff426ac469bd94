//! Pages 1 and 2: two slots, each with the offset of a directory. Readers use the newest valid slot.
//!
//! A commit overwrites the older slot, so that a torn write leaves the newer slot whole. Odd generations are
//! in page 1 and even ones in page 2; a slot in the wrong page comes from a misdirected write.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 8 | magic `VVSUPER1` |
//! | 8 | 8 | generation, rising by one with each commit; 0: the slot was never written |
//! | 16 | 8 | offset of the directory |
//! | 24 | 8 | length of the directory |
//! | 32 | 8 | XXH3-64 of the directory, seeded with the generation |
//! | 40 | 8 | length of the file |
//! | 48 | 8 | required features of the commit: a reader that misses one refuses the file |
//! | 56 | 8 | XXH3-64 of bytes 0 to 55, seeded with the file id |
//! | 64 | 4032 | zero |

use varvite_codec::hash;

use crate::bytes::{Fields, is_zero};
use crate::tables::header::PAGE;
use crate::{Fault, FormatError, Part, Result};

const MAGIC: [u8; 8] = *b"VVSUPER1";
const HASHED: usize = 56;

/// The content of one superblock slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Superblock {
    /// The number of the commit.
    pub generation: u64,
    /// The offset of the directory in the file.
    pub directory_offset: u64,
    /// The length of the directory in bytes.
    pub directory_len: u64,
    /// The checksum of the directory.
    pub directory_hash: u64,
    /// The length of the whole file in bytes.
    pub file_len: u64,
    /// The features, as bits, that a reader must support in addition to the format version.
    pub required_features: u64,
}

impl Superblock {
    /// The length of the largest directory that a reader accepts.
    pub const DIRECTORY_MAX: u64 = 16 << 20;

    /// Required feature: columns of changes, which a reader merges with the columns of the base.
    pub const CHANGES: u64 = 1;
    /// Required feature: a directory that continues an older one.
    pub const CONTINUED_DIRECTORY: u64 = 2;
    const KNOWN_FEATURES: u64 = Self::CHANGES | Self::CONTINUED_DIRECTORY;

    /// The bytes of the page with this slot in the file `file_id`.
    pub fn to_page(&self, file_id: &[u8; 16]) -> [u8; PAGE] {
        let mut page = [0u8; PAGE];
        page[..8].copy_from_slice(&MAGIC);
        let fields = [
            self.generation,
            self.directory_offset,
            self.directory_len,
            self.directory_hash,
            self.file_len,
            self.required_features,
        ];
        for (number, field) in fields.iter().enumerate() {
            page[8 + number * 8..16 + number * 8].copy_from_slice(&field.to_le_bytes());
        }
        let sum = hash(&page[..HASHED], seed(file_id));
        page[HASHED..HASHED + 8].copy_from_slice(&sum.to_le_bytes());
        page
    }

    /// Reads slot `number`: 0 for page 1, 1 for page 2. `None` if the slot was never written.
    ///
    /// # Errors
    /// Damage.
    pub fn from_page(page: &[u8], file_id: &[u8; 16], number: u32) -> Result<Option<Self>> {
        let part = || Part::Superblock(number);
        let page: &[u8; PAGE] =
            page.first_chunk().ok_or_else(|| FormatError::damaged(part(), short_page(page.len())))?;
        if is_zero(page) {
            return Ok(None);
        }
        let short = || FormatError::damaged(part(), short_page(page.len()));
        let mut fields = Fields::new(page);
        let magic: [u8; 8] = fields.take().ok_or_else(short)?;
        let mut next = || fields.u64().ok_or_else(short);
        let slot = Self {
            generation: next()?,
            directory_offset: next()?,
            directory_len: next()?,
            directory_hash: next()?,
            file_len: next()?,
            required_features: next()?,
        };
        let (found, expected) = (next()?, hash(&page[..HASHED], seed(file_id)));
        if magic != MAGIC || found != expected {
            return Err(FormatError::damaged(part(), Fault::Checksum { expected, found }));
        }
        if !is_zero(&page[HASHED + 8..]) {
            return Err(FormatError::damaged(part(), Fault::NotZero));
        }
        if slot.generation % 2 == u64::from(number) {
            let fault = Fault::Generation { slot: number, found: slot.generation };
            return Err(FormatError::damaged_at(part(), 8, fault));
        }
        slot.check(part())?;
        Ok(Some(slot))
    }

    /// Checks that this version of the library supports all features of the commit. An unknown feature is an
    /// error; falling back to an older commit would return outdated data.
    ///
    /// # Errors
    /// [`FormatError::UnknownFeature`].
    pub fn check_features(&self) -> Result<()> {
        match self.required_features & !Self::KNOWN_FEATURES {
            0 => Ok(()),
            bits => Err(FormatError::UnknownFeature { bits }),
        }
    }

    fn check(&self, part: Part) -> Result<()> {
        if self.generation == 0 {
            return Err(FormatError::damaged(part, Fault::Unknown { what: "generation", found: 0 }));
        }
        if self.directory_len > Self::DIRECTORY_MAX {
            let (most, found) = (Self::DIRECTORY_MAX, self.directory_len);
            return Err(FormatError::damaged(
                part,
                Fault::TooMany { what: "bytes of directory", most, found },
            ));
        }
        let end = self.directory_offset.saturating_add(self.directory_len);
        let within = 3 * PAGE as u64..self.file_len;
        if self.directory_offset < within.start || end > within.end {
            let found = self.directory_offset..end;
            return Err(FormatError::damaged(part, Fault::Range { within, found }));
        }
        Ok(())
    }
}

fn short_page(found: usize) -> Fault {
    Fault::Count { what: "bytes", expected: PAGE as u64, found: found as u64 }
}

fn seed(file_id: &[u8; 16]) -> u64 {
    hash(file_id, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOT: Superblock = Superblock {
        generation: 1,
        directory_offset: 3 * PAGE as u64,
        directory_len: 10,
        directory_hash: 7,
        file_len: 3 * PAGE as u64 + 10,
        required_features: 0,
    };

    #[test]
    fn a_slot_comes_back_only_in_its_own_file() {
        let page = SLOT.to_page(&[1; 16]);
        assert_eq!(Superblock::from_page(&page, &[1; 16], 0).unwrap(), Some(SLOT));
        assert!(Superblock::from_page(&page, &[2; 16], 0).is_err());
    }

    #[test]
    fn an_unwritten_slot_is_no_slot() {
        assert_eq!(Superblock::from_page(&[0; PAGE], &[1; 16], 1).unwrap(), None);
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let page = SLOT.to_page(&[1; 16]);
        for bit in 0..PAGE * 8 {
            let mut damaged = page;
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Superblock::from_page(&damaged, &[1; 16], 0).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_slot_in_the_other_page_is_refused() {
        let page = SLOT.to_page(&[1; 16]);
        assert!(Superblock::from_page(&page, &[1; 16], 1).is_err());
        let second = Superblock { generation: 2, ..SLOT };
        assert!(Superblock::from_page(&second.to_page(&[1; 16]), &[1; 16], 1).is_ok());
    }

    #[test]
    fn a_commit_that_needs_what_is_not_known_is_told_from_damage() {
        for (bits, unknown) in [(0, 0), (3, 0), (4, 4), (1 << 63 | 1, 1 << 63)] {
            let slot = Superblock { required_features: bits, ..SLOT };
            let slot = Superblock::from_page(&slot.to_page(&[1; 16]), &[1; 16], 0).unwrap().unwrap();
            assert_eq!(slot.required_features, bits);
            match slot.check_features() {
                Ok(()) => assert_eq!(unknown, 0),
                Err(FormatError::UnknownFeature { bits }) => assert_eq!(bits, unknown),
                Err(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn a_directory_past_the_end_is_refused() {
        let slot = Superblock { directory_len: 11, ..SLOT };
        assert!(Superblock::from_page(&slot.to_page(&[1; 16]), &[1; 16], 0).is_err());
    }
}
