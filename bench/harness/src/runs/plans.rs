//! Every plan of `examples/plans` on one thread and on two, in turns, to show the gain of a second thread.
//!
//! The time is that of a run of the compiled plan until its last batch of rows, in a process that has run the
//! plan before. It includes neither opening the file nor formatting rows as text.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use varvite::pipeline::Plan;
use varvite::{Graph, Task};

use crate::Failure;
use crate::record::figures::{Figures, ratio};
use crate::workloads::columns::{path_of, read};

/// The most rounds of a plan.
const ROUNDS: usize = 21;
/// The time after which a plan gets no further round, if it had [`ROUNDS_MIN`].
const TIME_MAX: Duration = Duration::from_secs(4);
/// The least rounds of a plan.
const ROUNDS_MIN: usize = 5;

/// The times of a plan.
#[derive(Clone, Debug)]
pub struct PlanTimes {
    /// The name of its file, without the ending.
    pub name: String,
    /// The number of rows.
    pub rows: usize,
    /// Nanoseconds of each run on one thread.
    pub one: Figures,
    /// Nanoseconds of each run on two threads.
    pub two: Figures,
}

impl PlanTimes {
    fn json(&self) -> Value {
        let us = |times: &Figures| times.median().unwrap_or_default() / 1e3;
        json!({
            "plan": self.name, "one": us(&self.one), "two": us(&self.two), "ratio": ratio(&self.one, &self.two),
            "rows": self.rows,
        })
    }
}

/// Returns an object for each plan: the median microseconds on one thread and on two, the ratio of both, and
/// the number of rows. The last object is about all plans.
///
/// # Errors
/// Faults of the file, and a plan that cannot be read.
pub fn tell_plans(file: &Path, prefix: &str) -> Result<Vec<Value>, Failure> {
    let plans = time_plans(file, prefix)?;
    let ratios = Figures { samples: plans.iter().filter_map(|plan| ratio(&plan.one, &plan.two)).collect() };
    let summary = json!({ "plans": plans.len(), "median": ratios.median(), "least": ratios.min() });
    Ok(plans.iter().map(PlanTimes::json).chain([summary]).collect())
}

/// Times each plan whose name begins with `prefix` and that the graph can answer.
///
/// # Errors
/// Faults of the file, and a plan that cannot be read.
pub fn time_plans(file: &Path, prefix: &str) -> Result<Vec<PlanTimes>, Failure> {
    let graph = Graph::open(file)?;
    let mut times = Vec::new();
    for path in plans(prefix)? {
        // A graph without data flow lacks names that some plans need.
        let Ok(plan) = read(&path)?.compile(&graph) else { continue };
        times.push(time(&plan, name_of(&path))?);
    }
    graph.check()?;
    Ok(times)
}

/// The paths of the plans of `examples/plans` whose names begin with `prefix`, sorted.
pub(crate) fn plans(prefix: &str) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(path_of("examples/plans"))?;
    let mut plans: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let is_json = |path: &Path| path.extension().is_some_and(|extension| extension == "json");
    plans.retain(|path| is_json(path) && name_of(path).starts_with(prefix));
    plans.sort();
    Ok(plans)
}

/// The name of a plan: that of its file without the extension.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn time(plan: &Plan, name: String) -> Result<PlanTimes, Failure> {
    let rows = run(plan, 2)?.1;
    let (begin, mut times) = (Instant::now(), [Figures::default(), Figures::default()]);
    while is_wanted(times[0].samples.len(), begin.elapsed()) {
        for (threads, times) in (1..).zip(&mut times) {
            times.samples.push(run(plan, threads)?.0);
        }
    }
    let [one, two] = times;
    Ok(PlanTimes { name, rows, one, two })
}

fn is_wanted(rounds: usize, time: Duration) -> bool {
    rounds < ROUNDS && (time < TIME_MAX || rounds < ROUNDS_MIN)
}

/// Runs a plan once, and returns its nanoseconds and its number of rows.
fn run(plan: &Plan, threads: usize) -> Result<(f64, usize), Failure> {
    let begin = Instant::now();
    let mut run = plan.run(Task::new().threads(threads));
    let mut rows = 0;
    while let Some(batch) = run.next()? {
        rows += batch.len();
    }
    Ok((begin.elapsed().as_nanos() as f64, rows))
}
