//! Sets of nodes, such as those with a label, a property or an edge: membership, rank and select.
//!
//! The rank of a node is the number of members below it. Data of members is stored in the order of their
//! ranks, so reading a property or an adjacency begins with a look-up in a set.
//!
//! ```text
//! bitmap segment 0 = u64 words, bit i % 64 of word i / 64
//!        segment 1 = u64 for every 512 bits: rank of the first in the low 32 bits, then three times 10 bits:
//!                    number of members in the first 128, 256 and 384 bits
//!                    (in the archive profile computed when opened)
//! sparse child 0   = for every 256 ids, the number of stored ids below them; and the number of all stored ids
//!        segment 0 = u8 for each stored id: its low 8 bits
//! ```
//!
//! The rank words follow rank9 (Vigna, WEA 2008) with 128-bit steps, and take 12.5 % of the bitmap's size
//! instead of 25 %.

mod bits;
mod cursor;
mod iter;

use std::ops::Deref;

use crate::bytes::u64_at;
use crate::columns::column::child;
use crate::columns::source::segment;
use crate::{ColumnId, Encoding, Fault, FormatError, Ints, Part, Result, Source};

pub use cursor::SetCursor;
pub use iter::NodeSetIter;

const RANK_BITS: usize = 512;
const WORD: usize = 64;
/// The number of possible ids in a bucket of a sparse set. All ids in a bucket have equal high bits.
pub(crate) const BUCKET: u32 = 256;

/// A set of node ids below a limit.
#[derive(Clone, Debug)]
pub struct NodeSet<B> {
    nodes: u32,
    count: u32,
    body: Body<B>,
}

#[derive(Clone, Debug)]
enum Body<B> {
    Range(u32),
    Bitmap { words: B, ranks: Ranks<B> },
    Sparse { buckets: Ints<B>, lows: B },
}

#[derive(Clone, Debug)]
enum Ranks<B> {
    Stored(B),
    Made(std::sync::Arc<[u64]>),
}

impl<B: Deref<Target = [u8]> + Clone> NodeSet<B> {
    /// Opens a reader of the set `column` in a graph of `nodes` nodes.
    ///
    /// # Errors
    /// Damage, if the column is not a set or its segments are too short.
    pub fn open<S: Source<Bytes = B>>(source: &S, column: ColumnId, nodes: u32) -> Result<Self, S::Error> {
        Self::open_parts(source, column, nodes).map_err(|error| source.located(error))
    }

    fn open_parts<S: Source<Bytes = B>>(source: &S, column: ColumnId, nodes: u32) -> Result<Self, S::Error> {
        let row = source.row(column)?;
        let part = || Part::Set(row.encoding, column);
        let count = u32::try_from(row.count).ok().filter(|count| *count <= nodes).ok_or_else(|| {
            let fault = Fault::TooMany { what: "members", most: nodes.into(), found: row.count };
            FormatError::damaged(part(), fault)
        })?;
        let body = match row.encoding {
            Encoding::EmptySet if count == 0 => Body::Range(0),
            Encoding::AllSet if count == nodes => Body::Range(0),
            Encoding::RangeSet => {
                let start = u32::try_from(row.base).ok().filter(|start| *start <= nodes - count);
                Body::Range(start.ok_or_else(|| {
                    let (most, found) = (i64::from(nodes - count), Some(row.base));
                    let fault = Fault::Number { what: "first member", at: None, least: 0, most, found };
                    FormatError::damaged(part(), fault)
                })?)
            }
            Encoding::BitmapSet => {
                let words = segment(source, &row, 0, u64::from(nodes).div_ceil(WORD as u64) * 8)?;
                let blocks = (nodes as usize).div_ceil(RANK_BITS);
                let ranks = match row.segments[1] {
                    Some(_) => Ranks::Stored(segment(source, &row, 1, blocks as u64 * 8)?),
                    None => Ranks::Made(rank_words(&words, blocks).into()),
                };
                Body::Bitmap { words, ranks }
            }
            Encoding::SparseSet => {
                let buckets: Ints<B> = Ints::open(source, child(&row, 0)?)?;
                let expected = nodes.div_ceil(BUCKET) as usize + 1;
                if buckets.len() != expected {
                    let (expected, found) = (expected as u64, buckets.len() as u64);
                    let fault = Fault::Count { what: "buckets", expected, found };
                    return Err(FormatError::damaged(part(), fault).into());
                }
                Body::Sparse { buckets, lows: segment(source, &row, 0, u64::from(count))? }
            }
            found => {
                let fault = Fault::Encoding { expected: "set of nodes", found };
                return Err(FormatError::damaged(part(), fault).into());
            }
        };
        Ok(Self { nodes, count, body })
    }

    /// The set of all nodes of a graph with `nodes` nodes, without a column.
    pub fn all(nodes: u32) -> Self {
        Self { nodes, count: nodes, body: Body::Range(0) }
    }

    /// The number of nodes that are in the set.
    #[inline]
    pub fn len(&self) -> u32 {
        self.count
    }

    /// The number of nodes of the graph.
    pub fn universe(&self) -> u32 {
        self.nodes
    }

    /// True if no node is in the set.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// True if `node` is in the set.
    #[inline]
    pub fn contains(&self, node: u32) -> bool {
        match &self.body {
            Body::Range(start) => node.wrapping_sub(*start) < self.count,
            Body::Bitmap { words, .. } => self.bit(words, node),
            Body::Sparse { .. } => self.member_rank(node).is_some(),
        }
    }

    /// Whether a single bit shows that `node` is no member; always false if the set is not a bitmap. Fast
    /// enough for the innermost loops.
    #[inline(always)]
    pub fn lacks(&self, node: u32) -> bool {
        match &self.body {
            Body::Bitmap { words, .. } => {
                words.get(node as usize / 8).is_some_and(|byte| byte >> (node % 8) & 1 == 0)
            }
            _ => false,
        }
    }

    /// Whether the encoding shows that all nodes of the graph are in the set; then each node's rank is its
    /// id.
    #[inline]
    pub fn is_whole(&self) -> bool {
        self.count == self.nodes && matches!(self.body, Body::Range(0))
    }

    /// The bits of a bitmap in memory, which [`NodeSet::lacks`] reads: bit `i % 8` of byte `i / 8` for node
    /// `i`. `None` for other encodings.
    pub fn bitmap(&self) -> Option<&[u8]> {
        match &self.body {
            Body::Bitmap { words, .. } => Some(words),
            _ => None,
        }
    }

    /// The rank of `node`, which is the position of its values; `None` if it is no member. Constant time; a
    /// sparse set scans up to 256 bytes.
    #[inline]
    pub fn member_rank(&self, node: u32) -> Option<usize> {
        match &self.body {
            Body::Range(start) => {
                let rank = node.wrapping_sub(*start);
                (rank < self.count).then_some(rank as usize)
            }
            Body::Bitmap { words, ranks } => {
                if node >= self.nodes {
                    return None;
                }
                let index = node as usize;
                let word = u64_at(words, index / WORD * 8)?;
                if word >> (index % WORD) & 1 == 0 {
                    return None;
                }
                let below = word & ((1u64 << (index % WORD)) - 1);
                let mut rank = ranks.at(index)? + below.count_ones() as usize;
                if index / WORD % 2 == 1 {
                    rank += u64_at(words, (index / WORD - 1) * 8)?.count_ones() as usize;
                }
                Some(rank)
            }
            Body::Sparse { buckets, lows } => {
                if node >= self.nodes {
                    return None;
                }
                let (rank, is_stored) = stored_rank(buckets, lows, node)?;
                is_stored.then_some(rank)
            }
        }
    }

    /// The number of members below `node`, which need not be a member.
    #[inline]
    pub fn rank(&self, node: u32) -> Option<usize> {
        let node = node.min(self.nodes);
        match &self.body {
            Body::Range(start) => Some(node.saturating_sub(*start).min(self.count) as usize),
            Body::Bitmap { words, ranks } => {
                if node == self.nodes {
                    return Some(self.count as usize);
                }
                let index = node as usize;
                let mut rank = ranks.at(index)?;
                if index / WORD % 2 == 1 {
                    rank += u64_at(words, (index / WORD - 1) * 8)?.count_ones() as usize;
                }
                let below = u64_at(words, index / WORD * 8)? & ((1u64 << (index % WORD)) - 1);
                Some(rank + below.count_ones() as usize)
            }
            Body::Sparse { .. } if node == self.nodes => Some(self.count as usize),
            Body::Sparse { buckets, lows } => Some(stored_rank(buckets, lows, node)?.0),
        }
    }

    /// The member with rank `rank`, in logarithmic time.
    pub fn select(&self, rank: usize) -> Option<u32> {
        if rank >= self.count as usize {
            return None;
        }
        match &self.body {
            Body::Range(start) => start.checked_add(rank as u32),
            Body::Bitmap { words, ranks } => select(words, ranks, self.nodes, rank),
            Body::Sparse { buckets, lows } => {
                let bucket = bucket_of(buckets, rank)?;
                Some(bucket as u32 * BUCKET + u32::from(*lows.get(rank)?))
            }
        }
    }

    /// An iterator over the members from `start` on, in ascending order.
    pub fn iter_from(&self, start: u32) -> NodeSetIter<'_, B> {
        NodeSetIter::new(self, start)
    }

    /// Appends the first `limit` members from `start` on. Costs a nanosecond or two for each member.
    pub fn append_from(&self, start: u32, limit: usize, output: &mut Vec<u32>) {
        match &self.body {
            Body::Range(_) => output.extend(self.iter_from(start).take(limit)),
            Body::Bitmap { .. } => self.append_bitmap(start, limit, output),
            Body::Sparse { buckets, lows } => {
                let (mut runs, mut left) = (self.iter_from(start), limit);
                while let Some((first, run)) = runs.next_lows(buckets, lows, left) {
                    let members = run.iter().map(|low| first + u32::from(*low));
                    match first.checked_add(BUCKET).is_some_and(|last| last <= self.nodes) {
                        true => output.extend(members),
                        false => output.extend(members.filter(|member| *member < self.nodes)),
                    }
                    left -= run.len();
                }
            }
        }
    }

    /// The same as [`NodeSet::append_from`], for a bitmap.
    fn append_bitmap(&self, start: u32, limit: usize, output: &mut Vec<u32>) {
        let mut index = start / WORD as u32;
        let Some(word) = self.word(index) else { return };
        let (mut word, mut left) = (word & (u64::MAX << (start as usize % WORD)), limit);
        let mut members = [0; WORD];
        loop {
            let count = left.min(members_of(word, index * WORD as u32, &mut members));
            output.extend_from_slice(&members[..count]);
            left -= count;
            if left == 0 {
                return;
            }
            index += 1;
            match self.word(index) {
                Some(next) => word = next,
                None => return,
            }
        }
    }

    /// An iterator over all members, in ascending order.
    pub fn iter(&self) -> NodeSetIter<'_, B> {
        self.iter_from(0)
    }

    /// Calls `visit` with all members in ascending order, until `visit` returns `None`. This is the fastest
    /// way to read a set: it takes about a nanosecond for each member. `None` if `visit` returned `None`, or
    /// if the number of members differs from that in the column's row.
    #[inline]
    pub fn try_for_each(&self, mut visit: impl FnMut(u32) -> Option<()>) -> Option<()> {
        let mut count = 0;
        match &self.body {
            Body::Range(start) => return (*start..start.checked_add(self.count)?).try_for_each(visit),
            Body::Bitmap { words, .. } => {
                for index in 0..self.nodes.div_ceil(WORD as u32) {
                    let mut word = u64_at(words, index as usize * 8)?;
                    count += word.count_ones();
                    while word != 0 && count <= self.count {
                        let member = index * WORD as u32 + word.trailing_zeros();
                        (member < self.nodes).then(|| visit(member))??;
                        word &= word - 1;
                    }
                }
            }
            Body::Sparse { buckets, lows } => {
                let (mut runs, mut next) = (self.iter(), 0);
                while let Some((first, run)) = runs.next_lows(buckets, lows, usize::MAX) {
                    count += run.len() as u32;
                    for low in run {
                        let member = first + u32::from(*low);
                        (next..self.nodes).contains(&member).then(|| visit(member))??;
                        next = member + 1;
                    }
                }
            }
        }
        (count == self.count).then_some(())
    }

    /// A cursor, which is fastest for ascending nodes.
    pub fn cursor(&self) -> SetCursor<'_, B> {
        SetCursor::new(self)
    }

    /// Word `index` of a bitmap, with the membership of 64 nodes. `None` for other encodings, and past the
    /// end.
    #[inline]
    pub(crate) fn word(&self, index: u32) -> Option<u64> {
        match &self.body {
            Body::Bitmap { words, .. } if index < self.nodes.div_ceil(WORD as u32) => {
                let word = u64_at(words, index as usize * 8)?;
                // Bits after the last node belong to no node.
                let left = self.nodes - index * WORD as u32;
                Some(if left < WORD as u32 { word & ((1 << left) - 1) } else { word })
            }
            _ => None,
        }
    }

    /// The words of a bitmap, for 64 nodes each; `None` for other encodings.
    pub fn words(&self) -> Option<impl Iterator<Item = u64> + '_> {
        match &self.body {
            Body::Bitmap { words, .. } => {
                let words = words.get(..(self.nodes as usize).div_ceil(WORD) * 8)?;
                Some(words.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)))
            }
            _ => None,
        }
    }

    #[inline]
    fn bit(&self, words: &[u8], node: u32) -> bool {
        let byte = words.get(node as usize / 8).copied().unwrap_or(0);
        node < self.nodes && byte >> (node % 8) & 1 != 0
    }
}

impl<B: Deref<Target = [u8]>> Ranks<B> {
    /// The number of members before the 128 bits that contain bit `index`.
    #[inline]
    fn at(&self, index: usize) -> Option<usize> {
        let word = match self {
            Self::Stored(bytes) => u64_at(bytes, index / RANK_BITS * 8)?,
            Self::Made(words) => *words.get(index / RANK_BITS)?,
        };
        let step = index / 128 % 4;
        let inside = if step == 0 { 0 } else { word >> (32 + 10 * (step - 1)) & 0x3ff };
        Some((word & 0xffff_ffff) as usize + inside as usize)
    }
}

/// The members of a bitmap, in ascending order.
pub fn members(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    words.iter().enumerate().flat_map(|(index, word)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros();
            left &= left.checked_sub(1)?;
            Some(index as u32 * 64 + bit)
        })
    })
}

/// Computes the rank words of a bitmap.
pub(crate) fn rank_words(words: &[u8], blocks: usize) -> Vec<u64> {
    let mut rank = 0u64;
    let mut output = Vec::with_capacity(blocks);
    for block in 0..blocks {
        let mut packed = rank & 0xffff_ffff;
        let mut inside = 0u64;
        for step in 0..8 {
            if step > 0 && step % 2 == 0 {
                packed |= inside << (32 + 10 * (step / 2 - 1));
            }
            let word = u64_at(words, (block * 8 + step) * 8).unwrap_or(0);
            inside += u64::from(word.count_ones());
        }
        rank += inside;
        output.push(packed);
    }
    output
}

/// The number of stored ids of a sparse set below `node`, and whether `node` is stored.
#[inline]
fn stored_rank<B: Deref<Target = [u8]> + Clone>(
    buckets: &Ints<B>,
    lows: &[u8],
    node: u32,
) -> Option<(usize, bool)> {
    let bucket = (node / BUCKET) as usize;
    let (start, end) = buckets.pair(bucket)?;
    let (start, low) = (start as usize, (node % BUCKET) as u8);
    let lows = lows.get(start..end as usize)?;
    let below = count_below(lows, low);
    Some((start + below, lows.get(below) == Some(&low)))
}

/// The number of low bytes of a bucket that are below `low`. The bytes are ascending, so this is the index of
/// `low`, found without a branch. A bucket has at most 255 lower bytes, and a count in one byte lets the
/// processor compare 16 bytes at once.
#[inline]
fn count_below(lows: &[u8], low: u8) -> usize {
    usize::from(lows.iter().fold(0u8, |count, stored| count.wrapping_add(u8::from(*stored < low))))
}

/// The bucket of stored id number `rank`.
fn bucket_of<B: Deref<Target = [u8]> + Clone>(buckets: &Ints<B>, rank: usize) -> Option<usize> {
    let (mut low, mut high) = (0, buckets.len().checked_sub(1)?);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if buckets.get_u32(middle, middle as u32)? as usize <= rank {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

fn select<B: Deref<Target = [u8]>>(words: &[u8], ranks: &Ranks<B>, nodes: u32, rank: usize) -> Option<u32> {
    let blocks = (nodes as usize).div_ceil(RANK_BITS);
    let (mut low, mut high) = (0, blocks);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if ranks.at(middle * RANK_BITS)? <= rank {
            low = middle;
        } else {
            high = middle;
        }
    }
    let mut left = rank.checked_sub(ranks.at(low * RANK_BITS)?)?;
    for index in low * 8..low * 8 + 8 {
        let word = u64_at(words, index * 8)?;
        let members = word.count_ones() as usize;
        if left < members {
            return Some((index * WORD) as u32 + select_in_word(word, left));
        }
        left -= members;
    }
    None
}

/// The position in a word of the set bit that has `rank` set bits below it; the word has more than `rank` set
/// bits. One multiplication gives, for each byte, the number of set bits up to it; these sums locate the byte
/// (Vigna, "Broadword Implementation of Rank/Select Queries", 2008).
#[inline]
fn select_in_word(word: u64, rank: usize) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let pairs = word - ((word >> 1) & (0x55 * ONES));
    let nibbles = (pairs & (0x33 * ONES)) + ((pairs >> 2) & (0x33 * ONES));
    let sums = ((nibbles + (nibbles >> 4)) & (0x0f * ONES)).wrapping_mul(ONES);
    // A byte is before the byte with the wanted bit if the sum up to it is at most the rank. In that case,
    // the subtraction leaves the high bit of the byte set.
    let is_before = (((0x80 * ONES) | (rank as u64 * ONES)) - sums) & (0x80 * ONES);
    let before = (is_before >> 7).wrapping_mul(ONES) >> 56;
    let below = ((sums << 8) >> (8 * before)) & 0xff;
    let mut byte = word >> (8 * before);
    (below..rank as u64).for_each(|_| byte &= byte - 1);
    8 * before as u32 + byte.trailing_zeros()
}

/// Reads members of a [`NodeSet`] by ascending rank. A step reads only the words in between, while
/// [`NodeSet::select`] would begin a new search.
#[derive(Clone, Debug)]
pub struct SetRanks<'a, B> {
    set: &'a NodeSet<B>,
    /// The current word or bucket; `before` is the number of members before it, and `end` is the number of
    /// members before the next bucket.
    place: usize,
    before: usize,
    end: usize,
}

/// The distance in ranks from which a search is cheaper than reading all words in between.
const RANKS_AHEAD: usize = 2048;
/// The distance in ranks from which a search is cheaper than reading all buckets in between.
const BUCKETS_AHEAD: usize = 64;

impl<'a, B: Deref<Target = [u8]> + Clone> SetRanks<'a, B> {
    /// A reader at rank 0.
    pub fn new(set: &'a NodeSet<B>) -> Self {
        Self { set, place: 0, before: 0, end: 0 }
    }

    /// The member with rank `rank`. Fast if the previous rank was slightly lower.
    #[inline]
    pub fn member(&mut self, rank: usize) -> Option<u32> {
        match &self.set.body {
            Body::Range(_) => self.set.select(rank),
            Body::Bitmap { words, .. } => self.member_of_bitmap(words, rank),
            Body::Sparse { buckets, lows } => {
                if !(self.before..self.end).contains(&rank) {
                    self.go_to_bucket(buckets, rank)?;
                }
                Some(self.place as u32 * BUCKET + u32::from(*lows.get(rank)?))
            }
        }
    }

    fn go_to_bucket(&mut self, buckets: &Ints<B>, rank: usize) -> Option<()> {
        let start_of = |bucket: usize| buckets.get_u32(bucket, bucket as u32).map(|start| start as usize);
        if rank >= self.end && self.end > 0 {
            for _ in 0..BUCKETS_AHEAD {
                let end = start_of(self.place + 2)?;
                (self.place, self.before, self.end) = (self.place + 1, self.end, end);
                if rank < end {
                    return Some(());
                }
            }
        }
        self.place = bucket_of(buckets, rank)?;
        (self.before, self.end) = (start_of(self.place)?, start_of(self.place + 1)?);
        Some(())
    }

    #[inline]
    fn member_of_bitmap(&mut self, words: &[u8], rank: usize) -> Option<u32> {
        if rank < self.before || rank - self.before > RANKS_AHEAD || rank >= self.set.count as usize {
            return self.seek(words, rank);
        }
        let limit = (self.set.nodes as usize).div_ceil(WORD);
        while self.place < limit {
            let word = u64_at(words, self.place * 8)?;
            let members = word.count_ones() as usize;
            if rank - self.before < members {
                return Some((self.place * WORD) as u32 + select_in_word(word, rank - self.before));
            }
            self.before += members;
            self.place += 1;
        }
        None
    }

    fn seek(&mut self, words: &[u8], rank: usize) -> Option<u32> {
        let member = self.set.select(rank)?;
        let word = u64_at(words, member as usize / WORD * 8)?;
        let below = (word & ((1u64 << (member as usize % WORD)) - 1)).count_ones() as usize;
        (self.place, self.before) = (member as usize / WORD, rank.checked_sub(below)?);
        Some(member)
    }
}

/// Writes the members of a word to the start of `members`, and returns their number; bit 0 of the word stands
/// for node `first`. The remaining elements are undefined.
///
/// Several members are written at a time, because the number of members in a word is hard to predict, and
/// superfluous writes cost less than a mispredicted branch.
#[inline]
fn members_of(mut word: u64, first: u32, members: &mut [u32; WORD]) -> usize {
    const AT_ONCE: usize = 8;
    let count = word.count_ones() as usize;
    for some in members.chunks_exact_mut(AT_ONCE).take(count.div_ceil(AT_ONCE)) {
        for member in some {
            // The highest bit is set for words without remaining members, so that `trailing_zeros` stays
            // below 64.
            *member = first + (word | 1 << (WORD - 1)).trailing_zeros();
            word &= word.wrapping_sub(1);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_of_a_word_is_found_by_its_rank() {
        let scattered = (0..64u32).map(|bit| 0x9e37_79b9_7f4a_7c15u64.rotate_left(bit) >> (bit / 2));
        for word in [1, 1 << 63, u64::MAX, 0x80 << 56, 0x8080_8080_8080_8080].into_iter().chain(scattered) {
            let bits = (0..64).filter(|bit| word >> bit & 1 != 0);
            bits.enumerate().for_each(|(rank, bit)| assert_eq!(select_in_word(word, rank), bit, "{word:x}"));
        }
    }
}
