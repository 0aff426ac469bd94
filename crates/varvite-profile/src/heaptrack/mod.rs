//! Files of heaptrack, as `heaptrack_interpret` leaves them: versions 0 to 3, plain, gzip or zstd.
//!
//! The counts are those of `heaptrack_print`, to the byte; how it counts was read from what it prints. An allocation counts as
//! temporary if the next event gives back one of the same size and place. A free of allocation 0 that follows another free, or
//! nothing, counts as well: heaptrack remembers the last allocation as a number, and 0 means none of them too.
//!
//! - `lines`: the lines of a stream; `fields`: what is in a line; `events`: runs of the lines that are most of a file.
//! - `read`: what lines say; `replay`: what events come to; `suppressions`: leaks that are not told.

mod events;
mod fields;
mod lines;
mod read;
mod replay;
mod suppressions;

use std::fs::File;
use std::io::{Chain, Cursor, Read};
use std::path::Path;

use varvite_codec::frame::{FrameOptions, FrameReader, Framing};

use crate::read_ahead::read_ahead;
use crate::{Limits, Profile, ProfileError};

/// The newest version that is read.
pub const VERSION_MAX: u64 = 3;

/// Bytes that zstd frames may look back: heaptrack's own are far below.
const WINDOW_MAX: usize = 128 << 20;
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Reads the profile at a path. What it is compressed with is told by its first bytes, whatever its name.
///
/// # Errors
/// [`ProfileError`]
pub fn open(path: &Path, limits: &Limits) -> Result<Profile, ProfileError> {
    let file = File::open(path).map_err(|error| ProfileError::Open { path: path.to_owned(), error })?;
    read(file, limits)
}

/// Reads a profile from a stream, front to back. One that is compressed is decompressed by a second thread.
///
/// # Errors
/// [`ProfileError`]
pub fn read(mut source: impl Read + Send, limits: &Limits) -> Result<Profile, ProfileError> {
    let mut head = Vec::new();
    source.by_ref().take(4).read_to_end(&mut head)?;
    let framing = match () {
        () if head.starts_with(&GZIP) => Some(Framing::Gzip),
        () if head.starts_with(&ZSTD) => Some(Framing::Zstd),
        () => None,
    };
    let source: Chain<Cursor<Vec<u8>>, _> = Cursor::new(head).chain(source);
    match framing {
        None => read::read(source, limits),
        Some(framing) => {
            let options = FrameOptions { buffer_len_max: WINDOW_MAX, ..FrameOptions::default() };
            let plain = FrameReader::new(framing, source, &options).map_err(ProfileError::Frame)?;
            read_ahead(plain, |plain| read::read(plain, limits))?
        }
    }
}

/// Whether a file that begins so may be a profile: one that is compressed may be anything.
pub fn may_be(head: &[u8]) -> bool {
    let plain = head.strip_prefix(b"v ").is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_hexdigit));
    plain || head.starts_with(&GZIP) || head.starts_with(&ZSTD)
}
