//! Little-endian loads and stores at offsets that callers have checked, and varints, which truncated bytes
//! may cut off.

/// Loads the `N` bytes at offset `at`.
#[inline]
pub(crate) fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    *bytes[at..].first_chunk().expect("callers check the length")
}

/// Loads a `u32` at offset `at`.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, at))
}

/// Loads a `u64` at offset `at`.
#[inline]
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array_at(bytes, at))
}

/// Stores `value` at offset `at`.
pub(crate) fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

/// The length of the longest varint, in bytes.
pub(crate) const VARINT_MAX: usize = 10;

/// Stores `value` in groups of seven bits, lowest first, and returns the number of bytes written.
///
/// # Panics
/// If `output` is shorter than [`VARINT_MAX`] and the value does not fit.
pub(crate) fn put_varint(mut value: u64, output: &mut [u8]) -> usize {
    let mut at = 0;
    while value >= 0x80 {
        output[at] = value as u8 | 0x80;
        value >>= 7;
        at += 1;
    }
    output[at] = value as u8;
    at + 1
}

/// Reads a varint and removes it from the front of `bytes`. `None` if the bytes end inside it, or if it
/// exceeds 64 bits.
pub(crate) fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for index in 0..VARINT_MAX {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let group = u64::from(byte & 0x7f);
        if index == VARINT_MAX - 1 && group > 1 {
            return None;
        }
        value |= group << (7 * index);
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_come_back_at_every_length() {
        for value in (0..64).map(|bit| 1u64 << bit).chain([0, 127, 128, u64::MAX]) {
            let mut buffer = [0; VARINT_MAX];
            let len = put_varint(value, &mut buffer);
            let mut rest = &buffer[..len];
            assert_eq!((take_varint(&mut rest), rest.len()), (Some(value), 0));
            assert_eq!(take_varint(&mut &buffer[..len - 1]), None, "{value} cut short");
        }
    }

    #[test]
    fn a_varint_beyond_64_bits_is_none() {
        assert_eq!(take_varint(&mut &[0xff; 10][..]), None);
        assert_eq!(take_varint(&mut &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2][..]), None);
    }
}
