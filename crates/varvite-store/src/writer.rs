//! [`StoreWriter`]: a new file, column by column.
//!
//! Encoding and compressing are the caller's to do on many threads, with [`prepare`]; writing is one thread in a fixed
//! order, so that the same columns give the same bytes. Equal columns are stored once, and so are equal segments.
//! Nothing is visible under the file's name before [`StoreWriter::finish`] has synced it all.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use varvite_codec::{Codec, Coding, Filter, Workspace, hash};
use varvite_format::{
    BlockTableBuilder, ColumnId, ColumnRow, Directory, EncodedColumn, Excess, FormatError, Header, PAGE,
    Profile, Quantity, SEGMENT_ALIGN, SegmentId, SegmentRow, Superblock,
};

use crate::cancel::Cancel;
use crate::error::{Result, StoreError};
use crate::staged::{IfExists, StagedFile};
use crate::vfs::Vfs;

/// A column ready to be written: its blocks as they will be stored.
#[derive(Debug)]
pub struct PreparedColumn {
    row: ColumnRow,
    children: Vec<PreparedColumn>,
    segments: Vec<Arc<StoredSegment>>,
    digest: [u8; 32],
}

#[derive(Debug)]
struct StoredSegment {
    digest: [u8; 32],
    bytes: Vec<u8>,
    block_ends: Vec<usize>,
    plain_len: u64,
    codec: Codec,
    filter: Filter,
}

/// Compresses the blocks of a column with `codec`. May run on any thread.
///
/// # Errors
/// A codec that fails, which is a lack of memory.
pub fn prepare(column: EncodedColumn, codec: Codec) -> Result<PreparedColumn> {
    prepare_until(column, codec, &Cancel::default())
}

/// The same as a part of work that may be cancelled: looks at the flag before each block.
///
/// # Errors
/// As [`prepare`]; [`StoreError::Cancelled`].
pub fn prepare_until(column: EncodedColumn, codec: Codec, cancel: &Cancel) -> Result<PreparedColumn> {
    prepare_with(column, codec, cancel, &mut Workspace::new())
}

fn prepare_with(
    column: EncodedColumn,
    codec: Codec,
    cancel: &Cancel,
    workspace: &mut Workspace,
) -> Result<PreparedColumn> {
    cancel.check()?;
    let children = column.children.into_iter().map(|child| prepare_with(child, codec, cancel, workspace));
    let children: Vec<_> = children.collect::<Result<_>>()?;
    let segments = column.segments.into_iter().map(|segment| {
        let coding = segment.coding.unwrap_or(codec.into());
        StoredSegment::new(segment.bytes, segment.filter, coding, cancel, workspace).map(Arc::new)
    });
    Ok(PreparedColumn::new(column.row, children, segments.collect::<Result<_>>()?))
}

impl PreparedColumn {
    fn new(row: ColumnRow, children: Vec<Self>, segments: Vec<Arc<StoredSegment>>) -> Self {
        let mut identity = blake3::Hasher::new();
        identity.update(format!("{row:?}").as_bytes());
        children.iter().for_each(|child| _ = identity.update(&child.digest));
        segments.iter().for_each(|segment| _ = identity.update(&segment.digest));
        Self { row, children, segments, digest: *identity.finalize().as_bytes() }
    }

    /// The same column over the segments of `other` instead of its own. Both columns share them, in memory now and in
    /// the file later.
    #[must_use]
    pub fn over_segments_of(self, other: &Self) -> Self {
        Self::new(self.row, self.children, other.segments.clone())
    }
}

impl StoredSegment {
    /// The smaller of the coded and the plain form.
    fn new(
        plain: Vec<u8>,
        filter: Filter,
        coding: Coding,
        cancel: &Cancel,
        workspace: &mut Workspace,
    ) -> Result<Self> {
        let plain_len = plain.len() as u64;
        if coding.codec != Codec::None {
            let coded = Self::coded(&plain, filter, coding, cancel, workspace)?;
            if coded.bytes.len() < plain.len() {
                return Ok(coded);
            }
        }
        let digest = Self::digest_of(&plain, Codec::None, Filter::NONE);
        let block = SegmentRow::block_len_of(Codec::None) as usize;
        let block_ends =
            (0..plain.len().div_ceil(block)).map(|number| ((number + 1) * block).min(plain.len()));
        let block_ends = block_ends.collect();
        Ok(Self { digest, bytes: plain, block_ends, plain_len, codec: Codec::None, filter: Filter::NONE })
    }

    /// Equal for segments that are stored in the same way.
    fn digest_of(plain: &[u8], codec: Codec, filter: Filter) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[codec as u8]).update(&filter.to_numbers()).update(plain);
        *hasher.finalize().as_bytes()
    }

    fn coded(
        plain: &[u8],
        filter: Filter,
        coding: Coding,
        cancel: &Cancel,
        workspace: &mut Workspace,
    ) -> Result<Self> {
        let codec = coding.codec;
        let (mut filtered, mut block) = (Vec::new(), Vec::new());
        let (mut bytes, mut block_ends) = (Vec::new(), Vec::new());
        for part in plain.chunks(SegmentRow::block_len_of(codec) as usize) {
            cancel.check()?;
            filter.apply(part, &mut filtered);
            workspace.compress(coding, &filtered, &mut block).map_err(|source| FormatError::Block {
                part: "new segment".into(),
                block: block_ends.len() as u64,
                source,
            })?;
            bytes.extend_from_slice(&block);
            block_ends.push(bytes.len());
        }
        let digest = Self::digest_of(plain, codec, filter);
        Ok(Self { digest, bytes, block_ends, plain_len: plain.len() as u64, codec, filter })
    }
}

/// A file in the making.
#[derive(Debug)]
pub struct StoreWriter {
    staged: StagedFile,
    header: Header,
    end: u64,
    columns: Vec<ColumnRow>,
    segments: Vec<SegmentRow>,
    known: HashMap<[u8; 32], ColumnId>,
    known_segments: HashMap<[u8; 32], SegmentId>,
}

impl StoreWriter {
    /// Begins a file that will be named `target`. The same `file_id` and columns give the same bytes.
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
        Self::begin(StagedFile::create(vfs, target, if_exists)?, file_id, profile)
    }

    /// The same in a file that was begun elsewhere and is still empty, such as the successor of another.
    ///
    /// # Errors
    /// What the file system says.
    pub fn begin(mut staged: StagedFile, file_id: [u8; 16], profile: Profile) -> Result<Self> {
        let header = Header { file_id, profile };
        staged.write_all_at(0, &header.to_page())?;
        Ok(Self {
            staged,
            header,
            end: 3 * PAGE as u64,
            columns: Vec::new(),
            segments: Vec::new(),
            known: HashMap::new(),
            known_segments: HashMap::new(),
        })
    }

    /// Writes a column, or finds that an equal one is written already.
    ///
    /// # Errors
    /// What the file system says; the writer is then of no further use.
    pub fn add(&mut self, column: PreparedColumn) -> Result<ColumnId> {
        if let Some(known) = self.known.get(&column.digest) {
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
        self.known.insert(column.digest, id);
        Ok(id)
    }

    /// Forgets what was added: columns and segments from here on are shared with each other, and with none before. Parts
    /// of a file that may be left out of a copy share nothing with parts that stay.
    pub fn forget(&mut self) {
        self.known.clear();
        self.known_segments.clear();
    }

    fn add_segment(&mut self, segment: &StoredSegment) -> Result<SegmentId> {
        if let Some(known) = self.known_segments.get(&segment.digest) {
            return Ok(*known);
        }
        let id = self.write_segment(segment)?;
        self.known_segments.insert(segment.digest, id);
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

    /// Number and offset of the next segment, which stores `len` bytes.
    pub(crate) fn next_segment(&self, len: u64) -> (SegmentId, u64) {
        let align = if len >= PAGE as u64 { PAGE as u64 } else { SEGMENT_ALIGN };
        (SegmentId(self.segments.len() as u32), self.end.next_multiple_of(align))
    }

    /// Takes up the row of a segment whose bytes and block table are written.
    pub(crate) fn push_segment(&mut self, row: SegmentRow) -> SegmentId {
        self.end = row.end();
        self.segments.push(row);
        SegmentId(self.segments.len() as u32 - 1)
    }

    /// Takes up the row of a column whose parts are written.
    pub(crate) fn push_column(&mut self, row: ColumnRow) -> ColumnId {
        self.columns.push(row);
        ColumnId(self.columns.len() as u32 - 1)
    }

    pub(crate) fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.staged.write_all_at(offset, bytes)
    }

    pub(crate) fn file_id(&self) -> [u8; 16] {
        self.header.file_id
    }

    /// Writes the directory, whose tables of columns and segments this fills in, and puts the file in place.
    /// Returns its size in bytes.
    ///
    /// # Errors
    /// What the file system says, or what a reader would refuse in the directory; then there is no new file, and an old
    /// one is untouched.
    pub fn finish(mut self, mut directory: Directory) -> Result<u64> {
        directory.columns = std::mem::take(&mut self.columns);
        directory.segments = std::mem::take(&mut self.segments);
        let bytes = directory.to_bytes();
        let length = bytes.len() as u64;
        if length > Superblock::DIRECTORY_MAX {
            let error = FormatError::TooLarge {
                what: Quantity::Directory,
                found: length,
                limit: Superblock::DIRECTORY_MAX,
            };
            return Err(StoreError::format(self.staged.target(), error));
        }
        let offset = self.end.next_multiple_of(SEGMENT_ALIGN);
        Directory::from_bytes(&bytes, 3 * PAGE as u64, offset)
            .and_then(|_| directory.check_claims(offset + length).map_err(Excess::refusal))
            .map_err(|error| StoreError::format(self.staged.target(), error))?;
        let superblock = Superblock {
            generation: 1,
            directory_offset: offset,
            directory_len: length,
            directory_hash: hash(&bytes, 1),
            file_len: offset + length,
        };
        self.staged.write_all_at(offset, &bytes)?;
        self.staged.write_all_at(2 * PAGE as u64, &[0; PAGE])?;
        self.staged.sync()?;
        self.staged.write_all_at(PAGE as u64, &superblock.to_page(&self.header.file_id))?;
        self.staged.commit()?;
        Ok(superblock.file_len)
    }
}
