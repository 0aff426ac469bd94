//! Reads profiles in pprof's format, which are protocol buffers messages (`profile.proto` of
//! github.com/google/pprof), compressed with gzip or plain. Go's runtime, Parca and many other programs write
//! them, and the program `pprof` makes them from profiles of gperftools and jemalloc.
//!
//! All sample types are read, and functions that were inlined at a location become separate calls. Labels of
//! samples are dropped; the number of samples that had labels is reported. Values are treated as estimates
//! from sampling in a profile of memory that has a period, and in every profile that does not measure memory.
//!
//! - `fields`: field numbers of a profile; `types`: pprof's names of measures; `read`: interprets the
//!   message. `varvite_codec::protobuf` decodes and encodes its fields.

pub(crate) mod fields;
mod read;
mod types;

use std::io::Read;

pub(crate) use types::types_of;
use varvite_codec::protobuf;
pub(crate) use varvite_codec::protobuf::Message;

use crate::{Limits, Profile, ProfileError};

/// Reads a profile in pprof's format from a stream, which may be plain, gzip or zstd.
///
/// **Cost**: memory for the whole message.
///
/// # Errors
/// [`ProfileError`]. It is [`ProfileError::Pprof`] if the bytes are not a message of pprof.
pub fn read(source: impl Read, limits: &Limits) -> Result<Profile, ProfileError> {
    read::read(source, limits)
}

/// Whether a plain file that begins with `head` may be a message of pprof. This is so if the file is not
/// text, and its fields, in any order, have the numbers and types of a profile's fields.
pub(crate) fn may_be(head: &[u8]) -> bool {
    let is_of_text = |byte: &u8| !byte.is_ascii_control() || matches!(byte, b'\t' | b'\r' | b'\n');
    !head.iter().all(is_of_text) && protobuf::begins_with_fields(head, read::is_of_profile)
}
