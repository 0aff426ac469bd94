//! [`SourceDir`]: the folder with the sources of an index. The paths come from the index, so they are
//! hostile: no path leads out of the folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use varvite_graph::{OverBudget, Reserved};

use super::counts::SourceCounts;
use super::fault::ScipError;

/// How many bytes of sources are read in any case, and for each byte of the index. An index that names one
/// large file in a million documents must not cost a million readings.
const BYTES_FREE: u64 = 64 << 20;
const BYTES_OF_INDEX: u64 = 16;

/// A folder of sources, and the bytes that may still be read.
pub(super) struct SourceDir {
    root: PathBuf,
    left: u64,
    hasher: blake3::Hasher,
}

impl SourceDir {
    /// The folder at `path`, for an index of `index_bytes` bytes.
    ///
    /// # Errors
    /// A path that is not a folder.
    pub(super) fn open(path: &Path, index_bytes: u64) -> Result<Self, ScipError> {
        let not_a_folder = || io::Error::from(io::ErrorKind::NotADirectory);
        let root = fs::canonicalize(path).and_then(|root| match root.is_dir() {
            true => Ok(root),
            false => Err(not_a_folder()),
        });
        Ok(Self {
            root: root.map_err(|error| ScipError::io(path, error))?,
            left: BYTES_FREE.saturating_add(index_bytes.saturating_mul(BYTES_OF_INDEX)),
            hasher: blake3::Hasher::new(),
        })
    }

    /// The text of a file, or `None` if it can't be read; `counts` tells why. `room` pays for the text.
    ///
    /// # Errors
    /// Too little memory for the text.
    pub(super) fn read(
        &mut self,
        path: &str,
        counts: &mut SourceCounts,
        room: &mut Reserved,
    ) -> Result<Option<String>, OverBudget> {
        if !is_inside(path) {
            counts.refused += 1;
            return Ok(None);
        }
        let Ok(file) = fs::canonicalize(self.root.join(path)) else {
            counts.missing += 1;
            return Ok(None);
        };
        if !file.starts_with(&self.root) {
            counts.refused += 1;
            return Ok(None);
        }
        // A file that is not regular, such as a pipe, could block the import.
        let Some(len) = fs::metadata(&file).ok().filter(fs::Metadata::is_file).map(|data| data.len()) else {
            counts.missing += 1;
            return Ok(None);
        };
        if len > self.left {
            counts.too_large += 1;
            return Ok(None);
        }
        self.left -= len;
        room.take(usize::try_from(len).unwrap_or(usize::MAX))?;
        self.text(&file, len, counts)
    }

    /// BLAKE3 of all texts that were read.
    pub(super) fn digest(&self) -> [u8; 32] {
        *self.hasher.finalize().as_bytes()
    }

    fn text(
        &mut self,
        file: &Path,
        len: u64,
        counts: &mut SourceCounts,
    ) -> Result<Option<String>, OverBudget> {
        let mut bytes = Vec::new();
        // A file that grows meanwhile is read up to the length that was paid for.
        if File::open(file).and_then(|file| file.take(len).read_to_end(&mut bytes)).is_err() {
            counts.missing += 1;
            return Ok(None);
        }
        self.hasher.update(&(bytes.len() as u64).to_le_bytes()).update(&bytes);
        match String::from_utf8(bytes) {
            Ok(text) => {
                counts.read += 1;
                Ok(Some(text))
            }
            Err(_) => {
                counts.not_utf8 += 1;
                Ok(None)
            }
        }
    }
}

/// Whether a path has the form that SCIP demands: relative, with `/` between its parts, without empty parts,
/// `.` and `..`. So each file of the folder has one path.
fn is_inside(path: &str) -> bool {
    let is_part = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
    path.split('/').all(is_part)
}

#[cfg(test)]
mod tests {
    use varvite_graph::Budget;

    use super::*;

    #[test]
    fn paths_that_leave_the_folder_are_refused_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("in"), folder.path().join("secret"));
        fs::create_dir_all(inside.join("a")).unwrap();
        fs::write(&outside, "secret").unwrap();
        fs::write(inside.join("a/b.py"), "text").unwrap();
        fs::write(inside.join("latin"), b"\xff").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&outside, inside.join("link")).unwrap();
        #[cfg(not(unix))]
        fs::write(inside.join("link"), "").unwrap();
        let mut dir = SourceDir::open(&inside, 0).unwrap();
        let (mut counts, mut room) = (SourceCounts::default(), Reserved::nothing_of(&Budget::new(1 << 20)));
        let absolute = outside.to_str().unwrap().to_owned();
        let mut read = |path: &str| dir.read(path, &mut counts, &mut room).unwrap();
        assert_eq!(read("a/b.py").as_deref(), Some("text"));
        for path in ["../secret", &absolute, "a/../../secret", "./a/b.py", "a//b.py", "a\\b.py", ""] {
            assert_eq!(read(path), None, "{path}");
        }
        for path in ["link", "missing", "a", "latin"] {
            let text = read(path);
            assert!(text.is_none_or(|text| text.is_empty()), "{path}");
        }
        assert_eq!((counts.read, counts.missing, counts.not_utf8), (1, 2, 1));
        #[cfg(unix)]
        assert_eq!(counts.refused, 8);
    }

    #[test]
    fn the_bytes_of_sources_are_bounded_by_the_index() {
        let folder = tempfile::tempdir().unwrap();
        File::create(folder.path().join("large")).unwrap().set_len(BYTES_FREE).unwrap();
        let mut dir = SourceDir::open(folder.path(), 0).unwrap();
        let (mut counts, mut room) = (SourceCounts::default(), Reserved::nothing_of(&Budget::new(1 << 30)));
        assert!(dir.read("large", &mut counts, &mut room).unwrap().is_some());
        assert!(dir.read("large", &mut counts, &mut room).unwrap().is_none());
        assert_eq!((counts.read, counts.too_large), (1, 1));
    }

    #[test]
    fn a_file_is_not_a_folder() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(SourceDir::open(file.path(), 0).is_err());
    }
}
