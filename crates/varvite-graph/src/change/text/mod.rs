//! Diffs as text: one operation a line, as JSON (`docs/diff.md`).
//!
//! Lines are read one at a time. A line refers to nodes and edges that the diff adds by the diff's own names,
//! which an earlier line has given.
//!
//! - `line`: the forms of a line. `error`: why a line is refused. `read`: from lines to a diff. `write`: from
//!   a diff to lines.

mod error;
mod line;
mod read;
mod write;

pub use error::{DiffTextError, DiffTextFault};
pub use read::DiffText;

/// Most bytes of a line.
const LINE_MAX: u64 = 64 << 20;
