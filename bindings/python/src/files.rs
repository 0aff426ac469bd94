//! Files: imports, exports, checks, diffs and indexes.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use varvite::change::{ChangeError, DiffText};
use varvite::vfs::RealVfs;
use varvite::write::{GraphChange, IndexChange, LayerSpec, change_indexes};
use varvite::{IfExists, Profile};
use varvite_import::flatgraph::{Export, Import};

use crate::failure::{Failure, Result};
use crate::graph::Graph;
use crate::interrupt::interruptible;
use crate::options::Limits;
use crate::progress::told;

/// Makes a graph file from a flatgraph file. `listener` gets reports of progress. Returns the numbers of
/// nodes and edges, and the size in bytes.
#[pyfunction]
pub(crate) fn import_flatgraph(
    py: Python<'_>,
    source: PathBuf,
    target: PathBuf,
    profile: &str,
    replace: bool,
    limits: Limits,
    listener: Option<Py<PyAny>>,
) -> PyResult<(u32, u64, u64)> {
    let task = told(limits.task()?, listener);
    let import = Import::new(source).profile(profile_of(profile)?).if_exists(if_exists(replace));
    let cancel = task.flag().clone();
    let import = import.task(task);
    let report = interruptible(py, &cancel, || Ok(import.write_to(target)?))?;
    Ok((report.nodes, report.edges, report.file_len))
}

/// Applies a diff, as lines of JSON, to the graph file at a path; as a layer, if `layer` names one. Returns
/// the ids of the new nodes: the first and the one after the last.
#[pyfunction]
pub(crate) fn apply(
    py: Python<'_>,
    path: PathBuf,
    lines: &str,
    layer: Option<&str>,
    limits: Limits,
) -> PyResult<(u32, u32)> {
    let task = limits.task()?;
    let applied = interruptible(py, task.flag(), || {
        let text = DiffText::read(lines.as_bytes())?;
        let change = GraphChange::begin(Arc::new(RealVfs), &path)?;
        let applied = match layer {
            None => change.apply_with(&text.diff, &task),
            Some(name) => {
                let (tool, version) = ("varvite for Python", env!("CARGO_PKG_VERSION"));
                let layer = LayerSpec { name, tool, version, source: [0; 32] };
                change.add_layer(&layer, &text.diff, &task)
            }
        };
        applied.map_err(|error| failure_of(error, &text))
    })?;
    Ok((applied.nodes.start, applied.nodes.end))
}

/// Adds and drops indexes of properties of the graph file at a path. Returns the properties that have one
/// now.
#[pyfunction]
pub(crate) fn index(
    py: Python<'_>,
    path: PathBuf,
    add: Vec<String>,
    drop: Vec<String>,
    limits: Limits,
) -> PyResult<Vec<String>> {
    let task = limits.task()?;
    let changed = interruptible(py, task.flag(), || {
        let change = IndexChange { add: &add, drop: &drop };
        Ok(change_indexes(Arc::new(RealVfs), &path, change, &task)?)
    })?;
    Ok(changed.indexed)
}

#[pymethods]
impl Graph {
    /// Reads and checks the whole file. Returns the problems: none if the file is sound.
    fn verify(&self, py: Python<'_>, limits: Limits, listener: Option<Py<PyAny>>) -> PyResult<Vec<String>> {
        let (open, task) = (self.open()?, told(limits.task()?, listener));
        Ok(interruptible(py, task.flag(), || Ok(open.graph.verify(&task)?.problems))?)
    }

    /// Writes the graph as a flatgraph file.
    fn export_flatgraph(
        &self,
        py: Python<'_>,
        target: PathBuf,
        replace: bool,
        listener: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let open = self.open()?;
        let task = told(varvite::Task::new(), listener);
        interruptible(py, task.flag(), || {
            let settings = varvite_import::ExportSettings::new().if_exists(if_exists(replace));
            Export::new(&open.graph).settings(settings.task(task.clone())).write_to(target)?;
            Ok(())
        })?;
        Ok(())
    }
}

fn profile_of(name: &str) -> Result<Profile> {
    match name {
        "direct" => Ok(Profile::Direct),
        "compact" => Ok(Profile::Compact),
        "archive" => Ok(Profile::Archive),
        other => Err(Failure::Argument(format!("profile is {other:?}, expected direct, compact or archive"))),
    }
}

fn if_exists(replace: bool) -> IfExists {
    if replace { IfExists::Replace } else { IfExists::Refuse }
}

/// The failure of a diff, with the line of the operation that is wrong.
fn failure_of(error: ChangeError, text: &DiffText) -> Failure {
    let code = error.code();
    match error {
        ChangeError::Operation { operation, fault } => {
            Failure::Operation { line: text.line_of(operation), code, fault: fault.to_string() }
        }
        error => error.into(),
    }
}
