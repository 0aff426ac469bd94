//! [`Corpus`]: many graph files.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use pyo3::prelude::*;
use varvite::OpenMode;
use varvite_corpus::{CorpusOptions, FileList};

use crate::failure::{Failure, Result};
use crate::graph::Graph;

/// The function of the package that opens a corpus.
const OPENER: &str = "open_corpus";

/// Many graph files. All calls after `close`, or in a fork of the process that opened it, raise
/// `GraphClosedError`.
#[pyclass(frozen, module = "varvite._varvite")]
pub(crate) struct Corpus {
    open: RwLock<Option<Arc<varvite_corpus::Corpus>>>,
    name: String,
    pub(super) is_strict: bool,
    process: u32,
}

/// The files of a corpus: a folder, a pattern or a path; or the paths of all files.
#[derive(FromPyObject)]
enum Words {
    One(PathBuf),
    Listed(Vec<PathBuf>),
}

#[pymethods]
impl Corpus {
    /// Lists the files. No graph is opened yet.
    #[new]
    #[pyo3(signature = (files, *, checked=false, memory=None, open_max=None, strict=false))]
    fn new(
        py: Python<'_>,
        files: Words,
        checked: bool,
        memory: Option<u64>,
        open_max: Option<usize>,
        strict: bool,
    ) -> PyResult<Self> {
        let mut options = CorpusOptions::new();
        if checked {
            options = options.mode(OpenMode::Buffered);
        }
        if let Some(bytes) = memory {
            options = options.memory(bytes);
        }
        if let Some(graphs) = open_max {
            options = options.open_max(graphs);
        }
        let name = files.name();
        let list = py.detach(|| files.list())?;
        if let Some(folder) = list.unreadable.first().filter(|_| strict) {
            return Err(Failure::from(folder.refusal()).into());
        }
        let open = RwLock::new(Some(Arc::new(options.open_list(list))));
        Ok(Self { open, name, is_strict: strict, process: std::process::id() })
    }

    /// Forgets the files, and closes the graphs that nothing uses.
    fn close(&self) {
        *self.open.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether the corpus was closed.
    #[getter]
    fn closed(&self) -> bool {
        self.open.read().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// The folder, the pattern, or the number of files, as text.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The number of files.
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.open()?.files().len())
    }

    /// The number of graphs that stay open for the next question.
    fn open_count(&self) -> PyResult<usize> {
        Ok(self.open()?.open_count())
    }

    /// The paths of the files, in the order of answers.
    fn paths(&self) -> PyResult<Vec<OsString>> {
        Ok(self.open()?.files().iter().map(|file| file.path().as_os_str().to_owned()).collect())
    }

    /// The folders that could not be read, with the reasons.
    fn unreadable(&self) -> PyResult<Vec<(OsString, String)>> {
        let row = |folder: &varvite_corpus::UnreadableFolder| {
            (folder.path.clone().into_os_string(), folder.error.to_string())
        };
        Ok(self.open()?.unreadable().iter().map(row).collect())
    }

    /// The further names of files, each with the name under which the file is listed.
    fn other_names(&self) -> PyResult<Vec<(OsString, OsString)>> {
        let row = |other: &varvite_corpus::OtherName| {
            (other.name.clone().into_os_string(), other.of.clone().into_os_string())
        };
        Ok(self.open()?.other_names().iter().map(row).collect())
    }

    /// The graph of a file.
    fn graph(&self, py: Python<'_>, file: usize) -> PyResult<Graph> {
        let corpus = self.open()?;
        let graph = py.detach(|| corpus.graph(file)).map_err(Failure::from)?;
        let path = corpus.files().get(file).map(|file| file.path().display().to_string());
        Ok(Graph::of(graph, path.unwrap_or_default()))
    }
}

impl Corpus {
    /// The open corpus.
    pub(super) fn open(&self) -> Result<Arc<varvite_corpus::Corpus>> {
        let (path, opener, here) = (self.name.clone(), OPENER, std::process::id());
        if here != self.process {
            return Err(Failure::Forked { path, opened: self.process, here, opener });
        }
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.clone().ok_or(Failure::Closed { path, opener })
    }
}

impl Words {
    fn name(&self) -> String {
        match self {
            Self::One(path) => path.display().to_string(),
            Self::Listed(paths) => format!("a corpus of {} files", paths.len()),
        }
    }

    fn list(self) -> Result<FileList> {
        match self {
            Self::One(path) => Ok(FileList::at(&path)?),
            Self::Listed(paths) => Ok(FileList::of(paths)),
        }
    }
}
