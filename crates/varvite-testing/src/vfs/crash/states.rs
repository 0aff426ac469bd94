//! [`crash_states`]: enumerates the disks after a power failure at every point of a log.
//!
//! The iterator returns each state once. After a write or a change of names, only states in which this
//! operation left a trace are new, since all others were possible before. After a sync, no state is new.
//! After a mark, all states are returned again, because tests expect more of a disk after the mark. If few
//! operations are pending, all subsets are enumerated; if many are pending, only prefixes, single survivors
//! and single losses. States that the limits leave out are counted, never silently dropped.

use std::collections::HashSet;
use std::fmt::Write as _;

use xxhash_rust::xxh3::Xxh3;

use super::disk::{Disk, Plan};
use super::fate::{Fate, PendingWrite};
use crate::vfs::MemoryVfs;
use crate::vfs::record::{OperationLog, Recorded};

/// The limits of the enumeration.
#[derive(Debug, Clone, Copy)]
pub struct CrashLimits {
    /// The largest number of pending writes, and of pending changes of names, for which all subsets are
    /// enumerated.
    pub exhaustive_max: usize,
    /// The largest number of combinations at one point. If there are more, evenly spaced ones are selected.
    pub states_per_point_max: usize,
}

impl Default for CrashLimits {
    /// Limits that enumerate all states of the few operations between two syncs: a few thousand states for a
    /// small workload.
    fn default() -> Self {
        CrashLimits { exhaustive_max: 6, states_per_point_max: 10_000 }
    }
}

/// A disk as a power failure could have left it.
#[derive(Debug)]
pub struct CrashState {
    /// The disk, as an independent file system, which tests can open, write to and crash again.
    pub image: MemoryVfs,
    /// The marks that the workload had passed.
    pub marks: Vec<String>,
    /// A description of the events, for the message of a failing test.
    pub story: String,
}

impl CrashState {
    /// Whether the workload had passed the mark `name` when the power failed.
    pub fn has_passed(&self, name: &str) -> bool {
        self.marks.iter().any(|mark| mark == name)
    }
}

/// Enumerates all states that a power failure during the workload of `log` could have left, within `limits`.
///
/// States with equal disks and marks are returned once. The time and memory that a state costs are
/// proportional to the size of its files.
///
/// # Example
/// ```
/// use std::path::Path;
/// use varvite_store::Vfs;
/// use varvite_testing::vfs::{CrashLimits, MemoryVfs, RecordVfs, crash_states};
///
/// let record = RecordVfs::over(MemoryVfs::new());
/// let file = record.create_new(Path::new("a"))?;
/// file.write_all_at(0, b"both")?;
/// file.sync()?;
/// record.sync_dir(Path::new(""))?;
/// record.mark("saved");
/// for state in crash_states(&record.log(), CrashLimits::default()) {
///     if state.has_passed("saved") {
///         assert_eq!(state.image.contents("a").as_deref(), Some(&b"both"[..]), "{}", state.story);
///     }
/// }
/// # Ok::<(), varvite_store::StoreError>(())
/// ```
pub fn crash_states(log: &OperationLog, limits: CrashLimits) -> CrashStates<'_> {
    let mut states = CrashStates {
        log,
        limits,
        disk: Disk::before(log),
        performed: 0,
        marks: Vec::new(),
        point: Point::default(),
        seen: HashSet::new(),
        skipped: 0,
    };
    states.point = states.point_after(None);
    states
}

/// The iterator of [`crash_states`].
#[derive(Debug)]
pub struct CrashStates<'a> {
    log: &'a OperationLog,
    limits: CrashLimits,
    disk: Disk,
    performed: usize,
    marks: Vec<String>,
    point: Point,
    seen: HashSet<u64>,
    skipped: usize,
}

/// The combinations that remain at one point of the log: fates of all writes, and of all changes of names.
#[derive(Debug, Default)]
struct Point {
    combinations: std::vec::IntoIter<(Fates, Subset)>,
}

impl CrashStates<'_> {
    /// The number of combinations that the limits have left out so far.
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    fn point_after(&mut self, operation: Option<&Recorded>) -> Point {
        let trace = Trace::of(operation);
        if trace == Trace::Nothing {
            return Point::default();
        }
        let fates = fates(&self.disk.writes, self.limits.exhaustive_max);
        let survivals = subsets(self.disk.changes.len(), self.limits.exhaustive_max);
        let (last_write, last_change) =
            (self.disk.writes.len().checked_sub(1), self.disk.changes.len().checked_sub(1));
        let mut combinations: Vec<(Fates, Subset)> = fates
            .iter()
            .flat_map(|fates| survivals.iter().map(move |survival| (*fates, *survival)))
            .filter(|(fates, survival)| match trace {
                Trace::Any => true,
                Trace::LastWrite => last_write.is_none_or(|last| fates.of(last) != Fate::Lost),
                Trace::LastChange => last_change.is_some_and(|last| survival.has(last)),
                Trace::Nothing => false,
            })
            .collect();
        self.skipped += thin(&mut combinations, self.limits.states_per_point_max);
        Point { combinations: combinations.into_iter() }
    }

    fn advance(&mut self) -> Option<()> {
        let operation = self.log.operations.get(self.performed)?;
        self.performed += 1;
        self.disk.perform(operation);
        if let Recorded::Mark { name } = operation {
            self.marks.push(name.clone());
        }
        self.point = self.point_after(Some(operation));
        Some(())
    }

    fn is_new(&mut self, image: &MemoryVfs) -> bool {
        self.seen.insert(digest(image, self.marks.len()))
    }

    fn story(&self, plan: &Plan<'_>) -> String {
        let total = self.log.operations.len();
        let mut story = format!("power failed after {} of {total} operations", self.performed);
        for (write, fate) in self.disk.writes.iter().zip(plan.fates) {
            let PendingWrite { file, offset, bytes } = write;
            // Writing to a string can't fail.
            let _ = write!(story, "; {} bytes at {offset} of file {}: {fate:?}", bytes.len(), file.0);
        }
        for (change, survives) in self.disk.changes.iter().zip(plan.survives) {
            let outcome = if *survives { "kept" } else { "lost" };
            let names = change.names.iter().map(|(path, file)| match file {
                Some(file) => format!("{} = file {}", path.display(), file.0),
                None => format!("no {}", path.display()),
            });
            let _ = write!(story, "; {}: {outcome}", names.collect::<Vec<_>>().join(", "));
        }
        story
    }
}

impl Iterator for CrashStates<'_> {
    type Item = CrashState;

    fn next(&mut self) -> Option<CrashState> {
        loop {
            let Some((fates, survival)) = self.point.combinations.next() else {
                self.advance()?;
                continue;
            };
            let fates: Vec<Fate> = (0..self.disk.writes.len()).map(|write| fates.of(write)).collect();
            let survives: Vec<bool> =
                (0..self.disk.changes.len()).map(|change| survival.has(change)).collect();
            let plan = Plan { fates: &fates, survives: &survives };
            let image = self.disk.image(&plan);
            let story = self.story(&plan);
            if self.is_new(&image) {
                return Some(CrashState { image, marks: self.marks.clone(), story });
            }
        }
    }
}

/// The pending operation that must have left a trace in a state for the state to be new.
#[derive(Debug, PartialEq, Eq)]
enum Trace {
    Any,
    LastWrite,
    LastChange,
    /// No state is new.
    Nothing,
}

impl Trace {
    fn of(operation: Option<&Recorded>) -> Trace {
        match operation {
            None | Some(Recorded::Mark { .. }) => Trace::Any,
            Some(Recorded::Write { .. }) => Trace::LastWrite,
            Some(Recorded::Sync { .. } | Recorded::SyncFolder { .. }) => Trace::Nothing,
            Some(Recorded::Rename { from, to, .. }) if from.parent() != to.parent() => Trace::Any,
            Some(
                Recorded::Create { .. }
                | Recorded::Link { .. }
                | Recorded::Rename { .. }
                | Recorded::Remove { .. },
            ) => Trace::LastChange,
        }
    }
}

/// The fates of all pending writes, in compact form. If there are many combinations, only some are
/// enumerated.
#[derive(Clone, Copy, Debug)]
enum Fates {
    /// The writes of a subset are kept, the others are lost.
    KeptOf(Subset),
    /// One write is damaged; all writes before it have the fate `before`, and all after it the fate `behind`.
    Damaged { write: usize, damage: Fate, before: Fate, behind: Fate },
    /// All writes have this fate.
    All(Fate),
}

impl Fates {
    fn of(&self, write: usize) -> Fate {
        match self {
            Self::KeptOf(subset) if subset.has(write) => Fate::Kept,
            Self::KeptOf(_) => Fate::Lost,
            Self::Damaged { write: damaged, before, .. } if write < *damaged => *before,
            Self::Damaged { write: damaged, damage, .. } if write == *damaged => *damage,
            Self::Damaged { behind, .. } => *behind,
            Self::All(fate) => *fate,
        }
    }
}

/// A subset of a sequence of items.
#[derive(Clone, Copy, Debug)]
enum Subset {
    /// The items whose bits are set.
    Bits(usize),
    /// The first items; the number says how many.
    First(usize),
    AllBut(usize),
    Only(usize),
}

impl Subset {
    fn has(&self, index: usize) -> bool {
        match *self {
            Self::Bits(bits) => bits >> index & 1 == 1,
            Self::First(count) => index < count,
            Self::AllBut(other) => index != other,
            Self::Only(only) => index == only,
        }
    }
}

/// The combinations of fates to enumerate: every subset kept; each write damaged, while the others are kept,
/// are lost, or only the earlier ones are kept; and all files grown without their data.
fn fates(writes: &[PendingWrite], exhaustive_max: usize) -> Vec<Fates> {
    let mut all: Vec<Fates> = subsets(writes.len(), exhaustive_max).into_iter().map(Fates::KeptOf).collect();
    for (write, pending) in writes.iter().enumerate() {
        for damage in Fate::damages(pending) {
            let around = [(Fate::Kept, Fate::Kept), (Fate::Kept, Fate::Lost), (Fate::Lost, Fate::Lost)];
            all.extend(around.map(|(before, behind)| Fates::Damaged { write, damage, before, behind }));
        }
    }
    all.push(Fates::All(Fate::LengthOnly(0)));
    all
}

/// The subsets of `count` items: all subsets, or, if there are too many, the prefixes, the subsets without
/// one item, and the subsets of one item.
fn subsets(count: usize, exhaustive_max: usize) -> Vec<Subset> {
    if count <= exhaustive_max {
        return (0..1usize << count).map(Subset::Bits).collect();
    }
    let prefixes = (0..=count).map(Subset::First);
    prefixes.chain((0..count).map(Subset::AllBut)).chain((0..count).map(Subset::Only)).collect()
}

/// Keeps at most `max` items at even distances. Returns the number of dropped items.
fn thin<T: Copy>(items: &mut Vec<T>, max: usize) -> usize {
    let count = items.len();
    if count <= max {
        return 0;
    }
    *items = (0..max).map(|index| items[index * count / max]).collect();
    count - max
}

fn digest(image: &MemoryVfs, mark_count: usize) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&mark_count.to_le_bytes());
    for path in image.paths() {
        let content = image.shared_contents(&path).unwrap_or_default();
        for part in [path.as_os_str().as_encoded_bytes(), &content] {
            hasher.update(&part.len().to_le_bytes());
            hasher.update(part);
        }
    }
    hasher.digest()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use varvite_store::Vfs;

    use crate::vfs::RecordVfs;

    /// Every content that file `a` can have after a power failure; `-` if there is no file.
    fn contents_of_a(record: &RecordVfs) -> BTreeSet<String> {
        let log = record.log();
        let states = crash_states(&log, CrashLimits::default()).map(|state| state.image.contents("a"));
        let text = |bytes: Vec<u8>| bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
        states.map(|content| content.map_or("-".to_owned(), text)).collect()
    }

    fn over(content: &[u8]) -> RecordVfs {
        let memory = MemoryVfs::new();
        memory.put("a", content);
        RecordVfs::over(memory)
    }

    fn set(contents: &[&str]) -> BTreeSet<String> {
        contents.iter().map(|content| content.to_string()).collect()
    }

    #[test]
    fn a_write_may_be_kept_lost_torn_or_cut_off() {
        let record = over(b"xx");
        record.open_writable(Path::new("a")).unwrap().write_all_at(1, b"1234").unwrap();
        let expected = ["xx", "x1234", "x12", "xx\0\0\0", "xx\u{a5}\u{a5}\u{a5}", "x1", "xx\x0034"];
        assert_eq!(contents_of_a(&record), set(&expected));
    }

    #[test]
    fn later_writes_may_survive_earlier_ones() {
        let record = over(b"--");
        let file = record.open_writable(Path::new("a")).unwrap();
        file.write_all_at(0, b"1").unwrap();
        file.write_all_at(1, b"2").unwrap();
        assert_eq!(contents_of_a(&record), set(&["--", "1-", "-2", "12"]));
    }

    #[test]
    fn what_was_synced_is_safe() {
        let record = over(b"-");
        let file = record.open_writable(Path::new("a")).unwrap();
        file.write_all_at(0, b"1").unwrap();
        file.sync().unwrap();
        record.mark("synced");
        let log = record.log();
        let behind = crash_states(&log, CrashLimits::default()).filter(|state| state.has_passed("synced"));
        let contents: Vec<_> = behind.map(|state| state.image.contents("a").unwrap()).collect();
        assert_eq!(contents, [b"1"]);
    }

    #[test]
    fn names_are_lost_until_their_folder_is_synced() {
        let record = over(b"old");
        let file = record.create_new(Path::new("b")).unwrap();
        file.write_all_at(0, b"n").unwrap();
        file.sync().unwrap();
        record.rename(Path::new("b"), Path::new("a")).unwrap();
        assert_eq!(contents_of_a(&record), set(&["old", "n"]));
        record.sync_dir(Path::new("")).unwrap();
        record.mark("synced");
        let log = record.log();
        let last = crash_states(&log, CrashLimits::default()).last().unwrap();
        assert_eq!(last.image.contents("a").unwrap(), b"n");
        assert_eq!(last.image.paths(), [Path::new("a")]);
    }

    #[test]
    #[cfg_attr(miri, ignore)] // Thousands of states, and no unsafe code.
    fn limits_leave_out_states_and_say_so() {
        let record = over(b"");
        let file = record.open_writable(Path::new("a")).unwrap();
        (0..10).for_each(|index| file.write_all_at(index * 8, b"12345678").unwrap());
        let log = record.log();
        let mut all = crash_states(&log, CrashLimits::default());
        let mut few = crash_states(&log, CrashLimits { exhaustive_max: 2, states_per_point_max: 5 });
        assert!(all.by_ref().count() > few.by_ref().count());
        assert_eq!(all.skipped(), 0);
        assert!(few.skipped() > 0);
    }
}
