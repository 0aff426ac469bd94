//! [`Fields`]: the fields of a line, which are hexadecimal numbers and texts with single spaces between them.

/// The unread part of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    /// The fields of a line, without the character for the line's type.
    pub(super) fn of(line: &'a [u8]) -> Self {
        Self(line.get(2..).unwrap_or(&[]))
    }

    /// Whether no field is left.
    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The next number. `None` if no field is left, or if the field is not a 64-bit number.
    #[inline]
    pub(super) fn number(&mut self) -> Option<u64> {
        let (mut value, mut length) = (0u64, 0);
        for byte in self.0 {
            let digit = match byte {
                b'0'..=b'9' => byte - b'0',
                b'a'..=b'f' => byte - b'a' + 10,
                b' ' => break,
                _ => return None,
            };
            value = value << 4 | u64::from(digit);
            length += 1;
        }
        if length == 0 || length > 16 {
            return None;
        }
        self.skip(length);
        Some(value)
    }

    /// The next number. `None` if the next field is not a 32-bit number.
    #[inline]
    pub(super) fn number_32(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    /// The next text, which is preceded by its length.
    pub(super) fn sized(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let text = self.0.get(..length)?;
        self.skip(length);
        Some(text)
    }

    /// All unread bytes of the line.
    pub(super) fn rest(self) -> &'a [u8] {
        self.0
    }

    /// Skips `length` bytes, and the space after them.
    #[inline]
    fn skip(&mut self, length: usize) {
        let rest = self.0.get(length..).unwrap_or(&[]);
        self.0 = rest.strip_prefix(b" ").unwrap_or(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_hexadecimal_and_stand_between_spaces() {
        let mut fields = Fields::of(b"+ 1f 0 ffffffffffffffff");
        assert_eq!([fields.number(), fields.number(), fields.number()], [Some(31), Some(0), Some(u64::MAX)]);
        assert!(fields.is_empty() && fields.number().is_none());
        for wrong in [&b"+ "[..], b"+", b"+ 1F", b"+ 0x1", b"+ 10000000000000000", b"+  1"] {
            assert_eq!(Fields::of(wrong).number(), None, "{wrong:?}");
        }
        assert_eq!(Fields::of(b"+ 100000000").number_32(), None);
    }

    #[test]
    fn a_text_has_the_length_that_it_says() {
        let mut fields = Fields::of(b"s 3 a b 7");
        assert_eq!((fields.sized(), fields.number()), (Some(&b"a b"[..]), Some(7)));
        assert_eq!(Fields::of(b"s 4 abc").sized(), None);
        assert_eq!(Fields::of(b"s ffffffffffffffff abc").sized(), None);
    }
}
