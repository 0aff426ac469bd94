//! String tables: each distinct text of a property is stored once, and is found by its code.
//!
//! There are two encodings. The texts of `entries` follow each other in the pool, so one column of ascending
//! offsets suffices. The texts of `slices` have an offset and a length each and may overlap, so that a text
//! that is part of another takes no bytes of the pool. The code that equals the count stands for null, which
//! some imported graphs contain.

use std::ops::{Deref, Range};

use crate::columns::column::child;
use crate::columns::pool::{Pool, PoolReader, Text};
use crate::{ColumnId, Encoding, Fault, FormatError, Ints, Part, Result, Source};

/// A reader of a string table.
#[derive(Clone, Debug)]
pub struct Strings<B> {
    count: u32,
    sorted: bool,
    starts: Ints<B>,
    lengths: Option<Ints<B>>,
    pool: Pool<B>,
}

impl<B: Deref<Target = [u8]> + Clone> Strings<B> {
    /// Opens a reader of the string table `column`.
    ///
    /// # Errors
    /// Damage, if the column is no string table or its child columns do not fit together.
    pub fn open<S: Source<Bytes = B>>(source: &S, column: ColumnId) -> Result<Self, S::Error> {
        Self::open_parts(source, column).map_err(|error| source.located(error))
    }

    fn open_parts<S: Source<Bytes = B>>(source: &S, column: ColumnId) -> Result<Self, S::Error> {
        let row = source.row(column)?;
        let part = || Part::Strings(row.encoding, Some(column));
        let count = u32::try_from(row.count).map_err(|_| {
            let fault = Fault::TooMany { what: "texts", most: u32::MAX.into(), found: row.count };
            FormatError::damaged(part(), fault)
        })?;
        let starts = Ints::open(source, child(&row, 0)?)?;
        let (lengths, expected) = match row.encoding {
            Encoding::Entries => (None, count as usize + 1),
            Encoding::Slices => (Some(Ints::open(source, child(&row, 1)?)?), count as usize),
            found => {
                let fault = Fault::Encoding { expected: "string table", found };
                return Err(FormatError::damaged(part(), fault).into());
            }
        };
        let found = lengths.as_ref().map_or(starts.len(), |lengths| lengths.len().min(starts.len()));
        if found != expected || starts.len() != expected {
            let (expected, found) = (expected as u64, found as u64);
            let fault = Fault::Count { what: "offsets", expected, found };
            return Err(FormatError::damaged(part(), fault).into());
        }
        Ok(Self { count, sorted: row.sorted, starts, lengths, pool: Pool::open(source, &row)? })
    }

    /// The number of texts, which is also the code of null.
    #[inline]
    pub fn len(&self) -> u32 {
        self.count
    }

    /// True if there is no text.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The bytes of a text. `None` for null, for a code out of range, and if the table is damaged.
    ///
    /// Costs nothing if the pool is not compressed. Otherwise the text pins one decoded block while it lives;
    /// a loop over many texts is faster with [`Strings::reader`].
    #[inline]
    pub fn get(&self, code: u32) -> Option<Text<'_, B>> {
        self.pool.text(self.range(code)?)
    }

    /// The number of bytes of a text. `None` as for [`Strings::get`].
    pub fn text_len(&self, code: u32) -> Option<usize> {
        let range = self.range(code)?;
        range.end.checked_sub(range.start).filter(|_| range.end <= self.pool.len())
    }

    /// Part of the bytes of a text. `None` as for [`Strings::get`], and if `part` is not inside the text.
    /// Only the blocks that contain the part are decoded.
    pub fn part_of(&self, code: u32, part: Range<usize>) -> Option<Text<'_, B>> {
        let text = self.range(code)?;
        let (start, end) = (text.start.checked_add(part.start)?, text.start.checked_add(part.end)?);
        if end > text.end { None } else { self.pool.text(start..end) }
    }

    /// The length of the pool in bytes; all texts are slices of it.
    pub fn pool_len(&self) -> usize {
        self.pool.len()
    }

    /// The size in bytes of each part of the pool but the last. A part is the unit of decoding.
    pub fn part_len(&self) -> usize {
        self.pool.part_len()
    }

    /// Part `number` of the pool, for a pass over all parts. Its bytes may be in `buffer`, which is
    /// overwritten. `None` past the end, and if the part is damaged.
    ///
    /// Costs nothing if the pool is not compressed. If the cache has no room for the blocks of a large pool,
    /// they are not kept.
    pub fn part<'t>(&'t self, number: usize, buffer: &'t mut Vec<u8>) -> Option<Text<'t, B>> {
        self.pool.part(number, buffer)
    }

    /// Fills `starts` and `ends` with the starts and ends of texts in the pool, for codes from `first` on. In
    /// a damaged file, a text may lie outside the pool. `None` if there are fewer texts or bytes are missing.
    pub fn slices(&self, first: u32, starts: &mut [i64], ends: &mut [i64]) -> Option<()> {
        let first = first as usize;
        self.starts.read_indexed(first, starts)?;
        match &self.lengths {
            Some(lengths) => {
                lengths.read(first, 0, ends)?;
                ends.iter_mut().zip(starts).for_each(|(end, start)| *end = end.wrapping_add(*start));
                Some(())
            }
            None => self.starts.read_indexed(first + 1, ends),
        }
    }

    /// A reader for many texts.
    pub fn reader(&self) -> TextReader<'_, B> {
        TextReader { strings: self, pool: PoolReader::new(&self.pool), ahead: Ahead::EMPTY }
    }

    /// The range of a text in the pool; in a damaged file it may lie outside the pool.
    #[inline]
    fn range(&self, code: u32) -> Option<Range<usize>> {
        if code >= self.count {
            return None;
        }
        let index = code as usize;
        let Some(lengths) = &self.lengths else {
            let (start, end) = self.starts.pair(index)?;
            return Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?);
        };
        let start = usize::try_from(self.starts.get(index, index as u64)?).ok()?;
        Some(start..start.checked_add(usize::try_from(lengths.get(index, 0)?).ok()?)?)
    }

    /// The code of `text` in a table that [is sorted](Self::is_sorted), in logarithmic time; `Some(None)` if
    /// the table lacks it. `None` if a compared text can't be read.
    pub fn find_sorted(&self, text: impl AsRef<[u8]>) -> Option<Option<u32>> {
        let (mut low, mut high, mut reader) = (0, self.count, self.reader());
        while low < high {
            let middle = low + (high - low) / 2;
            match reader.bytes(middle)?.cmp(text.as_ref()) {
                std::cmp::Ordering::Equal => return Some(Some(middle)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Some(None)
    }

    /// Whether texts are in ascending order of their bytes.
    pub fn is_sorted(&self) -> bool {
        self.sorted
    }
}

/// Reads many texts of a table one after another. Keeps the block of the last text, so that neighbouring
/// texts are decoded together and no text needs an allocation.
#[derive(Debug)]
pub struct TextReader<'a, B> {
    strings: &'a Strings<B>,
    pool: PoolReader<'a, B>,
    ahead: Ahead,
}

/// The number of ranges that are read together.
const AHEAD: usize = 32;
/// The greatest distance of two codes, read one after the other, behind which ranges are read together.
const CLOSE: u32 = 8;

/// The ranges of texts with consecutive codes, for a caller that reads codes in ascending order.
#[derive(Debug)]
struct Ahead {
    first: u32,
    count: u32,
    /// The last code that was read.
    last: u32,
    starts: [i64; AHEAD],
    ends: [i64; AHEAD],
}

impl Ahead {
    const EMPTY: Self = Self { first: 0, count: 0, last: u32::MAX, starts: [0; AHEAD], ends: [0; AHEAD] };

    /// The same as [`Strings::range`].
    #[inline]
    fn range<B: Deref<Target = [u8]> + Clone>(
        &mut self,
        strings: &Strings<B>,
        code: u32,
    ) -> Option<Range<usize>> {
        let last = std::mem::replace(&mut self.last, code);
        if code.wrapping_sub(self.first) >= self.count {
            let is_close = code.checked_sub(last).is_some_and(|distance| (1..=CLOSE).contains(&distance));
            if !is_close || !self.fill(strings, code) {
                return strings.range(code);
            }
        }
        let place = (code - self.first) as usize;
        Some(usize::try_from(self.starts[place]).ok()?..usize::try_from(self.ends[place]).ok()?)
    }

    /// Reads the ranges of the texts from `first` on. Returns false if they can't be read together.
    fn fill<B: Deref<Target = [u8]> + Clone>(&mut self, strings: &Strings<B>, first: u32) -> bool {
        let count = strings.count.saturating_sub(first).min(AHEAD as u32);
        let (starts, ends) = (&mut self.starts[..count as usize], &mut self.ends[..count as usize]);
        let is_read = strings.slices(first, starts, ends).is_some();
        (self.first, self.count) = (first, if is_read { count } else { 0 });
        self.count > 0
    }
}

impl<B: Deref<Target = [u8]> + Clone> TextReader<'_, B> {
    /// The bytes of a text, as [`Strings::get`] returns them; valid until the next call.
    #[inline]
    pub fn bytes(&mut self, code: u32) -> Option<&[u8]> {
        let range = self.ahead.range(self.strings, code)?;
        self.pool.bytes(range)
    }

    /// A text as a `str`. `None` as for [`Strings::get`], and if the bytes are not UTF-8.
    #[inline]
    pub fn str(&mut self, code: u32) -> Option<&str> {
        std::str::from_utf8(self.bytes(code)?).ok()
    }
}
