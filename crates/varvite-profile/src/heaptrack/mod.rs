//! Reads heaptrack's files, as `heaptrack_interpret` writes them: versions 0 to 3; plain, gzip or zstd.
//!
//! The counts equal those of `heaptrack_print` to the byte; the rules for counting were derived from its
//! output. An allocation counts as temporary if the next event frees memory of the same size and place. A
//! free of allocation 0 also counts as temporary if it follows another free or is the first event: heaptrack
//! remembers the last allocation as a number, and 0 also means that there is none.
//!
//! - `fields`: the fields of a line; `events`: sequences of event lines, which are most of a file.
//! - `read`: interprets lines; `replay`: adds up events; `suppressions`: rules for leaks that are not
//!   reported.

mod events;
mod fields;
mod read;
mod replay;
mod suppressions;

use std::io::Read;
use std::path::Path;

use crate::bytes::plain::{Plain, len_of, open_file};
use crate::bytes::read_ahead::read_ahead;
use crate::measure::{Measures, Slot};
use crate::{EventSink, Limits, Profile, ProfileError};

/// The newest file version that this module reads.
pub const VERSION_MAX: u64 = 3;

/// The number of calls of functions that allocate.
pub const CALLS: Slot = Slot::new(0);
/// The number of allocating calls whose memory was freed before the next allocation.
pub const TEMPORARY: Slot = Slot::new(1);
/// The number of bytes that were never freed.
pub const LEAKED_BYTES: Slot = Slot::new(2);
/// The number of bytes in use at the moment when the whole program first used the most memory.
pub const PEAK_BYTES: Slot = Slot::new(3);

/// The measures of heaptrack, in the order of their slots, [`CALLS`] first.
pub fn measures() -> Measures {
    Measures::of(&[
        ("calls", "count"),
        ("temporary", "count"),
        ("leaked_bytes", "bytes"),
        ("peak_bytes", "bytes"),
    ])
}

/// Reads the profile at a path. Its first bytes, not its name, decide how it is decompressed.
///
/// # Errors
/// [`ProfileError`]
pub fn open(path: &Path, limits: &Limits) -> Result<Profile, ProfileError> {
    let file = open_file(path)?;
    let limits = limits.of_len(len_of(&file));
    read(file, &limits)
}

/// Reads a profile from a stream, from front to back. If the stream is compressed, a second thread
/// decompresses it.
///
/// # Errors
/// [`ProfileError`]
pub fn read(source: impl Read + Send, limits: &Limits) -> Result<Profile, ProfileError> {
    read_to(source, limits, None)
}

/// Reads a profile as [`read()`] does, and passes all events to a sink. **Cost**: memory for one stretch of
/// events, at most about four megabytes.
///
/// # Errors
/// [`ProfileError`]. The sink may already have received events.
pub fn read_events(
    source: impl Read + Send,
    limits: &Limits,
    sink: &mut impl EventSink,
) -> Result<Profile, ProfileError> {
    read_to(source, limits, Some(sink))
}

fn read_to(
    source: impl Read + Send,
    limits: &Limits,
    sink: Option<&mut dyn EventSink>,
) -> Result<Profile, ProfileError> {
    match Plain::of(source, limits.expansion)? {
        Plain::Same(source) => read::read(source, limits, sink),
        Plain::Framed(source) => read_ahead(source, |plain| read::read(plain, limits, sink))?,
    }
}

/// Whether a plain file that begins with `head` may be a heaptrack profile.
pub(crate) fn may_be(head: &[u8]) -> bool {
    head.strip_prefix(b"v ").is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_hexdigit))
}
