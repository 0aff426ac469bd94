//! Nodes: ids by label, labels, values and neighbours of a node.

use pyo3::prelude::*;
use pyo3::types::PyList;
use varvite::{Direction, GraphError, Task};

use super::open::{Graph, Open};
use crate::array::Array;
use crate::cells::value_to_python;
use crate::failure::{Failure, Result};
use crate::interrupt::on_this_thread;

/// The number of ids between two looks for signals.
const IDS_OF_LOOK: usize = 1 << 18;

#[pymethods]
impl Graph {
    /// The number of nodes with a label.
    fn label_count(&self, py: Python<'_>, label: &str) -> PyResult<u32> {
        let open = self.open()?;
        Ok(py.detach(|| Ok::<u32, Failure>(open.graph.nodes(label)?.len()))?)
    }

    /// At most `limit` ids of nodes with a label, ascending from `start` on; without a label, of all nodes.
    fn ids_from(&self, label: Option<&str>, start: u32, limit: usize) -> PyResult<Vec<u32>> {
        let open = self.open()?;
        let mut ids = Vec::new();
        open.append_ids(label, start, limit, &mut ids)?;
        open.graph.check().map_err(Failure::from)?;
        Ok(ids)
    }

    /// The ids of all nodes with a label, or of all nodes.
    fn ids(&self, py: Python<'_>, label: Option<&str>) -> PyResult<Array> {
        let open = self.open()?;
        let ids = on_this_thread(py, Task::new(), |task| -> Result<Vec<u32>> {
            let (mut ids, mut start, mut before) = (Vec::new(), 0, usize::MAX);
            while before != ids.len() {
                before = ids.len();
                open.append_ids(label, start, IDS_OF_LOOK, &mut ids)?;
                start = ids.last().map_or(0, |last| last + 1);
                task.check()?;
            }
            open.graph.check()?;
            Ok(ids)
        })?;
        Ok(Array::of_u32(ids))
    }

    /// Raises an error if the graph has no node with this id.
    fn check_node(&self, node: i64) -> PyResult<u32> {
        Ok(self.open()?.node(node)?)
    }

    /// The names of a node's labels.
    fn labels_of(&self, py: Python<'_>, node: i64) -> PyResult<Vec<String>> {
        let open = self.open()?;
        let (node, known) = (open.node(node)?, open.graph.labels());
        let ids = open.labels_of(py)?.of(node);
        let names = ids.filter_map(|id| known.get(id.0 as usize)).map(|label| label.name.clone()).collect();
        open.graph.check().map_err(Failure::from)?;
        Ok(names)
    }

    /// The value of a node's property: `None` if it has none, a list if the property is one of lists.
    fn value(&self, py: Python<'_>, node: i64, property: &str) -> PyResult<Py<PyAny>> {
        let open = self.open()?;
        let (node, property) = (open.node(node)?, open.property_of(py, property)?);
        if property.is_list() {
            let values = property.all(node).map(|value| value_to_python(py, value));
            let values = values.collect::<PyResult<Vec<_>>>()?;
            open.graph.check().map_err(Failure::from)?;
            return Ok(PyList::new(py, values)?.into_any().unbind());
        }
        let value = property.get(node);
        let is_absent = value.is_none();
        let value = value.map_or(Ok(py.None()), |value| value_to_python(py, value))?;
        if is_absent {
            open.graph.check().map_err(Failure::from)?;
        }
        Ok(value)
    }

    /// The neighbours of a node along edges of the labels, one label after another; without labels, along
    /// all.
    fn neighbours(&self, py: Python<'_>, node: i64, labels: Vec<String>, is_out: bool) -> PyResult<Vec<u32>> {
        let open = self.open()?;
        let node = open.node(node)?;
        let direction = if is_out { Direction::Out } else { Direction::In };
        let labels = if labels.is_empty() { open.edge_labels_with_edges() } else { labels };
        Ok(py.detach(|| open.neighbours(node, &labels, direction))?)
    }
}

impl Open {
    /// The node with an id.
    pub(crate) fn node(&self, id: i64) -> Result<u32> {
        let nodes = self.graph.node_count();
        let missing = || GraphError::NoSuchNode { node: id as u64, nodes };
        let Ok(node) = u32::try_from(id) else { return Err(Failure::Argument(no_id(id, nodes))) };
        match node < nodes && !self.graph.is_removed(node)? {
            true => Ok(node),
            false => Err(missing().into()),
        }
    }

    fn neighbours(&self, node: u32, labels: &[String], direction: Direction) -> Result<Vec<u32>> {
        let mut found = Vec::new();
        for label in labels {
            self.adjacency(label, direction)?.append(node, &mut found);
        }
        self.graph.check()?;
        Ok(found)
    }

    fn edge_labels_with_edges(&self) -> Vec<String> {
        let labels = self.graph.edge_labels().iter().filter(|label| label.edges > 0);
        labels.map(|label| label.name.clone()).collect()
    }

    fn append_ids(&self, label: Option<&str>, start: u32, limit: usize, ids: &mut Vec<u32>) -> Result<()> {
        match (label, self.graph.living_nodes()?) {
            (Some(label), _) => self.graph.nodes(label)?.append_from(start, limit, ids),
            (None, Some(living)) => living.append_from(start, limit, ids),
            (None, None) => ids.extend((start..self.graph.node_count()).take(limit)),
        }
        Ok(())
    }
}

fn no_id(id: i64, nodes: u32) -> String {
    format!("{id} is no id of a node: ids are 0 to {}", nodes.saturating_sub(1))
}
