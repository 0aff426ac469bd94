//! [`Groups`]: nodes in groups, which Python reads in parts.

use pyo3::prelude::*;
use pyo3::types::PyList;
use varvite::algorithms::NodeGroups;

use super::network::Network;
use super::objects::Objects;

/// The number of nodes of a part.
const NODES_OF_PART: usize = 1 << 14;

/// Groups of nodes, such as components.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Groups {
    network: Py<Network>,
    groups: NodeGroups,
    /// Whether every node is in a group.
    #[pyo3(get)]
    is_complete: bool,
}

impl Groups {
    pub(super) fn new(network: Py<Network>, groups: NodeGroups, is_complete: bool) -> Self {
        Self { network, groups, is_complete }
    }

    /// The groups of a part, from the group `start` on: at least one, unless it is after the last one.
    fn part(&self, start: usize) -> impl Iterator<Item = &[u32]> {
        let mut nodes = 0;
        (start..self.groups.len()).map_while(move |group| {
            let is_in = nodes < NODES_OF_PART;
            let group = self.groups.get(group)?;
            nodes += group.len();
            is_in.then_some(group)
        })
    }
}

#[pymethods]
impl Groups {
    fn __len__(&self) -> usize {
        self.groups.len()
    }

    /// Some groups from the group `start` on, as sets; none at the end.
    fn sets<'py>(&self, py: Python<'py>, start: usize) -> PyResult<Bound<'py, PyList>> {
        let (mut objects, list) = (Objects::new(py, &self.network.get().keys), PyList::empty(py));
        self.part(start).try_for_each(|group| list.append(objects.set(group)?))?;
        Ok(list)
    }

    /// Some groups from the group `start` on, as lists; none at the end.
    fn lists<'py>(&self, py: Python<'py>, start: usize) -> PyResult<Bound<'py, PyList>> {
        let (mut objects, list) = (Objects::new(py, &self.network.get().keys), PyList::empty(py));
        self.part(start).try_for_each(|group| list.append(objects.list(group)?))?;
        Ok(list)
    }
}
