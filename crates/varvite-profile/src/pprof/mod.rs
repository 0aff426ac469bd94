//! Profiles of pprof: protocol buffers messages (`profile.proto` of github.com/google/pprof), compressed with
//! gzip or plain. Go's runtime, Parca and many other programs write them, and the program `pprof` makes them
//! from profiles of gperftools and jemalloc.
//!
//! All sample types are kept, and functions that were inlined at a location are separate functions. Labels of
//! samples are not kept; samples with labels are counted. Values count as sampled in a profile of memory with
//! a period, and in every profile that is not about memory.
//!
//! - `wire`: the encoding of messages, both ways; `fields`: field numbers of a profile; `types`: pprof's
//!   names of measures. `read`: interprets the message.

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
/// [`ProfileError`]; [`ProfileError::Pprof`] for bytes that are not a message of pprof.
pub fn read(source: impl Read, limits: &Limits) -> Result<Profile, ProfileError> {
    read::read(source, limits)
}

/// Whether a plain file that begins with `head` may be a message of pprof: it is not text, and its fields
/// have numbers and types of a profile's fields, in any order.
pub(crate) fn may_be(head: &[u8]) -> bool {
    let is_of_text = |byte: &u8| !byte.is_ascii_control() || matches!(byte, b'\t' | b'\r' | b'\n');
    !head.iter().all(is_of_text) && wire::begins_with_fields(head, read::is_of_profile)
}
