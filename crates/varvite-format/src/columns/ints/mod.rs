//! Integer columns: one reader over all encodings of integers.
//!
//! A value is `base + stored`, or `base + stored + key` in a relative column. The caller passes the key: the
//! source node for a neighbour, or the index for an offset. Arithmetic wraps: a damaged file leads to a wrong
//! number, which is checked where it is used, and never to a panic.
//!
//! `body` opens columns and reads values, with an arm for each encoding; `read` reads ids, `find` searches
//! values, `fold` counts and sums them.

mod bits;
mod body;
mod cursor;
mod find;
mod fold;
mod read;
mod width;

use std::ops::Deref;

use self::body::Body;
use self::width::Width;
use crate::columns::two_level::TwoLevel;

pub(crate) use self::body::UNSTORED_MAX;
pub use self::cursor::IntsCursor;

/// A column of integers. Reading one integer takes constant time.
#[derive(Clone, Debug)]
pub struct Ints<B> {
    count: usize,
    base: i64,
    /// A mask of the key: all ones in a relative column, else zero. A mask is cheaper than a branch.
    key_mask: u64,
    body: Body<B>,
}

impl<B: Deref<Target = [u8]> + Clone> Ints<B> {
    /// The number of values.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if there is no value.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A cursor, which is fastest for ascending indexes.
    pub fn cursor(&self) -> IntsCursor<'_, B> {
        IntsCursor::new(self)
    }

    /// Whether values are stored in lanes, each with one base, so that decoding a lane costs little more than
    /// decoding one value.
    pub(crate) fn is_in_lanes(&self) -> bool {
        matches!(self.body, Body::Packed(_) | Body::Local(_))
    }

    /// The bytes of a column with one byte for each value, and the value of byte 0; `None` for other
    /// encodings. The byte 255 stands for a value that is stored elsewhere. More bytes may follow the last
    /// value.
    pub(crate) fn bytes(&self) -> Option<(B, u32)> {
        if self.key_mask != 0 {
            return None;
        }
        let (bytes, step) = match &self.body {
            Body::Capped(capped) => (capped.bytes(), capped.step()),
            Body::Plain(Width::U8, bytes) => (bytes, 0),
            _ => return None,
        };
        Some((bytes.clone(), u32::try_from(self.base.checked_add(step)?).ok()?))
    }

    /// The reader of a two-level column with base 0; `None` for other columns.
    pub(crate) fn levels(&self) -> Option<TwoLevel<B>> {
        match &self.body {
            Body::TwoLevel(levels) if self.base == 0 && self.key_mask == 0 => Some(levels.clone()),
            _ => None,
        }
    }

    /// The length of each list, if the values are the offsets of lists of equal length, that is, a sequence
    /// from zero.
    pub fn list_len(&self) -> Option<usize> {
        match self.body {
            Body::Sequence(step) if self.base == 0 && self.key_mask == 0 => usize::try_from(step).ok(),
            _ => None,
        }
    }

    /// Whether every value equals its index. Offsets with this property belong to lists of length one.
    pub fn is_identity(&self) -> bool {
        self.base == 0 && self.key_mask == 0 && matches!(self.body, Body::Sequence(1))
    }

    /// All values in memory, if they are plain `u32`s; `None` for other columns.
    #[inline]
    pub fn as_u32_slice(&self) -> Option<&[u32]> {
        match &self.body {
            Body::Plain(Width::U32, bytes)
                if self.base == 0 && self.key_mask == 0 && cfg!(target_endian = "little") =>
            {
                bytemuck::try_cast_slice(bytes.get(..4 * self.count)?).ok()
            }
            _ => None,
        }
    }

    /// Value number `index` of a column of bits. Costs one test of a bit. `None` for other columns, and past
    /// the end.
    #[inline]
    pub fn bit(&self, index: usize) -> Option<bool> {
        match &self.body {
            Body::Bits(bytes) if self.base == 0 && self.key_mask == 0 && index < self.count => {
                bytes.get(index / 8).map(|byte| byte >> (index % 8) & 1 != 0)
            }
            _ => None,
        }
    }

    /// Whether values are differences from keys.
    pub fn is_relative(&self) -> bool {
        self.key_mask != 0
    }
}
