//! A blob: the bytes of one array, as one zstd frame.
//!
//! The frame states its decoded length and has no checksum. A blob is decoded piece by piece through the
//! buffers of a [`Scratch`]: decoding needs no second copy of the column, and a false length causes no
//! allocation.

use std::fmt;

use zstd::zstd_safe::{self, DCtx, InBuffer, OutBuffer, ResetDirective};

use super::container::HEADER_LEN;
use super::limits::LENGTH_MAX;
use super::manifest::BlobEntry;
use super::source::Source;
use super::{ElementType, FlatgraphError, NodeRef, Part};

/// The range of a blob in the file, and its element type.
///
/// The bytes lie between header and manifest. Both lengths are below 2^31. The decoded length is a multiple
/// of the element's width, and one that a zstd frame of the compressed length can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blob {
    element: ElementType,
    start: u64,
    compressed_len: u32,
    plain_len: u32,
}

impl Blob {
    /// The type of the blob's elements.
    #[must_use]
    pub const fn element(&self) -> ElementType {
        self.element
    }

    /// The offset of the blob in the file, in bytes.
    #[must_use]
    pub const fn start(&self) -> u64 {
        self.start
    }

    /// The length of the blob in the file, in bytes.
    #[must_use]
    pub const fn compressed_len(&self) -> u32 {
        self.compressed_len
    }

    /// The length of the decoded blob, in bytes.
    #[must_use]
    pub const fn plain_len(&self) -> u32 {
        self.plain_len
    }

    /// The number of the blob's elements.
    #[must_use]
    pub const fn slots(&self) -> u64 {
        (self.plain_len / self.element.width()) as u64
    }

    /// The offset of the blob's end in the file.
    pub(super) const fn end(&self) -> u64 {
        self.start + self.compressed_len as u64
    }

    /// Checks a blob's entry in the manifest. `part` is the blob's name in errors; `data_end` is the offset
    /// of the manifest.
    pub(super) fn check(
        entry: &BlobEntry,
        data_end: u64,
        part: impl Fn() -> Part,
    ) -> Result<Self, FlatgraphError> {
        let element = ElementType::from_name(&entry.element).ok_or_else(|| {
            FlatgraphError::UnknownElementType { part: part(), found: entry.element.clone() }
        })?;
        let compressed_len = check_len(entry.compressed_length.get(), &part)?;
        let plain_len = check_len(entry.decompressed_length.get(), &part)?;
        let blob = Self { element, start: entry.start_offset.get(), compressed_len, plain_len };
        blob.check_place(data_end, &part)?;
        blob.check_growth(&part)?;
        Ok(blob)
    }

    /// Checks a blob's entry as [`Self::check`] does, and also checks that the type is `expected`.
    pub(super) fn check_typed(
        entry: &BlobEntry,
        data_end: u64,
        expected: ElementType,
        part: impl Fn() -> Part,
    ) -> Result<Self, FlatgraphError> {
        let blob = Self::check(entry, data_end, &part)?;
        if blob.element != expected {
            return Err(FlatgraphError::ElementTypeMismatch { part: part(), expected, found: blob.element });
        }
        Ok(blob)
    }

    fn check_place(&self, data_end: u64, part: impl Fn() -> Part) -> Result<(), FlatgraphError> {
        if self.start >= HEADER_LEN && self.end() <= data_end {
            return Ok(());
        }
        let (start, len) = (self.start, self.compressed_len.into());
        Err(FlatgraphError::BlobOutOfFile { part: part(), start, len, data_end })
    }

    /// Checks the ratio of the lengths. A zstd block decodes to at most 128 KiB and takes at least four bytes
    /// (three of header, one of content), so that a frame grows at most 32768-fold. A column of equal values
    /// comes close to this ratio.
    fn check_growth(&self, part: impl Fn() -> Part) -> Result<(), FlatgraphError> {
        const BLOCK_PLAIN_MAX: u64 = 128 << 10;
        const BLOCK_MIN: u64 = 4;
        let (compressed_len, plain_len) = (self.compressed_len, self.plain_len);
        if u64::from(plain_len) > u64::from(compressed_len) / BLOCK_MIN * BLOCK_PLAIN_MAX {
            return Err(FlatgraphError::ImpossibleRatio { part: part(), compressed_len, plain_len });
        }
        let width = self.element.width();
        if !plain_len.is_multiple_of(width) {
            return Err(FlatgraphError::RaggedBlob { part: part(), plain_len: plain_len.into(), width });
        }
        Ok(())
    }
}

fn check_len(found: u64, part: impl Fn() -> Part) -> Result<u32, FlatgraphError> {
    match u32::try_from(found) {
        Ok(len) if found <= LENGTH_MAX => Ok(len),
        _ => Err(FlatgraphError::LengthTooLarge { part: part(), found }),
    }
}

/// Working memory for decoding: a zstd context and buffers, together half a MiB. Results are stored
/// elsewhere.
///
/// Make one scratch per thread and use it for every column. It grows only by the window that a frame needs: 2
/// MiB for flatgraph's own frames, 128 MiB at most.
pub struct Scratch {
    frame: FrameScratch,
    pub(super) refs: Vec<NodeRef>,
}

struct FrameScratch {
    context: DCtx<'static>,
    input: Box<[u8]>,
    output: Box<[u8]>,
}

/// Size of a buffer: a multiple of a zstd block and of the width of every element.
const BUFFER_LEN: usize = 128 << 10;

impl Scratch {
    /// Allocates the buffers.
    #[must_use]
    pub fn new() -> Self {
        let buffer = || vec![0; BUFFER_LEN].into_boxed_slice();
        let frame = FrameScratch { context: DCtx::create(), input: buffer(), output: buffer() };
        Self { frame, refs: Vec::new() }
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scratch").finish_non_exhaustive()
    }
}

/// Decodes a blob, in pieces of whole elements.
pub(super) struct BlobReader<'a> {
    source: &'a Source,
    blob: Blob,
    part: &'a Part,
    frame: &'a mut FrameScratch,
    /// The range of unread bytes in the input buffer.
    unread: std::ops::Range<usize>,
    /// Number of bytes of the blob that were read into the input buffer.
    fetched: u32,
    produced: u64,
    finished: bool,
}

impl<'a> BlobReader<'a> {
    /// Reads the start of the frame and checks that the decoded length in the frame equals that in the
    /// manifest.
    ///
    /// Also returns the buffer for decoded references, because the reader keeps the rest of `scratch`
    /// borrowed.
    pub(super) fn start(
        source: &'a Source,
        blob: &Blob,
        part: &'a Part,
        scratch: &'a mut Scratch,
    ) -> Result<(Self, &'a mut Vec<NodeRef>), FlatgraphError> {
        let Scratch { frame, refs } = scratch;
        let mut reader =
            Self { source, blob: *blob, part, frame, unread: 0..0, fetched: 0, produced: 0, finished: false };
        reader.frame.context.reset(ResetDirective::SessionOnly).map_err(|code| reader.zstd_error(code))?;
        reader.fetch()?;
        reader.check_stated_len()?;
        Ok((reader, refs))
    }

    /// The next piece, or `None` after the last one.
    pub(super) fn next_piece(&mut self) -> Result<Option<&[u8]>, FlatgraphError> {
        if self.finished {
            return Ok(None);
        }
        let len = self.fill_output()?;
        self.produced += len as u64;
        if self.finished {
            self.check_end()?;
        }
        let width = self.blob.element.width() as usize;
        if self.produced > self.blob.plain_len.into() || !len.is_multiple_of(width) {
            return Err(self.plain_length_error(Some(self.produced)));
        }
        Ok((len > 0).then_some(&self.frame.output[..len]))
    }

    /// Decodes until the output buffer is full or the frame ends, and returns the filled length.
    fn fill_output(&mut self) -> Result<usize, FlatgraphError> {
        let mut filled = 0;
        while filled < BUFFER_LEN && !self.finished {
            if self.unread.is_empty() {
                self.fetch()?;
            }
            let frame = &mut *self.frame;
            let mut input = InBuffer::around(&frame.input[self.unread.clone()]);
            let mut output = OutBuffer::around_pos(&mut frame.output[..], filled);
            let step = frame.context.decompress_stream(&mut output, &mut input);
            let (consumed, filled_before) = (input.pos(), filled);
            filled = output.pos();
            let hint = step.map_err(|code| self.zstd_error(code))?;
            self.unread.start += consumed;
            self.finished = hint == 0;
            if !self.finished && consumed == 0 && filled == filled_before {
                return Err(self.damage("the frame goes on after its last byte"));
            }
        }
        Ok(filled)
    }

    fn fetch(&mut self) -> Result<(), FlatgraphError> {
        let left = (self.blob.compressed_len - self.fetched) as usize;
        let len = left.min(BUFFER_LEN);
        let offset = self.blob.start + u64::from(self.fetched);
        self.source
            .read_exact_at(&mut self.frame.input[..len], offset)
            .map_err(|source| FlatgraphError::Io { part: self.part.clone(), offset, source })?;
        self.fetched += len as u32;
        self.unread = 0..len;
        Ok(())
    }

    fn check_stated_len(&self) -> Result<(), FlatgraphError> {
        let start = &self.frame.input[self.unread.clone()];
        match zstd_safe::get_frame_content_size(start) {
            Ok(Some(len)) if len == u64::from(self.blob.plain_len) => Ok(()),
            Ok(found) => Err(self.plain_length_error(found)),
            Err(_) => Err(self.damage("no zstd frame begins here")),
        }
    }

    fn check_end(&self) -> Result<(), FlatgraphError> {
        let found = u64::from(self.fetched) - self.unread.len() as u64;
        let expected = self.blob.compressed_len;
        if found != u64::from(expected) {
            return Err(FlatgraphError::FrameLength { part: self.part.clone(), expected, found });
        }
        if self.produced != u64::from(self.blob.plain_len) {
            return Err(self.plain_length_error(Some(self.produced)));
        }
        Ok(())
    }

    fn plain_length_error(&self, found: Option<u64>) -> FlatgraphError {
        let (offset, expected) = (self.blob.start, self.blob.plain_len);
        FlatgraphError::PlainLength { part: self.part.clone(), offset, expected, found }
    }

    fn zstd_error(&self, code: usize) -> FlatgraphError {
        self.damage(zstd_safe::get_error_name(code))
    }

    fn damage(&self, reason: &'static str) -> FlatgraphError {
        FlatgraphError::Zstd { part: self.part.clone(), offset: self.blob.start, reason }
    }
}
