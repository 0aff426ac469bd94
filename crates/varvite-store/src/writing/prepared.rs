//! [`PreparedColumn`]: a column in its stored form, before it has an offset in a file.
//!
//! The caller encodes and compresses columns, on any number of threads. Columns and segments have a digest,
//! so that a writer stores equal ones only once. Columns that are only for memory have no digest.

use std::sync::Arc;

use varvite_codec::{Codec, Coding, Filter, Workspace};
use varvite_format::{ColumnRow, EncodedColumn, Fault, FormatError, InputError, SegmentRow};

use crate::error::Result;
use crate::work::cancel::Cancel;

/// A column that is ready to be written: its blocks in their stored form.
#[derive(Debug)]
pub struct PreparedColumn {
    pub(crate) row: ColumnRow,
    pub(crate) children: Vec<PreparedColumn>,
    pub(crate) segments: Vec<Arc<StoredSegment>>,
    pub(crate) digest: Option<[u8; 32]>,
}

#[derive(Debug)]
pub(crate) struct StoredSegment {
    pub(crate) digest: Option<[u8; 32]>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) block_ends: Vec<usize>,
    pub(crate) plain_len: u64,
    pub(crate) codec: Codec,
    pub(crate) filter: Filter,
}

/// Compresses the blocks of a column with `codec`. May run on any thread. Does not check the values in the
/// bytes; the functions that encode columns do that.
///
/// # Errors
/// The error of the codec, which fails only for lack of memory; [`FormatError::Input`] if the column has more
/// children or segments than its row has room for.
pub fn prepare(column: EncodedColumn, codec: Codec) -> Result<PreparedColumn> {
    prepare_until(column, codec, &Cancel::default())
}

/// Compresses a column as [`prepare`] does, and checks the cancel flag before each block.
///
/// # Errors
/// As [`prepare`]; [`StoreError::Cancelled`](crate::StoreError::Cancelled).
pub fn prepare_until(column: EncodedColumn, codec: Codec, cancel: &Cancel) -> Result<PreparedColumn> {
    prepare_with(column, codec, cancel, &mut Workspace::new())
}

/// Prepares a column without compression, to be [written to memory](crate::StoreWriter::in_memory). The
/// column gets no digest, which would cost more than copying the bytes; so equal columns are not shared.
///
/// # Errors
/// [`FormatError::Input`] if the column has more children or segments than its row has room for.
pub fn prepare_for_memory(column: EncodedColumn) -> Result<PreparedColumn> {
    check_parts(&column)?;
    let children = column.children.into_iter().map(prepare_for_memory).collect::<Result<_>>()?;
    let segments = column.segments.into_iter().map(|it| Arc::new(StoredSegment::plain(it.bytes, None)));
    Ok(PreparedColumn { row: column.row, children, segments: segments.collect(), digest: None })
}

/// Fails if a column has more children or segments than its row has room for.
fn check_parts(column: &EncodedColumn) -> Result<()> {
    let parts = [
        ("children", column.children.len(), column.row.children.len()),
        ("segments", column.segments.len(), column.row.segments.len()),
    ];
    if let Some((what, found, most)) = parts.into_iter().find(|(_, found, most)| found > most) {
        let fault = Fault::TooMany { what, most: most as u64, found: found as u64 };
        return Err(FormatError::from(InputError::new("column", fault)).into());
    }
    Ok(())
}

fn prepare_with(
    column: EncodedColumn,
    codec: Codec,
    cancel: &Cancel,
    workspace: &mut Workspace,
) -> Result<PreparedColumn> {
    cancel.check()?;
    check_parts(&column)?;
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
        let digests = children.iter().map(|child| child.digest);
        for digest in digests.chain(segments.iter().map(|segment| segment.digest)) {
            let Some(digest) = digest else { return Self { row, children, segments, digest: None } };
            identity.update(&digest);
        }
        let digest = Some(*identity.finalize().as_bytes());
        Self { row, children, segments, digest }
    }

    /// Returns the column with the segments of `other` in place of its own segments. Both columns then share
    /// these segments, in memory and in the file.
    #[must_use]
    pub fn over_segments_of(self, other: &Self) -> Self {
        Self::new(self.row, self.children, other.segments.clone())
    }
}

impl StoredSegment {
    /// Makes a segment in the compressed or the plain form, whichever is smaller.
    fn new(
        plain: Vec<u8>,
        filter: Filter,
        coding: Coding,
        cancel: &Cancel,
        workspace: &mut Workspace,
    ) -> Result<Self> {
        if coding.codec != Codec::None {
            let coded = Self::coded(&plain, filter, coding, cancel, workspace)?;
            if coded.bytes.len() < plain.len() {
                return Ok(coded);
            }
        }
        let digest = Self::digest_of(&plain, Codec::None, Filter::NONE);
        Ok(Self::plain(plain, Some(digest)))
    }

    /// Makes a segment without compression.
    fn plain(bytes: Vec<u8>, digest: Option<[u8; 32]>) -> Self {
        let block = SegmentRow::block_len_of(Codec::None) as usize;
        let block_ends =
            (0..bytes.len().div_ceil(block)).map(|number| ((number + 1) * block).min(bytes.len()));
        let (block_ends, plain_len) = (block_ends.collect(), bytes.len() as u64);
        Self { digest, bytes, block_ends, plain_len, codec: Codec::None, filter: Filter::NONE }
    }

    /// The digest of a segment: equal for segments with equal stored bytes.
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
        let digest = Some(Self::digest_of(plain, codec, filter));
        Ok(Self { digest, bytes, block_ends, plain_len: plain.len() as u64, codec, filter })
    }
}
