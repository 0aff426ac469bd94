//! Occurrences of words in the pool of a string table: found in one pass over the pool, however many texts share a place.
//!
//! Texts are slices that overlap, so the bytes of a pool are fewer than those of its texts, and lie in order. After the
//! pass a text is asked by its place alone: whether a bit is set among those of its bytes. That is the answer for one word. Of several
//! words that are not of one length a text may end before the word does: then more is found than is there, never less.

use std::ops::Range;

use varvite_format::Strings;
use varvite_store::Pinned;

use super::operators::{Context, Stop};
use super::words::Words;
use crate::parallel::all_in_order;

/// Where words occur in a pool.
#[derive(Debug)]
pub(crate) struct Occurrences {
    /// A bit for each 64 bytes of the pool, a granule: whether any word begins there. Small enough to stay in a cache, where most
    /// texts end.
    summary: Vec<u64>,
    /// How many granules have their bit before each word of the summary.
    ranks: Vec<u32>,
    /// A bit for each byte of a granule that has its bit: whether a word begins there.
    begins: Vec<u64>,
    /// Bytes of the shortest word.
    word_len: usize,
    pool_len: usize,
}

/// A granule by its number, and a bit for each byte where a word begins.
type Granule = (u32, u64);

/// Longest word that is searched for: the ends of parts are searched again, joined.
const WORD_MAX: usize = 4096;
/// Texts whose places are read at a time.
const TEXTS: usize = 512;
/// Bytes of a thread's share of the pool, if parts are not larger: threads that wait for each other too often sleep.
const SHARE: usize = 1 << 20;
/// Shares between two looks at the budget.
const SHARES: usize = 64;

/// What is found in one part of a pool.
#[derive(Default)]
struct InPart {
    start: usize,
    len: usize,
    /// Where words begin, rising.
    granules: Vec<Granule>,
    /// The first and the last bytes: one less than the longest word has.
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl Occurrences {
    /// Whether words can be searched for in this way.
    pub(crate) fn can_find(words: &Words) -> bool {
        let (shortest, longest) = words.lengths();
        shortest >= 1 && longest <= WORD_MAX
    }

    /// Searches all of a pool. Parts that are damaged hold nothing; their source notes them.
    pub(crate) fn find(
        strings: &Strings<Pinned>,
        words: &Words,
        threads: usize,
        cx: &mut Context,
    ) -> Result<Self, Stop> {
        let (pool_len, part_len) = (strings.pool_len(), strings.part_len());
        let (mut granules, mut seam, mut held) = (Vec::new(), Seam::default(), 0);
        // What threads decode into, and the summary with its ranks.
        cx.budget.take(threads * part_len.min(pool_len) + pool_len / 256)?;
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
            cx.budget.hold(&mut held, 2 * size_of::<Granule>() * granules.capacity())?;
        }
        Ok(Self::of(granules, words.lengths().0, pool_len))
    }

    fn of(mut granules: Vec<Granule>, word_len: usize, pool_len: usize) -> Self {
        // Where parts meet, places may be out of order, and a granule may be there twice.
        if !granules.is_sorted() {
            granules.sort_unstable();
        }
        let summary = vec![0; pool_len.div_ceil(64).div_ceil(64) + 1];
        let mut found = Self { summary, ranks: Vec::new(), begins: Vec::new(), word_len, pool_len };
        for (granule, bits) in granules {
            let Some(word) = found.summary.get_mut(granule as usize / 64) else { continue };
            let bit = 1u64 << (granule % 64);
            match found.begins.last_mut().filter(|_| *word & bit != 0) {
                Some(begins) => *begins |= bits,
                None => found.begins.push(bits),
            }
            *word |= bit;
        }
        found.ranks.extend(found.summary.iter().scan(0, |rank, word| {
            let before = *rank;
            *rank += word.count_ones();
            Some(before)
        }));
        found
    }

    /// The bits of a granule.
    #[inline]
    fn begins(&self, granule: usize) -> u64 {
        let (Some(word), Some(rank)) = (self.summary.get(granule / 64), self.ranks.get(granule / 64)) else {
            return 0;
        };
        let bit = 1u64 << (granule % 64);
        if word & bit == 0 {
            return 0;
        }
        let rank = *rank as usize + (word & (bit - 1)).count_ones() as usize;
        self.begins.get(rank).copied().unwrap_or(0)
    }

    /// A bit for each text of a range of codes: whether the word occurs in it. None if the table lacks bytes.
    pub(crate) fn texts(&self, strings: &Strings<Pinned>, codes: Range<u32>) -> Option<Vec<u64>> {
        let mut words = Vec::with_capacity(codes.len().div_ceil(64));
        let (mut starts, mut ends) = ([0i64; TEXTS], [0i64; TEXTS]);
        for first in codes.clone().step_by(TEXTS) {
            let count = TEXTS.min((codes.end - first) as usize);
            let (starts, ends) = (&mut starts[..count], &mut ends[..count]);
            strings.places(first, starts, ends)?;
            words
                .extend(starts.chunks(64).zip(ends.chunks(64)).map(|(starts, ends)| self.word(starts, ends)));
        }
        Some(words)
    }

    /// A bit for each of up to 64 pairs of places: whether the word occurs between them. The summary is asked for all
    /// before the bits are for those that are left, so that few wait for memory.
    fn word(&self, starts: &[i64], ends: &[i64]) -> u64 {
        let (mut found, mut open) = (0u64, 0u64);
        for (text, (start, end)) in starts.iter().zip(ends).enumerate() {
            let is_open = self
                .places(*start, *end)
                .is_some_and(|(first, last)| any(&self.summary, first / 64, last / 64));
            open |= u64::from(is_open) << text;
        }
        while open != 0 {
            let text = open.trailing_zeros() as usize;
            open &= open - 1;
            let begins = self
                .places(starts[text], ends[text])
                .is_some_and(|(first, last)| self.begins_in(first, last));
            found |= u64::from(begins) << text;
        }
        found
    }

    /// Where the word may begin to be between two places: the first place and the last.
    #[inline]
    fn places(&self, start: i64, end: i64) -> Option<(usize, usize)> {
        let (first, end) = (start as usize, end as usize);
        let last = end.checked_sub(self.word_len)?;
        (first <= last && end <= self.pool_len).then_some((first, last))
    }

    /// Whether a word begins at one of some places, both ends included.
    fn begins_in(&self, first: usize, last: usize) -> bool {
        let (head, tail) = (first / 64, last / 64);
        let (from, to) = (u64::MAX << (first % 64), u64::MAX >> (63 - last % 64));
        if head == tail {
            return self.begins(head) & from & to != 0;
        }
        (tail > head + 1 && any(&self.summary, head + 1, tail - 1))
            || self.begins(head) & from != 0
            || self.begins(tail) & to != 0
    }
}

/// Adds a place behind all others, or out of order.
#[inline]
fn add(granules: &mut Vec<Granule>, place: usize) {
    let (granule, bit) = ((place / 64) as u32, 1u64 << (place % 64));
    match granules.last_mut() {
        Some((last, bits)) if *last == granule => *bits |= bit,
        _ => granules.push((granule, bit)),
    }
}

/// Whether a bit is set from one to another, both included. Behind the words that have bits there has to be one more.
#[inline]
fn any(words: &[u64], first: usize, last: usize) -> bool {
    let (from, span) = (first % 64, last.wrapping_sub(first));
    // Most spans are short, and few lie within one word: both are taken without a branch on that.
    if let (true, Some([head, next])) = (span < 64, words.get(first / 64..first / 64 + 2)) {
        let bits = head >> from | next << 1 << (63 - from);
        return bits << (63 - span) != 0;
    }
    any_of_many(words, first, last)
}

#[cold]
fn any_of_many(words: &[u64], first: usize, last: usize) -> bool {
    let (from, to) = (u64::MAX << (first % 64), u64::MAX >> (63 - last % 64));
    match words.get(first / 64..=last / 64) {
        Some([word]) => word & from & to != 0,
        Some([head, between @ .., tail]) => {
            head & from != 0 || tail & to != 0 || between.iter().any(|word| *word != 0)
        }
        _ => false,
    }
}

impl InPart {
    fn find(part: &[u8], start: usize, words: &Words) -> Self {
        let (mut granules, mut at) = (Vec::new(), 0);
        // Occurrences may overlap: a text may hold the second alone.
        while let Some(place) = words.find_from(part, at) {
            add(&mut granules, start + place);
            at = place + 1;
        }
        let edge = part.len().min(words.lengths().1 - 1);
        let (head, tail) = (part[..edge].to_vec(), part[part.len() - edge..].to_vec());
        Self { start, len: part.len(), granules, head, tail }
    }
}

/// The last bytes before a part, which a word may begin in.
#[derive(Default)]
struct Seam(Vec<u8>);

impl Seam {
    /// Searches where the bytes before a part and its own meet; `found` hears of each word that begins
    /// before the part and ends in it.
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

    /// All places of a pool that has the word at some, asked for every pair of ends.
    #[test]
    fn a_word_is_between_two_places_if_it_begins_and_ends_there() {
        let (pool_len, word_len) = (5000, 3);
        for places in [vec![0], vec![63, 64], vec![126, 127, 128], vec![4095, 4096], vec![4990], vec![4997]] {
            let mut granules = Vec::new();
            places.iter().rev().for_each(|place| add(&mut granules, *place));
            let found = Occurrences::of(granules, word_len, pool_len);
            let ends = || (0..pool_len).filter(|at| at % 61 < 3 || at % 64 < 2 || at + 12 > pool_len);
            for start in ends() {
                for end in ends().chain([pool_len, pool_len + 1]) {
                    let is_there = places.iter().any(|place| start <= *place && place + word_len <= end);
                    let expected = is_there && end <= pool_len;
                    let answer = found.word(&[start as i64], &[end as i64]);
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
