//! The Varvite file as bytes: the meaning of each byte, and the encoding of values.
//!
//! Reading order: [`Header`] and [`Superblock`] find the [`Directory`]; its [`ColumnRow`]s name encodings and
//! [`SegmentRow`]s name byte ranges; [`Ints`], [`NodeSet`] and [`Strings`] read the values. `docs/format.md`
//! describes the same structures with every offset.
//!
//! # Where a file comes from
//!
//! The command `varvite import` writes files; in Rust, the crate `varvite_import` and the module
//! `varvite::columns` do. Programs that query a graph open it with the crate `varvite`. This crate is for
//! programs that parse the bytes of a file themselves:
//!
//! ```no_run
//! use varvite_format::{Directory, Header, PAGE, Superblock};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let file = std::fs::read("code.varvite")?;
//! let page = |number: usize| file.get(number * PAGE..(number + 1) * PAGE).unwrap_or(&[]);
//! let header = Header::from_page(page(0))?;
//! // A commit writes one of two slots. Of those that are whole the newest counts.
//! let slots = [0, 1].map(|slot| Superblock::from_page(page(1 + slot as usize), &header.file_id, slot));
//! let whole = slots.into_iter().filter_map(|slot| slot.ok().flatten());
//! let newest = whole.max_by_key(|slot| slot.generation).ok_or("nothing was committed")?;
//! let (start, len) = (newest.directory_offset as usize, newest.directory_len as usize);
//! let bytes = file.get(start..start.saturating_add(len)).ok_or("the directory is cut off")?;
//! // That of a small commit goes on where an older one ends: see `Continued`.
//! let directory = Directory::from_bytes(bytes, 3 * PAGE as u64, newest.directory_offset)?;
//! println!("{} nodes in {} columns", directory.nodes, directory.columns.len());
//! # Ok(())
//! # }
//! ```
//!
//! Invariants: no I/O, no unsafe code, no panic on any bytes. Every number from a file is checked where it is
//! used, even if it was checked when the file was opened, because a mapped file can change. Readers are
//! generic over the type that owns the bytes, so that only the crate that maps the file needs unsafe code.
//!
//! - `tables`: header, superblocks, directory and log, as bytes and as checked types.
//! - `columns`: encodings of values as bytes, and the three readers; cursors keep the values that they
//!   decoded last.
//! - `faults`: faults of files and calls, and one error code for every public error.
//! - `bytes`: checked little-endian loads; `ids`: numbers of rows; `encoding`: names and numbers of
//!   encodings; `profile`: the purpose that the encodings of a file serve.
#![forbid(unsafe_code)]

mod bytes;
mod columns;
mod encoding;
mod faults;
mod ids;
mod profile;
mod tables;

pub use columns::blocks::{Blocks, InPass, SharedBlocks};
pub use columns::column::{ColumnRow, EncodedColumn, EncodedSegment};
pub use columns::encode::{
    Keys, Purpose, encode_ints, encode_members, encode_set, encode_strings, encode_strings_over,
    packed_estimate,
};
pub use columns::encode_input::{StringsInput, check_list_ends};
pub use columns::ints::{Ints, IntsCursor};
pub use columns::list_ends::ListEnds;
pub use columns::packed_stream::{PackedEnd, PackedStream};
pub use columns::pool::Text;
pub use columns::presence::{compress, keep_members, spread};
pub use columns::set::{NodeSet, NodeSetIter, SetCursor, SetRanks, members};
pub use columns::small::{SmallInts, SmallLimit};
pub use columns::source::Source;
pub use columns::strings::{Strings, TextReader};
pub use encoding::Encoding;
pub use faults::error::{FormatError, Result};
pub use faults::error_code::ErrorCode;
pub use faults::excess::{Claim, Excess};
pub use faults::fault::Fault;
pub use faults::foreign::Foreign;
pub use faults::input::{InputError, check_name, check_text};
pub use faults::part::Part;
pub use faults::quantity::Quantity;
pub use ids::{ColumnId, EdgeLabelId, LabelId, NONE, NameId, PropertyId, SegmentId};
pub use profile::Profile;
pub use tables::changes::{Changes, EdgeChangeRow, PropertyChangeRow};
pub use tables::continued::{Continuable, Continued};
pub use tables::directory::Directory;
pub use tables::header::{FORMAT_VERSION, Header, PAGE};
pub use tables::log::{
    LogEdge, LogNode, LogNumbers, LogOperation, LogOperations, LogOperationsBuilder, LogOwner, LogRecord,
    LogValue, LogValues,
};
pub use tables::names::{Names, NamesBuilder};
pub use tables::rows::{AdjacencyRow, EdgeLabelRow, LabelRow, LayerRow, Owner, PropertyRow, TextIndexRow};
pub use tables::segment::{BlockTable, BlockTableBuilder, PLAIN_BLOCK, SEGMENT_ALIGN, SegmentRow};
pub use tables::superblock::Superblock;
