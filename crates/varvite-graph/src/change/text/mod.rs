//! Diffs as text: one operation a line, as JSON (`docs/diff.md`).
//!
//! Lines are read one at a time. What a line says of nodes and edges that the diff adds, it says by names of
//! the diff's own, which a line before has given.
//!
//! - `line`: the forms of a line. `error`: what is wrong with one. `read`: from lines to a diff. `write`:
//!   from a diff to lines.

mod error;
mod line;
mod read;
mod write;

pub use error::{DiffTextError, DiffTextFault};
pub use read::DiffText;

/// Most bytes of a line.
const LINE_MAX: u64 = 64 << 20;
