//! String tables of a new file: which texts are slices of which, and in which order codes are given.
//!
//! Texts of a program graph repeat each other: the code of an expression is part of the code of the statement above it.
//! A text that is found in the same property of a node above is stored as a slice of that text. Where that saves
//! little, the table is sorted, so that a text is found by binary search, unless codes in the order of first use are
//! much smaller.

use memchr::memmem;
use varvite_format::{Keys, Purpose, StringsInput, encode_strings, packed_estimate};
use varvite_store::{PreparedColumn, prepare};

use super::encoder::Encoder;
use crate::error::Result;

/// Texts of a property: each distinct one once, and a code for each value.
#[derive(Clone, Copy, Debug)]
pub struct TextsInput<'a> {
    /// Bytes that the texts are cut out of.
    pub bytes: &'a [u8],
    /// Start and length of each text, in the order of first use.
    pub texts: &'a [(u32, u32)],
    /// For each value the index of its text; the number of texts for null.
    pub codes: &'a [u32],
    /// The texts rise in the order of their bytes already: they are stored as they come, and a table that several
    /// properties are given is stored once.
    pub sorted: bool,
    /// The node above each node along the forest edge label, `u32::MAX` for none; empty if owners are not nodes.
    pub parents: &'a [u32],
}

/// Slices are tried for tables of more bytes than this.
const SLICES_MIN: usize = 4096;
/// They must make the pool smaller than this many per cent.
const SLICES_GAIN: usize = 80;
/// How many nodes up a text is looked for.
const ANCESTORS: usize = 3;
/// Texts longer than this are not searched: a few would take all the time.
const HAYSTACK_MAX: usize = 64 << 10;
/// Sorted codes may be this many per cent of the size of codes by first use.
const SORTED_MAX: usize = 104;

/// The columns of values and of texts.
pub(super) fn encode_texts(
    encoder: &Encoder,
    offsets: &[u32],
    input: TextsInput<'_>,
) -> Result<(PreparedColumn, PreparedColumn)> {
    if input.sorted {
        let (pool, starts) = end_to_end(input, 0..input.texts.len());
        let table = StringsInput { pool: &pool, starts: &starts, lengths: None, sorted: true };
        return encode(encoder, input.codes, table);
    }
    let total: usize = input.texts.iter().map(|(_, len)| *len as usize).sum();
    if total > SLICES_MIN && !input.parents.is_empty() {
        let sliced = Sliced::of(offsets, input);
        if sliced.pool.len() * 100 < total * SLICES_GAIN {
            let lengths: Vec<u32> = input.texts.iter().map(|(_, len)| *len).collect();
            let table = StringsInput {
                pool: &sliced.pool,
                starts: &sliced.starts,
                lengths: Some(&lengths),
                sorted: false,
            };
            return encode(encoder, input.codes, table);
        }
    }
    let order = sorted_order(input);
    let codes: Vec<u32> = match order.is_empty() {
        true => input.codes.to_vec(),
        false => recode(input, &order),
    };
    let in_order = |index: usize| order.get(index).map_or(index, |old| *old as usize);
    let (pool, starts) = end_to_end(input, (0..input.texts.len()).map(in_order));
    let table = StringsInput { pool: &pool, starts: &starts, lengths: None, sorted: !order.is_empty() };
    encode(encoder, &codes, table)
}

fn encode(
    encoder: &Encoder,
    codes: &[u32],
    table: StringsInput<'_>,
) -> Result<(PreparedColumn, PreparedColumn)> {
    let values = encoder.ints(codes, Keys::None, Purpose::Numbers)?;
    Ok((values, prepare(encode_strings(table, encoder.profile)?, encoder.codec)?))
}

/// The texts with these indexes one after another, and where each starts.
fn end_to_end(input: TextsInput<'_>, indexes: impl Iterator<Item = usize>) -> (Vec<u8>, Vec<u32>) {
    let (mut pool, mut starts) = (Vec::new(), vec![0u32]);
    for index in indexes {
        pool.extend_from_slice(bytes_of(input, input.texts[index]));
        starts.push(pool.len() as u32);
    }
    (pool, starts)
}

fn bytes_of(input: TextsInput<'_>, (start, len): (u32, u32)) -> &[u8] {
    &input.bytes[start as usize..start as usize + len as usize]
}

/// Texts in the order of their bytes; empty if codes in that order would be much larger.
fn sorted_order(input: TextsInput<'_>) -> Vec<u32> {
    let mut order: Vec<u32> = (0..input.texts.len() as u32).collect();
    order.sort_by_key(|code| bytes_of(input, input.texts[*code as usize]));
    let sorted = recode(input, &order);
    let small = packed_estimate(&sorted) * 100 <= packed_estimate(input.codes) * SORTED_MAX;
    if small { order } else { Vec::new() }
}

fn recode(input: TextsInput<'_>, order: &[u32]) -> Vec<u32> {
    let null = input.texts.len() as u32;
    let mut new_of_old = vec![null; input.texts.len() + 1];
    for (new, old) in order.iter().enumerate() {
        new_of_old[*old as usize] = new as u32;
    }
    input.codes.iter().map(|code| new_of_old[*code as usize]).collect()
}

/// A pool in which texts may overlap.
struct Sliced {
    pool: Vec<u8>,
    starts: Vec<u32>,
}

const UNPLACED: u32 = u32::MAX;

impl Sliced {
    fn of(offsets: &[u32], input: TextsInput<'_>) -> Self {
        let mut sliced = Self { pool: Vec::new(), starts: vec![UNPLACED; input.texts.len()] };
        for (owner, ends) in offsets.windows(2).enumerate() {
            for code in &input.codes[ends[0] as usize..ends[1] as usize] {
                if sliced.starts.get(*code as usize) != Some(&UNPLACED) {
                    continue;
                }
                let text = bytes_of(input, input.texts[*code as usize]);
                let start = sliced.find_above(offsets, input, owner as u32, text).unwrap_or_else(|| {
                    sliced.pool.extend_from_slice(text);
                    (sliced.pool.len() - text.len()) as u32
                });
                sliced.starts[*code as usize] = start;
            }
        }
        sliced
    }

    /// Where `text` stands in the text of a node above `owner`.
    fn find_above(&self, offsets: &[u32], input: TextsInput<'_>, owner: u32, text: &[u8]) -> Option<u32> {
        let mut node = owner;
        let finder = memmem::Finder::new(text);
        for _ in 0..ANCESTORS {
            node = input.parents.get(node as usize).copied().filter(|parent| *parent != u32::MAX)?;
            let first = offsets[node as usize] as usize..offsets[node as usize + 1] as usize;
            let Some(code) = input.codes[first].first().map(|code| *code as usize) else { continue };
            let Some(start) = self.starts.get(code).copied().filter(|start| *start != UNPLACED) else {
                continue;
            };
            let haystack = &self.pool[start as usize..start as usize + input.texts[code].1 as usize];
            if haystack.len() > HAYSTACK_MAX {
                continue;
            }
            if let Some(at) = finder.find(haystack) {
                return Some(start + at as u32);
            }
        }
        None
    }
}
