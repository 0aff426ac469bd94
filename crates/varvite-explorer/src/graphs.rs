//! [`Graphs`]: the files of a server, by their numbers.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;
use std::time::Instant;

use axum::http::StatusCode;
use varvite::{ErrorCode, Graph, GraphError};

use crate::fault::{Fault, Result};
use crate::limits::Work;
use crate::names::{GraphNames, NameIndex, NameKind};

/// The milliseconds for which the server relies on the last look at the path of a file.
const LOOK_MS: u64 = 500;

/// The name of threads that make indexes of names.
pub(crate) const NAMES_THREAD: &str = "varvite-names";

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
    names: GraphNames,
    opened: Instant,
    /// The time of the last look, in milliseconds since the graph was opened. Questions do not wait for a
    /// look of another one: it may read from a slow disk.
    looked_ms: AtomicU64,
    is_behind: AtomicBool,
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

    /// Opens the path anew. If it cannot be opened, for example while a program writes it, a graph that is
    /// open stays as it is.
    pub(crate) fn reopen(&self) -> Result<Arc<OpenGraph>> {
        let state = opened(&self.open);
        let mut known = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if let (Ok(_), Err(error)) = (&*known, &state) {
            let what = "cannot be opened again, and stays as it was";
            return Err(conflict("unreadable", &format!("{} {what}: {error}", self.name)));
        }
        let before = std::mem::replace(&mut *known, state);
        drop(known);
        if let Ok(before) = before {
            before.names.cancel();
        }
        self.opened()
    }
}

fn opened(open: &dyn Fn() -> varvite::Result<Graph>) -> State {
    Ok(Arc::new(OpenGraph {
        graph: open()?,
        names: GraphNames::default(),
        opened: Instant::now(),
        looked_ms: AtomicU64::default(),
        is_behind: AtomicBool::default(),
    }))
}

fn conflict(code: &'static str, message: &str) -> Fault {
    Fault::new(StatusCode::CONFLICT, code, message)
}

impl OpenGraph {
    /// Fails if the path of the file names another file by now, or none. Looks at most twice a second, and
    /// only while questions come: reads two pages of the file, and nothing of its log.
    pub(crate) fn look(&self, file: &GraphFile) -> Result<()> {
        let now = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        let last = self.looked_ms.load(Ordering::Relaxed);
        let is_due = now.saturating_sub(last) >= LOOK_MS;
        // Of all questions that find it due, one looks.
        let claimed = || self.looked_ms.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed);
        if !is_due || claimed().is_err() {
            return Ok(());
        }
        let outcome = self.look_now(file);
        if outcome.is_err() {
            // The next question looks again, and gets the fault too.
            self.looked_ms.store(0, Ordering::Relaxed);
        }
        outcome
    }

    /// The reason why a read has met damage, if the file has changed since it was opened: a program may have
    /// written over it in place.
    pub(crate) fn cause_of_damage(&self, file: &GraphFile) -> Option<Fault> {
        match self.look_now(file) {
            Err(fault) => Some(fault),
            Ok(()) if self.is_behind() => {
                let what =
                    "was changed since it was opened, and can no longer be read as it was: open it again";
                Some(conflict("replaced", &format!("{} {what}", file.name)))
            }
            Ok(()) => None,
        }
    }

    /// Whether the last look found changes of the file that this graph does not show.
    pub(crate) fn is_behind(&self) -> bool {
        self.is_behind.load(Ordering::Relaxed)
    }

    fn look_now(&self, GraphFile { name, path, .. }: &GraphFile) -> Result<()> {
        match self.graph.is_behind() {
            Ok(is_behind) => {
                self.is_behind.store(is_behind, Ordering::Relaxed);
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

    /// Makes the indexes of names, each within `memory` bytes, unless another thread does.
    pub(crate) fn make_names(&self, memory: usize) {
        if self.names.begin() {
            self.names.make(&self.graph, memory);
        }
    }

    /// An index of names. A thread makes it, if none does.
    ///
    /// # Errors
    /// The fault of the thread, or the end of the question's time.
    pub(crate) fn names_of(self: &Arc<Self>, kind: NameKind, work: &Work) -> Result<Arc<NameIndex>> {
        if self.names.begin() {
            let (open, memory) = (Arc::clone(self), work.budget().limit());
            let make = move || open.names.make(&open.graph, memory);
            if thread::Builder::new().name(NAMES_THREAD.to_owned()).spawn(make).is_err() {
                self.names.make(&self.graph, memory);
            }
        }
        self.names.get(kind, work)
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

    /// The numbers of the files that have changes which their graphs do not show.
    pub(crate) fn behind(&self) -> Vec<usize> {
        let is_behind = |file: &GraphFile| file.opened().is_ok_and(|open| open.is_behind());
        self.0.iter().enumerate().filter(|(_, file)| is_behind(file)).map(|(number, _)| number).collect()
    }

    /// Makes the indexes of names of all files, one file after another.
    pub(crate) fn make_names(&self, memory: usize) {
        let open = self.0.iter().filter_map(|file| file.opened().ok());
        open.for_each(|open| open.make_names(memory));
    }

    /// Ends the work on indexes of names soon.
    pub(crate) fn cancel_names(&self) {
        let open = self.0.iter().filter_map(|file| file.opened().ok());
        open.for_each(|open| open.names.cancel());
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
