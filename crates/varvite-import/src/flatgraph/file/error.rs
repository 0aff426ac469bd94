//! Errors of flatgraph files, each with the faulty part of the file.
//!
//! An error about damage states the part, the position within the part, and the expected and found values.
//! `offset` is a byte offset in the file, and `slot` is the index of a value in its decoded column.

use std::{fmt, io};

use varvite_codec::frame::Expanded;

use super::{Direction, ElementType};

/// The reason why a flatgraph file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FlatgraphError {
    /// The operating system returned an error.
    #[error(
        "cannot access {part} at byte {offset}: {source}; check that the file is readable, complete and not in use"
    )]
    Io {
        /// The part that was read or written.
        part: Part,
        /// The offset in the file.
        offset: u64,
        /// The error of the operating system.
        r#source: io::Error,
    },
    /// The caller cancelled the operation ([`Cancel`](varvite::Cancel)).
    #[error("cancelled")]
    Cancelled,
    /// The path names a folder, device or pipe. Columns are read at their offsets, which is impossible in a
    /// pipe.
    #[error("not a regular file; write the output of a pipe to a file first")]
    NotAFile,
    /// The file is smaller than a header.
    #[error(
        "not a flatgraph file: {len} bytes, but the header alone takes 16; it may be a failed export, create it again"
    )]
    TooShort {
        /// The length of the file.
        len: u64,
    },
    /// The first bytes of the file match no known format.
    #[error(
        "not a flatgraph file: expected it to begin with \"FLT GRPH\", found \"{}\"; pass a cpg.bin or .fg file made by Joern",
        found.escape_ascii()
    )]
    NotFlatgraph {
        /// The first eight bytes.
        found: [u8; 8],
    },
    /// A flatgraph file from before July 2024, when the magic number changed.
    #[error(
        "a flatgraph file of an early preview (before July 2024), which no released tool reads; create the graph again with a current Joern"
    )]
    PreviewFlatgraph,
    /// A file of overflowdb, which Joern used before version 4.
    #[error(
        "an overflowdb file, the format of Joern before version 4; open it once with a current Joern (importCpg), which writes a .fg file beside it"
    )]
    Overflowdb,
    /// A zip of protocol buffers messages, the exchange format of the oldest front ends.
    #[error(
        "a zip file, probably a code property graph in protocol buffers; open it once with a current Joern (importCpg), which writes a .fg file beside it"
    )]
    ProtoZip,
    /// The header has an impossible offset of the manifest.
    #[error(
        "damaged header: the manifest should begin between byte 16 and byte {len}, the end of the file, but the header says {found}; the file may be cut short, copy or create it again"
    )]
    ManifestOffset {
        /// The offset in the header, signed as flatgraph stores it.
        found: i64,
        /// The length of the file.
        len: u64,
    },
    /// The manifest is longer than the format allows.
    #[error(
        "damaged header: a manifest of {len} bytes, but flatgraph allows {max}; copy or create the file again",
        max = super::limits::LENGTH_MAX
    )]
    ManifestTooLong {
        /// Bytes from the start of the manifest to the end of the file.
        len: u64,
    },
    /// The manifest is not valid JSON of the expected form.
    #[error("damaged manifest at byte {offset}: {reason}; copy or create the file again")]
    ManifestJson {
        /// The offset at which parsing stopped.
        offset: u64,
        /// The parser's message.
        reason: String,
    },
    /// This library can't read the version of the file.
    #[error("flatgraph format version {found}, but only version 0 is known; use a newer Varvite")]
    UnsupportedVersion {
        /// The version in the manifest.
        found: u64,
    },
    /// The decoded file would be larger than [`Limits`](super::Limits) allows.
    #[error(
        "the file declares {found} {what}, the limit is {max}; if you trust the file, open it with higher \
         limits"
    )]
    Limit {
        /// The name of the items whose number exceeds the limit.
        what: &'static str,
        /// The number of items that the file states.
        found: u64,
        /// The limit.
        max: u64,
    },
    /// Once decoded, all columns and strings together would be far longer than the file.
    #[error(transparent)]
    Expanded(Expanded),
    /// Two node kinds have the same label.
    #[error("damaged manifest: node kind {label} is listed twice; copy or create the file again")]
    DuplicateKind {
        /// The label.
        label: Box<str>,
    },
    /// A node kind has more nodes than the format can number.
    #[error("damaged manifest: node kind {label} has {found} nodes, but flatgraph can number {max}", max = super::limits::LENGTH_MAX)]
    NodeCount {
        /// The label of the kind.
        label: Box<str>,
        /// The stated number of nodes.
        found: u64,
    },
    /// A deleted node is not a node of its kind, or is deleted twice.
    #[error(
        "damaged manifest: deleted node {seq} of kind {label} should be below {node_count} and listed once; copy or create the file again"
    )]
    Deletion {
        /// The label of the kind.
        label: Box<str>,
        /// The number of the node within its kind.
        seq: u64,
        /// The number of nodes of the kind.
        node_count: u32,
    },
    /// A column belongs to a node kind that is not listed.
    #[error(
        "damaged manifest: {part} belong to a node kind that the manifest does not list; copy or create the file again"
    )]
    UnknownKindLabel {
        /// The column.
        part: Part,
    },
    /// The direction of a column of edges is neither in nor out.
    #[error(
        "damaged manifest: edges {edge_label} of {kind} should have the direction 0 (in) or 1 (out), found {found}"
    )]
    UnknownDirection {
        /// The label of the node kind.
        kind: Box<str>,
        /// The label of the edges.
        edge_label: Box<str>,
        /// The number in the manifest.
        found: u64,
    },
    /// A column is listed twice.
    #[error("damaged manifest: {part} are listed twice; copy or create the file again")]
    DuplicateColumn {
        /// The column.
        part: Part,
    },
    /// A column has a type that flatgraph does not define.
    #[error(
        "{part} have the unknown type {found:?}; known are bool, byte, short, int, long, float, double, string and ref; use a newer Varvite"
    )]
    UnknownElementType {
        /// The column.
        part: Part,
        /// The type's name in the manifest.
        found: Box<str>,
    },
    /// The type of a column is not the one that its role requires.
    #[error("damaged manifest: {part} should have the type {expected}, found {found}")]
    ElementTypeMismatch {
        /// The column.
        part: Part,
        /// The type that the role requires.
        expected: ElementType,
        /// The type in the manifest.
        found: ElementType,
    },
    /// A length exceeds the format's 31 bits.
    #[error(
        "{part} take {found} bytes, but flatgraph allows {max} in one column",
        max = super::limits::LENGTH_MAX
    )]
    LengthTooLarge {
        /// The column.
        part: Part,
        /// The length, compressed or decoded.
        found: u64,
    },
    /// A column does not lie between the header and the manifest.
    #[error(
        "damaged manifest: {part} should lie between byte 16 and byte {data_end}, but are said to be {len} bytes at byte {start}; copy or create the file again"
    )]
    BlobOutOfFile {
        /// The column.
        part: Part,
        /// The offset in the manifest.
        start: u64,
        /// The length in the manifest.
        len: u64,
        /// The start of the manifest.
        data_end: u64,
    },
    /// Two columns contain the same bytes.
    #[error("damaged manifest: {part} begin at byte {offset}, inside {other}; copy or create the file again")]
    BlobOverlap {
        /// The column that begins before the other column ends.
        part: Part,
        /// The column that contains the first byte of `part`.
        other: Box<Part>,
        /// The start of the overlap.
        offset: u64,
    },
    /// A column's decoded length is not a multiple of the size of its elements.
    #[error("damaged manifest: {part} take {plain_len} bytes, no multiple of their {width}")]
    RaggedBlob {
        /// The column.
        part: Part,
        /// The decoded length of the column.
        plain_len: u64,
        /// The size of an element.
        width: u32,
    },
    /// The stated length of a decoded column is impossible for a zstd frame of its size.
    #[error(
        "damaged manifest: {part} are said to grow from {compressed_len} bytes to {plain_len}, which zstd cannot do; copy or create the file again"
    )]
    ImpossibleRatio {
        /// The column.
        part: Part,
        /// Bytes in the file.
        compressed_len: u32,
        /// Bytes when decoded.
        plain_len: u32,
    },
    /// The decoded length of a column differs from the length that the manifest states.
    #[error(
        "damaged {part} at byte {offset}: the manifest says {expected} bytes, the compressed data {}; copy or create the file again",
        found.map_or_else(|| "leave it open".to_owned(), |len| format!("say {len}"))
    )]
    PlainLength {
        /// The column.
        part: Part,
        /// The offset of the column.
        offset: u64,
        /// The length in the manifest.
        expected: u32,
        /// The length in the zstd frame; `None` if the frame states none.
        found: Option<u64>,
    },
    /// The compressed bytes of a column cannot be decoded.
    #[error("damaged {part} at byte {offset}: zstd found \"{reason}\"; copy or create the file again")]
    Zstd {
        /// The column.
        part: Part,
        /// The offset of the column.
        offset: u64,
        /// The error of zstd.
        reason: &'static str,
    },
    /// The zstd frame of a column ends before the column does.
    #[error(
        "damaged {part}: expected {expected} compressed bytes, but they end after {found}; copy or create the file again"
    )]
    FrameLength {
        /// The column.
        part: Part,
        /// The length of the column in the manifest.
        expected: u32,
        /// The length of the zstd frame.
        found: u64,
    },
    /// A column has quantities for nodes that do not exist.
    #[error("damaged {part}: expected quantities for {node_count} nodes, found one for node {seq}")]
    QuantityWithoutNode {
        /// The column.
        part: Part,
        /// The number of nodes of the kind.
        node_count: u32,
        /// The node that does not exist.
        seq: u64,
    },
    /// A node has a negative number of values or edges.
    #[error("damaged {part}: node {seq} has the negative quantity {found}")]
    NegativeQuantity {
        /// The column.
        part: Part,
        /// The number of the node within its kind.
        seq: u64,
        /// The quantity.
        found: i32,
    },
    /// The sum of a column's quantities exceeds its number of values.
    #[error("damaged {part}: the quantities add up to {expected} values, but there are {found}")]
    TooFewValues {
        /// The column of values.
        part: Part,
        /// The sum of the quantities.
        expected: u64,
        /// The number of values.
        found: u64,
    },
    /// A node reference contains the index of a kind that does not exist.
    #[error("damaged {part}: slot {slot} refers to node kind {found}, but there are {kinds}")]
    RefToUnknownKind {
        /// The column.
        part: Part,
        /// The position in the column.
        slot: u64,
        /// The index of the kind.
        found: u32,
        /// The number of kinds.
        kinds: usize,
    },
    /// A node reference contains a node number that does not exist in the kind.
    #[error("damaged {part}: slot {slot} refers to node {found} of kind {kind}, which has {node_count}")]
    RefToUnknownNode {
        /// The column.
        part: Part,
        /// The position in the column.
        slot: u64,
        /// The label of the kind.
        kind: Box<str>,
        /// The number of the node within its kind.
        found: u32,
        /// The number of nodes of the kind.
        node_count: u32,
    },
    /// The other end of an edge is a null reference.
    #[error("damaged {part}: slot {slot} refers to no node")]
    NullNeighbor {
        /// The column.
        part: Part,
        /// The position in the column.
        slot: u64,
    },
    /// A truth value is stored as neither 0 nor 1.
    #[error("damaged {part}: slot {slot} should be 0 or 1, found {found}")]
    NotBool {
        /// The column.
        part: Part,
        /// The position in the column.
        slot: u64,
        /// The stored byte.
        found: u8,
    },
    /// A string index is beyond the end of the pool.
    #[error("damaged {part}: slot {slot} should be -1 or a string below {strings}, found {found}")]
    StringOutOfPool {
        /// The column.
        part: Part,
        /// The position in the column.
        slot: u64,
        /// The string index.
        found: i32,
        /// The number of strings in the pool.
        strings: u64,
    },
    /// A string of the pool has a negative length.
    #[error("damaged {part}: string {index} has the negative length {found}", part = Part::StringLengths)]
    NegativeStringLength {
        /// The index of the string.
        index: u64,
        /// The length of the string.
        found: i32,
    },
    /// The lengths of the strings in the pool add up to more bytes than the pool has.
    #[error(
        "damaged {part}: the strings up to {index} take {expected} bytes, but there are {found}",
        part = Part::StringBytes
    )]
    StringPoolTooShort {
        /// The index of the first string that does not fit.
        index: u64,
        /// The offset at which the string should end.
        expected: u64,
        /// The number of bytes of the pool.
        found: u64,
    },
    /// A string of the pool is not UTF-8.
    #[error("damaged {part}: string {index} is not UTF-8 at byte {offset} of the pool", part = Part::StringBytes)]
    StringNotUtf8 {
        /// The index of the string.
        index: u64,
        /// The offset of the first invalid byte within the decoded bytes of the pool.
        offset: u64,
    },
    /// The number of values of an edge property differs from the number of edges.
    #[error("cannot write {part}: there should be one for each of {expected} edges, found {found}")]
    ValueCount {
        /// The column of values.
        part: Part,
        /// The number of edges.
        expected: u64,
        /// The number of values.
        found: u64,
    },
    /// A written column refers to strings that are not in the pool.
    #[error("cannot write the string pool: {part} need {expected} strings, found {found}")]
    StringPoolTooSmall {
        /// The column that needs the largest pool.
        part: Part,
        /// The number of strings that the column needs.
        expected: u64,
        /// The number of strings in the pool.
        found: u64,
    },
    /// An earlier write of the same file failed, and the file's state is unknown.
    #[error("cannot write {part} at byte {offset}, since an earlier write failed; begin the file again")]
    WriterFailed {
        /// The part that was to be written.
        part: Part,
        /// The offset at which the part was to be written.
        offset: u64,
    },
    /// There is not enough memory for a decoded column.
    #[error("not enough memory for {part}: {bytes} bytes")]
    OutOfMemory {
        /// The column.
        part: Part,
        /// The size of the decoded column in bytes.
        bytes: u64,
    },
    /// Importing the file would need more memory than the limit.
    #[error("{needed} bytes of memory are needed, the budget is {limit}: raise the budget")]
    OverBudget {
        /// The memory that an import needs, computed from the lengths of the columns.
        needed: u64,
        /// The limit.
        limit: u64,
    },
}

/// A part of the file, as named in messages.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// The first 16 bytes.
    Header,
    /// The JSON at the end of the file.
    Manifest,
    /// A column of edges.
    Edges {
        /// The label of the node kind of the column.
        kind: Box<str>,
        /// The label of the edges.
        label: Box<str>,
        /// Whether the nodes of the kind are the targets or the sources of the edges.
        direction: Direction,
        /// The role of the blob in the column.
        role: BlobRole,
    },
    /// A column of a property.
    Property {
        /// The label of the node kind of the column.
        kind: Box<str>,
        /// The name of the property.
        name: Box<str>,
        /// The role of the blob in the column.
        role: BlobRole,
    },
    /// The lengths of the strings in the pool.
    StringLengths,
    /// The bytes of the strings in the pool.
    StringBytes,
}

/// The role of a blob in its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlobRole {
    /// The number of values or edges of each node.
    Quantities,
    /// The nodes at the other end of the edges.
    Neighbors,
    /// The values of a property of nodes or of edges.
    Values,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Header => f.write_str("the header"),
            Part::Manifest => f.write_str("the manifest"),
            Part::Edges { kind, label, direction, role } => {
                let direction = match direction {
                    Direction::In => "incoming",
                    Direction::Out => "outgoing",
                };
                write!(f, "the {role} of {direction} {label} edges of {kind}")
            }
            Part::Property { kind, name, role } => write!(f, "the {role} of property {name} of {kind}"),
            Part::StringLengths => f.write_str("the lengths of the string pool"),
            Part::StringBytes => f.write_str("the bytes of the string pool"),
        }
    }
}

impl fmt::Display for BlobRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BlobRole::Quantities => "quantities",
            BlobRole::Neighbors => "neighbors",
            BlobRole::Values => "values",
        })
    }
}
