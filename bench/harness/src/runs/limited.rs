//! Runs plans and pipelines in a process with a memory limit. Measures the peak memory of the process, and
//! compares the times with those in a process without a limit.
//!
//! Each of the two processes opens the graph once, and answers all questions, one after another. Private
//! memory and resident pages of the graph file count against the limit. The peak that the system reports
//! (`VmHWM`) also includes the pages of the program, which are reported separately.

use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use varvite::memory::{MemoryReport, PROCESS_MIN, trim_heap};
use varvite::pipeline::{Options, Plan};
use varvite::{Graph, OpenOptions, Task};

use crate::Failure;
use crate::peers::peer::ask_own;
use crate::record::figures::Figures;
use crate::record::memory;
use crate::runs::plans::{name_of, plans};
use crate::workloads::columns::read;
use crate::workloads::pipelines;

/// The maximum number of rounds of a question.
const ROUNDS: usize = 21;
/// The time after which a question gets no further round, if it already had [`ROUNDS_MIN`] rounds.
const TIME_MAX: Duration = Duration::from_secs(1);
/// The minimum number of rounds of a question.
const ROUNDS_MIN: usize = 3;
/// The limit divided by this number is reserved for texts that are decoded while a question runs, as in the
/// command `varvite`.
const TEXTS_SHARE: u64 = 16;

/// Measures every question, and returns a line for each; the last line is about all questions and about
/// memory.
///
/// # Errors
/// A fault of the file, a question that needs more memory than the limit allows, or different answers from
/// the two processes.
pub fn tell(file: &Path, megabytes: u32, prefix: &str) -> Result<Vec<Value>, Failure> {
    let ask = |megabytes: u32| {
        let megabytes = megabytes.to_string();
        ask_own(&["within".as_ref(), file.as_os_str(), OsStr::new(&megabytes), prefix.as_ref()])
    };
    let (free, within) = (ask(0)?, ask(megabytes)?);
    let (mut lines, mut ratios) = (Vec::new(), Figures::default());
    for (free, within) in questions(&free).iter().zip(questions(&within)) {
        if (&free["name"], &free["answer"]) != (&within["name"], &within["answer"]) {
            return Err(Failure(format!("{} has another answer within the limit", free["name"])));
        }
        let ratio = seconds(within, "median_ns") / seconds(free, "median_ns");
        ratios.samples.push(ratio);
        lines.push(json!({
            "name": free["name"], "free_us": seconds(free, "median_ns") * 1e6, "within_us": seconds(within, "median_ns") * 1e6,
            "first_within_us": seconds(within, "first_ns") * 1e6, "ratio": ratio,
            "free_peak_bytes": free["peak_bytes"], "within_peak_bytes": within["peak_bytes"],
        }));
    }
    let of_all = |line: &Value| questions(line).iter().map(|line| seconds(line, "median_ns")).sum::<f64>();
    lines.push(json!({
        "questions": lines.len(), "ratio_of_sums": of_all(&within) / of_all(&free), "ratio_median": ratios.median(),
        "ratio_most": ratios.max(), "free": free["memory"], "within": within["memory"],
    }));
    Ok(lines)
}

fn questions(line: &Value) -> &[Value] {
    line["questions"].as_array().map_or(&[], Vec::as_slice)
}

fn seconds(line: &Value, name: &str) -> f64 {
    line[name].as_f64().unwrap_or_default() / 1e9
}

/// Runs all questions in this process, and measures each question and the memory of the process.
///
/// # Errors
/// Faults of the file, and a question that needs more memory than the limit allows.
pub fn ask(file: &Path, limit: Option<u64>, prefix: &str) -> Result<Value, Failure> {
    if let Some(bytes) = limit.filter(|bytes| *bytes < PROCESS_MIN) {
        return Err(Failure(format!("{bytes} bytes have no room for a process: {PROCESS_MIN} at least")));
    }
    let options =
        limit.map_or_else(OpenOptions::new, |bytes| OpenOptions::new().memory_max(bytes).process_max(bytes));
    let graph = options.open(file)?;
    let mut questions = Vec::new();
    for path in plans(prefix)? {
        // Some plans need labels and properties that a graph without data flow does not have.
        let Ok(plan) = read(&path)?.compile(&graph) else { continue };
        questions.push(time(&name_of(&path), || rows_of(&graph, &plan, limit))?);
    }
    for name in pipelines::names().filter(|name| name.starts_with(prefix)) {
        let Some(Ok(mut asking)) = pipelines::prepare(&name, &graph) else { continue };
        questions.push(time(&name, || Ok(json!(asking()?.values)))?);
    }
    graph.check()?;
    let peak = questions.iter().filter_map(|question| question["peak_bytes"].as_u64()).max();
    Ok(json!({ "questions": questions, "memory": memory_of(&graph, limit, peak) }))
}

fn rows_of(graph: &Graph, plan: &Plan, limit: Option<u64>) -> Result<Value, Failure> {
    let options = match limit {
        None => Options::default(),
        Some(bytes) => {
            let left = bytes.saturating_sub(graph.ledger().anonymous()).saturating_sub(bytes / TEXTS_SHARE);
            Options::from(Task::new().memory(usize::try_from(left).unwrap_or(usize::MAX)))
        }
    };
    let (mut run, mut rows) = (plan.run(options), 0);
    while let Some(batch) = run.next()? {
        rows += batch.len();
    }
    Ok(json!(rows))
}

fn time(name: &str, mut ask: impl FnMut() -> Result<Value, Failure>) -> Result<Value, Failure> {
    // Resets the peak that the system reports, so that it becomes the peak of this question. If the reset
    // fails, the peak includes earlier questions.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let (begin, mut times, mut answer) = (Instant::now(), Figures::default(), Value::Null);
    while times.samples.len() < ROUNDS_MIN || times.samples.len() < ROUNDS && begin.elapsed() < TIME_MAX {
        let start = Instant::now();
        answer = ask().map_err(|failure| Failure(format!("{name}: {failure}")))?;
        times.samples.push(start.elapsed().as_nanos() as f64);
    }
    let now = memory::now();
    Ok(json!({
        "name": name, "answer": answer, "first_ns": times.samples[0], "median_ns": times.median(),
        "peak_bytes": now["rss_peak_bytes"], "rss_anon_bytes": now["rss_anon_bytes"],
    }))
}

/// The peak memory of the process, and its memory now, while no question runs.
fn memory_of(graph: &Graph, limit: Option<u64>, peak: Option<u64>) -> Value {
    let kept = MemoryReport::of(graph).unaccounted();
    trim_heap();
    let report = MemoryReport::of(graph);
    let of_graph = report.total.resident.unwrap_or_default();
    let program = report.process.map_or(0, |process| process.file.saturating_sub(of_graph));
    let counted = peak.map(|peak| peak.saturating_sub(program));
    let watched = graph.store().watched();
    json!({
        "limit": limit,
        "peak_bytes": peak,
        "program_bytes": program,
        "counted_peak_bytes": counted,
        "share_of_limit": counted.zip(limit).map(|(counted, limit)| counted as f64 / limit as f64),
        "given_back": watched.map(|watched| watched.given_back),
        "rss_anon_bytes": report.process.map(|process| process.anonymous),
        "ledger_bytes": report.total.anonymous(),
        "unaccounted_bytes": report.unaccounted(),
        "unaccounted_before_trim_bytes": kept,
    })
}
