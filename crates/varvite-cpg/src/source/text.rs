//! [`SourceText`]: the bytes of a source file as text, and the offsets of its lines.
//!
//! The text is what Joern's frontends put into CONTENT, so that offsets in the graph fit both: the bytes of
//! the file, line ends included, without a byte order mark; each sequence that is not UTF-8 becomes U+FFFD.
//! Only a line feed ends a line; a carriage return before it belongs to the line.

use std::borrow::Cow;

use super::LINES_OF_MARK;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of a file.
#[derive(Debug)]
pub(super) struct SourceText<'b> {
    pub(super) text: Cow<'b, str>,
    /// Whether the file begins with a byte order mark.
    pub(super) has_mark: bool,
    /// Whether the file has lines that end with carriage return and line feed.
    pub(super) has_crlf: bool,
    /// The offset of each line.
    starts: Vec<u32>,
}

impl<'b> SourceText<'b> {
    /// The text of a file with these bytes, which are fewer than 4 GiB.
    pub(super) fn of(bytes: &'b [u8]) -> Self {
        let plain = bytes.strip_prefix(MARK).unwrap_or(bytes);
        let text = String::from_utf8_lossy(plain);
        let has_crlf = text.as_bytes().windows(2).any(|pair| pair == b"\r\n");
        let ends = text.bytes().zip(1u32..).filter(|(byte, _)| *byte == b'\n').map(|(_, end)| end);
        let mut starts: Vec<u32> = [0].into_iter().chain(ends).collect();
        // Behind the last line feed there is no further line.
        if starts.last() == Some(&(text.len() as u32)) {
            starts.pop();
        }
        Self { has_mark: plain.len() < bytes.len(), has_crlf, starts, text }
    }

    /// Whether the bytes were UTF-8.
    pub(super) fn was_utf8(&self) -> bool {
        matches!(self.text, Cow::Borrowed(_))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_with_a_line_feed_and_the_last_one_may_lack_it() {
        for (bytes, lines) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2), ("a\r\nb\r\n", 2)] {
            assert_eq!(SourceText::of(bytes.as_bytes()).line_count(), lines, "{bytes:?}");
        }
        let text = SourceText::of(b"one\ntwo\r\nthree");
        assert_eq!((text.lines(1, 1), text.lines(2, 3)), ("one\n", "two\r\nthree"));
        assert_eq!((text.lines(3, 9), text.lines(4, 9), text.lines(0, 1)), ("three", "", ""));
        assert!(text.has_crlf && !text.has_mark && text.was_utf8());
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        let text = SourceText::of(b"\xef\xbb\xbfint x;\n");
        assert_eq!((&*text.text, text.has_mark), ("int x;\n", true));
    }

    #[test]
    fn bytes_that_are_not_utf8_become_replacement_characters() {
        let text = SourceText::of(b"/* gr\xfc\xdfe */");
        assert_eq!((&*text.text, text.was_utf8()), ("/* gr\u{fffd}\u{fffd}e */", false));
    }

    #[test]
    fn every_64th_line_has_a_mark() {
        assert_eq!(SourceText::of("x\n".repeat(129).as_bytes()).marks(), [0, 128, 256]);
        assert_eq!(SourceText::of(b"").marks(), [0]);
    }
}
