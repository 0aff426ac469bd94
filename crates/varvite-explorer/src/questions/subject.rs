//! [`Subject`]: the node that a question is about, with its surroundings.

use varvite::Graph;

use crate::content::Columns;
use crate::limits::Work;

/// The node of a question.
pub(super) struct Subject<'a> {
    pub(super) graph: &'a Graph,
    pub(super) work: &'a Work,
    pub(super) columns: &'a Columns,
    pub(super) node: u32,
    /// The METHOD around the node, or the node itself.
    pub(super) method: Option<u32>,
    pub(super) lines: Lines,
}

/// The lines that the page wants to see.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    /// The lines to show instead of those of the METHOD.
    pub(super) first: Option<u64>,
    pub(super) last: Option<u64>,
    /// The line to mark.
    pub(super) marked: Option<u64>,
}
