//! [`Graph`]: an open graph file.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use pyo3::prelude::*;
use varvite::cursor::Labels;
use varvite::{Adjacency, Direction, OpenOptions, Property};

use crate::failure::{Failure, Result};

/// The function of the package that opens a graph.
const OPENER: &str = "open";

/// An open graph. All calls after `close`, or in a fork of the process that opened it, raise
/// `GraphClosedError`.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Graph {
    open: RwLock<Option<Arc<Open>>>,
    path: String,
    process: u32,
}

/// The graph, and the columns that were used. They stay open until the graph is closed, and longer while a
/// plan, a stream or an array uses them.
pub(crate) struct Open {
    pub(crate) graph: Arc<varvite::Graph>,
    labels: OnceLock<Labels>,
    properties: RwLock<HashMap<String, Arc<Property>>>,
    adjacencies: RwLock<HashMap<(String, bool), Arc<Adjacency>>>,
}

#[pymethods]
impl Graph {
    /// Opens the graph file at a path.
    #[new]
    #[pyo3(signature = (path, *, checked=false, memory=None))]
    fn new(py: Python<'_>, path: PathBuf, checked: bool, memory: Option<u64>) -> PyResult<Self> {
        let mut options = OpenOptions::new();
        if checked {
            options = options.buffered();
        }
        if let Some(bytes) = memory {
            options = options.memory_max(bytes);
        }
        let graph = py.detach(|| options.open(&path)).map_err(Failure::from)?;
        Ok(Self::of(Arc::new(graph), path.display().to_string()))
    }

    /// Closes the graph. Arrays, plans and streams that were made of it keep what they need.
    fn close(&self) {
        *self.open.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether the graph was closed.
    #[getter]
    fn closed(&self) -> bool {
        self.open.read().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// The path that was opened.
    #[getter]
    fn path(&self) -> &str {
        &self.path
    }
}

impl Graph {
    /// The graph of a file, which others may hold too.
    pub(crate) fn of(graph: Arc<varvite::Graph>, path: String) -> Self {
        let open = RwLock::new(Some(Arc::new(Open::new(graph))));
        Self { open, path, process: std::process::id() }
    }

    /// The open graph.
    pub(crate) fn open(&self) -> Result<Arc<Open>> {
        let here = std::process::id();
        if here != self.process {
            return Err(Failure::Forked {
                path: self.path.clone(),
                opened: self.process,
                here,
                opener: OPENER,
            });
        }
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.clone().ok_or_else(|| Failure::Closed { path: self.path.clone(), opener: OPENER })
    }
}

impl Open {
    fn new(graph: Arc<varvite::Graph>) -> Self {
        let (properties, adjacencies) = (RwLock::default(), RwLock::default());
        Self { graph, labels: OnceLock::new(), properties, adjacencies }
    }

    /// The label sets of all nodes, opened once, without Python's lock: opening may decode them.
    pub(crate) fn labels_of(&self, py: Python<'_>) -> Result<&Labels> {
        if let Some(labels) = self.labels.get() {
            return Ok(labels);
        }
        let labels = py.detach(|| self.graph.label_sets())?;
        Ok(self.labels.get_or_init(|| labels))
    }

    /// The column of a property of nodes, opened once, without Python's lock: opening may decode it.
    pub(crate) fn property_of(&self, py: Python<'_>, name: &str) -> Result<Arc<Property>> {
        if let Some(known) = self.properties.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return Ok(Arc::clone(known));
        }
        let opened = Arc::new(py.detach(|| self.graph.property(name))?);
        let mut known = self.properties.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(known.entry(name.to_owned()).or_insert(opened)))
    }

    /// The edges of a label in one direction, opened once.
    pub(crate) fn adjacency(&self, label: &str, direction: Direction) -> Result<Arc<Adjacency>> {
        let key = (label.to_owned(), direction == Direction::Out);
        if let Some(known) = self.adjacencies.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(known));
        }
        let opened = match direction {
            Direction::Out => self.graph.out(label)?,
            Direction::In => self.graph.in_(label)?,
        };
        let mut known = self.adjacencies.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(known.entry(key).or_insert_with(|| Arc::new(opened))))
    }
}
