//! Compression: turns plain bytes into elements, by a greedy search with one hash table. In data without
//! repetitions, the search takes larger steps.

use core::mem;

use super::{COPY_ONE, COPY_TWO, LITERAL};

/// The length of a fragment. Each fragment is searched alone, so that positions fit the entries of the table
/// and distances fit in two bytes.
const FRAGMENT_LEN: usize = 1 << 16;

const TABLE_BITS_MAX: u32 = 14;
const TABLE_BITS_MIN: u32 = 8;

/// The number of entries of the hash table.
pub(super) const TABLE_LEN: usize = 1 << TABLE_BITS_MAX;

/// The distance from the end of a fragment at which the search ends, so that every load of eight bytes is
/// inside the fragment.
const TAIL: usize = 15;

/// The shortest copy that saves bytes.
const MATCH_MIN: usize = 4;

/// Stores `plain` at the start of `output`, which must be long enough for incompressible data.
pub(super) fn compress(table: &mut [u16], plain: &[u8], output: &mut [u8]) -> usize {
    let mut output = Output { bytes: output, len: 0 };
    output.varint(plain.len());
    for fragment in plain.chunks(FRAGMENT_LEN) {
        Search::new(table, fragment).run(&mut output);
    }
    output.len
}

struct Search<'t> {
    table: &'t mut [u16],
    shift: u32,
    plain: &'t [u8],
    /// The offset at which the search ends.
    end: usize,
}

impl<'t> Search<'t> {
    fn new(table: &'t mut [u16], plain: &'t [u8]) -> Self {
        let bits = plain.len().next_power_of_two().ilog2().clamp(TABLE_BITS_MIN, TABLE_BITS_MAX);
        let table = &mut table[..1 << bits];
        table.fill(0);
        Self { table, shift: 32 - bits, plain, end: plain.len().saturating_sub(TAIL) }
    }

    fn run(&mut self, output: &mut Output<'_>) {
        let mut written = 0;
        let mut from = 1;
        while let Some((mut at, mut earlier)) = self.find(from) {
            output.literal(&self.plain[written..at]);
            loop {
                let len = MATCH_MIN + self.equal_len(earlier + MATCH_MIN, at + MATCH_MIN);
                output.copy(at - earlier, len);
                at += len;
                written = at;
                if at >= self.end {
                    break;
                }
                self.remember(at - 1);
                earlier = self.remember(at);
                if self.load_u32(earlier) != self.load_u32(at) {
                    break;
                }
            }
            from = at + 1;
        }
        output.literal(&self.plain[written..]);
    }

    /// Finds the first offset, at or after `from`, whose four bytes also occur at an earlier offset, and
    /// returns both offsets. The search takes larger steps the longer it finds nothing.
    fn find(&mut self, from: usize) -> Option<(usize, usize)> {
        let mut at = from;
        let mut tries = 32;
        while at < self.end {
            let earlier = self.remember(at);
            if self.load_u32(earlier) == self.load_u32(at) {
                return Some((at, earlier));
            }
            at += tries >> 5;
            tries += 1;
        }
        None
    }

    /// Replaces the table entry for the hash of the bytes at `at` by `at`, and returns the previous offset.
    fn remember(&mut self, at: usize) -> usize {
        let hash = self.load_u32(at).wrapping_mul(0x9E37_79B1) >> self.shift;
        let entry = &mut self.table[hash as usize];
        usize::from(mem::replace(entry, at as u16))
    }

    /// The number of equal bytes at the offsets `earlier` and `at`.
    fn equal_len(&self, earlier: usize, at: usize) -> usize {
        let mut len = 0;
        while at + len + 8 <= self.plain.len() {
            let difference = self.load_u64(earlier + len) ^ self.load_u64(at + len);
            if difference != 0 {
                return len + (difference.trailing_zeros() / 8) as usize;
            }
            len += 8;
        }
        let rest = self.plain[at + len..].iter().zip(&self.plain[earlier + len..]);
        len + rest.take_while(|(one, other)| one == other).count()
    }

    fn load_u32(&self, at: usize) -> u32 {
        let bytes = &self.plain[at..at + 4];
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    fn load_u64(&self, at: usize) -> u64 {
        let bytes = &self.plain[at..at + 8];
        u64::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]])
    }
}

/// The output: elements, one after another.
struct Output<'o> {
    bytes: &'o mut [u8],
    len: usize,
}

impl Output<'_> {
    fn byte(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    fn varint(&mut self, mut value: usize) {
        while value >= 0x80 {
            self.byte(value as u8 | 0x80);
            value >>= 7;
        }
        self.byte(value as u8);
    }

    fn literal(&mut self, bytes: &[u8]) {
        let Some(last) = bytes.len().checked_sub(1) else { return };
        match last {
            0..60 => self.byte(LITERAL | (last as u8) << 2),
            60..256 => {
                self.byte(LITERAL | 60 << 2);
                self.byte(last as u8);
            }
            // A fragment has at most 64 KiB, so two bytes suffice for the length of any literal.
            _ => {
                self.byte(LITERAL | 61 << 2);
                self.byte(last as u8);
                self.byte((last >> 8) as u8);
            }
        }
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// Writes a copy as elements of at most 64 bytes. The last element is never shorter than four.
    fn copy(&mut self, distance: usize, mut len: usize) {
        while len >= 68 {
            self.copy_two(distance, 64);
            len -= 64;
        }
        if len > 64 {
            self.copy_two(distance, 60);
            len -= 60;
        }
        if len < 12 && distance < 2048 {
            self.byte(COPY_ONE | ((len - 4) as u8) << 2 | ((distance >> 8) as u8) << 5);
            self.byte(distance as u8);
        } else {
            self.copy_two(distance, len);
        }
    }

    fn copy_two(&mut self, distance: usize, len: usize) {
        self.byte(COPY_TWO | ((len - 1) as u8) << 2);
        self.byte(distance as u8);
        self.byte((distance >> 8) as u8);
    }
}
