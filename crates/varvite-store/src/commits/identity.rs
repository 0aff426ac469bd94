//! [`Identity`]: a file and its commit.
//!
//! The file id follows from the source and options of the first commit, the generation counts commits, and
//! the checksum of the directory covers every table and, through the checksums of block tables, every byte.
//! Results for one file hold for another only if all three are equal.

use std::fmt;

use varvite_format::{Header, Superblock};

/// A state of a file. Equal identities mean equal content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Identity {
    /// The id in the file's header.
    pub file_id: [u8; 16],
    /// The commit that is read.
    pub generation: u64,
    /// Checksum of the directory of that commit.
    pub directory_hash: u64,
}

impl Identity {
    pub(crate) fn new(header: &Header, superblock: &Superblock) -> Self {
        let Superblock { generation, directory_hash, .. } = *superblock;
        Self { file_id: header.file_id, generation, directory_hash }
    }

    /// The same as bytes, for the hashes of data that follows from this file.
    pub fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(&self.file_id);
        bytes[16..24].copy_from_slice(&self.generation.to_le_bytes());
        bytes[24..].copy_from_slice(&self.directory_hash.to_le_bytes());
        bytes
    }

    /// The identity with these values, as another program passed them on.
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
