//! Columns: values as bytes, encoded and read.
//!
//! - `ints`, `set`, `strings`: the three readers, each for all its encodings; `pool`: bytes of texts.
//! - `packed`, `local`, `capped`, `two_level`: the reader and writer of each encoding of integers that has a
//!   layout of its own; `packed_stream`: a writer of packed columns whose values are never all in memory.
//! - `encode`, `encode_input`: the choice of a column's encoding, and the check of its input; `column`: the
//!   rows of columns.
//! - `codes`, `stored_bounds`, `kernels`, `small`, `list_ends`, `presence`: the innermost loops over stored
//!   numbers.
//! - `source`, `blocks`: the source of a reader's bytes, as whole segments or block by block.

pub(crate) mod blocks;
pub(crate) mod capped;
pub(crate) mod codes;
pub(crate) mod column;
pub(crate) mod encode;
pub(crate) mod encode_input;
pub(crate) mod ints;
pub(crate) mod kernels;
pub(crate) mod list_ends;
pub(crate) mod local;
pub(crate) mod packed;
pub(crate) mod packed_stream;
pub(crate) mod pool;
pub(crate) mod presence;
pub(crate) mod set;
pub(crate) mod small;
pub(crate) mod source;
pub(crate) mod stored_bounds;
pub(crate) mod strings;
pub(crate) mod two_level;
