//! [`CallDigest`]: the hash of all calls. The id of the new file is computed from it, so that equal calls
//! give equal files.

/// The number of bytes that are collected before they are hashed, because hashing many bytes at once is
/// several times as fast.
const GATHERED: usize = 16 << 10;

/// The BLAKE3 hash of all calls.
#[derive(Debug, Default)]
pub(super) struct CallDigest {
    hasher: blake3::Hasher,
    gathered: Vec<u8>,
}

impl CallDigest {
    /// Hashes a number: the kind of a call, or a number that stands for one of its arguments.
    pub(super) fn number(&mut self, number: u32) {
        self.bytes(&number.to_le_bytes());
    }

    /// Hashes bytes. If their length may vary, the caller hashes the length first.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= GATHERED {
            self.hasher.update(&self.gathered);
            self.gathered.clear();
        }
    }

    /// The hash of all calls.
    pub(super) fn digest(mut self) -> [u8; 32] {
        self.hasher.update(&self.gathered);
        *self.hasher.finalize().as_bytes()
    }
}
