//! [`JarFile`]: the bytes of a jar in memory.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::archive::Archive;
use super::error::JoernError;

/// Maximum length of a jar in bytes, far more than any jar of Joern or Varvite has.
const LEN_MAX: u64 = 256 << 20;

/// The bytes of a jar.
pub(super) struct JarFile {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl JarFile {
    /// Reads a jar into memory.
    ///
    /// # Errors
    /// [`JoernError::Unreadable`], or [`JoernError::Jar`] if the jar is too large.
    pub(super) fn read(path: &Path) -> Result<Self, JoernError> {
        let unreadable = |source| JoernError::Unreadable { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(LEN_MAX + 1).read_to_end(&mut bytes))
            .map_err(unreadable)?;
        let jar = Self { path: path.to_owned(), bytes };
        match jar.bytes.len() as u64 > LEN_MAX {
            true => Err(jar.failure("this jar is too large for one of Joern's")),
            false => Ok(jar),
        }
    }

    /// Parses the jar as an archive.
    ///
    /// # Errors
    /// [`JoernError::Jar`] if the bytes are not a jar.
    pub(super) fn archive(&self) -> Result<Archive<'_>, JoernError> {
        Archive::read(&self.bytes)
            .ok_or_else(|| self.failure("not a jar, or a damaged one: install Joern again"))
    }

    /// The error for a problem of this jar.
    pub(super) fn failure(&self, what: &'static str) -> JoernError {
        JoernError::Jar { jar: self.path.clone(), what }
    }
}
