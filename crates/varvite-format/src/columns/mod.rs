//! Columns: values as bytes, encoded and read.
//!
//! - `ints`, `set`, `strings`: the three readers, each over all its encodings; `pool`: bytes of texts.
//! - `packed`, `local`, `capped`, `two_level`: encodings of integers with a layout of their own, reader and
//!   writer side by side; `packed_stream`: a packed column of values that are never all in memory.
//! - `encode`, `encode_input`: the choice of a column's encoding, and the check of its input; `column`: their
//!   rows.
//! - `codes`, `stored_bounds`, `kernels`, `small`, `list_ends`, `presence`: the innermost loops over stored
//!   numbers.
//! - `source`, `blocks`: where readers get bytes from, whole or block by block.

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
