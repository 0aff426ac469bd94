//! Sources of a file's bytes; several threads may read one source, each at its own offset.

use std::fs::File;
use std::io;

/// Bytes that can be read at any offset, by several threads at once.
#[derive(Debug)]
pub(super) enum Source {
    File(PositionedFile),
    Memory(Vec<u8>),
}

impl Source {
    pub(super) fn file(file: File) -> Self {
        Self::File(PositionedFile::new(file))
    }

    /// Fills `buffer` from `offset` on, or fails with `UnexpectedEof`.
    pub(super) fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        match self {
            Self::File(file) => file.read_exact_at(buffer, offset),
            Self::Memory(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..));
                let found = rest.and_then(|rest| rest.get(..buffer.len()));
                buffer.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
        }
    }
}

#[cfg(unix)]
#[derive(Debug)]
pub(super) struct PositionedFile(File);

#[cfg(unix)]
impl PositionedFile {
    fn new(file: File) -> Self {
        Self(file)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, buffer, offset)
    }
}

/// On systems without reads at an offset, the file has one cursor, which a lock protects.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct PositionedFile(std::sync::Mutex<File>);

#[cfg(not(unix))]
impl PositionedFile {
    fn new(file: File) -> Self {
        Self(std::sync::Mutex::new(file))
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        // A poisoned lock is no problem: the cursor is set before each read.
        let mut file = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}
