//! Diffs as text: one operation per line, as JSON (`docs/diff.md`).
//!
//! Lines are read one at a time. A line refers to nodes and edges that the diff adds by names that earlier
//! lines gave them.
//!
//! - `line`: the forms of a line. `error`: the reasons for refusing a line. `read`: from lines to a diff.
//!   `write`: from a diff to lines.

mod error;
mod line;
mod read;
mod write;

pub use error::{DiffTextError, DiffTextFault};
pub use read::DiffText;

/// The most bytes of a line.
const LINE_MAX: u64 = 64 << 20;
