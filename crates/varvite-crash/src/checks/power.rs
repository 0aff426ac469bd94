//! Power failures at each point of a history, with every disk that a failure could leave there, and further
//! failures at each point of the work after the first one.
//!
//! The file on each disk is opened and read completely. The file must be exactly at the last commit that was
//! reported as done, at the commit that was being written, or, if commits were buffered, at one of the
//! buffered commits. On some disks the writer whose change was lost, or the next one, runs again, and the
//! power fails again.

use std::sync::atomic::{AtomicU64, Ordering};

use varvite_store::threads::processors;
use varvite_testing::vfs::{CrashLimits, CrashState, crash_states};

use crate::breach::{Breach, Kind, Outcome, without_panic};
use crate::writers::answer::Answer;
use crate::writers::commits::{Commits, Progress};
use crate::writers::history::{History, Run};
use crate::writers::session::Session;
use crate::writers::writer::Writer;

/// The number of writers in a history.
const WRITERS: usize = 9;
/// The limits on the crash states at each point of a history. Points with few unsynced writes have fewer
/// states.
const LIMITS: CrashLimits = CrashLimits { exhaustive_max: 5, states_per_point_max: 24 };
/// The limits on the crash states in the search for a known bug.
const LIMITS_SMALL: CrashLimits = CrashLimits { exhaustive_max: 3, states_per_point_max: 2 };
/// The limits on the crash states at each point of the work after a failure.
const LIMITS_AGAIN: CrashLimits = CrashLimits { exhaustive_max: 4, states_per_point_max: 3 };
/// In one state out of this number, a writer runs, and then the power fails again.
const AGAIN_EVERY: u64 = 307;
/// One state out of this number is read through every cursor.
const VERIFY_EVERY: u64 = 97;
/// One history out of this number begins with the import of a flatgraph file.
const FILE_EVERY: u64 = 40;
/// The number of breaches that are reported in full.
const SHOWN: u64 = 10;

/// The number of checked states, and the faults found in them.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) states: AtomicU64,
    /// The number of checked states that a second failure left, during the work after the first failure.
    pub(crate) nested: AtomicU64,
    pub(crate) histories: AtomicU64,
    pub(crate) lost: AtomicU64,
    pub(crate) unopenable: AtomicU64,
    pub(crate) wrong: AtomicU64,
}

impl Tally {
    fn count(&self) -> u64 {
        self.states.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn breaches(&self) -> u64 {
        [&self.lost, &self.unopenable, &self.wrong].map(|count| count.load(Ordering::Relaxed)).iter().sum()
    }

    fn add(&self, breach: &Breach) {
        let count = match breach.kind() {
            Kind::Lost => &self.lost,
            Kind::Unopenable => &self.unopenable,
            Kind::Other => &self.wrong,
        };
        count.fetch_add(1, Ordering::Relaxed);
        if self.breaches() <= SHOWN {
            println!("power: {breach}");
        }
    }
}

/// Runs histories with the seeds from `seed` on, on all processors, until `states` states were checked.
pub(crate) fn run(states: u64, seed: u64, tally: &Tally) {
    let next = AtomicU64::new(seed);
    let work = || {
        while tally.states.load(Ordering::Relaxed) < states && tally.breaches() < SHOWN {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let failing = without_panic(|| run_history(history_of(seed), LIMITS, states, tally));
            failing.err().into_iter().for_each(|breach| tally.add(&breach.at(format!("seed {seed}"))));
            tally.histories.fetch_add(1, Ordering::Relaxed);
        }
    };
    varvite_store::threads::run(processors(), work);
}

/// The history of a seed. Some histories begin with a flatgraph file, whose graph is larger.
fn history_of(seed: u64) -> History {
    match seed % FILE_EVERY {
        1 => History {
            seed,
            writers: vec![
                Writer::ImportFile,
                Writer::Sources,
                Writer::Log(Session::Left),
                Writer::Layer(0),
                Writer::Log(Session::Closed),
                Writer::Compact,
            ],
        },
        _ => History::of(seed, WRITERS),
    }
}

/// Checks all failures of one history, up to the first breach.
pub(crate) fn check_history(history: History) -> Outcome<u64> {
    let tally = Tally::default();
    run_history(history, LIMITS_SMALL, u64::MAX, &tally)?;
    Ok(tally.states.into_inner())
}

fn run_history(history: History, limits: CrashLimits, states_max: u64, tally: &Tally) -> Outcome {
    let run = history.run()?;
    for state in crash_states(&run.commits.log(), limits) {
        let number = tally.count();
        if number >= states_max {
            return Ok(());
        }
        let place = || format!("after {:?}: {}", run.history.writers, state.story);
        let commit = check(&run.commits, &state, number).map_err(|breach| breach.at(place()))?;
        if number.is_multiple_of(AGAIN_EVERY) {
            check_again(&run, &state, commit, tally).map_err(|breach| breach.at(place()))?;
        }
    }
    Ok(())
}

/// Checks a state, and returns the number of its commit.
fn check(commits: &Commits, state: &CrashState, number: u64) -> Outcome<usize> {
    let found = Answer::find(&state.image)?;
    let commit = commits.find(found.as_ref(), Progress::of(state))?;
    if let Some(found) = found.filter(|_| number.is_multiple_of(VERIFY_EVERY)) {
        found.verify()?;
    }
    Ok(commit)
}

/// On a disk that a failure left at `commit`, runs the writer of the next state to its end, and lets the
/// power fail again.
fn check_again(run: &Run, state: &CrashState, commit: usize, tally: &Tally) -> Outcome {
    let Some((writer, first)) = run.next(commit) else { return Ok(()) };
    let mut again = Commits::of(&state.image)?;
    again
        .record(|vfs, told| run.history.write_on(writer, vfs, first, told))?
        .map_err(|error| Breach::new(format!("writer {writer} failed afterwards: {error}")))?;
    // The new commit may be at another offset, after leftover bytes; its content must be the same.
    let (expected, after) = (run.commits.state(run.last_of[writer]), again.state(again.last()));
    let (Some(expected), Some(after)) = (expected, after) else {
        return Err(Breach::lost(format!("no file after writer {writer}")));
    };
    if !expected.means_same(after)? || after.graph().is_recovered() {
        return Err(Breach::new(format!("writer {writer} left something else afterwards")));
    }
    for second in crash_states(&again.log(), LIMITS_AGAIN) {
        let number = tally.count();
        tally.nested.fetch_add(1, Ordering::Relaxed);
        check(&again, &second, number)
            .map_err(|breach| breach.at(format!("writer {writer} afterwards, then {}", second.story)))?;
    }
    Ok(())
}
