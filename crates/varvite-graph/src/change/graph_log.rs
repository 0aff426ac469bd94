//! [`GraphLog`]: a graph that gets many small commits.
//!
//! A commit of [`GraphChange::apply`] writes all changes since the columns were written. A log keeps these
//! changes in memory, and a commit writes only its own diff, as a record after the end of the file. From time
//! to time, a large commit (one that writes all changes) replaces the log. A program that opens the file
//! between two large commits replays the log, and reads exactly the committed graph.

use std::sync::Arc;

use varvite_store::{LogSession, LogWriter, Logged, OpenMode, StoreError, Task};

use super::addition::Numbers;
use super::apply::Applied;
use super::change_set::{ChangeSet, Mark};
use super::decode::decode;
use super::diff::Diff;
use super::record::payload_of;
use super::replay::take_up_log;
use super::resolve::{Resolved, resolve};
use super::schema::{Additions, SchemaNames};
use crate::change_error::ChangeError;
use crate::error::{GraphError, Result};
use crate::graph::Graph;
use crate::write::GraphChange;

/// The durability of a commit when its call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The commit survives a power failure.
    Sync,
    /// The commit survives the end of this process, and survives a power failure only if a later commit was
    /// synced. After a power failure the file has the state of this commit or of an earlier one, never a
    /// state between two commits.
    Buffered,
}

/// The conditions under which a large commit (one that writes all changes) replaces the log.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LogOptions {
    /// The maximum size of the log in bytes, up to 64 MiB. A program that opens the file must also read the
    /// log.
    pub bytes_max: u64,
}

impl Default for LogOptions {
    /// A log of up to 16 MiB.
    fn default() -> Self {
        Self { bytes_max: 16 << 20 }
    }
}

impl LogOptions {
    /// These options, with a log of at most `bytes_max` bytes.
    #[must_use]
    pub fn bytes_max(self, bytes_max: u64) -> Self {
        Self { bytes_max }
    }
}

/// A graph that gets many small commits, from any number of threads. Other writers are refused until the log
/// is closed or dropped; readers are not.
///
/// # Example
/// ```no_run
/// use varvite::change::{Diff, Durability, LogOptions};
/// use varvite::write::GraphChange;
/// use varvite::Task;
///
/// # fn main() -> Result<(), varvite::change::ChangeError> {
/// let change = GraphChange::open("code.varvite")?;
/// let log = change.log(LogOptions::default(), &Task::new())?;
/// for node in 0..1_000 {
///     let mut diff = Diff::new();
///     diff.set(node, "ORDER", [1]);
///     log.commit(&diff, Durability::Buffered, &Task::new())?;
/// }
/// log.close(&Task::new())
/// # }
/// ```
#[derive(Debug)]
pub struct GraphLog {
    session: LogSession<State>,
    options: LogOptions,
}

#[derive(Debug)]
struct State {
    /// The graph at the last large commit (one that wrote all changes).
    change: GraphChange,
    /// The graph's changes, including those of the log.
    changes: ChangeSet,
    /// The names in the graph's schema.
    known: SchemaNames,
    log: Arc<LogWriter>,
}

impl GraphChange {
    /// Starts a log of small commits. If the file already has a log, because its writer did not close it, a
    /// large commit replaces that log first.
    ///
    /// # Errors
    /// [`StoreError::NoLocks`] if no lock can keep a second writer out; the errors of [`GraphChange::apply`].
    pub fn log(mut self, options: LogOptions, task: &Task<'_>) -> Result<GraphLog, ChangeError> {
        if self.file().can_append() && !self.graph().store().can_begin_log() {
            let mut directory = self.graph().store().directory().clone();
            let writer = self.begin_commit(&mut directory, task)?;
            self.commit(writer, directory)?;
            self.reopen()?;
        }
        Ok(GraphLog { session: LogSession::new(State::of(self)?), options })
    }
}

impl State {
    fn of(change: GraphChange) -> Result<Self, ChangeError> {
        let changes = decode(change.graph())?;
        let known = SchemaNames::of(change.graph());
        let log = Arc::new(change.file().begin_log(change.graph().store())?);
        Ok(Self { change, changes, known, log })
    }
}

impl GraphLog {
    /// Applies a diff completely or not at all, and commits it. The cost is proportional to the diff, plus a
    /// sync, which is shared by threads that commit at the same time. The diff becomes a large commit (one
    /// that writes all changes, and is always synced), if it declares names or label sets that the graph does
    /// not have, or if the log has no room for it.
    ///
    /// # Errors
    /// [`ChangeError::Operation`] with the invalid operation: the graph is unchanged, and the log can still
    /// be used. After an error of the file system, the diff may or may not be in the file, and every later
    /// call fails with [`StoreError::Poisoned`].
    pub fn commit(
        &self,
        diff: &Diff,
        durability: Durability,
        task: &Task<'_>,
    ) -> Result<Applied, ChangeError> {
        let (applied, log) = self.session.change(|state| state.commit(diff, self.options.bytes_max, task))?;
        if durability == Durability::Sync && applied.record > 0 {
            log.sync(applied.record)?;
        }
        Ok(applied)
    }

    /// Makes all commits durable.
    ///
    /// # Errors
    /// An error of the file system; every later call fails with [`StoreError::Poisoned`].
    pub fn sync(&self) -> Result<(), ChangeError> {
        Ok(self.session.sync()?)
    }

    /// If the log has records, replaces it by a large commit, which writes all changes.
    ///
    /// # Errors
    /// The errors of [`GraphChange::apply`]; after one, every later call fails with [`StoreError::Poisoned`].
    pub fn checkpoint(&self, task: &Task<'_>) -> Result<(), ChangeError> {
        let replaced = self.session.change(|state| match state.log.records() {
            0 => Ok(()),
            _ => state.write(&Additions::default(), task).map(drop),
        });
        replaced.map(drop)
    }

    /// Ends the log with a [`checkpoint`](Self::checkpoint). Dropping this value instead leaves the log in
    /// the file.
    ///
    /// # Errors
    /// The errors of `checkpoint`.
    pub fn close(self, task: &Task<'_>) -> Result<(), ChangeError> {
        self.checkpoint(task)
    }

    /// The number of records in the log since the last large commit.
    pub fn records(&self) -> u64 {
        self.session.records()
    }
}

impl Logged for State {
    fn log(&self) -> &Arc<LogWriter> {
        &self.log
    }
}

impl State {
    fn commit(&mut self, diff: &Diff, bytes_max: u64, task: &Task<'_>) -> Result<Applied, ChangeError> {
        let mark = Mark::of(&self.changes);
        let resolved = match resolve(self.change.graph(), &self.known, &mut self.changes, diff, task) {
            Ok(resolved) => resolved,
            Err(error) => {
                if !varvite_store::planted!(RefusedDiffKept) {
                    self.forget(diff, &mark, &error);
                }
                return Err(error);
            }
        };
        let Resolved { additions, numbers } = resolved;
        let before = self.log.end();
        if diff.is_empty() {
            return Ok(self.applied(numbers, before, 0));
        }
        // A diff that did not fit in memory becomes a large commit.
        if additions.is_empty() && !diff.is_saved() {
            let payload = payload_of(diff)?;
            if self.log.has_room(payload.len() as u64, bytes_max) {
                let record = self.log.append(&payload)?;
                return Ok(self.applied(numbers, before, record));
            }
        }
        let written = self.write(&additions, task)?;
        Ok(Applied { written, ..self.applied(numbers, before, 0) })
    }

    fn applied(&self, numbers: Numbers, before: u64, record: u64) -> Applied {
        let Numbers { first_node, nodes, ranks } = numbers;
        let file_len = self.log.end();
        let generation = self.change.graph().store().superblock().generation;
        let (nodes, written) = (first_node..first_node + nodes, file_len.saturating_sub(before));
        Applied { nodes, file_len, written, generation, record, ranks }
    }

    /// Writes a large commit with all changes and with additional names. Returns the number of bytes that it
    /// wrote.
    fn write(&mut self, additions: &Additions, task: &Task<'_>) -> Result<u64, ChangeError> {
        let before = self.log.end();
        let written = self.write_and_reopen(additions, task);
        match &written {
            // It is unknown whether the large commit is in the file, so nothing more may be written to the
            // log.
            Err(ChangeError::Graph(GraphError::Store(error))) => self.log.fail(error),
            Err(_) => self.log.fail(&StoreError::Cancelled),
            Ok(()) => {}
        }
        written.map(|()| self.log.end().saturating_sub(before))
    }

    fn write_and_reopen(&mut self, additions: &Additions, task: &Task<'_>) -> Result<(), ChangeError> {
        self.change.write_changes(additions, &self.changes, task)?;
        self.change.reopen()?;
        self.changes = decode(self.change.graph())?;
        self.known = SchemaNames::of(self.change.graph());
        self.log = Arc::new(self.change.file().begin_log(self.change.graph().store())?);
        Ok(())
    }

    /// Undoes the effect of a refused diff on the changes.
    fn forget(&mut self, diff: &Diff, mark: &Mark, error: &ChangeError) {
        if matches!(error, ChangeError::Operation { .. }) && !diff.kinds.removes() && !diff.is_saved() {
            self.changes.back_to(mark);
            return;
        }
        match self.read_again() {
            Ok(changes) => self.changes = changes,
            Err(GraphError::Store(error)) => self.log.fail(&error),
            Err(_) => self.log.fail(&StoreError::Cancelled),
        }
    }

    /// All changes of the graph, including those of the log, read from the file.
    fn read_again(&self) -> Result<ChangeSet> {
        let graph = Graph::without_log(self.change.file().open_store(OpenMode::Buffered)?);
        let mut changes = decode(&graph)?;
        take_up_log(&graph, &self.known, &mut changes, 0)?;
        Ok(changes)
    }
}
