//! Every plan of `examples/plans` on one thread and on two, in turns: whether threads pay.
//!
//! The clock sees a run of the compiled plan until its last batch of rows, in a process that has run it before: neither how the
//! file is opened nor how rows become text.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use varvite::Graph;
use varvite::pipeline::{Options, Plan};

use crate::Failure;
use crate::figures::Figures;
use crate::workloads::columns::{path_of, read};

/// Rounds of a plan,
const ROUNDS: usize = 21;
/// unless they take longer than this together,
const TIME_MAX: Duration = Duration::from_secs(4);
/// but no fewer than these.
const ROUNDS_MIN: usize = 5;

/// One object for each plan whose name begins so and that the graph can answer: median microseconds on one thread and on
/// two, how many times as fast two are, and how many rows there are. The last one is about all of them.
///
/// # Errors
/// What is wrong with the file, or a plan that can't be read.
pub fn time_plans(file: &Path, prefix: &str) -> Result<Vec<Value>, Failure> {
    let graph = Graph::open(file)?;
    let mut rows = Vec::new();
    for path in plans(prefix)? {
        // A graph without data flow has not all that plans name.
        let Ok(plan) = read(&path)?.compile(&graph) else { continue };
        rows.push(time(&plan, &name_of(&path))?);
    }
    graph.check()?;
    rows.push(summary(&rows));
    Ok(rows)
}

fn plans(prefix: &str) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(path_of("examples/plans"))?;
    let mut plans: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let is_json = |path: &Path| path.extension().is_some_and(|extension| extension == "json");
    plans.retain(|path| is_json(path) && name_of(path).starts_with(prefix));
    plans.sort();
    Ok(plans)
}

fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn time(plan: &Plan, name: &str) -> Result<Value, Failure> {
    let rows = run(plan, 2)?.1;
    let (begin, mut times) = (Instant::now(), [Figures::default(), Figures::default()]);
    while is_wanted(times[0].samples.len(), begin.elapsed()) {
        for (threads, times) in (1..).zip(&mut times) {
            times.samples.push(run(plan, threads)?.0);
        }
    }
    let [one, two] = times.map(|times| times.median().unwrap_or_default());
    Ok(json!({ "plan": name, "one": one, "two": two, "ratio": one / two, "rows": rows }))
}

fn is_wanted(rounds: usize, time: Duration) -> bool {
    rounds < ROUNDS && (time < TIME_MAX || rounds < ROUNDS_MIN)
}

/// Microseconds, and rows.
fn run(plan: &Plan, threads: usize) -> Result<(f64, usize), Failure> {
    let begin = Instant::now();
    let mut run = plan.run(Options { threads, ..Options::default() });
    let mut rows = 0;
    while let Some(batch) = run.next()? {
        rows += batch.len();
    }
    Ok((begin.elapsed().as_nanos() as f64 / 1e3, rows))
}

fn summary(rows: &[Value]) -> Value {
    let ratios = Figures { samples: rows.iter().filter_map(|row| row["ratio"].as_f64()).collect() };
    json!({ "plans": rows.len(), "median": ratios.median(), "least": ratios.min() })
}
