//! [`Subgraph`]: a part of a graph, and algorithms over all of it.

use pyo3::prelude::*;
use varvite::algorithms::{self, AlgorithmError, AlgorithmOptions, NodeValues, PageRank, Selection};
use varvite::walk::Hop;
use varvite::{Cancel, Task};

use crate::array::Array;
use crate::failure::Result;
use crate::graph::Graph;
use crate::interrupt::{collected, interruptible, on_this_thread};
use crate::options::Limits;

/// The nodes with any of some labels, and the edges with any of some labels between them.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Subgraph {
    graph: Py<Graph>,
    subgraph: algorithms::Subgraph,
    cancel: Cancel,
}

#[pymethods]
impl Graph {
    /// Opens a part of the graph. Without labels of nodes, it has all nodes.
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
        Ok(Subgraph { graph: slf, subgraph, cancel })
    }
}

#[pymethods]
impl Subgraph {
    /// The ids of the nodes, ascending, in the order of all values.
    fn ids(&self, py: Python<'_>) -> PyResult<Array> {
        self.graph.get().open()?;
        let ids = on_this_thread(py, Task::new(), |task| collected(self.subgraph.nodes(), task))?;
        Ok(Array::of_u32(ids))
    }

    /// The edges as CSR: the starts of lists with the end of the last one, and the places of targets among
    /// the nodes.
    fn arrays(&self, py: Python<'_>) -> PyResult<(Array, Array)> {
        self.graph.get().open()?;
        let subgraph = &self.subgraph;
        interruptible(py, &self.cancel, || Ok(subgraph.decode()?))?;
        Ok(on_this_thread(py, Task::new(), |task| csr_of(subgraph, task))?)
    }

    /// For each node, the least id in its component, whatever the direction of edges.
    fn components(&self, py: Python<'_>) -> PyResult<Array> {
        self.run(py, "<u4", algorithms::Subgraph::components)
    }

    /// For each node, a node of its strongly connected component.
    fn strong_components(&self, py: Python<'_>) -> PyResult<Array> {
        self.run(py, "<u4", algorithms::Subgraph::strong_components)
    }

    /// For each node, the least number of edges from any of the sources; 2^32 - 1 if there is no path.
    fn distances(&self, py: Python<'_>, sources: Vec<i64>) -> PyResult<Array> {
        let open = self.graph.get().open()?;
        let sources = sources.into_iter().map(|id| open.node(id)).collect::<Result<Vec<u32>>>()?;
        self.run(py, "<u4", |subgraph| subgraph.distances(&sources))
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
        self.run(py, "<f8", |subgraph| Ok(subgraph.page_rank(&options)?.ranks))
    }
}

impl Subgraph {
    fn run<T: Copy + Send + Sync + 'static>(
        &self,
        py: Python<'_>,
        dtype: &'static str,
        run: impl FnOnce(&algorithms::Subgraph) -> std::result::Result<NodeValues<T>, AlgorithmError> + Send,
    ) -> PyResult<Array> {
        self.graph.get().open()?;
        let subgraph = &self.subgraph;
        let values = interruptible(py, &self.cancel, || Ok(run(subgraph)?.values().to_vec()))?;
        Ok(Array::of(values, dtype))
    }
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
