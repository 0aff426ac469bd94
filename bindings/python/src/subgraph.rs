//! [`Subgraph`]: a part of a graph, and algorithms over all of it.

use pyo3::prelude::*;
use varvite::Task;
use varvite::algorithms::{self, AlgorithmOptions, NodeGroups, PageRank, Selection, Tree};
use varvite::walk::Hop;

use crate::array::Array;
use crate::failure::Result;
use crate::graph::Graph;
use crate::interrupt::{collected, interruptible, on_this_thread};
use crate::options::Limits;

/// The value of nodes that no root reaches, and of nodes without a generation.
const NONE: u32 = u32::MAX;

/// The nodes with any of some labels, and the edges with any of some labels between them.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Subgraph {
    graph: Py<Graph>,
    subgraph: algorithms::Subgraph,
    limits: Limits,
}

#[pymethods]
impl Graph {
    /// Opens a part of the graph. Without labels of nodes, it has all nodes. The limits of time and of
    /// threads are those of each call, and that of memory is the limit of all calls together.
    fn subgraph(
        slf: Py<Self>,
        py: Python<'_>,
        edge_labels: Vec<String>,
        labels: Vec<String>,
        limits: Limits,
    ) -> PyResult<Subgraph> {
        let (open, task) = (slf.get().open()?, limits.task()?);
        let cancel = task.flag().clone();
        let selection = Selection::along(Hop::out(edge_labels.as_slice())).nodes(labels.as_slice());
        let options = AlgorithmOptions::from(task);
        let subgraph = interruptible(py, &cancel, || Ok(selection.open(&open.graph, &options)?))?;
        Ok(Subgraph { graph: slf, subgraph, limits })
    }
}

#[pymethods]
impl Subgraph {
    /// The number of nodes.
    fn __len__(&self) -> usize {
        self.subgraph.node_count()
    }

    /// The ids of the nodes, ascending, in the order of all values.
    fn ids(&self, py: Python<'_>) -> PyResult<Array> {
        self.graph.get().open()?;
        let ids = on_this_thread(py, Task::new(), |task| collected(self.subgraph.nodes(), task))?;
        Ok(Array::of_u32(ids))
    }

    /// The edges as CSR: the starts of lists with the end of the last one, and the places of targets among
    /// the nodes.
    fn arrays(&self, py: Python<'_>) -> PyResult<(Array, Array)> {
        self.run(py, |subgraph, _| Ok(subgraph.decode()?))?;
        let subgraph = &self.subgraph;
        Ok(on_this_thread(py, self.limits.task()?, |task| csr_of(subgraph, task))?)
    }

    /// For each node, the least id in its component, whatever the direction of edges.
    fn components(&self, py: Python<'_>) -> PyResult<Array> {
        self.numbers(py, |subgraph, _| Ok(subgraph.components()?.values().to_vec()))
    }

    /// For each node, a node of its strongly connected component.
    fn strong_components(&self, py: Python<'_>) -> PyResult<Array> {
        self.numbers(py, |subgraph, _| Ok(subgraph.strong_components()?.values().to_vec()))
    }

    /// For each node, the least number of edges from any of the sources; 2^32 - 1 if there is no path.
    fn distances(&self, py: Python<'_>, sources: Vec<i64>) -> PyResult<Array> {
        let sources = self.nodes(sources)?;
        self.numbers(py, |subgraph, _| Ok(subgraph.distances(&sources)?.values().to_vec()))
    }

    /// For each node, the last other node that is on every path from a root to it. The node itself if there
    /// is none, as for a root, and 2^32 - 1 for a node that no root reaches.
    fn dominators(&self, py: Python<'_>, roots: Vec<i64>) -> PyResult<Array> {
        let roots = self.nodes(roots)?;
        self.numbers(py, |subgraph, task| {
            let tree = subgraph.dominators(&roots)?;
            collected(subgraph.nodes().map(|node| dominator(&tree, node)), task)
        })
    }

    /// For each node, the number of its generation in a topological order; 2^32 - 1 for nodes of cycles and
    /// behind them.
    fn generations(&self, py: Python<'_>) -> PyResult<Array> {
        let ids = self.graph.get().open()?.graph.node_count();
        self.numbers(py, |subgraph, task| {
            let numbers = numbers_of(subgraph.generations()?.groups(), ids, task)?;
            collected(subgraph.nodes().filter_map(|node| numbers.get(node as usize).copied()), task)
        })
    }

    /// The core number of each node.
    fn core_numbers(&self, py: Python<'_>) -> PyResult<Array> {
        self.numbers(py, |subgraph, _| Ok(subgraph.core_numbers()?.values().to_vec()))
    }

    /// The community of each node, after at most so many iterations.
    fn communities(&self, py: Python<'_>, iterations_max: u32) -> PyResult<Array> {
        self.numbers(py, |subgraph, _| Ok(subgraph.communities(iterations_max)?.labels.values().to_vec()))
    }

    /// The local clustering coefficient of each node.
    fn clustering(&self, py: Python<'_>) -> PyResult<Array> {
        let values = self.run(py, |subgraph, _| Ok(subgraph.clustering()?.values().to_vec()))?;
        Ok(Array::of(values, "<f8"))
    }

    /// The PageRank of each node.
    fn page_rank(
        &self,
        py: Python<'_>,
        damping: f64,
        iterations_max: u32,
        tolerance: f64,
    ) -> PyResult<Array> {
        let options = PageRank { damping, iterations_max, tolerance };
        let ranks = self.run(py, |subgraph, _| Ok(subgraph.page_rank(&options)?.ranks.values().to_vec()))?;
        Ok(Array::of(ranks, "<f8"))
    }
}

impl Subgraph {
    /// The nodes with these ids.
    fn nodes(&self, ids: Vec<i64>) -> Result<Vec<u32>> {
        let open = self.graph.get().open()?;
        ids.into_iter().map(|id| open.node(id)).collect()
    }

    fn numbers(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&algorithms::Subgraph, &Task<'_>) -> Result<Vec<u32>> + Send,
    ) -> PyResult<Array> {
        Ok(Array::of_u32(self.run(py, work)?))
    }

    /// Runs an algorithm without Python's lock. Each call has limits of its own, so that the end of one is
    /// not the end of later ones.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&algorithms::Subgraph, &Task<'_>) -> Result<T> + Send,
    ) -> Result<T> {
        self.graph.get().open()?;
        let task = self.limits.task()?;
        let subgraph = self.subgraph.with_task(&task);
        interruptible(py, task.flag(), || work(&subgraph, &task))
    }
}

/// The dominator of a node: the node itself if it is a root of the tree.
fn dominator(tree: &Tree, node: u32) -> u32 {
    match tree.parent(node) {
        Some(parent) => parent,
        None if tree.contains(node) => node,
        None => NONE,
    }
}

/// The number of the group of each node, by id.
fn numbers_of(groups: &NodeGroups, ids: u32, task: &Task<'_>) -> Result<Vec<u32>> {
    let mut numbers = vec![NONE; ids as usize];
    for (number, group) in (0u32..).zip(groups.iter()) {
        look(number, task)?;
        for node in group {
            if let Some(of_node) = numbers.get_mut(*node as usize) {
                *of_node = number;
            }
        }
    }
    Ok(numbers)
}

/// The number of nodes whose lists are read between two checks of the flag.
const NODES_OF_LOOK: u32 = 1 << 14;

/// The edges of a subgraph with decoded lists as CSR, in `<i8`.
pub(crate) fn csr_of(subgraph: &algorithms::Subgraph, task: &Task<'_>) -> Result<(Array, Array)> {
    let (mut ends, mut targets) = (vec![0i64], Vec::new());
    for (place, list) in (0u32..).zip(subgraph.target_lists()?) {
        look(place, task)?;
        targets.extend(list.iter().map(|place| i64::from(*place)));
        ends.push(targets.len() as i64);
    }
    Ok((Array::of(ends, "<i8"), Array::of(targets, "<i8")))
}

/// Checks the flag at some nodes: others cost nothing.
pub(crate) fn look(place: u32, task: &Task<'_>) -> Result<()> {
    if place.is_multiple_of(NODES_OF_LOOK) {
        task.check()?;
    }
    Ok(())
}
