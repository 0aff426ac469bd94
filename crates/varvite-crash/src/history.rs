//! [`History`]: what a seed makes of a file, writer after writer, and the commits that it then may be at.

use std::path::Path;
use std::sync::Arc;

use varvite::vfs::{MemoryVfs, OperationLog, RecordVfs, Vfs};
use varvite_model::SplitMix64;

use crate::answer::Answer;
use crate::breach::{Breach, Outcome, demand};
use crate::writer::{Content, PATH, Writer};

/// Writers, in their order.
#[derive(Clone, Debug)]
pub(crate) struct History {
    pub(crate) seed: u64,
    pub(crate) writers: Vec<Writer>,
}

/// A disk with the same files, apart from it.
pub(crate) fn copy_of(disk: &MemoryVfs) -> MemoryVfs {
    let copy = MemoryVfs::new();
    for path in disk.paths() {
        copy.put(&path, &disk.contents(&path).unwrap_or_default());
    }
    copy
}

/// A history that was run without a disturbance.
pub(crate) struct Run {
    pub(crate) history: History,
    pub(crate) log: OperationLog,
    /// What the file is before the first writer, and after each: `None` for no file.
    pub(crate) commits: Vec<Option<Answer>>,
}

impl History {
    /// Begins with an import, and has each kind of writer about as often as the others.
    pub(crate) fn of(seed: u64, length: usize) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut writers = Vec::new();
        let mut content = None;
        while writers.len() < length {
            let one = random.below(2);
            let writer = match (writers.len(), random.below(16)) {
                (0, _) => Writer::FirstImport,
                (_, 0..3) => Writer::Layer(one),
                (_, 3..5) => Writer::DropLayer(one),
                (_, 5..7) => Writer::Index(random.below(3)),
                (_, 7) => Writer::DropIndex(random.below(3)),
                (_, 8..12) => Writer::Apply,
                (_, 12..15) => Writer::Compact,
                _ => Writer::Import,
            };
            if let Some(after) = writer.after(content.as_ref(), seed, writers.len() as u32) {
                content = Some(after);
                writers.push(writer);
            }
        }
        Self { seed, writers }
    }

    /// Writer number `number` at the file.
    pub(crate) fn write(&self, number: usize, vfs: Arc<dyn Vfs>) -> varvite::Result<()> {
        self.writers[number].write(vfs, Path::new(PATH), self.seed, number as u32)
    }

    /// What the file has before writer `number`.
    pub(crate) fn content(&self, number: usize) -> Option<Content> {
        let mut content = None;
        for (number, writer) in (0..).zip(&self.writers[..number]) {
            content = writer.after(content.as_ref(), self.seed, number);
        }
        content
    }

    /// The disk before writer `number`, which writers may change.
    pub(crate) fn disk(&self, number: usize) -> Outcome<MemoryVfs> {
        let disk = MemoryVfs::new();
        for number in 0..number {
            self.write(number, Arc::new(disk.clone())).map_err(|error| self.failed(number, &error))?;
        }
        Ok(disk)
    }

    /// Runs all writers. After each the file has what it should have.
    pub(crate) fn run(self) -> Outcome<Run> {
        let record = RecordVfs::over(MemoryVfs::new());
        let mut commits = vec![None];
        for (number, writer) in self.writers.iter().enumerate() {
            let result = self.write(number, Arc::new(record.clone()));
            result.map_err(|error| self.failed(number, &error))?;
            record.mark(&format!("{number}: {writer:?}"));
            let answer = Answer::read(&record)?;
            let found = answer.content(self.seed)?;
            let expected = self.content(number + 1).unwrap_or_default();
            let expected = Content { graph: found.graph, ..expected };
            demand(found == expected, || {
                format!("writer {number} of {:?} left {found:?}, not {expected:?}", self.writers)
            })?;
            answer.verify()?;
            commits.push(Some(answer));
        }
        Ok(Run { log: record.log(), history: self, commits })
    }

    fn failed(&self, number: usize, error: &varvite::GraphError) -> Breach {
        Breach::new(format!("writer {number} of {:?} failed on a good disk: {error}", self.writers))
    }
}

impl Run {
    /// The commits that the file may be at, where `acknowledged` writers were done and one more may have been.
    pub(crate) fn commit_of(&self, found: Option<&Answer>, acknowledged: usize) -> Outcome<usize> {
        let is_there = |number: &usize| match (&self.commits[*number], found) {
            (None, None) => true,
            (Some(commit), Some(found)) => commit.is_same(found),
            _ => false,
        };
        let last = (acknowledged + 1).min(self.commits.len() - 1);
        if let Some(number) = (acknowledged..=last).find(is_there) {
            return Ok(number);
        }
        match (0..self.commits.len()).find(is_there) {
            Some(number) if number < acknowledged => Err(Breach::lost(format!(
                "{acknowledged} writers were done, and the file is as after {number}"
            ))),
            Some(number) => {
                Err(Breach::new(format!("the file is as after {number} of {acknowledged} writers")))
            }
            None => Err(Breach::new(format!("the file is of no commit after {acknowledged} writers"))),
        }
    }
}
