//! [`Encoder`]: encodes values as columns that are ready to be written.

use varvite_codec::{Codec, Coding};
use varvite_format::{
    EncodedColumn, Fault, InputError, Keys, Profile, Purpose, StringsInput, encode_ints, encode_members,
    encode_set, encode_strings,
};
use varvite_store::{Cancel, PreparedColumn, prepare_for_memory, prepare_until};

use super::seen::{CodesSeen, EdgesSeen, ForestScan, NodesSeen};
use crate::change_error::ChangeError;
use crate::error::Result;

/// The codec for texts of layers. At level 9, zstd stores C code in a quarter of its bytes, where LZ4 takes
/// nearly a third.
pub(super) const TEXT_CODING: Coding = Coding { codec: Codec::Zstd, level: 9 };

/// An encoder of columns for one profile. Cloning is cheap; threads may share it.
#[derive(Clone, Debug)]
pub struct Encoder {
    /// The storage profile, which decides how columns are encoded.
    pub profile: Profile,
    /// The codec that compresses blocks.
    pub codec: Codec,
    cancel: Cancel,
    is_for_memory: bool,
    /// How pools of texts are compressed; `None` if the profile decides.
    pub(super) pool_coding: Option<Coding>,
}

impl Encoder {
    /// Creates an encoder for `profile`. Blocks of an archive are compressed by `codec`; blocks of other
    /// profiles are not compressed.
    pub fn new(profile: Profile, codec: Codec) -> Self {
        let codec = if profile == Profile::Archive { codec } else { Codec::None };
        Self { profile, codec, cancel: Cancel::default(), is_for_memory: false, pool_coding: None }
    }

    /// Creates an encoder of columns that are never written to a file. These columns have the direct profile
    /// and no digests.
    pub(crate) fn for_memory() -> Self {
        Self { is_for_memory: true, ..Self::new(Profile::Direct, Codec::None) }
    }

    /// The same encoder with a flag for cancellation: soon after `cancel` is set, every call fails with
    /// [`GraphError::Cancelled`](crate::GraphError::Cancelled).
    #[must_use]
    pub fn until(self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self }
    }

    /// The same encoder, which stores each pool of texts whole and compressed, whatever the profile.
    pub(super) fn with_coded_pools(&self) -> Self {
        Self { pool_coding: Some(TEXT_CODING), ..self.clone() }
    }

    /// Encodes a column of numbers of any kind.
    ///
    /// # Errors
    /// A column larger than the format can hold; [`GraphError::Cancelled`](crate::GraphError::Cancelled).
    pub(crate) fn numbers<T: Copy + Into<i64>>(&self, values: &[T]) -> Result<PreparedColumn, ChangeError> {
        self.ints(values, Keys::None, Purpose::Numbers)
    }

    /// Encodes the column of label codes: for each node, the row of its label set.
    ///
    /// # Errors
    /// A column larger than the format can hold; [`GraphError::Cancelled`](crate::GraphError::Cancelled).
    pub fn labels(&self, codes: &[u32]) -> Result<PreparedLabels, ChangeError> {
        Ok(PreparedLabels { column: self.codes(codes)?, seen: CodesSeen::of(codes) })
    }

    /// The same as [`Encoder::labels`], for codes that were checked elsewhere.
    pub(crate) fn codes(&self, codes: &[u32]) -> Result<PreparedColumn, ChangeError> {
        self.ints(codes, Keys::None, Purpose::Labels)
    }

    /// Encodes the shape of a forest, given by its subtree sizes. The nodes of the forest must be in
    /// pre-order.
    ///
    /// # Errors
    /// [`ChangeError::Input`] for a subtree that does not lie inside the enclosing subtree; the errors of
    /// [`Encoder::labels`].
    pub fn forest(&self, sizes: &[u32]) -> Result<PreparedForest, ChangeError> {
        let nodes = node_count(sizes.len())?;
        let (mut scan, mut distances) = (ForestScan::default(), Vec::with_capacity(sizes.len()));
        for (node, size) in (0u32..).zip(sizes) {
            distances.push(scan.next(node, *size, nodes)?);
        }
        Ok(PreparedForest {
            seen: scan.finish(nodes),
            sizes: self.ints(sizes, Keys::None, Purpose::Hops)?,
            parents: self.ints(&distances, Keys::None, Purpose::Hops)?,
        })
    }

    /// Encodes the origins of a label's nodes. `numbers` has, in the order of ranks, the number of each node
    /// among the `origin_count` nodes of that label in the imported file.
    ///
    /// # Errors
    /// [`ChangeError::Input`] for a number that is not below `origin_count`, or that occurs twice; the errors
    /// of [`Encoder::labels`].
    pub fn origin(&self, numbers: &[u32], origin_count: u32) -> Result<PreparedOrigin, ChangeError> {
        let mut taken = vec![0u64; (origin_count as usize).div_ceil(64).min(numbers.len() + 1)];
        check_origin(numbers, origin_count, &mut taken)?;
        let column = self.ints(numbers, Keys::Index, Purpose::Ids)?;
        Ok(PreparedOrigin { column, count: numbers.len() as u64, origin_count })
    }

    /// Encodes the starts of lists, followed by the end of the last list.
    ///
    /// # Errors
    /// The errors of [`Encoder::numbers`].
    pub(crate) fn offsets(&self, values: &[u32]) -> Result<PreparedColumn, ChangeError> {
        self.ints(values, Keys::Index, Purpose::Offsets)
    }

    /// Encodes a set of nodes, given as a bitmap of `nodes` bits, with 64 bits in a word and zeros after the
    /// last node.
    ///
    /// # Errors
    /// [`ChangeError::Input`] for a bitmap of another length, or a bit after the last node; the errors of
    /// [`Encoder::labels`].
    pub fn set(&self, bitmap: &[u64], nodes: u32) -> Result<PreparedSet, ChangeError> {
        let column = self.bitmap(bitmap, nodes)?;
        Ok(PreparedSet { column, universe: nodes, seen: NodesSeen::of_bitmap(bitmap) })
    }

    /// Encodes a set of few nodes among many, given as a list of its members.
    ///
    /// # Errors
    /// [`ChangeError::Input`] for members that do not ascend, or are not nodes; the errors of
    /// [`Encoder::labels`].
    pub fn set_of(&self, ids: &[u32], nodes: u32) -> Result<PreparedSet, ChangeError> {
        let column = self.members(ids, nodes)?;
        Ok(PreparedSet { column, universe: nodes, seen: NodesSeen::of(ids.iter().copied()) })
    }

    /// Encodes the column of a set, given as a bitmap.
    pub(crate) fn bitmap(&self, bitmap: &[u64], nodes: u32) -> Result<PreparedColumn, ChangeError> {
        self.cancel.check()?;
        self.prepare(encode_set(bitmap, nodes, self.profile)?)
    }

    /// Encodes the column of a set, given as its members in ascending order.
    pub(crate) fn members(&self, ids: &[u32], nodes: u32) -> Result<PreparedColumn, ChangeError> {
        self.cancel.check()?;
        self.prepare(encode_members(ids, nodes, self.profile)?)
    }

    /// Encodes texts that are concatenated in `pool`.
    pub(crate) fn texts(&self, pool: &[u8], starts: &[u32]) -> Result<PreparedColumn, ChangeError> {
        self.cancel.check()?;
        let input = StringsInput { pool, starts, lengths: None, sorted: false };
        self.prepare(encode_strings(input, self.profile)?)
    }

    pub(crate) fn ints<T: Copy + Into<i64>>(
        &self,
        values: &[T],
        keys: Keys<'_>,
        purpose: Purpose,
    ) -> Result<PreparedColumn, ChangeError> {
        self.cancel.check()?;
        self.prepare(encode_ints(values, keys, purpose, self.profile)?)
    }

    pub(super) fn prepare(&self, column: EncodedColumn) -> Result<PreparedColumn, ChangeError> {
        if self.is_for_memory {
            return Ok(prepare_for_memory(column)?);
        }
        Ok(prepare_until(column, self.codec, &self.cancel)?)
    }

    /// Fails if the work was cancelled. Long work on texts calls this method from time to time.
    pub(super) fn check(&self) -> Result<(), ChangeError> {
        Ok(self.cancel.check()?)
    }
}

/// The columns of the tree label's forest, from which readers compute the edges of both directions.
#[derive(Debug)]
pub struct PreparedForest {
    pub(super) seen: EdgesSeen,
    pub(super) sizes: PreparedColumn,
    pub(super) parents: PreparedColumn,
}

/// The codes of the label sets of all nodes, ready to be written.
#[derive(Debug)]
pub struct PreparedLabels {
    pub(super) column: PreparedColumn,
    pub(super) seen: CodesSeen,
}

/// A set of nodes, ready to be written.
#[derive(Debug)]
pub struct PreparedSet {
    pub(super) column: PreparedColumn,
    pub(super) universe: u32,
    pub(super) seen: NodesSeen,
}

/// The origins of a label's nodes (their numbers in the imported file), ready to be written.
#[derive(Debug)]
pub struct PreparedOrigin {
    pub(super) column: PreparedColumn,
    pub(super) count: u64,
    pub(super) origin_count: u32,
}

fn node_count(found: usize) -> std::result::Result<u32, InputError> {
    u32::try_from(found).map_err(|_| {
        let fault = Fault::TooMany { what: "sizes", most: u32::MAX.into(), found: found as u64 };
        InputError::new("subtree sizes", fault)
    })
}

/// Checks that numbers are unique and below `count`.
fn check_origin(numbers: &[u32], count: u32, taken: &mut [u64]) -> std::result::Result<(), InputError> {
    // `taken` has a bit for each number in the usual range. Numbers beyond this range can come only from a
    // caller's mistake; they are collected in `far`, and are few.
    let mut far = std::collections::BTreeSet::new();
    for (at, number) in (0u64..).zip(numbers) {
        if *number >= count {
            let (most, found) = (i64::from(count) - 1, Some((*number).into()));
            let fault = Fault::Number { what: "origin of rank", at: Some(at), least: 0, most, found };
            return Err(InputError::new("origin", fault));
        }
        let is_new = match taken.get_mut(*number as usize / 64) {
            Some(word) => {
                let (before, bit) = (*word, 1 << (number % 64));
                *word |= bit;
                before & bit == 0
            }
            None => far.insert(*number),
        };
        if !is_new {
            let fault = Fault::Twice { what: "number", which: format!("{number} at {at}") };
            return Err(InputError::new("origin", fault));
        }
    }
    Ok(())
}
