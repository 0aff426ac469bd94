//! The source of a reader's bytes: a file, memory, a pipe, or the caller's function.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Provides the bytes of a trace.
pub trait Source {
    /// The number of bytes; `None` if it is unknown, or if the source can only be read forward, like a pipe.
    fn byte_len(&self) -> Option<u64>;

    /// Reads bytes from `offset` on into `buffer`, and returns their number, which is 0 only at the end.
    ///
    /// # Errors
    /// Any error of the source; [`io::ErrorKind::NotSeekable`] if the source is a pipe and `offset` lies
    /// before the bytes read last.
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

/// A file, with the length that it had when this source was made.
#[derive(Debug)]
pub struct FileSource {
    file: File,
    len: u64,
    at: Option<u64>,
}

impl FileSource {
    /// Reads `file`.
    ///
    /// # Errors
    /// The operating system's error, if the length of the file can't be read.
    pub fn new(file: File) -> io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(Self { file, len, at: None })
    }
}

impl Source for FileSource {
    fn byte_len(&self) -> Option<u64> {
        Some(self.len)
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at != Some(offset) {
            self.file.seek(SeekFrom::Start(offset))?;
        }
        self.at = None;
        let read = self.file.read(buffer)?;
        self.at = Some(offset + read as u64);
        Ok(read)
    }
}

/// Bytes in memory or in a mapped file.
#[derive(Debug)]
pub struct MemorySource<B>(pub B);

impl<B: AsRef<[u8]>> Source for MemorySource<B> {
    fn byte_len(&self) -> Option<u64> {
        Some(self.0.as_ref().len() as u64)
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.0.as_ref();
        let rest = &bytes[(offset.min(bytes.len() as u64)) as usize..];
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    }
}

/// A pipe, a socket, or any other source that can be read only once, from front to back.
#[derive(Debug)]
pub struct StreamSource<R> {
    stream: R,
    at: u64,
}

impl<R: Read> StreamSource<R> {
    /// Reads `stream`, which must be at the first byte of the trace.
    pub fn new(stream: R) -> Self {
        Self { stream, at: 0 }
    }

    fn skip_to(&mut self, offset: u64) -> io::Result<bool> {
        let missing = offset - self.at;
        let skipped = io::copy(&mut self.stream.by_ref().take(missing), &mut io::sink())?;
        self.at += skipped;
        Ok(skipped == missing)
    }
}

impl<R: Read> Source for StreamSource<R> {
    fn byte_len(&self) -> Option<u64> {
        None
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if offset < self.at {
            return Err(io::ErrorKind::NotSeekable.into());
        }
        if !self.skip_to(offset)? {
            return Ok(0);
        }
        let read = self.stream.read(buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// A source that calls the caller's function with an offset and a buffer. The function returns the number of
/// bytes that it wrote to the buffer.
pub struct CallSource<F> {
    /// The number of bytes; `None` if the function can only read forward.
    pub len: Option<u64>,
    /// The function.
    pub read_at: F,
}

impl<F: FnMut(u64, &mut [u8]) -> io::Result<usize>> Source for CallSource<F> {
    fn byte_len(&self) -> Option<u64> {
        self.len
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        // The function may return more than the buffer's length, so its result is limited.
        Ok((self.read_at)(offset, buffer)?.min(buffer.len()))
    }
}

/// Reads until `buffer` is full or the source ends. Returns the number of bytes.
pub(crate) fn read_full(source: &mut impl Source, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read_at(offset + filled as u64, &mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
