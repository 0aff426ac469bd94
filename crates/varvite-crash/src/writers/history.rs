//! [`History`]: a sequence of writers of one file, generated from a seed.

use std::path::Path;
use std::sync::Arc;

use varvite::change::ChangeError;
use varvite::vfs::Vfs;
use varvite_model::SplitMix64;
use varvite_testing::vfs::MemoryVfs;

use crate::breach::{Breach, Outcome, demand};
use crate::writers::answer::Answer;
use crate::writers::commits::Commits;
use crate::writers::session::{Listener, Session};
use crate::writers::writer::{Content, PATH, Writer};

/// The writers, in order.
#[derive(Clone, Debug)]
pub(crate) struct History {
    pub(crate) seed: u64,
    pub(crate) writers: Vec<Writer>,
}

/// An independent disk with copies of the files.
pub(crate) fn copy_of(disk: &MemoryVfs) -> MemoryVfs {
    disk.visible_image()
}

/// A history that was run without failures.
pub(crate) struct Run {
    pub(crate) history: History,
    pub(crate) commits: Commits,
    /// The number of the last state of each writer.
    pub(crate) last_of: Vec<usize>,
}

impl History {
    /// A history that begins with an import, and has all kinds of writers about equally often.
    pub(crate) fn of(seed: u64, length: usize) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut writers = Vec::new();
        let mut content = None;
        while writers.len() < length {
            let one = random.below(2);
            let writer = match (writers.len(), random.below(18)) {
                (0, _) => Writer::FirstImport,
                (_, 0..3) => Writer::Layer(one),
                (_, 3..5) => Writer::DropLayer(one),
                (_, 5..7) => Writer::Index(random.below(3)),
                (_, 7) => Writer::DropIndex(random.below(3)),
                (_, 8..11) => Writer::Apply,
                (_, 11..14) => Writer::Log(Session::ALL[random.below(3)]),
                (_, 14..16) => Writer::Compact,
                (_, 16) => Writer::CompactOnline,
                _ => Writer::Import,
            };
            if let Some(after) = writer.after(content.as_ref(), seed, writers.len() as u32) {
                content = Some(after);
                writers.push(writer);
            }
        }
        Self { seed, writers }
    }

    /// Runs writer number `number` on the file.
    pub(crate) fn write(&self, number: usize, vfs: Arc<dyn Vfs>) -> varvite::Result<(), ChangeError> {
        self.write_on(number, vfs, 0, &mut |_| ())
    }

    /// Runs writer number `number`, whose first `first` states were reached before. Reports each further
    /// state.
    pub(crate) fn write_on(
        &self,
        number: usize,
        vfs: Arc<dyn Vfs>,
        first: usize,
        told: &mut Listener<'_>,
    ) -> varvite::Result<(), ChangeError> {
        self.writers[number].write_on(vfs, Path::new(PATH), self.seed, number as u32, first, told)
    }

    /// The expected content of the file before writer `number`.
    pub(crate) fn content(&self, number: usize) -> Option<Content> {
        let mut content = None;
        for (number, writer) in (0..).zip(&self.writers[..number]) {
            content = writer.after(content.as_ref(), self.seed, number);
        }
        content
    }

    /// Makes a disk in the state before writer `number`, on which writers can run.
    pub(crate) fn disk(&self, number: usize) -> Outcome<MemoryVfs> {
        let disk = MemoryVfs::new();
        for number in 0..number {
            self.write(number, Arc::new(disk.clone())).map_err(|error| self.failed(number, &error))?;
        }
        Ok(disk)
    }

    /// Runs all writers, and checks the file after each.
    pub(crate) fn run(self) -> Outcome<Run> {
        let disk = MemoryVfs::new();
        let (mut commits, mut last_of) = (Commits::of(&disk)?, Vec::new());
        for (number, writer) in self.writers.iter().enumerate() {
            let before = copy_of(&disk);
            let result = commits.record(|vfs, told| self.write_on(number, vfs, 0, told))?;
            result.map_err(|error| self.failed(number, &error))?;
            let answer = Answer::read(&disk)?;
            self.check(number, &answer)?;
            if let Writer::Log(session) = writer {
                self.check_session(number, *session, &before, &answer)?;
            }
            last_of.push(commits.last());
        }
        Ok(Run { commits, history: self, last_of })
    }

    /// Checks that writer `number` left the right content.
    fn check(&self, number: usize, answer: &Answer) -> Outcome {
        let found = answer.content(self.seed)?;
        let expected = self.content(number + 1).unwrap_or_default();
        let expected = Content { graph: found.graph, ..expected };
        demand(found == expected, || {
            format!("writer {number} of {:?} left {found:?}, not {expected:?}", self.writers)
        })?;
        answer.verify()
    }

    /// Checks that the small commits of a session have the same result as large commits of the same diffs.
    fn check_session(&self, number: usize, session: Session, before: &MemoryVfs, answer: &Answer) -> Outcome {
        for mark in session.marks(number as u32) {
            Writer::Apply.write(Arc::new(before.clone()), Path::new(PATH), self.seed, mark as u32)?;
        }
        let expected = Answer::read(before)?;
        demand(answer.means_same(&expected)?, || {
            format!("session {number} of {:?} is not what its diffs are", self.writers)
        })
    }

    fn failed(&self, number: usize, error: &ChangeError) -> Breach {
        Breach::new(format!("writer {number} of {:?} failed on a good disk: {error}", self.writers))
    }
}

impl Run {
    /// The writer that makes the state after number `commit`, and the number of states that it has made
    /// before; `None` after the last state.
    pub(crate) fn next(&self, commit: usize) -> Option<(usize, usize)> {
        let writer = self.last_of.iter().position(|last| *last > commit)?;
        let before = writer.checked_sub(1).map_or(0, |before| self.last_of[before]);
        Some((writer, commit - before))
    }
}
