//! [`ZipWriter`]: writes a zip file component by component. It never seeks, so any writer can be the target.

use std::io::{self, Write};

use rawzip::{CompressionMethod, DataDescriptorOutput, ZipArchiveWriter, ZipEntryWriter};

use super::{Sum, error_at, structural};
use crate::Buffer;
use crate::allocated::Allocated;
use crate::engine::zlib::Wrapper;
use crate::frame::deflate::{Deflating, deflater};
use crate::frame::{FrameError, FrameOptions, FrameProblem};

/// The size of the buffer of stored bytes.
const STORED_LEN: usize = 64 << 10;

/// An unfinished zip file. Equal components give equal bytes, because no time is stored.
///
/// Memory grows with the names of components, because the directory is written last, by
/// [`ZipWriter::finish`]. A file without a directory is incomplete.
///
/// ```
/// # use std::io::{Cursor, Read, Write};
/// # use varvite_codec::frame::{FrameOptions, ZipReader, ZipWriter};
/// let options = FrameOptions::default();
/// let mut zip = ZipWriter::new(Vec::new(), 6, &options)?;
/// let mut component = zip.component("chunk.00000000")?;
/// component.write_all(b"varve upon varve")?;
/// component.finish()?;
/// let zip = ZipReader::open(Cursor::new(zip.finish()?), &options)?;
/// let mut plain = String::new();
/// zip.component(0)?.expect("written above").read_to_string(&mut plain)?;
/// assert_eq!((&*zip.components()[0].name, &*plain), (&b"chunk.00000000"[..], "varve upon varve"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct ZipWriter<W> {
    archive: ZipArchiveWriter<W>,
    deflater: Allocated<Deflating>,
    stored: Buffer,
}

impl<W: Write> ZipWriter<W> {
    /// Begins a zip file whose components are deflated at `level`, 0 to 9.
    ///
    /// # Errors
    /// [`FrameProblem::Codec`] if there is no such level or the allocator has no memory.
    pub fn new(write: W, level: i32, options: &FrameOptions) -> Result<Self, FrameError> {
        let memory = crate::workspace_size(crate::Codec::Zlib, level, 0).and_then(|_| {
            Ok((deflater(Wrapper::Raw, level, options)?, options.allocator.zeros(STORED_LEN)?))
        });
        let (deflater, stored) = memory.map_err(|error| error_at(0, error))?;
        Ok(Self { archive: ZipArchiveWriter::new(write), deflater, stored })
    }

    /// Starts a component.
    ///
    /// # Errors
    /// [`FrameProblem::Io`] from the caller's writer, [`FrameProblem::Damaged`] for a name of more than 64
    /// KiB.
    pub fn component(&mut self, name: &str) -> Result<ComponentWriter<'_, W>, FrameError> {
        let offset = self.archive.stream_offset();
        self.deflater.get().reset();
        let started = self.archive.new_file(name).compression_method(CompressionMethod::DEFLATE).start();
        let (entry, _) = started.map_err(|error| structural(offset, error))?;
        let (deflater, stored) = (&mut self.deflater, &mut self.stored);
        Ok(ComponentWriter { entry, deflater, stored, sum: Sum::default(), plain_len: 0 })
    }

    /// Writes the directory, and returns the caller's writer.
    ///
    /// # Errors
    /// [`FrameProblem::Io`] from the caller's writer.
    pub fn finish(self) -> Result<W, FrameError> {
        let offset = self.archive.stream_offset();
        self.archive.finish().map_err(|error| structural(offset, error))
    }
}

/// An unfinished component, as an [`io::Write`]. If it is dropped without [`ComponentWriter::finish`], the
/// directory does not contain it.
pub struct ComponentWriter<'z, W> {
    entry: ZipEntryWriter<'z, W>,
    deflater: &'z mut Allocated<Deflating>,
    stored: &'z mut Buffer,
    sum: Sum,
    plain_len: u64,
}

impl<W: Write> ComponentWriter<'_, W> {
    /// Compresses and writes all of `plain`.
    ///
    /// # Errors
    /// [`FrameProblem::Io`] from the caller's writer.
    pub fn write_plain(&mut self, plain: &[u8]) -> Result<(), FrameError> {
        self.sum.update(plain);
        self.plain_len += plain.len() as u64;
        self.deflate(plain, false)
    }

    /// Writes the rest of the component.
    ///
    /// # Errors
    /// [`FrameProblem::Io`] from the caller's writer.
    pub fn finish(mut self) -> Result<(), FrameError> {
        self.deflate(&[], true)?;
        let offset = self.entry.stream_offset();
        let output = DataDescriptorOutput::new(self.sum.0, self.plain_len);
        self.entry.finish(output).map(|_| ()).map_err(|error| structural(offset, error))
    }

    fn deflate(&mut self, mut plain: &[u8], is_last: bool) -> Result<(), FrameError> {
        loop {
            let offset = self.entry.stream_offset();
            let step = self.deflater.get().step(plain, self.stored, is_last);
            let step = step.map_err(|detail| error_at(offset, FrameProblem::Damaged { detail }))?;
            let written = self.entry.write_all(&self.stored[..step.produced]);
            written.map_err(|error| error_at(offset, FrameProblem::Io(error)))?;
            plain = &plain[step.consumed..];
            let is_done = if is_last { step.ended } else { plain.is_empty() && step.produced < STORED_LEN };
            if is_done {
                return Ok(());
            }
        }
    }
}

impl<W: Write> Write for ComponentWriter<'_, W> {
    fn write(&mut self, plain: &[u8]) -> io::Result<usize> {
        self.write_plain(plain)?;
        Ok(plain.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.entry.flush()
    }
}
