//! Reads the text output of `perf script`. It has samples, each with a head and the calls of its stack,
//! innermost call first.
//!
//! ```text
//! zwork  1234/1240 [001] 5021.108764:     250000 cpu-clock:pppH:
//!             55d0c0a3 deflate_fast+0x1f (inlined)
//!             55d0c0a3 deflate+0x40f (/usr/lib/libz.so.1.2.13)
//!   deflate.c:1029
//!         ffffffff8104 [unknown] ([kernel.kallsyms])
//!
//! ```
//!
//! Each event becomes two measures: the number of its samples and, if the file has periods, their sum.
//! Inlined functions are separate calls, in the module of the function that contains them. The option `-F
//! +srcline` adds source lines.
//!
//! - `head`: the head of a sample; `call`: a call in its stack. `read`: builds samples from lines.

mod call;
mod head;
mod read;

use std::io::Read;

use crate::bytes::understood::{Understood, lines_of_head};
use crate::{Limits, Profile, ProfileError};

/// Reads a profile from a text stream, from front to back. The stream may be plain, gzip or zstd.
///
/// # Errors
/// [`ProfileError`]. It is [`ProfileError::NoStacks`] if there is no sample.
pub fn read(source: impl Read, limits: &Limits) -> Result<Profile, ProfileError> {
    read::read(source, limits)
}

/// Whether a plain file that begins with `head` may be output of `perf script`. This is so if nine of ten
/// lines are heads of samples, their calls, or records.
pub(crate) fn may_be(head: &[u8]) -> bool {
    understood(head).is_some_and(Understood::is_enough)
}

/// The number of lines in `head` that belong to samples; `None` if there is no sample.
pub(crate) fn understood(head: &[u8]) -> Option<Understood> {
    let (mut lines, mut heads, mut is_below) = (Understood::default(), 0, false);
    for line in lines_of_head(head).filter(|line| !line.starts_with(b"#")) {
        if line.trim_ascii().is_empty() {
            is_below = false;
            continue;
        }
        let is_head = read::head_of(line).is_some();
        let is_known =
            is_head || is_below && (call::Call::of(line).is_some() || call::source_line(line).is_some());
        heads += u64::from(is_head);
        is_below |= is_head;
        lines.add(is_known);
    }
    (heads > 0).then_some(lines)
}
