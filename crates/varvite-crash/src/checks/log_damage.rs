//! Damage to a log: records with a changed byte, records of another log, and power failures while several
//! threads commit.
//!
//! A log never has a commit that no writer made. A log can lose only records that were not synced, and only
//! the last ones; if any other record is missing, an error names it.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{ChangeError, Diff, Durability, GraphLog, LogOptions, PropertyOwner};
use varvite::vfs::Vfs;
use varvite::write::GraphChange;
use varvite::{Cardinality, Graph, Task, ValueType};
use varvite_format::LogRecord;
use varvite_testing::vfs::{CrashLimits, MemoryVfs, RecordVfs, crash_states};

use crate::breach::{Breach, Outcome, demand};
use crate::writers::answer::Answer;
use crate::writers::history::{History, copy_of};
use crate::writers::writer::{PATH, Writer};

const RECORDS: u32 = 4;
const THREADS: u32 = 3;
/// The number of commits of each thread.
const EACH: u32 = 4;
const SEED: u64 = 17;
const LIMITS: CrashLimits = CrashLimits { exhaustive_max: 4, states_per_point_max: 12 };

pub(crate) fn check() -> Outcome<String> {
    let base = History { seed: SEED, writers: vec![Writer::FirstImport, Writer::Apply] }.disk(2)?;
    let mut bytes = 0;
    for durability in [Durability::Sync, Durability::Buffered] {
        bytes += Logged::write(&base, 0, durability)?
            .flip_each(durability)
            .map_err(|breach| breach.at(format!("{durability:?}")))?;
    }
    mix(&base)?;
    let states = lose_power_under_threads(&base)?;
    Ok(format!("{bytes} damaged bytes of logs, {states} states of {THREADS} threads"))
}

fn begin(vfs: Arc<dyn Vfs>) -> varvite::Result<GraphLog, ChangeError> {
    GraphChange::begin(vfs, Path::new(PATH))?.log(LogOptions::default(), &Task::new().threads(1))
}

/// Commits a diff with this number. All numbers give diffs of equal length.
fn commit(log: &GraphLog, number: u32, durability: Durability) -> varvite::Result<(), ChangeError> {
    let mut diff = Diff::new();
    diff.declare_property("MARK", PropertyOwner::Nodes, ValueType::I64, Cardinality::Optional);
    let node = diff.add_node(&["NEW"]);
    diff.set(node, "MARK", [i64::from(number)]);
    log.commit(&diff, durability, &Task::new().threads(1)).map(drop)
}

/// A file with a log, and its content after each record.
struct Logged {
    bytes: Vec<u8>,
    /// The start of each record, and the end of the last.
    ends: Vec<usize>,
    states: Vec<Answer>,
}

impl Logged {
    /// Commits diffs with the numbers that follow `first`.
    fn write(base: &MemoryVfs, first: u32, durability: Durability) -> Outcome<Self> {
        let disk = copy_of(base);
        let log = begin(Arc::new(disk.clone()))?;
        let mut states = vec![Answer::read(&disk)?];
        let mut ends = vec![disk.contents(PATH).unwrap_or_default().len().next_multiple_of(LogRecord::HEAD)];
        for number in 1..=RECORDS {
            commit(&log, first + number, durability)?;
            states.push(Answer::read(&disk)?);
            ends.push(disk.contents(PATH).unwrap_or_default().len());
        }
        Ok(Self { bytes: disk.contents(PATH).unwrap_or_default(), ends, states })
    }

    /// Opens a file with these bytes.
    fn open(bytes: &[u8]) -> Outcome<Answer> {
        let disk = MemoryVfs::new();
        disk.put(PATH, bytes);
        Answer::read(&disk)
    }

    fn record(&self, number: usize) -> &[u8] {
        &self.bytes[self.ends[number - 1]..self.ends[number]]
    }

    /// Damages each byte of the log. If a synced record is damaged, the next record proves that the damaged
    /// one is missing.
    fn flip_each(&self, durability: Durability) -> Outcome<usize> {
        let places = self.ends[0]..self.bytes.len();
        let mut bytes = self.bytes.clone();
        for at in places.clone() {
            bytes[at] ^= 1 << (at % 8);
            let before = self.ends.iter().rposition(|end| *end <= at).unwrap_or_default();
            let is_missed = durability == Durability::Sync && before + 1 < self.ends.len() - 1;
            let place = || format!("byte {at}, of record {}", before + 1);
            match Self::open(&bytes) {
                Ok(found) => {
                    demand(found.is_same(&self.states[before]), || format!("another answer: {}", place()))?;
                    demand(!is_missed, || format!("a record was lost in silence: {}", place()))?;
                }
                Err(breach) => demand(is_missed, || format!("{breach}: {}", place()))?,
            }
            bytes[at] = self.bytes[at];
        }
        Ok(places.len())
    }
}

/// Checks that records of two logs that follow the same commit can't be mixed, and that records of an older
/// commit are not accepted.
fn mix(base: &MemoryVfs) -> Outcome {
    let [one, other] = [0, 100].map(|first| Logged::write(base, first, Durability::Buffered));
    let (one, other) = (one?, other?);
    demand(one.ends == other.ends, || "records differ in length".to_owned())?;
    for number in 2..=RECORDS as usize {
        let mut bytes = one.bytes[..one.ends[number - 1]].to_vec();
        bytes.extend(other.record(number));
        let found = Logged::open(&bytes)?;
        demand(found.is_same(&one.states[number - 1]), || {
            format!("record {number} of another log was taken")
        })?;
    }
    let bytes = of_older_commit(&one)?;
    demand(Logged::open(&bytes)?.is_same(&one.states[0]), || {
        "a record of an older commit was taken".to_owned()
    })
}

/// The file with its first record changed into a record of the previous commit.
fn of_older_commit(logged: &Logged) -> Outcome<Vec<u8>> {
    let file_id = logged.states[0].identity().file_id;
    let record = LogRecord::from_head(logged.record(1), &file_id).ok_or_else(|| Breach::new("no record"))?;
    let payload = record.payload(&logged.record(1)[LogRecord::HEAD..]).unwrap_or_default();
    let older = LogRecord { generation: record.generation - 1, ..record };
    let mut bytes = logged.bytes[..logged.ends[0]].to_vec();
    bytes.extend(older.to_bytes(&file_id, payload).0);
    Ok(bytes)
}

/// The numbers in a graph, in the order of their nodes.
fn marks(graph: &Graph) -> Outcome<Vec<u32>> {
    let marks = graph.property("MARK")?;
    let numbers = marks.owners().filter_map(|owner| marks.number(owner)).map(|number| number as u32);
    let numbers = numbers.collect();
    graph.check()?;
    Ok(numbers)
}

/// Several threads commit and share syncs; then the power fails. Every acknowledged commit must be in the
/// file, and a commit may be in the file only with all commits before it.
fn lose_power_under_threads(base: &MemoryVfs) -> Outcome<u64> {
    let record = RecordVfs::over(copy_of(base));
    let log = begin(Arc::new(record.clone()))?;
    let work = |thread: u32| -> varvite::Result<(), ChangeError> {
        for number in 0..EACH {
            let number = thread * 100 + 1_000 + number;
            commit(&log, number, Durability::Sync)?;
            record.mark(&number.to_string());
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || work(thread))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic in it"))
    })?;
    let all = marks(Answer::read(&record)?.graph())?;
    let mut states = 0;
    for state in crash_states(&record.log(), LIMITS) {
        let found = marks(Answer::read(&state.image)?.graph()).map_err(|breach| breach.at(&state.story))?;
        demand(all.starts_with(&found), || format!("{found:?} of {all:?}: {}", state.story))?;
        for told in &state.marks {
            let is_there = found.iter().any(|number| number.to_string() == *told);
            if !is_there {
                return Err(Breach::lost(format!("commit {told} is not there: {}", state.story)));
            }
        }
        states += 1;
    }
    Ok(states)
}
