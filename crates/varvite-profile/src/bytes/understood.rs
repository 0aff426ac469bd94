//! [`Understood`]: the number of lines of a text that fit a form. A guess at the form counts as right if nine
//! of ten lines fit.

/// Plain bytes that are enough to detect the form of a file.
pub(crate) const PLAIN_HEAD: u64 = 64 << 10;

/// The number of lines of a text, and of those that fit a form. Empty lines and comments are not counted.
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

    /// Whether enough lines fit for the guessed form to count as right.
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

/// Bytes without the byte order mark that some Windows programs put in front of UTF-8.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
