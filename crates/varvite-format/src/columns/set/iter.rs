//! [`NodeSetIter`]: an iterator over the members of a set, from both ends.

use std::iter::FusedIterator;
use std::ops::Deref;

use super::{BUCKET, Body, NodeSet, WORD, stored_rank};
use crate::Ints;
use crate::bytes::u64_at;

/// The number of buckets of a sparse set that are read one by one before the search makes larger steps.
const NEAR: u32 = 8;

/// An iterator over the members of a [`NodeSet`], in ascending order.
///
/// The length of the iterator is computed by rank queries when it is requested. In a damaged file the
/// iterator may end early.
#[derive(Clone, Debug)]
pub struct NodeSetIter<'a, B> {
    set: &'a NodeSet<B>,
    /// The next id to read; `end` is one above the last.
    next: u32,
    end: u32,
    /// In a bitmap, the remaining bits of the word of `next`.
    word: u64,
    /// In a sparse set, the rank and bucket of the next id; `end_rank` is the rank at which the iterator
    /// ends, and `end_bucket` is at or after the bucket of the last remaining id.
    rank: u32,
    bucket: u32,
    end_rank: u32,
    end_bucket: u32,
}

impl<'a, B: Deref<Target = [u8]> + Clone> NodeSetIter<'a, B> {
    #[inline]
    pub(super) fn new(set: &'a NodeSet<B>, start: u32) -> Self {
        let (next, end) = (start, set.nodes);
        let mut iter = Self { set, next, end, word: 0, rank: 0, bucket: 0, end_rank: 0, end_bucket: 0 };
        match &set.body {
            Body::Range(first) => {
                iter.next = start.max(*first);
                iter.end = first + set.count;
            }
            Body::Bitmap { words, .. } => {
                let word = u64_at(words, start as usize / WORD * 8).unwrap_or(0);
                iter.word = word & (u64::MAX << (start as usize % WORD));
            }
            Body::Sparse { buckets, lows } => {
                let rank = stored_rank(buckets, lows, start.min(set.nodes));
                iter.rank = rank.map_or(set.count, |(rank, _)| rank as u32);
                iter.bucket = start / BUCKET;
                iter.end_rank = set.count;
                iter.end_bucket = set.nodes / BUCKET;
            }
        }
        iter
    }

    #[inline]
    fn next_bit(&mut self, words: &[u8]) -> Option<u32> {
        let mut index = self.next as usize / WORD;
        if (self.next as usize).is_multiple_of(WORD) && self.next > 0 && self.word == 0 {
            self.word = u64_at(words, index * 8)?;
        }
        while self.word == 0 {
            index += 1;
            if index * WORD >= self.end as usize {
                return None;
            }
            self.word = u64_at(words, index * 8)?;
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some((index * WORD) as u32 + bit)
    }

    /// Reads stored id number `rank` of a sparse set.
    #[inline]
    fn next_stored(&mut self, buckets: &Ints<B>, lows: &[u8]) -> Option<u32> {
        if self.rank >= self.end_rank {
            return None;
        }
        let low = *lows.get(self.rank as usize)?;
        self.find_bucket(buckets)?;
        self.rank += 1;
        Some(self.bucket * BUCKET + u32::from(low))
    }

    /// Reads the next stored ids of a sparse set that share a bucket, at most `limit`: the first id of the
    /// bucket, and the low bytes. `None` at the end, and if `limit` is 0. A damaged set may have low bytes
    /// past its last node.
    #[inline]
    pub(super) fn next_lows<'l>(
        &mut self,
        buckets: &Ints<B>,
        lows: &'l [u8],
        limit: usize,
    ) -> Option<(u32, &'l [u8])> {
        if self.rank >= self.end_rank || limit == 0 {
            return None;
        }
        self.find_bucket(buckets)?;
        let end = buckets.get_u32(self.bucket as usize + 1, self.bucket + 1)?.min(self.end_rank);
        let run = lows.get(self.rank as usize..end as usize)?;
        let run = &run[..run.len().min(limit)];
        self.rank += run.len() as u32;
        Some((self.bucket * BUCKET, run))
    }

    /// Moves to the bucket of stored id number `rank` of a sparse set.
    #[inline]
    fn find_bucket(&mut self, buckets: &Ints<B>) -> Option<()> {
        let mut looked = 0;
        while buckets.get_u32(self.bucket as usize + 1, self.bucket + 1)? <= self.rank {
            self.bucket += 1;
            looked += 1;
            if looked == NEAR {
                self.bucket = self.far_bucket(buckets)?;
                break;
            }
        }
        Some(())
    }

    /// Finds the bucket of the next stored id of a sparse set, after the buckets that were read: first in
    /// steps that double, then by bisection.
    #[cold]
    fn far_bucket(&self, buckets: &Ints<B>) -> Option<u32> {
        let is_behind = |bucket: u32| Some(buckets.get_u32(bucket as usize, bucket)? > self.rank);
        let last = u32::try_from(buckets.len()).ok()?.checked_sub(1)?;
        let (mut low, mut step) = (self.bucket, 1);
        let mut high = last.min(low.checked_add(step)?);
        while !is_behind(high)? {
            if high == last {
                return None;
            }
            (low, step) = (high, step.saturating_mul(2));
            high = last.min(low.saturating_add(step));
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if is_behind(middle)? { high = middle } else { low = middle }
        }
        Some(low)
    }

    /// Finds the highest set bit in `next..end`.
    fn last_bit(&self, words: &[u8]) -> Option<u32> {
        let mut index = self.end.checked_sub(1)? as usize / WORD;
        let mut word = u64_at(words, index * 8)? & (u64::MAX >> (WORD - 1 - (self.end as usize - 1) % WORD));
        while word == 0 {
            index = index.checked_sub(1).filter(|index| index * WORD + WORD > self.next as usize)?;
            word = u64_at(words, index * 8)?;
        }
        Some((index * WORD + WORD - 1) as u32 - word.leading_zeros())
    }

    /// The last stored id of a sparse set that the iterator has not returned yet.
    fn last_stored(&mut self, buckets: &Ints<B>, lows: &[u8]) -> Option<u32> {
        if self.rank >= self.end_rank {
            return None;
        }
        let last = self.end_rank - 1;
        while buckets.get_u32(self.end_bucket as usize, self.end_bucket)? > last {
            self.end_bucket = self.end_bucket.checked_sub(1)?;
        }
        self.end_rank = last;
        Some(self.end_bucket * BUCKET + u32::from(*lows.get(last as usize)?))
    }

    /// Ends the iterator.
    #[inline]
    fn finish(&mut self) {
        (self.next, self.word, self.rank) = (self.end, 0, self.end_rank);
    }
}

impl<B: Deref<Target = [u8]> + Clone> Iterator for NodeSetIter<'_, B> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let member = match &self.set.body {
            Body::Range(_) => Some(self.next),
            Body::Bitmap { words, .. } => self.next_bit(words),
            Body::Sparse { buckets, lows } => self.next_stored(buckets, lows),
        };
        let Some(member) = member.filter(|member| *member < self.end) else {
            self.finish();
            return None;
        };
        self.next = member + 1;
        Some(member)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.set.body {
            Body::Range(_) => self.end.saturating_sub(self.next) as usize,
            Body::Bitmap { .. } => {
                let ranks = self.set.rank(self.next).zip(self.set.rank(self.end));
                ranks.map_or(0, |(next, end)| end.saturating_sub(next))
            }
            Body::Sparse { .. } => self.end_rank.saturating_sub(self.rank) as usize,
        };
        (left, Some(left))
    }

    /// The common loop of `for_each`, `count` and `sum`. A range is visited in a plain loop, a bitmap word by
    /// word and a sparse set bucket by bucket, without a search for each member.
    #[inline]
    fn fold<A, F: FnMut(A, u32) -> A>(self, first: A, mut visit: F) -> A {
        let mut folded = first;
        match &self.set.body {
            Body::Range(_) => return (self.next..self.end).fold(folded, visit),
            Body::Bitmap { .. } => {
                // First the rest of the current word, then whole words.
                let (mut index, last) = (self.next / WORD as u32, self.end / WORD as u32);
                let begun = !self.next.is_multiple_of(WORD as u32) || self.word != 0;
                let mut word = if begun { self.word } else { self.set.word(index).unwrap_or(0) };
                while index <= last {
                    if index == last {
                        word &= (1 << (self.end % WORD as u32)) - 1;
                    }
                    while word != 0 {
                        folded = visit(folded, index * WORD as u32 + word.trailing_zeros());
                        word &= word - 1;
                    }
                    index += 1;
                    word = self.set.word(index).unwrap_or(0);
                }
            }
            Body::Sparse { buckets, lows } => {
                let mut runs = self;
                while let Some((first, run)) = runs.next_lows(buckets, lows, usize::MAX) {
                    let members = run.iter().map(|low| first + u32::from(*low));
                    folded = members.filter(|member| *member < runs.end).fold(folded, &mut visit);
                }
            }
        }
        folded
    }
}

impl<B: Deref<Target = [u8]> + Clone> DoubleEndedIterator for NodeSetIter<'_, B> {
    fn next_back(&mut self) -> Option<u32> {
        let member = match &self.set.body {
            Body::Range(_) => self.end.checked_sub(1),
            Body::Bitmap { words, .. } => self.last_bit(words),
            Body::Sparse { buckets, lows } => self.last_stored(buckets, lows),
        };
        let Some(member) = member.filter(|member| *member >= self.next) else {
            self.finish();
            return None;
        };
        self.end = member;
        Some(member)
    }
}

impl<B: Deref<Target = [u8]> + Clone> ExactSizeIterator for NodeSetIter<'_, B> {}

impl<B: Deref<Target = [u8]> + Clone> FusedIterator for NodeSetIter<'_, B> {}

impl<'a, B: Deref<Target = [u8]> + Clone> IntoIterator for &'a NodeSet<B> {
    type Item = u32;
    type IntoIter = NodeSetIter<'a, B>;

    fn into_iter(self) -> NodeSetIter<'a, B> {
        self.iter()
    }
}
