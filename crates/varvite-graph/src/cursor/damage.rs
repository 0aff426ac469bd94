//! Notes of damage that cursors found, kept until [`Damage::check`] returns them.
//!
//! A hop can't afford a `Result`. A cursor that meets an impossible number gives nothing for it and leaves a
//! note, where the store notes blocks that fail. [`Damage::check`] turns the first note into an error:
//! [`Graph::check`](crate::Graph::check) and the end of every run are this one function.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use varvite_format::{Fault, FormatError, PropertyId};
use varvite_store::Failures;

use crate::error::Result;

/// The notes that cursors of an open graph leave. Clones share them; they stay for as long as the graph is
/// open.
#[derive(Clone, Debug)]
pub struct Damage {
    notes: Arc<Notes>,
}

/// One for each open graph.
#[derive(Debug)]
struct Notes {
    failures: Arc<Failures>,
    /// For each [`SoundPart`], the number of its first entries that were checked and are sound.
    sound: Box<[AtomicUsize]>,
}

/// A part that is checked as a whole, once for each open graph, by its first reader.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SoundPart {
    /// The values of a property.
    Values(PropertyId),
    /// Values that changed since the columns were written.
    ChangedValues(PropertyId),
    /// The slices of its texts in the pool.
    Texts(PropertyId),
}

impl SoundPart {
    fn index(self) -> usize {
        match self {
            Self::Values(property) => 3 * property.index(),
            Self::ChangedValues(property) => 3 * property.index() + 1,
            Self::Texts(property) => 3 * property.index() + 2,
        }
    }
}

impl Damage {
    /// Notes of a graph with so many properties.
    pub(crate) fn of(failures: &Arc<Failures>, properties: usize) -> Self {
        let sound = (0..3 * properties).map(|_| AtomicUsize::new(0)).collect();
        Self { notes: Arc::new(Notes { failures: Arc::clone(failures), sound }) }
    }

    /// The number of first entries of a part that some reader found sound.
    #[inline]
    pub(crate) fn sound(&self, part: SoundPart) -> usize {
        self.notes.sound.get(part.index()).map_or(0, |sound| sound.load(Ordering::Relaxed))
    }

    /// Records that entries from `start` to `end` are sound. Of ranges out of order only the first count.
    #[inline]
    pub(crate) fn note_sound(&self, part: SoundPart, start: usize, end: usize) {
        if let Some(sound) = self.notes.sound.get(part.index())
            && start <= sound.load(Ordering::Relaxed)
        {
            sound.fetch_max(end, Ordering::Relaxed);
        }
    }

    /// Notes damage of `column` at `node`.
    #[cold]
    #[inline(never)]
    #[doc(hidden)]
    pub fn note(&self, column: &'static str, node: u32) {
        self.notes.failures.note_damage(|| {
            FormatError::damaged(format!("column of {column}"), Fault::Impossible { owner: node })
        });
    }

    /// Notes damage of another kind.
    #[cold]
    #[inline(never)]
    pub(crate) fn note_error(&self, describe: impl FnOnce() -> FormatError) {
        self.notes.failures.note_damage(describe);
    }

    /// An error if any cursor met damage, or a block failed.
    #[doc(hidden)]
    #[inline]
    pub fn check(&self) -> Result<()> {
        Ok(self.notes.failures.check()?)
    }

    /// The result of `read`, or an error if it found damage on this thread.
    pub(crate) fn watch<T>(&self, read: impl FnOnce() -> T) -> Result<T> {
        let before = Failures::noted_here();
        let answer = read();
        if Failures::noted_here() != before {
            self.check()?;
        }
        Ok(answer)
    }
}
