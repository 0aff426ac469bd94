//! [`ProfileFormat`]: which tool's form a file has.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::plain::{Plain, is_compressed, open_file};
use crate::{Limits, Profile, ProfileError, collapsed, heaptrack, perf, pprof, speedscope};

/// Plain bytes that tell what a file is.
const HEAD: u64 = 64 << 10;

/// Which tool's form a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileFormat {
    /// heaptrack, interpreted.
    Heaptrack,
    /// A line for each stack, as FlameGraph, inferno and async-profiler write them.
    Collapsed,
    /// The text of `perf script`.
    Perf,
    /// pprof: a message of protocol buffers.
    Pprof,
    /// speedscope: a JSON document.
    Speedscope,
}

impl ProfileFormat {
    /// What the first plain bytes of a file say.
    pub fn of_bytes(head: &[u8]) -> Option<Self> {
        match () {
            () if heaptrack::may_be(head) => Some(Self::Heaptrack),
            () if pprof::may_be(head) => Some(Self::Pprof),
            () if speedscope::may_be(head) => Some(Self::Speedscope),
            () if perf::may_be(head) => Some(Self::Perf),
            () if collapsed::may_be(head) => Some(Self::Collapsed),
            () => None,
        }
    }

    /// The same of a file, which may be compressed with gzip or zstd; none where it is no profile.
    ///
    /// # Errors
    /// [`ProfileError::Open`], [`ProfileError::Io`], and [`ProfileError::Frame`] for compression that is damaged at once.
    pub fn of_file(path: &Path) -> Result<Option<Self>, ProfileError> {
        Ok(Self::of_bytes(&head_of(path)?))
    }

    /// Reads a profile of this form from a stream, front to back.
    ///
    /// # Errors
    /// [`ProfileError`]
    pub fn read(self, source: impl Read + Send, limits: &Limits) -> Result<Profile, ProfileError> {
        match self {
            Self::Heaptrack => heaptrack::read(source, limits),
            Self::Collapsed => collapsed::read(source, limits),
            Self::Perf => perf::read(source, limits),
            Self::Pprof => pprof::read(source, limits),
            Self::Speedscope => speedscope::read(source, limits),
        }
    }
}

/// Whether a file is likely to be a profile, by its first bytes. One that is compressed may be any, and reading it tells.
pub fn is_profile(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && (is_compressed(&head) || ProfileFormat::of_bytes(&head).is_some())
}

/// Reads the profile at a path, plain or compressed with gzip or zstd, of a form that is told or that its first bytes tell.
///
/// # Errors
/// [`ProfileError`]
pub fn open(path: &Path, format: Option<ProfileFormat>, limits: &Limits) -> Result<Profile, ProfileError> {
    let format = match format {
        Some(format) => format,
        None => {
            let head = head_of(path)?;
            ProfileFormat::of_bytes(&head)
                .ok_or_else(|| ProfileError::Unknown { found: ProfileError::shown(&head) })?
        }
    };
    format.read(open_file(path)?, limits)
}

/// The first plain bytes of a file.
fn head_of(path: &Path) -> Result<Vec<u8>, ProfileError> {
    let mut head = Vec::new();
    match Plain::of(open_file(path)?)?.take(HEAD).read_to_end(&mut head) {
        // What came before tells what it is; reading it will say what is wrong.
        Err(error) if head.is_empty() => Err(ProfileError::of_stream(error)),
        _ => Ok(head),
    }
}
