//! Damage that a cursor met, remembered until someone asks.
//!
//! A hop can't afford a `Result`. A cursor that meets an impossible number gives nothing for it and leaves a note
//! here; [`Graph::check`](crate::Graph::check) turns the first note into an error. Programs ask once, at the end.

use std::sync::{Arc, OnceLock};

/// The first damage that any cursor of a graph met. Clones share the note.
#[derive(Clone, Debug, Default)]
pub(crate) struct Damage {
    first: Arc<OnceLock<Note>>,
}

/// Where it was.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub(crate) column: &'static str,
    pub(crate) node: u32,
}

impl Damage {
    /// Notes that `column` makes no sense at `node`.
    #[cold]
    #[inline(never)]
    pub(crate) fn note(&self, column: &'static str, node: u32) {
        let _ = self.first.set(Note { column, node });
    }

    pub(crate) fn first(&self) -> Option<&Note> {
        self.first.get()
    }
}
