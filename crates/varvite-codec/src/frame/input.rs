//! [`Input`]: a buffer over the caller's reader that knows the current offset. [`Plain`]: a buffer of decoded
//! bytes.

use std::io::{self, Read};

use super::{FrameError, FrameProblem};
use crate::{Allocator, Buffer, CodecError};

/// The number of bytes that are requested from the reader at once.
const BUFFER_LEN: usize = 64 << 10;

pub(super) type Result<T> = std::result::Result<T, FrameError>;

pub(super) struct Input<R> {
    read: R,
    format: &'static str,
    buffer: Buffer,
    start: usize,
    end: usize,
    offset: u64,
}

impl<R: Read> Input<R> {
    pub(super) fn new(read: R, format: &'static str, allocator: &Allocator) -> Result<Self> {
        let buffer = allocator.zeros(BUFFER_LEN);
        let buffer = buffer.map_err(|error| FrameError { format, offset: 0, problem: error.into() })?;
        Ok(Self { read, format, buffer, start: 0, end: 0, offset: 0 })
    }

    pub(super) fn into_inner(self) -> R {
        self.read
    }

    /// The number of bytes that were consumed.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The number of bytes that were read, whether consumed or not.
    pub(super) fn read_len(&self) -> u64 {
        self.offset + (self.end - self.start) as u64
    }

    /// An error at `offset`.
    pub(super) fn error_at(&self, offset: u64, problem: impl Into<FrameProblem>) -> FrameError {
        FrameError { format: self.format, offset, problem: problem.into() }
    }

    /// An error at the current offset.
    pub(super) fn error(&self, problem: impl Into<FrameProblem>) -> FrameError {
        self.error_at(self.offset, problem)
    }

    /// The next bytes: at least `wanted`, or fewer if the data ends. `wanted` must not exceed the size of the
    /// buffer.
    pub(super) fn peek(&mut self, wanted: usize) -> Result<&[u8]> {
        if self.end - self.start < wanted {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            while self.end < wanted {
                match self.read_more()? {
                    0 => break,
                    len => self.end += len,
                }
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn read_more(&mut self) -> Result<usize> {
        loop {
            match self.read.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other.map_err(|error| self.error(FrameProblem::Io(error))),
            }
        }
    }

    /// Consumes `len` bytes that [`Input::peek`] returned.
    pub(super) fn consume(&mut self, len: usize) {
        self.start += len;
        self.offset += len as u64;
    }

    pub(super) fn is_at_end(&mut self) -> Result<bool> {
        Ok(self.peek(1)?.is_empty())
    }

    /// Fills `to` with the next bytes; `what` names them in errors.
    pub(super) fn exact(&mut self, to: &mut [u8], what: &'static str) -> Result<()> {
        let begin = self.offset;
        let mut done = 0;
        while done < to.len() {
            let seen = self.peek(1)?;
            if seen.is_empty() {
                let missing = (to.len() - done) as u64;
                return Err(self.error_at(begin, FrameProblem::Truncated { what, missing }));
            }
            let len = seen.len().min(to.len() - done);
            to[done..done + len].copy_from_slice(&seen[..len]);
            self.consume(len);
            done += len;
        }
        Ok(())
    }

    pub(super) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.exact(&mut bytes, what)?;
        Ok(bytes)
    }

    /// Skips `len` bytes; `what` names them in errors.
    pub(super) fn skip(&mut self, mut len: u64, what: &'static str) -> Result<()> {
        let begin = self.offset;
        while len > 0 {
            let seen = self.peek(1)?.len();
            if seen == 0 {
                return Err(self.error_at(begin, FrameProblem::Truncated { what, missing: len }));
            }
            let step = usize::try_from(len).unwrap_or(seen).min(seen);
            self.consume(step);
            len -= step as u64;
        }
        Ok(())
    }
}

/// A buffer of decoded bytes, and the range of those that were not returned yet.
pub(super) struct Plain {
    buffer: Buffer,
    start: usize,
    end: usize,
}

impl Plain {
    pub(super) fn new(buffer: Buffer) -> Self {
        Self { buffer, start: 0, end: 0 }
    }

    /// The whole buffer, into which the next bytes can be decoded.
    pub(super) fn room(&mut self) -> &mut [u8] {
        &mut self.buffer
    }

    /// Sets the range of the buffer that holds decoded bytes.
    pub(super) fn set(&mut self, range: std::ops::Range<usize>) {
        (self.start, self.end) = (range.start, range.end);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Copies as many bytes as fit to the start of `output`, and returns their number.
    pub(super) fn give(&mut self, output: &mut [u8]) -> usize {
        let len = output.len().min(self.end - self.start);
        output[..len].copy_from_slice(&self.buffer[self.start..self.start + len]);
        self.start += len;
        len
    }
}

/// Makes the buffer at least `len` bytes long; its content is lost.
pub(super) fn grow(
    buffer: &mut Option<Buffer>,
    len: usize,
    allocator: &Allocator,
) -> std::result::Result<(), CodecError> {
    if buffer.as_ref().is_none_or(|buffer| buffer.len() < len) {
        *buffer = Some(allocator.zeros(len.next_power_of_two())?);
    }
    Ok(())
}
