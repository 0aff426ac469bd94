//! [`Identity`]: a file and its commit.
//!
//! The file id is derived from the source and options of the first commit. The generation counts commits. The
//! checksum of the directory covers every table and, through the checksums of block tables, every byte.
//! Results for one file are valid for another file only if all three are equal.

use std::fmt;

use varvite_format::{Header, Superblock};

/// The identity of a file at one commit. Equal identities mean equal content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Identity {
    /// The id in the file's header.
    pub file_id: [u8; 16],
    /// The generation of the commit that is read.
    pub generation: u64,
    /// Checksum of the directory of that commit.
    pub directory_hash: u64,
}

impl Identity {
    pub(crate) fn new(header: &Header, superblock: &Superblock) -> Self {
        let Superblock { generation, directory_hash, .. } = *superblock;
        Self { file_id: header.file_id, generation, directory_hash }
    }

    /// The identity as bytes, for hashes of data that was derived from this file.
    pub fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(&self.file_id);
        bytes[16..24].copy_from_slice(&self.generation.to_le_bytes());
        bytes[24..].copy_from_slice(&self.directory_hash.to_le_bytes());
        bytes
    }

    /// Makes an identity from values that another program passed.
    pub fn of(file_id: [u8; 16], generation: u64, directory_hash: u64) -> Self {
        Self { file_id, generation, directory_hash }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.file_id.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))?;
        write!(formatter, "-{}-{:016x}", self.generation, self.directory_hash)
    }
}
