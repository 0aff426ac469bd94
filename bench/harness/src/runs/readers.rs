//! Measures the effect of a writer on readers: a process reads, first alone and then while another process
//! commits.
//!
//! The reader is a second process of this program. In a turn, it makes one reading after another: either all
//! of the same snapshot, or each of the newest snapshot, after refreshing the graph. A reading makes two hops
//! from some hundred nodes. Each commit appends two edges, one to each of two nodes, so that a reader can
//! check that it sees all of a commit or nothing of it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use varvite::change::{Diff, Durability, LogOptions};
use varvite::write::GraphChange;
use varvite::{Adjacency, Graph, Task};
use varvite_store::vfs::RealVfs;

use crate::Failure;
use crate::runs::changes::{Copy, label_of};

/// The two ways of reading: the reader holds its first snapshot, or refreshes the graph to the newest one.
const WAYS: [&str; 2] = ["held", "newest"];
/// The time of a turn.
const TURN: Duration = Duration::from_millis(200);
/// The number of turns without a writer for each way, both before and after the turns beside a writer.
const TURNS_ALONE: usize = 15;
/// The number of start nodes of a reading.
const NODES: usize = 200;

/// Copies the graph `file` into the folder `scratch`, and times the readings of another process: first alone,
/// then while this process makes `commits` synced commits, then alone again. Returns a line for each way of
/// reading, and a last line about the commits.
///
/// # Errors
/// Errors of the file system, a graph without edges in lists, and a reader that saw only a part of a commit.
pub fn time_readers(file: &Path, scratch: &Path, commits: u32) -> Result<Vec<Value>, Failure> {
    let copy = Copy::of(file, scratch)?;
    let graph = Graph::open(copy.path())?;
    let label = label_of(&graph)?;
    drop(graph);
    let mut reader = Reader::start(copy.path(), &label)?;
    let mut alone = Readings::default();
    (0..TURNS_ALONE).try_for_each(|_| reader.ask(&mut alone))?;
    let mut beside = Readings::default();
    let (is_over, begun) = (AtomicBool::new(false), Instant::now());
    let seconds = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let written = commit_all(copy.path(), &label, commits);
            is_over.store(true, Ordering::Release);
            written.map(|()| begun.elapsed().as_secs_f64())
        });
        while !is_over.load(Ordering::Acquire) {
            reader.ask(&mut beside)?;
        }
        writer.join().map_err(|_| Failure("the writer stopped".into()))?
    })?;
    (0..TURNS_ALONE).try_for_each(|_| reader.ask(&mut alone))?;
    let seen = reader.end()?;
    let mut lines = Vec::new();
    for (way, (alone, beside)) in WAYS.iter().zip(alone.of.iter_mut().zip(&mut beside.of)) {
        lines.push(json!({
            "reads": way, "alone": quantiles(alone), "beside_a_writer": quantiles(beside),
        }));
    }
    lines.push(json!({"commits": commits, "seconds": seconds, "snapshots_seen": seen}));
    Ok(lines)
}

/// The times of readings in nanoseconds, for each of [`WAYS`].
#[derive(Debug, Default)]
struct Readings {
    of: [Vec<u64>; 2],
}

fn quantiles(readings: &mut [u64]) -> Value {
    readings.sort_unstable();
    let at = |share: f64| readings.get(((readings.len() as f64 - 1.0) * share).max(0.0) as usize).copied();
    json!({"readings": readings.len(), "median_ns": at(0.5), "p99_ns": at(0.99), "most_ns": at(1.0)})
}

fn commit_all(path: &Path, label: &str, commits: u32) -> Result<(), Failure> {
    let change = GraphChange::begin(Arc::new(RealVfs), path)?;
    let log = change.log(LogOptions::default(), &Task::new())?;
    for number in 0..commits {
        let mut diff = Diff::new();
        [0, 1].into_iter().for_each(|source| _ = diff.add_edge(label, source, 2 + number % 1000));
        log.commit(&diff, Durability::Sync, &Task::new())?;
    }
    Ok(log.close(&Task::new()).map(drop)?)
}

/// The other process, which reads.
struct Reader {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Reader {
    fn start(path: &Path, label: &str) -> Result<Self, Failure> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("read")
            .arg(path)
            .arg(label)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let missing = || Failure("the reader has no pipes".into());
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        Ok(Self { child, input, output })
    }

    /// Runs one turn for each way of reading.
    fn ask(&mut self, readings: &mut Readings) -> Result<(), Failure> {
        for (way, all) in WAYS.iter().zip(&mut readings.of) {
            writeln!(self.input, "{way}")?;
            self.input.flush()?;
            let line = self.line()?;
            let numbers = line.split_whitespace().map(str::parse);
            all.extend(numbers.collect::<Result<Vec<u64>, _>>().map_err(|_| Failure(line.clone()))?);
        }
        Ok(())
    }

    /// Ends the process, and returns the number of snapshots that it saw.
    fn end(mut self) -> Result<u64, Failure> {
        writeln!(self.input, "end")?;
        let seen = self.line()?;
        let is_sound = self.child.wait()?.success();
        let seen = seen.trim().parse().ok().filter(|_| is_sound);
        seen.ok_or_else(|| Failure("the reader failed".into()))
    }

    fn line(&mut self) -> Result<String, Failure> {
        let mut line = String::new();
        match self.output.read_line(&mut line)? {
            0 => Err(Failure("the reader ended".into())),
            _ => Ok(line),
        }
    }
}

/// The main function of the reading process. For each line of the input, it runs a turn in the way of reading
/// that the line names. At the end it prints the number of snapshots that it saw.
///
/// # Errors
/// Faults of the graph, and a snapshot that has only a part of a commit.
pub fn read(path: &Path, label: &str) -> Result<(), Failure> {
    let mut graph = Graph::open(path)?;
    let mut edges = graph.out(label)?;
    let difference = |edges: &Adjacency| edges.degree(0) as i64 - edges.degree(1) as i64;
    let (sound, mut seen, mut sum) = (difference(&edges), 1u64, 0);
    let sources: Vec<u32> = edges.sources().collect();
    let nodes = |turn: usize| {
        let step = (sources.len() / NODES).max(1);
        sources.iter().skip(turn % step).step_by(step)
    };
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line == "end" {
            println!("{seen}");
            break;
        }
        let (begun, mut times) = (Instant::now(), Vec::new());
        while begun.elapsed() < TURN {
            let clock = Instant::now();
            if line == "newest"
                && let Some(newest) = graph.refresh()?
            {
                (graph, seen) = (newest, seen + 1);
                edges = graph.out(label)?;
            }
            for node in nodes(times.len()) {
                for near in edges.neighbors(*node) {
                    sum += edges.neighbors(near).map(u64::from).sum::<u64>();
                }
            }
            times.push(clock.elapsed().as_nanos().to_string());
            if difference(&edges) != sound {
                return Err(Failure(format!("half of a commit, in snapshot {seen}")));
            }
        }
        println!("{}", times.join(" "));
    }
    std::hint::black_box(sum);
    Ok(())
}
