//! The container of a flatgraph file, version 0: header, blobs, manifest.
//!
//! | offset         | size   | field |
//! |----------------|--------|-------|
//! | 0              | 8      | magic, ASCII `FLT GRPH` |
//! | 8              | 8      | `i64` little-endian: offset of the manifest |
//! | 16             | ..     | blobs: one zstd frame each, back to back, in no order that matters |
//! | manifest       | 20     | newlines, so that `tail` shows the JSON on a line of its own |
//! | manifest + 20  | to end | the manifest, compact JSON in UTF-8, nothing after it |
//!
//! The format has no checksums. Its only protection is that the header of an incomplete file refers to no
//! manifest.

use super::FlatgraphError;

/// Bytes of the header.
pub(super) const HEADER_LEN: u64 = 16;

/// The bytes between the last blob and the JSON.
pub(super) const MANIFEST_PADDING: [u8; 20] = [b'\n'; 20];

const MAGIC: [u8; 8] = *b"FLT GRPH";
const MAGIC_PREVIEW: [u8; 8] = 0xdead_beef_dead_beef_u64.to_le_bytes();

/// The first 16 bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    /// The offset at which the blobs end and the manifest begins.
    pub(super) manifest_offset: u64,
}

impl Header {
    /// Parses the header of a file of `file_len` bytes.
    pub(super) fn parse(bytes: [u8; 16], file_len: u64) -> Result<Self, FlatgraphError> {
        let (magic, offset) = halves(bytes);
        check_magic(magic)?;
        let found = i64::from_le_bytes(offset);
        match u64::try_from(found) {
            Ok(manifest_offset) if (HEADER_LEN..file_len).contains(&manifest_offset) => {
                Ok(Self { manifest_offset })
            }
            _ => Err(FlatgraphError::ManifestOffset { found, len: file_len }),
        }
    }

    /// The header in its stored form.
    pub(super) fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..].copy_from_slice(&self.manifest_offset.to_le_bytes());
        bytes
    }
}

fn halves(bytes: [u8; 16]) -> ([u8; 8], [u8; 8]) {
    let (mut first, mut second) = ([0; 8], [0; 8]);
    first.copy_from_slice(&bytes[..8]);
    second.copy_from_slice(&bytes[8..]);
    (first, second)
}

fn check_magic(found: [u8; 8]) -> Result<(), FlatgraphError> {
    match found {
        MAGIC => Ok(()),
        MAGIC_PREVIEW => Err(FlatgraphError::PreviewFlatgraph),
        [b'H', b':', b'2', ..] => Err(FlatgraphError::Overflowdb),
        [b'P', b'K', ..] => Err(FlatgraphError::ProtoZip),
        _ => Err(FlatgraphError::NotFlatgraph { found }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_survives_the_file() {
        let header = Header { manifest_offset: 0x0102_0304_0506 };
        assert_eq!(header.to_bytes(), *b"FLT GRPH\x06\x05\x04\x03\x02\x01\0\0");
        assert_eq!(Header::parse(header.to_bytes(), u64::MAX).unwrap(), header);
    }

    #[test]
    fn a_file_of_another_format_is_named() {
        let parse = |start: &[u8]| {
            let mut bytes = [0; 16];
            bytes[..start.len()].copy_from_slice(start);
            Header::parse(bytes, 1000).unwrap_err()
        };
        assert!(matches!(parse(&MAGIC_PREVIEW), FlatgraphError::PreviewFlatgraph));
        assert!(matches!(parse(b"H:2,block:1,"), FlatgraphError::Overflowdb));
        assert!(matches!(parse(b"PK\x03\x04"), FlatgraphError::ProtoZip));
        assert!(matches!(parse(b"\x7fELF"), FlatgraphError::NotFlatgraph { found } if found[0] == 0x7f));
    }

    #[test]
    fn a_manifest_begins_after_the_header_and_inside_the_file() {
        for found in [i64::MIN, -1, 0, 15, 100, 101, i64::MAX] {
            let mut bytes = Header { manifest_offset: 16 }.to_bytes();
            bytes[8..].copy_from_slice(&found.to_le_bytes());
            let error = Header::parse(bytes, 100).unwrap_err();
            assert!(matches!(error, FlatgraphError::ManifestOffset { found: f, len: 100 } if f == found));
        }
        assert!(Header::parse(Header { manifest_offset: 16 }.to_bytes(), 100).is_ok());
        assert!(Header::parse(Header { manifest_offset: 99 }.to_bytes(), 100).is_ok());
    }
}
