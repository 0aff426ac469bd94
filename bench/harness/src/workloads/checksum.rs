//! [`Crc32`]: the checksum of zlib and gzip, which the Python peers can compute too. This code is slow,
//! because it works bit by bit, but no measured time includes it.

/// The checksum of the added bytes.
pub(super) struct Crc32(u32);

impl Default for Crc32 {
    fn default() -> Self {
        Self(!0)
    }
}

impl Crc32 {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        let step = |crc: u32, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        self.0 = bytes.iter().fold(self.0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step));
    }

    pub(super) fn value(&self) -> i64 {
        i64::from(!self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_zlib() {
        let mut crc = Crc32::default();
        [&b"1234"[..], b"56789"].into_iter().for_each(|part| crc.add(part));
        assert_eq!(crc.value(), 0xcbf4_3926);
    }
}
