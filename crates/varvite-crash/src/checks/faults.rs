//! Failing disks: each operation of each writer fails, once or from then on, completely or after a part; and
//! disks that are full after any byte.
//!
//! A writer that reports success has committed durably. A writer that fails leaves the file unchanged. Only
//! if its error says that the outcome is in doubt, or if the writer is a log, may the file have or lack the
//! change. No writer continues after a failed write or sync.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use varvite::GraphError;
use varvite::change::ChangeError;
use varvite::error::StoreError;
use varvite_store::Operation;
use varvite_testing::vfs::{FaultPlan, FaultVfs, MemoryVfs};

use crate::breach::{Breach, Outcome, demand};
use crate::extent::Extent;
use crate::writers::answer::Answer;
use crate::writers::commits::{Commits, Progress};
use crate::writers::history::{History, copy_of};
use crate::writers::session::{Session, Told};
use crate::writers::writer::{PATH, Writer};

/// A writer, with its operations on a disk that does not fail.
struct Trial<'a> {
    history: &'a History,
    number: usize,
    disk: MemoryVfs,
    commits: Commits,
    operations: Vec<Operation>,
    written: u64,
}

/// Runs every kind of writer. Each operation fails in every way or, in the small extent, only in some ways,
/// which vary from operation to operation.
pub(crate) fn check(extent: Extent) -> Outcome<String> {
    let (mut runs, mut in_doubt) = (0, 0);
    let history = every_writer();
    for number in 0..history.writers.len() {
        let trial = Trial::of(&history, number)?;
        for index in extent.places(&trial.operations) {
            let ways = plans(index as u64);
            let some = extent.choose(2, ways.len());
            for plan in ways.into_iter().cycle().skip(2 * index).take(some) {
                in_doubt += u32::from(trial.fail(index, plan)?);
                runs += 1;
            }
        }
        let step = (trial.written / extent.choose(20, 200)).max(1) as usize;
        for bytes in (0..trial.written).step_by(step) {
            trial.fill(bytes)?;
            runs += 1;
        }
    }
    demand(in_doubt > 0, || "no failure was in doubt".to_owned())?;
    Ok(format!("{runs} failures, {in_doubt} in doubt"))
}

/// The ways in which an operation fails: once or from then on, completely or after a part.
fn plans(index: u64) -> Vec<FaultPlan> {
    let plans = [io::ErrorKind::Other, io::ErrorKind::StorageFull].map(|kind| {
        let (once, sticky) = (FaultPlan::fail_once(index, kind), FaultPlan::fail_from(index, kind));
        [once.clone(), once.tearing_writes(), sticky.clone(), sticky.tearing_writes()]
    });
    plans.concat()
}

/// A history with each kind of writer.
pub(crate) fn every_writer() -> History {
    use Writer::{
        Apply, Compact, CompactOnline, DropIndex, DropLayer, FirstImport, Import, Index, Layer, Log,
    };
    let writers = vec![
        FirstImport,
        Index(0),
        Layer(0),
        DropIndex(0),
        Apply,
        Log(Session::Left),
        Log(Session::Closed),
        Layer(1),
        Log(Session::Tight),
        DropLayer(0),
        Apply,
        Compact,
        Apply,
        CompactOnline,
        Import,
    ];
    History { seed: 3, writers }
}

/// The operations of a writer on a disk that does not fail.
pub(crate) fn operations_of(history: &History, number: usize, disk: &MemoryVfs) -> Outcome<Vec<Operation>> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let watched = FaultVfs::watched(Arc::new(disk.clone()), move |_, operation| {
        log.lock().expect("no panic in it").push(operation);
    });
    history.write(number, Arc::new(watched))?;
    let seen = seen.lock().expect("no panic in it");
    Ok(seen.clone())
}

impl<'a> Trial<'a> {
    fn of(history: &'a History, number: usize) -> Outcome<Self> {
        let clean = history.disk(number)?;
        let operations = operations_of(history, number, &copy_of(&clean))?;
        let disk = copy_of(&clean);
        let had = disk.contents(PATH).unwrap_or_default().len();
        let mut commits = Commits::of(&disk)?;
        commits.record(|vfs, told| history.write_on(number, vfs, 0, told))??;
        let has = disk.contents(PATH).unwrap_or_default().len();
        let written = if history.writers[number].is_anew() { has } else { has - had } as u64 + 4096;
        Ok(Self { history, number, disk: clean, commits, operations, written })
    }

    fn writer(&self) -> Writer {
        self.history.writers[self.number]
    }

    /// Runs the writer with a failing operation. Returns whether the writer's error says that the outcome is
    /// in doubt.
    fn fail(&self, index: usize, plan: FaultPlan) -> Outcome<bool> {
        let failing = self.operations[index];
        let place = format!("{failing} number {index} of {:?}, {plan:?}", self.writer());
        let tried = self.run(plan)?;
        let is_write = matches!(failing, Operation::Write | Operation::Sync);
        let is_change =
            is_write || matches!(failing, Operation::Create | Operation::Rename | Operation::SyncFolder);
        if tried.result.is_ok() && is_change {
            return Err(Breach::lost(format!("reported as done, though it failed: {place}")));
        }
        demand(!(is_write && tried.goes_on), || format!("the log goes on after its failure: {place}"))?;
        self.check(&tried).map_err(|breach| breach.at(place))
    }

    /// Runs the writer on a disk with room for `bytes` bytes.
    fn fill(&self, bytes: u64) -> Outcome<bool> {
        let place = format!("{:?} on a disk of {bytes} bytes", self.writer());
        let tried = self.run(FaultPlan::disk_full_after(bytes))?;
        demand(!tried.goes_on, || format!("the log goes on after its failure: {place}"))?;
        self.check(&tried).map_err(|breach| breach.at(place))
    }

    fn run(&self, plan: FaultPlan) -> Outcome<Tried> {
        let disk = copy_of(&self.disk);
        let (mut progress, mut goes_on) = (Progress::default(), false);
        let vfs = Arc::new(FaultVfs::new(Arc::new(disk.clone()), plan));
        let result = self.history.write_on(self.number, vfs, 0, &mut |told| match told {
            Told::Done(durability) => progress.tell(durability),
            Told::Failed { goes_on: is_going_on } => goes_on = is_going_on,
        });
        Ok(Tried { disk, progress, goes_on, result })
    }

    fn check(&self, tried: &Tried) -> Outcome<bool> {
        let Tried { disk, progress, result, goes_on: _ } = tried;
        let found = Answer::find(disk)?;
        let state = self.commits.find(found.as_ref(), *progress)?;
        let is_in_doubt =
            matches!(result, Err(ChangeError::Graph(GraphError::Store(StoreError::NotDurable { .. }))));
        match result {
            Ok(()) => {
                demand(state == self.commits.last(), || "reported as done, and is not".to_owned())?;
                self.check_durable(tried)?;
            }
            // A record whose sync failed may be in the file.
            Err(_) if matches!(self.writer(), Writer::Log(_)) => self.check_durable(tried)?,
            Err(error) => demand(is_in_doubt || state == progress.told, || {
                format!("failed, and is not as it was: {error}")
            })?,
        }
        self.again(disk, state)?;
        Ok(is_in_doubt)
    }

    /// Checks the file after a power failure: synced bytes survive.
    fn check_durable(&self, tried: &Tried) -> Outcome {
        let durable = Answer::find(&tried.disk.durable_image())?;
        let state = self.commits.find(durable.as_ref(), tried.progress);
        state.map(drop).map_err(|breach| breach.at("reported as done, and is not durable"))
    }

    /// Runs the writer again on a disk that does not fail: it must complete its work, and leave no other
    /// files.
    fn again(&self, disk: &MemoryVfs, state: usize) -> Outcome {
        if state == self.commits.last() {
            return Ok(());
        }
        self.history.write_on(self.number, Arc::new(disk.clone()), state, &mut |_| ())?;
        let (found, after) = (Answer::read(disk)?, self.commits.state(self.commits.last()));
        let is_same = after.map_or(Ok(false), |after| found.means_same(after))?;
        demand(is_same, || "another result at the second try".to_owned())?;
        let is_anew = self.writer().is_anew();
        demand(!is_anew || disk.paths() == [Path::new(PATH)], || format!("left behind: {:?}", disk.paths()))
    }
}

/// The result of a writer on a failing disk.
struct Tried {
    disk: MemoryVfs,
    progress: Progress,
    /// Whether a log accepted changes after its failure.
    goes_on: bool,
    result: varvite::Result<(), ChangeError>,
}
