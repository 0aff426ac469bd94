//! Collapsed (or folded) stacks: a text with a line for each stack, which FlameGraph's scripts, inferno,
//! async-profiler and many other tools write.
//!
//! ```text
//! main;deflate_block;compress2;deflate 42
//! ```
//!
//! A line has the functions from the outermost to the innermost, separated by semicolons, and the count of
//! the stack after the last space. If lines have two numbers, as FlameGraph's `difffolded.pl` writes them,
//! the file has two profiles, and both are read. A stack without functions is recorded as unknown code. The
//! file does not name its measure, so counts are assumed to be samples, or millionths of samples if any count
//! is a fraction.
//!
//! Suffixes that some tools append to names are recognised: `_[k]` marks kernel code, and `_[j]`, `_[i]`,
//! `_[0]` and `_[1]` show how a function was compiled.

use std::io::Read;

use crate::bytes::lines::Lines;
use crate::bytes::plain::Plain;
use crate::bytes::understood::{PLAIN_HEAD, Understood, lines_of_head, without_mark};
use crate::measure::{Kind, MILLIONTHS, Measures, Sampling, Slot};
use crate::profile::Frame;
use crate::stacks::{MILLION, Position, Spot, Stacks};
use crate::{Limits, Profile, ProfileError};

/// The module of functions that have the suffix for kernel code.
const KERNEL: &[u8] = b"[kernel]";
/// Slots for the two numbers of a line.
const BEFORE: Slot = Slot::new(0);
const AFTER: Slot = Slot::new(1);
/// Number of decimals to which counts are rounded.
const DECIMALS: usize = 6;

/// Reads collapsed stacks from a stream, from front to back. The stream may be plain, gzip or zstd.
///
/// # Errors
/// [`ProfileError`]. It is [`ProfileError::NoStacks`] if no line is a stack.
pub fn read(source: impl Read, limits: &Limits) -> Result<Profile, ProfileError> {
    let mut reader = Reader {
        stacks: Stacks::new("collapsed stacks", limits),
        has_two: false,
        lines: Understood::default(),
    };
    let (head, source) = Plain::of(source, limits.expansion)?.peeked(PLAIN_HEAD);
    reader.has_two = Heads::of(&head).has_two();
    let mut lines = Lines::new(source);
    loop {
        let number = lines.number + 1;
        let Some(line) = lines.next()? else { break };
        reader.line(line, number)?;
    }
    // The last line is also read if it has no line end.
    let (number, rest) = (lines.number + 1, lines.rest());
    reader.line(rest, number)?;
    reader.stacks.profile.noticed.is_cut_off = lines.is_cut_off;
    reader.finish()
}

/// Whether a plain file that begins with `head` may contain collapsed stacks. This is so if most lines are
/// stacks, and at least one stack has two functions.
pub(crate) fn may_be(head: &[u8]) -> bool {
    let first = lines_of_head(head).next().unwrap_or_default();
    let is_of_text = |byte: &u8| !byte.is_ascii_control() || matches!(byte, b'\t' | b'\r');
    let is_text = std::str::from_utf8(first).map_or_else(|error| error.valid_up_to() > 0, |_| true)
        && first.iter().all(is_of_text);
    let is_first_cut = first.len() > 1 << 10 && !head.contains(&b'\n') && first.contains(&b';');
    is_text && (is_first_cut || Heads::of(head).is_likely())
}

/// The number of lines in `head` that are stacks; `None` if the file probably has another format.
pub(crate) fn understood(head: &[u8]) -> Option<Understood> {
    let heads = Heads::of(head);
    heads.has_calls.then_some(heads.lines)
}

/// The number of lines of each kind at the beginning of a file.
#[derive(Default)]
struct Heads {
    lines: Understood,
    /// The number of lines with two numbers.
    two: u64,
    /// Whether any stack has two functions. If none has, the file may be any text whose lines end with a
    /// number.
    has_calls: bool,
}

impl Heads {
    fn of(head: &[u8]) -> Self {
        let mut heads = Self::default();
        for line in lines_of_head(head).filter(|line| !is_beside(line)) {
            let stack = split(line);
            heads.lines.add(stack.is_some());
            if let Some((names, _)) = stack {
                heads.two += u64::from(split(names).is_some());
                heads.has_calls |= names.contains(&b';');
            }
        }
        heads
    }

    /// Whether nine of ten lines have two numbers. One line is not enough, since a function may be named
    /// `main 2`.
    fn has_two(&self) -> bool {
        Understood { known: self.two, lines: self.lines.known }.is_enough()
    }

    fn is_likely(&self) -> bool {
        let is_sure = self.has_two() || self.two.saturating_mul(10) <= self.lines.known;
        self.lines.is_enough() && self.has_calls && is_sure
    }
}

/// Whether a line is empty, or a comment of the kind that the profiler austin writes.
fn is_beside(line: &[u8]) -> bool {
    line.trim_ascii().is_empty() || line.starts_with(b"# ")
}

struct Reader {
    stacks: Stacks,
    /// Whether each line has two numbers.
    has_two: bool,
    lines: Understood,
}

impl Reader {
    /// Adds the stack of a line. A line that is not a stack is noted as invalid.
    fn line(&mut self, line: &[u8], number: u64) -> Result<(), ProfileError> {
        let line = if number == 1 { without_mark(line) } else { line };
        if is_beside(line) {
            return Ok(());
        }
        let stack = split(line).and_then(|(names, last)| match self.has_two {
            false => Some((names, None, last)),
            true => split(names).map(|(names, first)| (names, Some(first), last)),
        });
        self.lines.add(stack.is_some());
        let Some((names, first, last)) = stack else {
            self.stacks.profile.noticed.bad_line(number);
            return Ok(());
        };
        let at = self.at(names)?;
        if let Some(first) = first {
            self.count(at, BEFORE, first)?;
        }
        self.count(at, if self.has_two { AFTER } else { BEFORE }, last)
    }

    fn at(&mut self, names: &[u8]) -> Result<Position, ProfileError> {
        let (mut at, stacks) = (Position::default(), &mut self.stacks);
        for name in names.split(|byte| *byte == b';').filter(|name| !name.trim_ascii().is_empty()) {
            let (name, module) = unmarked(name);
            let (function, module) = (stacks.function(name)?, stacks.text(module)?);
            let frame = Frame { function, ..Frame::default() };
            let location = stacks.spot(Spot { module, frame, address: 0 })?;
            at = stacks.below(at, Some(location))?;
        }
        Ok(at)
    }

    fn count(&mut self, at: Position, slot: Slot, number: Decimal) -> Result<(), ProfileError> {
        self.stacks.profile.noticed.rounded_values += u64::from(number.is_rounded);
        self.stacks.count_millionths(at, slot, number.millionths)
    }

    fn finish(mut self) -> Result<Profile, ProfileError> {
        if self.lines.known == 0 {
            return Err(ProfileError::NoStacks { what: "collapsed stack, such as `main;work 12`" });
        }
        let slots = if self.has_two { &[BEFORE, AFTER][..] } else { &[BEFORE] };
        // Both numbers of a line have the same unit: if any number is a fraction, both are counted in
        // millionths.
        let has_parts = slots.iter().any(|slot| self.stacks.has_parts(*slot));
        if has_parts {
            slots.iter().for_each(|slot| self.stacks.keep_parts(*slot));
        }
        let names: &[&str] = match (self.has_two, has_parts) {
            (false, false) => &["samples"],
            (false, true) => &["microsamples"],
            (true, false) => &["samples_before", "samples_after"],
            (true, true) => &["microsamples_before", "microsamples_after"],
        };
        let measures: Vec<(&str, &str)> =
            names.iter().map(|name| (*name, if has_parts { MILLIONTHS } else { "count" })).collect();
        self.stacks.profile.kind = Kind::Cpu;
        self.stacks.profile.sampling = Some(Sampling::default());
        self.stacks.profile.lines = self.lines.lines;
        Ok(self.stacks.finish(Measures::of(&measures)))
    }
}

/// A number of a line, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Decimal {
    millionths: i128,
    /// Whether the number was rounded, because it has more than six decimals.
    is_rounded: bool,
}

/// The function names in a line (possibly none), and the number after them.
fn split(line: &[u8]) -> Option<(&[u8], Decimal)> {
    let line = line.trim_ascii_end();
    let space = line.iter().rposition(|byte| matches!(byte, b' ' | b'\t'))?;
    Some((line[..space].trim_ascii_end(), decimal(&line[space + 1..])?))
}

/// Parses numbers such as `12`, `0.25` and `2.5e-05`, which is how programs write small fractions.
fn decimal(number: &[u8]) -> Option<Decimal> {
    let text = std::str::from_utf8(number).ok()?;
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    let mut parts = text.splitn(2, '.');
    let (whole, fraction) = (parts.next()?, parts.next().unwrap_or("0"));
    if is_digits(whole) && is_digits(fraction) {
        let whole: i64 = whole.parse().ok()?;
        if fraction == "0" {
            return Some(Decimal { millionths: i128::from(whole) * MILLION, is_rounded: false });
        }
        let (kept, beyond) = fraction.split_at(fraction.len().min(DECIMALS));
        let kept: i128 = format!("{kept:0<DECIMALS$}").parse().ok()?;
        let up = beyond.bytes().next().is_some_and(|digit| digit >= b'5');
        let is_rounded = beyond.bytes().any(|digit| digit != b'0');
        return Some(Decimal { millionths: i128::from(whole) * MILLION + kept + i128::from(up), is_rounded });
    }
    let is_scientific = text.starts_with(|it: char| it.is_ascii_digit()) && text.contains(['e', 'E']);
    let value: f64 = is_scientific.then(|| text.parse().ok()).flatten()?;
    let millionths = (value * MILLION as f64).round();
    let is_counted = millionths < i64::MAX as f64 * MILLION as f64;
    // Few decimal fractions are exact as binary fractions, so a number with an exponent and a fraction is
    // treated as rounded.
    is_counted.then_some(Decimal { millionths: millionths as i128, is_rounded: value.fract() != 0.0 })
}

/// A name without the suffix that a tool appended, and the module that the suffix indicates.
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
        let cases: [(&str, Option<(&str, i128)>); 16] = [
            ("main;work 12", Some(("main;work", 12_000_000))),
            ("main 12\r", Some(("main", 12_000_000))),
            ("operator new(unsigned long);f 3", Some(("operator new(unsigned long);f", 3_000_000))),
            ("a;b 12.75", Some(("a;b", 12_750_000))),
            ("a;b 0.0000015", Some(("a;b", 2))),
            ("a;b 2.5e-05", Some(("a;b", 25))),
            ("a;b 1e300", None),
            ("a;b  7", Some(("a;b", 7_000_000))),
            ("a;b -7", None),
            ("a;b 99999999999999999999", None),
            ("a;b", None),
            ("a;b 1x", None),
            ("a;b 1.", None),
            (" 12", Some(("", 12_000_000))),
            (";; 12", Some((";;", 12_000_000))),
            ("", None),
        ];
        for (line, expected) in cases {
            let found = split(line.as_bytes()).map(|(names, number)| (names, number.millionths));
            let expected = expected.map(|(names, count)| (names.as_bytes(), count));
            assert_eq!(found, expected, "{line:?}");
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
            (b"\xef\xbb\xbfmain;work 12\n", true),
            (b" 7\nmain;work 1\n", true),
            // As in many texts, the lines end with a number, but contain no call.
            (b"nr_free_pages 12345\nnr_zone_active_anon 7\n", false),
            (b"main;a 1\nmain;b 2\nsomething else\n", false),
            (b"main;a 31 56\nmain;b 6 2\nmain 274 415\n", true),
            // Only half of the lines have two numbers.
            (b"main;a 31 56\nmain;b 6\n", false),
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
