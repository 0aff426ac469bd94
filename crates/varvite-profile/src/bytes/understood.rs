//! [`Understood`]: the number of lines of a text that fit a format. A guess at the format is accepted if nine
//! of ten lines fit.

/// Number of plain bytes that are enough to detect a file's format.
pub(crate) const PLAIN_HEAD: u64 = 64 << 10;

/// The number of lines of a text, and the number of these that fit a format. Empty lines and comments are not
/// counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Understood {
    pub(crate) known: u64,
    pub(crate) lines: u64,
}

impl Understood {
    pub(crate) fn add(&mut self, is_known: bool) {
        self.known += u64::from(is_known);
        self.lines += 1;
    }

    /// Whether enough lines fit to accept the guess at the format.
    pub(crate) fn is_enough(self) -> bool {
        self.known > 0 && self.known.saturating_mul(10) >= self.lines.saturating_mul(9)
    }
}

/// The lines at the beginning of a file, without a byte order mark. The last line is left out if `head`
/// probably ends within it.
pub(crate) fn lines_of_head(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = without_mark(head);
    let is_whole = head.len() < PLAIN_HEAD as usize;
    let end = memchr::memrchr(b'\n', text).filter(|_| !is_whole).unwrap_or(text.len());
    text[..end].split(|byte| *byte == b'\n')
}

/// The bytes without a byte order mark, which some Windows programs put in front of UTF-8.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
