//! [`JarFile`]: the bytes of a jar in memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::archive::{self, Archive};
use super::error::JoernError;

/// Maximum length of a jar in bytes, far more than any jar of Joern or Varvite has.
const LEN_MAX: u64 = 256 << 20;

const NOT_A_JAR: &str = "not a jar, or a damaged one: install Joern again";

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
        Archive::read(&self.bytes).ok_or_else(|| self.failure(NOT_A_JAR))
    }

    /// Reads only the directory of a jar, which has a checksum of each entry.
    ///
    /// # Errors
    /// [`JoernError::Unreadable`], or [`JoernError::Jar`] if the file is not a jar.
    pub(super) fn directory(path: &Path) -> Result<Vec<u8>, JoernError> {
        let directory = read_directory(path)
            .map_err(|source| JoernError::Unreadable { path: path.to_owned(), source })?;
        directory.ok_or_else(|| JoernError::Jar { jar: path.to_owned(), what: NOT_A_JAR })
    }

    /// The length of the jar in bytes.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The file name of the jar.
    pub(super) fn name(&self) -> String {
        varvite_show::shortened(&self.path.file_name().unwrap_or_default().to_string_lossy()).into_owned()
    }

    /// The error for a problem of this jar.
    pub(super) fn failure(&self, what: &'static str) -> JoernError {
        JoernError::Jar { jar: self.path.clone(), what }
    }
}

/// The directory of a jar; `None` if the file is not a jar.
fn read_directory(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    let tail_from = len.saturating_sub(archive::TAIL_LEN as u64);
    let tail = bytes_of(&mut file, tail_from, len - tail_from)?;
    let Some((place, directory_len)) = archive::directory_place(&tail) else { return Ok(None) };
    let (place, directory_len) = (place as u64, directory_len as u64);
    match place + directory_len <= len {
        true => bytes_of(&mut file, place, directory_len).map(Some),
        false => Ok(None),
    }
}

fn bytes_of(file: &mut File, place: u64, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(place))?;
    file.take(len).read_to_end(&mut bytes)?;
    Ok(bytes)
}
