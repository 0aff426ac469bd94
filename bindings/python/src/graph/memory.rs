//! The memory that a graph holds.

use pyo3::prelude::*;
use varvite::memory::{HeldBytes, MemoryReport};

use super::open::Graph;

/// A part of a graph, and its bytes by state; `None` if the operating system does not report them.
type PartRow = (String, Vec<(&'static str, Option<u64>)>);

#[pymethods]
impl Graph {
    /// The bytes of each part in memory, by state.
    fn memory(&self, py: Python<'_>) -> PyResult<Vec<PartRow>> {
        let open = self.open()?;
        let states = |bytes: &HeldBytes| HeldBytes::NAMES.into_iter().zip(bytes.bytes()).collect();
        let report = py.detach(|| MemoryReport::of(&open.graph));
        Ok(report.parts.into_iter().map(|part| (part.name, states(&part.bytes))).collect())
    }
}
