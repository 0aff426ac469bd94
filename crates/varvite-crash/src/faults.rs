//! Failing disks: each operation of each writer fails once or for good, whole or torn, and disks that are full after any byte.
//!
//! A writer that says that it is done has done it, durably. One that fails leaves the file as it was. Only if it says that
//! this is in doubt may the file be either; and none goes on after a write or a sync that failed.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use varvite::vfs::{FaultPlan, FaultVfs, MemoryVfs};
use varvite::{GraphError, StoreError};
use varvite_store::Operation;

use crate::answer::Answer;
use crate::breach::{Breach, Outcome, demand};
use crate::extent::Extent;
use crate::history::{History, copy_of};
use crate::writer::{PATH, Writer};

/// A writer with what it does on a good disk.
struct Trial<'a> {
    history: &'a History,
    number: usize,
    disk: MemoryVfs,
    before: Option<Answer>,
    after: Answer,
    operations: Vec<Operation>,
    written: u64,
}

/// Every kind of writer at least once, and each failure in every way, or in a way that changes from one to the next.
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

/// The ways in which an operation fails: once and for good, whole and torn.
fn plans(index: u64) -> Vec<FaultPlan> {
    let plans = [io::ErrorKind::Other, io::ErrorKind::StorageFull].map(|kind| {
        let (once, sticky) = (FaultPlan::fail_once(index, kind), FaultPlan::fail_from(index, kind));
        [once.clone(), once.tearing_writes(), sticky.clone(), sticky.tearing_writes()]
    });
    plans.concat()
}

/// A history with each kind of writer.
pub(crate) fn every_writer() -> History {
    use Writer::{Apply, Compact, DropIndex, DropLayer, FirstImport, Import, Index, Layer};
    let writers = vec![
        FirstImport,
        Index(0),
        Layer(0),
        DropIndex(0),
        Apply,
        Layer(1),
        DropLayer(0),
        Apply,
        Compact,
        Import,
    ];
    History { seed: 3, writers }
}

/// What a writer does on a good disk, operation by operation.
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
        let disk = copy_of(&clean);
        let before = Answer::find(&disk)?;
        let had = disk.contents(PATH).unwrap_or_default().len();
        let operations = operations_of(history, number, &disk)?;
        let after = Answer::read(&disk)?;
        let has = disk.contents(PATH).unwrap_or_default().len();
        let written = if history.writers[number].is_anew() { has } else { has - had } as u64 + 4096;
        Ok(Self { history, number, disk: clean, before, after, operations, written })
    }

    /// Fails at an operation; true if the writer said that the outcome is in doubt.
    fn fail(&self, index: usize, plan: FaultPlan) -> Outcome<bool> {
        let failing = self.operations[index];
        let place = format!("{failing} number {index} of {:?}, {plan:?}", self.history.writers[self.number]);
        let disk = copy_of(&self.disk);
        let result = self.history.write(self.number, Arc::new(FaultVfs::new(Arc::new(disk.clone()), plan)));
        let is_change = matches!(
            failing,
            Operation::Create
                | Operation::Write
                | Operation::Sync
                | Operation::Rename
                | Operation::SyncFolder
        );
        if result.is_ok() && is_change {
            return Err(Breach::lost(format!("reported as done, though it failed: {place}")));
        }
        self.check(&disk, result).map_err(|breach| breach.at(place))
    }

    /// The disk takes so many bytes.
    fn fill(&self, bytes: u64) -> Outcome<bool> {
        let place = format!("{:?} on a disk of {bytes} bytes", self.history.writers[self.number]);
        let disk = copy_of(&self.disk);
        let plan = FaultPlan::disk_full_after(bytes);
        let result = self.history.write(self.number, Arc::new(FaultVfs::new(Arc::new(disk.clone()), plan)));
        self.check(&disk, result).map_err(|breach| breach.at(place))
    }

    fn check(&self, disk: &MemoryVfs, result: varvite::Result<()>) -> Outcome<bool> {
        let found = Answer::find(disk)?;
        let is_after = found.as_ref().is_some_and(|found| found.is_same(&self.after));
        let is_before = match (&found, &self.before) {
            (Some(found), Some(before)) => found.is_same(before),
            (None, None) => true,
            _ => false,
        };
        match &result {
            Ok(()) => {
                demand(is_after, || "reported as done, and is not".to_owned())?;
                let durable = Answer::find(&disk.durable_image())?;
                let is_durable = durable.is_some_and(|durable| durable.is_same(&self.after));
                demand(is_durable, || "reported as done, and is not durable".to_owned())?;
            }
            Err(GraphError::Store(StoreError::NotDurable { .. })) => {
                demand(is_before || is_after, || "in doubt, and neither old nor new".to_owned())?;
            }
            Err(error) => demand(is_before, || format!("failed, and is not as it was: {error}"))?,
        }
        if is_before {
            self.again(disk)?;
        }
        Ok(matches!(result, Err(GraphError::Store(StoreError::NotDurable { .. }))))
    }

    /// On a disk that is good again the writer succeeds, and leaves nothing else.
    fn again(&self, disk: &MemoryVfs) -> Outcome {
        self.history.write(self.number, Arc::new(disk.clone()))?;
        let found = Answer::read(disk)?;
        demand(found.means_same(&self.after)?, || "another result at the second try".to_owned())?;
        let is_anew = self.history.writers[self.number].is_anew();
        demand(!is_anew || disk.paths() == [Path::new(PATH)], || format!("left behind: {:?}", disk.paths()))
    }
}
