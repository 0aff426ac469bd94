//! [`MemoryWatch`]: keeps the memory of open files within limits. One thread of the process does this for all
//! files.
//!
//! Files that share a limit form a [`Group`]. A group has either all files with a limit for the whole
//! process, where the least limit applies, or the files of one [`SharedBudget`](crate::SharedBudget). Under a
//! process limit, the private memory of the process is counted; under a budget, the heap bytes of its files.
//! In both cases, file pages that became resident since the group began are counted too. A map gains resident
//! pages when it is read, so the thread counts the pages every ten milliseconds, or sooner if a limit could
//! be reached earlier. When pages fill half of the room that private memory leaves, the thread gives back the
//! pages of one map after another, until half of that number is left. Maps in which no column was opened
//! since the last time come first. Later reads of a map get the same bytes at the same addresses, usually
//! from the page cache of the system. When private memory is a large part of a limit, the thread also gives
//! back free memory of the allocator. It frees unused buffers only when private memory is nearly the whole
//! limit, and only as many as necessary, since making a buffer again costs more than reading a page.
//!
//! A busy system may run the thread too late. So a reader that opens columns reports their lengths, and the
//! reader that opens more bytes than the last check left room for checks the pages itself. Apart from that
//! the watch stops no caller: code that charges the ledger refuses allocations beyond a limit itself.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use crate::memory::buffers::Buffers;
use crate::memory::file_pages::FilePages;
use crate::memory::heap_trim::trim_heap;
use crate::memory::ledger::HeapBytes;
use crate::memory::mapping::{Advice, Mapping};
use crate::memory::process_memory::{MemoryGauge, PageTable, ProcessMemory};
use crate::memory::shared_thread::{Running, Service, SharedThread};
use crate::work::threads;

/// The least useful limit of a process. A lower limit leaves no room for the program's own heap, its stacks,
/// and a few buffers.
pub const PROCESS_MIN: u64 = 24 << 20;

/// The longest time between two checks.
const PAUSE_MAX: Duration = Duration::from_millis(10);
/// The shortest time between two checks. A check takes about five microseconds.
const PAUSE_MIN: Duration = Duration::from_micros(100);
/// The approximate number of bytes per second that a process can read from a mapped file in the page cache.
const BYTES_PER_SECOND: u64 = 8 << 30;
/// The part of the memory left by private memory that pages may fill, as a fraction; the rest is for reads
/// between two checks.
const FILL: (u64, u64) = (1, 2);
/// The part of that memory that pages may still fill after some were given back, as a fraction.
const LEFT: (u64, u64) = (1, 2);
/// The limit is divided into this number of parts. Buffers are freed if private memory is more than
/// `PARTS_MAX` parts, until it is `PARTS_LEFT` parts.
const PARTS: u64 = 16;
const PARTS_MAX: u64 = 14;
const PARTS_LEFT: u64 = 12;
/// Private memory that is not among the heap bytes of files may grow by this number of parts of the limit;
/// then the allocator gives memory back.
const PARTS_UNACCOUNTED: u64 = 1;
/// The shortest pause between two attempts to get memory back from the allocator and the buffers, the same if
/// memory is urgently needed, and the longest pause, which follows attempts that gave back little.
const RELIEF_PAUSE: Duration = Duration::from_millis(10);
const RELIEF_PAUSE_URGENT: Duration = Duration::from_millis(1);
const RELIEF_PAUSE_MAX: Duration = Duration::from_secs(1);
/// Memory counts as little if it is less than the limit divided by this number.
const LITTLE: u64 = 32;

/// All watched files of this process, and the thread that watches them.
static WATCHED: LazyLock<SharedThread<Groups>> = LazyLock::new(SharedThread::new);

/// The memory that a watch has seen, and the number of its actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Watched {
    /// The limit in bytes.
    pub limit: u64,
    /// The largest number of bytes that a check found.
    pub most: u64,
    /// The number of checks after which pages of maps were given back.
    pub given_back: u64,
}

/// The counts of a group.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    most: AtomicU64,
    given_back: AtomicU64,
    /// The bytes of columns that were opened since the last check.
    opened: AtomicU64,
    /// The number of bytes that may be opened before the next check.
    openable: AtomicU64,
}

impl Counts {
    /// Adds the bytes of an opened column. Returns whether the pages should be checked before it is read.
    fn note_opened(&self, bytes: u64) -> bool {
        let opened = self.opened.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        opened > self.openable.load(Ordering::Relaxed)
    }

    /// Begins to count opened bytes anew, after a check.
    fn note_checked(&self, openable: u64) {
        self.openable.store(openable, Ordering::Relaxed);
        self.opened.store(0, Ordering::Relaxed);
    }

    /// The counts so far, together with the limit.
    pub(crate) fn watched(&self, limit: u64) -> Watched {
        let [most, given_back] = [&self.most, &self.given_back].map(|number| number.load(Ordering::Relaxed));
        Watched { limit, most, given_back }
    }
}

/// An open file that is watched.
#[derive(Clone, Debug)]
pub(crate) struct WatchedFile {
    /// The map of the file; `None` if it is not mapped.
    pub(crate) mapping: Option<Arc<Mapping>>,
    /// The buffers of the file, which other files may share.
    pub(crate) buffers: Arc<Buffers>,
}

/// The scope of a limit.
#[derive(Clone, Debug)]
pub(crate) enum Scope {
    /// Private memory of the whole process.
    Process,
    /// The heap bytes of a budget's files.
    Budget(Arc<BudgetScope>),
}

/// The heap bytes and the counts of a shared budget.
#[derive(Debug, Default)]
pub(crate) struct BudgetScope {
    pub(crate) held: Arc<HeapBytes>,
    pub(crate) counts: Arc<Counts>,
}

impl Scope {
    /// The key of the group in `Groups`: the address of a budget, or 0 for the process.
    fn key(&self) -> usize {
        match self {
            Self::Process => 0,
            Self::Budget(scope) => Arc::as_ptr(scope).addr(),
        }
    }

    fn counts(&self) -> Arc<Counts> {
        match self {
            Self::Process => Arc::default(),
            Self::Budget(scope) => Arc::clone(&scope.counts),
        }
    }
}

/// Keeps one file in the watch until this value is dropped.
pub(crate) struct MemoryWatch {
    group: usize,
    member: u64,
    limit: u64,
    counts: Arc<Counts>,
}

impl MemoryWatch {
    /// Begins to watch a file. `None` if the system does not report the memory of the process.
    pub(crate) fn start(file: WatchedFile, scope: &Scope, limit: u64) -> Option<Self> {
        let add = |groups: &mut Groups| groups.add(file, scope, limit);
        match WATCHED.join(add, start) {
            Some((member, counts)) => Some(Self { group: scope.key(), member, limit, counts }),
            None => {
                WATCHED.leave(|_| ());
                None
            }
        }
    }

    /// The counts of the group so far.
    pub(crate) fn watched(&self) -> Watched {
        self.counts.watched(self.limit)
    }

    /// Notes that a reader opened a column of `bytes` bytes and is about to read it. Checks the pages of the
    /// group if the thread has not checked them for too many opened bytes. Otherwise costs two atomic
    /// operations.
    pub(crate) fn note_opened(&self, bytes: u64) {
        if self.counts.note_opened(bytes) {
            WATCHED.visit(|groups| groups.check_pages(self.group));
        }
    }
}

impl fmt::Debug for MemoryWatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.watched().fmt(formatter)
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        // The removed value may be the last owner of a map, which must be unmapped outside of the lock.
        drop(WATCHED.leave(|groups| groups.remove(self)));
    }
}

/// Starts the thread of all watches.
fn start() -> Option<Running> {
    let mut watcher = Watcher::new()?;
    let thread = threads::start(move || WATCHED.serve(&mut watcher))?;
    Some(Box::new(move || {
        // If the watch panicked, that is not an error of the caller that closes the last file.
        let _ = thread.join();
    }))
}

/// The groups of files that share a limit.
#[derive(Debug, Default)]
struct Groups {
    by_key: BTreeMap<usize, Group>,
}

impl Groups {
    /// Adds a file to its group. Returns the number of the file in the group, and the counts of the group.
    fn add(&mut self, file: WatchedFile, scope: &Scope, limit: u64) -> Option<(u64, Arc<Counts>)> {
        let group = match self.by_key.entry(scope.key()) {
            Entry::Occupied(group) => group.into_mut(),
            // File pages that are already resident are not counted for the group.
            Entry::Vacant(group) => group.insert(Group::new(scope, MemoryGauge::open()?.read()?)),
        };
        Some((group.add(file, limit), Arc::clone(&group.counts)))
    }

    /// Checks the pages of one group in the thread of a reader.
    fn check_pages(&mut self, key: usize) {
        let gauge = MemoryGauge::open();
        if let (Some(group), Some(mut memory)) =
            (self.by_key.get_mut(&key), gauge.as_ref().and_then(MemoryNow::read))
        {
            group.keep_pages(&mut memory);
        }
    }

    fn remove(&mut self, watch: &MemoryWatch) -> Option<(WatchedFile, Option<Group>)> {
        let group = self.by_key.get_mut(&watch.group)?;
        let file = group.remove(watch.member, watch.limit)?;
        let ended = if group.files.is_empty() { self.by_key.remove(&watch.group) } else { None };
        Some((file, ended))
    }
}

/// Files that share a limit.
#[derive(Debug)]
struct Group {
    scope: Scope,
    /// The number of files for each limit. The least limit applies.
    limits: BTreeMap<u64, usize>,
    files: BTreeMap<u64, WatchedFile>,
    next: u64,
    /// The file whose pages were given back last.
    hand: u64,
    pages: FilePages,
    /// The private memory of the process other than the heap bytes of these files: the least value since the
    /// allocator last gave memory back.
    unaccounted: u64,
    counts: Arc<Counts>,
}

impl Group {
    fn new(scope: &Scope, before: ProcessMemory) -> Self {
        Self {
            scope: scope.clone(),
            limits: BTreeMap::new(),
            files: BTreeMap::new(),
            next: 0,
            hand: 0,
            pages: FilePages::new(before.file),
            unaccounted: u64::MAX,
            counts: scope.counts(),
        }
    }

    fn add(&mut self, file: WatchedFile, limit: u64) -> u64 {
        if file.mapping.as_ref().is_some_and(|mapping| mapping.is_used()) {
            // The pages of this map that were read so far were counted as pages of other files.
            self.pages.count_next();
        }
        *self.limits.entry(limit).or_default() += 1;
        self.next += 1;
        self.files.insert(self.next, file);
        self.next
    }

    fn remove(&mut self, member: u64, limit: u64) -> Option<WatchedFile> {
        let file = self.files.remove(&member)?;
        let count = self.limits.get_mut(&limit)?;
        *count -= 1;
        if *count == 0 {
            self.limits.remove(&limit);
        }
        Some(file)
    }

    fn limit(&self) -> u64 {
        self.limits.keys().next().copied().unwrap_or(u64::MAX)
    }

    /// Checks the memory of the group once, and gives the excess back. Returns the time until the next check.
    fn look(&mut self, look: &mut Look<'_>) -> Duration {
        let private = self.private(look.now.memory);
        let left = self.keep_pages(&mut look.now);
        self.relieve(private, look);
        pause_for(left)
    }

    /// Gives pages back if they take more room than they may. Returns the number of bytes that pages may
    /// still take.
    fn keep_pages(&mut self, now: &mut MemoryNow<'_>) -> u64 {
        let private = self.private(now.memory);
        let mut pages = self.pages;
        let of_maps = pages.of_maps(now.memory.file, || self.resident_bytes());
        self.pages = pages;
        self.counts.most.fetch_max(private.saturating_add(of_maps), Ordering::Relaxed);
        let room = self.limit().saturating_sub(private) / FILL.1 * FILL.0;
        let of_maps = if of_maps > room { self.give_back_pages(room, now) } else { of_maps };
        let left = room.saturating_sub(of_maps);
        self.counts.note_checked(left);
        left
    }

    fn private(&self, memory: ProcessMemory) -> u64 {
        match &self.scope {
            Scope::Process => memory.anonymous,
            Scope::Budget(scope) => scope.held.bytes(),
        }
    }

    /// Gives back pages of maps until the remaining pages fill at most half of `room`. Returns an upper bound
    /// of the remaining bytes.
    fn give_back_pages(&mut self, room: u64, now: &mut MemoryNow<'_>) -> u64 {
        let enough = self.pages.others.saturating_add(room / LEFT.1 * LEFT.0);
        let behind = self.files.range(self.hand + 1..).chain(self.files.range(..=self.hand));
        let mut maps: Vec<(u64, &Arc<Mapping>)> =
            behind.filter_map(|(member, file)| Some((*member, file.mapping.as_ref()?))).collect();
        let count = maps.len();
        for may_be_used in [false, true] {
            maps.retain(|(member, mapping)| {
                let is_kept = now.memory.file <= enough || mapping.was_used() && !may_be_used;
                if !is_kept {
                    // The call is only advice. If the system does not follow it, the memory stays in use,
                    // which is not an error.
                    let _ = mapping.advise(0..mapping.bytes().len(), Advice::DontNeed);
                    now.read_again();
                    self.hand = *member;
                }
                is_kept
            });
        }
        self.counts.given_back.fetch_add(u64::from(maps.len() < count), Ordering::Relaxed);
        match maps.is_empty() {
            true => self.pages.note(now.memory.file, 0),
            false => self.pages.last = now.memory.file,
        }
        now.memory.file.saturating_sub(self.pages.others)
    }

    /// The number of resident bytes of all maps of the group. `None` if the system does not report it.
    fn resident_bytes(&self) -> Option<u64> {
        let table = PageTable::open()?;
        let maps = self.files.values().filter_map(|file| file.mapping.as_ref());
        maps.map(|mapping| table.resident_bytes(mapping.bytes())).sum()
    }
}

impl Group {
    /// Frees unused buffers if private memory is nearly the whole limit, and requests a trim of the heap if
    /// the allocator may have much free memory.
    fn relieve(&mut self, private: u64, look: &mut Look<'_>) {
        let limit = self.limit();
        let is_much = private > limit / PARTS * PARTS_MAX && look.relief.is_due_if_urgent();
        let is_urgent = is_much && self.give_back_buffers(private);
        // `is_kept_much` must always be called, as it also updates `unaccounted`.
        let is_kept_much = self.is_kept_much(look);
        if is_urgent || is_kept_much && look.relief.is_due() {
            look.trim_below = Some(look.trim_below.map_or(limit, |least| least.min(limit)));
        }
    }

    /// Whether the allocator may have much free memory.
    fn is_kept_much(&mut self, look: &Look<'_>) -> bool {
        match &self.scope {
            Scope::Process => look.now.memory.anonymous > self.limit() / 2,
            Scope::Budget(scope) => {
                let unaccounted = look.now.memory.anonymous.saturating_sub(scope.held.bytes());
                self.unaccounted =
                    if look.has_trimmed { unaccounted } else { self.unaccounted.min(unaccounted) };
                unaccounted - self.unaccounted > self.limit() / PARTS * PARTS_UNACCOUNTED
            }
        }
    }

    /// Frees buffers until private memory is `PARTS_LEFT` parts of the limit. Each cache gives back a share
    /// in proportion to its size. Returns false if no buffer could be freed.
    fn give_back_buffers(&self, private: u64) -> bool {
        let mut all: Vec<&Arc<Buffers>> = self.files.values().map(|file| &file.buffers).collect();
        all.sort_unstable_by_key(|buffers| Arc::as_ptr(buffers));
        all.dedup_by_key(|buffers| Arc::as_ptr(buffers));
        let kept: u64 = all.iter().map(|buffers| buffers.bytes()).sum();
        let excess = private.saturating_sub(self.limit() / PARTS * PARTS_LEFT).min(kept);
        let share = |bytes: u64| (u128::from(excess) * u128::from(bytes)).div_ceil(u128::from(kept.max(1)));
        let given = all.into_iter().map(|buffers| buffers.give_back(share(buffers.bytes()) as u64));
        given.sum::<u64>() > 0
    }
}

/// The state of the watching thread.
struct Watcher {
    gauge: MemoryGauge,
    relief: Relief,
    /// The least limit for which the allocator should give back free memory; `None` if it need not.
    trim_below: Option<u64>,
    has_trimmed: bool,
}

/// One check of all groups.
struct Look<'w> {
    now: MemoryNow<'w>,
    relief: &'w Relief,
    has_trimmed: bool,
    trim_below: Option<u64>,
}

/// The memory figures of the process, and the gauge that reads them.
struct MemoryNow<'g> {
    gauge: &'g MemoryGauge,
    memory: ProcessMemory,
}

impl<'g> MemoryNow<'g> {
    fn read(gauge: &'g MemoryGauge) -> Option<Self> {
        Some(Self { gauge, memory: gauge.read()? })
    }

    /// Reads the figures again, after memory was given back.
    fn read_again(&mut self) {
        self.memory = self.gauge.read().unwrap_or(self.memory);
    }
}

impl Watcher {
    fn new() -> Option<Self> {
        let gauge = MemoryGauge::open()?;
        Some(Self { gauge, relief: Relief::new(), trim_below: None, has_trimmed: false })
    }
}

impl Service<Groups> for Watcher {
    fn turn(&mut self, groups: &mut Groups) -> Duration {
        let start = Instant::now();
        let Some(now) = MemoryNow::read(&self.gauge) else { return PAUSE_MAX };
        let has_trimmed = std::mem::take(&mut self.has_trimmed);
        let mut look = Look { now, relief: &self.relief, has_trimmed, trim_below: None };
        let pause = groups.by_key.values_mut().map(|group| group.look(&mut look)).min();
        self.trim_below = look.trim_below;
        // The pause is at least as long as the check, so checks take at most half of a processor for any
        // number of files.
        pause.unwrap_or(PAUSE_MAX).max(start.elapsed())
    }

    fn between(&mut self) {
        let Some(limit) = self.trim_below.take() else { return };
        let anonymous = || self.gauge.read().map_or(0, |memory| memory.anonymous);
        let before = anonymous();
        trim_heap();
        self.relief.note(before.saturating_sub(anonymous()) < limit / LITTLE);
        self.has_trimmed = true;
    }
}

/// The time at which private memory was last given back, and the earliest time for the next attempt.
#[derive(Clone, Copy, Debug)]
struct Relief {
    last: Instant,
    next: Instant,
    pause: Duration,
}

impl Relief {
    fn new() -> Self {
        let now = Instant::now();
        Self { last: now, next: now, pause: RELIEF_PAUSE }
    }

    fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    fn is_due_if_urgent(&self) -> bool {
        self.last.elapsed() >= RELIEF_PAUSE_URGENT
    }

    fn note(&mut self, was_little: bool) {
        self.last = Instant::now();
        self.pause = if was_little { (self.pause * 2).min(RELIEF_PAUSE_MAX) } else { RELIEF_PAUSE };
        self.next = self.last + self.pause;
    }
}

/// The time in which `bytes` bytes could be read, between the shortest and the longest pause.
fn pause_for(bytes: u64) -> Duration {
    let nanoseconds = bytes.saturating_mul(1_000_000_000) / BYTES_PER_SECOND;
    Duration::from_nanos(nanoseconds).clamp(PAUSE_MIN, PAUSE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_come_sooner_where_less_is_left() {
        assert_eq!(pause_for(0), PAUSE_MIN);
        assert_eq!(pause_for(8 << 20), Duration::from_nanos(976_562));
        assert_eq!(pause_for(u64::MAX), PAUSE_MAX);
    }

    #[test]
    fn who_gives_little_is_asked_less_often() {
        let mut relief = Relief::new();
        assert!(relief.is_due());
        (0..20).for_each(|_| relief.note(true));
        assert_eq!((relief.pause, relief.is_due()), (RELIEF_PAUSE_MAX, false));
        relief.note(false);
        assert_eq!(relief.pause, RELIEF_PAUSE);
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    mod on_linux {
        use std::io::Write;
        use std::sync::{Mutex, PoisonError};

        use super::*;

        const LEN: usize = 32 << 20;

        /// Held by each test that reads a map, because the figure of file pages is for the whole process.
        static READING: Mutex<()> = Mutex::new(());

        fn reading() -> std::sync::MutexGuard<'static, ()> {
            READING.lock().unwrap_or_else(PoisonError::into_inner)
        }

        fn mapping() -> Arc<Mapping> {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&vec![7; LEN]).unwrap();
            Arc::new(Mapping::of_file(&file).unwrap())
        }

        fn watched(mapping: Option<&Arc<Mapping>>) -> WatchedFile {
            WatchedFile { mapping: mapping.cloned(), buffers: Arc::new(Buffers::new(0)) }
        }

        fn read(mapping: &Mapping) -> u64 {
            let sum = mapping.bytes().iter().step_by(4096).map(|byte| u64::from(*byte)).sum();
            // Without this, a release build would remove the unused sum.
            std::hint::black_box(sum)
        }

        fn resident(mapping: &Mapping) -> Option<u64> {
            mapping.resident_bytes(0..LEN)
        }

        /// Reads all of some maps, and checks them once under one limit.
        fn look_at(maps: &[Arc<Mapping>], limit: u64) -> (Groups, Duration) {
            let mut groups = Groups::default();
            let scope = Scope::Budget(Arc::default());
            for mapping in maps {
                groups.add(watched(Some(mapping)), &scope, limit).unwrap();
            }
            maps.iter().for_each(|mapping| _ = read(mapping));
            let pause = Watcher::new().unwrap().turn(&mut groups);
            (groups, pause)
        }

        #[test]
        fn pages_beyond_the_limit_go_and_read_the_same_again() {
            let _reading = reading();
            let mapping = mapping();
            let sum = read(&mapping);
            mapping.mark_used();
            assert_eq!(resident(&mapping), Some(LEN as u64));
            let (groups, _) = look_at(&[Arc::clone(&mapping)], 1);
            assert_eq!(resident(&mapping), Some(0));
            let watched = groups.by_key.values().next().unwrap().counts.watched(1);
            assert_eq!(watched.given_back, 1);
            assert_eq!(read(&mapping), sum);
        }

        #[test]
        fn pages_within_the_limit_stay() {
            let _reading = reading();
            let mapping = mapping();
            let (_, pause) = look_at(&[Arc::clone(&mapping)], u64::MAX);
            assert_eq!(pause, PAUSE_MAX);
            assert_eq!(resident(&mapping), Some(LEN as u64));
        }

        #[test]
        fn maps_of_which_no_column_was_opened_go_first_and_no_more_than_must() {
            let _reading = reading();
            let maps = [(); 4].map(|()| mapping());
            // The first and the third map are marked as used.
            [0, 2].iter().for_each(|used: &usize| assert!(maps[*used].mark_used()));
            let of_one = LEN as u64;
            // The room for pages is three and a half maps. Pages may fill half of it, which is less than two
            // maps, so only one of the four maps stays.
            let limit = of_one * 7;
            let (mut groups, _) = look_at(&maps, limit);
            let left = maps.each_ref().map(|mapping| resident(mapping).unwrap() / of_one);
            assert_eq!(left, [0, 0, 1, 0]);
            maps.iter().for_each(|mapping| _ = read(mapping));
            // The marks are cleared, and the search begins at the next map.
            Watcher::new().unwrap().turn(&mut groups);
            let left = maps.each_ref().map(|mapping| resident(mapping).unwrap() / of_one);
            assert_eq!(left, [1, 0, 0, 0]);
        }

        #[test]
        fn a_reader_that_opens_more_than_is_left_gives_pages_back_itself() {
            let _reading = reading();
            let mapping = mapping();
            let mut groups = Groups::default();
            let scope = Scope::Budget(Arc::default());
            // Pages may fill half of the limit.
            let (_, counts) = groups.add(watched(Some(&mapping)), &scope, LEN as u64).unwrap();
            counts.note_checked(LEN as u64 / 2);
            assert!(!counts.note_opened(LEN as u64 / 2));
            assert!(counts.note_opened(1), "more than was left");
            read(&mapping);
            groups.check_pages(scope.key());
            assert_eq!(resident(&mapping), Some(0));
            assert!(!counts.note_opened(LEN as u64 / 4), "a check begins the count anew");
        }

        #[test]
        fn of_several_limits_of_the_process_the_least_holds() {
            let mut groups = Groups::default();
            let members = [7, 3, 5].map(|limit| groups.add(watched(None), &Scope::Process, limit).unwrap().0);
            assert_eq!(groups.by_key[&0].limit(), 3);
            let group = groups.by_key.get_mut(&0).unwrap();
            group.remove(members[1], 3).unwrap();
            assert_eq!(group.limit(), 5);
        }

        #[test]
        fn buffers_of_several_files_give_way_in_proportion() {
            use crate::AlignedBytes;
            use crate::memory::ledger::{AccountId, Ledger};
            use crate::memory::open_number::OpenNumber;
            use crate::memory::slot::{Loaded, Slot};
            let ledger = Ledger::new();
            let files = [30_u64, 10].map(|count| {
                let buffers = Arc::new(Buffers::new(1 << 30));
                let slots: Arc<[Slot]> = (0..count).map(|_| Slot::default()).collect();
                for index in 0..count as usize {
                    let bytes = crate::Pinned::from(AlignedBytes::zeroed(1000).unwrap());
                    let account = ledger.account(AccountId(0));
                    slots[index].lend(|| Ok(Loaded { bytes, mapped: None, account })).unwrap();
                    buffers.columns.admit(OpenNumber::next(), &slots, index, 1000);
                }
                WatchedFile { mapping: None, buffers }
            });
            let mut groups = Groups::default();
            for file in &files {
                groups.add(file.clone(), &Scope::Process, 160_000).unwrap();
            }
            // Three quarters of the limit may stay, so 20,000 bytes have to be freed.
            assert!(groups.by_key[&0].give_back_buffers(140_000));
            assert_eq!(files.each_ref().map(|file| file.buffers.bytes()), [15_000, 5_000]);
        }

        #[test]
        fn a_watch_ends_with_its_owner_and_the_thread_with_the_last() {
            let _reading = reading();
            let maps = [mapping(), mapping()];
            let watches = maps
                .each_ref()
                .map(|mapping| MemoryWatch::start(watched(Some(mapping)), &Scope::Process, 1).unwrap());
            let start = Instant::now();
            while watches[0].watched().given_back == 0 {
                maps.iter().for_each(|mapping| _ = read(mapping));
                assert!(start.elapsed() < Duration::from_secs(30), "{watches:?}");
            }
            assert_eq!(watches[1].watched(), Watched { limit: 1, ..watches[0].watched() });
            let [first, second] = watches;
            drop(first);
            assert_eq!(Arc::strong_count(&maps[0]), 1);
            assert!(WATCHED.is_running());
            drop(second);
            assert_eq!(Arc::strong_count(&maps[1]), 1);
            assert!(!WATCHED.is_running());
        }
    }
}
