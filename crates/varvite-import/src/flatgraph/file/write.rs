//! Writes a flatgraph file from front to back.
//!
//! Blobs are appended in the order of the calls; the manifest, sorted as flatgraph sorts it, and the header
//! are written at the end. Until then the header is zero, so that every reader refuses an incomplete file.
//! Durability and the final name are the caller's task.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

use super::container::{HEADER_LEN, Header, MANIFEST_PADDING};
use super::directory::check_kinds;
use super::encode::{ColumnName, EncodedBlob};
use super::manifest::{BlobEntry, EdgeEntry, Manifest, NodeEntry, Number, PropertyEntry};
use super::{Direction, EncodedColumn, FlatgraphError, NodeKind, Part, StringPool};

/// The target of a writer: it appends bytes, and replaces its first 16 bytes once.
pub trait FlatgraphSink {
    /// Appends all of `bytes`.
    ///
    /// # Errors
    ///
    /// The error of the system; the writer does not retry.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Replaces the first 16 bytes, after everything else was written.
    ///
    /// # Errors
    ///
    /// The error of the system; the writer does not retry.
    fn write_header(&mut self, header: &[u8; 16]) -> io::Result<()>;
}

impl FlatgraphSink for Vec<u8> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    fn write_header(&mut self, header: &[u8; 16]) -> io::Result<()> {
        self[..header.len()].copy_from_slice(header);
        Ok(())
    }
}

/// The file must be empty, with its cursor at the start.
impl FlatgraphSink for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn write_header(&mut self, header: &[u8; 16]) -> io::Result<()> {
        self.seek(SeekFrom::Start(0))?;
        self.write_all(header)?;
        self.seek(SeekFrom::End(0))?;
        Ok(())
    }
}

/// A flatgraph file that is being written.
///
/// ```
/// use varvite_import::flatgraph::{
///     EncodedColumn, FlatgraphFile, FlatgraphWriter, NodeKind, PropertyData, StringPool, Values,
/// };
///
/// let kind = NodeKind::new("FILE", 2);
/// let mut pool = StringPool::default();
/// let names = Values::String(vec![pool.push("a.c")?, pool.push("b.c")?]);
/// let column = PropertyData { kind: &kind, name: "NAME", quantities: &[1, 1], values: &names };
///
/// let mut writer = FlatgraphWriter::create(Vec::new(), vec![kind.clone()])?;
/// writer.append(&EncodedColumn::property(&column)?)?;
/// let file = FlatgraphFile::from_bytes(writer.finish(&pool)?)?;
/// assert_eq!(file.kinds(), [kind]);
/// # Ok::<(), varvite_import::flatgraph::FlatgraphError>(())
/// ```
#[derive(Debug)]
pub struct FlatgraphWriter<S> {
    sink: S,
    kinds: Vec<NodeKind>,
    /// The offset of the next blob.
    offset: u64,
    edges: Vec<EdgeEntry>,
    properties: Vec<PropertyEntry>,
    /// The size of the string pool, in strings, that the columns written so far require, and the column that
    /// requires it.
    strings_min: (u64, Option<ColumnName>),
    failed: bool,
}

impl<S: FlatgraphSink> FlatgraphWriter<S> {
    /// Begins a file with these node kinds; [`NodeRef::kind`](super::NodeRef::kind) is an index into `kinds`.
    /// Joern sorts kinds alphabetically, and also lists kinds without nodes.
    ///
    /// # Errors
    ///
    /// Two kinds have the same label, a deleted node does not exist, or the sink fails.
    pub fn create(sink: S, kinds: Vec<NodeKind>) -> Result<Self, FlatgraphError> {
        check_kinds(&kinds.iter().map(node_entry).collect::<Vec<_>>())?;
        let mut writer = Self {
            sink,
            kinds,
            offset: 0,
            edges: Vec::new(),
            properties: Vec::new(),
            strings_min: (0, None),
            failed: false,
        };
        writer.append_bytes(&[0; HEADER_LEN as usize], || Part::Header)?;
        Ok(writer)
    }

    /// Writes a column. The bytes of columns are stored in the order of the calls; the manifest is sorted in
    /// any case.
    ///
    /// The references in the column are not checked; readers check them.
    ///
    /// # Errors
    ///
    /// If the file does not have the column's node kind, or the column was written before, nothing is
    /// written. If the sink fails, every later call fails too.
    pub fn append(&mut self, column: &EncodedColumn) -> Result<(), FlatgraphError> {
        self.check_new(&column.name)?;
        let mut entries = Vec::with_capacity(column.blobs.len());
        for blob in &column.blobs {
            entries.push(self.append_blob(blob, || column.name.main_part())?);
        }
        self.list(&column.name, entries);
        if column.strings_min > self.strings_min.0 {
            self.strings_min = (column.strings_min, Some(column.name.clone()));
        }
        Ok(())
    }

    /// Writes the strings, the manifest and the header, and returns the sink.
    ///
    /// # Errors
    ///
    /// A column refers to a string that the pool does not have, the pool is too large for the format,
    /// or the sink fails.
    pub fn finish(mut self, pool: &StringPool) -> Result<S, FlatgraphError> {
        self.check_strings(pool)?;
        let string_pool_length =
            self.append_blob(&EncodedBlob::string_lengths(pool)?, || Part::StringLengths)?;
        let string_pool_bytes = self.append_blob(&EncodedBlob::string_bytes(pool)?, || Part::StringBytes)?;
        self.sort_entries();
        let manifest = Manifest {
            version: Number::from(0),
            nodes: self.kinds.iter().map(node_entry).collect(),
            edges: std::mem::take(&mut self.edges),
            properties: std::mem::take(&mut self.properties),
            string_pool_length,
            string_pool_bytes,
        };
        let header = Header { manifest_offset: self.offset };
        self.append_bytes(&MANIFEST_PADDING, || Part::Manifest)?;
        self.append_bytes(&manifest.to_json(), || Part::Manifest)?;
        self.write_header(header)?;
        Ok(self.sink)
    }

    fn check_new(&self, name: &ColumnName) -> Result<(), FlatgraphError> {
        if !self.kinds.iter().any(|kind| *kind.label == *name.kind()) {
            return Err(FlatgraphError::UnknownKindLabel { part: name.main_part() });
        }
        let listed = match name {
            ColumnName::Edges { kind, label, direction } => self.edges.iter().any(|entry| {
                (&entry.node_label, &entry.edge_label, entry.inout) == (kind, label, inout(*direction))
            }),
            ColumnName::Property { kind, name } => {
                self.properties.iter().any(|entry| (&entry.node_label, &entry.property_label) == (kind, name))
            }
        };
        if listed { Err(FlatgraphError::DuplicateColumn { part: name.main_part() }) } else { Ok(()) }
    }

    fn check_strings(&self, pool: &StringPool) -> Result<(), FlatgraphError> {
        let strings = pool.len() as u64;
        match &self.strings_min {
            (min, Some(name)) if *min > strings => {
                let part = name.part(super::BlobRole::Values);
                Err(FlatgraphError::StringPoolTooSmall { part, expected: *min, found: strings })
            }
            _ => Ok(()),
        }
    }

    fn list(&mut self, name: &ColumnName, blobs: Vec<BlobEntry>) {
        let mut blobs = blobs.into_iter();
        let qty = blobs.next();
        let payload = blobs.next().expect("every encoded column has quantities and a payload");
        match name.clone() {
            ColumnName::Edges { kind, label, direction } => self.edges.push(EdgeEntry {
                node_label: kind,
                edge_label: label,
                inout: inout(direction),
                qty,
                neighbors: payload,
                property: blobs.next(),
            }),
            ColumnName::Property { kind, name } => self.properties.push(PropertyEntry {
                node_label: kind,
                property_label: name,
                qty,
                property: payload,
            }),
        }
    }

    /// Sorts the entries by node kind, then by label, then by direction, as flatgraph does.
    fn sort_entries(&mut self) {
        let rank = |label: &str| self.kinds.iter().position(|kind| *kind.label == *label);
        self.edges
            .sort_by_cached_key(|entry| (rank(&entry.node_label), entry.edge_label.clone(), entry.inout));
        self.properties.sort_by_cached_key(|entry| (rank(&entry.node_label), entry.property_label.clone()));
    }

    fn append_blob(
        &mut self,
        blob: &EncodedBlob,
        part: impl Fn() -> Part,
    ) -> Result<BlobEntry, FlatgraphError> {
        let start_offset = Number::try_from(self.offset)
            .map_err(|found| FlatgraphError::LengthTooLarge { part: part(), found })?;
        self.append_bytes(&blob.bytes, part)?;
        Ok(BlobEntry {
            element: blob.element.name().into(),
            start_offset,
            // The cast does not truncate: the encoder checked that the length is below 2^31.
            compressed_length: Number::from(blob.bytes.len() as u32),
            decompressed_length: Number::from(blob.plain_len),
        })
    }

    fn append_bytes(&mut self, bytes: &[u8], part: impl Fn() -> Part) -> Result<(), FlatgraphError> {
        let offset = self.offset;
        if self.failed {
            return Err(FlatgraphError::WriterFailed { part: part(), offset });
        }
        let io_error = |source| FlatgraphError::Io { part: part(), offset, source };
        let result = self.sink.append(bytes).map_err(io_error);
        self.failed = result.is_err();
        self.offset += bytes.len() as u64;
        result
    }

    fn write_header(&mut self, header: Header) -> Result<(), FlatgraphError> {
        let io_error = |source| FlatgraphError::Io { part: Part::Header, offset: 0, source };
        self.sink.write_header(&header.to_bytes()).map_err(io_error)
    }
}

fn inout(direction: Direction) -> Number {
    match direction {
        Direction::In => Number::from(0),
        Direction::Out => Number::from(1),
    }
}

fn node_entry(kind: &NodeKind) -> NodeEntry {
    let deletions = kind.deletions.iter().map(|&seq| Number::from(seq)).collect();
    NodeEntry {
        node_label: kind.label.clone(),
        nnodes: Number::from(kind.node_count),
        deletions: if kind.deletions.is_empty() { None } else { Some(deletions) },
    }
}
