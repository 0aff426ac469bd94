//! Python's lists, sets and dictionaries of nodes, each built in one go, with looks for signals.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySet};

use super::keys::Keys;

/// The number of objects that are built between two looks for signals: a few milliseconds.
const LOOK: usize = 1 << 15;

/// Builds objects of nodes.
pub(super) struct Objects<'a, 'py> {
    pub(super) py: Python<'py>,
    pub(super) keys: &'a Keys,
    built: usize,
}

impl<'a, 'py> Objects<'a, 'py> {
    pub(super) fn new(py: Python<'py>, keys: &'a Keys) -> Self {
        Self { py, keys, built: 0 }
    }

    /// The object that is a node. Raises the exception of a handler of a signal.
    #[inline]
    pub(super) fn object(&mut self, node: u32) -> PyResult<Bound<'py, PyAny>> {
        self.built += 1;
        if self.built.is_multiple_of(LOOK) {
            self.py.check_signals()?;
        }
        Ok(self.keys.object(self.py, node))
    }

    pub(super) fn list(&mut self, nodes: &[u32]) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(self.py);
        nodes.iter().try_for_each(|node| list.append(self.object(*node)?))?;
        Ok(list)
    }

    pub(super) fn set(&mut self, nodes: &[u32]) -> PyResult<Bound<'py, PySet>> {
        let set = PySet::empty(self.py)?;
        nodes.iter().try_for_each(|node| set.add(self.object(*node)?))?;
        Ok(set)
    }

    /// A dictionary with a value for each node.
    pub(super) fn dict<V: IntoPyObject<'py>>(
        &mut self,
        values: impl Iterator<Item = (u32, V)>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(self.py);
        for (node, value) in values {
            dict.set_item(self.object(node)?, value)?;
        }
        Ok(dict)
    }
}
