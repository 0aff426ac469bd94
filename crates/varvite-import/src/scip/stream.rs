//! [`IndexStream`]: the parts of an index, one after another. Only one part is in memory at a time.

use std::io::BufRead;
use std::path::Path;

use varvite_codec::protobuf::Fields;
use varvite_graph::{Budget, Reserved};

use super::fault::{ByteOffset, ScipError, ScipFault};
use crate::text::TextSource;

/// How many bytes the buffer of a part grows by: a length that the index only claims takes no memory.
const PIECE: usize = 1 << 20;
/// The longest varint in bytes.
const VARINT: u32 = 10;

/// The fields of an index.
const METADATA: u64 = 1;
const DOCUMENT: u64 = 2;
const EXTERNAL_SYMBOL: u64 = 3;

/// The kind of a part of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Metadata,
    Document,
    ExternalSymbol,
}

/// The parts of an index.
pub(super) struct IndexStream<'p> {
    path: &'p Path,
    source: TextSource,
    /// The length of the file.
    pub(super) file_len: u64,
    /// The number of plain bytes read.
    at: u64,
    message: Vec<u8>,
    room: Reserved,
}

impl<'p> IndexStream<'p> {
    pub(super) fn over(path: &'p Path, source: TextSource, file_len: u64, budget: &Budget) -> Self {
        Self { path, source, file_len, at: 0, message: Vec::new(), room: Reserved::nothing_of(budget) }
    }

    /// Reads the next part. `None` at the end of the index.
    ///
    /// # Errors
    /// Bytes that are not an index, with their offset; a part that does not fit in the budget.
    pub(super) fn next_part(&mut self) -> Result<Option<Part>, ScipError> {
        while let Some(key) = self.key()? {
            let part = match key >> 3 {
                METADATA => Some(Part::Metadata),
                DOCUMENT => Some(Part::Document),
                EXTERNAL_SYMBOL => Some(Part::ExternalSymbol),
                _ => None,
            };
            match (key & 7, part) {
                (2, _) => {
                    let len = self.varint()?;
                    self.read(len, part.is_some())?;
                    if part.is_some() {
                        return Ok(part);
                    }
                }
                (0, None) => drop(self.varint()?),
                (1, None) => self.read(8, false)?,
                (5, None) => self.read(4, false)?,
                _ => return Err(self.fault("a field of a wrong type")),
            }
        }
        Ok(None)
    }

    /// The bytes of the current part.
    pub(super) fn message(&self) -> &[u8] {
        &self.message
    }

    /// Makes the error for a fault at an offset in the current part.
    pub(super) fn error(&self, (within, fault): (usize, ScipFault)) -> ScipError {
        let begin = self.at - self.message.len() as u64;
        ScipError::at(self.path, ByteOffset(begin + within as u64), fault)
    }

    pub(super) fn source(&self) -> &TextSource {
        &self.source
    }

    /// The number of plain bytes read so far.
    pub(super) fn plain_bytes(&self) -> u64 {
        self.at
    }

    /// The key of the next field. `None` at the end.
    fn key(&mut self) -> Result<Option<u64>, ScipError> {
        match self.fill()?.is_empty() {
            true => Ok(None),
            false => self.varint().map(Some),
        }
    }

    fn varint(&mut self) -> Result<u64, ScipError> {
        let mut value = 0;
        for place in 0..VARINT {
            let Some(byte) = self.fill()?.first().copied() else { return Err(self.cut_off(1)) };
            self.source.consume(1);
            self.at += 1;
            value |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.fault("a number of more than 64 bits"))
    }

    /// Reads `len` bytes, into the buffer if `is_kept`.
    fn read(&mut self, len: u64, is_kept: bool) -> Result<(), ScipError> {
        self.message.clear();
        let mut left = len;
        while left > 0 {
            let count = self.fill()?.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            if count == 0 {
                return Err(self.cut_off(left));
            }
            if is_kept {
                let more = PIECE.min(usize::try_from(left).unwrap_or(PIECE)).max(count);
                let took = self.room.make_room(&mut self.message, more);
                took.map_err(|error| ScipError::at(self.path, ByteOffset(self.at), error))?;
                let found = self.source.fill_buf().map_err(|error| ScipError::io(self.path, error))?;
                self.message.extend_from_slice(&found[..count]);
            }
            self.source.consume(count);
            self.at += count as u64;
            left -= count as u64;
        }
        Ok(())
    }

    fn fill(&mut self) -> Result<&[u8], ScipError> {
        self.source.fill_buf().map_err(|error| ScipError::io(self.path, error))
    }

    fn cut_off(&self, missing: u64) -> ScipError {
        ScipError::at(self.path, ByteOffset(self.at), ScipFault::CutOff { missing })
    }

    fn fault(&self, what: &'static str) -> ScipError {
        ScipError::at(self.path, ByteOffset(self.at), ScipFault::Message { what })
    }
}

/// Whether a plain file that begins with `head` may be an index: it begins with a message, the metadata, and
/// this one with the description of the indexer, which begins with a name.
pub fn may_be_index(head: &[u8]) -> bool {
    let of_indexer = || {
        let (metadata, _) = message_at(head, 0x0a)?;
        // The number of the version is left out as long as it is 0.
        let metadata = metadata.strip_prefix(&[0x08, 0]).unwrap_or(metadata);
        let (indexer, _) = message_at(metadata, 0x12)?;
        message_at(indexer, 0x0a)
    };
    of_indexer().is_some_and(|(name, len)| {
        let shown = &name[..name.len().min(len)];
        len > 0 && shown.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ')
    })
}

/// The bytes behind the key and the length of a field, and the length.
fn message_at(bytes: &[u8], key: u8) -> Option<(&[u8], usize)> {
    let rest = bytes.strip_prefix(&[key])?;
    let mut fields = Fields::of(rest);
    let len = fields.varint().ok()?;
    Some((&rest[fields.at..], usize::try_from(len).unwrap_or(usize::MAX)))
}

#[cfg(test)]
mod tests {
    use varvite_codec::protobuf::Message;

    use super::*;

    fn index() -> Vec<u8> {
        let mut index = Message::default();
        index.message(METADATA, |metadata| {
            metadata.message(2, |tool| {
                tool.bytes(1, b"scip-go");
                tool
            })
        });
        index.bytes(DOCUMENT, b"first");
        index.number(9, 7);
        index.bytes(8, b"unknown");
        index.bytes(EXTERNAL_SYMBOL, b"last");
        index.0
    }

    fn parts(bytes: &[u8]) -> Result<Vec<(Part, Vec<u8>)>, ScipError> {
        let mut stream = IndexStream::over(Path::new("x"), TextSource::of(bytes), 0, &Budget::new(4 << 20));
        let mut parts = Vec::new();
        while let Some(part) = stream.next_part()? {
            parts.push((part, stream.message().to_vec()));
        }
        Ok(parts)
    }

    #[test]
    fn parts_come_one_by_one_and_unknown_fields_are_skipped() {
        let found = parts(&index()).unwrap();
        let bytes: Vec<&[u8]> = found[1..].iter().map(|(_, bytes)| &**bytes).collect();
        assert_eq!(
            found.iter().map(|(part, _)| *part).collect::<Vec<_>>(),
            [Part::Metadata, Part::Document, Part::ExternalSymbol]
        );
        assert_eq!(bytes, [b"first" as &[u8], b"last"]);
    }

    #[test]
    fn an_index_that_is_cut_off_is_refused_with_its_place() {
        let whole = index();
        let error = parts(&whole[..whole.len() - 3]).unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "x: byte {}: the index ends 3 bytes before the end of this field; make the index again",
                whole.len() - 3
            )
        );
    }

    #[test]
    fn a_length_that_is_only_claimed_takes_no_memory() {
        let claim = [0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 2, 3];
        assert!(parts(&claim).unwrap_err().to_string().contains("the index ends"));
        assert!(parts(&[0x12; 12]).unwrap_err().to_string().contains("the index ends"));
        assert!(parts(&[0xff; 12]).unwrap_err().to_string().contains("more than 64 bits"));
        assert!(parts(&[0x10, 1]).unwrap_err().to_string().contains("wrong type"));
    }

    #[test]
    fn an_index_is_recognized_by_its_metadata() {
        let whole = index();
        assert!((7..whole.len()).all(|len| may_be_index(&whole[..len])));
        for other in [&b"\n"[..], b"", b"\n\x05hello world", b"<graphml>", b"FLT GRPH", b"\n\n\n\n"] {
            assert!(!may_be_index(other), "{other:?}");
        }
    }
}
