//! [`Dictionary`]: turns the codes of a property into codes of a batch, and makes the dictionary of the
//! batch.
//!
//! A bit for each text of the property says whether the batch uses it. The rank of a bit among the set bits
//! is the text's code in the batch, so the dictionary has the order of the property's texts without a sort,
//! and each block of texts is decoded once.

use std::sync::Arc;

use varvite_format::members;
use varvite_graph::{Texts, ValueType};

use super::super::array::Array;
use super::super::text_array::texts_of;

/// The texts of a property.
#[derive(Debug)]
pub(super) struct Dictionary {
    texts: Texts,
    is_text: bool,
    /// A bit for each text that the batch uses; all 0 between two batches.
    used: Vec<u64>,
    /// For each word of `used`, the number of bits that are set in the words before it.
    ranks: Vec<u32>,
}

impl Dictionary {
    pub(super) fn of(texts: &Texts, value_type: ValueType) -> Self {
        let is_text = value_type == ValueType::String;
        Self { texts: texts.clone(), is_text, used: Vec::new(), ranks: Vec::new() }
    }

    /// The bytes of the bits and their ranks.
    pub(super) fn fixed_bytes(&self) -> usize {
        self.words() * (size_of::<u64>() + size_of::<u32>())
    }

    fn words(&self) -> usize {
        (self.texts.len() as usize).div_ceil(64)
    }

    /// The codes of the numbers whose bits are set in `present`, with their dictionary. `None` if the texts
    /// have more than `bytes_max` bytes.
    pub(super) fn encode(&mut self, numbers: &[i64], present: &[u64], bytes_max: usize) -> Option<Array> {
        self.used.resize(self.words(), 0);
        let (mut first, mut end) = (usize::MAX, 0);
        for index in members(present) {
            let Some(number) = numbers.get(index as usize) else { break };
            let word = *number as u64 as usize / 64;
            if let Some(used) = self.used.get_mut(word) {
                *used |= 1 << (*number as u64 % 64);
                (first, end) = (first.min(word), end.max(word + 1));
            }
        }
        let words = first.min(end)..end;
        let count = self.rank(words.clone());
        let codes = numbers.iter().map(|number| self.code(*number)).collect::<Vec<u32>>();
        let first = words.start as u32 * 64;
        let mut used = Vec::with_capacity(count);
        used.extend(members(&self.used[words.clone()]).map(|index| first + index));
        let dictionary = texts_of(&self.texts, self.is_text, &used, bytes_max);
        self.used[words].fill(0);
        Some(Array::numbers(codes).with_dictionary(Arc::new(dictionary?)))
    }

    /// Sets the ranks of some words. Returns the number of their bits.
    fn rank(&mut self, words: std::ops::Range<usize>) -> usize {
        self.ranks.resize(self.used.len(), 0);
        let mut rank = 0;
        for (used, start) in self.used[words.clone()].iter().zip(&mut self.ranks[words]) {
            *start = rank;
            rank += used.count_ones();
        }
        rank as usize
    }

    /// The code in the batch. 0 for a number whose bit is not set, which stands for no text.
    #[inline]
    fn code(&self, number: i64) -> u32 {
        let (word, bit) = (number as u64 as usize / 64, 1u64 << (number as u64 % 64));
        match self.used.get(word).zip(self.ranks.get(word)) {
            Some((used, rank)) if used & bit != 0 => rank + (used & (bit - 1)).count_ones(),
            _ => 0,
        }
    }
}
