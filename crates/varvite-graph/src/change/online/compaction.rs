//! [`compact_online`]: rewrites a graph while others read it and commit to it.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use varvite_format::Header;
use varvite_store::vfs::ThrottledVfs;
use varvite_store::{Replacement, Scratch, Store, StoreError, StoreWriter, Task, Vfs};

use super::super::diff::Diff;
use super::catch_up::CatchUp;
use super::numbers::Told;
use super::outgrown::CompactWhen;
use crate::change_error::ChangeError;
use crate::error::{GraphError, Result};
use crate::graph::Graph;
use crate::write::{CHECKED, GraphChange, MODE, file_id_of_fold, write_anew};

/// The maximum number of attempts. An attempt is repeated if layers or indexes of the graph change meanwhile,
/// or if another writer replaces the file.
const ATTEMPTS: u32 = 3;
/// The maximum number of rounds that copy new commits to the new file while writers are not locked out. Each
/// round has fewer commits to copy than the one before.
const ROUNDS: u32 = 4;
/// The shortest and the longest sleep between two attempts to get the lock.
const NAP: (Duration, Duration) = (Duration::from_micros(100), Duration::from_millis(5));

/// Options for compacting a graph that others use.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CompactOptions {
    /// The condition for compacting.
    pub when: CompactWhen,
    /// The maximum number of bytes written per second while writers are not locked out; `None` for no limit.
    pub bytes_per_second: Option<u64>,
    /// Memory for the commits that are made during the compaction: see
    /// [`Diff::with_memory`](crate::change::Diff::with_memory).
    pub memory_bytes: usize,
    /// The longest wait, once the new file is ready, for a writer that holds the lock of the graph.
    pub lock_wait: Duration,
}

impl Default for CompactOptions {
    /// Compacts if anything was changed, without a speed limit, with 64 MiB of memory, and waits up to ten
    /// seconds for the lock.
    fn default() -> Self {
        Self {
            when: CompactWhen::Changed,
            bytes_per_second: None,
            memory_bytes: 64 << 20,
            lock_wait: Duration::from_secs(10),
        }
    }
}

impl CompactOptions {
    /// These options, with this condition for compacting.
    #[must_use]
    pub fn when(self, when: CompactWhen) -> Self {
        Self { when, ..self }
    }

    /// These options, with a limit of `bytes` bytes written per second.
    #[must_use]
    pub fn bytes_per_second(self, bytes: u64) -> Self {
        Self { bytes_per_second: Some(bytes), ..self }
    }

    /// These options, with this memory for the commits that are made during the compaction.
    #[must_use]
    pub fn memory_bytes(self, memory_bytes: usize) -> Self {
        Self { memory_bytes, ..self }
    }

    /// These options, with this limit on the wait for other writers.
    #[must_use]
    pub fn lock_wait(self, lock_wait: Duration) -> Self {
        Self { lock_wait, ..self }
    }
}

/// The result of [`compact_online`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compacted {
    /// Size of the file in bytes.
    pub file_len: u64,
    /// The number of rounds that added commits made during the compaction to the new file.
    pub rounds: u32,
    /// The time for which other writers were locked out.
    pub locked: Duration,
    /// The new id of each node, by its old id; [`REMOVED`](crate::write::REMOVED) for removed nodes. `None`
    /// if all ids stayed the same.
    pub new_of_old: Option<Vec<u32>>,
}

/// Compacts the graph at `path` while others read it and commit to it, if the graph meets the condition of
/// `options`; returns `None` if it does not. Commits that are made meanwhile are in the new file too. Other
/// writers are locked out only during the last step, whose cost is proportional to the commits since the
/// previous step; meanwhile their [`GraphChange::begin`] fails with [`StoreError::Busy`]. A
/// [`GraphLog`](crate::change::GraphLog) locks the graph, and keeps the compaction from finishing, for as
/// long as it exists.
///
/// Nodes and edges may get other numbers, as with [`GraphChange::fold`]. A writer that uses ids read from a
/// graph should call [`Diff::made_for`](crate::change::Diff::made_for) with that graph; it then gets an error
/// instead of changing the wrong node. Programs that have the old file open keep reading it.
///
/// Runs on one thread, unless `task` has more. Memory: as much as [`GraphChange::fold`], and four bytes for
/// each node. Disk: room for a second file, and for a temporary file with four bytes for each edge.
///
/// # Errors
/// [`StoreError::Busy`] if another compaction of the graph is running, or if a writer holds the lock for too
/// long; [`StoreError::Replaced`] if during every attempt layers or indexes were added or dropped, or the
/// file was replaced; damage; [`GraphError::Cancelled`]; an error of the file system. The graph is then
/// unchanged and has all commits.
///
/// # Example
/// ```no_run
/// use std::sync::Arc;
/// use varvite::change::{CompactOptions, CompactWhen, compact_online};
/// use varvite::{Task, vfs::RealVfs};
///
/// // After a commit: a graph that has outgrown its columns by a tenth is compacted, at 20 MB a second.
/// let options = CompactOptions::default().when(CompactWhen::OverPercent(10)).bytes_per_second(20_000_000);
/// let path = "code.varvite".as_ref();
/// if let Some(compacted) = compact_online(Arc::new(RealVfs), path, &options, &Task::new().threads(1))? {
///     println!("{} bytes, writers waited for {:?}", compacted.file_len, compacted.locked);
/// }
/// # Ok::<(), varvite::change::ChangeError>(())
/// ```
pub fn compact_online(
    vfs: Arc<dyn Vfs>,
    path: &Path,
    options: &CompactOptions,
    task: &Task<'_>,
) -> Result<Option<Compacted>, ChangeError> {
    let work = Work { vfs, path, options, task };
    for _ in 0..ATTEMPTS {
        let state = work.open()?;
        if !options.when.is_met(&state) {
            return Ok(None);
        }
        match work.attempt(state) {
            Ok(Some(compacted)) => return Ok(Some(compacted)),
            Ok(None) | Err(ChangeError::Graph(GraphError::Store(StoreError::Replaced { .. }))) => {}
            Err(error) => return Err(error),
        }
    }
    Err(StoreError::Replaced { path: path.to_owned() }.into())
}

struct Work<'a> {
    vfs: Arc<dyn Vfs>,
    path: &'a Path,
    options: &'a CompactOptions,
    task: &'a Task<'a>,
}

impl Work<'_> {
    /// Compacts the graph once. Returns `None` if the graph changed meanwhile in a way that diffs cannot
    /// express.
    fn attempt(&self, state: Graph) -> Result<Option<Compacted>, ChangeError> {
        let rate = self.options.bytes_per_second.unwrap_or(u64::MAX);
        let slow = ThrottledVfs::over(Arc::clone(&self.vfs), rate, self.task.flag());
        let replacement = Replacement::begin(Arc::new(slow.clone()), self.path)?;
        let mut file = self.write(state, &replacement)?;
        let mut rounds = 0;
        while rounds < ROUNDS
            && let Some(now) = file.newest()?
        {
            if !self.catch_up(&mut file, now, &replacement)? {
                return Ok(None);
            }
            rounds += 1;
        }
        slow.let_go();
        let target = self.lock()?;
        let began = Instant::now();
        if let Some(now) = file.newest()? {
            if !self.catch_up(&mut file, now, &replacement)? {
                return Ok(None);
            }
            rounds += 1;
        }
        self.task.check()?;
        let file_len = replacement.change().open_store(MODE)?.file_len();
        replacement.publish(target.file(), target.graph().store())?;
        drop(target);
        let locked = began.elapsed();
        Ok(Some(Compacted { file_len, rounds, locked, new_of_old: file.into_nodes() }))
    }

    /// The newest commit of the graph, opened without a lock.
    fn open(&self) -> Result<Graph> {
        Graph::of_store(Store::open(&*self.vfs, self.path, CHECKED)?)
    }

    /// Writes the graph in the given state as a new file.
    fn write(&self, state: Graph, replacement: &Replacement) -> Result<CatchUp, ChangeError> {
        let scratch = Scratch::beside(Arc::clone(&self.vfs), self.path, self.options.memory_bytes)?;
        let scratch = Arc::new(scratch);
        let told = Told::new(Arc::clone(&scratch));
        // The later commits give some nodes other ids than they have in the old file, even if the state has
        // no changes that a fold would merge.
        let header = Header { file_id: file_id_of_fold(&state.identity()), ..*state.store().header() };
        let writer = StoreWriter::begin(replacement.file(), header)?;
        let (writer, directory) = write_anew(&state, writer, Some(&told), self.task)?;
        writer.finish(directory)?;
        CatchUp::new(state, told.into_numbers(), &scratch)
    }

    /// Commits the changes up to `now` to the new file. Returns false if diffs cannot express them.
    fn catch_up(
        &self,
        file: &mut CatchUp,
        now: Graph,
        replacement: &Replacement,
    ) -> Result<bool, ChangeError> {
        if !file.can_reach(&now) {
            return Ok(false);
        }
        let diff = Diff::with_memory(self.options.memory_bytes, Arc::clone(&self.vfs), self.path)?;
        file.reach(now, GraphChange::of(replacement.change())?, diff, self.task)?;
        Ok(true)
    }

    /// Locks the graph against other writers, as soon as none of them holds the lock.
    fn lock(&self) -> Result<GraphChange, ChangeError> {
        let (until, mut nap) = (Instant::now() + self.options.lock_wait, NAP.0);
        loop {
            self.task.check()?;
            match GraphChange::begin(Arc::clone(&self.vfs), self.path) {
                Err(ChangeError::Graph(GraphError::Store(StoreError::Busy { .. })))
                    if Instant::now() < until => {}
                begun => return begun,
            }
            std::thread::sleep(nap);
            nap = (nap * 2).min(NAP.1);
        }
    }
}
