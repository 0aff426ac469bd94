//! [`Commits`]: the states of a file while writers change it, and the states that a disk may have after a
//! failure.

use std::sync::Arc;

use varvite::change::Durability;
use varvite::vfs::Vfs;
use varvite_testing::vfs::{CrashState, MemoryVfs, OperationLog, RecordVfs};

use crate::breach::{Breach, Outcome};
use crate::writers::answer::Answer;
use crate::writers::session::{Listener, Told};

const SYNCED: &str = "synced";

/// The operations on a disk, and the states that the file had meanwhile.
pub(crate) struct Commits {
    disk: RecordVfs,
    /// The states in order. The first is the state before all writers. `None`: there is no file.
    states: Vec<Option<Answer>>,
}

/// The progress of writers according to their reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The last state that was reported as synced.
    pub(crate) synced: usize,
    /// The last state that a writer reported.
    pub(crate) told: usize,
}

impl Progress {
    pub(crate) fn tell(&mut self, durability: Durability) {
        self.told += 1;
        if durability == Durability::Sync {
            self.synced = self.told;
        }
    }

    /// The progress at a crash state.
    pub(crate) fn of(state: &CrashState) -> Self {
        let last = state.marks.iter().rposition(|mark| mark == SYNCED);
        Self { synced: last.map_or(0, |last| last + 1), told: state.marks.len() }
    }
}

impl Commits {
    /// Begins with a disk whose visible state counts as durable.
    pub(crate) fn of(disk: &MemoryVfs) -> Outcome<Self> {
        Ok(Self { states: vec![Answer::find(disk)?], disk: RecordVfs::over(disk.clone()) })
    }

    /// Runs a writer on the disk, and reads the file at each state that the writer reports.
    pub(crate) fn record<T>(
        &mut self,
        write: impl FnOnce(Arc<dyn Vfs>, &mut Listener<'_>) -> T,
    ) -> Outcome<T> {
        let (disk, states, mut breach) = (self.disk.clone(), &mut self.states, None);
        let written = write(Arc::new(disk.clone()), &mut |told| {
            let Told::Done(durability) = told else { return };
            disk.mark(if durability == Durability::Sync { SYNCED } else { "buffered" });
            match Answer::read(&disk) {
                Ok(answer) => states.push(Some(answer)),
                Err(failed) => breach = breach.take().or(Some(failed)),
            }
        });
        breach.map_or(Ok(written), Err)
    }

    /// The operations on the disk.
    pub(crate) fn log(&self) -> OperationLog {
        self.disk.log()
    }

    /// The number of the last state.
    pub(crate) fn last(&self) -> usize {
        self.states.len() - 1
    }

    pub(crate) fn state(&self, number: usize) -> Option<&Answer> {
        self.states[number].as_ref()
    }

    /// Finds the number of the state of a file, given the writers' progress; the state after the last
    /// reported one is possible too. Synced commits are never lost, and buffered ones only from the end.
    pub(crate) fn find(&self, found: Option<&Answer>, progress: Progress) -> Outcome<usize> {
        let Progress { synced, told } = progress;
        let is_at = |number: &usize| match (&self.states[*number], found) {
            (None, None) => true,
            (Some(state), Some(found)) => state.is_same(found),
            _ => false,
        };
        if let Some(number) = (synced..=(told + 1).min(self.last())).rev().find(is_at) {
            return Ok(number);
        }
        match (0..self.states.len()).find(is_at) {
            Some(number) if number < synced => Err(Breach::lost(format!(
                "{synced} states were synced, and the file is as in state {number}"
            ))),
            Some(number) => Err(Breach::new(format!("the file is as in state {number} of {told}"))),
            None => Err(Breach::new(format!("the file is in no state that there was after {told}"))),
        }
    }
}
