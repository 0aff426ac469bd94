//! Decoding: turns elements into plain bytes. Every length and distance is checked where it is used.

use super::{COPY_FOUR, COPY_ONE, COPY_TWO, LITERAL};
use crate::{Codec, CodecError};

/// The number of bytes that are copied at once, if there is room for them.
const STEP: usize = 16;

/// Reads the plain length at the start of a block. Returns it with the offset of the first element.
pub(crate) fn plain_len(stored: &[u8]) -> Result<(usize, usize), CodecError> {
    let mut value = 0u64;
    for (at, byte) in stored.iter().enumerate().take(5) {
        value |= u64::from(byte & 0x7F) << (7 * at);
        if byte & 0x80 == 0 {
            let len =
                u32::try_from(value).map_err(|_| damaged("the plain length takes more than 32 bits"))?;
            return Ok((len as usize, at + 1));
        }
    }
    Err(damaged("the plain length does not end"))
}

/// Decodes `stored` into the start of `plain` and returns the number of plain bytes.
pub(in crate::engine) fn decompress(stored: &[u8], plain: &mut [u8]) -> Result<usize, CodecError> {
    let (len, start) = plain_len(stored)?;
    if len > plain.len() {
        return Err(CodecError::Longer { codec: Codec::Snappy, expected: plain.len() });
    }
    let mut decoder = Decoder { stored, from: start, plain: &mut plain[..len], to: 0 };
    decoder.run()?;
    if decoder.to != len {
        return Err(damaged("the elements decode to fewer bytes than the block declares"));
    }
    Ok(len)
}

fn damaged(detail: &'static str) -> CodecError {
    CodecError::Damaged { codec: Codec::Snappy, detail }
}

struct Decoder<'b> {
    stored: &'b [u8],
    from: usize,
    plain: &'b mut [u8],
    to: usize,
}

impl Decoder<'_> {
    fn run(&mut self) -> Result<(), CodecError> {
        while let Some(&tag) = self.stored.get(self.from) {
            self.from += 1;
            let high = usize::from(tag >> 2);
            match tag & 3 {
                LITERAL => self.literal(high)?,
                COPY_ONE => {
                    let distance = (high >> 3) << 8 | self.number::<1>()?;
                    self.copy(distance, 4 + (high & 7))?;
                }
                COPY_TWO => {
                    let distance = self.number::<2>()?;
                    self.copy(distance, high + 1)?;
                }
                COPY_FOUR.. => {
                    let distance = self.number::<4>()?;
                    self.copy(distance, high + 1)?;
                }
            }
        }
        Ok(())
    }

    /// Reads the next `N` bytes as a number.
    fn number<const N: usize>(&mut self) -> Result<usize, CodecError> {
        let bytes = self.stored[self.from..].first_chunk::<N>().ok_or(damaged("an element ends early"))?;
        self.from += N;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    fn literal(&mut self, high: usize) -> Result<(), CodecError> {
        let last = match high {
            60 => self.number::<1>()?,
            61 => self.number::<2>()?,
            62 => self.number::<3>()?,
            63 => self.number::<4>()?,
            _ => high,
        };
        let from = &self.stored[self.from..];
        let to = &mut self.plain[self.to..];
        if last < STEP && from.len() >= STEP && to.len() >= STEP {
            to[..STEP].copy_from_slice(&from[..STEP]);
        } else {
            let from = from.get(..=last).ok_or(damaged("a literal runs past the end of the block"))?;
            let to = to.get_mut(..=last).ok_or(damaged(
                "a literal decodes to more bytes than the block \
                 declares",
            ))?;
            to.copy_from_slice(from);
        }
        self.from += last + 1;
        self.to += last + 1;
        Ok(())
    }

    fn copy(&mut self, distance: usize, len: usize) -> Result<(), CodecError> {
        if distance == 0 || distance > self.to {
            return Err(damaged("a copy starts before the block"));
        }
        let (source, end) = (self.to - distance, self.to + len);
        if end > self.plain.len() {
            return Err(damaged("a copy decodes to more bytes than the block declares"));
        }
        if distance >= STEP && self.to + len.next_multiple_of(STEP) <= self.plain.len() {
            self.copy_in_steps(source, len);
        } else {
            self.copy_repeating(source, len);
        }
        self.to = end;
        Ok(())
    }

    /// Copies in whole steps. This may write up to one step past the end; later elements overwrite these
    /// bytes.
    fn copy_in_steps(&mut self, source: usize, len: usize) {
        for done in (0..len).step_by(STEP) {
            let (before, after) = self.plain.split_at_mut(self.to + done);
            after[..STEP].copy_from_slice(&before[source + done..source + done + STEP]);
        }
    }

    /// Copies bytes one after another: a copy that is longer than its distance repeats bytes that it has just
    /// written.
    fn copy_repeating(&mut self, source: usize, len: usize) {
        let mut done = 0;
        while done < len {
            let piece = (self.to + done - source).min(len - done);
            self.plain.copy_within(source..source + piece, self.to + done);
            done += piece;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stored: &[u8], expected: Result<&[u8], &'static str>) {
        let mut plain = [0; 40];
        let found = decompress(stored, &mut plain).map(|len| &plain[..len]);
        assert_eq!(found, expected.map_err(damaged), "{stored:?}");
    }

    #[test]
    fn every_kind_of_element() {
        check(&[0], Ok(b""));
        check(&[3, 2 << 2, b'a', b'b', b'c'], Ok(b"abc"));
        check(&[3, 60 << 2, 2, b'a', b'b', b'c'], Ok(b"abc"));
        check(&[3, 61 << 2, 2, 0, b'a', b'b', b'c'], Ok(b"abc"));
        check(&[9, 1 << 2, b'a', b'b', 1 | 3 << 2, 2], Ok(b"ababababa"));
        check(&[5, 1 << 2, b'a', b'b', 2 | 2 << 2, 1, 0], Ok(b"abbbb"));
        check(&[4, 1 << 2, b'a', b'b', 3 | 1 << 2, 2, 0, 0, 0], Ok(b"abab"));
    }

    #[test]
    fn elements_that_cannot_be() {
        check(&[], Err("the plain length does not end"));
        check(&[0x80; 6], Err("the plain length does not end"));
        check(&[0xFF, 0xFF, 0xFF, 0xFF, 0x7F], Err("the plain length takes more than 32 bits"));
        check(&[3, 2 << 2, b'a'], Err("a literal runs past the end of the block"));
        check(&[1, 1 << 2, b'a', b'b'], Err("a literal decodes to more bytes than the block declares"));
        check(&[3, 0, b'a'], Err("the elements decode to fewer bytes than the block declares"));
        check(&[9, 0, b'a', 1, 2], Err("a copy starts before the block"));
        check(&[9, 0, b'a', 1, 0], Err("a copy starts before the block"));
        check(&[3, 0, b'a', 1, 1], Err("a copy decodes to more bytes than the block declares"));
        check(&[9, 0, b'a', 2, 1], Err("an element ends early"));
    }
}
