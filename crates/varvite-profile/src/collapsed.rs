//! Collapsed stacks, also called folded: a line for each, as FlameGraph's scripts, inferno, async-profiler and many others write them.
//!
//! ```text
//! main;deflate_block;compress2;deflate 42
//! ```
//!
//! Functions stand from the outermost to the innermost, with semicolons between, and behind the last space how often the stack was
//! seen. A fraction is cut off, as FlameGraph's successors do. What such a file counts it does not say; here it is samples.
//!
//! What some tools append to names is understood: `_[k]` for code of the kernel, `_[j]`, `_[i]`, `_[0]` and `_[1]` for how a
//! function was compiled.

use std::io::Read;

use crate::bytes::lines::Lines;
use crate::bytes::plain::Plain;
use crate::measure::{Counts, Kind, Measures, Sampling};
use crate::profile::Frame;
use crate::stacks::{Position, Spot, Stacks};
use crate::{Limits, Profile, ProfileError};

/// The module of functions that are marked as the kernel's.
const KERNEL: &[u8] = b"[kernel]";

/// Reads collapsed stacks from a stream, front to back: plain, gzip or zstd.
///
/// # Errors
/// [`ProfileError`]; [`ProfileError::NoStacks`] if no line is a stack.
pub fn read(source: impl Read, limits: &Limits) -> Result<Profile, ProfileError> {
    let mut stacks = Stacks::new("collapsed stacks", limits);
    let (mut lines, mut is_any) = (Lines::new(Plain::of(source, limits.expansion)?), false);
    loop {
        let number = lines.number + 1;
        let Some(line) = lines.next()? else { break };
        is_any |= add(line, number, &mut stacks)?;
    }
    // The last line may lack its end, and mean what it says.
    let (number, rest) = (lines.number + 1, lines.rest());
    is_any |= add(rest, number, &mut stacks)?;
    stacks.profile.noticed.is_cut_off = lines.is_cut_off;
    if !is_any {
        return Err(ProfileError::NoStacks { what: "collapsed stack, such as `main;work 12`" });
    }
    stacks.profile.kind = Kind::Cpu;
    stacks.profile.sampling = Some(Sampling::default());
    Ok(stacks.finish(Measures::of(&[("samples", "count")])))
}

/// Whether a plain file that begins so may be one: its first line ends with a space and a number.
pub(crate) fn may_be(head: &[u8]) -> bool {
    let mut lines = head.splitn(2, |byte| *byte == b'\n');
    let (first, is_whole) = (lines.next().unwrap_or_default(), lines.next().is_some());
    let is_of_text = |byte: &u8| !byte.is_ascii_control() || matches!(byte, b'\t' | b'\r');
    let is_text = std::str::from_utf8(first).map_or_else(|error| error.valid_up_to() > 0, |_| true)
        && first.iter().all(is_of_text);
    is_text && (split(first).is_some() || !is_whole && first.len() > 1 << 10 && first.contains(&b';'))
}

/// Adds a line; false if it is no stack, which is noted unless it is empty.
fn add(line: &[u8], number: u64, stacks: &mut Stacks) -> Result<bool, ProfileError> {
    let Some((names, count)) = split(line) else {
        if !line.trim_ascii().is_empty() {
            stacks.profile.noticed.bad_line(number);
        }
        return Ok(false);
    };
    let mut at = Position::default();
    for name in names.split(|byte| *byte == b';').filter(|name| !name.is_empty()) {
        let (name, module) = unmarked(name);
        let (function, module) = (stacks.function(name)?, stacks.text(module)?);
        let frame = Frame { function, ..Frame::default() };
        let location = stacks.spot(Spot { module, frame, address: 0 })?;
        at = stacks.below(at, Some(location))?;
    }
    stacks.count(at, Counts::of(&[count]));
    Ok(true)
}

/// The names of a line, and how often they were seen.
fn split(line: &[u8]) -> Option<(&[u8], i64)> {
    let line = line.trim_ascii_end();
    let space = line.iter().rposition(|byte| matches!(byte, b' ' | b'\t'))?;
    let (names, number) = (line[..space].trim_ascii_end(), &line[space + 1..]);
    let mut parts = number.splitn(2, |byte| *byte == b'.');
    let (whole, fraction) = (parts.next()?, parts.next().unwrap_or(b"0"));
    let is_number =
        [whole, fraction].iter().all(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit));
    if !is_number || names.iter().all(|byte| matches!(byte, b';' | b' ')) {
        return None;
    }
    Some((names, std::str::from_utf8(whole).ok()?.parse().ok()?))
}

/// A name without what a tool appended to it, and the module that this tells.
fn unmarked(name: &[u8]) -> (&[u8], &[u8]) {
    match name {
        [name @ .., b'_', b'[', b'k', b']'] if !name.is_empty() => (name, KERNEL),
        [name @ .., b'_', b'[', b'j' | b'i' | b'0' | b'1', b']'] if !name.is_empty() => (name, b""),
        name => (name, b""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_names_and_a_number_behind_the_last_space() {
        let cases: [(&str, Option<(&str, i64)>); 13] = [
            ("main;work 12", Some(("main;work", 12))),
            ("main 12\r", Some(("main", 12))),
            ("operator new(unsigned long);f 3", Some(("operator new(unsigned long);f", 3))),
            ("a;b 12.75", Some(("a;b", 12))),
            ("a;b  7", Some(("a;b", 7))),
            ("a;b -7", None),
            ("a;b 99999999999999999999", None),
            ("a;b", None),
            ("a;b 1x", None),
            ("a;b 1.", None),
            (" 12", None),
            (";; 12", None),
            ("", None),
        ];
        for (line, expected) in cases {
            let expected = expected.map(|(names, count)| (names.as_bytes(), count));
            assert_eq!(split(line.as_bytes()), expected, "{line:?}");
        }
    }

    #[test]
    fn marks_behind_names_are_understood() {
        assert_eq!(unmarked(b"read_[k]"), (&b"read"[..], KERNEL));
        assert_eq!(unmarked(b"Foo.bar_[j]"), (&b"Foo.bar"[..], &b""[..]));
        assert_eq!(unmarked(b"[libc.so.6]"), (&b"[libc.so.6]"[..], &b""[..]));
        assert_eq!(unmarked(b"_[k]"), (&b"_[k]"[..], &b""[..]));
    }

    #[test]
    fn what_a_file_begins_with_tells() {
        for (head, is_one) in [
            (&b"main;work 12\n"[..], true),
            (b"main 1", true),
            (b"zwork 12 1.5: 10 cycles: \n\tff main (/a)\n", false),
            (b"\x89VVTRACE 1\n", false),
            (b"{\"a\": 1}\n", false),
            (b"", false),
        ] {
            assert_eq!(may_be(head), is_one, "{head:?}");
        }
        assert!(may_be("f;".repeat(1000).as_bytes()));
    }
}
