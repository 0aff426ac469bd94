//! Bytes as hexadecimal digits: the form of digests and sketches in an index.

use std::fmt;

/// Writes two digits for each byte.
pub(super) fn write(bytes: &[u8], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
}

/// Parses the digits that [`write`] writes for `LEN` bytes.
pub(super) fn parse<const LEN: usize>(text: &str) -> Option<[u8; LEN]> {
    let mut bytes = [0; LEN];
    if text.len() != 2 * LEN || !text.is_ascii() {
        return None;
    }
    for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(bytes)
}
