//! [`Search`]: a breadth-first search that was made, which Python reads in parts.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySet};
use varvite::algorithms::BreadthFirst;

use super::groups::Groups;
use super::network::Network;
use super::objects::Objects;

/// The nodes that a breadth-first search has found, with the edges to them.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Search {
    network: Py<Network>,
    found: BreadthFirst,
}

#[pymethods]
impl Network {
    /// Searches breadth-first from nodes, against the direction of edges if `is_back`.
    fn search(
        slf: Py<Self>,
        py: Python<'_>,
        sources: Vec<u32>,
        depth_max: Option<u32>,
        is_back: bool,
    ) -> PyResult<Search> {
        let found = slf.get().run(py, |subgraph| match is_back {
            true => subgraph.reversed().breadth_first(&sources, depth_max),
            false => subgraph.breadth_first(&sources, depth_max),
        })?;
        Ok(Search { network: slf, found })
    }
}

#[pymethods]
impl Search {
    fn __len__(&self) -> usize {
        self.found.nodes().len()
    }

    /// The nodes by distance.
    fn levels(&self, py: Python<'_>) -> Groups {
        Groups::new(self.network.clone_ref(py), self.found.levels().clone(), false)
    }

    /// All found nodes but the sources.
    fn others<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PySet>> {
        let sources = self.found.levels().get(0).map_or(0, <[u32]>::len);
        self.objects(py).set(&self.found.nodes()[sources..])
    }

    /// The distance of each found node.
    fn distances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let mut objects = self.objects(py);
        for (distance, level) in (0u32..).zip(self.found.levels().iter()) {
            let distance = distance.into_pyobject(py)?;
            level.iter().try_for_each(|node| dict.set_item(objects.object(*node)?, &distance))?;
        }
        Ok(dict)
    }

    /// The edges to the nodes at the places from `start` to `end`: pairs of parent and node, or of node and
    /// parent if `is_swapped`.
    fn edges<'py>(
        &self,
        py: Python<'py>,
        start: usize,
        end: usize,
        is_swapped: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        let (mut objects, list, nodes) = (self.objects(py), PyList::empty(py), self.found.nodes());
        // The nodes with the same parent are consecutive.
        let mut last = None;
        for (place, node) in nodes.iter().enumerate().take(end).skip(start) {
            let Some(parent) = self.found.parent(place) else { continue };
            let of_parent = match last.take() {
                Some((known, object)) if known == parent => object,
                _ => objects.object(nodes[parent])?,
            };
            let node = objects.object(*node)?;
            list.append(if is_swapped { (&node, &of_parent) } else { (&of_parent, &node) })?;
            last = Some((parent, of_parent));
        }
        Ok(list)
    }

    /// The shortest path that the search has found to each node, from its source, or to its source if
    /// `is_back`.
    fn paths<'py>(&self, py: Python<'py>, is_back: bool) -> PyResult<Bound<'py, PyDict>> {
        let (mut objects, paths) = (self.objects(py), PyDict::new(py));
        let nodes: Vec<_> =
            self.found.nodes().iter().map(|node| objects.object(*node)).collect::<PyResult<_>>()?;
        for (place, node) in nodes.iter().enumerate() {
            let mut path: Vec<usize> =
                std::iter::successors(Some(place), |place| self.found.parent(*place)).collect();
            if !is_back {
                path.reverse();
            }
            let path = PyList::new(py, path.into_iter().map(|place| &nodes[place]))?;
            paths.set_item(node, path)?;
            if place % 1024 == 0 {
                py.check_signals()?;
            }
        }
        Ok(paths)
    }
}

impl Search {
    fn objects<'py>(&self, py: Python<'py>) -> Objects<'_, 'py> {
        Objects::new(py, &self.network.get().keys)
    }
}
