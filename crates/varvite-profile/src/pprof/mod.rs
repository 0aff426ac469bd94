//! Profiles of pprof: messages of protocol buffers, `profile.proto` of github.com/google/pprof, gzip or
//! plain, as Go's runtime, Parca and many others write them, and the program `pprof` out of those of
//! gperftools and jemalloc.
//!
//! All sample types are kept, and lines that were inlined at one location are functions on their own. Labels
//! of samples are not kept, and samples that have some are counted. Values that were sampled are flagged: a
//! profile of memory with a period, and every one that is not about memory.
//!
//! - `wire`: the encoding of messages, both ways; `fields`: numbers of those of a profile; `types`: pprof's
//!   names of measures. `read`: the meaning of messages.

pub(crate) mod fields;
mod read;
mod types;
mod wire;

use std::io::Read;

pub(crate) use types::types_of;
pub(crate) use wire::Message;

use crate::{Limits, Profile, ProfileError};

/// Reads a profile of pprof from a stream: plain, gzip or zstd.
///
/// **Cost**: the whole message is in memory.
///
/// # Errors
/// [`ProfileError`]; [`ProfileError::Pprof`] for bytes that are no such message.
pub fn read(source: impl Read, limits: &Limits) -> Result<Profile, ProfileError> {
    read::read(source, limits)
}

/// Whether a plain file that begins so may be one: it is no text, and its fields have numbers and types that
/// those of profiles have, in whichever order.
pub(crate) fn may_be(head: &[u8]) -> bool {
    let is_of_text = |byte: &u8| !byte.is_ascii_control() || matches!(byte, b'\t' | b'\r' | b'\n');
    !head.iter().all(is_of_text) && wire::begins_with_fields(head, read::is_of_profile)
}
