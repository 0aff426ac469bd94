//! [`Bounded`]: the bytes of a document, with a limit on the length of each tag and text.

use std::io::{self, BufRead, Read};

use memchr::memchr_iter;

use crate::text::TextSource;

/// Largest length of a tag, a text or a comment in bytes. The XML reader has one of them in memory at a time.
pub(super) const PIECE_MAX: usize = 64 << 20;

/// A stream that counts lines, and fails if a piece of the document (a tag, text or comment) is too long.
pub(super) struct Bounded {
    source: TextSource,
    /// The number of line feeds read so far, plus one.
    line: u64,
    /// The number of bytes that may still follow in the current piece (a tag, text or comment).
    left: usize,
}

/// The error of a piece that is too long.
#[derive(Debug)]
pub(super) struct TooLong;

impl std::fmt::Display for TooLong {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "a tag or text of more than {PIECE_MAX} bytes")
    }
}

impl std::error::Error for TooLong {}

impl Bounded {
    pub(super) fn over(source: TextSource) -> Self {
        Self { source, line: 1, left: PIECE_MAX }
    }

    /// The line of the next byte.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Begins a new piece.
    pub(super) fn begin_piece(&mut self) {
        self.left = PIECE_MAX;
    }

    pub(super) fn source(&self) -> &TextSource {
        &self.source
    }
}

impl BufRead for Bounded {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            return Err(io::Error::other(TooLong));
        }
        let left = self.left;
        let found = self.source.fill_buf()?;
        Ok(&found[..found.len().min(left)])
    }

    fn consume(&mut self, count: usize) {
        if let Ok(found) = self.source.fill_buf() {
            self.line += memchr_iter(b'\n', &found[..count.min(found.len())]).count() as u64;
        }
        self.left = self.left.saturating_sub(count);
        self.source.consume(count);
    }
}

impl Read for Bounded {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let found = self.fill_buf()?;
        let count = found.len().min(output.len());
        output[..count].copy_from_slice(&found[..count]);
        self.consume(count);
        Ok(count)
    }
}
