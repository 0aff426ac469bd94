//! `varvite_log`: a file that gets many small commits.

use varvite::Task;
use varvite::change::{Diff, Durability, GraphLog, LogOptions};
use varvite::write::GraphChange;

use crate::apply::{Answer, CApplied, disk};
use crate::diff::DiffObject;
use crate::failure::Failure;
use crate::handle::{Counted, Handle, Kind};
use crate::pointer::{
    Byte, Items, OptionalOutItems, Options, Out, OutStructs, PathText, SizedFirst, c_struct,
};
use crate::status::Status;

/// The object behind a log handle. Threads that commit at the same time share a sync.
pub(crate) struct LogObject(GraphLog);

impl Kind for LogObject {
    const NAME: &'static str = "log";
    const FOUND: &'static str = "it is one of a log";
    const C: &'static str = "varvite_log";
    const GRAPH: Option<fn(&Self) -> &varvite::Graph> = None;
}

c_struct! {
    /// Options of a log.
    LogSettings = "varvite_log_options" {
        size: u32,
        no_lock: u32,
        bytes_max: u64,
    }
}

impl Default for LogSettings {
    fn default() -> Self {
        Self { size: size_of::<Self>() as u32, no_lock: 0, bytes_max: 0 }
    }
}

impl SizedFirst for LogSettings {}

impl LogSettings {
    fn options(&self) -> LogOptions {
        let options = LogOptions::default();
        if self.bytes_max == 0 { options } else { options.bytes_max(self.bytes_max) }
    }
}

/// The durabilities that a commit can have when its call returns, in the order of their numbers in the
/// header.
pub(crate) const DURABILITIES: [(&str, Durability); 2] =
    [("DURABILITY_SYNC", Durability::Sync), ("DURABILITY_BUFFERED", Durability::Buffered)];

fn durability(number: u32) -> Result<Durability, Failure> {
    let (argument, expected) = ("durability", "one of the durabilities");
    let known = DURABILITIES.get(number as usize).map(|(_, durability)| *durability);
    known.ok_or(Failure::Value { argument, expected, found: number.into() })
}

impl LogObject {
    fn commit(&self, diff: &Diff, durability: Durability, answer: Answer<'_>) -> Result<Status, Failure> {
        answer.check(diff)?;
        answer.write(&self.0.commit(diff, durability, &Task::new())?);
        Ok(Status::Ok)
    }
}

exports! {
    /// Begins a log of small commits.
    fn varvite_log_begin(
        path: PathText<'_>,
        options: Options<'_, LogSettings>,
        log: Out<'_, Counted<LogObject>>,
    ) {
        let change = GraphChange::begin(disk("options.no_lock", options.no_lock)?, path)?;
        log.write(Counted::new(LogObject(change.log(options.options(), &Task::new())?)));
        Ok(Status::Ok)
    }

    /// Commits a diff: all of it, or nothing.
    fn varvite_log_commit(
        log: Handle<LogObject>,
        diff: Handle<DiffObject>,
        durability: u32,
        applied: OutStructs<'_, CApplied>,
        applied_size: u64,
        ranks: OptionalOutItems<'_, u32>,
        capacity: u64,
    ) {
        let durability = self::durability(durability)?;
        let answer = Answer::of((applied, applied_size), (ranks, capacity))?;
        log.read(|log| diff.read(|diff| log.commit(&diff.0, durability, answer)))
    }

    /// The same as `varvite_log_commit`, for an encoded diff.
    fn varvite_log_commit_bytes(
        log: Handle<LogObject>,
        bytes: Items<'_, Byte>,
        length: u64,
        durability: u32,
        applied: OutStructs<'_, CApplied>,
        applied_size: u64,
        ranks: OptionalOutItems<'_, u32>,
        capacity: u64,
    ) {
        let durability = self::durability(durability)?;
        let answer = Answer::of((applied, applied_size), (ranks, capacity))?;
        let diff = Diff::from_bytes(bytes.bytes(length)?)?;
        log.read(|log| log.commit(&diff, durability, answer))
    }

    /// Syncs the log, so that all commits so far are durable.
    fn varvite_log_sync(log: Handle<LogObject>) {
        log.read(|log| Ok(log.0.sync()?))?;
        Ok(Status::Ok)
    }

    /// Replaces the log by a large commit.
    fn varvite_log_checkpoint(log: Handle<LogObject>) {
        log.read(|log| Ok(log.0.checkpoint(&Task::new())?))?;
        Ok(Status::Ok)
    }

    /// The number of records in the log.
    fn varvite_log_records(log: Handle<LogObject>, records: Out<'_, u64>) {
        log.read(|log| {
            records.write(log.0.records());
            Ok(Status::Ok)
        })
    }

    /// Replaces the log by a large commit, and ends the handle.
    fn varvite_log_close(log: Counted<LogObject>) {
        let ended = log.take(|_| Ok(()))?;
        ended.0.close(&Task::new())?;
        Ok(Status::Ok)
    }
}
