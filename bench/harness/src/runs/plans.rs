//! Every plan of `examples/plans` on one thread and on two, in turns, to show the gain of a second thread.
//!
//! The time is that of running the compiled plan until it has returned its last batch of rows, in a process
//! that has run the plan before. It includes neither opening the file nor formatting rows as text.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use varvite::pipeline::Plan;
use varvite::{Graph, Task};

use crate::Failure;
use crate::record::figures::Unit;
use crate::record::results::{COMPACT_1, COMPACT_2, PLAN, Row};
use crate::workloads::columns::{path_of, read};

/// The maximum number of rounds of a plan.
const ROUNDS: usize = 21;
/// The time after which a plan gets no further round, if it already had [`ROUNDS_MIN`] rounds.
const TIME_MAX: Duration = Duration::from_secs(4);
/// The minimum number of rounds of a plan.
const ROUNDS_MIN: usize = 5;

/// Times each plan whose name begins with `prefix`, if it compiles for this graph.
///
/// # Errors
/// Faults of the file, and a plan that cannot be read.
pub fn time_plans(file: &Path, prefix: &str) -> Result<Vec<Row>, Failure> {
    let graph = Graph::open(file)?;
    let mut times = Vec::new();
    for path in plans(prefix)? {
        // Some plans need labels and properties that a graph without data flow does not have.
        let Ok(plan) = read(&path)?.compile(&graph) else { continue };
        times.push(time(&plan, &name_of(&path))?);
    }
    graph.check()?;
    Ok(times)
}

/// The sorted paths of the plans in `examples/plans` whose names begin with `prefix`.
pub(crate) fn plans(prefix: &str) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(path_of("examples/plans"))?;
    let mut plans: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let is_json = |path: &Path| path.extension().is_some_and(|extension| extension == "json");
    plans.retain(|path| is_json(path) && name_of(path).starts_with(prefix));
    plans.sort();
    Ok(plans)
}

/// The name of a plan, which is the name of its file without the extension.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn time(plan: &Plan, name: &str) -> Result<Row, Failure> {
    run(plan, 2)?;
    let mut row = Row::new(format!("{PLAN}{name}"), name, Unit::Time);
    let (begin, mut rounds) = (Instant::now(), 0);
    while is_wanted(rounds, begin.elapsed()) {
        for (threads, side) in [(1, COMPACT_1), (2, COMPACT_2)] {
            row.add(side, run(plan, threads)?);
        }
        rounds += 1;
    }
    Ok(row)
}

fn is_wanted(rounds: usize, time: Duration) -> bool {
    rounds < ROUNDS && (time < TIME_MAX || rounds < ROUNDS_MIN)
}

/// Runs a plan once, and returns the time in nanoseconds.
fn run(plan: &Plan, threads: usize) -> Result<f64, Failure> {
    let begin = Instant::now();
    let mut run = plan.run(Task::new().threads(threads));
    while run.next()?.is_some() {}
    Ok(begin.elapsed().as_nanos() as f64)
}
