//! [`Bytes`]: reads numbers from the front of bytes.

/// The size of an entry of a block's description.
pub(super) const ENTRY_LEN: usize = 16;

/// Reads little-endian numbers from the front of bytes. Each method returns `None` at the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    /// The next bytes, which stay.
    #[inline(always)]
    pub(super) fn peek(&self, len: usize) -> Option<&'a [u8]> {
        self.0.get(..len)
    }

    #[inline(always)]
    pub(super) fn u32(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*number))
    }

    #[inline(always)]
    pub(super) fn u64(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }
}
