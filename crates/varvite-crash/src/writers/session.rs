//! [`Session`]: a writer that makes small commits in a log, and reports each commit.
//!
//! A commit reported as synced is never lost. Commits reported as buffered may be lost, but only the last
//! ones.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{ChangeError, Diff, Durability, GraphLog, LogOptions};
use varvite::error::StoreError;
use varvite::vfs::Vfs;
use varvite::write::GraphChange;
use varvite::{GraphError, OpenOptions, Task};

use crate::writers::marked::diff;

/// The number of a diff is the writer's number plus this factor times the step.
const STEP: u32 = 1_000;
/// The size limit of the log of [`Session::Tight`], which is replaced after every few commits.
const TIGHT_BYTES: u64 = 900;

/// A report of a writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// The file has reached its next state.
    Done(Durability),
    /// A step of a session failed. `goes_on` is true if the log accepts further changes.
    Failed { goes_on: bool },
}

/// Receives the reports of a writer.
pub(crate) type Listener<'a> = dyn FnMut(Told) + 'a;

/// A log of small commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Session {
    /// A session that ends with a large commit.
    Closed,
    /// A session that leaves its log in the file, like a killed program.
    Left,
    /// A session with so little room for its log that some commits become large ones. It syncs after several
    /// commits.
    Tight,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Commit(Durability),
    /// A diff whose first operations are valid, and a later operation is not.
    Refused,
    Sync,
    Checkpoint,
    Close,
}

impl Session {
    pub(crate) const ALL: [Self; 3] = [Self::Closed, Self::Left, Self::Tight];

    fn steps(self) -> &'static [Step] {
        use Durability::{Buffered, Sync};
        use Step::{Checkpoint, Close, Commit, Refused};
        match self {
            Self::Closed => {
                &[Commit(Sync), Commit(Buffered), Commit(Sync), Refused, Checkpoint, Commit(Sync), Close]
            }
            Self::Left => &[Commit(Sync), Refused, Commit(Sync), Commit(Buffered), Commit(Buffered)],
            Self::Tight => &[Commit(Buffered), Commit(Buffered), Commit(Buffered), Step::Sync],
        }
    }

    fn options(self) -> LogOptions {
        match self {
            Self::Tight => LogOptions::default().bytes_max(TIGHT_BYTES),
            Self::Closed | Self::Left => LogOptions::default(),
        }
    }

    /// The numbers of the session's diffs if it is writer `number`.
    pub(crate) fn marks(self, number: u32) -> impl Iterator<Item = i64> {
        let numbered = (1u32..).zip(self.steps());
        let commits = numbered.filter(|(_, step)| matches!(step, Step::Commit(_)));
        commits.map(move |(step, _)| i64::from(number + STEP * step))
    }

    /// Runs the session as writer `number` of the history `seed`, from its state `first` on, where 0 is the
    /// state before it begins. Reports its beginning, and each further state.
    pub(crate) fn run(
        self,
        vfs: Arc<dyn Vfs>,
        path: &Path,
        seed: u64,
        number: u32,
        first: usize,
        told: &mut Listener<'_>,
    ) -> varvite::Result<(), ChangeError> {
        let task = Task::new().threads(1);
        let mut log = Some(GraphChange::begin(Arc::clone(&vfs), path)?.log(self.options(), &task)?);
        // By now, a log that an earlier writer left, or the rest of such a log, has been replaced by a
        // commit.
        told(Told::Done(Durability::Sync));
        let skipped = first.saturating_sub(1);
        for (place, step) in self.steps().iter().enumerate().skip(skipped) {
            let number = number + STEP * (place as u32 + 1);
            let result = step.run(&mut log, &*vfs, path, seed, number, &task);
            if let (Err(ChangeError::Graph(GraphError::Store(_))), Some(log)) = (&result, &log) {
                told(Told::Failed { goes_on: goes_on(log, &task) });
            }
            told(Told::Done(result?));
        }
        Ok(())
    }
}

impl Step {
    /// Runs the step. Returns the durability of the state that it leaves.
    fn run(
        self,
        log: &mut Option<GraphLog>,
        vfs: &dyn Vfs,
        path: &Path,
        seed: u64,
        number: u32,
        task: &Task<'_>,
    ) -> varvite::Result<Durability, ChangeError> {
        let Some(open) = log else { return Err(StoreError::Cancelled.into()) };
        match self {
            Self::Commit(durability) => {
                let graph = OpenOptions::new().buffered().open_in(vfs, path)?;
                open.commit(&diff(&graph, seed, number)?, durability, task)?;
                return Ok(durability);
            }
            Self::Refused => {
                match open.commit(&refused(), Durability::Sync, task) {
                    Err(ChangeError::Operation { .. }) => return Ok(Durability::Buffered),
                    other => other.map(drop)?,
                }
                panic!("a diff that makes no sense was committed");
            }
            Self::Sync => open.sync()?,
            Self::Checkpoint => open.checkpoint(task)?,
            Self::Close => {
                if let Some(open) = log.take() {
                    open.close(task)?;
                }
            }
        }
        Ok(Durability::Sync)
    }
}

/// A diff with a valid edge, and an edge whose label no diff has declared.
fn refused() -> Diff {
    let mut diff = Diff::new();
    let node = diff.add_node(&["NEW"]);
    diff.add_edge("ADDED", 0, node);
    diff.add_edge("NO_SUCH", 0, node);
    diff
}

/// Whether a log accepts commits or syncs after an error.
fn goes_on(log: &GraphLog, task: &Task<'_>) -> bool {
    let is_poisoned = |result: varvite::Result<(), ChangeError>| {
        matches!(result, Err(ChangeError::Graph(GraphError::Store(StoreError::Poisoned { .. }))))
    };
    !is_poisoned(log.commit(&refused(), Durability::Buffered, task).map(drop)) || !is_poisoned(log.sync())
}
