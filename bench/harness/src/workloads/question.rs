//! [`Question`]: a workload, found by its name, that is ready to run. It may read an open graph or a file, or
//! be an import or export.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use varvite::write::{IndexChange, change_indexes};
use varvite::{Graph, IfExists, Profile, Task};
use varvite_import::{Export, ExportSettings, Import};
use varvite_store::vfs::RealVfs;

use crate::Failure;
use crate::record::sync_clock::SyncClock;
use crate::workloads::columns::{self, ColumnQuestion, TextOutput};
use crate::workloads::pipelines::{self, Asking};
use crate::workloads::{
    Answer, Round, WORKLOADS, name_equality_cold, name_equality_index_cold, open_first_answer,
};

/// A workload that is ready to run.
pub struct Question {
    body: Body,
    /// The time that the set-up took.
    pub setup_ns: u64,
}

/// The result of one round.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The answer.
    pub answer: Answer,
    /// The time of the round.
    pub ns: u64,
    /// The part of `ns` that syncs took, for workloads that report it.
    pub sync_ns: Option<u64>,
}

enum Body {
    Graph(Box<Graph>, Round),
    Pipeline(Box<Graph>, Asking),
    Columns(Box<Graph>, Box<ColumnQuestion>),
    Text(TextOutput),
    /// A function that reads a graph. The graph is opened again before each round; opening is not timed.
    Fresh(fn(&Graph) -> varvite::Result<Answer>, PathBuf, Box<Graph>),
    File(fn(&Path) -> varvite::Result<Answer>, PathBuf),
    Save(Box<Graph>, SyncClock, Scratch),
    Import(PathBuf, Profile, Scratch),
}

impl Question {
    /// Sets up the workload `name` on the file at `path`, which is a Varvite graph or a file to import.
    ///
    /// # Errors
    /// No such workload, or faults of the file.
    pub fn prepare(name: &str, path: &Path) -> Result<Self, Failure> {
        Self::prepare_on(name, path, threads())
    }

    /// Same as [`prepare`](Self::prepare), but questions about columns run on `threads` threads.
    ///
    /// # Errors
    /// No such workload, or faults of the file.
    pub fn prepare_on(name: &str, path: &Path, threads: usize) -> Result<Self, Failure> {
        let start = Instant::now();
        let body = Body::prepare(name, path, threads)?;
        Ok(Self { body, setup_ns: start.elapsed().as_nanos() as u64 })
    }

    /// Runs one round, and returns the answer and the time. Files that a round writes are removed outside of
    /// the measured time.
    ///
    /// # Errors
    /// Faults of the file.
    pub fn ask(&mut self) -> Result<Asked, Failure> {
        self.body.clear()?;
        let start = Instant::now();
        let found = self.body.run()?;
        let ns = start.elapsed().as_nanos() as u64;
        let answer = match (&self.body, found) {
            (Body::Columns(_, question), _) => question.answer(),
            (_, answer) => answer,
        };
        let sync_ns = match &self.body {
            Body::Save(_, clock, _) => Some(clock.take()),
            Body::Graph(graph, _) | Body::Pipeline(graph, _) | Body::Columns(graph, _) => {
                graph.check().map(|()| None)?
            }
            _ => None,
        };
        Ok(Asked { answer, ns, sync_ns })
    }
}

impl Body {
    fn prepare(name: &str, path: &Path, threads: usize) -> Result<Self, Failure> {
        if let Some(profile) = name.strip_prefix("import_") {
            let profile = profile_of(profile)?;
            return Ok(Self::Import(path.to_owned(), profile, Scratch::new("varvite")?));
        }
        Ok(match name {
            "open_first_answer" => Self::File(open_first_answer, path.to_owned()),
            "name_equality_index_cold" => {
                Self::Fresh(name_equality_index_cold, path.to_owned(), Box::new(Graph::open(path)?))
            }
            "name_equality_cold" => Self::File(name_equality_cold, path.to_owned()),
            "save" => {
                Self::Save(Box::new(Graph::open(path)?), SyncClock::default(), Scratch::new("cpg.bin")?)
            }
            _ => {
                if let Some(output) = columns::written(name, path, threads) {
                    return Ok(Self::Text(output?));
                }
                let graph = Box::new(Graph::open(path)?);
                if let Some(asking) = pipelines::prepare(name, &graph) {
                    return Ok(Self::Pipeline(graph, asking?));
                }
                if let Some(question) = ColumnQuestion::prepare(name, &graph, threads) {
                    return Ok(Self::Columns(graph, Box::new(question?)));
                }
                let workload = WORKLOADS.iter().find(|workload| workload.name == name);
                let workload = workload.ok_or_else(|| unknown(name))?;
                let round = (workload.prepare)(&graph)?;
                Self::Graph(graph, round)
            }
        })
    }

    fn clear(&mut self) -> Result<(), Failure> {
        match self {
            Self::Fresh(_, path, graph) => {
                **graph = Graph::open(path)?;
                Ok(())
            }
            Self::Save(_, _, scratch) | Self::Import(_, _, scratch) => scratch.clear(),
            _ => Ok(()),
        }
    }

    fn run(&mut self) -> Result<Answer, Failure> {
        match self {
            Self::Graph(_, round) => Ok(round()),
            Self::Pipeline(_, asking) => asking(),
            Self::Text(output) => output.ask(),
            // The real answer is computed later, outside of the measured time.
            Self::Columns(_, question) => {
                question.ask().map(|()| Answer { values: Vec::new(), operations: 1 })
            }
            Self::Fresh(ask, _, graph) => Ok(ask(graph)?),
            Self::File(ask, path) => Ok(ask(path)?),
            Self::Save(graph, clock, scratch) => {
                let settings = ExportSettings::new().task(Task::new().threads(threads()));
                let settings = settings.vfs(Arc::new(clock.clone()));
                let report = Export::new(graph).settings(settings).write_to(&scratch.0)?;
                Ok(Answer { values: vec![report.file_len as i64], operations: 1 })
            }
            Self::Import(source, profile, scratch) => {
                let file_len = import_to(source, &scratch.0, *profile, IfExists::Refuse)?;
                Ok(Answer { values: vec![file_len as i64], operations: 1 })
            }
        }
    }
}

/// Imports a flatgraph file on all cores, and returns the size of the new file.
///
/// # Errors
/// Faults of the source, and errors of the file system.
pub fn import_to(
    source: &Path,
    target: &Path,
    profile: Profile,
    if_exists: IfExists,
) -> Result<u64, Failure> {
    let import =
        Import::new(source).profile(profile).if_exists(if_exists).task(Task::new().threads(threads()));
    Ok(import.write_to(target)?.file_len)
}

/// Adds the indexes that workloads use to a file.
///
/// # Errors
/// Faults of the file, and errors of the file system.
pub fn add_indexes(file: &Path) -> Result<(), Failure> {
    let add = ["NAME", "FULL_NAME"].map(str::to_owned);
    change_indexes(
        Arc::new(RealVfs),
        file,
        IndexChange { add: &add, drop: &[] },
        &Task::new().threads(threads()),
    )?;
    Ok(())
}

/// The profile with this name.
///
/// # Errors
/// No profile has this name.
pub fn profile_of(name: &str) -> Result<Profile, Failure> {
    let profile = Profile::ALL.into_iter().find(|profile| profile.name() == name);
    profile.ok_or_else(|| Failure(format!("no profile '{name}': expected direct, compact or archive")))
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn unknown(name: &str) -> Failure {
    let files = ["open_first_answer", "name_equality_cold", "name_equality_index_cold", "save"];
    let imports = ["import_direct", "import_compact", "import_archive"];
    let known = files.into_iter().chain(imports).chain(WORKLOADS.map(|workload| workload.name));
    let known = known.map(str::to_owned).chain(pipelines::names());
    let known: Vec<String> = known.chain(columns::names().map(str::to_owned)).collect();
    Failure(format!("no workload '{name}': expected {}", known.join(", ")))
}

/// The path of a file, in the folder for temporary files (`TMPDIR`), that each round writes. Dropping the
/// value removes the file.
struct Scratch(PathBuf);

impl Scratch {
    fn new(extension: &str) -> Result<Self, Failure> {
        let name = format!("varvite-bench-{}.{extension}", std::process::id());
        let scratch = Self(std::env::temp_dir().join(name));
        scratch.clear()?;
        Ok(scratch)
    }

    fn clear(&self) -> Result<(), Failure> {
        match std::fs::remove_file(&self.0) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Failure(format!("cannot remove {}: {error}", self.0.display())))
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = self.clear();
    }
}
