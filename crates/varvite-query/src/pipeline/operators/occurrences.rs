//! Finds the occurrences of words in the pool (the bytes of all texts) of a string table in one pass, no
//! matter how many texts overlap.
//!
//! Texts are slices of the pool that may overlap, so the pool has fewer bytes than all texts together. A pass
//! reads the bytes of the pool in order. After the pass, a text can be tested by its position alone: it
//! contains the word if the first occurrence at or after its start ends within the text. This test is exact
//! for one word. For several words of different lengths, the test uses the shortest length, so it may accept
//! a text that contains none of the words, but never rejects one that contains a word.

use std::ops::Range;

use super::context::Context;
use super::stop::Stop;
use crate::pipeline::plan::Words;
use varvite_graph::Texts;
use varvite_graph::internal::all_in_order;

/// The positions at which words begin in a pool.
#[derive(Debug)]
pub(crate) struct Occurrences {
    /// The granules in which a word begins, in ascending order and without duplicates.
    granules: Vec<Granule>,
    /// The length of the shortest word in bytes.
    word_len: usize,
    pool_len: usize,
}

/// A run of 64 bytes of the pool: its number, and a bit for each byte at which a word begins. At least one
/// bit is set.
type Granule = (u32, u64);

/// The number of texts whose positions are read at a time.
const TEXTS: usize = 512;
/// The number of bytes of the pool that a thread searches at a time, unless a part of the pool is larger.
/// With smaller shares, threads would wait for each other too often.
const SHARE: usize = 1 << 20;
/// The number of shares between two charges of the budget.
const SHARES: usize = 64;

/// The matches in one part of a pool.
#[derive(Default)]
struct InPart {
    start: usize,
    len: usize,
    /// The granules in which words begin, in ascending order.
    granules: Vec<Granule>,
    /// The first and the last bytes of the part. `head` and `tail` each have one byte less than the longest
    /// word.
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl Occurrences {
    /// Searches a whole pool. Finds nothing in damaged parts, and notes the damage.
    pub(crate) fn find(
        strings: &Texts,
        words: &Words,
        threads: usize,
        cx: &mut Context,
    ) -> Result<Self, Stop> {
        let (pool_len, part_len) = (strings.pool_len(), strings.part_len());
        let (mut granules, mut seam, mut held) = (Vec::new(), Seam::default(), 0);
        // Charges the buffers in which the threads decode parts of the pool.
        cx.budget.take(threads * part_len.min(pool_len))?;
        let (parts, each) = (pool_len.div_ceil(part_len), (SHARE / part_len).max(1));
        let shares: Vec<usize> = (0..parts).step_by(each).collect();
        let search = |(words, buffer): &mut (Words, Vec<u8>), first: &usize| {
            let find = |number: usize| {
                cx.cancel.check()?;
                let (start, part) = (number * part_len, strings.part(number, buffer));
                let missing = || InPart { start, len: part_len, ..InPart::default() };
                Ok(part.map_or_else(missing, |part| InPart::find(&part, start, words)))
            };
            (*first..parts.min(first + each)).map(find).collect::<Result<Vec<InPart>, Stop>>()
        };
        for shares in shares.chunks(SHARES) {
            let begin = || (words.clone(), Vec::new());
            for part in all_in_order(shares, threads, begin, search)?.into_iter().flatten() {
                seam.cross(&part, words, |place| add(&mut granules, place));
                granules.extend_from_slice(&part.granules);
            }
            cx.budget.hold(&mut held, size_of::<Granule>() * granules.capacity())?;
        }
        Ok(Self::of(granules, words.lengths().0, pool_len))
    }

    fn of(mut granules: Vec<Granule>, word_len: usize, pool_len: usize) -> Self {
        // At the borders of parts, positions may be out of order, and a granule may occur twice.
        if !granules.is_sorted() {
            granules.sort_unstable();
        }
        granules.dedup_by(|(granule, bits), (last, all)| {
            if granule == last {
                *all |= *bits;
            }
            granule == last
        });
        Self { granules, word_len, pool_len }
    }

    /// A bit for each text of a range of codes, set if the word occurs in the text. `None` if bytes of the
    /// table are missing.
    pub(crate) fn texts(&self, strings: &Texts, codes: Range<u32>) -> Option<Vec<u64>> {
        let mut words = Vec::with_capacity(codes.len().div_ceil(64));
        let (mut starts, mut ends) = ([0i64; TEXTS], [0i64; TEXTS]);
        let mut gap = Gap::before_all(self);
        for first in codes.clone().step_by(TEXTS) {
            let count = TEXTS.min((codes.end - first) as usize);
            let (starts, ends) = (&mut starts[..count], &mut ends[..count]);
            strings.slices(first, starts, ends).then_some(())?;
            words.extend(starts.chunks(64).zip(ends.chunks(64)).map(|(starts, ends)| gap.word(starts, ends)));
        }
        Some(words)
    }
}

/// The positions after one occurrence of a word, up to the next occurrence. If a text begins in a gap, the
/// first occurrence that can be inside the text is the one at the end of the gap. Most texts begin in the
/// same gap as the text before them.
struct Gap<'a> {
    all: &'a Occurrences,
    /// The number of granules before the granule of the last searched position.
    at: usize,
    from: usize,
    /// The position of the next occurrence, or `usize::MAX` if there is none.
    next: usize,
    /// The least position at which a text that contains the word at `next` can end, and the number of
    /// possible ends from this position on.
    end_min: usize,
    ends: usize,
}

impl<'a> Gap<'a> {
    fn before_all(all: &'a Occurrences) -> Self {
        let mut gap = Self { all, at: 0, from: 0, next: 0, end_min: 0, ends: 0 };
        gap.move_to(0);
        gap
    }

    /// A bit for each of up to 64 texts, set if the word occurs in the text. The texts are given by their
    /// starts and ends.
    ///
    /// This is a separate function so that its operands stay in registers.
    #[inline(never)]
    fn word(&mut self, starts: &[i64], ends: &[i64]) -> u64 {
        let (mut found, mut text) = (0, 0);
        let mut here = (self.from, self.next - self.from, self.end_min, self.ends);
        for (start, end) in starts.iter().zip(ends) {
            let (start, end) = (*start as usize, *end as usize);
            if start.wrapping_sub(here.0) > here.1 {
                self.move_to(start);
                here = (self.from, self.next - self.from, self.end_min, self.ends);
            }
            found |= u64::from(end.wrapping_sub(here.2) < here.3) << text;
            text += 1;
        }
        found
    }

    /// Moves to the gap that contains a position.
    fn move_to(&mut self, place: usize) {
        let (granules, granule) = (&self.all.granules[..], place / 64);
        self.at = partition_point_near(granules, self.at, |(number, _)| (*number as usize) < granule);
        let (before, rest) = granules.split_at(self.at);
        let from_place = u64::MAX << (place % 64);
        let (here, behind) = match rest {
            [(number, bits), behind @ ..] if *number as usize == granule => (*bits, behind),
            _ => (0, rest),
        };
        let first = |granule: usize, bits: u64| 64 * granule + bits.trailing_zeros() as usize;
        let last = |granule: usize, bits: u64| 64 * granule + bits.ilog2() as usize;
        self.next = match (here & from_place, behind) {
            (0, []) => usize::MAX,
            (0, [(number, bits), ..]) => first(*number as usize, *bits),
            (bits, _) => first(granule, bits),
        };
        self.from = match (here & !from_place, before) {
            (0, []) => 0,
            (0, [.., (number, bits)]) => 1 + last(*number as usize, *bits),
            (bits, _) => 1 + last(granule, bits),
        };
        self.end_min = self.next.saturating_add(self.all.word_len);
        self.ends = (self.all.pool_len + 1).saturating_sub(self.end_min);
    }
}

/// The number of items for which `has` is true; these must come first. The search begins at index `near`.
fn partition_point_near<T>(items: &[T], near: usize, has: impl Fn(&T) -> bool) -> usize {
    let (mut low, mut high, mut step) = (near, near, 1);
    while low > 0 && !has(&items[low - 1]) {
        low = low.saturating_sub(step);
        step *= 2;
    }
    while items.get(high).is_some_and(&has) {
        high = items.len().min(high + step);
        step *= 2;
    }
    low + items[low..high].partition_point(has)
}

/// Adds a position, which is usually greater than all others.
#[inline]
fn add(granules: &mut Vec<Granule>, place: usize) {
    let (granule, bit) = ((place / 64) as u32, 1u64 << (place % 64));
    match granules.last_mut() {
        Some((last, bits)) if *last == granule => *bits |= bit,
        _ => granules.push((granule, bit)),
    }
}

impl InPart {
    fn find(part: &[u8], start: usize, words: &Words) -> Self {
        let (mut granules, mut at) = (Vec::new(), 0);
        // Occurrences may overlap, and a text may contain only the second.
        while let Some(place) = words.find_from(part, at) {
            add(&mut granules, start + place);
            at = place + 1;
        }
        let edge = part.len().min(words.lengths().1 - 1);
        let (head, tail) = (part[..edge].to_vec(), part[part.len() - edge..].to_vec());
        Self { start, len: part.len(), granules, head, tail }
    }
}

/// The last bytes before a part of the pool. A word may begin in these bytes and end in the part.
#[derive(Default)]
struct Seam(Vec<u8>);

impl Seam {
    /// Searches the seam between a part and the bytes before it. Calls `found` with the position of each word
    /// that begins before the part and ends in it.
    fn cross(&mut self, part: &InPart, words: &Words, mut found: impl FnMut(usize)) {
        let (before, edge) = (self.0.len(), words.lengths().1 - 1);
        self.0.extend_from_slice(&part.head);
        let mut at = 0;
        while let Some(place) = words.find_from(&self.0, at).filter(|place| *place < before) {
            found((part.start + place).saturating_sub(before));
            at = place + 1;
        }
        if part.len >= edge {
            self.0.clone_from(&part.tail);
        } else {
            self.0.drain(..self.0.len().saturating_sub(edge));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests all pairs of a start and an end near the word, in pools with the word at various positions.
    #[test]
    fn a_word_is_between_two_places_if_it_begins_and_ends_there() {
        let (pool_len, word_len) = (5000, 3);
        for places in [vec![0], vec![63, 64], vec![126, 127, 128], vec![4095, 4096], vec![4990], vec![4997]] {
            let mut granules = Vec::new();
            places.iter().rev().for_each(|place| add(&mut granules, *place));
            let found = Occurrences::of(granules, word_len, pool_len);
            let mut gap = Gap::before_all(&found);
            let ends = || (0..pool_len).filter(|at| at % 61 < 3 || at % 64 < 2 || at + 12 > pool_len);
            for start in ends() {
                for end in ends().chain([pool_len, pool_len + 1]) {
                    let is_there = places.iter().any(|place| start <= *place && place + word_len <= end);
                    let expected = is_there && end <= pool_len;
                    let answer = gap.word(&[start as i64], &[end as i64]);
                    assert_eq!(answer, u64::from(expected), "{places:?} {start}..{end}");
                }
            }
        }
    }

    #[test]
    fn a_word_is_found_where_parts_meet() {
        let words = Words::one(b"aba");
        let text = b"ababa.aba.xabab.aab.ab.aba";
        let expected: Vec<usize> = (0..text.len() - 2).filter(|at| &text[*at..at + 3] == b"aba").collect();
        for part_len in 1..=text.len() {
            let (mut seam, mut granules) = (Seam::default(), Vec::new());
            for (number, part) in text.chunks(part_len).enumerate() {
                let part = InPart::find(part, number * part_len, &words);
                seam.cross(&part, &words, |place| add(&mut granules, place));
                granules.extend_from_slice(&part.granules);
            }
            let bits = granules.iter().fold(0, |all, (_, bits)| all | bits);
            let places: Vec<usize> = (0..text.len()).filter(|place| bits >> place & 1 != 0).collect();
            assert_eq!(places, expected, "parts of {part_len}");
        }
    }
}
