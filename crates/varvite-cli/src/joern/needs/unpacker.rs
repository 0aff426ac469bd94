//! [`Unpacker`]: decompresses entries of jars, one after the other, into one buffer.

use zlib_rs::{Inflate, InflateFlush, Status};

use super::super::archive::{Entry, Method};

/// Maximum length of a class file in bytes, ten times that of the longest one of Joern.
const LEN_MAX: usize = 16 << 20;
/// A byte of DEFLATE stands for at most this many bytes.
const EXPANSION_MAX: usize = 1032;
/// The window of ZIP's DEFLATE: 2^15 bytes.
const WINDOW_BITS: u8 = 15;

/// A decompressor and its buffer.
pub(super) struct Unpacker {
    inflate: Inflate,
    bytes: Vec<u8>,
}

impl Unpacker {
    pub(super) fn new() -> Self {
        Self { inflate: Inflate::new(false, WINDOW_BITS), bytes: Vec::new() }
    }

    /// The content of an entry; `None` if it is damaged, or too long for a class file.
    pub(super) fn unpack<'s>(&'s mut self, entry: &Entry<'s>) -> Option<&'s [u8]> {
        let len = entry.unpacked_len();
        match entry.method()? {
            Method::Stored => (entry.data.len() == len).then_some(entry.data),
            Method::Deflated if len <= LEN_MAX.min(entry.data.len().saturating_mul(EXPANSION_MAX)) => {
                self.inflate(entry.data, len)
            }
            Method::Deflated => None,
        }
    }

    fn inflate(&mut self, data: &[u8], len: usize) -> Option<&[u8]> {
        // With one byte more, the end of the data is found even if the content is empty.
        self.bytes.resize(self.bytes.len().max(len + 1), 0);
        self.inflate.reset(false);
        let status = self.inflate.decompress(data, &mut self.bytes[..=len], InflateFlush::Finish).ok()?;
        let is_whole = status == Status::StreamEnd && self.inflate.total_out() == len as u64;
        is_whole.then_some(&self.bytes[..len])
    }
}

#[cfg(test)]
mod tests {
    use zlib_rs::{Deflate, DeflateFlush};

    use super::super::super::archive::tests::deflated;
    use super::*;

    fn compressed(content: &[u8]) -> Vec<u8> {
        let mut deflate = Deflate::new(6, false, WINDOW_BITS);
        let mut bytes = vec![0; content.len() + 100];
        deflate.compress(content, &mut bytes, DeflateFlush::Finish).unwrap();
        bytes.truncate(usize::try_from(deflate.total_out()).unwrap());
        bytes
    }

    #[test]
    fn entries_are_unpacked_one_after_the_other() {
        let mut unpacker = Unpacker::new();
        for content in [&b"a long text, a long text, a long text"[..], b"", b"short"] {
            let data = compressed(content);
            let len = u32::try_from(content.len()).unwrap();
            assert_eq!(unpacker.unpack(&deflated(&data, len)), Some(content));
        }
    }

    #[test]
    fn an_entry_whose_length_lies_is_refused() {
        let (mut unpacker, data) = (Unpacker::new(), compressed(&[0; 1000]));
        for len in [0, 999, 1001, u32::MAX] {
            assert_eq!(unpacker.unpack(&deflated(&data, len)), None, "{len}");
        }
        // Memory is not reserved for more than the data can expand to.
        assert!(unpacker.bytes.len() < 20_000, "{}", unpacker.bytes.len());
        assert_eq!(unpacker.unpack(&deflated(&data[..5], 1000)), None);
        assert_eq!(unpacker.unpack(&deflated(&data, 1000)), Some(&[0; 1000][..]));
    }
}
