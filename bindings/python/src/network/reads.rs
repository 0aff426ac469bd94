//! Reads of nodes and edges, for NetworkX's mappings.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::network::Network;
use super::objects::Objects;
use crate::array::Array;
use crate::failure::{Failure, Result};
use crate::subgraph::{csr_of, look};

#[pymethods]
impl Network {
    fn __len__(&self) -> usize {
        self.subgraph().node_count()
    }

    /// The number of edges; undirected edges count once.
    fn edge_count(&self, py: Python<'_>, is_directed: bool) -> PyResult<usize> {
        let subgraph = self.decoded(py)?;
        let entries = subgraph.edge_count().map_err(Failure::from)?;
        if is_directed {
            return Ok(entries);
        }
        if self.has_double_loops {
            return Ok(entries / 2);
        }
        Ok((entries + self.loop_count(py)?) / 2)
    }

    /// The number of the node that an object is; `None` if it is not a node.
    fn node(&self, object: &Bound<'_, PyAny>) -> Option<u32> {
        self.keys.node(object).filter(|node| self.subgraph().has_node(*node))
    }

    /// At most `limit` nodes, from the one at a place on.
    fn nodes<'py>(&self, py: Python<'py>, start: usize, limit: usize) -> PyResult<Bound<'py, PyList>> {
        let nodes: Vec<u32> = self.subgraph().nodes().skip(start).take(limit).collect();
        Objects::new(py, &self.keys).list(&nodes)
    }

    /// A dictionary of the neighbours of a node, each with the same value.
    fn neighbours<'py>(
        &self,
        py: Python<'py>,
        node: u32,
        is_out: bool,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        Objects::new(py, &self.keys).dict(self.list(py, node, is_out)?.into_iter().map(|next| (next, value)))
    }

    /// A dictionary of the neighbours of a node. The value of each is a dictionary of its parallel edges by
    /// number.
    fn multi_neighbours<'py>(
        &self,
        py: Python<'py>,
        node: u32,
        is_out: bool,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (mut objects, neighbours) = (Objects::new(py, &self.keys), PyDict::new(py));
        let mut is_counted = false;
        for next in self.list(py, node, is_out)? {
            if next == node && self.has_double_loops {
                is_counted = !is_counted;
                if !is_counted {
                    continue;
                }
            }
            let next = objects.object(next)?;
            let edges = match neighbours.get_item(&next)? {
                Some(edges) => edges.cast_into::<PyDict>()?,
                None => {
                    let edges = PyDict::new(py);
                    neighbours.set_item(&next, &edges)?;
                    edges
                }
            };
            edges.set_item(edges.len(), value)?;
        }
        Ok(neighbours)
    }

    /// The number of edges from a node to itself.
    pub(super) fn loop_count(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.read(py, |subgraph, task| {
            let mut loops = 0;
            for (place, list) in (0u32..).zip(subgraph.target_lists()?) {
                look(place, task)?;
                loops += list.iter().filter(|next| **next == place).count();
            }
            Ok(if self.has_double_loops { loops / 2 } else { loops })
        })?)
    }

    /// The edges as CSR: the starts of lists with the end of the last one, and the places of neighbours among
    /// the nodes.
    fn arrays(&self, py: Python<'_>) -> PyResult<(Array, Array)> {
        Ok(self.read(py, csr_of)?)
    }
}

impl Network {
    fn list(&self, py: Python<'_>, node: u32, is_out: bool) -> Result<Vec<u32>> {
        let subgraph = self.decoded(py)?;
        if is_out {
            return Ok(subgraph.targets(node)?.collect());
        }
        Ok(subgraph.reversed().targets(node)?.collect())
    }
}
