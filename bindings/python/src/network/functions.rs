//! Algorithms with the results of NetworkX's functions: dictionaries, sets and lists of nodes.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use varvite::algorithms::{NodeGroups, PageRank};

use super::groups::Groups;
use super::network::Network;
use super::objects::Objects;
use crate::subgraph::look;

#[pymethods]
impl Network {
    /// The nodes of a shortest path; `None` if there is none.
    fn shortest_path<'py>(
        &self,
        py: Python<'py>,
        source: u32,
        target: u32,
    ) -> PyResult<Option<Bound<'py, PyList>>> {
        let path = self.run(py, |subgraph| subgraph.shortest_path(source, target))?;
        path.map(|path| self.objects(py).list(&path)).transpose()
    }

    /// The weakly connected components, in the order of their first nodes.
    fn components(slf: Py<Self>, py: Python<'_>) -> PyResult<Groups> {
        let groups = slf.get().run_on_all(py, |subgraph| subgraph.component_groups())?;
        Ok(Groups::new(slf, groups, true))
    }

    /// The strongly connected components: no edge leads from one to a later one.
    fn strong_components(slf: Py<Self>, py: Python<'_>) -> PyResult<Groups> {
        let groups = slf.get().run(py, |subgraph| subgraph.strong_component_groups())?;
        Ok(Groups::new(slf, groups, true))
    }

    /// The generations of a topological order; complete if there is no cycle.
    fn generations(slf: Py<Self>, py: Python<'_>) -> PyResult<Groups> {
        let generations = slf.get().run(py, |subgraph| subgraph.generations())?;
        let (groups, is_complete): (&NodeGroups, bool) = (generations.groups(), generations.is_complete());
        Ok(Groups::new(slf, groups.clone(), is_complete))
    }

    /// The PageRank of each node; `None` if the iteration did not end within the tolerance.
    fn page_rank<'py>(
        &self,
        py: Python<'py>,
        damping: f64,
        iterations_max: u32,
        tolerance: f64,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let options = PageRank { damping, iterations_max, tolerance };
        let found = self.run_on_all(py, |subgraph| subgraph.page_rank(&options))?;
        found.is_settled.then(|| self.objects(py).dict(found.ranks.iter())).transpose()
    }

    /// The immediate dominator of each node that is reached from the start, except the start.
    fn dominators<'py>(&self, py: Python<'py>, start: u32) -> PyResult<Bound<'py, PyDict>> {
        let tree = self.run(py, |subgraph| subgraph.dominators(&[start]))?;
        let keys = &self.keys;
        let parents = tree.nodes().filter_map(|node| Some((node, keys.object(py, tree.parent(node)?))));
        self.objects(py).dict(parents)
    }

    /// The dominance frontier of each node that is reached from the start.
    fn frontiers<'py>(&self, py: Python<'py>, start: u32) -> PyResult<Bound<'py, PyDict>> {
        let (tree, lists) = self.run(py, |subgraph| {
            let tree = subgraph.dominators(&[start])?;
            let lists = subgraph.frontiers(&tree)?;
            Ok((tree, lists))
        })?;
        let (mut objects, frontiers) = (self.objects(py), PyDict::new(py));
        for (node, list) in tree.nodes().zip(lists.iter()) {
            let frontier = objects.set(list)?;
            frontiers.set_item(objects.object(node)?, frontier)?;
        }
        Ok(frontiers)
    }

    /// The core number of each node.
    fn core_numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let numbers = self.run(py, |subgraph| subgraph.core_numbers())?;
        self.objects(py).dict(numbers.iter())
    }

    /// The number of edges of each node times a factor: of out-edges, of in-edges, or both.
    fn degrees<'py>(
        &self,
        py: Python<'py>,
        out: bool,
        in_: bool,
        factor: f64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let counts = self.read(py, |subgraph, task| {
            let mut counts = vec![0u32; subgraph.node_count()];
            let both = [(out, subgraph.clone()), (in_, subgraph.reversed())];
            for (_, subgraph) in both.iter().filter(|(is_wanted, _)| *is_wanted) {
                for (place, (count, list)) in (0u32..).zip(counts.iter_mut().zip(subgraph.target_lists()?)) {
                    look(place, task)?;
                    *count += list.len() as u32;
                }
            }
            Ok(counts)
        })?;
        let values = counts.into_iter().map(|count| f64::from(count) * factor);
        self.objects(py).dict(self.subgraph().nodes().zip(values))
    }
}

impl Network {
    fn objects<'py>(&self, py: Python<'py>) -> Objects<'_, 'py> {
        Objects::new(py, &self.keys)
    }
}
