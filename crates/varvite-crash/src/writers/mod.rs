//! Everything that writes a graph file, and the content that it leaves there.
//!
//! - `writer`, `session`, `marked`: each kind of writer, and changes that a reader can distinguish.
//!   `history`: one writer after the other.
//! - `commits`: the states that a file may be at. `answer`: the whole content of a file.

pub(crate) mod answer;
pub(crate) mod commits;
pub(crate) mod history;
pub(crate) mod marked;
pub(crate) mod session;
pub(crate) mod writer;
