//! Page 0: the kind and version of the file. The page is written once and never changes.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 16 | magic `89 'VARVITE' 0D 0A 1A 0A 00 00 00 00` |
//! | 16 | 4 | format version |
//! | 20 | 4 | page size, 4096 |
//! | 24 | 16 | file id |
//! | 40 | 8 | required features: a reader that misses one refuses the file |
//! | 48 | 8 | optional features: a reader may ignore them |
//! | 56 | 4 | profile of the columns: 0 direct, 1 compact, 2 archive |
//! | 60 | 4 | zero |
//! | 64 | 8 | XXH3-64 of bytes 0 to 63 |
//! | 72 | 4024 | zero |

use varvite_codec::hash;

use crate::bytes::{Fields, is_zero};
use crate::{Fault, Foreign, FormatError, Part, Profile, Result};

/// The format version that this crate writes, and the newest that it reads.
pub const FORMAT_VERSION: u32 = 1;
/// The size of the header and of each superblock in bytes; segments start after three pages.
pub const PAGE: usize = 4096;

/// The magic bytes. They end in line breaks of both kinds and an end-of-file mark, as in PNG, so that a copy
/// in text mode is noticed.
const MAGIC: [u8; 16] = *b"\x89VARVITE\r\n\x1a\n\0\0\0\0";
const HASHED: usize = 64;

/// The first page of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The identity of the file: every checksum in the file depends on this id.
    pub file_id: [u8; 16],
    /// The profile for which the encodings were chosen.
    pub profile: Profile,
}

impl Header {
    /// Whether `bytes`, the first 16 bytes of a file, are the magic bytes of Varvite. The rest of the file
    /// may be invalid.
    pub fn has_magic(bytes: &[u8; 16]) -> bool {
        *bytes == MAGIC
    }

    /// The bytes of the page.
    pub fn to_page(&self) -> [u8; PAGE] {
        let mut page = [0u8; PAGE];
        page[..16].copy_from_slice(&MAGIC);
        page[16..20].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
        page[20..24].copy_from_slice(&(PAGE as u32).to_le_bytes());
        page[24..40].copy_from_slice(&self.file_id);
        page[56..60].copy_from_slice(&self.profile.to_number().to_le_bytes());
        let sum = hash(&page[..HASHED], 0);
        page[HASHED..HASHED + 8].copy_from_slice(&sum.to_le_bytes());
        page
    }

    /// Reads the first page.
    ///
    /// # Errors
    /// The page does not belong to a Varvite file, has a newer version or an unknown required feature, or is
    /// damaged.
    pub fn from_page(page: &[u8]) -> Result<Self> {
        if page.len() < 16 || page[..16] != MAGIC {
            return Err(FormatError::NotVarvite { found: Foreign::of(page) });
        }
        let short = || {
            let fault = Fault::Count { what: "bytes", expected: PAGE as u64, found: page.len() as u64 };
            FormatError::damaged(Part::Header, fault)
        };
        let page: &[u8; PAGE] = page.first_chunk().ok_or_else(short)?;
        let mut fields = Fields::new(&page[16..]);
        let version = fields.u32().ok_or_else(short)?;
        let page_size = fields.u32().ok_or_else(short)?;
        let file_id = fields.take().ok_or_else(short)?;
        let required = fields.u64().ok_or_else(short)?;
        let _optional = fields.u64().ok_or_else(short)?;
        let profile = fields.u32().ok_or_else(short)?;
        let found = fields.u32().zip(fields.u64()).map(|(_, sum)| sum).ok_or_else(short)?;
        let expected = hash(&page[..HASHED], 0);
        if expected != found {
            let fault = Fault::Checksum { expected, found };
            return Err(FormatError::damaged_at(Part::Header, HASHED as u64, fault));
        }
        if version > FORMAT_VERSION {
            return Err(FormatError::NewerFormat { found: version, supported: FORMAT_VERSION });
        }
        if version == 0 {
            let fault = Fault::Unknown { what: "format version", found: version.into() };
            return Err(FormatError::damaged_at(Part::Header, 16, fault));
        }
        if required != 0 {
            return Err(FormatError::UnknownFeature { bits: required });
        }
        if page_size != PAGE as u32 {
            let (size, found) = (PAGE as i64, Some(page_size.into()));
            let fault = Fault::Number { what: "page size", at: None, least: size, most: size, found };
            return Err(FormatError::damaged_at(Part::Header, 20, fault));
        }
        let padding = &page[HASHED + 8..];
        if !is_zero(padding) {
            let at = HASHED + 8 + padding.iter().take_while(|byte| **byte == 0).count();
            return Err(FormatError::damaged_at(Part::Header, at as u64, Fault::NotZero));
        }
        let profile = Profile::from_number(profile).ok_or_else(|| {
            let fault = Fault::Unknown { what: "profile", found: profile.into() };
            FormatError::damaged_at(Part::Header, 56, fault)
        })?;
        Ok(Self { file_id, profile })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: Header = Header { file_id: [3; 16], profile: Profile::Compact };

    #[test]
    fn a_header_comes_back() {
        assert_eq!(Header::from_page(&HEADER.to_page()).unwrap(), HEADER);
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let page = HEADER.to_page();
        for bit in 0..PAGE * 8 {
            let mut damaged = page;
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Header::from_page(&damaged).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_newer_version_is_named() {
        let mut page = HEADER.to_page();
        page[16] = 9;
        let sum = hash(&page[..HASHED], 0);
        page[HASHED..HASHED + 8].copy_from_slice(&sum.to_le_bytes());
        assert!(matches!(Header::from_page(&page), Err(FormatError::NewerFormat { found: 9, .. })));
    }

    #[test]
    fn other_files_are_recognised() {
        let error = Header::from_page(b"FLT GRPH........").unwrap_err().to_string();
        assert!(error.contains("varvite import"), "{error}");
    }
}
