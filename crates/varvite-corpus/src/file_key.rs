//! [`FileKey`]: whether two paths lead to the same file or folder.

use std::fs;
use std::io;
use std::path::Path;

/// A value that is equal for all names of a file or folder.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) enum FileKey {
    /// The numbers of the device and of the file.
    #[cfg(unix)]
    Numbers(u64, u64),
    /// The path without links.
    #[cfg(not(unix))]
    Path(std::path::PathBuf),
}

impl FileKey {
    /// The key of a file or folder. Links are followed.
    #[cfg(unix)]
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt;
        let found = fs::metadata(path)?;
        Ok(Self::Numbers(found.dev(), found.ino()))
    }

    #[cfg(not(unix))]
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        fs::canonicalize(path).map(Self::Path)
    }
}
