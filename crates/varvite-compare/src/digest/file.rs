//! A digest as a file (`docs/digest-format.md`). The file is kept beside its graph, or sent to another
//! machine, where the digest is compared with that of another graph.
//!
//! ```text
//! offset  size  field
//!      0     8  magic: 89 "VDIGEST"
//!      8     4  version, 1
//!     12     4  flags: bit 0 is set if the digest has every column of the graph
//!     16     8  length of the file
//!     24    32  identity of the graph's file
//!     56    32  root; zeros if it is not known
//!     88     4  number of nodes
//!     92     4  number of columns
//!     96        columns, sorted by name
//! end - 8    8  XXH3-64 of all earlier bytes, seed 0
//!
//! a column:   4  length of the name, then the name in UTF-8
//!            32  hash
//!             1  0 if the column ends here; 1 if owners are nodes, 2 if they are edges
//! and then:  32  hash of the header
//!             4  shift: ranges of 2^16, 2^8 or 2^0 owners
//!             8  first owner
//!             8  the end of the owners: the last owner plus one
//!             4  number of ranges; then, for each range in ascending order: number 4, hash 32
//! ```
//!
//! Bytes are accepted as a [`DigestTree`] only if every length, order and checksum is valid, and if the
//! hashes that can be recomputed are right: the hash of a column is recomputed from its leaves, and the root
//! from all columns.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use varvite_format::{Fault, Foreign, FormatError};
use varvite_store::{IfExists, StagedFile, StoreError, Vfs};

use super::ContentHash;
use super::column_tree::{
    ALL_OWNERS, Below, ColumnTree, LEAF_SHIFT, RangeHash, RangeHashes, RangeShift, hash_of_leaves,
};
use super::tree::{DigestTree, root_of};
use varvite_graph::Result;

const MAGIC: [u8; 8] = *b"\x89VDIGEST";
const VERSION: u32 = 1;
const FLAG_COMPLETE: u32 = 1;
const HEAD_LEN: usize = 96;
const CHECKSUM_LEN: usize = 8;
/// Bytes of a range's entry.
const RANGE_LEN: usize = 36;

/// The name that errors use for a digest.
const PART: &str = "digest";

impl DigestTree {
    /// The first bytes of every digest file.
    pub const MAGIC: [u8; 8] = MAGIC;

    /// Encodes the digest as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(if self.is_complete { FLAG_COMPLETE } else { 0 }.to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(self.identity);
        bytes.extend(self.root.map_or([0; 32], |root| root.0));
        bytes.extend(self.nodes.to_le_bytes());
        bytes.extend((self.columns.len() as u32).to_le_bytes());
        for column in &self.columns {
            append_column(column, &mut bytes);
        }
        let len = (bytes.len() + CHECKSUM_LEN) as u64;
        bytes[16..24].copy_from_slice(&len.to_le_bytes());
        let checksum = varvite_codec::hash(&bytes, 0);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Decodes a digest from the bytes of a file. Takes at most about four times as much memory as `bytes`,
    /// whatever lengths the fields claim.
    ///
    /// # Errors
    /// [`FormatError`] with the fault.
    pub fn from_bytes(bytes: &[u8]) -> std::result::Result<Self, FormatError> {
        if bytes.get(..MAGIC.len()) != Some(&MAGIC) {
            return Err(FormatError::NotVarvite { found: Foreign::Other });
        }
        let mut fields = Fields { bytes, at: MAGIC.len() };
        let found = fields.u32("version")?;
        if found != VERSION {
            return Err(FormatError::NewerFormat { found, supported: VERSION });
        }
        check_bytes(bytes)?;
        fields.bytes = &bytes[..bytes.len() - CHECKSUM_LEN];
        let flags = fields.u32("flags")?;
        if flags > FLAG_COMPLETE {
            return Err(FormatError::UnknownFeature { bits: flags.into() });
        }
        fields.u64("length")?;
        let (identity, root) = (fields.take("identity")?, fields.hash("root")?);
        let root = (root.0 != [0; 32]).then_some(root);
        let (nodes, count) = (fields.u32("nodes")?, fields.u32("columns")?);
        let mut tree =
            Self { identity, nodes, root, is_complete: flags == FLAG_COMPLETE, columns: Vec::new() };
        for number in 0..count {
            let column = fields.column()?;
            if tree.columns.last().is_some_and(|last| last.name > column.name) {
                return Err(damaged(Fault::Order { what: "sorted columns", at: number.into() }));
            }
            tree.columns.push(column);
        }
        if fields.at != fields.bytes.len() {
            let (expected, found) = (fields.at as u64, fields.bytes.len() as u64);
            return Err(damaged(Fault::Count { what: "bytes before the checksum", expected, found }));
        }
        let expected = root_of(&tree.columns);
        if tree.is_complete && tree.root != Some(expected) {
            return Err(contradiction("root", &expected, &tree.root.unwrap_or(ContentHash([0; 32]))));
        }
        Ok(tree)
    }

    /// Reads the digest in a file of at most `bytes_max` bytes; returns `None` if the file does not start
    /// with [`Self::MAGIC`].
    ///
    /// # Errors
    /// An error of the file system; a file that is longer than `bytes_max`; the errors of
    /// [`DigestTree::from_bytes`].
    pub fn read(disk: &dyn Vfs, path: &Path, bytes_max: u64) -> Result<Option<Self>> {
        let file = disk.open(path)?;
        let len = file.len()?;
        let mut bytes = vec![0; MAGIC.len().min(usize::try_from(len).unwrap_or(usize::MAX))];
        file.read_exact_at(0, &mut bytes)?;
        if bytes != MAGIC {
            return Ok(None);
        }
        if len > bytes_max {
            let fault = Fault::TooMany { what: "bytes", most: bytes_max, found: len };
            return Err(StoreError::format(path, damaged(fault)).into());
        }
        bytes = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
        file.read_exact_at(0, &mut bytes)?;
        Ok(Some(Self::from_bytes(&bytes).map_err(|error| StoreError::format(path, error))?))
    }

    /// Writes the file, either completely or not at all. Returns its length.
    ///
    /// # Errors
    /// An error of the file system, or [`StoreError::Exists`].
    pub fn write(&self, disk: Arc<dyn Vfs>, path: &Path, if_exists: IfExists) -> Result<u64> {
        let bytes = self.to_bytes();
        let mut file = StagedFile::create(disk, path, if_exists)?;
        file.write_all_at(0, &bytes)?;
        file.commit()?;
        Ok(bytes.len() as u64)
    }
}

fn append_column(column: &ColumnTree, bytes: &mut Vec<u8>) {
    bytes.extend((column.name.len() as u32).to_le_bytes());
    bytes.extend(column.name.as_bytes());
    bytes.extend(column.hash.0);
    bytes.push(match &column.below {
        None => 0,
        Some(below) if below.are_edges => 2,
        Some(_) => 1,
    });
    let Some(Below { header, ranges, .. }) = &column.below else { return };
    bytes.extend(header.0);
    bytes.extend(ranges.shift.to_le_bytes());
    bytes.extend(ranges.owners.start.to_le_bytes());
    bytes.extend(ranges.owners.end.to_le_bytes());
    bytes.extend((ranges.hashes.len() as u32).to_le_bytes());
    for range in &ranges.hashes {
        bytes.extend(range.number.to_le_bytes());
        bytes.extend(range.hash.0);
    }
}

/// Checks that the length and the checksum in the file are those of its bytes.
fn check_bytes(bytes: &[u8]) -> std::result::Result<(), FormatError> {
    let found = bytes.len() as u64;
    if bytes.len() < HEAD_LEN + CHECKSUM_LEN {
        let least = (HEAD_LEN + CHECKSUM_LEN) as u64;
        return Err(damaged(Fault::TooFew { what: "bytes", least, found }));
    }
    let expected = u64::from_le_bytes(*bytes[16..].first_chunk().unwrap_or(&[0; 8]));
    if expected != found {
        return Err(damaged(Fault::Count { what: "bytes", expected, found }));
    }
    let (bytes, checksum) = bytes.split_at(bytes.len() - CHECKSUM_LEN);
    let expected = u64::from_le_bytes(*checksum.first_chunk().unwrap_or(&[0; 8]));
    let found = varvite_codec::hash(bytes, 0);
    if expected != found {
        return Err(damaged(Fault::Checksum { expected, found }));
    }
    Ok(())
}

fn damaged(fault: Fault) -> FormatError {
    FormatError::damaged(PART, fault)
}

/// The error for a hash that differs from the one computed from the hashes below it.
fn contradiction(what: &str, expected: &ContentHash, found: &ContentHash) -> FormatError {
    let first = |hash: &ContentHash| u64::from_be_bytes(*hash.0.first_chunk().unwrap_or(&[0; 8]));
    let fault = Fault::Checksum { expected: first(expected), found: first(found) };
    FormatError::damaged(format!("{PART} {what}"), fault)
}

/// Reads the fields of a file one after another. If the file is too short for a field, reading the field
/// fails.
struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// A field, or its fault.
type Field<T> = std::result::Result<T, FormatError>;

impl Fields<'_> {
    fn take<const N: usize>(&mut self, what: &'static str) -> Field<[u8; N]> {
        let field = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk());
        let field = *field.ok_or_else(|| damaged(Fault::Missing { what, number: None }))?;
        self.at += N;
        Ok(field)
    }

    fn u32(&mut self, what: &'static str) -> Field<u32> {
        self.take(what).map(u32::from_le_bytes)
    }

    fn u64(&mut self, what: &'static str) -> Field<u64> {
        self.take(what).map(u64::from_le_bytes)
    }

    fn hash(&mut self, what: &'static str) -> Field<ContentHash> {
        self.take(what).map(ContentHash)
    }

    fn name(&mut self) -> Field<String> {
        let len = self.u32("name")? as usize;
        let missing = || damaged(Fault::Missing { what: "name", number: None });
        let bytes = self.bytes.get(self.at..).and_then(|rest| rest.get(..len)).ok_or_else(missing)?;
        self.at += len;
        let not_text = |_| damaged(Fault::NotText { number: None });
        Ok(std::str::from_utf8(bytes).map_err(not_text)?.to_owned())
    }

    fn column(&mut self) -> Field<ColumnTree> {
        let (name, hash, [more]) =
            (self.name()?, self.hash("hash of a column")?, self.take("flag of a column")?);
        let below = match more {
            0 => None,
            1 | 2 => Some(self.below(more == 2)?),
            _ => return Err(damaged(Fault::Unknown { what: "flag of a column", found: more.into() })),
        };
        if let Some(Below { header, ranges, .. }) = &below
            && (ranges.shift, &ranges.owners) == (LEAF_SHIFT, &ALL_OWNERS)
        {
            let expected = hash_of_leaves(header, &ranges.hashes);
            if expected != hash {
                return Err(contradiction(&name, &expected, &hash));
            }
        }
        Ok(ColumnTree { name, hash, below })
    }

    fn below(&mut self, are_edges: bool) -> Field<Below> {
        let (header, shift) = (self.hash("hash of a header")?, self.u32("shift")?);
        let shifts = [RangeShift::Leaf, RangeShift::Part, RangeShift::Owner].map(RangeShift::bits);
        if !shifts.contains(&shift) {
            return Err(damaged(Fault::Unknown { what: "shift of ranges", found: shift.into() }));
        }
        let owners = self.u64("first owner")?..self.u64("last owner")?;
        if owners.start > owners.end || owners.end > ALL_OWNERS.end {
            return Err(damaged(Fault::Range { within: ALL_OWNERS, found: owners }));
        }
        let hashes = self.hashes(&owners, shift)?;
        Ok(Below { header, are_edges, ranges: RangeHashes { owners, shift, hashes } })
    }

    fn hashes(&mut self, owners: &Range<u64>, shift: u32) -> Field<Vec<RangeHash>> {
        let count = self.u32("count of ranges")? as usize;
        let left = (self.bytes.len() - self.at) / RANGE_LEN;
        if count > left {
            return Err(damaged(Fault::TooMany { what: "ranges", most: left as u64, found: count as u64 }));
        }
        let mut hashes: Vec<RangeHash> = Vec::with_capacity(count);
        for at in 0..count as u64 {
            let range = RangeHash { number: self.u32("range")?, hash: self.hash("hash of a range")? };
            let first = u64::from(range.number) << shift;
            let is_rising = hashes.last().is_none_or(|last| last.number < range.number);
            if !is_rising || first >= owners.end || first + (1 << shift) <= owners.start {
                return Err(damaged(Fault::Order { what: "rising ranges of the owners", at }));
            }
            hashes.push(range);
        }
        Ok(hashes)
    }
}
