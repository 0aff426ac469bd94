//! The Varvite file as bytes: what each byte means, and how values become bytes.
//!
//! Reading order: [`Header`] and [`Superblock`] find the [`Directory`]; its [`ColumnRow`]s name encodings and
//! [`SegmentRow`]s name byte ranges; [`Ints`], [`NodeSet`] and [`Strings`] read the values. `docs/format.md`
//! is the same story with every offset.
//!
//! # Where a file comes from
//!
//! From `varvite import`, or in Rust from `varvite_import` and `varvite::write`. Programs that ask a graph questions open it
//! with the crate `varvite`. This one is for those who read bytes that they have already:
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
//! used, also after it was checked at the door, because a mapped file can change. Readers are generic over
//! "anything that is bytes", so that mapping, which is the dangerous act, belongs to whoever opens the file.
//!
//! - `header`, `superblock`, `directory`, `continued`, `rows`, `changes`, `names`, `segment`, `column`, `encoding`, `ids`: the
//!   file's own tables, as bytes and as checked types.
//! - `log`: commits that are records behind the end of the file: their heads, and the operations in them.
//! - `claims`, `excess`: what a directory claims, against the length of its file. All limits on claims are here.
//! - `error_code`: one number for every public error, the same in every language.
//! - `source`, `blocks`: where readers get rows and bytes from, whole or block by block.
//! - `ints`, `set`, `strings`: the three readers of columns, each over all its encodings, with cursors that keep
//!   what they read last.
//! - `pool`: the bytes of texts.
//! - `packed`, `local`, `capped`, `two_level`: encodings of integers with a layout of their own, reader
//!   and writer side by side; `packed_stream`: a packed column of values that are never all in memory.
//! - `codes`: codes of a fixed width in bits, 128 at a time; `stored_bounds`: bounds of values as they are stored.
//! - `kernels`: the innermost loops over stored numbers.
//! - `small`, `list_ends`: shortcuts to columns of single bytes and of where lists start, for the innermost loops.
//! - `encode`, `profile`: which encoding a column gets.
//! - `bytes`, `error`, `part`, `fault`: little-endian loads that may fail, how damage is described, which part of a file
//!   it is in, and what is wrong there; `foreign`: what a file may be that is not ours; `quantity`: what a file can't hold more of.
#![forbid(unsafe_code)]

mod blocks;
mod bytes;
mod capped;
mod changes;
mod claims;
mod codes;
mod column;
mod continued;
mod directory;
mod encode;
mod encode_input;
mod encoding;
mod error;
mod error_code;
mod excess;
mod fault;
mod foreign;
mod header;
mod ids;
mod input;
mod ints;
mod kernels;
mod list_ends;
mod local;
mod log;
mod names;
mod packed;
mod packed_stream;
mod part;
mod pool;
mod presence;
mod profile;
mod quantity;
mod rows;
mod segment;
mod set;
mod small;
mod source;
mod stored_bounds;
mod strings;
mod superblock;
mod two_level;

pub use blocks::{Blocks, InPass, SharedBlocks};
pub use changes::{Changes, EdgeChangeRow, PropertyChangeRow};
pub use column::{ColumnRow, EncodedColumn, EncodedSegment};
pub use continued::{Continuable, Continued};
pub use directory::Directory;
pub use encode::{
    Keys, Purpose, encode_ints, encode_members, encode_set, encode_strings, encode_strings_over,
    packed_estimate,
};
pub use encode_input::{StringsInput, check_list_ends};
pub use encoding::Encoding;
pub use error::{FormatError, Result};
pub use error_code::ErrorCode;
pub use excess::{Claim, Excess};
pub use fault::Fault;
pub use foreign::Foreign;
pub use header::{FORMAT_VERSION, Header, PAGE};
pub use ids::{ColumnId, EdgeLabelId, LabelId, NONE, NameId, PropertyId, SegmentId};
pub use input::{InputError, check_name, check_text};
pub use ints::{Ints, IntsCursor};
pub use list_ends::ListEnds;
pub use log::{
    LogEdge, LogNode, LogNumbers, LogOperation, LogOperations, LogOperationsBuilder, LogOwner, LogRecord,
    LogValue, LogValues,
};
pub use names::{Names, NamesBuilder};
pub use packed_stream::{PackedEnd, PackedStream};
pub use part::Part;
pub use pool::Text;
pub use presence::{compress, keep_members, spread};
pub use profile::Profile;
pub use quantity::Quantity;
pub use rows::{AdjacencyRow, EdgeLabelRow, LabelRow, LayerRow, Owner, PropertyRow, TextIndexRow};
pub use segment::{BlockTable, BlockTableBuilder, PLAIN_BLOCK, SEGMENT_ALIGN, SegmentRow};
pub use set::{NodeSet, NodeSetIter, SetCursor, SetRanks, members};
pub use small::{SmallInts, SmallLimit};
pub use source::Source;
pub use strings::{Strings, TextReader};
pub use superblock::Superblock;
