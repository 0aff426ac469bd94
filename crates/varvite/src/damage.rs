//! Damage that a cursor met, remembered until someone asks.
//!
//! A hop can't afford a `Result`. A cursor that meets an impossible number gives nothing for it and leaves a note, where the
//! store notes blocks that fail. [`Damage::check`] turns the first note into an error: [`Graph::check`](crate::Graph::check)
//! and the end of every run are this one function.

use std::sync::Arc;

use varvite_format::FormatError;
use varvite_store::Failures;

use crate::error::Result;

/// Where cursors of an open graph leave notes. Clones share them; they stay for as long as the graph is open.
#[derive(Clone, Debug)]
pub(crate) struct Damage {
    failures: Arc<Failures>,
}

impl Damage {
    pub(crate) fn of(failures: &Arc<Failures>) -> Self {
        Self { failures: Arc::clone(failures) }
    }

    /// Notes that `column` makes no sense at `node`.
    #[cold]
    #[inline(never)]
    pub(crate) fn note(&self, column: &'static str, node: u32) {
        self.failures.note_damage(|| {
            let found = format!("an impossible value at node or edge {node}");
            FormatError::damaged(format!("column of {column}"), "values that fit", found)
        });
    }

    /// Notes damage of another kind.
    #[cold]
    #[inline(never)]
    pub(crate) fn note_error(&self, describe: impl FnOnce() -> FormatError) {
        self.failures.note_damage(describe);
    }

    /// An error if any cursor met damage, or a block failed.
    pub(crate) fn check(&self) -> Result<()> {
        Ok(self.failures.check()?)
    }

    /// What `read` gives, or an error if it met damage on this thread.
    pub(crate) fn watch<T>(&self, read: impl FnOnce() -> T) -> Result<T> {
        let before = Failures::noted_here();
        let answer = read();
        if Failures::noted_here() != before {
            self.check()?;
        }
        Ok(answer)
    }
}
