//! Applies diffs to copies of a graph, and reports the cost of each diff: time, bytes written, and the most
//! memory that the process held. A diff adds random edges, or has the operations that `--what` names: `nodes`
//! adds nodes, each with a text, a number and an edge that leads to it; `values` sets texts and numbers of
//! existing nodes; `removals` removes nodes.
//!
//! ```text
//! cargo run --release --example applying -- graph.varvite CFG 1 1000 1000000
//! cargo run --release --example applying -- graph.varvite CFG --rounds 1 --memory 67108864 10000000
//! cargo run --release --example applying -- graph.varvite CFG --rounds 2 --memory 67108864 --what nodes 5000000
//! ```
//!
//! For each number of operations in the arguments, the program makes a copy of the graph and commits a diff
//! with that number of operations to the copy. It then commits further diffs of the same size; `--rounds`
//! sets their number (default: 9). The time of each commit includes everything that a program does if it
//! makes only this commit: lock, open, apply, commit. Then the program opens the copy once, and commits as
//! many diffs of the same size to a log. Times are medians, with the least and the greatest time. If the
//! graph is on a RAM disk, the times do not include the cost of syncs. `--memory` limits the memory of a diff
//! to that many bytes. The peak memory is that of private pages, read every millisecond, and does not include
//! mapped pages of the graph.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use varvite::change::{Diff, Durability, LogOptions};
use varvite::vfs::RealVfs;
use varvite::write::GraphChange;
use varvite::{Graph, Task};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let rounds = option(&mut words, "--rounds")?.unwrap_or(9);
    let memory = option(&mut words, "--memory")?;
    let what = What::of(&word(&mut words, "--what")?.unwrap_or_else(|| "edges".into()))?;
    let [file, label, counts @ ..] = &words[..] else { return Err("a file and an edge label".into()) };
    let nodes = Graph::open(file)?.node_count();
    for count in counts {
        let count: usize = count.parse()?;
        let copy = Copy::of(Path::new(file))?;
        Measured { file: &copy.0, label, nodes, what, count, memory, random: 1 }.print(rounds)?;
    }
    Ok(())
}

/// A copy of a file, which `drop` removes.
struct Copy(PathBuf);

impl Copy {
    fn of(file: &Path) -> Outcome<Self> {
        let copy = Self(file.with_extension("applying"));
        std::fs::copy(file, &copy.0)?;
        std::fs::File::open(&copy.0)?.sync_all()?;
        Ok(copy)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The operations of a diff.
#[derive(Clone, Copy)]
enum What {
    Edges,
    Nodes,
    Values,
    Removals,
}

impl What {
    fn of(word: &str) -> Outcome<Self> {
        let known = [
            ("edges", Self::Edges),
            ("nodes", Self::Nodes),
            ("values", Self::Values),
            ("removals", Self::Removals),
        ];
        let found = known.into_iter().find(|(name, _)| *name == word);
        Ok(found.ok_or("--what is edges, nodes, values or removals")?.1)
    }
}

struct Measured<'a> {
    file: &'a Path,
    label: &'a str,
    nodes: u32,
    what: What,
    count: usize,
    memory: Option<usize>,
    random: u64,
}

impl Measured<'_> {
    fn print(&mut self, rounds: usize) -> Outcome<()> {
        let diff = self.diff()?;
        let (held, saved) = (diff.heap_bytes(), diff.saved_bytes());
        let (first, peak) = peak_during(|| self.apply(&diff))?;
        println!(
            "{} of them, first commit: {:.3} ms, {} bytes written; diff of {held} bytes in memory and {saved} on the disk, \
             peak {peak} kB",
            self.count, first.0, first.1,
        );
        drop(diff);
        let later: Vec<(f64, u64)> = (1..rounds).map(|_| self.commit()).collect::<Outcome<_>>()?;
        self.tell("later commits", &later);
        let logged = self.log(rounds - 1)?;
        self.tell("records of a session", &logged);
        Ok(())
    }

    fn tell(&self, what: &str, samples: &[(f64, u64)]) {
        let mut times: Vec<f64> = samples.iter().map(|(time, _)| *time).collect();
        times.sort_by(f64::total_cmp);
        let (Some(least), Some(greatest)) = (times.first(), times.last()) else { return };
        let (median, written) = (times[times.len() / 2], samples[0].1);
        println!(
            "{} of them, {what}: {median:.3} ms ({least:.3} to {greatest:.3}), {written} bytes written",
            self.count
        );
    }

    /// Makes a commit. Returns the milliseconds that it took, and the bytes that it wrote.
    fn commit(&mut self) -> Outcome<(f64, u64)> {
        let diff = self.diff()?;
        self.apply(&diff)
    }

    fn apply(&self, diff: &Diff) -> Outcome<(f64, u64)> {
        let began = Instant::now();
        let change = GraphChange::begin(Arc::new(RealVfs), self.file)?;
        let applied = change.apply_with(diff, &Task::new())?;
        Ok((began.elapsed().as_secs_f64() * 1e3, applied.written))
    }

    fn log(&mut self, rounds: usize) -> Outcome<Vec<(f64, u64)>> {
        let change = GraphChange::begin(Arc::new(RealVfs), self.file)?;
        let log = change.log(LogOptions::default(), &Task::new())?;
        let commits = (0..rounds).map(|_| {
            let diff = self.diff()?;
            let began = Instant::now();
            let applied = log.commit(&diff, Durability::Sync, &Task::new())?;
            Ok((began.elapsed().as_secs_f64() * 1e3, applied.written))
        });
        commits.collect()
    }

    /// A diff whose edges are like those of control flow: most lead to a node a few ids later, and some lead
    /// farther.
    fn diff(&mut self) -> Outcome<Diff> {
        let mut diff = match self.memory {
            Some(memory) => Diff::with_memory(memory, Arc::new(RealVfs), self.file)?,
            None => Diff::new(),
        };
        for number in 0..self.count as u32 {
            match self.what {
                What::Edges => {
                    let source = self.below(self.nodes);
                    let far = if self.below(10) == 0 { 1000 } else { 8 };
                    let target = (source + 1 + self.below(far)).min(self.nodes - 1);
                    diff.add_edge(self.label, source, target);
                }
                What::Nodes => {
                    let node = diff.add_node(&["CALL"]);
                    diff.set(node, "NAME", [format!("function_{}", self.random).as_str()]);
                    diff.set(node, "ORDER", [number % 100]);
                    let source = self.below(self.nodes);
                    diff.add_edge(self.label, source, node);
                }
                What::Values => {
                    let node = self.below(self.nodes);
                    match number % 2 {
                        0 => diff.set(node, "NAME", [format!("name {number}").as_str()]),
                        _ => diff.set(node, "ORDER", [number]),
                    }
                }
                What::Removals => {
                    let node = self.below(self.nodes);
                    diff.remove_node(node);
                }
            }
        }
        Ok(diff)
    }

    fn below(&mut self, end: u32) -> u32 {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.random >> 33) % u64::from(end)) as u32
    }
}

/// Removes an option and the number after it from the arguments, and returns the number.
fn option(words: &mut Vec<String>, name: &str) -> Outcome<Option<usize>> {
    Ok(word(words, name)?.map(|number| number.parse()).transpose()?)
}

/// Removes an option and the word after it from the arguments, and returns the word.
fn word(words: &mut Vec<String>, name: &str) -> Outcome<Option<String>> {
    let Some(at) = words.iter().position(|word| word == name) else { return Ok(None) };
    let word = words.get(at + 1).ok_or("an option needs a value")?.clone();
    words.drain(at..at + 2);
    Ok(Some(word))
}

/// The result of `work`, and the most memory in private pages that the process held while `work` ran, in kB.
fn peak_during<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<(T, u64)> {
    let (is_done, peak) = (AtomicBool::new(false), AtomicU64::new(0));
    let done = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                peak.fetch_max(private_kb(), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let done = work();
        is_done.store(true, Ordering::Relaxed);
        done
    });
    Ok((done?, peak.into_inner()))
}

/// The memory in resident private pages of this process, in kB; 0 if the system does not report it.
fn private_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
