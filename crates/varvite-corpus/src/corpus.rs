//! [`Corpus`]: many graph files, opened when they are touched.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use varvite::inspect::Identity;
use varvite::memory::SharedBudget;
use varvite::{Budget, Graph, OpenMode, OpenOptions};

use crate::error::{FileError, Result};
use crate::file_list::{FileList, OtherName, UnreadableFolder};
use crate::open_graphs::OpenGraphs;

/// The number of graphs that stay open for later questions, unless the options say otherwise.
const OPEN_MAX: usize = 64;

/// Options of a [`Corpus`].
#[derive(Clone, Debug)]
#[must_use = "options open nothing by themselves"]
pub struct CorpusOptions {
    mode: OpenMode,
    memory: u64,
    open_max: usize,
}

impl Default for CorpusOptions {
    fn default() -> Self {
        Self { mode: OpenMode::default(), memory: Budget::default_bytes() as u64 / 2, open_max: OPEN_MAX }
    }
}

impl CorpusOptions {
    /// The default options: files are mapped, at most 64 graphs stay open, and together they hold an eighth
    /// of the memory that the process may use.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how files are opened: mapped, checked or buffered.
    pub fn mode(self, mode: OpenMode) -> Self {
        Self { mode, ..self }
    }

    /// Limits the bytes that all graphs of the corpus hold together: tables, decoded columns and mapped
    /// pages ([`SharedBudget`]).
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Sets the number of graphs that stay open after a question, at least 1. While a question runs, each of
    /// its threads has one more.
    pub fn open_max(self, graphs: usize) -> Self {
        Self { open_max: graphs.max(1), ..self }
    }

    /// Opens the corpus that words name, as [`FileList::at`] understands them.
    ///
    /// # Errors
    /// The errors of [`FileList::at`].
    pub fn open(self, words: impl AsRef<Path>) -> Result<Corpus> {
        Ok(self.open_list(FileList::at(words.as_ref())?))
    }

    /// Opens the corpus of listed files. Reads nothing: a file is opened when a question touches it.
    pub fn open_list(self, list: FileList) -> Corpus {
        let FileList { files, unreadable, other_names } = list;
        let files = files.into_iter().map(|path| CorpusFile { path, seen: OnceLock::new() }).collect();
        Corpus {
            files,
            unreadable,
            other_names,
            open: OpenGraphs::new(self.open_max),
            mode: self.mode,
            options: OpenOptions::new().mode(self.mode).budget(&SharedBudget::new(self.memory)),
        }
    }
}

/// Many graph files, known by their paths. A graph is opened when it is touched; the least recently used ones
/// are closed, and all share one memory budget. All methods may be called from any thread.
///
/// Ten thousand files take about 2 MB until they are touched.
#[derive(Debug)]
pub struct Corpus {
    files: Vec<CorpusFile>,
    unreadable: Vec<UnreadableFolder>,
    other_names: Vec<OtherName>,
    open: OpenGraphs,
    mode: OpenMode,
    options: OpenOptions,
}

/// A file of a corpus.
#[derive(Clone, Debug)]
pub struct CorpusFile {
    path: PathBuf,
    /// The facts that the first opening found.
    seen: OnceLock<Seen>,
}

/// The facts of a file that stay when its graph is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seen {
    /// The identity of the file and its commit.
    pub identity: Identity,
    /// The number of nodes.
    pub nodes: u32,
    /// The number of edges.
    pub edges: u64,
}

impl CorpusFile {
    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The facts that the first opening of the file found. `None` if it was not opened yet.
    pub fn seen(&self) -> Option<Seen> {
        self.seen.get().copied()
    }
}

impl Corpus {
    /// Opens the corpus that words name, with the default [`CorpusOptions`].
    ///
    /// # Errors
    /// The errors of [`FileList::at`].
    pub fn open(words: impl AsRef<Path>) -> Result<Self> {
        CorpusOptions::new().open(words)
    }

    /// The files, in the order of answers.
    pub fn files(&self) -> &[CorpusFile] {
        &self.files
    }

    /// Folders that could not be read, so that their files are missing from the corpus.
    pub fn unreadable(&self) -> &[UnreadableFolder] {
        &self.unreadable
    }

    /// Further names of the files, which are left out.
    pub fn other_names(&self) -> &[OtherName] {
        &self.other_names
    }

    /// The files, the folders that could not be read and the further names, for a corpus with other options.
    pub fn list(&self) -> FileList {
        FileList {
            files: self.files.iter().map(|file| file.path.clone()).collect(),
            unreadable: self.unreadable.clone(),
            other_names: self.other_names.clone(),
        }
    }

    /// The number of graphs that are open now, apart from those that only a caller holds.
    pub fn open_count(&self) -> usize {
        self.open.len()
    }

    /// The graph of a file, which is opened if it is closed. The graph stays open as long as the caller holds
    /// the result.
    ///
    /// **Cost**: a look-up, or the opening of a file: its header and directory are read.
    ///
    /// # Errors
    /// [`FileError::Graph`] if the file can't be opened; [`FileError::Replaced`] if another file has its path
    /// since this corpus opened it first; [`FileError::NoSuchFile`].
    pub fn graph(&self, file: usize) -> std::result::Result<Arc<Graph>, FileError> {
        let files = self.files.len();
        let known = self.files.get(file).ok_or(FileError::NoSuchFile { file, files })?;
        if let Some(graph) = self.open.get(file) {
            return Ok(graph);
        }
        let graph = self.options.open(&known.path)?;
        let (identity, nodes, edges) = (graph.identity(), graph.node_count(), graph.edge_count());
        let seen = known.seen.get_or_init(|| Seen { identity, nodes, edges });
        if seen.identity != identity {
            return Err(FileError::Replaced { path: known.path.clone() });
        }
        Ok(self.open.keep(file, graph))
    }

    /// The same files for a reader that keeps what it reads: columns are checked at first use, since damage
    /// would look valid in the copy. The graphs share the memory budget of this corpus.
    pub(crate) fn for_copy(&self) -> Self {
        let mode = if self.mode == OpenMode::Buffered { self.mode } else { OpenMode::Checked };
        Self {
            files: self.files.clone(),
            unreadable: Vec::new(),
            other_names: Vec::new(),
            open: self.open.empty(),
            mode,
            options: self.options.clone().mode(mode),
        }
    }

    /// Closes the graph of a file, so that the next question opens it again.
    pub(crate) fn forget(&self, file: usize) {
        self.open.forget(file);
    }
}
