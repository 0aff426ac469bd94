//! [`SourceText`]: the bytes of a source file as text, and the offsets of its lines.
//!
//! The text is what Joern's frontends put into CONTENT, so that offsets in the graph fit both: the bytes of
//! the file, line ends included, without a byte order mark; each sequence that is not UTF-8 becomes U+FFFD.
//! Only a line feed ends a line; a carriage return before it belongs to the line.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::str::Utf8Chunk;

use varvite::memory::{OverBudget, Reserved};

use super::LINES_OF_MARK;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of a file.
#[derive(Debug)]
pub(super) struct SourceText<'b> {
    pub(super) text: Cow<'b, str>,
    pub(super) traits: TextTraits,
    /// The offset of each line.
    starts: Vec<u32>,
}

/// The features of a text that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextTraits {
    /// Whether the file begins with a byte order mark.
    pub(super) has_mark: bool,
    /// Whether the file has lines that end with carriage return and line feed.
    pub(super) has_crlf: bool,
    /// Whether the bytes of the file are UTF-8.
    pub(super) was_utf8: bool,
}

/// The facts of a text that was read: equal for two readings of a file that did not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownText {
    pub(super) traits: TextTraits,
    hash: u64,
}

impl<'b> SourceText<'b> {
    /// The text of a file with these bytes, which are fewer than 4 GiB. `room` pays for everything but the
    /// bytes.
    pub(super) fn of(bytes: &'b [u8], room: &mut Reserved) -> Result<Self, OverBudget> {
        let plain = bytes.strip_prefix(MARK).unwrap_or(bytes);
        let text = lossy(plain, room)?;
        let traits = TextTraits {
            has_mark: plain.len() < bytes.len(),
            has_crlf: text.as_bytes().windows(2).any(|pair| pair == b"\r\n"),
            was_utf8: matches!(text, Cow::Borrowed(_)),
        };
        Ok(Self { traits, starts: starts_of_lines(&text, room)?, text })
    }

    /// The facts of the text.
    pub(super) fn known(&self) -> KnownText {
        let mut hasher = DefaultHasher::new();
        self.text.hash(&mut hasher);
        KnownText { traits: self.traits, hash: hasher.finish() }
    }

    /// The number of lines.
    pub(super) fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// The lines from `first` to `last`, counted from 1; empty if there is no line `first`.
    pub(super) fn lines(&self, first: usize, last: usize) -> &str {
        let Some(start) = first.checked_sub(1).and_then(|index| self.starts.get(index)) else { return "" };
        let end = self.starts.get(last).map_or(self.text.len(), |end| *end as usize);
        self.text.get(*start as usize..end).unwrap_or_default()
    }

    /// The offsets of every [`LINES_OF_MARK`]th line, from the first, which even an empty text has here.
    pub(super) fn marks(&self) -> Vec<u32> {
        let marked = self.starts.iter().copied().step_by(LINES_OF_MARK as usize).skip(1);
        [0].into_iter().chain(marked).collect()
    }
}

/// The text of bytes, in which each sequence that is not UTF-8 is replaced.
fn lossy<'b>(bytes: &'b [u8], room: &mut Reserved) -> Result<Cow<'b, str>, OverBudget> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Ok(Cow::Borrowed(text));
    }
    let replacement = |chunk: &Utf8Chunk<'_>| if chunk.invalid().is_empty() { "" } else { "\u{fffd}" };
    let len = bytes.utf8_chunks().map(|chunk| chunk.valid().len() + replacement(&chunk).len()).sum();
    room.take(len)?;
    let mut text = String::with_capacity(len);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(replacement(&chunk));
    }
    Ok(Cow::Owned(text))
}

/// The offset of each line.
fn starts_of_lines(text: &str, room: &mut Reserved) -> Result<Vec<u32>, OverBudget> {
    let line_ends = text.bytes().filter(|byte| *byte == b'\n').count();
    room.take((line_ends + 1) * size_of::<u32>())?;
    let mut starts = Vec::with_capacity(line_ends + 1);
    starts.push(0);
    starts.extend(text.bytes().zip(1u32..).filter(|(byte, _)| *byte == b'\n').map(|(_, end)| end));
    // Behind the last line feed there is no further line.
    if starts.last() == Some(&(text.len() as u32)) {
        starts.pop();
    }
    Ok(starts)
}

#[cfg(test)]
mod tests {
    use varvite::Budget;

    use super::*;

    fn text_of(bytes: &[u8]) -> SourceText<'_> {
        SourceText::of(bytes, &mut Reserved::nothing_of(&Budget::new(1 << 20))).unwrap()
    }

    #[test]
    fn a_line_ends_with_a_line_feed_and_the_last_one_may_lack_it() {
        for (bytes, lines) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2), ("a\r\nb\r\n", 2)] {
            assert_eq!(text_of(bytes.as_bytes()).line_count(), lines, "{bytes:?}");
        }
        let text = text_of(b"one\ntwo\r\nthree");
        assert_eq!((text.lines(1, 1), text.lines(2, 3)), ("one\n", "two\r\nthree"));
        assert_eq!((text.lines(3, 9), text.lines(4, 9), text.lines(0, 1)), ("three", "", ""));
        assert_eq!(text.traits, TextTraits { has_crlf: true, has_mark: false, was_utf8: true });
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        let text = text_of(b"\xef\xbb\xbfint x;\n");
        assert_eq!((&*text.text, text.traits.has_mark), ("int x;\n", true));
    }

    #[test]
    fn bytes_that_are_not_utf8_become_replacement_characters() {
        let text = text_of(b"/* gr\xfc\xdfe */");
        assert_eq!((&*text.text, text.traits.was_utf8), ("/* gr\u{fffd}\u{fffd}e */", false));
    }

    #[test]
    fn every_64th_line_has_a_mark() {
        assert_eq!(text_of("x\n".repeat(129).as_bytes()).marks(), [0, 128, 256]);
        assert_eq!(text_of(b"").marks(), [0]);
    }

    #[test]
    fn the_memory_of_a_text_is_paid_for() {
        let need = |bytes: &[u8]| {
            let mut room = Reserved::nothing_of(&Budget::new(1 << 20));
            SourceText::of(bytes, &mut room).map(|_| room.bytes())
        };
        // Four bytes for each line end, and for the first line.
        assert_eq!(need(b"int a;\nint b;\n"), Ok(12));
        // A byte that is not UTF-8 becomes three.
        assert_eq!(need(b"\xfc\xdf"), Ok(6 + 4));
        assert!(need(&vec![b'\n'; 1 << 19]).is_err());
    }
}
