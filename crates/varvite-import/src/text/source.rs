//! [`TextSource`]: a text file, plain or compressed, read from front to back.

use std::fs::File;
use std::io::{self, BufRead, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use varvite_codec::frame::{Expansion, FrameOptions, FrameReader, Framing};

/// Number of bytes that one read requests.
const BUFFER: usize = 64 << 10;
/// Number of leading bytes that identify a compressed file.
const MAGIC: u64 = 4;

/// The plain bytes of a file, which may be compressed with gzip or zstd.
pub(crate) struct TextSource {
    input: Box<dyn Read>,
    /// The number of bytes read from the file.
    read: Arc<AtomicU64>,
    is_plain: bool,
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl TextSource {
    /// Opens a file. If it is compressed, `expansion` limits its plain length.
    pub(crate) fn open(path: &Path, expansion: Expansion) -> io::Result<Self> {
        let (file, read) = (File::open(path)?, Arc::new(AtomicU64::new(0)));
        let data = file.metadata()?;
        let expansion = if data.is_file() { expansion.of_len(data.len()) } else { expansion };
        let mut file = Counted { file, read: Arc::clone(&read) };
        let mut first = Vec::new();
        (&mut file).take(MAGIC).read_to_end(&mut first)?;
        let framing =
            Framing::detect(&first).filter(|framing| matches!(framing, Framing::Gzip | Framing::Zstd));
        let whole = Cursor::new(first).chain(file);
        let input: Box<dyn Read> = match framing {
            None => Box::new(whole),
            Some(framing) => {
                let options = FrameOptions { expansion, ..FrameOptions::default() };
                Box::new(FrameReader::new(framing, whole, &options)?)
            }
        };
        Ok(Self::over(input, read, framing.is_none()))
    }

    /// Reads a text from memory.
    #[cfg(test)]
    pub(crate) fn of(text: &[u8]) -> Self {
        Self::over(Box::new(Cursor::new(text.to_vec())), Arc::default(), true)
    }

    fn over(input: Box<dyn Read>, read: Arc<AtomicU64>, is_plain: bool) -> Self {
        let (hasher, buffer) = (blake3::Hasher::new(), vec![0; BUFFER]);
        Self { input, read, is_plain, hasher, buffer, start: 0, end: 0 }
    }

    /// The number of bytes read from the file so far. For a compressed file, these are compressed bytes.
    pub(crate) fn read_bytes(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Whether the file is not compressed, so that its length is the length of the text.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// BLAKE3 of all plain bytes read so far.
    pub(crate) fn digest(&self) -> [u8; 32] {
        *self.hasher.finalize().as_bytes()
    }
}

impl Read for TextSource {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let found = self.fill_buf()?;
        let count = found.len().min(output.len());
        output[..count].copy_from_slice(&found[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for TextSource {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.start == self.end {
            match self.input.read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
                Ok(count) => {
                    (self.start, self.end) = (0, count);
                    self.hasher.update(&self.buffer[..count]);
                    break;
                }
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
    }
}

/// A file that counts the bytes read from it.
struct Counted {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(output)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
