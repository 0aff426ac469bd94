//! `kill -9`: child processes that commit to real files in a loop, and are killed at any moment.
//!
//! A child prints the number of a writer as soon as its commit is acknowledged. After the kill the file must
//! be exactly the result of all printed writers, or of these and the next one.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use varvite::vfs::RealVfs;
use varvite_model::SplitMix64;
use varvite_testing::vfs::MemoryVfs;

use crate::breach::{Breach, Outcome, demand};
use crate::planting;
use crate::processes::kill_log::{self, say};
use crate::processes::real_disk::Folder;
use crate::writers::answer::Answer;
use crate::writers::writer::{Content, Writer};

/// A kind of child process: its name, and the writer that it runs for each number. Number 0 imports.
type Kind = (&'static str, fn(u32) -> Writer);

const KINDS: [Kind; 9] = [
    ("apply", |_| Writer::Apply),
    (LOG, |_| Writer::Apply),
    (THREADS, |_| Writer::Apply),
    ("layers", |number| [Writer::Layer(0), Writer::Layer(1), Writer::DropLayer(1)][number as usize % 3]),
    ("compact", |number| [Writer::Compact, Writer::Apply][number as usize % 2]),
    ("compact-online", |number| [Writer::CompactOnline, Writer::Apply][number as usize % 2]),
    ("import", |_| Writer::Import),
    ("import-file", |number| [Writer::ImportFile, Writer::Apply][number as usize % 2]),
    ("sources", |number| SOURCES[number as usize % SOURCES.len()]),
];
/// The writers of children that add sources. Only the graph of a flatgraph file has FILE nodes.
const SOURCES: [Writer; 4] = [Writer::DropSources, Writer::ImportFile, Writer::Sources, Writer::Sources];
/// The kinds of children that commit to a log and never close it: with one thread, or with several.
const LOG: &str = "log";
const THREADS: &str = "log-threads";
/// The number of rounds with one file.
const ROUNDS_EACH: u64 = 12;
/// The maximum time that a child process runs before it is killed.
const LIFE_MICROSECONDS: usize = 100_000;

/// The results of all rounds.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    pub(crate) rounds: u64,
    /// The number of commits that a child reported as acknowledged.
    pub(crate) done: u64,
    /// The number of commits in a file that no child had reported before the kill.
    pub(crate) untold: u64,
}

fn writer_of(kind: &str, number: u32) -> Outcome<Writer> {
    let kind = KINDS.iter().find(|(name, _)| *name == kind);
    let (_, writer) = kind.ok_or_else(|| Breach::new("no such kind of writer"))?;
    Ok(if number == 0 { Writer::Import } else { writer(number) })
}

/// Runs one writer, in a child process.
pub(crate) fn write_once(kind: &str, file: &Path, seed: u64, number: u32) -> Outcome {
    Ok(writer_of(kind, number)?.write(Arc::new(RealVfs), file, seed, number)?)
}

/// Runs writers until the process is killed, in a child process.
pub(crate) fn write_on(kind: &str, file: &Path, seed: u64, first: u32) -> Outcome {
    match kind {
        LOG => kill_log::write(file, seed, first),
        THREADS => kill_log::write_on_threads(file, first),
        _ => (first..).try_for_each(|number| {
            write_once(kind, file, seed, number)?;
            say(number)
        }),
    }
}

/// Runs `rounds` rounds, with all kinds of children in turn.
pub(crate) fn run(rounds: u64, seed: u64) -> Outcome<Rounds> {
    let (folder, mut random, mut all) = (Folder::new("kill")?, SplitMix64::new(seed), Rounds::default());
    let mut number = 0;
    while all.rounds < rounds {
        let (kind, _) = KINDS[number as usize % KINDS.len()];
        let mut ledger = Ledger::begin(&folder, kind, seed.wrapping_add(number) % 100_000)?;
        for _ in 0..ROUNDS_EACH.min(rounds - all.rounds) {
            let round = all.rounds;
            let life = Duration::from_micros(random.below(LIFE_MICROSECONDS) as u64);
            let result = match kind {
                THREADS => ledger.round_of_threads(life, &mut all),
                _ => ledger.round(life, &mut all),
            };
            all.rounds += 1;
            result.map_err(|breach| breach.at(format!("round {round}, {kind}")))?;
        }
        number += 1;
    }
    Ok(all)
}

/// A file, and its twin in memory, which has all commits that are known to be in the file.
struct Ledger {
    kind: &'static str,
    seed: u64,
    file: std::path::PathBuf,
    twin: MemoryVfs,
    next: u32,
}

impl Ledger {
    fn begin(folder: &Folder, kind: &'static str, seed: u64) -> Outcome<Self> {
        let file = folder.file("graph.varvite");
        let mut ledger = Self { kind, seed, file, twin: MemoryVfs::new(), next: 0 };
        write_once(kind, &ledger.file, seed, 0)?;
        ledger.advance()?;
        Ok(ledger)
    }

    /// Makes the next commit in the twin too, because the file has it.
    fn advance(&mut self) -> Outcome {
        let writer = writer_of(self.kind, self.next)?;
        writer.write(Arc::new(self.twin.clone()), &self.file, self.seed, self.next)?;
        self.next += 1;
        Ok(())
    }

    fn round(&mut self, life: Duration, all: &mut Rounds) -> Outcome {
        let first = self.next;
        let told = killed_after(self.start()?, life)?;
        for number in told {
            demand(number == self.next, || format!("the child says {number} after {}", self.next))?;
            self.advance()?;
        }
        all.done += u64::from(self.next - first);
        let found = Answer::read_at(&RealVfs, &self.file)?;
        found.verify()?;
        if !self.is_at(&found)? {
            let done = self.next;
            self.advance()?;
            let is_next = self.is_at(&found)?;
            demand(is_next, || {
                let marks = found.content(self.seed).map(|content| format!("{content:?}"));
                format!(
                    "after {done} commits that were reported as done the file is of neither them nor the next: {marks:?}"
                )
            })?;
            all.untold += 1;
        }
        Ok(())
    }

    /// One round with threads, which report finished commits in any order. The file must have all of these,
    /// and at most one more commit of each thread.
    fn round_of_threads(&mut self, life: Duration, all: &mut Rounds) -> Outcome {
        let before = self.content()?.marks;
        let told = killed_after(self.start()?, life)?;
        all.done += told.len() as u64;
        let found = self.content()?.marks;
        let due: BTreeSet<i64> = before.into_iter().chain(told.into_iter().map(i64::from)).collect();
        let lost: Vec<&i64> = due.difference(&found).collect();
        demand(lost.is_empty(), || format!("{lost:?} were reported as done, and are not there"))?;
        let untold = found.difference(&due).count();
        demand(untold <= kill_log::THREADS, || {
            format!("{untold} commits are there that nobody was told of")
        })?;
        all.untold += untold as u64;
        self.next = found.last().map_or(1, |last| *last as u32 + 1);
        Ok(())
    }

    /// The content of the file, which must be undamaged.
    fn content(&self) -> Outcome<Content> {
        let found = Answer::read_at(&RealVfs, &self.file)?;
        found.verify()?;
        found.content(self.seed)
    }

    /// Whether `found` has the content of the twin, which has all commits that are known to be in the file.
    fn is_at(&self, found: &Answer) -> Outcome<bool> {
        let expected = Answer::read_at(&self.twin, &self.file)?;
        // For a log the twin has one large commit for each record, so generations differ.
        let is_same_commit =
            self.kind == LOG || found.identity().generation == expected.identity().generation;
        Ok(is_same_commit && found.means_same(&expected)?)
    }

    fn start(&self) -> Outcome<Child> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(planting::words()).args(["loop", self.kind]).arg(&self.file);
        command.args([self.seed.to_string(), self.next.to_string()]);
        Ok(command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?)
    }
}

/// Kills a child after the time `life`, and returns the numbers that it printed.
fn killed_after(mut child: Child, life: Duration) -> Outcome<Vec<u32>> {
    let began = Instant::now();
    while began.elapsed() < life {
        if let Some(status) = child.try_wait()? {
            return Err(Breach::new(format!("the child ended by itself: {status}")));
        }
        sleep((life - began.elapsed().min(life)).min(Duration::from_millis(5)));
    }
    child.kill()?;
    child.wait()?;
    let said = child.stdout.take().ok_or_else(|| Breach::new("the child has no output"))?;
    // A line that the kill cut off does not count.
    let mut lines = Vec::new();
    let mut said = BufReader::new(said);
    let mut line = String::new();
    while said.read_line(&mut line)? > 0 && line.ends_with('\n') {
        lines.push(line.trim_end().parse()?);
        line.clear();
    }
    Ok(lines)
}
