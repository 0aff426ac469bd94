//! [`Damage`]: the notes that cursors make of damage. [`Damage::check`] returns the first note as an error.
//!
//! A `Result` for each hop would be too slow. A cursor that reads an invalid number leaves that entry out and
//! records a note, in the list where the store records blocks with wrong checksums. [`Damage::check`] turns
//! the first note into an error. [`Graph::check`](crate::Graph::check) calls it, and so does every pipeline
//! run at its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use varvite_format::{Fault, FormatError, PropertyId};
use varvite_store::Failures;

use crate::error::Result;

/// The notes of damage that cursors of an open graph record. Clones share the notes, which are kept while the
/// graph is open.
#[derive(Clone, Debug)]
pub struct Damage {
    notes: Arc<Notes>,
}

/// The shared part of [`Damage`], one for each open graph.
#[derive(Debug)]
struct Notes {
    failures: Arc<Failures>,
    /// For each [`SoundPart`], the number of entries at its start that were checked and found sound.
    sound: Box<[AtomicUsize]>,
}

/// A sequence of stored values that is checked once for each open graph, by its first reader.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SoundPart {
    /// The values of a property in the base.
    Values(PropertyId),
    /// The values of a property that changed since the base was written.
    ChangedValues(PropertyId),
    /// The texts of a property: their ranges in the pool of text bytes.
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
    /// The notes of a graph with `properties` properties.
    pub(crate) fn of(failures: &Arc<Failures>, properties: usize) -> Self {
        let sound = (0..3 * properties).map(|_| AtomicUsize::new(0)).collect();
        Self { notes: Arc::new(Notes { failures: Arc::clone(failures), sound }) }
    }

    /// The number of entries at the start of a part that readers found sound.
    #[inline]
    pub(crate) fn sound(&self, part: SoundPart) -> usize {
        self.notes.sound.get(part.index()).map_or(0, |sound| sound.load(Ordering::Relaxed))
    }

    /// Records that the entries from `start` to `end` are sound. A range that begins after the entries known
    /// to be sound is ignored.
    #[inline]
    pub(crate) fn note_sound(&self, part: SoundPart, start: usize, end: usize) {
        if let Some(sound) = self.notes.sound.get(part.index())
            && start <= sound.load(Ordering::Relaxed)
        {
            sound.fetch_max(end, Ordering::Relaxed);
        }
    }

    /// Records damage of `column` at `node`.
    #[cold]
    #[inline(never)]
    #[doc(hidden)]
    pub fn note(&self, column: &'static str, node: u32) {
        self.notes.failures.note_damage(|| {
            FormatError::damaged(format!("column of {column}"), Fault::Impossible { owner: node })
        });
    }

    /// Records damage. `describe` makes the error; it is called only if no damage was recorded before.
    #[cold]
    #[inline(never)]
    pub(crate) fn note_error(&self, describe: impl FnOnce() -> FormatError) {
        self.notes.failures.note_damage(describe);
    }

    /// Fails if any cursor found damage, or if a block failed its checksum.
    #[doc(hidden)]
    #[inline]
    pub fn check(&self) -> Result<()> {
        Ok(self.notes.failures.check()?)
    }

    /// The result of `read`, or an error if `read` found damage on this thread.
    pub(crate) fn watch<T>(&self, read: impl FnOnce() -> T) -> Result<T> {
        let before = Failures::noted_here();
        let answer = read();
        if Failures::noted_here() != before {
            self.check()?;
        }
        Ok(answer)
    }
}
