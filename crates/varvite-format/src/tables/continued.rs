//! [`Continued`]: a directory's reference to an older directory, whose rows it does not repeat.
//!
//! A small commit adds a few columns and segments to hundreds of existing ones. So its directory refers to an
//! older directory of the same file, and its tables of columns and segments continue the tables of the older
//! one.
//!
//! ```text
//! 0   8  magic VVCONTIN
//! 8   8  offset of the older directory
//! 16  8  length of the older directory
//! 24  8  checksum of the older directory
//! 32  8  generation of the older directory
//! 40  .. the newer directory; its tables of columns and segments, and their counts,
//!        lack the rows of the older directory
//! ```
//!
//! The older directory is complete, so a reader never follows more than one reference.

use std::ops::Range;

use crate::bytes::{Fields, u32_at};
use crate::tables::directory::{FIXED, MAGIC as WHOLE, TABLES, Tables};
use crate::{Fault, FormatError, Part, Result, Superblock};

const MAGIC: [u8; 8] = *b"VVCONTIN";
const HEAD: usize = 8 * 5;
/// The offset of the count of columns in the fixed part; the count of segments follows it.
const COUNTS_AT: usize = 24;
const COLUMNS: usize = 7;
const SEGMENTS: usize = 8;

/// The reference to a complete directory that a later directory continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Continued {
    /// The offset in the file.
    pub offset: u64,
    /// The length in bytes.
    pub len: u64,
    /// The checksum of the directory.
    pub hash: u64,
    /// The generation of the commit that wrote the directory. The directory's checksum is seeded with this
    /// number.
    pub generation: u64,
}

/// The complete directory that a later directory may continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Continuable {
    /// The reference to the older directory.
    pub place: Continued,
    /// The number of rows in the older directory's table of columns.
    pub columns: u32,
    /// The number of rows in the older directory's table of segments.
    pub segments: u32,
}

impl Continued {
    /// Reads the reference to an older directory from the bytes of a directory; `None` if the directory is
    /// complete.
    ///
    /// # Errors
    /// Damage: the older directory does not lie in the range `within`, or is longer than a directory may be.
    pub fn of(bytes: &[u8], within: Range<u64>) -> Result<Option<Self>> {
        let mut fields = Fields::new(bytes);
        if fields.take::<8>() != Some(MAGIC) {
            return Ok(None);
        }
        let mut next = || fields.u64().ok_or_else(|| short(HEAD, bytes));
        let place = Self { offset: next()?, len: next()?, hash: next()?, generation: next()? };
        if place.len > Superblock::DIRECTORY_MAX {
            let (most, found) = (Superblock::DIRECTORY_MAX, place.len);
            let fault = Fault::TooMany { what: "bytes of directory", most, found };
            return Err(FormatError::damaged(Part::Directory, fault));
        }
        let found = place.offset..place.offset.saturating_add(place.len);
        if found.start < within.start || found.end > within.end {
            return Err(FormatError::damaged(Part::Directory, Fault::Range { within, found }));
        }
        Ok(Some(place))
    }

    /// Joins the stored bytes `older` of this directory with the stored bytes `bytes` of the directory that
    /// continues it. Returns the bytes of the complete directory, and the reference that the next directory
    /// can use.
    ///
    /// # Errors
    /// Damage. Only the length of the joined directory is checked here, not its content.
    pub fn complete(self, older: &[u8], bytes: &[u8]) -> Result<(Vec<u8>, Continuable)> {
        let own = bytes.get(HEAD..).ok_or_else(|| short(HEAD, bytes))?;
        let (own, older) = (Cut::of(own)?, Cut::of(older)?);
        let mut whole = Vec::with_capacity(bytes.len() + older.columns.len() + older.segments.len());
        whole.extend(own.before);
        for (table, older, own) in
            [(COLUMNS, older.columns, own.columns), (SEGMENTS, older.segments, own.segments)]
        {
            let rows = (older.len() + own.len()) / Tables::SIZES[table];
            whole[COUNTS_AT + 4 * table..][..4].copy_from_slice(&(rows as u32).to_le_bytes());
            whole.extend(older);
            whole.extend(own);
        }
        whole.extend(own.after);
        let (most, found) = (Superblock::DIRECTORY_MAX, whole.len() as u64);
        if found > most {
            let fault = Fault::TooMany { what: "bytes of directory", most, found };
            return Err(FormatError::damaged(Part::Directory, fault));
        }
        let columns = (older.columns.len() / Tables::SIZES[COLUMNS]) as u32;
        let segments = (older.segments.len() / Tables::SIZES[SEGMENTS]) as u32;
        Ok((whole, Continuable { place: self, columns, segments }))
    }
}

impl Continuable {
    /// The bytes to store for a directory that continues this one. `whole` is the complete form of that
    /// directory; its tables of columns and segments must begin with the rows of this directory.
    ///
    /// # Errors
    /// Damage, if `whole` is no directory or has fewer rows than this one.
    pub fn shorten(&self, whole: &[u8]) -> Result<Vec<u8>> {
        let cut = Cut::of(whole)?;
        let mut bytes = MAGIC.to_vec();
        let Continued { offset, len, hash, generation } = self.place;
        [offset, len, hash, generation].iter().for_each(|field| bytes.extend(field.to_le_bytes()));
        bytes.extend(cut.before);
        for (table, rows, known) in
            [(COLUMNS, cut.columns, self.columns), (SEGMENTS, cut.segments, self.segments)]
        {
            let size = Tables::SIZES[table];
            let own = rows.get(known as usize * size..).ok_or_else(|| short(known as usize * size, rows))?;
            bytes[HEAD + COUNTS_AT + 4 * table..][..4]
                .copy_from_slice(&((own.len() / size) as u32).to_le_bytes());
            bytes.extend(own);
        }
        bytes.extend(cut.after);
        Ok(bytes)
    }
}

/// The bytes of a directory, split at its tables of columns and segments.
struct Cut<'a> {
    before: &'a [u8],
    columns: &'a [u8],
    segments: &'a [u8],
    after: &'a [u8],
}

impl<'a> Cut<'a> {
    /// Splits a complete directory by its counts of rows, which are not trusted.
    fn of(bytes: &'a [u8]) -> Result<Self> {
        if !bytes.starts_with(&WHOLE) {
            return Err(FormatError::damaged(Part::Directory, Fault::Magic));
        }
        let mut counts = [0; TABLES];
        for (table, count) in counts.iter_mut().enumerate() {
            *count = u32_at(bytes, COUNTS_AT + 4 * table).ok_or_else(|| short(FIXED, bytes))?;
        }
        let ends = Tables::ends(&counts);
        let part = |start: usize, end: usize| bytes.get(start..end).ok_or_else(|| short(end, bytes));
        Ok(Self {
            before: part(0, ends[COLUMNS - 1])?,
            columns: part(ends[COLUMNS - 1], ends[COLUMNS])?,
            segments: part(ends[COLUMNS], ends[SEGMENTS])?,
            after: part(ends[SEGMENTS], bytes.len())?,
        })
    }
}

fn short(least: usize, bytes: &[u8]) -> FormatError {
    let fault = Fault::TooFew { what: "bytes", least: least as u64, found: bytes.len() as u64 };
    FormatError::damaged(Part::Directory, fault)
}
