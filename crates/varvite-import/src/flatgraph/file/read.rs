//! Reads a flatgraph file, column by column.
//!
//! Opening reads header and manifest. A column is decoded on demand: first its quantities, then as many
//! values as the sum of the quantities. Any further values are leftovers of properties that flatgraph
//! overwrote; they are never returned. The file is neither written nor mapped.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use varvite::Cancel;
use varvite_codec::frame::Expansion;

use super::container::{HEADER_LEN, Header};
use super::decode::{Decoder, Nulls};
use super::directory::Directory;
use super::limits::LENGTH_MAX;
use super::manifest::Manifest;
use super::source::Source;
use super::{
    Blob, BlobRole, Column, EdgeColumn, FlatgraphError, Limits, NodeKind, NodeRef, Part, PropertyColumn,
    Scratch, StringPool, Values,
};

/// A flatgraph file, open for reading.
///
/// Threads may share a `FlatgraphFile`: every call reads at its own offset. Each thread needs its own
/// [`Scratch`].
///
/// ```no_run
/// use varvite_import::flatgraph::{FlatgraphFile, Scratch};
///
/// let file = FlatgraphFile::open("cpg.bin")?;
/// let (mut scratch, mut quantities, mut neighbors) = (Scratch::new(), Vec::new(), Vec::new());
/// for column in file.edge_columns() {
///     let slots = file.decode_quantities(column, &mut scratch, &mut quantities)?;
///     file.decode_neighbors(column, slots, &mut scratch, &mut neighbors)?;
///     println!("{:?} {}: {} edges", column.direction, column.edge_label, neighbors.len());
/// }
/// # Ok::<(), varvite_import::flatgraph::FlatgraphError>(())
/// ```
#[derive(Debug)]
pub struct FlatgraphFile {
    source: Source,
    len: u64,
    directory: Directory,
    limits: Limits,
    cancel: Cancel,
}

impl FlatgraphFile {
    /// Opens the file at `path` and reads its directory, with the default limits for a file of its length
    /// ([`Limits::for_file_len`]).
    ///
    /// # Errors
    ///
    /// The file cannot be read, is not a flatgraph file, is damaged, or needs too much memory.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FlatgraphError> {
        Self::open_expanding(path, Expansion::default())
    }

    /// Opens the file at `path` with the default limits for its length, except that `expansion` limits its
    /// decoded length.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::open`].
    pub fn open_expanding(path: impl AsRef<Path>, expansion: Expansion) -> Result<Self, FlatgraphError> {
        let limits = |len| Limits { expansion, ..Limits::for_file_len(len) };
        Self::open_file(path.as_ref(), limits)
    }

    /// Opens the file at `path` with the given limits.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::open`].
    pub fn open_with_limits(path: impl AsRef<Path>, limits: Limits) -> Result<Self, FlatgraphError> {
        Self::open_file(path.as_ref(), |_| limits)
    }

    /// Reads a file from memory.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::open`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, FlatgraphError> {
        let len = bytes.len() as u64;
        Self::read_directory(Source::Memory(bytes), len, Limits::for_file_len(len))
    }

    fn open_file(path: &Path, limits: impl FnOnce(u64) -> Limits) -> Result<Self, FlatgraphError> {
        let io_error = |source| FlatgraphError::Io { part: Part::Header, offset: 0, source };
        // This check comes before opening, because opening a pipe would wait for the pipe's other end.
        if !fs::metadata(path).map_err(io_error)?.is_file() {
            return Err(FlatgraphError::NotAFile);
        }
        let file = File::open(path).map_err(io_error)?;
        let len = file.metadata().map_err(io_error)?.len();
        Self::read_directory(Source::file(file), len, limits(len))
    }

    fn read_directory(source: Source, len: u64, limits: Limits) -> Result<Self, FlatgraphError> {
        let header = read_header(&source, len)?;
        let json = read_manifest(&source, header, len)?;
        let manifest = Manifest::parse(&json, header.manifest_offset)?;
        let directory = Directory::check(&manifest, header.manifest_offset, len, &limits)?;
        Ok(Self { source, len, directory, limits, cancel: Cancel::default() })
    }

    /// Sets a cancel flag for all reads: each read fails with [`FlatgraphError::Cancelled`] soon after
    /// `cancel` is set.
    #[must_use]
    pub fn until(self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self }
    }

    /// The limits with which the file was opened.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The largest total decoded length of all columns, in bytes.
    pub(in crate::flatgraph) fn plain_len_max(&self) -> u64 {
        self.limits.expansion.plain_len_max(self.len)
    }

    /// The BLAKE3 hash of the whole opened file, even if the path now names another file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or the cancel flag was set; in that case the error kind is `Interrupted`.
    pub fn digest(&self) -> io::Result<[u8; 32]> {
        let (mut hasher, mut buffer) = (blake3::Hasher::new(), vec![0; 1 << 20]);
        let mut offset = 0;
        while offset < self.len {
            self.cancel.check().map_err(|_| io::ErrorKind::Interrupted)?;
            let part = buffer.len().min(usize::try_from(self.len - offset).unwrap_or(usize::MAX));
            self.source.read_exact_at(&mut buffer[..part], offset)?;
            hasher.update(&buffer[..part]);
            offset += part as u64;
        }
        Ok(*hasher.finalize().as_bytes())
    }

    /// The node kinds; [`NodeRef::kind`] is an index into this list.
    #[must_use]
    pub fn kinds(&self) -> &[NodeKind] {
        &self.directory.kinds
    }

    /// The columns of edges, in the order of the file.
    #[must_use]
    pub fn edge_columns(&self) -> &[EdgeColumn] {
        &self.directory.edges
    }

    /// The columns of properties, in the order of the file.
    #[must_use]
    pub fn property_columns(&self) -> &[PropertyColumn] {
        &self.directory.properties
    }

    /// The number of bytes of the string pool, without decoding it.
    pub(in crate::flatgraph) fn string_bytes(&self) -> u64 {
        self.directory.string_bytes.plain_len().into()
    }

    /// The number of strings in the pool, without decoding it.
    #[must_use]
    pub fn string_count(&self) -> u64 {
        self.directory.string_lengths.slots()
    }

    /// Decodes the number of edges or values of each node of the column's kind into `quantities`.
    ///
    /// Returns the sum of the quantities, which is the number of `slots` to decode. There are at most as many
    /// quantities as nodes; a node without a quantity has no edges or values.
    ///
    /// # Errors
    ///
    /// The column cannot be read or is damaged; the content of `quantities` is then undefined.
    pub fn decode_quantities<'a>(
        &self,
        column: impl Into<Column<'a>>,
        scratch: &mut Scratch,
        quantities: &mut Vec<u32>,
    ) -> Result<u64, FlatgraphError> {
        let column = column.into();
        quantities.clear();
        let Some(blob) = column.quantities() else { return Ok(0) };
        let node_count = self.kinds().get(column.kind() as usize).map_or(0, |kind| kind.node_count);
        let decoder = self.decoder(column, BlobRole::Quantities, blob);
        let sum = decoder.decode_quantities(node_count, scratch, quantities)?;
        let (role, found) = column.shortest_payload();
        if sum > found {
            let part = self.directory.part(column, role);
            return Err(FlatgraphError::TooFewValues { part, expected: sum, found });
        }
        Ok(sum)
    }

    /// Calls `visit` with the other ends of the first `slots` edges, a few thousand at a time.
    ///
    /// Unlike [`Self::decode_neighbors`], this method needs no memory for the column. No reference is null.
    ///
    /// # Errors
    ///
    /// The column cannot be read or is damaged; `visit` may already have received the first part of the
    /// column.
    pub fn visit_neighbors(
        &self,
        column: &EdgeColumn,
        slots: u64,
        scratch: &mut Scratch,
        visit: impl FnMut(&[NodeRef]),
    ) -> Result<(), FlatgraphError> {
        let decoder = self.decoder(column.into(), BlobRole::Neighbors, &column.neighbors);
        decoder.visit_refs(slots, Nulls::Refused, scratch, visit)
    }

    /// Decodes the other ends of the first `slots` edges into `neighbors`. No reference is null.
    ///
    /// # Errors
    ///
    /// The column cannot be read or is damaged; the content of `neighbors` is then undefined.
    pub fn decode_neighbors(
        &self,
        column: &EdgeColumn,
        slots: u64,
        scratch: &mut Scratch,
        neighbors: &mut Vec<NodeRef>,
    ) -> Result<(), FlatgraphError> {
        let decoder = self.decoder(column.into(), BlobRole::Neighbors, &column.neighbors);
        decoder.decode_refs(slots, Nulls::Refused, scratch, neighbors)
    }

    /// Decodes the property of the first `slots` edges, if the column has one.
    ///
    /// # Errors
    ///
    /// The column cannot be read or is damaged.
    pub fn decode_edge_property(
        &self,
        column: &EdgeColumn,
        slots: u64,
        scratch: &mut Scratch,
    ) -> Result<Option<Values>, FlatgraphError> {
        let Some(blob) = &column.property else { return Ok(None) };
        self.decoder(column.into(), BlobRole::Values, blob).decode_values(slots, scratch).map(Some)
    }

    /// Decodes the first `slots` values of a property.
    ///
    /// # Errors
    ///
    /// The column cannot be read or is damaged.
    pub fn decode_property(
        &self,
        column: &PropertyColumn,
        slots: u64,
        scratch: &mut Scratch,
    ) -> Result<Values, FlatgraphError> {
        self.decoder(column.into(), BlobRole::Values, &column.values).decode_values(slots, scratch)
    }

    /// Decodes every string of the file.
    ///
    /// # Errors
    ///
    /// The pool cannot be read, is damaged or is not UTF-8.
    pub fn decode_string_pool(&self, scratch: &mut Scratch) -> Result<StringPool, FlatgraphError> {
        let Directory { string_lengths, string_bytes, .. } = &self.directory;
        let lengths = self.part_decoder(Part::StringLengths, string_lengths);
        let offsets = lengths.decode_string_offsets(string_bytes.slots(), scratch)?;
        let bytes = self.part_decoder(Part::StringBytes, string_bytes);
        bytes.decode_strings(offsets, scratch)
    }

    fn decoder(&self, column: Column<'_>, role: BlobRole, blob: &Blob) -> Decoder<'_> {
        self.part_decoder(self.directory.part(column, role), blob)
    }

    fn part_decoder(&self, part: Part, blob: &Blob) -> Decoder<'_> {
        Decoder {
            source: &self.source,
            cancel: &self.cancel,
            kinds: &self.directory.kinds,
            strings: self.string_count(),
            part,
            blob: *blob,
        }
    }
}

fn read_header(source: &Source, len: u64) -> Result<Header, FlatgraphError> {
    if len < HEADER_LEN {
        return Err(FlatgraphError::TooShort { len });
    }
    let mut bytes = [0; HEADER_LEN as usize];
    let io_error = |source| FlatgraphError::Io { part: Part::Header, offset: 0, source };
    source.read_exact_at(&mut bytes, 0).map_err(io_error)?;
    Header::parse(bytes, len)
}

fn read_manifest(source: &Source, header: Header, len: u64) -> Result<Vec<u8>, FlatgraphError> {
    let offset = header.manifest_offset;
    let len = len - offset;
    if len > LENGTH_MAX {
        return Err(FlatgraphError::ManifestTooLong { len });
    }
    // The cast does not truncate: the previous line checked the length.
    let mut json = vec![0; len as usize];
    let io_error = |source| FlatgraphError::Io { part: Part::Manifest, offset, source };
    source.read_exact_at(&mut json, offset).map_err(io_error)?;
    Ok(json)
}
