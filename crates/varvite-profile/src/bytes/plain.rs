//! [`Plain`]: the plain bytes of a file, whether it is compressed or not.

use std::fs::File;
use std::io::{self, Chain, Cursor, Read};
use std::path::Path;

use varvite_codec::frame::{Expansion, FrameOptions, FrameReader, Framing};

use crate::ProfileError;
use crate::limits::LimitCharge;

/// Maximum window of a zstd frame in bytes. The files of profilers need far less.
const WINDOW_MAX: usize = 128 << 20;
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Number of bytes that [`Plain::read_all`] requests at once.
const PIECE: usize = 256 << 10;

/// The bytes that were read to detect the compression, and the rest of the stream.
type Whole<R> = Chain<Cursor<Vec<u8>>, R>;

/// The plain bytes of a stream.
pub(crate) enum Plain<R> {
    /// A stream that is not compressed.
    Same(Whole<R>),
    /// A stream compressed with gzip or zstd.
    Framed(Box<FrameReader<Whole<R>>>),
}

/// Opens a file.
pub(crate) fn open_file(path: &Path) -> Result<File, ProfileError> {
    File::open(path).map_err(|error| ProfileError::Open { path: path.to_owned(), error })
}

/// The number of bytes of a file; `None` for a pipe, which has no length.
pub(crate) fn len_of(file: &File) -> Option<u64> {
    file.metadata().ok().filter(|data| data.is_file()).map(|data| data.len())
}

/// Whether bytes are the beginning of a compressed file.
pub(crate) fn is_compressed(head: &[u8]) -> bool {
    framing(head).is_some()
}

fn framing(head: &[u8]) -> Option<Framing> {
    match () {
        () if head.starts_with(&GZIP) => Some(Framing::Gzip),
        () if head.starts_with(&ZSTD) => Some(Framing::Zstd),
        () => None,
    }
}

/// An error that occurred while reading ahead. It is returned when the reader reaches the offset of the
/// error.
pub(crate) struct Postponed(Option<io::Error>);

impl Read for Postponed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// A stream that begins with the bytes that were read ahead.
pub(crate) type Peeked<R> = Chain<Chain<Cursor<Vec<u8>>, Postponed>, R>;

impl<R: Read> Plain<R> {
    /// Returns the first bytes, and a stream that begins with the same bytes. If reading ahead fails, the
    /// error is returned when the stream is read up to that offset.
    pub(crate) fn peeked(mut self, len: u64) -> (Vec<u8>, Peeked<Self>) {
        let mut head = Vec::new();
        let failure = self.by_ref().take(len).read_to_end(&mut head).err();
        (head.clone(), Cursor::new(head).chain(Postponed(failure)).chain(self))
    }

    /// The plain bytes of a source. If the source is compressed, `expansion` limits the length of the plain
    /// bytes.
    pub(crate) fn of(mut source: R, expansion: Expansion) -> Result<Self, ProfileError> {
        let mut head = Vec::new();
        source.by_ref().take(ZSTD.len() as u64).read_to_end(&mut head)?;
        let framing = framing(&head);
        let whole = Cursor::new(head).chain(source);
        let Some(framing) = framing else { return Ok(Self::Same(whole)) };
        let options = FrameOptions { buffer_len_max: WINDOW_MAX, expansion, ..FrameOptions::default() };
        let reader = FrameReader::new(framing, whole, &options).map_err(ProfileError::Frame)?;
        Ok(Self::Framed(Box::new(reader)))
    }

    /// Reads all bytes. Each byte counts as `cost` bytes towards the memory limit, since the data that is
    /// made from the bytes may be larger than the bytes.
    pub(crate) fn read_all(&mut self, cost: usize, held: &mut LimitCharge) -> Result<Vec<u8>, ProfileError> {
        let mut all = Vec::new();
        loop {
            held.take(PIECE.saturating_mul(cost))?;
            let before = all.len();
            self.by_ref().take(PIECE as u64).read_to_end(&mut all).map_err(ProfileError::of_stream)?;
            if all.len() == before {
                return Ok(all);
            }
        }
    }
}

impl<R: Read> Read for Plain<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Same(source) => source.read(buffer),
            Self::Framed(source) => source.read(buffer),
        }
    }
}
