//! [`Network`]: nodes and edges, and the limits of the algorithms that run over them.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use varvite::Task;
use varvite::algorithms::{AlgorithmError, AlgorithmOptions, Selection, Subgraph};
use varvite::walk::Hop;

use super::keys::Keys;
use crate::failure::Result;
use crate::graph::Graph;
use crate::interrupt::{interruptible, on_this_thread};
use crate::options::Limits;

/// The number of nodes from which on work is given to all threads: starting them takes some 100 microseconds.
const NODES_OF_THREADS: usize = 1 << 15;

/// Nodes and edges for algorithms with NetworkX's results.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Network {
    /// The open graph; `None` for the graph of another library.
    graph: Option<Py<Graph>>,
    subgraph: Subgraph,
    pub(super) keys: Keys,
    /// Whether any edge has a weight, which the lists of edges do not have.
    #[pyo3(get)]
    is_weighted: bool,
    /// Whether an edge from a node to itself is twice in the list of the node, once for each direction.
    #[pyo3(get)]
    pub(super) has_double_loops: bool,
    limits: Limits,
    is_decoded: AtomicBool,
}

#[pymethods]
impl Graph {
    /// A part of the graph for NetworkX: the edges with any of some labels and the nodes with any of some
    /// labels; without labels, all. Parallel edges count once if `is_distinct`.
    fn network(
        slf: Py<Self>,
        py: Python<'_>,
        edge_labels: Vec<String>,
        labels: Vec<String>,
        is_directed: bool,
        is_distinct: bool,
        limits: Limits,
    ) -> PyResult<Network> {
        let (open, task) = (slf.get().open()?, limits.task()?);
        let (cancel, names) = (task.flag().clone(), edge_labels.as_slice());
        let hop = if is_directed { Hop::out(names) } else { Hop::both(names) };
        let selection = Selection::along(hop).nodes(labels.as_slice());
        let selection = if is_distinct { selection.distinct() } else { selection };
        let options = AlgorithmOptions::from(task);
        let subgraph = interruptible(py, &cancel, || Ok(selection.open(&open.graph, &options)?))?;
        let network = Network::new(Some(slf), subgraph, Keys::Ids, false, limits);
        Ok(Network { has_double_loops: !is_directed && !is_distinct, ..network })
    }
}

impl Network {
    pub(super) fn new(
        graph: Option<Py<Graph>>,
        subgraph: Subgraph,
        keys: Keys,
        is_weighted: bool,
        limits: Limits,
    ) -> Self {
        let is_decoded = AtomicBool::new(false);
        Self { graph, subgraph, keys, is_weighted, has_double_loops: false, limits, is_decoded }
    }

    /// The nodes and edges, after their lists were decoded.
    pub(super) fn decoded(&self, py: Python<'_>) -> Result<&Subgraph> {
        if let Some(graph) = &self.graph {
            graph.get().open()?;
        }
        if !self.is_decoded.load(Ordering::Acquire) {
            self.interruptible(py, |subgraph| subgraph.decode())?;
            self.is_decoded.store(true, Ordering::Release);
        }
        Ok(&self.subgraph)
    }

    /// The nodes and edges, whether or not their lists are decoded.
    pub(super) fn subgraph(&self) -> &Subgraph {
        &self.subgraph
    }

    /// Runs an algorithm of one thread without Python's lock. Each call has limits of its own.
    pub(super) fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Subgraph) -> std::result::Result<T, AlgorithmError> + Send,
    ) -> Result<T> {
        self.read(py, |subgraph, task| Ok(work(&subgraph.with_task(task))?))
    }

    /// Reads the lists on this thread without Python's lock. `work` has to check the flag of the task.
    pub(super) fn read<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Subgraph, &Task<'_>) -> Result<T> + Send,
    ) -> Result<T> {
        let subgraph = self.decoded(py)?;
        on_this_thread(py, self.limits.task()?, |task| work(subgraph, task))
    }

    /// Runs an algorithm on all threads without Python's lock, or on one if the graph is small.
    pub(super) fn run_on_all<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Subgraph) -> std::result::Result<T, AlgorithmError> + Send,
    ) -> Result<T> {
        let subgraph = self.decoded(py)?;
        if subgraph.node_count() < NODES_OF_THREADS {
            let alone = self.limits.task()?.threads(1);
            return on_this_thread(py, alone, |task| Ok(work(&subgraph.with_task(task))?));
        }
        self.interruptible(py, work)
    }

    fn interruptible<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Subgraph) -> std::result::Result<T, AlgorithmError> + Send,
    ) -> Result<T> {
        let task: Task<'static> = self.limits.task()?;
        let subgraph = self.subgraph.with_task(&task);
        interruptible(py, task.flag(), || Ok(work(&subgraph)?))
    }
}
