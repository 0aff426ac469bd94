//! Why a profile could not be read.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use varvite_codec::frame::FrameError;

/// Why a profile could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The file can't be opened.
    #[error("{}: {error}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the file system says.
        error: io::Error,
    },
    /// The source failed.
    #[error("cannot read the profile: {0}")]
    Io(io::Error),
    /// The file's compression is damaged.
    #[error("cannot read the profile: {0}")]
    Frame(FrameError),
    /// The first line is none of heaptrack.
    #[error("this is no profile of heaptrack: its first line is {found:?}")]
    NotHeaptrack {
        /// The beginning of the line.
        found: String,
    },
    /// heaptrack recorded it, and nobody looked up what its addresses mean.
    #[error(
        "line {line}: this profile has addresses without names; run `heaptrack --interpret` or \
         `heaptrack_interpret` over it first"
    )]
    Raw {
        /// The line that tells.
        line: u64,
    },
    /// A version that is not known.
    #[error("the profile has version {found}, and this program reads up to {newest}")]
    NewerVersion {
        /// Version of the profile.
        found: u64,
        /// Newest version that is known.
        newest: u64,
    },
    /// A line is longer than any that heaptrack writes.
    #[error("line {line} is longer than {limit} bytes")]
    LongLine {
        /// Its number.
        line: u64,
        /// Bytes that a line may have.
        limit: usize,
    },
    /// The profile needs more memory than reading may take.
    #[error("the profile needs more than {limit} bytes of memory; give it more with --memory")]
    OverBudget {
        /// Bytes that were allowed.
        limit: usize,
    },
    /// More than four billion of something.
    #[error("the profile has more than {limit} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        limit: u64,
    },
}

impl From<io::Error> for ProfileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
