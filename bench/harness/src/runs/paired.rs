//! Two builds of Varvite, measured in pairs: finds slowdowns since another commit.
//!
//! Both builds answer the same questions about the same graph. Each build reads files that it imported
//! itself, because it may be unable to read the other build's format. A pair is one turn of each build, back
//! to back, in an order that changes from pair to pair. A disturbance of the machine then affects both turns
//! alike, and their ratio stays constant even if the times do not. Each turn has a process of its own,
//! because memory addresses differ between processes, and change the time of loops that fit in a cache by up
//! to 20 %. A row of results is the median of the pairs' ratios and its 95 % interval from order statistics
//! (David and Nagaraja, *Order Statistics*, 7.1), which is valid for every distribution of the ratios.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use varvite::{Graph, IfExists};

use crate::Failure;
use crate::peers::peer::{Peer, own_command};
use crate::peers::side::number;
use crate::record::figures::{Figures, Unit};
use crate::record::interval::PAIRS_MIN;
use crate::record::results::{PROFILES, Row};
use crate::workloads::plan::ASKED;
use crate::workloads::question::{add_indexes, import_to, profile_of};

/// This build counts as slower in a row if the whole interval of the ratio lies above this value.
pub const SLOWER: f64 = 1.03;

/// The side of this build in a row.
pub const OURS: &str = "this build";
/// The side of the other build.
pub const THEIRS: &str = "the other build";
/// Environment variables that keep glibc's allocator from returning memory to the system between rounds.
/// Without them, a few bytes at the top of the heap decide whether it returns memory and requests it again,
/// which takes longer than opening a file.
const ALLOCATOR: [(&str, &str); 2] =
    [("MALLOC_TRIM_THRESHOLD_", "1073741824"), ("MALLOC_MMAP_THRESHOLD_", "33554432")];
/// The time of a turn in nanoseconds, if rounds are short.
const TURN_NS: f64 = 2.5e7;
const ROUNDS_MAX: f64 = 1000.0;

/// The measurements to make, and their inputs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The graph as flatgraph stores it.
    pub graph: PathBuf,
    /// The harness of the other build.
    pub other: PathBuf,
    /// Folder for the new files; the run may overwrite its content.
    pub scratch: PathBuf,
    /// The number of pairs for each row.
    pub pairs: u32,
    /// The prefix of the names of the questions to run; `None` for all questions.
    pub only: Option<String>,
}

/// Measures every question on every profile, imports and exports. Calls `tell` with each finished row.
///
/// # Errors
/// The graph cannot be read, a build fails, or the builds give different answers.
pub fn measure(options: &Options, mut tell: impl FnMut(&Row)) -> Result<Vec<Row>, Failure> {
    if options.pairs < PAIRS_MIN {
        return Err(Failure(format!("a 95 % interval needs at least {PAIRS_MIN} pairs")));
    }
    std::fs::create_dir_all(&options.scratch)?;
    let subjects = subjects(options)?;
    if subjects.iter().any(|subject| subject.ours != subject.theirs) {
        options.import_theirs()?;
    }
    let mut rows = Vec::new();
    for subject in subjects {
        let row = options.pair(&subject)?;
        tell(&row);
        rows.push(row);
    }
    Ok(rows)
}

/// The question of a row, and the files that both builds read.
struct Subject {
    name: String,
    workload: &'static str,
    /// The file that this build reads.
    ours: PathBuf,
    /// The file that the other build reads.
    theirs: PathBuf,
}

/// Imports the graph with both builds, and returns the subjects of all rows. The files that this build
/// imported stay in `scratch`.
fn subjects(options: &Options) -> Result<Vec<Subject>, Failure> {
    let graph = || options.graph.clone();
    let import =
        |workload: &'static str| Subject { name: workload.into(), workload, ours: graph(), theirs: graph() };
    let mut subjects: Vec<Subject> = ["import_direct", "import_compact", "import_archive"].map(import).into();
    for profile in PROFILES {
        let ours = options.import(profile)?;
        subjects.extend(questions(&ours)?.map(|workload| Subject {
            name: format!("{workload} ({profile})"),
            workload,
            ours: ours.clone(),
            theirs: file_of(&options.folder_of_the_other(), profile),
        }));
    }
    let wanted = options.only.as_deref().unwrap_or_default();
    subjects.retain(|subject| subject.workload.starts_with(wanted));
    Ok(subjects)
}

/// The path of the graph file that a build made for a profile.
fn file_of(folder: &Path, profile: &str) -> PathBuf {
    folder.join(format!("paired-{profile}.varvite"))
}

/// The questions that apply to a file.
fn questions(file: &Path) -> Result<impl Iterator<Item = &'static str> + use<>, Failure> {
    let graph = Graph::open(file)?;
    let labels: Vec<String> = graph.edge_labels().iter().map(|label| label.name.clone()).collect();
    let has = move |needed: &str| labels.iter().any(|label| label == needed);
    let asked = ASKED.iter().filter(move |asked| asked.needs.is_none_or(&has)).map(|asked| asked.name);
    Ok(["open_first_answer", "save"].into_iter().chain(asked))
}

impl Options {
    /// Imports the graph into a file of the profile, and adds the indexes that questions use.
    fn import(&self, profile: &str) -> Result<PathBuf, Failure> {
        let file = file_of(&self.scratch, profile);
        import_to(&self.graph, &file, profile_of(profile)?, IfExists::Replace)?;
        add_indexes(&file)?;
        Ok(file)
    }

    fn folder_of_the_other(&self) -> PathBuf {
        self.scratch.join("other")
    }

    /// Makes the other build import the graph. The arguments select questions by a prefix that no question
    /// has, so that the other build imports the graph and measures nothing. This also works with older
    /// commits, which have no separate command for the import.
    fn import_theirs(&self) -> Result<(), Failure> {
        let mut command = Command::new(&self.other);
        command.arg("paired").arg(&self.graph).arg("--other").arg(&self.other);
        command.arg("--scratch").arg(self.folder_of_the_other()).args(["--only", "no question"]);
        let output = command.output()?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(Failure(format!("the other build can't import the graph: {}", said.trim_end())))
    }

    fn pair(&self, subject: &Subject) -> Result<Row, Failure> {
        let Subject { name, workload, .. } = subject;
        let mut row = Row::new(name, name, Unit::Time);
        let mut ours = Turns::new(OURS, own_command()?.get_program().into());
        let mut theirs = Turns::new(THEIRS, self.other.clone());
        for pair in 0..self.pairs {
            let mut order = [(&mut ours, &subject.ours), (&mut theirs, &subject.theirs)];
            if pair % 2 == 1 {
                order.reverse();
            }
            order.iter_mut().try_for_each(|(turns, file)| turns.start(workload, file))?;
            order.into_iter().try_for_each(|(turns, _)| turns.take(&mut row))?;
        }
        // The answer of a workload that writes a file is the length of the file, which may differ between
        // builds.
        let is_question = *workload != "save" && !workload.starts_with("import_");
        if is_question && ours.answer != theirs.answer {
            let (ours, theirs) = (ours.answer, theirs.answer);
            return Err(Failure(format!("{name}: this build answers {ours} and the other {theirs}")));
        }
        Ok(row)
    }
}

/// One build, which answers one question in turns.
struct Turns {
    name: &'static str,
    program: PathBuf,
    /// The process of this turn, and its question.
    peer: Option<(Peer, String)>,
    answer: Value,
}

impl Turns {
    fn new(name: &'static str, program: PathBuf) -> Self {
        Self { name, program, peer: None, answer: Value::Null }
    }

    /// Starts a process for a turn and warms it up.
    fn start(&mut self, workload: &str, file: &Path) -> Result<(), Failure> {
        let mut command = Command::new(&self.program);
        let mut peer = Peer::start(self.name, command.envs(ALLOCATOR).arg("serve").arg(file))?;
        let line = peer.ask(&format!("run {workload} 1"))?;
        let rounds = (TURN_NS / number(&line["samples"], 0)?.max(1.0)).clamp(1.0, ROUNDS_MAX) as u32;
        self.peer = Some((peer, format!("run {workload} {rounds}")));
        Ok(())
    }

    /// Takes a turn, and adds the median of its rounds as a sample.
    fn take(&mut self, row: &mut Row) -> Result<(), Failure> {
        let Some((mut peer, command)) = self.peer.take() else { return Ok(()) };
        let line = peer.ask(&command)?;
        let rounds = line["samples"].as_array().into_iter().flatten().filter_map(Value::as_f64);
        let rounds = Figures { samples: rounds.collect() };
        row.add(self.name, rounds.median().unwrap_or_default());
        self.answer = line["answer"].clone();
        Ok(())
    }
}
