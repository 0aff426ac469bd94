//! [`MemoryWatch`]: keeps the memory of open files within limits, by one thread for the process.
//!
//! Files with one limit are a [`Group`]: those that limit the whole process, whose least limit holds, and
//! those of each [`SharedBudget`](crate::SharedBudget). A process limit counts the private memory of the
//! process, a budget counts the heap bytes of its files; both count pages of files that came to the process
//! since the group began. A map gains pages as it is read; so the thread counts them every ten milliseconds,
//! or sooner where a limit could be reached before. When pages fill most of the room that private memory
//! leaves, the thread gives maps back one after the other, until half of the room is free; maps without an
//! opened column since the last time go first. Later reads of a map get the same bytes at the same addresses,
//! as a rule out of the system's own cache. When private memory is most of a limit, the allocator's free
//! memory is given back too. Unused buffers go only when private memory is nearly all of the limit, and no
//! more than necessary, since making them again costs more than a page.
//!
//! It stops no caller: code that charges the ledger refuses forbidden allocations itself.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use crate::memory::buffers::Buffers;
use crate::memory::heap_trim::trim_heap;
use crate::memory::ledger::HeapBytes;
use crate::memory::mapping::{Advice, Mapping};
use crate::memory::process_memory::{MemoryGauge, PageTable, ProcessMemory};
use crate::memory::shared_thread::{Running, Service, SharedThread};
use crate::work::threads;

/// Limits below this have no room for the program itself: its own heap, stacks, and a few buffers.
pub const PROCESS_MIN: u64 = 24 << 20;

/// The longest time between two looks.
const PAUSE_MAX: Duration = Duration::from_millis(10);
/// The shortest: a look takes some five microseconds.
const PAUSE_MIN: Duration = Duration::from_micros(100);
/// Bytes of a map that a process may read in a second, more or less, which are in the system's cache.
const BYTES_PER_SECOND: u64 = 8 << 30;
/// Pages may fill so much of the room for them: the rest is for reads between two looks.
const FILL: (u64, u64) = (1, 2);
/// The share of their room that pages keep when some are given back.
const LEFT: (u64, u64) = (1, 2);
/// Parts of the limit that private memory may have before buffers give way, and that it has afterwards.
const PARTS: u64 = 16;
const PARTS_MAX: u64 = 14;
const PARTS_LEFT: u64 = 12;
/// Parts by which private memory beside the heap of files may grow before the allocator gives memory back.
const PARTS_UNACCOUNTED: u64 = 1;
/// Pause before the allocator and buffers give memory back again, and the longest, where they had little.
const RELIEF_PAUSE: Duration = Duration::from_millis(10);
const RELIEF_PAUSE_URGENT: Duration = Duration::from_millis(1);
const RELIEF_PAUSE_MAX: Duration = Duration::from_secs(1);
/// The share of the limit that counts as little.
const LITTLE: u64 = 32;
/// File pages may become fewer by this much without a count: the system counts in batches.
const SHRINK_MIN: u64 = 1 << 20;
/// Counts take no more than this share of the time.
const COUNT_PAUSE: u32 = 20;

/// All that is watched in this process.
static WATCHED: LazyLock<SharedThread<Groups>> = LazyLock::new(SharedThread::new);

/// Counts and actions of a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Watched {
    /// The limit in bytes.
    pub limit: u64,
    /// Most bytes that it saw at a time.
    pub most: u64,
    /// The number of times that pages of maps were given back.
    pub given_back: u64,
}

/// The counts of a group.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    most: AtomicU64,
    given_back: AtomicU64,
}

impl Counts {
    /// Counts and actions so far under a limit.
    pub(crate) fn watched(&self, limit: u64) -> Watched {
        let [most, given_back] = [&self.most, &self.given_back].map(|number| number.load(Ordering::Relaxed));
        Watched { limit, most, given_back }
    }
}

/// An open file that is watched.
#[derive(Clone, Debug)]
pub(crate) struct WatchedFile {
    /// Its map, if it has one.
    pub(crate) mapping: Option<Arc<Mapping>>,
    /// The buffers of it, or of all files that it shares with.
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

/// A budget, in the form for its watch.
#[derive(Debug, Default)]
pub(crate) struct BudgetScope {
    pub(crate) held: Arc<HeapBytes>,
    pub(crate) counts: Arc<Counts>,
}

impl Scope {
    /// Groups go by this number: the address of a budget, or 0.
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

/// One file's place in the watch, until it is dropped.
pub(crate) struct MemoryWatch {
    group: usize,
    member: u64,
    limit: u64,
    counts: Arc<Counts>,
}

impl MemoryWatch {
    /// Begins to watch a file. None where the system does not report the memory of the process.
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

    /// Its counts and actions so far.
    pub(crate) fn watched(&self) -> Watched {
        self.counts.watched(self.limit)
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

/// Begins the thread of all watches.
fn start() -> Option<Running> {
    let mut watcher = Watcher::new()?;
    let thread = threads::start(move || WATCHED.serve(&mut watcher))?;
    Some(Box::new(move || {
        // A panic of the watch is no failure of the caller that closes the last file.
        let _ = thread.join();
    }))
}

/// Files by their limits.
#[derive(Debug, Default)]
struct Groups {
    by_key: BTreeMap<usize, Group>,
}

impl Groups {
    /// The number of the file in its group, and the counts of the group.
    fn add(&mut self, file: WatchedFile, scope: &Scope, limit: u64) -> Option<(u64, Arc<Counts>)> {
        let group = match self.by_key.entry(scope.key()) {
            Entry::Occupied(group) => group.into_mut(),
            // Pages that the process has by now are not of the group.
            Entry::Vacant(group) => group.insert(Group::new(scope, MemoryGauge::open()?.read()?)),
        };
        Some((group.add(file, limit), Arc::clone(&group.counts)))
    }

    fn remove(&mut self, watch: &MemoryWatch) -> Option<(WatchedFile, Option<Group>)> {
        let group = self.by_key.get_mut(&watch.group)?;
        let file = group.remove(watch.member, watch.limit)?;
        let ended = if group.files.is_empty() { self.by_key.remove(&watch.group) } else { None };
        Some((file, ended))
    }
}

/// Files that have one limit together.
#[derive(Debug)]
struct Group {
    scope: Scope,
    /// The number of files by limit: the least limit holds.
    limits: BTreeMap<u64, usize>,
    files: BTreeMap<u64, WatchedFile>,
    next: u64,
    /// The file whose map was given back last.
    hand: u64,
    pages: Pages,
    /// Memory of the process beside the heap of these files: the least since the allocator gave some back.
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
            pages: Pages::new(before.file),
            unaccounted: u64::MAX,
            counts: scope.counts(),
        }
    }

    fn add(&mut self, file: WatchedFile, limit: u64) -> u64 {
        if file.mapping.as_ref().is_some_and(|mapping| mapping.is_used()) {
            // Its pages read so far count among those of others.
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

    /// Checks once, and gives back the excess.
    fn look(&mut self, look: &mut Look<'_>) -> Duration {
        let memory = look.memory;
        let private = self.private(memory);
        let mut pages = self.pages;
        let of_maps = pages.of_maps(memory.file, || self.resident_bytes());
        self.pages = pages;
        self.counts.most.fetch_max(private.saturating_add(of_maps), Ordering::Relaxed);
        let room = self.limit().saturating_sub(private) / FILL.1 * FILL.0;
        let of_maps = if of_maps > room { self.give_back_pages(room, look) } else { of_maps };
        self.relieve(private, look);
        pause_for(room.saturating_sub(of_maps))
    }

    fn private(&self, memory: ProcessMemory) -> u64 {
        match &self.scope {
            Scope::Process => memory.anonymous,
            Scope::Budget(scope) => scope.held.bytes(),
        }
    }

    /// Gives maps back until pages leave half of `room` free. Returns an upper bound of the remaining pages.
    fn give_back_pages(&mut self, room: u64, look: &mut Look<'_>) -> u64 {
        let enough = self.pages.others.saturating_add(room / LEFT.1 * LEFT.0);
        let behind = self.files.range(self.hand + 1..).chain(self.files.range(..=self.hand));
        let mut maps: Vec<(u64, &Arc<Mapping>)> =
            behind.filter_map(|(member, file)| Some((*member, file.mapping.as_ref()?))).collect();
        let count = maps.len();
        for may_be_used in [false, true] {
            maps.retain(|(member, mapping)| {
                let is_kept = look.memory.file <= enough || mapping.was_used() && !may_be_used;
                if !is_kept {
                    // It is advice: if the system declines, memory stays used, and nothing is wrong.
                    let _ = mapping.advise(0..mapping.bytes().len(), Advice::DontNeed);
                    look.read_again();
                    self.hand = *member;
                }
                is_kept
            });
        }
        self.counts.given_back.fetch_add(u64::from(maps.len() < count), Ordering::Relaxed);
        match maps.is_empty() {
            true => self.pages.note(look.memory.file, 0),
            false => self.pages.last = look.memory.file,
        }
        look.memory.file.saturating_sub(self.pages.others)
    }

    /// The mapped bytes in memory, over all maps. None where the system does not report it.
    fn resident_bytes(&self) -> Option<u64> {
        let table = PageTable::open()?;
        let maps = self.files.values().filter_map(|file| file.mapping.as_ref());
        maps.map(|mapping| table.resident_bytes(mapping.bytes())).sum()
    }
}

impl Group {
    /// Gives back buffers without holders, if private memory is nearly all of the limit, and free memory.
    fn relieve(&mut self, private: u64, look: &mut Look<'_>) {
        let limit = self.limit();
        let is_much = private > limit / PARTS * PARTS_MAX && look.relief.is_due_if_urgent();
        let is_urgent = is_much && self.give_back_buffers(private);
        // First, as it notes the current state.
        let is_kept_much = self.is_kept_much(look);
        if is_urgent || is_kept_much && look.relief.is_due() {
            look.trim_below = Some(look.trim_below.map_or(limit, |least| least.min(limit)));
        }
    }

    /// Whether the allocator may have much free memory.
    fn is_kept_much(&mut self, look: &Look<'_>) -> bool {
        match &self.scope {
            Scope::Process => look.memory.anonymous > self.limit() / 2,
            Scope::Budget(scope) => {
                let unaccounted = look.memory.anonymous.saturating_sub(scope.held.bytes());
                self.unaccounted =
                    if look.has_trimmed { unaccounted } else { self.unaccounted.min(unaccounted) };
                unaccounted - self.unaccounted > self.limit() / PARTS * PARTS_UNACCOUNTED
            }
        }
    }

    /// Gives back as many buffers as are in the way, of each file in proportion; false if all have holders.
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

/// The thread's own.
struct Watcher {
    gauge: MemoryGauge,
    relief: Relief,
    /// The limit for which the allocator has to give back free memory.
    trim_below: Option<u64>,
    has_trimmed: bool,
}

/// One check of all groups.
struct Look<'w> {
    gauge: &'w MemoryGauge,
    relief: &'w Relief,
    memory: ProcessMemory,
    has_trimmed: bool,
    trim_below: Option<u64>,
}

impl Look<'_> {
    /// Reads the figures of the system again, after memory was given back.
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
        let Some(memory) = self.gauge.read() else { return PAUSE_MAX };
        let has_trimmed = std::mem::take(&mut self.has_trimmed);
        let mut look =
            Look { gauge: &self.gauge, relief: &self.relief, memory, has_trimmed, trim_below: None };
        let pause = groups.by_key.values_mut().map(|group| group.look(&mut look)).min();
        self.trim_below = look.trim_below;
        // Looks take half of a processor at most, however many files there are.
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

/// The time of the next relief of private memory.
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

/// The known state of the process's file pages.
#[derive(Clone, Copy, Debug)]
struct Pages {
    /// The bytes of other files than the group's at the last count.
    others: u64,
    /// All of them at the last look.
    last: u64,
    /// The number of pages given back since the last count.
    fallen: u64,
    /// The earliest time of the next count, which takes long for many files.
    count_at: Option<Instant>,
}

impl Pages {
    fn new(others: u64) -> Self {
        Self { others, last: others, fallen: 0, count_at: None }
    }

    /// The next check counts anew.
    fn count_next(&mut self) {
        self.fallen = u64::MAX;
    }

    /// An upper bound of the group's part of `file` bytes. After pages were given back, they are counted
    /// anew.
    fn of_maps(&mut self, file: u64, count: impl FnOnce() -> Option<u64>) -> u64 {
        self.fallen = self.fallen.saturating_add(self.last.saturating_sub(file));
        self.last = file;
        if self.fallen > SHRINK_MIN && self.count_at.is_none_or(|at| Instant::now() >= at) {
            let start = Instant::now();
            self.note(file, count().unwrap_or(file));
            self.count_at = Some(Instant::now() + start.elapsed() * COUNT_PAUSE);
        }
        file.saturating_sub(self.others)
    }

    /// Takes note of a count.
    fn note(&mut self, file: u64, of_maps: u64) {
        *self = Self { last: file, count_at: self.count_at, ..Self::new(file.saturating_sub(of_maps)) };
    }
}

/// The time in which so many bytes could be read, within bounds.
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

    #[test]
    fn pages_that_come_are_of_the_map() {
        let mut pages = Pages::new(10 << 20);
        let never = || -> Option<u64> { panic!("nothing is counted") };
        assert_eq!(pages.of_maps(25 << 20, never), 15 << 20);
        assert_eq!(pages.of_maps(25 << 20, never), 15 << 20);
    }

    #[test]
    fn pages_that_go_are_a_reason_to_count() {
        let mut pages = Pages { last: 40 << 20, ..Pages::new(10 << 20) };
        assert_eq!(pages.of_maps(30 << 20, || Some(25 << 20)), 25 << 20);
        assert_eq!(pages.of_maps(32 << 20, || None), 27 << 20);
    }

    #[test]
    fn pages_that_go_little_by_little_are_counted_too() {
        let mut pages = Pages::new(100 << 20);
        let never = || -> Option<u64> { panic!("nothing is counted") };
        // Other files are closed, and the group reads as much.
        let less = (100 << 20) - SHRINK_MIN / 2;
        for file in [less, 100 << 20, less, 100 << 20] {
            pages.of_maps(file, never);
        }
        assert_eq!(pages.of_maps(less, || Some(50 << 20)), 50 << 20);
    }

    #[test]
    fn counts_that_take_long_are_rare() {
        let mut pages = Pages::new(100 << 20);
        let slow = || {
            std::thread::sleep(Duration::from_millis(50));
            Some(1)
        };
        assert_eq!(pages.of_maps(90 << 20, slow), 1);
        pages.of_maps(80 << 20, || panic!("counted at once"));
        pages.count_at = Some(Instant::now());
        assert_eq!(pages.of_maps(80 << 20, || Some(2)), 2);
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    mod on_linux {
        use std::io::Write;
        use std::sync::{Mutex, PoisonError};

        use super::*;

        const LEN: usize = 32 << 20;

        /// Held by a test that reads a map: file pages are those of the whole process.
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
            // Otherwise a release build would leave out the unused sum.
            std::hint::black_box(sum)
        }

        fn resident(mapping: &Mapping) -> Option<u64> {
            mapping.resident_bytes(0..LEN)
        }

        /// Looks once at some maps with one limit, all of them read.
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
            // The first and the third are in use.
            [0, 2].iter().for_each(|used: &usize| maps[*used].mark_used());
            let of_one = LEN as u64;
            // Room for three and a half: two of the four are one too many for half of it.
            let limit = of_one * 7;
            let (mut groups, _) = look_at(&maps, limit);
            let left = maps.each_ref().map(|mapping| resident(mapping).unwrap() / of_one);
            assert_eq!(left, [0, 0, 1, 0]);
            maps.iter().for_each(|mapping| _ = read(mapping));
            // The marks are gone, and the hand goes on.
            Watcher::new().unwrap().turn(&mut groups);
            let left = maps.each_ref().map(|mapping| resident(mapping).unwrap() / of_one);
            assert_eq!(left, [1, 0, 0, 0]);
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
            // Three quarters of the limit are left: 20,000 bytes are to go.
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
