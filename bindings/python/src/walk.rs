//! [`Walk`]: a walk in the form of JSON, compiled for a graph, and begun at nodes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use pyo3::prelude::*;
use varvite::walk::{OwnedRun, PathStep, WalkError};
use varvite::{Cancel, Direction, EdgeLabelId};

use crate::failure::{Failure, Result};
use crate::graph::{Graph, Open};
use crate::interrupt::interruptible;
use crate::options::Limits;

/// A walk that was begun. It has its own memory.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Walk {
    graph: Py<Graph>,
    run: Mutex<OwnedRun>,
    /// An error that came after paths that were returned.
    failure: Mutex<Option<WalkError>>,
    cancel: Cancel,
}

/// The number of nodes of the paths that are returned at once, the last path apart.
const NODES_OF_PATHS: usize = 1 << 14;

/// An edge of a walk: the name of its label, and whether the walk followed it from its source.
type Way = Option<(String, bool)>;

/// A result: the node, its parent, the number of edges that lead to it, the last of them, and the cost.
type Visit = (u32, Option<u32>, u32, Way, f64);

/// Compiles a walk and begins it at nodes.
#[pyfunction]
pub(crate) fn begin_walk(
    py: Python<'_>,
    graph: Py<Graph>,
    walk: &str,
    starts: Vec<i64>,
    limits: Limits,
) -> PyResult<Walk> {
    let open = graph.get().open()?;
    let (budget, task) = (limits.plan_budget()?, limits.task()?);
    let walk = varvite::walk::Walk::from_json_within(walk, &budget).map_err(Failure::from)?;
    let plan = walk.compile(&open.graph).map_err(Failure::from)?;
    let cancel = task.flag().clone();
    let run = interruptible(py, &cancel, || {
        let starts = starts.into_iter().map(|start| open.node(start)).collect::<Result<Vec<u32>>>()?;
        let mut run = OwnedRun::new(plan, task.memory_bytes());
        run.begin(&starts, &cancel)?;
        Ok(run)
    })?;
    Ok(Walk { graph, run: Mutex::new(run), failure: Mutex::new(None), cancel })
}

#[pymethods]
impl Walk {
    /// At most `limit` further results; none at the end.
    fn next(&self, py: Python<'_>, limit: usize) -> PyResult<Vec<Visit>> {
        let open = self.graph.get().open()?;
        let mut visits = Vec::new();
        self.work(py, |run| {
            run.next_some(|visit| {
                let edge = visit.edge();
                visits.push((visit.node(), visit.parent(), visit.depth(), edge, visit.cost()));
                visits.len() < limit
            })?;
            Ok(())
        })?;
        let shown = |(node, parent, depth, edge, cost)| (node, parent, depth, open.way(edge), cost);
        Ok(visits.into_iter().map(shown).collect())
    }

    /// The nodes of the paths to some further results; none at the end.
    fn paths(&self, py: Python<'_>) -> PyResult<Vec<Vec<u32>>> {
        self.graph.get().open()?;
        if let Some(error) = self.failure().take() {
            return Err(Failure::from(error).into());
        }
        let (paths, error) = self.work(py, |run| Ok(some_paths(run)))?;
        match error {
            Some(error) if paths.is_empty() => Err(Failure::from(error).into()),
            error => {
                *self.failure() = error;
                Ok(paths)
            }
        }
    }

    /// Cancels the walk, from any thread: it then ends with an error.
    fn cancel(&self) {
        self.cancel.cancel();
    }
}

impl Walk {
    fn failure(&self) -> MutexGuard<'_, Option<WalkError>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut OwnedRun) -> Result<T> + Send,
    ) -> Result<T> {
        let mut run = match self.run.try_lock() {
            Ok(run) => run,
            Err(TryLockError::WouldBlock) => return Err(Failure::RunInUse),
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        };
        let run = &mut *run;
        interruptible(py, &self.cancel, || work(run))
    }
}

/// The nodes of the paths to some further results, and the error that ended them.
fn some_paths(run: &mut OwnedRun) -> (Vec<Vec<u32>>, Option<WalkError>) {
    let (mut paths, mut nodes): (Vec<Vec<u32>>, usize) = (Vec::new(), 0);
    let mut steps: Vec<PathStep> = Vec::new();
    while nodes < NODES_OF_PATHS {
        match run.next_some(|_| false) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return (paths, Some(error)),
        }
        run.path(&mut steps);
        nodes += steps.len();
        paths.push(steps.iter().map(|step| step.node).collect());
    }
    (paths, None)
}

impl Open {
    fn way(self: &Arc<Self>, edge: Option<(EdgeLabelId, Direction)>) -> Way {
        let (label, direction) = edge?;
        let label = self.graph.edge_labels().get(label.index())?;
        Some((label.name.clone(), direction == Direction::Out))
    }
}
