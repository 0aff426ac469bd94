//! Parses lines of events, such as `+ 1f` and `- 1f`, which are nearly all lines of a profile. Their numbers
//! are parsed eight bytes at a time, without a branch for each digit, as in L. Lamport, "Multiple byte
//! processing with full-word instructions", 1975.

/// The number of bytes and lines that [`take`] consumed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Consumed {
    pub(super) bytes: usize,
    pub(super) lines: u64,
}

/// Number of bytes of a line that the fast parser reads: the sign, a space, and eight bytes for a number and
/// the line end.
const WINDOW: usize = 2 + 8;
const ONES: u64 = 0x0101_0101_0101_0101;

/// Calls `apply` for each event at the beginning of `bytes`, and passes whether the event allocates, and the
/// event's number. Stops if `apply` returns false, or before a line that this parser does not handle, even
/// though it may be valid: a line that is not an event, has a number of more than seven digits, or begins in
/// the last nine bytes.
pub(super) fn take(bytes: &[u8], mut apply: impl FnMut(bool, u64) -> bool) -> Consumed {
    let mut taken = Consumed::default();
    while let Some((sign, digits)) = window(&bytes[taken.bytes..]) {
        let Some((number, len)) = number(digits) else { break };
        let is_allocation = sign == *b"+ ";
        if !is_allocation && sign != *b"- " || !apply(is_allocation, number) {
            break;
        }
        taken = Consumed { bytes: taken.bytes + 2 + len + 1, lines: taken.lines + 1 };
    }
    taken
}

#[inline]
fn window(bytes: &[u8]) -> Option<([u8; 2], [u8; 8])> {
    let bytes: &[u8; WINDOW] = bytes.first_chunk()?;
    Some((*bytes.first_chunk()?, *bytes.last_chunk()?))
}

/// The hexadecimal number before a newline, and the number of its digits, which is one to seven.
#[inline]
fn number(bytes: [u8; 8]) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(bytes);
    let differs = word ^ (ONES * u64::from(b'\n'));
    let newline = differs.wrapping_sub(ONES) & !differs & (ONES << 7);
    let len = newline.trailing_zeros() as usize / 8;
    if len == 0 || len == 8 {
        return None;
    }
    // Shift the last digit to the highest byte, and fill the bytes before the first digit with zeros.
    let digits = word << (64 - 8 * len) | (ONES * u64::from(b'0')) >> (8 * len);
    Some((hexadecimal(digits)?, len))
}

/// The value of eight hexadecimal digits, with the first digit in the lowest byte. `None` if any byte is not
/// a digit.
#[inline]
fn hexadecimal(digits: u64) -> Option<u64> {
    let is_letter = digits >> 6 & ONES;
    let low = digits & (0x0f * ONES);
    let has_row_of_digits = digits & (0xf0 * ONES) == 0x30 * (ONES + is_letter);
    // The low half of a byte is at most 9 for a decimal digit and at most 6 for a letter. If it is larger,
    // this sum has the bit `0x10`. For a letter, the low half is at least 1.
    let is_above = (low + 6 * ONES + 3 * is_letter) & (0x10 * ONES) != 0;
    let is_below = is_letter & !((low + 0x0f * ONES) >> 4) != 0;
    if !has_row_of_digits || is_above || is_below {
        return None;
    }
    let values = (low + 9 * is_letter).swap_bytes();
    let pairs = (values | values >> 4) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
    Some((fours | fours >> 16) & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(bytes: &[u8]) -> (Vec<(bool, u64)>, usize) {
        let mut events = Vec::new();
        let taken = take(bytes, |is_allocation, number| {
            events.push((is_allocation, number));
            true
        });
        assert_eq!(taken.lines, events.len() as u64);
        (events, taken.bytes)
    }

    #[test]
    fn events_are_taken_up_to_what_is_none() {
        let (events, bytes) = taken(b"+ 0\n- 1f\n+ abcdef9\nc 12\n+ 1\n          ");
        assert_eq!((events, bytes), (vec![(true, 0), (false, 0x1f), (true, 0xabc_def9)], 19));
    }

    #[test]
    fn what_is_left_to_others_is_not_taken() {
        let lines =
            [&b"+ 12345678\n"[..], b"+ \n", b"+1\n", b"* 1\n", b"+ 1 2\n", b"+ 1\r\n", b"+ 1", b"\n", b""];
        for line in lines {
            let bytes = [line, b"          "].concat();
            assert_eq!(taken(&bytes), (vec![], 0), "{}", String::from_utf8_lossy(line));
        }
        assert_eq!(taken(b"+ 1\n+ 2\n"), (vec![], 0), "less than ten bytes");
    }

    #[test]
    fn an_event_that_is_refused_is_not_taken() {
        let taken = take(b"+ 1\n+ 2\n+ 3\n        ", |_, number| number < 2);
        assert_eq!(taken, Consumed { bytes: 4, lines: 1 });
    }

    #[test]
    fn every_byte_at_every_place_is_a_digit_or_none() {
        for len in 1..8 {
            for place in 0..len {
                for byte in (0..=u8::MAX).filter(|byte| *byte != b'\n') {
                    let mut line = [b'a'; 8];
                    line[len] = b'\n';
                    line[len + 1..].fill(byte);
                    line[place] = byte;
                    let text = std::str::from_utf8(&line[..len]).ok();
                    let text =
                        text.filter(|text| !text.contains(|it: char| it.is_ascii_uppercase() || it == '+'));
                    let expected = text.and_then(|text| u64::from_str_radix(text, 16).ok());
                    assert_eq!(number(line), expected.map(|number| (number, len)), "{line:?}");
                }
            }
        }
    }
}
