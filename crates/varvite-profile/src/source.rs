//! What tells the file of a profile from others.

use std::fs::File;
use std::path::Path;

use crate::ProfileError;

/// The digest of a file, as it lies there.
///
/// # Errors
/// [`ProfileError::Open`], [`ProfileError::Io`].
pub fn source_digest(path: &Path) -> Result<[u8; 32], ProfileError> {
    let file = File::open(path).map_err(|error| ProfileError::Open { path: path.to_owned(), error })?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file)?;
    Ok(*hasher.finalize().as_bytes())
}
