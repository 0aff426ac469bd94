//! Pools: long runs of bytes that contain texts as slices. A pool is in memory as a whole, or is decoded
//! block by block.
//!
//! The texts of an uncompressed pool are borrowed. A compressed pool is decoded a block at a time, and a text
//! keeps its block in memory while the text lives. A text may begin in one block and end in another; it is
//! then copied into memory of its own.

use std::fmt;
use std::ops::{Deref, Range};

use crate::columns::blocks::{Blocks, InPass, SharedBlocks};
use crate::{ColumnRow, Fault, FormatError, Part, Source};

/// The size of a part in bytes, for a pool that is in memory as a whole.
const WHOLE_PART: usize = 1 << 20;

/// The bytes of a string table.
#[derive(Clone, Debug)]
pub(crate) enum Pool<B> {
    Whole(B),
    Blocks(SharedBlocks<B>),
}

/// The bytes of one text, with the owner that keeps them in memory.
#[derive(Clone)]
pub struct Text<'a, B>(Body<'a, B>);

#[derive(Clone)]
enum Body<'a, B> {
    Borrowed(&'a [u8]),
    InBlock(B, Range<usize>),
    Joined(Vec<u8>),
}

impl<B: Deref<Target = [u8]> + Clone> Pool<B> {
    /// Opens the pool in segment 0 of a row.
    pub(crate) fn open<S: Source<Bytes = B>>(source: &S, row: &ColumnRow) -> Result<Self, S::Error> {
        let part = || Part::Strings(row.encoding, None);
        let id = row.segments[0].ok_or_else(|| FormatError::damaged(part(), Fault::missing_segment(0)))?;
        Ok(match source.blocks(id)? {
            Some(blocks) => Self::Blocks(blocks),
            None => Self::Whole(source.segment(id)?),
        })
    }

    /// The number of bytes.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Whole(bytes) => bytes.len(),
            Self::Blocks(blocks) => usize::try_from(blocks.len()).unwrap_or(usize::MAX),
        }
    }

    /// The size of each part but the last, in bytes.
    pub(crate) fn part_len(&self) -> usize {
        match self {
            Self::Whole(_) => WHOLE_PART,
            Self::Blocks(blocks) => blocks.block_len(),
        }
    }

    /// Part `number`, for a pass over all parts: a block, if the pool is decoded by blocks. Its bytes may be
    /// in `buffer`.
    pub(crate) fn part<'t>(&'t self, number: usize, buffer: &'t mut Vec<u8>) -> Option<Text<'t, B>> {
        let start = number.checked_mul(self.part_len()).filter(|start| *start < self.len())?;
        let len = self.part_len().min(self.len() - start);
        match self {
            Self::Whole(bytes) => bytes.get(start..start + len).map(|part| Text(Body::Borrowed(part))),
            Self::Blocks(blocks) => match blocks.block_in_pass(number, buffer)? {
                InPass::Kept(block) => {
                    block.get(..len)?;
                    Some(Text(Body::InBlock(block, 0..len)))
                }
                InPass::InBuffer => buffer.get(..len).map(|part| Text(Body::Borrowed(part))),
            },
        }
    }

    /// The bytes in `range`; `None` if the range is not inside the pool or its block is damaged.
    #[inline]
    pub(crate) fn text(&self, range: Range<usize>) -> Option<Text<'_, B>> {
        match self {
            Self::Whole(bytes) => bytes.get(range).map(|text| Text(Body::Borrowed(text))),
            Self::Blocks(blocks) => text_in_blocks(&**blocks, range),
        }
    }
}

fn text_in_blocks<'a, B: Deref<Target = [u8]> + Clone>(
    blocks: &dyn Blocks<B>,
    range: Range<usize>,
) -> Option<Text<'a, B>> {
    let inside = range.start <= range.end && range.end as u64 <= blocks.len();
    if !inside || range.is_empty() {
        return inside.then_some(Text(Body::Borrowed(&[])));
    }
    match part_of_one_block(blocks.block_len(), &range) {
        Some((number, part)) => {
            let block = blocks.block(number)?;
            block.get(part.clone())?;
            Some(Text(Body::InBlock(block, part)))
        }
        None => {
            let mut joined = Vec::new();
            join(range, blocks.block_len(), &mut joined, |number| blocks.block(number))?;
            Some(Text(Body::Joined(joined)))
        }
    }
}

/// The number of the block that contains a non-empty range, and the range inside the block; `None` if the
/// range is in several blocks.
#[inline]
fn part_of_one_block(block_len: usize, range: &Range<usize>) -> Option<(usize, Range<usize>)> {
    let number = range.start / block_len;
    let start = number * block_len;
    (range.end - start <= block_len).then(|| (number, range.start - start..range.end - start))
}

/// Copies the bytes of a range in several blocks into one buffer.
fn join<B: Deref<Target = [u8]>>(
    range: Range<usize>,
    block_len: usize,
    output: &mut Vec<u8>,
    mut block: impl FnMut(usize) -> Option<B>,
) -> Option<()> {
    let mut at = range.start;
    while at < range.end {
        let (number, start) = (at / block_len, at % block_len);
        let len = (block_len - start).min(range.end - at);
        output.extend_from_slice(block(number)?.get(start..start + len)?);
        at += len;
    }
    Some(())
}

impl<B: Deref<Target = [u8]>> Deref for Text<'_, B> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Body::Borrowed(text) => text,
            // The range was inside the block when the text was made, and the length of a block never changes.
            Body::InBlock(block, range) => block.get(range.clone()).unwrap_or_default(),
            Body::Joined(text) => text,
        }
    }
}

impl<'a, B: Deref<Target = [u8]>> Text<'a, B> {
    /// The bytes borrowed from the pool; `None` if the text owns its bytes or the block that contains them.
    #[inline]
    pub fn as_borrowed(&self) -> Option<&'a [u8]> {
        match self.0 {
            Body::Borrowed(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the text with a `'static` lifetime, if the text owns its bytes or the block that contains
    /// them.
    ///
    /// # Errors
    /// The bytes, if they are borrowed from the pool.
    pub fn into_held(self) -> Result<Text<'static, B>, &'a [u8]> {
        match self.0 {
            Body::Borrowed(text) => Err(text),
            Body::InBlock(block, range) => Ok(Text(Body::InBlock(block, range))),
            Body::Joined(text) => Ok(Text(Body::Joined(text))),
        }
    }
}

/// A text that is in no pool.
impl<'a, B> From<&'a [u8]> for Text<'a, B> {
    fn from(bytes: &'a [u8]) -> Self {
        Self(Body::Borrowed(bytes))
    }
}

impl<B: Deref<Target = [u8]>> PartialEq for Text<'_, B> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<B: Deref<Target = [u8]>> fmt::Debug for Text<'_, B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&String::from_utf8_lossy(self), formatter)
    }
}

/// Reads many texts of a pool one after another, and keeps the block of the last text.
#[derive(Debug)]
pub(crate) struct PoolReader<'a, B> {
    pool: &'a Pool<B>,
    last: Option<(usize, B)>,
    joined: Vec<u8>,
}

impl<'a, B: Deref<Target = [u8]> + Clone> PoolReader<'a, B> {
    pub(crate) fn new(pool: &'a Pool<B>) -> Self {
        Self { pool, last: None, joined: Vec::new() }
    }

    /// The bytes in `range`, valid until the next call; `None` if the range is not inside the pool or its
    /// block is damaged.
    #[inline]
    pub(crate) fn bytes(&mut self, range: Range<usize>) -> Option<&[u8]> {
        let blocks = match self.pool {
            Pool::Whole(bytes) => return bytes.get(range),
            Pool::Blocks(blocks) => &**blocks,
        };
        if range.start > range.end || range.end as u64 > blocks.len() {
            return None;
        }
        if range.is_empty() {
            return Some(&[]);
        }
        let Some((number, part)) = part_of_one_block(blocks.block_len(), &range) else {
            self.joined.clear();
            join(range, blocks.block_len(), &mut self.joined, |number| blocks.block(number))?;
            return Some(&self.joined);
        };
        if self.last.as_ref().is_none_or(|(last, _)| *last != number) {
            self.last = Some((number, blocks.block(number)?));
        }
        self.last.as_ref()?.1.get(part)
    }
}
