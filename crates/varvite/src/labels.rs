//! Node labels: one code for each node, which stands for a set of labels.

use std::sync::Arc;

use varvite_format::{Ints, LabelId, NodeSet, SmallInts, SmallLimit};
use varvite_store::Pinned;

use crate::damage::Damage;

/// The label sets of all nodes.
#[derive(Clone, Debug)]
pub struct Labels {
    codes: SmallInts<Pinned>,
    limit: SmallLimit,
    masks: Arc<[u64]>,
    words: usize,
    /// How many label sets there are.
    count: u32,
    damage: Damage,
}

impl Labels {
    pub(crate) fn new(codes: Ints<Pinned>, masks: Arc<[u64]>, words: usize, damage: Damage) -> Self {
        let count = (masks.len() / words) as u32;
        let codes = SmallInts::new(codes);
        Self { limit: codes.limit(count), codes, masks, words, count, damage }
    }

    /// The code of a node's label set: nodes with equal codes have equal labels. `u32::MAX` where it can't be read.
    #[inline]
    pub fn code(&self, node: u32) -> u32 {
        self.known_code(node).unwrap_or(u32::MAX)
    }

    /// The same; none where it can't be read.
    #[inline]
    pub(crate) fn known_code(&self, node: u32) -> Option<u32> {
        let code = self.codes.get_below(node as usize, self.limit);
        if code.is_none() {
            self.damage.note("labels", node);
        }
        code
    }

    /// The first 64 labels of a node, one bit each: all of them, in most graphs. One load for the code, one for the
    /// mask.
    #[inline]
    pub fn word(&self, node: u32) -> u64 {
        self.mask(self.code(node)).first().copied().unwrap_or(0)
    }

    /// Whether a node has a label.
    #[inline]
    pub fn has(&self, node: u32, label: LabelId) -> bool {
        self.known_code(node).is_some_and(|code| self.code_has(code, label))
    }

    /// A test for one label, faster than [`Labels::has`]: for loops that ask again and again.
    pub fn test(&self, label: LabelId) -> LabelTest {
        let codes = (0..self.code_count()).filter(|code| self.code_has(*code, label));
        LabelTest { labels: self.clone(), with_label: codes.collect() }
    }

    /// Whether the label set of a code contains a label.
    #[inline]
    pub fn code_has(&self, code: u32, label: LabelId) -> bool {
        let place = label.0 as usize / 64;
        let word = match place < self.words {
            true => self.masks.get((code as usize).saturating_mul(self.words).saturating_add(place)),
            false => None,
        };
        word.is_some_and(|word| word >> (label.0 % 64) & 1 != 0)
    }

    /// The labels of a node, rising.
    pub fn of(&self, node: u32) -> impl Iterator<Item = LabelId> + '_ {
        self.of_code(self.code(node))
    }

    /// The labels that a code stands for, rising.
    pub fn of_code(&self, code: u32) -> impl Iterator<Item = LabelId> + '_ {
        let bits = self.mask(code).iter().enumerate();
        bits.flat_map(|(index, word)| {
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| LabelId(index as u32 * 64 + bit))
        })
    }

    /// The codes of all nodes.
    pub(crate) fn codes(&self) -> &Ints<Pinned> {
        self.codes.ints()
    }

    /// The codes of a range of nodes as they lie in memory, a byte each; none where they don't.
    pub(crate) fn bytes(&self, nodes: std::ops::Range<u32>) -> Option<&[u8]> {
        let (bytes, offset) = self.codes.bytes().filter(|_| self.code_count() < 256)?;
        bytes.get(nodes.start as usize..nodes.end as usize).filter(|_| offset == 0)
    }

    /// Notes that a code makes no sense.
    pub(crate) fn note_damage(&self) {
        self.damage.note("labels", 0);
    }

    /// How many different label sets there are; codes are below it.
    pub fn code_count(&self) -> u32 {
        self.count
    }

    #[inline]
    fn mask(&self, code: u32) -> &[u64] {
        let start = (code as usize).saturating_mul(self.words);
        self.masks.get(start..start.saturating_add(self.words)).unwrap_or(&[])
    }
}

/// A test for one label.
#[derive(Clone, Debug)]
pub struct LabelTest {
    labels: Labels,
    /// Codes of the label sets that have the label: one, unless nodes have several labels.
    with_label: Vec<u32>,
}

impl LabelTest {
    /// Whether a node has the label.
    #[inline]
    pub fn matches(&self, node: u32) -> bool {
        self.labels.known_code(node).is_some_and(|code| self.with_label.contains(&code))
    }
}

/// The nodes of one label.
#[derive(Clone, Debug)]
pub struct LabelNodes {
    pub(crate) set: NodeSet<Pinned>,
}

impl LabelNodes {
    /// How many there are.
    pub fn len(&self) -> u32 {
        self.set.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Whether `node` is one of them.
    #[inline]
    pub fn contains(&self, node: u32) -> bool {
        self.set.contains(node)
    }

    /// Their ids, rising.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.set.iter()
    }

    /// Their ids from `start` on, rising.
    pub fn iter_from(&self, start: u32) -> impl Iterator<Item = u32> + '_ {
        self.set.iter_from(start)
    }

    /// How many of them have an id in `range`: two rank queries, whatever its length.
    pub fn count_in(&self, range: std::ops::Range<u32>) -> u32 {
        let rank = |node| self.set.rank(node).unwrap_or(0) as u32;
        rank(range.end).saturating_sub(rank(range.start))
    }
}
