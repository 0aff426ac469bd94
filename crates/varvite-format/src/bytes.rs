//! Reads little-endian numbers at an offset. All numbers in untrusted bytes are read by these functions.

/// The two bytes at offset `at` as a number; `None` if `bytes` is too short.
#[inline]
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The four bytes at offset `at` as a number; `None` if `bytes` is too short.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The eight bytes at offset `at` as a number; `None` if `bytes` is too short.
#[inline]
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Whether all bytes are zero; tests 64 bytes at once.
pub(crate) fn is_zero(bytes: &[u8]) -> bool {
    bytes.chunks(64).all(|part| part.iter().fold(0, |sum, byte| sum | byte) == 0)
}

/// Appends numbers of `width` bits each (32 bits at most), lowest bit first, and zeros up to a multiple of 8
/// bytes.
pub(crate) fn append_bits(numbers: impl Iterator<Item = u32>, width: u32, output: &mut Vec<u8>) {
    if width == 0 {
        return;
    }
    let mut pending = 0u128;
    let mut bits = 0;
    for number in numbers {
        pending |= u128::from(number) << bits;
        bits += width;
        if bits >= 64 {
            output.extend((pending as u64).to_le_bytes());
            pending >>= 64;
            bits -= 64;
        }
    }
    if bits > 0 {
        output.extend((pending as u64).to_le_bytes());
    }
}

/// Reads fixed-width fields one after another; a read beyond the end fails and never panics.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    #[inline]
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    #[inline]
    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let field = *self.bytes.get(self.at..)?.first_chunk()?;
        self.at += N;
        Some(field)
    }

    /// The number of bytes read so far.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Reads the next `len` bytes.
    #[inline]
    pub(crate) fn slice(&mut self, len: usize) -> Option<&'a [u8]> {
        let slice = self.bytes.get(self.at..)?.get(..len)?;
        self.at += len;
        Some(slice)
    }

    #[inline]
    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    #[inline]
    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    #[inline]
    pub(crate) fn i64(&mut self) -> Option<i64> {
        self.take().map(i64::from_le_bytes)
    }
}
