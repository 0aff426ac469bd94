//! [`Keys`]: the Python objects that are the nodes of a graph.

use std::convert::Infallible;

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The Python objects that are the nodes.
pub(super) enum Keys {
    /// The ids of the nodes, as integers.
    Ids,
    /// Any objects, by node; and the node of each object.
    Objects { objects: Vec<Py<PyAny>>, numbers: Py<PyDict> },
}

impl Keys {
    /// The object that is a node.
    #[inline]
    pub(super) fn object<'py>(&self, py: Python<'py>, node: u32) -> Bound<'py, PyAny> {
        match self {
            Self::Ids => {
                let Ok::<_, Infallible>(id) = node.into_pyobject(py);
                id.into_any()
            }
            Self::Objects { objects, .. } => objects[node as usize].bind(py).clone(),
        }
    }

    /// The node that an object is; `None` for all other objects, also for those that no dictionary takes.
    pub(super) fn node(&self, object: &Bound<'_, PyAny>) -> Option<u32> {
        match self {
            Self::Ids => object.extract().ok(),
            Self::Objects { numbers, .. } => {
                let number = numbers.bind(object.py()).get_item(object).ok().flatten()?;
                number.extract().ok()
            }
        }
    }
}
