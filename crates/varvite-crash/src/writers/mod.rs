//! All kinds of writers of a graph file, and the content that they leave.
//!
//! - `writer`, `session`, `marked`: the kinds of writers, and changes that a reader can distinguish.
//!   `history`: a sequence of writers.
//! - `commits`: the states that a file may be in. `answer`: the whole content of a file.

pub(crate) mod answer;
pub(crate) mod commits;
pub(crate) mod history;
pub(crate) mod marked;
pub(crate) mod session;
pub(crate) mod writer;
