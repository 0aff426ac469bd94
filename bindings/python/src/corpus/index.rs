//! The index of a corpus, and the copied functions that it shows.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use varvite::vfs::RealVfs;
use varvite_corpus::{CloneGroup, Clones, CorpusOptions, FileFailure, IndexOptions, IndexReport};

use super::open::Corpus;
use crate::failure::{Failure, Result};
use crate::interrupt::interruptible;
use crate::options::Limits;
use crate::progress::told;

/// The counts of an index by name, and the files that failed, each with its exception.
type Indexed = (Vec<(&'static str, u64)>, Vec<(OsString, Py<PyAny>)>);

/// A function of a group: the paths of the graph and of the source, the name, the line and the node.
type Cloned = (String, String, String, Option<i64>, u32);

/// Groups of functions, each with its lines and its likeness; and the numbers of files, folders and functions
/// that were not compared.
type Compared = (Vec<(u64, f64, Vec<Cloned>)>, [u64; 3]);

#[pymethods]
impl Corpus {
    /// Writes the index of all graphs, or brings it up to date. `listener` gets reports of progress.
    fn index(
        &self,
        py: Python<'_>,
        target: PathBuf,
        limits: Limits,
        listener: Option<Py<PyAny>>,
    ) -> PyResult<Indexed> {
        let corpus = self.open()?;
        let task = told(limits.task()?, listener);
        let cancel = task.flag().clone();
        let report = interruptible(py, &cancel, || {
            // The index itself may be one of the files.
            let list = corpus.list().without(&target);
            let files = CorpusOptions::new().memory(task.memory_bytes() as u64 / 2).open_list(list);
            let options = IndexOptions { task, vfs: Arc::new(RealVfs), is_strict: self.is_strict };
            let mut report = varvite_corpus::index(&files, &target, &options)?;
            if self.is_strict
                && let Some((path, error)) = report.failed.pop()
            {
                return Err(Failure::from(error).of_file(&path));
            }
            Ok(report)
        })?;
        indexed(py, report)
    }
}

fn indexed(py: Python<'_>, report: IndexReport) -> PyResult<Indexed> {
    let counts = vec![
        ("read", report.read as u64),
        ("unchanged", report.reused as u64),
        ("copies", report.copies as u64),
        ("functions", report.functions),
        ("without_content", report.without_content),
        ("imports", report.imports),
        ("linked", report.linked),
        ("ambiguous", report.ambiguous),
        ("unknown", report.unknown),
        ("file_bytes", report.file_len),
    ];
    let failed = report.failed.into_iter().map(|(path, error)| {
        let exception = Failure::from(error).exception(py)?;
        Ok((path.into_os_string(), exception.into_value(py).into_any()))
    });
    Ok((counts, failed.collect::<PyResult<_>>()?))
}

/// The functions with equal content in an index; with `near`, those that share this part of their tokens.
#[pyfunction]
pub(crate) fn clones(
    py: Python<'_>,
    index: PathBuf,
    lines_min: u64,
    near: Option<f64>,
    limits: Limits,
) -> PyResult<Compared> {
    let task = limits.task()?;
    let Clones { groups, left_out, .. } = interruptible(py, task.flag(), || -> Result<Clones> {
        Ok(match near {
            None => varvite_corpus::clones(&index, lines_min, &task)?,
            Some(likeness_min) => varvite_corpus::near_clones(&index, lines_min, likeness_min, &task)?,
        })
    })?;
    let functions = |group: CloneGroup| {
        let row = |cloned: varvite_corpus::ClonedFunction| {
            let function = cloned.function;
            (cloned.graph, function.source, function.full_name, function.line, function.node)
        };
        (group.lines, group.likeness, group.functions.into_iter().map(row).collect())
    };
    let left_out = [left_out.failed, left_out.unreadable, left_out.without_content];
    Ok((groups.into_iter().map(functions).collect(), left_out))
}
