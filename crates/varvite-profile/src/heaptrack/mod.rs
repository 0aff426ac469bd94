//! Files of heaptrack, as `heaptrack_interpret` leaves them: versions 0 to 3, plain, gzip or zstd.
//!
//! The counts equal those of `heaptrack_print`, to the byte; its rules were found from its output. An
//! allocation counts as temporary if the next event gives back one of the same size and place. A free of
//! allocation 0 that follows another free, or nothing, counts as well: heaptrack remembers the last
//! allocation as a number, and 0 means none of them too.
//!
//! - `fields`: the fields of a line; `events`: runs of the lines that are most of a file.
//! - `read`: the meaning of lines; `replay`: the sums of events; `suppressions`: leaks that are not reported.

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

/// The newest version that is read.
pub const VERSION_MAX: u64 = 3;

/// Calls of functions that allocate.
pub const CALLS: Slot = Slot::new(0);
/// Calls whose memory was freed before the next call.
pub const TEMPORARY: Slot = Slot::new(1);
/// Bytes that were not given back.
pub const LEAKED_BYTES: Slot = Slot::new(2);
/// Bytes in use when the whole program used most, for the first time.
pub const PEAK_BYTES: Slot = Slot::new(3);

/// The measures of heaptrack, by these slots.
pub fn measures() -> Measures {
    Measures::of(&[
        ("calls", "count"),
        ("temporary", "count"),
        ("leaked_bytes", "bytes"),
        ("peak_bytes", "bytes"),
    ])
}

/// Reads the profile at a path. The compression is found from its first bytes, not from its name.
///
/// # Errors
/// [`ProfileError`]
pub fn open(path: &Path, limits: &Limits) -> Result<Profile, ProfileError> {
    let file = open_file(path)?;
    let limits = limits.of_len(len_of(&file));
    read(file, &limits)
}

/// Reads a profile from a stream, front to back. One that is compressed is decompressed by a second thread.
///
/// # Errors
/// [`ProfileError`]
pub fn read(source: impl Read + Send, limits: &Limits) -> Result<Profile, ProfileError> {
    read_to(source, limits, None)
}

/// The same, and gives all events to a sink. **Cost**: memory for one stretch of them, some four megabytes at
/// most.
///
/// # Errors
/// [`ProfileError`]; the sink may have been given events then.
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

/// Whether a plain file that begins so may be a profile.
pub(crate) fn may_be(head: &[u8]) -> bool {
    head.strip_prefix(b"v ").is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_hexdigit))
}
