//! [`texts_of`]: texts of a property as an array.
//!
//! Readers of Arrow do not check UTF-8, so texts are checked here. A text that cannot be read is empty, and
//! the graph reports the damage at the end of the batches.

use varvite_graph::Texts;

use super::array::Array;

/// The texts of some codes. `None` if they have more than `bytes_max` bytes.
pub(super) fn texts_of(texts: &Texts, is_text: bool, codes: &[u32], bytes_max: usize) -> Option<Array> {
    let mut reader = texts.reader();
    let (mut offsets, mut bytes) = (Vec::with_capacity(codes.len() + 1), Vec::new());
    offsets.push(0i64);
    for code in codes {
        let text = reader.bytes(*code).unwrap_or_default();
        if bytes.len() + text.len() > bytes_max {
            return None;
        }
        bytes.extend_from_slice(text);
        offsets.push(bytes.len() as i64);
    }
    // Texts are checked one by one only if a byte of any is outside ASCII: most texts are ASCII.
    if is_text && !bytes.is_ascii() {
        (offsets, bytes) = checked(texts, codes);
    }
    Some(Array::texts(offsets, bytes))
}

fn checked(texts: &Texts, codes: &[u32]) -> (Vec<i64>, Vec<u8>) {
    let (mut reader, mut offsets, mut bytes) = (texts.reader(), vec![0i64], Vec::new());
    for code in codes {
        bytes.extend_from_slice(reader.str(*code).unwrap_or_default().as_bytes());
        offsets.push(bytes.len() as i64);
    }
    (offsets, bytes)
}
