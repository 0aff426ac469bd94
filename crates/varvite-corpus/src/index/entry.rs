//! [`Entry`]: a file of an index.

use std::sync::Arc;

use crate::facts::CodeFacts;

/// A file of an index, with what it contains.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The path, as the corpus names it.
    pub(super) path: String,
    pub(super) content: EntryContent,
}

/// The facts of a file in an index.
#[derive(Clone, Debug)]
pub(super) enum EntryContent {
    /// The facts of a graph.
    Code(Arc<FileFacts>),
    /// A file with the identity of an earlier one, by its number.
    Copy(usize),
    /// The reason why the file could not be read.
    Fault(String),
}

/// The facts of a graph, and its identity.
#[derive(Clone, Debug)]
pub(super) struct FileFacts {
    pub(super) identity: String,
    pub(super) nodes: u32,
    pub(super) code: CodeFacts,
}

impl Entry {
    /// The facts of the file, if it has its own.
    pub(super) fn facts(&self) -> Option<&FileFacts> {
        match &self.content {
            EntryContent::Code(facts) => Some(facts),
            _ => None,
        }
    }
}
