//! Diffs as text: one operation per line, as JSON (`docs/diff.md`).
//!
//! Lines are read one at a time. To refer to nodes and edges that the diff adds, a line uses the names that
//! earlier lines gave them.
//!
//! - `line`: the forms of a line. `error`: the reasons for refusing a line. `read`: converts lines to a diff.
//!   `write`: converts a diff to lines.

mod error;
mod line;
mod read;
mod write;

pub use error::{DiffTextError, DiffTextFault};
pub use read::DiffText;

/// The maximum number of bytes in a line.
const LINE_MAX: u64 = 64 << 20;
