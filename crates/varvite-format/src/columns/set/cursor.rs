//! A cursor of a set: it keeps the last word or bucket that it read, so that reading a nearby node next is
//! cheap.
//!
//! The cursor returns the same results as plain reads, and accepts nodes in any order. It is faster than
//! plain reads if ids rise in small steps, as in a pass over the nodes of a label, and about as fast
//! otherwise.

use std::ops::{Deref, Range};

use super::{BUCKET, Body, NodeSet, count_below};

/// Reads ranks of members, and keeps the last word, or the last bucket of a sparse set, with its rank.
#[derive(Debug)]
pub struct SetCursor<'a, B> {
    set: &'a NodeSet<B>,
    /// The number of the kept word; `word` has its bits, and `rank` the number of members before it.
    index: u32,
    word: u64,
    rank: usize,
    bucket: Bucket<'a>,
}

/// A bucket of a sparse set.
#[derive(Debug)]
struct Bucket<'a> {
    index: u32,
    /// The number of members before the bucket, and the low bytes of those in it.
    rank: usize,
    lows: &'a [u8],
    /// The number of low bytes below that of the last node.
    below: usize,
}

/// The largest step, in words, for which the bits of each word are counted; for a longer step the rank is
/// looked up.
const STEPS_MAX: u32 = 4;
/// The number of low bytes of a bucket that are looked at one by one before all are compared.
const NEAR: usize = 4;

impl<'a, B: Deref<Target = [u8]> + Clone> SetCursor<'a, B> {
    pub(crate) fn new(set: &'a NodeSet<B>) -> Self {
        let bucket = Bucket { index: u32::MAX, rank: 0, lows: &[], below: 0 };
        Self { set, index: u32::MAX, word: 0, rank: 0, bucket }
    }

    /// The rank of `node`; `None` if it is no member.
    #[inline]
    pub fn member_rank(&mut self, node: u32) -> Option<usize> {
        if let Body::Sparse { .. } = self.set.body {
            return self.stored_rank(node);
        }
        let index = node / u64::BITS;
        if index != self.index && !self.move_to(index) {
            return self.set.member_rank(node);
        }
        let bit = 1u64 << (node % u64::BITS);
        (self.word & bit != 0).then(|| self.rank + (self.word & (bit - 1)).count_ones() as usize)
    }

    /// The rank of `node` in a sparse set; `None` if it is no member.
    #[inline]
    fn stored_rank(&mut self, node: u32) -> Option<usize> {
        let is_kept = node / BUCKET == self.bucket.index || self.move_to_bucket(node);
        if is_kept && node < self.set.nodes { self.bucket.member_rank(node as u8) } else { None }
    }

    /// Makes the bucket of `node` the kept bucket. Returns false if there is none.
    #[inline]
    fn move_to_bucket(&mut self, node: u32) -> bool {
        let Body::Sparse { buckets, lows } = &self.set.body else { return false };
        let index = node / BUCKET;
        let ends = match index.checked_sub(1) {
            Some(last) if last == self.bucket.index => {
                let start = self.bucket.rank + self.bucket.lows.len();
                buckets.get_u32(index as usize + 1, index + 1).map(|end| start..end as usize)
            }
            _ => buckets.pair(index as usize).map(|(start, end)| start as usize..end as usize),
        };
        let found = ends.and_then(|ends| Some((ends.start, lows.get(ends)?)));
        let Some((rank, lows)) = found else {
            self.bucket.index = u32::MAX;
            return false;
        };
        self.bucket = Bucket { index, rank, lows, below: 0 };
        true
    }

    /// Finds the longest run at the start of `nodes` whose nodes are members in ascending order, with no
    /// other member of the set between them. Returns the number of nodes in the run, and their ranks, which
    /// are consecutive. If the set is no bitmap, the number is 0.
    ///
    /// For each node, costs a fraction of [`SetCursor::member_rank`], because nodes are compared with the
    /// bitmap a word at a time.
    #[inline]
    pub fn run(&mut self, nodes: &[u32]) -> (usize, Range<usize>) {
        let (mut taken, mut ranks) = (0, 0..0);
        while let Some(first) = nodes.get(taken) {
            let index = first / u64::BITS;
            // No member may lie between the run so far and the next node: the rest of the run's last word,
            // and all words before that of the next node, must have no bits set.
            let last = taken.checked_sub(1).and_then(|last| nodes.get(last));
            let is_next = last.is_none_or(|last| self.is_empty_between(*last, index));
            if !is_next || (index != self.index && !self.move_to(index)) {
                break;
            }
            let (count, asked) = rising_in_word(&nodes[taken..]);
            let below = if last.is_none() { (1u64 << (first % u64::BITS)) - 1 } else { 0 };
            let span = u64::MAX >> asked.leading_zeros() & !below;
            if self.word & span & !asked != 0 {
                break;
            }
            if last.is_none() {
                let start = self.rank + (self.word & below).count_ones() as usize;
                ranks = start..start;
            }
            ranks.end += (self.word & span).count_ones() as usize;
            taken += count;
        }
        (taken, ranks)
    }

    /// Whether there is no member between `node`, which is in the kept word, and the start of word `index`.
    #[inline]
    fn is_empty_between(&self, node: u32, index: u32) -> bool {
        let behind = (u64::MAX << (node % u64::BITS)) << 1;
        index > self.index
            && index - self.index <= STEPS_MAX
            && self.word & behind == 0
            && (self.index + 1..index).all(|index| self.set.word(index) == Some(0))
    }

    /// Makes word `index` the kept word. Returns false if the set is no bitmap or has no such word.
    #[inline]
    fn move_to(&mut self, index: u32) -> bool {
        let steps = index.wrapping_sub(self.index);
        let (mut rank, mut at) = (self.rank + self.word.count_ones() as usize, self.index.wrapping_add(1));
        if steps > STEPS_MAX || self.index == u32::MAX {
            let Some(start) = index.checked_mul(u64::BITS).filter(|_| self.set.word(index).is_some()) else {
                return false;
            };
            let Some(found) = self.set.rank(start) else { return false };
            (rank, at) = (found, index);
        }
        while at < index {
            let Some(word) = self.set.word(at) else { return false };
            rank += word.count_ones() as usize;
            at += 1;
        }
        let Some(word) = self.set.word(index) else { return false };
        (self.index, self.word, self.rank) = (index, word, rank);
        true
    }
}

impl Bucket<'_> {
    /// The rank of the member with a low byte; `None` if the bucket lacks it.
    #[inline]
    fn member_rank(&mut self, low: u8) -> Option<usize> {
        if self.below > 0 && self.lows.get(self.below - 1).is_none_or(|last| *last >= low) {
            self.below = 0;
        }
        // The next node is often the next member; otherwise all low bytes are compared, without a branch.
        let is_near = |below: usize| self.lows.get(below).is_none_or(|stored| *stored >= low);
        self.below = match (0..NEAR).map(|step| self.below + step).find(|below| is_near(*below)) {
            Some(below) => below.min(self.lows.len()),
            None => count_below(self.lows, low),
        };
        (self.lows.get(self.below) == Some(&low)).then(|| self.rank + self.below)
    }
}

/// The number of nodes at the start of `nodes` that are ascending within one word, and their bits.
#[inline]
fn rising_in_word(nodes: &[u32]) -> (usize, u64) {
    let (mut count, mut bits) = (0, 0u64);
    let index = nodes.first().map_or(0, |node| node / u64::BITS);
    for node in nodes {
        let bit = 1u64 << (node % u64::BITS);
        if node / u64::BITS != index || bit <= bits {
            break;
        }
        bits |= bit;
        count += 1;
    }
    (count, bits)
}
