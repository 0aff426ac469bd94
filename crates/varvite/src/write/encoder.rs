//! [`Encoder`]: from values to columns that are ready to be written.

use varvite_codec::Codec;
use varvite_format::{
    EncodedColumn, Keys, Profile, Purpose, StringsInput, encode_ints, encode_members, encode_set,
    encode_strings,
};
use varvite_store::{Cancel, PreparedColumn, prepare_until};

use crate::error::Result;

/// Encodes columns for one profile. Cheap to clone; threads may share it.
#[derive(Clone, Debug)]
pub struct Encoder {
    /// What encodings are chosen for.
    pub profile: Profile,
    /// What blocks go through.
    pub codec: Codec,
    cancel: Cancel,
}

impl Encoder {
    /// An encoder for `profile`; blocks of an archive go through `codec`, others are stored as they are.
    pub fn new(profile: Profile, codec: Codec) -> Self {
        let codec = if profile == Profile::Archive { codec } else { Codec::None };
        Self { profile, codec, cancel: Cancel::default() }
    }

    /// The same as a part of work that may be cancelled: soon after `cancel` is set, every call ends with
    /// [`GraphError::Cancelled`](crate::GraphError::Cancelled).
    #[must_use]
    pub fn until(self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self }
    }

    /// A column of numbers of any kind.
    ///
    /// # Errors
    /// A column larger than the format can hold.
    pub fn numbers<T: Copy + Into<i64>>(&self, values: &[T]) -> Result<PreparedColumn> {
        self.ints(values, Keys::None, Purpose::Numbers)
    }

    /// The column of label codes.
    ///
    /// # Errors
    /// As [`Encoder::numbers`].
    pub fn labels(&self, codes: &[u32]) -> Result<PreparedColumn> {
        self.ints(codes, Keys::None, Purpose::Labels)
    }

    /// The shape of a forest whose nodes are in pre-order, from its subtree sizes.
    ///
    /// # Errors
    /// As [`Encoder::numbers`].
    pub fn forest(&self, sizes: &[u32]) -> Result<PreparedForest> {
        let mut distances = vec![0u32; sizes.len()];
        let mut open: Vec<(u32, u32)> = Vec::new();
        for (node, size) in (0u32..).zip(sizes) {
            while open.last().is_some_and(|(_, end)| *end < node) {
                open.pop();
            }
            distances[node as usize] = open.last().map_or(0, |(parent, _)| node - parent);
            open.push((node, node + size));
        }
        Ok(PreparedForest {
            sizes: self.ints(sizes, Keys::None, Purpose::Hops)?,
            parents: self.ints(&distances, Keys::None, Purpose::Hops)?,
        })
    }

    /// A column of numbers near their index.
    ///
    /// # Errors
    /// As [`Encoder::numbers`].
    pub fn rising(&self, values: &[u32]) -> Result<PreparedColumn> {
        self.ints(values, Keys::Index, Purpose::Ids)
    }

    /// Where the lists of some nodes start, and the end of the last.
    ///
    /// # Errors
    /// As [`Encoder::numbers`].
    pub(crate) fn offsets(&self, values: &[u32]) -> Result<PreparedColumn> {
        self.ints(values, Keys::Index, Purpose::Offsets)
    }

    /// A set of nodes, as a bitmap.
    ///
    /// # Errors
    /// As [`Encoder::numbers`].
    pub fn set(&self, bitmap: &[u64], nodes: u32) -> Result<PreparedColumn> {
        self.cancel.check()?;
        self.prepare(encode_set(bitmap, nodes, self.profile)?)
    }

    /// A set of few of many nodes, given as its members, which rise.
    pub(crate) fn members(&self, ids: &[u32], nodes: u32) -> Result<PreparedColumn> {
        self.cancel.check()?;
        self.prepare(encode_members(ids, nodes, self.profile)?)
    }

    /// Texts that lie end to end in `pool`.
    pub(crate) fn texts(&self, pool: &[u8], starts: &[u32]) -> Result<PreparedColumn> {
        self.cancel.check()?;
        let input = StringsInput { pool, starts, lengths: None, sorted: false };
        self.prepare(encode_strings(input, self.profile)?)
    }

    pub(crate) fn ints<T: Copy + Into<i64>>(
        &self,
        values: &[T],
        keys: Keys<'_>,
        purpose: Purpose,
    ) -> Result<PreparedColumn> {
        self.cancel.check()?;
        self.prepare(encode_ints(values, keys, purpose, self.profile)?)
    }

    pub(super) fn prepare(&self, column: EncodedColumn) -> Result<PreparedColumn> {
        Ok(prepare_until(column, self.codec, &self.cancel)?)
    }

    /// A look at the flag that cancels, for long work on texts.
    pub(super) fn check(&self) -> Result<()> {
        Ok(self.cancel.check()?)
    }
}

/// The columns that both directions of the forest edge label follow from.
#[derive(Debug)]
pub struct PreparedForest {
    pub(super) sizes: PreparedColumn,
    pub(super) parents: PreparedColumn,
}

/// The bitmap of the owners that have a list, and where those lists start: what is left when empty lists are taken out
/// of `offsets`.
pub(super) fn take_out_empty(offsets: &[u32]) -> (Vec<u64>, Vec<u32>) {
    let owners = offsets.len() - 1;
    let mut bitmap = vec![0u64; owners.div_ceil(64)];
    let mut starts = Vec::new();
    for (owner, ends) in offsets.windows(2).enumerate() {
        if ends[0] < ends[1] {
            bitmap[owner / 64] |= 1 << (owner % 64);
            starts.push(ends[0]);
        }
    }
    starts.push(offsets[owners]);
    (bitmap, starts)
}
