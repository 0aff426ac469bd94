//! [`Graphs`]: the files of a server, by their numbers.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use varvite::{ErrorCode, Graph, GraphError};

use crate::fault::{Fault, Result};
use crate::names::NameIndex;

/// The time for which the server relies on the last look at the path of a file.
const LOOK_TIME: Duration = Duration::from_millis(500);

/// Opens a file.
type Opener = Box<dyn Fn() -> varvite::Result<Graph> + Send + Sync>;

/// A file of a server, which may be damaged or missing.
pub struct GraphFile {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    open: Opener,
    state: RwLock<State>,
}

type State = std::result::Result<Arc<OpenGraph>, GraphError>;

/// A graph that is open, with the time of the last look at its path.
#[derive(Debug)]
pub(crate) struct OpenGraph {
    pub(crate) graph: Graph,
    pub(crate) names: Cached,
    pub(crate) full_names: Cached,
    looked: Mutex<Option<Instant>>,
}

/// An index of names, made by the first search.
#[derive(Debug, Default)]
pub(crate) struct Cached(Mutex<Option<Arc<NameIndex>>>);

impl Cached {
    /// The index. Other searches wait while one of them makes it.
    pub(crate) fn get(&self, make: impl FnOnce() -> Result<NameIndex>) -> Result<Arc<NameIndex>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = &*known {
            return Ok(Arc::clone(index));
        }
        let index = Arc::new(make()?);
        *known = Some(Arc::clone(&index));
        Ok(index)
    }
}

impl fmt::Debug for GraphFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("GraphFile").field("name", &self.name).finish_non_exhaustive()
    }
}

impl GraphFile {
    /// Opens a file, with a name for people. The server calls `open` again if the page asks it to.
    pub fn open(
        name: impl Into<String>,
        path: impl AsRef<Path>,
        open: impl Fn() -> varvite::Result<Graph> + Send + Sync + 'static,
    ) -> Self {
        let state = RwLock::new(opened(&open));
        let path = std::path::absolute(&path).unwrap_or_else(|_| path.as_ref().to_owned());
        Self { name: name.into(), path, open: Box::new(open), state }
    }

    /// The reason why the file is not open.
    pub fn error(&self) -> Option<GraphError> {
        self.state().err()
    }

    fn state(&self) -> State {
        self.state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The graph as it was opened, whatever happened to its path.
    pub(crate) fn opened(&self) -> Result<Arc<OpenGraph>> {
        self.state().map_err(|error| {
            let Self { name, .. } = self;
            conflict("unreadable", &format!("{name} is not open: {error}"))
        })
    }

    /// The graph, if its path still names the file that was opened.
    pub(crate) fn current(&self) -> Result<Arc<OpenGraph>> {
        let open = self.opened()?;
        open.look(self)?;
        Ok(open)
    }

    /// Opens the path anew.
    pub(crate) fn reopen(&self) -> Result<Arc<OpenGraph>> {
        let state = opened(&self.open);
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = state;
        self.opened()
    }
}

fn opened(open: &dyn Fn() -> varvite::Result<Graph>) -> State {
    let (graph, looked) = (open()?, Mutex::default());
    Ok(Arc::new(OpenGraph { graph, names: Cached::default(), full_names: Cached::default(), looked }))
}

fn conflict(code: &'static str, message: &str) -> Fault {
    Fault::new(StatusCode::CONFLICT, code, message)
}

impl OpenGraph {
    /// Fails if the path of the file names another file by now, or none. Looks at most twice a second.
    pub(crate) fn look(&self, file: &GraphFile) -> Result<()> {
        let GraphFile { name, path, .. } = file;
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.is_some_and(|at| at.elapsed() < LOOK_TIME) {
            return Ok(());
        }
        match self.graph.refresh() {
            Ok(_) => {
                *looked = Some(Instant::now());
                Ok(())
            }
            Err(error) if error.code() == ErrorCode::Replaced && path.exists() => {
                let what =
                    "was replaced by another file since it was opened: open it again to see the new one";
                Err(conflict("replaced", &format!("{name} {what}")))
            }
            Err(_) if !path.exists() => {
                Err(conflict("missing", &format!("{name} was removed: there is no {}", path.display())))
            }
            Err(error) => Err(conflict("missing", &format!("{name} cannot be read any more: {error}"))),
        }
    }
}

/// The files of a server.
#[derive(Debug)]
pub(crate) struct Graphs(Vec<GraphFile>);

impl Graphs {
    /// The files, of which at least one is open.
    pub(crate) fn new(files: Vec<GraphFile>) -> varvite::Result<Self> {
        match files.first().and_then(GraphFile::error) {
            Some(error) if files.iter().all(|file| file.error().is_some()) => Err(error),
            _ => Ok(Self(files)),
        }
    }

    /// All files, in the order of their numbers.
    pub(crate) fn all(&self) -> &[GraphFile] {
        &self.0
    }

    /// The file of a number.
    pub(crate) fn file(&self, number: usize) -> Result<&GraphFile> {
        self.0.get(number).ok_or_else(|| {
            let last = self.0.len().saturating_sub(1);
            let message = format!("there is no file {number}: the numbers are 0 to {last}");
            Fault::new(StatusCode::NOT_FOUND, "no_such_file", &message)
        })
    }
}
