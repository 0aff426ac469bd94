//! String tables of a new file: texts as slices of other texts, and the order of codes.
//!
//! If slices ([`Sliced`]) save little, the encoder sorts the texts, so that a binary search finds a text. It
//! does not sort them if sorted codes take much more space than codes in the order of first use.

use std::hash::{BuildHasher, RandomState};

use varvite_format::{Fault, InputError, Keys, Purpose, StringsInput, encode_strings_over, packed_estimate};
use varvite_store::PreparedColumn;

use super::encoder::Encoder;
use super::index::{IndexInput, PreparedIndex};
use super::input::{CutInput, TextsInput, text_twice};
use super::slices::Sliced;
use crate::change_error::ChangeError;
use crate::error::Result;

impl<'a> TextsInput<'a> {
    /// The bytes of a text, by its index.
    pub(super) fn bytes_of(&self, text: usize) -> &'a [u8] {
        let (start, len) = self.texts[text];
        &self.bytes[start as usize..start as usize + len as usize]
    }

    /// The total bytes of the texts.
    pub(super) fn total(&self) -> usize {
        self.texts.iter().map(|(_, len)| *len as usize).sum()
    }

    fn lengths(&self) -> Vec<u32> {
        self.texts.iter().map(|(_, len)| *len).collect()
    }

    /// The bytes of a text, by its code.
    fn text(&self, code: u32) -> &'a [u8] {
        self.bytes_of(code as usize)
    }

    /// Fails if a text occurs twice. `order` has the codes in the order of their texts; without `order`,
    /// texts are compared by a hash with a secret seed.
    fn check_distinct(&self, order: Option<&[u32]>) -> Result<(), ChangeError> {
        let twice = match order {
            Some(order) => {
                order.windows(2).find(|pair| self.text(pair[0]) == self.text(pair[1])).map(|it| it[1])
            }
            None => self.equal_texts(),
        };
        match twice {
            None => Ok(()),
            Some(code) => Err(text_twice(code).into()),
        }
    }

    /// The later of two equal texts, if there are any. Each text's hash selects one bit of a table that has
    /// eight bits for each text. Most texts have a bit of their own, so they are unique; only texts that
    /// share a bit are sorted and compared.
    fn equal_texts(&self) -> Option<u32> {
        let seed = RandomState::new().hash_one(0);
        let hashes: Vec<u64> =
            (0..self.texts.len() as u32).map(|code| varvite_codec::hash(self.text(code), seed)).collect();
        let words = (hashes.len() / 8).next_power_of_two();
        let place = |hash: u64| ((hash >> 6) as usize & (words - 1), 1u64 << (hash & 63));
        let (mut once, mut again) = (vec![0u64; words], vec![0u64; words]);
        for hash in &hashes {
            let (word, bit) = place(*hash);
            again[word] |= once[word] & bit;
            once[word] |= bit;
        }
        let is_shared = |hash: u64| {
            let (word, bit) = place(hash);
            again[word] & bit != 0
        };
        let mut shared: Vec<(u64, u32)> =
            hashes.iter().copied().zip(0u32..).filter(|(hash, _)| is_shared(*hash)).collect();
        shared.sort_unstable();
        let is_equal =
            |pair: &[(u64, u32)]| pair[0].0 == pair[1].0 && self.text(pair[0].1) == self.text(pair[1].1);
        shared.windows(2).find(|pair| is_equal(pair)).map(|pair| pair[1].1)
    }

    /// Checks that texts ascend.
    fn check_sorted(&self) -> Result<(), ChangeError> {
        let falls = |code: &u32| self.text(*code - 1) >= self.text(*code);
        match (1..self.texts.len() as u32).find(falls) {
            None => Ok(()),
            Some(at) => {
                let fault = Fault::Order { what: "texts that rise, each once", at: at.into() };
                Err(InputError::new("texts", fault).into())
            }
        }
    }
}

/// The size in bytes above which slices are tried for a table.
const SLICES_MIN: usize = 4096;
/// Slices are used only if they shrink the pool to less than this percentage of its size.
const SLICES_GAIN: usize = 80;
/// Texts are sorted only if sorted codes take at most this percentage of the size of codes in the order of
/// first use.
const SORTED_MAX: usize = 104;

/// The columns of values, of texts, and of their index.
#[derive(Debug)]
pub(super) struct PreparedTexts {
    pub(super) values: PreparedColumn,
    pub(super) strings: PreparedColumn,
    pub(super) index: Option<PreparedIndex>,
}

/// An encoder of texts. It also builds an index of the texts, if `label_sets` is present.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextEncoder<'a> {
    pub(super) encoder: &'a Encoder,
    pub(super) label_sets: Option<&'a [u32]>,
}

impl TextEncoder<'_> {
    /// Encodes the columns of a property whose values start at `offsets`.
    pub(super) fn encode(
        &self,
        offsets: &[u32],
        input: TextsInput<'_>,
    ) -> Result<PreparedTexts, ChangeError> {
        if input.sorted {
            input.check_sorted()?;
            let (pool, starts) = end_to_end(input, 0..input.texts.len());
            let table = StringsInput { pool: &pool, starts: &starts, lengths: None, sorted: true };
            return self.with_index(offsets, input.codes, table);
        }
        let may_slice = self.encoder.pool_coding.is_none() && !input.parents.is_empty();
        if may_slice && input.total() > SLICES_MIN {
            let sliced = Sliced::of(offsets, input, None, self.encoder)?;
            if sliced.pool.len() * 100 < input.total() * SLICES_GAIN {
                // If an index is built, that step finds equal texts.
                if self.label_sets.is_none() {
                    input.check_distinct(None)?;
                }
                let (pool, starts, lengths) = (&sliced.pool, &sliced.starts, Some(&input.lengths()[..]));
                let table = StringsInput { pool, starts, lengths, sorted: false };
                return self.with_index(offsets, input.codes, table);
            }
        }
        self.encoder.check()?;
        let order = sorted_order(input)?;
        self.encoder.check()?;
        let codes: Vec<u32> = match order.is_empty() {
            true => input.codes.to_vec(),
            false => recode(input, &order),
        };
        let in_order = |index: usize| order.get(index).map_or(index, |old| *old as usize);
        let (pool, starts) = end_to_end(input, (0..input.texts.len()).map(in_order));
        let table = StringsInput { pool: &pool, starts: &starts, lengths: None, sorted: !order.is_empty() };
        self.with_index(offsets, &codes, table)
    }

    /// Encodes the columns of two properties, where texts of the second are slices of those of the first;
    /// `None` if only few texts are such slices.
    pub(super) fn encode_cut(
        &self,
        slices: &TextEncoder<'_>,
        input: CutInput<'_>,
    ) -> Result<Option<[PreparedTexts; 2]>, ChangeError> {
        let CutInput { source_offsets, source, offsets, parts, places } = input;
        let (pool, mut source_starts) = end_to_end(source, 0..source.texts.len());
        let source_len = pool.len();
        if source_len + parts.total() > u32::MAX as usize {
            return Ok(None);
        }
        let sliced = Sliced::of(offsets, parts, Some((pool, places)), self.encoder)?;
        if (sliced.pool.len() - source_len) * 100 >= parts.total() * SLICES_GAIN {
            return Ok(None);
        }
        let (pool, starts, lengths) = (&sliced.pool[..], &sliced.starts[..], parts.lengths());
        let table = StringsInput { pool, starts, lengths: Some(&lengths), sorted: false };
        for (encoder, texts) in [(self, source), (slices, parts)] {
            if encoder.label_sets.is_none() {
                texts.check_distinct(None)?;
            }
        }
        let cut = slices.with_index(offsets, parts.codes, table)?;
        source_starts.pop();
        let (starts, lengths) = (&source_starts[..], source.lengths());
        let table = StringsInput { pool, starts, lengths: Some(&lengths), sorted: false };
        let (values, strings) =
            self.columns(source.codes, StringsInput { pool: &[], ..table }, table.pool.len())?;
        let strings = strings.over_segments_of(&cut.strings);
        let index = self.index(source_offsets, source.codes, table)?;
        Ok(Some([PreparedTexts { values, strings, index }, cut]))
    }

    fn with_index(
        &self,
        offsets: &[u32],
        codes: &[u32],
        texts: StringsInput<'_>,
    ) -> Result<PreparedTexts, ChangeError> {
        let (values, strings) = self.columns(codes, texts, texts.pool.len())?;
        Ok(PreparedTexts { values, strings, index: self.index(offsets, codes, texts)? })
    }

    /// Encodes the columns of codes and of their texts; the texts are ranges of a pool of `pool_len` bytes.
    fn columns(
        &self,
        codes: &[u32],
        texts: StringsInput<'_>,
        pool_len: usize,
    ) -> Result<(PreparedColumn, PreparedColumn), ChangeError> {
        let values = self.encoder.ints(codes, Keys::None, Purpose::Numbers)?;
        self.encoder.check()?;
        let mut strings = encode_strings_over(texts, pool_len, self.encoder.profile)?;
        if self.encoder.pool_coding.is_some() {
            strings.segments.iter_mut().for_each(|pool| pool.coding = self.encoder.pool_coding);
        }
        Ok((values, self.encoder.prepare(strings)?))
    }

    fn index(
        &self,
        offsets: &[u32],
        codes: &[u32],
        texts: StringsInput<'_>,
    ) -> Result<Option<PreparedIndex>, ChangeError> {
        let index = |label_sets| self.encoder.text_index(IndexInput { offsets, codes, texts, label_sets });
        self.label_sets.map(index).transpose()
    }
}

/// Concatenates the texts with these indexes, and returns the start of each.
fn end_to_end(input: TextsInput<'_>, indexes: impl Iterator<Item = usize>) -> (Vec<u8>, Vec<u32>) {
    let (mut pool, mut starts) = (Vec::new(), vec![0u32]);
    for index in indexes {
        pool.extend_from_slice(input.bytes_of(index));
        starts.push(pool.len() as u32);
    }
    (pool, starts)
}

/// The texts sorted by their bytes; empty if codes in that order would be much larger.
///
/// # Errors
/// A text that occurs twice.
fn sorted_order(input: TextsInput<'_>) -> Result<Vec<u32>, ChangeError> {
    let mut order: Vec<u32> = (0..input.texts.len() as u32).collect();
    order.sort_by_key(|code| input.bytes_of(*code as usize));
    input.check_distinct(Some(&order))?;
    let sorted = recode(input, &order);
    let small = packed_estimate(&sorted) * 100 <= packed_estimate(input.codes) * SORTED_MAX;
    Ok(if small { order } else { Vec::new() })
}

fn recode(input: TextsInput<'_>, order: &[u32]) -> Vec<u32> {
    let null = input.texts.len() as u32;
    let mut new_of_old = vec![null; input.texts.len() + 1];
    for (new, old) in order.iter().enumerate() {
        new_of_old[*old as usize] = new as u32;
    }
    input.codes.iter().map(|code| new_of_old[*code as usize]).collect()
}
