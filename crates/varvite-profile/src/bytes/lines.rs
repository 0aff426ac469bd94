//! [`Lines`]: reads the lines of a stream, and returns them borrowed from a buffer.

use std::io::{ErrorKind, Read};

use varvite_codec::frame::{FrameError, FrameProblem};

use crate::ProfileError;

/// Number of bytes that one read requests.
const BUFFER: usize = 256 << 10;
/// Maximum length of a line in bytes. The longest lines contain a command line, and operating systems do not
/// allow longer command lines.
const LINE_MAX: usize = 4 << 20;

/// Reads the lines of a stream.
pub(crate) struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    /// The start of the unread part of the buffer: bytes that came from the source and were not returned yet.
    start: usize,
    end: usize,
    /// The number of the line that was returned last, from 1.
    pub(crate) number: u64,
    is_over: bool,
    /// Whether the stream ends within a line, or within its compressed data.
    pub(crate) is_cut_off: bool,
    /// Whether the stream ends within its compressed data.
    is_truncated: bool,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(source: R) -> Self {
        let (start, end, number) = (0, 0, 0);
        Self {
            source,
            buffer: vec![0; BUFFER],
            start,
            end,
            number,
            is_over: false,
            is_cut_off: false,
            is_truncated: false,
        }
    }

    /// The next whole line, without its line end. `None` after the last whole line.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>, ProfileError> {
        let mut searched = 0;
        loop {
            let unread = &self.buffer[self.start..self.end];
            if let Some(found) = memchr::memchr(b'\n', &unread[searched..]) {
                let begin = self.start;
                self.start += searched + found + 1;
                self.number += 1;
                return Ok(Some(&self.buffer[begin..self.start - 1]));
            }
            searched = unread.len();
            if self.is_over {
                self.is_cut_off |= searched > 0;
                return Ok(None);
            }
            self.fill()?;
        }
    }

    /// The bytes that came from the source and were not returned yet: whole lines, and perhaps the beginning
    /// of the next line.
    pub(crate) fn unread(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Skips `bytes` bytes at the front of [`unread`](Self::unread), which contain `lines` lines.
    pub(crate) fn pass(&mut self, bytes: usize, lines: u64) {
        self.start += bytes;
        self.number += lines;
    }

    /// The bytes after the last whole line of the file. Empty if the compressed data ends early, since the
    /// bytes may then be only a part of a line.
    pub(crate) fn rest(&self) -> &[u8] {
        if self.is_truncated { &[] } else { self.unread() }
    }

    /// Reads more bytes into the buffer, after the unread ones.
    fn fill(&mut self) -> Result<(), ProfileError> {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.end, self.start) = (self.end - self.start, 0);
        if self.end == self.buffer.len() {
            if self.end >= LINE_MAX {
                return Err(ProfileError::LongLine { line: self.number + 1, limit: LINE_MAX });
            }
            self.buffer.resize(2 * self.end, 0);
        }
        match self.source.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.is_over = true,
            Ok(read) => self.end += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => match ProfileError::of_stream(error) {
                ProfileError::Frame(FrameError { problem: FrameProblem::Truncated { .. }, .. }) => {
                    (self.is_over, self.is_cut_off, self.is_truncated) = (true, true, true);
                }
                error => return Err(error),
            },
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that returns at most two bytes at each read.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.len().min(2).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn lines(text: &[u8]) -> (Vec<Vec<u8>>, bool) {
        let (mut lines, mut all) = (Lines::new(Slow(text)), Vec::new());
        while let Some(line) = lines.next().expect("it can be read") {
            all.push(line.to_vec());
        }
        assert_eq!(lines.number, all.len() as u64);
        (all, lines.is_cut_off)
    }

    #[test]
    fn a_line_ends_with_a_newline_or_is_cut_off() {
        assert_eq!(lines(b""), (vec![], false));
        assert_eq!(lines(b"a\n\nbc\n"), (vec![b"a".to_vec(), b"".to_vec(), b"bc".to_vec()], false));
        assert_eq!(lines(b"a\nbc"), (vec![b"a".to_vec()], true));
    }

    #[test]
    fn long_lines_are_read_and_endless_ones_refused() {
        let long = [vec![b'x'; 3 * BUFFER], b"\n+ 1\n".to_vec()].concat();
        let mut lines = Lines::new(&long[..]);
        assert_eq!(lines.next().expect("it can be read").map(<[u8]>::len), Some(3 * BUFFER));
        assert_eq!(lines.next().expect("it can be read"), Some(&b"+ 1"[..]));
        let mut lines = Lines::new(std::io::repeat(b'x'));
        assert!(matches!(lines.next(), Err(ProfileError::LongLine { line: 1, .. })));
    }
}
