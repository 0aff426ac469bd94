//! [`StoreWriter`]: writes a new file, or the next commit of a file, column by column.
//!
//! The caller encodes and compresses columns on many threads, with [`prepare`](crate::prepare). One thread
//! writes them in a fixed order, so that the same columns give the same bytes. Equal columns of one writer
//! are stored once, and so are equal segments. Readers find the new commit only after [`StoreWriter::finish`]
//! has synced all of it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite_codec::{Codec, Filter, hash};
use varvite_format::{
    BlockTableBuilder, ColumnId, ColumnRow, Continuable, Directory, Excess, FormatError, Header, InputError,
    PAGE, Profile, Quantity, SEGMENT_ALIGN, SegmentId, SegmentRow, Source, Superblock,
};

use crate::commits::commit::PAGES;
use crate::error::{Result, StoreError};
use crate::open::store::Store;
use crate::open::tail::Tail;
use crate::vfs::Vfs;
use crate::writing::append::AppendedFile;
use crate::writing::prepared::{PreparedColumn, StoredSegment};
use crate::writing::staged::{IfExists, StagedFile};

/// An unfinished file or commit.
#[derive(Debug)]
pub struct StoreWriter {
    target: Target,
    header: Header,
    generation: u64,
    /// An older directory that the directory of this commit may continue, instead of repeating its rows;
    /// `None` in a new file.
    whole: Option<Continuable>,
    end: u64,
    columns: Vec<ColumnRow>,
    segments: Vec<SegmentRow>,
    known: HashMap<[u8; 32], ColumnId>,
    known_segments: HashMap<[u8; 32], SegmentId>,
}

/// The target to which the bytes are written.
#[derive(Debug)]
enum Target {
    /// A new file.
    New(StagedFile),
    /// An existing file, after its end.
    Old(AppendedFile),
    /// Memory, with offsets as if the bytes followed the end of the file with this path.
    Memory(Tail, PathBuf),
}

impl Target {
    fn path(&self) -> &Path {
        match self {
            Self::New(staged) => staged.target(),
            Self::Old(appended) => appended.target(),
            Self::Memory(_, path) => path,
        }
    }

    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        match self {
            Self::New(staged) => staged.write_all_at(offset, bytes),
            Self::Old(appended) => appended.write_all_at(offset, bytes),
            Self::Memory(tail, _) => tail.write_all_at(offset, bytes),
        }
    }

    #[cfg(feature = "planted")]
    fn overwrite_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        match self {
            Self::New(_) | Self::Memory(..) => Ok(()),
            Self::Old(appended) => appended.overwrite_at(offset, bytes),
        }
    }

    /// Commits all written bytes, or none.
    fn commit(self, superblock: &Superblock, file_id: &[u8; 16]) -> Result<()> {
        match self {
            Self::New(mut staged) => {
                staged.write_all_at(2 * PAGE as u64, &[0; PAGE])?;
                staged.sync()?;
                staged.write_all_at(PAGE as u64, &superblock.to_page(file_id))?;
                staged.commit()
            }
            Self::Old(appended) => appended.commit(superblock),
            // A commit in memory has no superblock.
            Self::Memory(..) => Ok(()),
        }
    }
}

impl StoreWriter {
    /// Begins a file that will get the name `target`. The same `file_id` and columns give the same bytes.
    ///
    /// # Errors
    /// As [`StagedFile::create`].
    pub fn create(
        vfs: Arc<dyn Vfs>,
        target: &Path,
        if_exists: IfExists,
        file_id: [u8; 16],
        profile: Profile,
    ) -> Result<Self> {
        Self::begin(StagedFile::create(vfs, target, if_exists)?, Header { file_id, profile })
    }

    /// Begins to write a graph into `staged`, an empty file that the caller created, such as the successor of
    /// another file.
    ///
    /// # Errors
    /// An error of the file system.
    pub fn begin(mut staged: StagedFile, header: Header) -> Result<Self> {
        staged.write_all_at(0, &header.to_page())?;
        Ok(Self {
            target: Target::New(staged),
            header,
            generation: 1,
            whole: None,
            end: PAGES as u64,
            columns: Vec::new(),
            segments: Vec::new(),
            known: HashMap::new(),
            known_segments: HashMap::new(),
        })
    }

    /// Begins the next commit of the file of `base`. The columns and segments of `base` keep their numbers
    /// until [`StoreWriter::finish`]; new ones get the numbers after them.
    pub(crate) fn append(appended: AppendedFile, base: &Store) -> Self {
        let (generation, end) = (appended.generation(), appended.end());
        Self::behind(base, Target::Old(appended), generation, end)
    }

    /// Begins a commit in memory, as if it were the next commit of the file of `base`. Its bytes follow those
    /// that `base` has in memory already. [`StoreWriter::finish_in_memory`] ends the commit.
    pub fn in_memory(base: &Store) -> Self {
        let tail = match base.tail() {
            Some(tail) => tail.clone(),
            None => Tail::new(base.append_at().next_multiple_of(PAGE as u64)),
        };
        let end = tail.end();
        let target = Target::Memory(tail, base.path().to_owned());
        Self::behind(base, target, base.superblock().generation, end)
    }

    fn behind(base: &Store, target: Target, generation: u64, end: u64) -> Self {
        Self {
            generation,
            whole: Some(base.whole_directory()),
            target,
            header: *base.header(),
            end,
            columns: base.directory().columns.clone(),
            segments: base.directory().segments.clone(),
            known: HashMap::new(),
            known_segments: HashMap::new(),
        }
    }

    /// The generation of the commit in the file, from 1.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Writes a column and returns its number; if an equal column was already written, returns the number of
    /// that column.
    ///
    /// # Errors
    /// An error of the file system. After an error, the writer can't be used any more.
    pub fn add(&mut self, column: PreparedColumn) -> Result<ColumnId> {
        let digest = column.digest;
        if let Some(known) = digest.and_then(|digest| self.known.get(&digest)) {
            return Ok(*known);
        }
        let mut row = column.row;
        for (place, child) in row.children.iter_mut().zip(column.children) {
            *place = Some(self.add(child)?);
        }
        for (place, segment) in row.segments.iter_mut().zip(&column.segments) {
            *place = Some(self.add_segment(segment)?);
        }
        let id = self.push_column(row);
        digest.map(|digest| self.known.insert(digest, id));
        Ok(id)
    }

    /// Ends a piece of memory: columns written before and after this call can be [shared](Self::share) and
    /// freed independently. Does nothing if the commit is written to a file.
    ///
    /// # Errors
    /// [`StoreError::OutOfMemory`].
    pub fn close_piece(&mut self) -> Result<()> {
        match &mut self.target {
            Target::Memory(tail, _) => tail.close_piece(),
            Target::New(_) | Target::Old(_) => Ok(()),
        }
    }

    /// Adds a column of `other`, which must be a store of the same file and commit. Both stores then share
    /// the bytes in memory. Costs one row for the column and for each of its child columns and segments,
    /// whatever their length. A commit with shared columns can't be written to the file.
    ///
    /// # Errors
    /// A column that does not exist.
    ///
    /// # Panics
    /// If the commit was not begun [in memory](Self::in_memory).
    pub fn share(&mut self, other: &Store, column: ColumnId) -> Result<ColumnId> {
        let mut row = other.row(column)?;
        for child in row.children.iter_mut().flatten() {
            *child = self.share(other, *child)?;
        }
        for segment in row.segments.iter_mut().flatten() {
            *segment = self.share_segment(other, *segment)?;
        }
        Ok(self.push_column(row))
    }

    fn share_segment(&mut self, other: &Store, segment: SegmentId) -> Result<SegmentId> {
        let row = *other.segment_row(segment)?;
        if other.is_in_file(&row) {
            return Ok(segment);
        }
        let bytes = other.in_tail(&row).ok_or_else(|| other.missing_in_tail(segment))?;
        let offset = self.next_segment(row.stored_len).1;
        let Target::Memory(tail, _) = &mut self.target else { panic!("the commit goes to a file") };
        tail.share(offset, bytes)?;
        Ok(self.push_segment(SegmentRow { offset, ..row }))
    }

    /// Ends sharing with earlier columns: columns and segments that are added from now on are compared only
    /// with each other. So a part of a file that may be dropped later shares nothing with other parts.
    pub fn forget(&mut self) {
        self.known.clear();
        self.known_segments.clear();
    }

    fn add_segment(&mut self, segment: &StoredSegment) -> Result<SegmentId> {
        if let Some(known) = segment.digest.and_then(|digest| self.known_segments.get(&digest)) {
            return Ok(*known);
        }
        let id = self.write_segment(segment)?;
        segment.digest.map(|digest| self.known_segments.insert(digest, id));
        Ok(id)
    }

    fn write_segment(&mut self, segment: &StoredSegment) -> Result<SegmentId> {
        let (id, offset) = self.next_segment(segment.bytes.len() as u64);
        let mut table = BlockTableBuilder::new(self.header.file_id, id.0);
        let mut start = 0;
        for end in &segment.block_ends {
            table.push(&segment.bytes[start..*end]);
            start = *end;
        }
        let (table, table_hash) = table.finish();
        let row = SegmentRow {
            offset,
            stored_len: segment.bytes.len() as u64,
            plain_len: segment.plain_len,
            table_hash,
            block_len: SegmentRow::block_len_of(segment.codec),
            codec: segment.codec,
            filter: segment.filter,
        };
        self.write_at(row.offset, &segment.bytes)?;
        self.write_at(row.table_offset(), &table)?;
        Ok(self.push_segment(row))
    }

    /// Writes a column of one segment whose `len` bytes are not in memory: `fill` provides them part by part.
    /// The bytes are stored without compression, and no other column shares them.
    ///
    /// # Errors
    /// The errors of `fill`; an error of the file system. After an error the writer can't be used any more.
    pub fn add_streamed(
        &mut self,
        row: ColumnRow,
        len: u64,
        mut fill: impl FnMut(&mut [u8]) -> Result<()>,
    ) -> Result<ColumnId> {
        let (id, offset) = self.next_segment(len);
        let block_len = SegmentRow::block_len_of(Codec::None);
        let mut segment = SegmentRow {
            offset,
            stored_len: len,
            plain_len: len,
            table_hash: 0,
            block_len,
            codec: Codec::None,
            filter: Filter::NONE,
        };
        let mut table = BlockTableBuilder::new(self.header.file_id, id.0);
        let (mut block, mut at) = (vec![0; block_len as usize], offset);
        while at < segment.table_offset() {
            let rest = (segment.table_offset() - at).min(block_len.into());
            let part = &mut block[..rest as usize];
            fill(part)?;
            self.write_at(at, part)?;
            table.push(part);
            at += rest;
        }
        let (table, table_hash) = table.finish();
        self.write_at(segment.table_offset(), &table)?;
        segment.table_hash = table_hash;
        let id = self.push_segment(segment);
        Ok(self.push_column(ColumnRow { segments: [Some(id), None], ..row }))
    }

    /// The number and offset of the next segment, which will have `len` stored bytes.
    pub(crate) fn next_segment(&self, len: u64) -> (SegmentId, u64) {
        // With page alignment, a small commit would consist mostly of gaps.
        let large = if matches!(self.target, Target::New(_)) { PAGE } else { 16 * PAGE };
        let align = if len >= large as u64 { PAGE as u64 } else { SEGMENT_ALIGN };
        (SegmentId(self.segments.len() as u32), self.end.next_multiple_of(align))
    }

    /// Adds the row of a segment whose bytes and block table were written.
    pub(crate) fn push_segment(&mut self, row: SegmentRow) -> SegmentId {
        self.end = row.end();
        self.segments.push(row);
        SegmentId(self.segments.len() as u32 - 1)
    }

    /// Adds the row of a column whose child columns and segments were written.
    pub fn push_column(&mut self, row: ColumnRow) -> ColumnId {
        self.columns.push(row);
        ColumnId(self.columns.len() as u32 - 1)
    }

    pub(crate) fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.target.write_all_at(offset, bytes)
    }

    pub(crate) fn file_id(&self) -> [u8; 16] {
        self.header.file_id
    }

    /// Fills in the tables of columns and segments of the directory, writes it, and commits. In every commit
    /// after the first, columns to which no row refers are left out, unless they belong to a directory that
    /// this one continues; their segments stay in the table, because checksums include segment numbers.
    /// Returns the size of the file in bytes.
    ///
    /// # Errors
    /// An error of the file system; [`FormatError::Input`] for a directory that a reader would refuse. After
    /// an error there is no new file, and an existing one is untouched.
    pub fn finish(mut self, mut directory: Directory) -> Result<u64> {
        let mut bytes = self.directory_bytes(&mut directory)?;
        let mut required_features = directory.changes.as_ref().map_or(0, |_| Superblock::CHANGES);
        if let Some(older) = self.whole {
            bytes = older.shorten(&bytes).map_err(|error| self.refused(error))?;
            required_features |= Superblock::CONTINUED_DIRECTORY;
        }
        let (offset, length) = (self.end.next_multiple_of(SEGMENT_ALIGN), bytes.len() as u64);
        let superblock = Superblock {
            generation: self.generation,
            directory_offset: offset,
            directory_len: length,
            directory_hash: hash(&bytes, self.generation),
            file_len: offset + length,
            required_features,
        };
        planted!(SuperblockBeforeDirectory => self.target.overwrite_at((2 - self.generation % 2) * PAGE as u64, &superblock.to_page(&self.header.file_id))?);
        self.target.write_all_at(offset, &bytes)?;
        self.target.commit(&superblock, &self.header.file_id)?;
        Ok(superblock.file_len)
    }

    /// Ends a commit in memory. Returns the store of `base` with this commit; nothing is written to the file.
    ///
    /// # Errors
    /// A directory that a reader would refuse; [`StoreError::OverBudget`].
    ///
    /// # Panics
    /// If the commit was not begun [in memory](Self::in_memory).
    pub fn finish_in_memory(mut self, mut directory: Directory, base: Store) -> Result<Store> {
        self.directory_bytes(&mut directory)?;
        let Target::Memory(mut tail, _) = self.target else { panic!("the commit goes to a file") };
        tail.close_piece()?;
        base.with_tail(directory, tail)
    }

    /// Fills the tables of columns and segments of a directory, and returns its bytes. Fails if a reader
    /// would refuse them.
    fn directory_bytes(&mut self, directory: &mut Directory) -> Result<Vec<u8>> {
        directory.columns = std::mem::take(&mut self.columns);
        directory.segments = std::mem::take(&mut self.segments);
        if !matches!(self.target, Target::New(_)) {
            let mut is_kept = are_named(directory);
            if matches!(self.target, Target::Old(_)) {
                self.whole = self.whole.filter(|older| is_worth_continuing(older, directory, &is_kept));
            }
            let continued = self.whole.map_or(0, |older| older.columns as usize);
            is_kept.iter_mut().take(continued).for_each(|it| *it = true);
            keep_columns(directory, &is_kept);
        }
        directory.names.check_lengths().map_err(|error| self.refused(error))?;
        let bytes = directory.to_bytes();
        let length = bytes.len() as u64;
        if length > Superblock::DIRECTORY_MAX {
            let (found, limit) = (length, Superblock::DIRECTORY_MAX);
            return Err(self.refused(FormatError::TooLarge { what: Quantity::Directory, found, limit }));
        }
        let offset = self.end.next_multiple_of(SEGMENT_ALIGN);
        Directory::from_bytes(&bytes, PAGES as u64, offset)
            .and_then(|_| directory.check_claims(offset + length).map_err(Excess::refusal))
            .map_err(|error| self.refused(error))?;
        Ok(bytes)
    }

    /// The error for an invalid directory, which is not written. A reader would report damage; but no file
    /// has these bytes, so the error names the caller's input.
    fn refused(&self, error: FormatError) -> StoreError {
        match error {
            FormatError::Damaged { part, fault, .. } => {
                FormatError::from(InputError { argument: part, fault }).into()
            }
            error => StoreError::format(self.target.path(), error),
        }
    }
}

/// For each column, whether a row of the directory or a parent column refers to it.
fn are_named(directory: &Directory) -> Vec<bool> {
    let mut are_named = vec![false; directory.columns.len()];
    // The check of the directory refuses a root that does not exist.
    directory.roots().for_each(|root| are_named.get_mut(root.index()).into_iter().for_each(|it| *it = true));
    for (number, row) in directory.columns.iter().enumerate().rev() {
        if are_named[number] {
            row.children.iter().flatten().for_each(|child| are_named[child.index()] = true);
        }
    }
    are_named
}

/// Whether the new directory should continue the older one: only if it adds at most half as many rows as the
/// older directory has, because every later commit writes the added rows again. Every commit adds segments,
/// so a complete directory is written sooner or later.
fn is_worth_continuing(older: &Continuable, directory: &Directory, are_named: &[bool]) -> bool {
    let (columns, segments) = (older.columns as usize, older.segments as usize);
    let own_columns = are_named.iter().skip(columns).filter(|it| **it).count();
    let own = own_columns + directory.segments.len().saturating_sub(segments);
    own <= (columns + segments) / 2
}

/// Removes the columns whose entry in `are_kept` is false from the table, and renumbers the others.
fn keep_columns(directory: &mut Directory, are_kept: &[bool]) {
    let mut count = 0;
    let numbers: Vec<ColumnId> = are_kept
        .iter()
        .map(|is_kept| {
            count += u32::from(*is_kept);
            ColumnId(count.saturating_sub(1))
        })
        .collect();
    let number = |old: ColumnId| numbers.get(old.index()).copied().unwrap_or(old);
    let mut is_kept = are_kept.iter();
    directory.columns.retain(|_| is_kept.next().is_some_and(|it| *it));
    let children = directory.columns.iter_mut().flat_map(|row| row.children.iter_mut().flatten());
    children.for_each(|child| *child = number(*child));
    directory.renumber(number);
}
