//! Encodes columns to blobs, ready to be written.
//!
//! Compression is nearly all the work of writing a file, and needs no access to the file. So encode columns
//! on any number of threads, and pass the encoded columns to one [`FlatgraphWriter`](super::FlatgraphWriter)
//! in the order in which they should be written. Values are turned into bytes in small steps as zstd consumes
//! them, so that no second copy of a column is made.

use std::io::Write;

use zstd::stream::write::Encoder;

use super::limits::LENGTH_MAX;
use super::{BlobRole, Direction, ElementType, FlatgraphError, NodeKind, NodeRef, Part, StringPool, Values};

/// The compression level that flatgraph uses. Readers accept any level.
const LEVEL: i32 = 3;

/// A column of edges of one label and direction at the nodes of one kind, to be written.
#[derive(Debug, Clone, Copy)]
pub struct EdgeData<'a> {
    /// The kind of the nodes.
    pub kind: &'a NodeKind,
    /// The label of the edges.
    pub edge_label: &'a str,
    /// Whether the nodes of the kind are the targets or the sources of the edges.
    pub direction: Direction,
    /// The number of edges of each node; nodes after the last entry have none.
    pub quantities: &'a [u32],
    /// The nodes at the other ends of the edges, in the order of the kind's nodes.
    pub neighbors: &'a [NodeRef],
    /// The property of each edge, with as many values as there are neighbors.
    pub property: Option<&'a Values>,
}

/// A column of one property at the nodes of one kind, to be written.
#[derive(Debug, Clone, Copy)]
pub struct PropertyData<'a> {
    /// The kind of the nodes.
    pub kind: &'a NodeKind,
    /// The name of the property.
    pub name: &'a str,
    /// The number of values of each node; nodes after the last entry have none.
    pub quantities: &'a [u32],
    /// The values, in the order of the nodes.
    pub values: &'a Values,
}

/// An encoded column.
#[derive(Debug, Clone)]
pub struct EncodedColumn {
    pub(super) name: ColumnName,
    /// The blobs: quantities, then neighbors or values, then the property of edges.
    pub(super) blobs: Vec<EncodedBlob>,
    /// The smallest size of the string pool, in strings, for which all string indexes of the column are
    /// valid.
    pub(super) strings_min: u64,
}

/// The identity of a column: its kind, and its edge label and direction or its property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ColumnName {
    Edges { kind: Box<str>, label: Box<str>, direction: Direction },
    Property { kind: Box<str>, name: Box<str> },
}

impl ColumnName {
    pub(super) fn kind(&self) -> &str {
        match self {
            Self::Edges { kind, .. } | Self::Property { kind, .. } => kind,
        }
    }

    pub(super) fn part(&self, role: BlobRole) -> Part {
        match self.clone() {
            Self::Edges { kind, label, direction } => Part::Edges { kind, label, direction, role },
            Self::Property { kind, name } => Part::Property { kind, name, role },
        }
    }

    /// The name of the column's main blob, for errors about the whole column.
    pub(super) fn main_part(&self) -> Part {
        self.part(match self {
            Self::Edges { .. } => BlobRole::Neighbors,
            Self::Property { .. } => BlobRole::Values,
        })
    }
}

impl EncodedColumn {
    /// Encodes a column of edges. Takes the time to compress the column, and memory for the result.
    ///
    /// # Errors
    ///
    /// There are quantities for more nodes than the kind has; their sum exceeds the number of edges; the
    /// number of property values differs from the number of edges; or the column is too large for the format.
    pub fn edges(data: &EdgeData<'_>) -> Result<Self, FlatgraphError> {
        let name = ColumnName::Edges {
            kind: data.kind.label.clone(),
            label: data.edge_label.into(),
            direction: data.direction,
        };
        let edges = data.neighbors.len() as u64;
        let mut blobs = vec![
            encode_quantities(&name, data.kind.node_count, data.quantities, edges)?,
            EncodedBlob::encode(ElementType::Ref, data.neighbors, || name.part(BlobRole::Neighbors))?,
        ];
        if let Some(property) = data.property {
            let (part, found) = (|| name.part(BlobRole::Values), property.len() as u64);
            if found != edges {
                return Err(FlatgraphError::ValueCount { part: part(), expected: edges, found });
            }
            blobs.push(EncodedBlob::values(property, part)?);
        }
        Ok(Self { name, blobs, strings_min: data.property.map_or(0, strings_min) })
    }

    /// Encodes a column of a property. Takes the time to compress the column, and memory for the result.
    ///
    /// # Errors
    ///
    /// There are quantities for more nodes than the kind has; their sum exceeds the number of values; or the
    /// column is too large for the format.
    pub fn property(data: &PropertyData<'_>) -> Result<Self, FlatgraphError> {
        let name = ColumnName::Property { kind: data.kind.label.clone(), name: data.name.into() };
        let found = data.values.len() as u64;
        let blobs = vec![
            encode_quantities(&name, data.kind.node_count, data.quantities, found)?,
            EncodedBlob::values(data.values, || name.part(BlobRole::Values))?,
        ];
        Ok(Self { name, blobs, strings_min: strings_min(data.values) })
    }

    /// The number of bytes of the column in the file.
    #[must_use]
    pub fn compressed_len(&self) -> u64 {
        self.blobs.iter().map(|blob| blob.bytes.len() as u64).sum()
    }
}

/// Encodes the quantities and one zero: flatgraph needs the extra element to turn quantities into offsets in
/// place.
fn encode_quantities(
    name: &ColumnName,
    node_count: u32,
    quantities: &[u32],
    found: u64,
) -> Result<EncodedBlob, FlatgraphError> {
    let part = || name.part(BlobRole::Quantities);
    let Some(missing) = (node_count as usize).checked_sub(quantities.len()) else {
        let seq = node_count.into();
        return Err(FlatgraphError::QuantityWithoutNode { part: part(), node_count, seq });
    };
    let sum = quantities.iter().map(|&quantity| u64::from(quantity)).sum();
    if sum > found {
        return Err(FlatgraphError::TooFewValues { part: name.main_part(), expected: sum, found });
    }
    let mut frame = Frame::start(ElementType::Int, u64::from(node_count) + 1, part)?;
    frame.push(quantities)?;
    frame.push_zeros(missing + 1)?;
    frame.finish()
}

fn strings_min(values: &Values) -> u64 {
    let Values::String(indexes) = values else { return 0 };
    let last = indexes.iter().copied().max().unwrap_or(-1);
    u64::try_from(last).map_or(0, |last| last + 1)
}

/// A compressed blob.
#[derive(Debug, Clone)]
pub(super) struct EncodedBlob {
    pub(super) element: ElementType,
    pub(super) plain_len: u32,
    pub(super) bytes: Vec<u8>,
}

impl EncodedBlob {
    fn values(values: &Values, part: impl Fn() -> Part) -> Result<Self, FlatgraphError> {
        let element = values.element();
        match values {
            Values::Bool(values) => Self::encode(element, values, part),
            Values::Byte(values) => Self::encode(element, values, part),
            Values::Short(values) => Self::encode(element, values, part),
            Values::Int(values) | Values::String(values) => Self::encode(element, values, part),
            Values::Long(values) => Self::encode(element, values, part),
            Values::Float(values) => Self::encode(element, values, part),
            Values::Double(values) => Self::encode(element, values, part),
            Values::Ref(values) => Self::encode(element, values, part),
        }
    }

    /// Encodes the lengths of the pool's strings.
    pub(super) fn string_lengths(pool: &StringPool) -> Result<Self, FlatgraphError> {
        let lengths: Vec<u32> = pool.offsets().windows(2).map(|pair| pair[1] - pair[0]).collect();
        Self::encode(ElementType::Int, &lengths, || Part::StringLengths)
    }

    /// Encodes the bytes of the pool's strings.
    pub(super) fn string_bytes(pool: &StringPool) -> Result<Self, FlatgraphError> {
        Self::encode(ElementType::Byte, pool.text().as_bytes(), || Part::StringBytes)
    }

    fn encode<T: Stored>(
        element: ElementType,
        values: &[T],
        part: impl Fn() -> Part,
    ) -> Result<Self, FlatgraphError> {
        let mut frame = Frame::start(element, values.len() as u64, part)?;
        frame.push(values)?;
        frame.finish()
    }
}

/// A zstd frame that is being written to memory.
struct Frame<P> {
    element: ElementType,
    plain_len: u32,
    encoder: Encoder<'static, Vec<u8>>,
    plain: Vec<u8>,
    part: P,
}

impl<P: Fn() -> Part> Frame<P> {
    fn start(element: ElementType, slots: u64, part: P) -> Result<Self, FlatgraphError> {
        let plain_len = slots.saturating_mul(element.width().into());
        let plain_len_u32 = check_len(plain_len, &part)?;
        let out_of_memory = |_| out_of_memory(&part, plain_len);
        let mut encoder = Encoder::new(Vec::new(), LEVEL).map_err(out_of_memory)?;
        encoder.set_pledged_src_size(Some(plain_len)).map_err(out_of_memory)?;
        encoder.include_contentsize(true).map_err(out_of_memory)?;
        Ok(Self { element, plain_len: plain_len_u32, encoder, plain: Vec::new(), part })
    }

    fn push<T: Stored>(&mut self, values: &[T]) -> Result<(), FlatgraphError> {
        const PIECE: usize = 16 << 10;
        for piece in values.chunks(PIECE) {
            self.plain.clear();
            T::extend_le(&mut self.plain, piece);
            let written = self.encoder.write_all(&self.plain);
            written.map_err(|_| out_of_memory(&self.part, self.plain_len.into()))?;
        }
        Ok(())
    }

    fn push_zeros(&mut self, count: usize) -> Result<(), FlatgraphError> {
        const PIECE: [u32; 1 << 10] = [0; 1 << 10];
        let mut left = count;
        while left > 0 {
            let len = left.min(PIECE.len());
            self.push(&PIECE[..len])?;
            left -= len;
        }
        Ok(())
    }

    fn finish(self) -> Result<EncodedBlob, FlatgraphError> {
        let finished = self.encoder.finish();
        let mut bytes = finished.map_err(|_| out_of_memory(&self.part, self.plain_len.into()))?;
        check_len(bytes.len() as u64, &self.part)?;
        bytes.shrink_to_fit();
        Ok(EncodedBlob { element: self.element, plain_len: self.plain_len, bytes })
    }
}

/// The error of a failed write. The compression level is valid and the length was announced, so only a lack
/// of memory can be the cause.
fn out_of_memory(part: impl Fn() -> Part, bytes: u64) -> FlatgraphError {
    FlatgraphError::OutOfMemory { part: part(), bytes }
}

fn check_len(found: u64, part: impl Fn() -> Part) -> Result<u32, FlatgraphError> {
    match u32::try_from(found) {
        Ok(len) if found <= LENGTH_MAX => Ok(len),
        _ => Err(FlatgraphError::LengthTooLarge { part: part(), found }),
    }
}

/// An element that is stored as its little-endian bytes.
trait Stored: Sized {
    fn extend_le(bytes: &mut Vec<u8>, values: &[Self]);
}

macro_rules! stored {
    ($($number:ty),*) => {$(
        impl Stored for $number {
            fn extend_le(bytes: &mut Vec<u8>, values: &[Self]) {
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            }
        }
    )*};
}

stored!(u8, i8, i16, i32, u32, i64, f32, f64);

impl Stored for bool {
    fn extend_le(bytes: &mut Vec<u8>, values: &[Self]) {
        bytes.extend(values.iter().map(|&value| u8::from(value)));
    }
}

impl Stored for NodeRef {
    fn extend_le(bytes: &mut Vec<u8>, values: &[Self]) {
        bytes.extend(values.iter().flat_map(|value| value.bits().to_le_bytes()));
    }
}
