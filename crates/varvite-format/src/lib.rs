//! The Varvite file as bytes: what each byte means, and how values become bytes.
//!
//! Reading order: [`Header`] and [`Superblock`] find the [`Directory`]; its [`ColumnRow`]s name encodings and
//! [`SegmentRow`]s name byte ranges; [`Ints`], [`NodeSet`] and [`Strings`] read the values. `docs/format.md` is the
//! same story with every offset.
//!
//! Invariants: no I/O, no unsafe code, no panic on any bytes. Every number from a file is checked where it is used,
//! also after it was checked at the door, because a mapped file can change. Readers are generic over "anything that
//! is bytes", so that mapping, which is the dangerous act, belongs to whoever opens the file.
#![forbid(unsafe_code)]

mod bytes;
mod capped;
mod claims;
mod codes;
mod column;
mod cursor;
mod directory;
mod encode;
mod error;
mod error_code;
mod header;
mod ids;
mod ints;
mod local;
mod names;
mod packed;
mod pool;
mod profile;
mod rows;
mod segment;
mod set;
mod small;
mod strings;
mod superblock;
mod two_level;

pub use claims::Excess;
pub use column::{ColumnRow, EncodedColumn, EncodedSegment, Encoding, Source};
pub use cursor::{IntsCursor, SetCursor};
pub use directory::Directory;
pub use encode::{Keys, Purpose, StringsInput, encode_ints, encode_set, encode_strings, packed_estimate};
pub use error::{FormatError, Result};
pub use error_code::ErrorCode;
pub use header::{FORMAT_VERSION, Header, PAGE};
pub use ids::{ColumnId, NONE, NameId, SegmentId};
pub use ints::Ints;
pub use names::{Names, NamesBuilder};
pub use pool::{Blocks, InPass, SharedBlocks, Text};
pub use profile::Profile;
pub use rows::{AdjacencyRow, EdgeLabelRow, LabelRow, LayerRow, Owner, PropertyRow, TextIndexRow};
pub use segment::{BlockTable, BlockTableBuilder, PLAIN_BLOCK, SEGMENT_ALIGN, SegmentRow};
pub use set::{NodeSet, NodeSetIter, SetRanks, members};
pub use small::{SmallInts, SmallLimit};
pub use strings::{Strings, TextReader};
pub use superblock::Superblock;
