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
use crate::parallel::in_order_with;

/// Where words occur in a pool.
#[derive(Debug)]
pub(crate) struct Occurrences {
    /// A bit for each byte of the pool: whether a word begins there.
    begins: Vec<u64>,
    /// A bit for each 64 of these: whether any is set. Small enough to stay in a cache, where most texts end.
    summary: Vec<u64>,
    /// Bytes of the shortest word.
    word_len: usize,
    pool_len: usize,
}

/// Longest word that is searched for: the ends of parts are searched again, joined.
const WORD_MAX: usize = 4096;
/// Texts whose places are read at a time.
const TEXTS: usize = 512;

/// What is found in one part of a pool.
#[derive(Default)]
struct InPart {
    len: usize,
    /// Where words begin, rising.
    places: Vec<u32>,
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
        let pool_len = strings.pool_len();
        let mut found = Self::none(pool_len, words.lengths().0);
        let buffers = threads * strings.part_len().min(pool_len);
        cx.budget.take(8 * (found.begins.len() + found.summary.len()) + buffers)?;
        let parts: Vec<usize> = (0..pool_len.div_ceil(strings.part_len())).collect();
        let (cancel, mut seam, mut start) = (&cx.cancel, Seam::default(), 0);
        in_order_with(
            &parts,
            threads,
            || (words.clone(), Vec::new()),
            |(words, buffer), number| {
                cancel.check()?;
                let part = strings.part(*number, buffer);
                Ok(part.map_or_else(InPart::default, |part| InPart::find(&part, words)))
            },
            |part: InPart| {
                part.places.iter().for_each(|place| found.add(start + *place as usize));
                seam.cross(&part, words, |before| found.add(start - before));
                start += strings.part_len();
                Ok(())
            },
        )?;
        Ok(found)
    }

    fn none(pool_len: usize, word_len: usize) -> Self {
        let words = pool_len.div_ceil(64) + 1;
        Self { begins: vec![0; words], summary: vec![0; words.div_ceil(64) + 1], word_len, pool_len }
    }

    fn add(&mut self, place: usize) {
        let word = place / 64;
        if let (Some(begins), Some(any)) = (self.begins.get_mut(word), self.summary.get_mut(word / 64)) {
            *begins |= 1 << (place % 64);
            *any |= 1 << (word % 64);
        }
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

    /// Whether the word begins at one of some places, both ends included.
    fn begins_in(&self, first: usize, last: usize) -> bool {
        let (head, tail) = (first / 64, last / 64);
        if tail <= head + 1 {
            return any(&self.begins, first, last);
        }
        any(&self.begins, first, 64 * head + 63)
            || any(&self.begins, 64 * tail, last)
            || any(&self.summary, head + 1, tail - 1)
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
    fn find(part: &[u8], words: &Words) -> Self {
        let (mut places, mut at) = (Vec::new(), 0);
        // Occurrences may overlap: a text may hold the second alone.
        while let Some(place) = words.find_from(part, at) {
            places.push(place as u32);
            at = place + 1;
        }
        let edge = part.len().min(words.lengths().1 - 1);
        let (head, tail) = (part[..edge].to_vec(), part[part.len() - edge..].to_vec());
        Self { len: part.len(), places, head, tail }
    }
}

/// The last bytes before a part, which a word may begin in.
#[derive(Default)]
struct Seam(Vec<u8>);

impl Seam {
    /// Searches where the bytes before a part and its own meet; `found` hears how far before the part a word begins.
    fn cross(&mut self, part: &InPart, words: &Words, mut found: impl FnMut(usize)) {
        let (before, edge) = (self.0.len(), words.lengths().1 - 1);
        self.0.extend_from_slice(&part.head);
        let mut at = 0;
        while let Some(place) = words.find_from(&self.0, at).filter(|place| *place < before) {
            found(before - place);
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
            let mut found = Occurrences::none(pool_len, word_len);
            places.iter().for_each(|place| found.add(*place));
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
            let (mut seam, mut places) = (Seam::default(), Vec::new());
            for (number, part) in text.chunks(part_len).enumerate() {
                let (part, start) = (InPart::find(part, &words), number * part_len);
                places.extend(part.places.iter().map(|place| start + *place as usize));
                seam.cross(&part, &words, |before| places.push(start - before));
            }
            places.sort_unstable();
            assert_eq!(places, expected, "parts of {part_len}");
        }
    }
}
