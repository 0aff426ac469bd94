//! Measures logs of small commits: a commit of one edge after many other edges, thousands of commits on one
//! thread and on eight, opening a file with a log, and reading while another process writes. The program
//! changes the file, so give it a copy.
//!
//! ```text
//! cargo run --release --example logging -- copy.varvite CFG after 1000000
//! cargo run --release --example logging -- copy.varvite CFG commits 10000
//! cargo run --release --example logging -- copy.varvite CFG open 1000 1000000
//! cargo run --release --example logging -- copy.varvite CFG readers 10000
//! ```
//!
//! For each quantity, the program prints the median, the least and the greatest value of several rounds, or
//! percentiles over single calls.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use varvite::change::{ChangeError, Diff, Durability, GraphLog, LogOptions};
use varvite::vfs::RealVfs;
use varvite::write::GraphChange;
use varvite::{Graph, Task};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Drops the result of a call.
fn nothing<T>(_: T) -> Outcome {
    Ok(())
}

const ROUNDS: usize = 5;
/// The number of nodes whose neighbours a reader reads in one query.
const HOPS: u32 = 1_000;
/// The number of queries after which a reader looks for a newer commit.
const REFRESH_EVERY: usize = 50;
const READINGS: usize = 20_000;

fn main() -> Outcome {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [file, label, what, ref counts @ ..] = words[..] else {
        return Err("a file, an edge label, what to measure, and how much".into());
    };
    let counts = counts.iter().map(|count| count.parse()).collect::<Result<Vec<usize>, _>>()?;
    let about = About { file: Path::new(file), label, nodes: Graph::open(file)?.node_count() };
    match (what, &counts[..]) {
        ("after", &[count]) => about.one_after(count),
        ("commits", &[count]) => about.commits(count),
        ("open", lens) => about.open(lens),
        ("readers", &[count]) => about.readers(count),
        ("write", &[count]) => about.write(count),
        _ => Err("after COUNT, commits COUNT, open BYTES .., readers COUNT".into()),
    }
}

struct About<'a> {
    file: &'a Path,
    label: &'a str,
    nodes: u32,
}

impl About<'_> {
    fn change(&self) -> varvite::Result<GraphChange, ChangeError> {
        GraphChange::begin(Arc::new(RealVfs), self.file)
    }

    fn log(&self) -> varvite::Result<GraphLog, ChangeError> {
        self.change()?.log(LogOptions::default().bytes_max(64 << 20), &Task::new())
    }

    /// A diff that adds `count` edges, each of which leads to a node a few ids later.
    fn diff(&self, count: usize, random: &mut Random) -> Diff {
        let mut diff = Diff::new();
        for _ in 0..count {
            let source = random.below(self.nodes);
            let target = (source + 1 + random.below(8)).min(self.nodes - 1);
            diff.add_edge(self.label, source, target);
        }
        diff
    }

    /// Measures a commit of one edge after `count` other edges were added, both as a large commit and as a
    /// record of the log.
    fn one_after(&self, count: usize) -> Outcome {
        let mut random = Random(1);
        let diff = self.diff(count, &mut random);
        let took = seconds(|| nothing(self.change()?.apply_with(&diff, &Task::new())?))?;
        println!("{count} edges in one commit: {took:.3} s");
        let one = self.diff(1, &mut random);
        rounds("one edge more, a large commit", || nothing(self.change()?.apply_with(&one, &Task::new())?))?;
        let began = Instant::now();
        let log = self.log()?;
        println!("beginning a log: {:.3} s", began.elapsed().as_secs_f64());
        for durability in [Durability::Sync, Durability::Buffered] {
            let mut calls = Calls::default();
            for _ in 0..1_000 {
                let one = self.diff(1, &mut random);
                calls.time(|| nothing(log.commit(&one, durability, &Task::new())?))?;
            }
            println!("one edge more, a record, {durability:?}: {}", calls.told());
        }
        rounds("checkpoint", || {
            log.commit(&one, Durability::Buffered, &Task::new())?;
            log.checkpoint(&Task::new())?;
            Ok(())
        })
    }

    /// Measures commits of one edge each, on one thread and on eight.
    fn commits(&self, count: usize) -> Outcome {
        for (durability, threads) in [
            (Durability::Buffered, 1),
            (Durability::Sync, 1),
            (Durability::Buffered, 8),
            (Durability::Sync, 8),
        ] {
            let log = self.log()?;
            let next = AtomicUsize::new(0);
            let work = |thread: u64| -> Result<Calls, String> {
                let (mut random, mut calls) = (Random(thread + 1), Calls::default());
                while next.fetch_add(1, Ordering::Relaxed) < count {
                    let one = self.diff(1, &mut random);
                    let commit = || nothing(log.commit(&one, durability, &Task::new())?);
                    calls.time(commit).map_err(|error| error.to_string())?;
                }
                Ok(calls)
            };
            let began = Instant::now();
            let all = std::thread::scope(|scope| {
                let work = &work;
                let threads: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic in it")).collect::<Vec<_>>()
            });
            let took = began.elapsed().as_secs_f64();
            let mut calls = Calls::default();
            for one in all {
                calls.0.extend(one?.0);
            }
            let rate = count as f64 / took;
            println!(
                "{count} commits, {durability:?}, {threads} threads: {took:.3} s, {rate:.0}/s, {}",
                calls.told()
            );
            let began = Instant::now();
            log.close(&Task::new())?;
            println!("  closing: {:.3} s", began.elapsed().as_secs_f64());
        }
        Ok(())
    }

    /// Measures opening the file without a log, and with logs of `lens` bytes.
    fn open(&self, lens: &[usize]) -> Outcome {
        self.change()?.apply_with(&self.diff(1, &mut Random(7)), &Task::new())?;
        rounds("opening, no log", || nothing(Graph::open(self.file)?))?;
        for len in lens {
            let (log, mut random) = (self.log()?, Random(9));
            let before = std::fs::metadata(self.file)?.len();
            let mut bytes = 0;
            while bytes < *len as u64 {
                log.commit(&self.diff(1, &mut random), Durability::Buffered, &Task::new())?;
                bytes = std::fs::metadata(self.file)?.len() - before;
            }
            log.sync()?;
            let what = format!("opening, {} records of {bytes} bytes", log.records());
            rounds(&what, || nothing(Graph::open(self.file)?))?;
            log.close(&Task::new())?;
        }
        Ok(())
    }

    /// Measures reads without a writer, then while another process commits, then without a writer again.
    fn readers(&self, count: usize) -> Outcome {
        self.read("nobody writes", || Ok(true))?;
        let mut writer = Command::new(std::env::current_exe()?);
        writer.arg(self.file).args([self.label, "write", &count.to_string()]).stdout(Stdio::null());
        let mut writer = writer.spawn()?;
        self.read("another process commits", || Ok(writer.try_wait()?.is_some()))?;
        let status = writer.wait()?;
        println!("the writer: {status}");
        self.read("nobody writes", || Ok(true))
    }

    /// Reads the neighbours of random nodes again and again, and looks for a newer commit every
    /// [`REFRESH_EVERY`] queries. Ends when `is_over` returns true and there were enough reads.
    fn read(&self, when: &str, mut is_over: impl FnMut() -> Outcome<bool>) -> Outcome {
        let (mut graph, mut random) = (Graph::open(self.file)?, Random(3));
        let (mut reads, mut refreshes, mut commits, mut found) = (Calls::default(), Calls::default(), 0, 0);
        while reads.0.len() < READINGS || !is_over()? {
            if reads.0.len() % REFRESH_EVERY == 0 {
                let mut newest = None;
                refreshes.time(|| {
                    newest = graph.refresh()?;
                    Ok(())
                })?;
                commits += usize::from(newest.is_some());
                graph = newest.unwrap_or(graph);
            }
            let edges = graph.out(self.label)?;
            reads.time(|| {
                found += (0..HOPS).map(|_| edges.neighbors(random.below(self.nodes)).count()).sum::<usize>();
                Ok(())
            })?;
        }
        graph.check()?;
        println!("{HOPS} hops, {when}: {} ({found} found)", reads.told());
        println!("  refresh, {commits} times to a newer commit: {}", refreshes.told());
        Ok(())
    }

    /// The work of the other process: makes commits. Every fiftieth commit is synced, and every two
    /// thousandth is a large commit.
    fn write(&self, count: usize) -> Outcome {
        let (log, mut random) = (self.log()?, Random(5));
        for number in 1..=count {
            let durability = if number % 50 == 0 { Durability::Sync } else { Durability::Buffered };
            log.commit(&self.diff(1, &mut random), durability, &Task::new())?;
            if number % 2_000 == 0 {
                log.checkpoint(&Task::new())?;
            }
        }
        log.close(&Task::new())?;
        Ok(())
    }
}

fn seconds(work: impl FnOnce() -> Outcome) -> Outcome<f64> {
    let began = Instant::now();
    work()?;
    Ok(began.elapsed().as_secs_f64())
}

/// Runs `work` several times, and prints the times.
fn rounds(what: &str, mut work: impl FnMut() -> Outcome) -> Outcome {
    let mut all = (0..ROUNDS).map(|_| seconds(&mut work)).collect::<Outcome<Vec<f64>>>()?;
    all.sort_by(f64::total_cmp);
    println!("{what}: {:.4} s ({:.4} to {:.4})", all[ROUNDS / 2], all[0], all[ROUNDS - 1]);
    Ok(())
}

/// The durations of single calls.
#[derive(Default)]
struct Calls(Vec<Duration>);

impl Calls {
    fn time(&mut self, call: impl FnOnce() -> Outcome) -> Outcome {
        let began = Instant::now();
        call()?;
        self.0.push(began.elapsed());
        Ok(())
    }

    fn told(&mut self) -> String {
        self.0.sort();
        let at = |share: f64| {
            let index = ((self.0.len() as f64 * share) as usize).min(self.0.len().saturating_sub(1));
            self.0.get(index).copied().unwrap_or_default().as_secs_f64() * 1e6
        };
        format!("p50 {:.1} us, p99 {:.1} us, most {:.1} us", at(0.5), at(0.99), at(1.0))
    }
}

/// Pseudo-random numbers, which are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(end)) as u32
    }
}
