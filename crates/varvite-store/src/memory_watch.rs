//! [`MemoryWatch`]: keeps a process that reads a map of a file within a limit of memory.
//!
//! What counts is what the system counts for the process: its private memory, and pages of files that came to it since the
//! watch began. A map costs nothing until it is read, and then keeps what was read; so a thread looks how much that is,
//! every ten milliseconds or sooner where the limit could be reached before, and gives all pages of the map back when
//! they fill most of the room that private memory leaves. Whoever reads them again gets the same bytes at the same
//! addresses, as a rule out of the system's own cache. Where private memory is most of the limit, what the allocator keeps
//! of it is given back too; buffers that nobody holds go only where it is nearly all of the limit, and no more of them than
//! is in the way, because making them again costs more than a page.
//!
//! It stops nobody: what may not be allocated at all is the business of those who charge the ledger.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::cache::Cache;
use crate::heap_trim::trim_heap;
use crate::mapping::{Advice, Mapping};
use crate::process_memory::MemoryGauge;
use crate::threads;

/// Limits below this have no room for what a program needs anyway: its own heap, stacks, and a few buffers.
pub const PROCESS_MIN: u64 = 24 << 20;

/// The longest time between two looks.
const PAUSE_MAX: Duration = Duration::from_millis(10);
/// The shortest: a look takes some five microseconds.
const PAUSE_MIN: Duration = Duration::from_micros(100);
/// Bytes of a map that a process may read in a second, more or less, which are in the system's cache.
const BYTES_PER_SECOND: u64 = 8 << 30;
/// Pages may fill so much of the room for them: the rest is for what is read between two looks, which is more where others
/// have the processor.
const FILL: (u64, u64) = (1, 2);
/// Of the limit, private memory may have so many of these parts before buffers give way, and has so many afterwards.
const PARTS: u64 = 16;
const PARTS_MAX: u64 = 14;
const PARTS_LEFT: u64 = 12;
/// The allocator and buffers are asked no more often, and less often where they had little to give: up to so seldom.
const RELIEF_PAUSE: Duration = Duration::from_millis(10);
const RELIEF_PAUSE_URGENT: Duration = Duration::from_millis(1);
const RELIEF_PAUSE_MAX: Duration = Duration::from_secs(1);
/// Of the limit, this share is little.
const LITTLE: u64 = 32;
/// File pages may become fewer by this much without a count: the system counts in batches.
const SHRINK_MIN: u64 = 1 << 20;

/// What a watch has seen and done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Watched {
    /// The limit in bytes.
    pub limit: u64,
    /// Most bytes that it saw at a time.
    pub most: u64,
    /// How often pages of the map were given back.
    pub given_back: u64,
}

/// A watch, until it is dropped.
pub(crate) struct MemoryWatch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread and others see.
#[derive(Debug)]
struct Shared {
    limit: u64,
    most: AtomicU64,
    given_back: AtomicU64,
    is_over: Mutex<bool>,
    ended: Condvar,
}

impl MemoryWatch {
    /// Begins to watch. None where the system does not tell how much memory the process has, or gives no thread.
    pub(crate) fn start(mapping: Arc<Mapping>, buffers: Vec<Arc<Cache>>, limit: u64) -> Option<Self> {
        let shared = Arc::new(Shared {
            limit,
            most: AtomicU64::new(0),
            given_back: AtomicU64::new(0),
            is_over: Mutex::new(false),
            ended: Condvar::new(),
        });
        let mut watcher = Watcher::new(mapping, buffers, Arc::clone(&shared))?;
        let thread = threads::start(move || watcher.watch())?;
        Some(Self { shared, thread: Some(thread) })
    }

    /// What it has seen and done until now.
    pub(crate) fn watched(&self) -> Watched {
        let Shared { limit, most, given_back, .. } = &*self.shared;
        let [most, given_back] = [most, given_back].map(|number| number.load(Ordering::Relaxed));
        Watched { limit: *limit, most, given_back }
    }
}

impl fmt::Debug for MemoryWatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.watched().fmt(formatter)
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        *self.shared.is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.shared.ended.notify_all();
        if let Some(thread) = self.thread.take() {
            // A watch that panicked has nothing to say to whoever closes the file.
            let _ = thread.join();
        }
    }
}

/// The thread's own.
struct Watcher {
    mapping: Arc<Mapping>,
    buffers: Vec<Arc<Cache>>,
    gauge: MemoryGauge,
    shared: Arc<Shared>,
    pages: Pages,
    relief: Relief,
}

impl Watcher {
    fn new(mapping: Arc<Mapping>, buffers: Vec<Arc<Cache>>, shared: Arc<Shared>) -> Option<Self> {
        let gauge = MemoryGauge::open()?;
        let before = gauge.read()?.file;
        let pages = Pages { others: before, last: before };
        Some(Self { mapping, buffers, gauge, shared, pages, relief: Relief::new() })
    }

    fn watch(&mut self) {
        let shared = Arc::clone(&self.shared);
        let mut is_over = shared.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        while !*is_over {
            let pause = self.look();
            (is_over, _) = shared.ended.wait_timeout(is_over, pause).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Looks once, and gives back what is too much. How long the next look may wait.
    fn look(&mut self) -> Duration {
        let Some(memory) = self.gauge.read() else { return PAUSE_MAX };
        let of_map =
            self.pages.of_map(memory.file, || self.mapping.resident_bytes(0..self.mapping.bytes().len()));
        self.shared.most.fetch_max(memory.anonymous + of_map, Ordering::Relaxed);
        let room = self.shared.limit.saturating_sub(memory.anonymous) / FILL.1 * FILL.0;
        let left = match room.checked_sub(of_map) {
            Some(left) => left,
            None => {
                self.give_back_pages(of_map);
                room
            }
        };
        self.relieve_heap(memory.anonymous);
        pause_for(left)
    }

    fn give_back_pages(&mut self, of_map: u64) {
        if of_map == 0 {
            return;
        }
        // It is advice: if the system declines, memory stays used, and nothing is wrong.
        let _ = self.mapping.advise(0..self.mapping.bytes().len(), Advice::DontNeed);
        self.shared.given_back.fetch_add(1, Ordering::Relaxed);
        if let Some(memory) = self.gauge.read() {
            self.pages = Pages { others: memory.file, last: memory.file };
        }
    }

    /// Gives back as many buffers as are in the way; false if nobody can do without one.
    fn give_back_buffers(&self, anonymous: u64) -> bool {
        let mut excess = anonymous.saturating_sub(self.shared.limit / PARTS * PARTS_LEFT);
        let before = excess;
        for cache in &self.buffers {
            let kept = cache.bytes();
            cache.shrink(kept.saturating_sub(excess));
            excess = excess.saturating_sub(kept.saturating_sub(cache.bytes()));
        }
        excess < before
    }

    /// Gives back private memory that nobody holds, where it is more than half of the limit, and before that buffers, where it is nearly
    /// all of it.
    fn relieve_heap(&mut self, anonymous: u64) {
        let limit = self.shared.limit;
        let is_much = anonymous > limit / PARTS * PARTS_MAX && self.relief.is_due_if_urgent();
        let is_urgent = is_much && self.give_back_buffers(anonymous);
        if !is_urgent && (anonymous <= limit / 2 || !self.relief.is_due()) {
            return;
        }
        trim_heap();
        let after = self.gauge.read().map_or(anonymous, |memory| memory.anonymous);
        self.relief.note(anonymous.saturating_sub(after) < limit / LITTLE);
    }
}

/// When private memory is relieved again.
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

/// What is known of the file pages of the process.
#[derive(Clone, Copy, Debug)]
struct Pages {
    /// Those of other files when they were counted last.
    others: u64,
    /// All of them at the last look.
    last: u64,
}

impl Pages {
    /// How many of `file` bytes are of the map, at most: whatever came since the last count. Where pages went, of whatever
    /// file, they are counted anew.
    fn of_map(&mut self, file: u64, count: impl FnOnce() -> Option<u64>) -> u64 {
        if file.saturating_add(SHRINK_MIN) < self.last {
            self.others = count().map_or(0, |of_map| file.saturating_sub(of_map));
        }
        self.last = file;
        file.saturating_sub(self.others)
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
        let mut pages = Pages { others: 10 << 20, last: 10 << 20 };
        let never = || -> Option<u64> { panic!("nothing is counted") };
        assert_eq!(pages.of_map(25 << 20, never), 15 << 20);
        assert_eq!(pages.of_map(25 << 20, never), 15 << 20);
    }

    #[test]
    fn pages_that_go_are_a_reason_to_count() {
        let mut pages = Pages { others: 10 << 20, last: 40 << 20 };
        assert_eq!(pages.of_map(30 << 20, || Some(25 << 20)), 25 << 20);
        assert_eq!(pages.of_map(32 << 20, || None), 27 << 20);
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    mod on_linux {
        use std::io::Write;

        use super::*;

        const LEN: usize = 32 << 20;

        /// Held by a test that reads a map: file pages are those of the whole process.
        static READING: Mutex<()> = Mutex::new(());

        fn reading() -> std::sync::MutexGuard<'static, ()> {
            READING.lock().unwrap_or_else(PoisonError::into_inner)
        }

        fn watcher(limit: u64) -> Watcher {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&vec![7; LEN]).unwrap();
            let mapping = Arc::new(Mapping::of_file(&file).unwrap());
            let (is_over, ended) = Default::default();
            let [most, given_back] = [0, 0].map(AtomicU64::new);
            let shared = Shared { limit, most, given_back, is_over, ended };
            Watcher::new(mapping, Vec::new(), Arc::new(shared)).unwrap()
        }

        fn read(mapping: &Mapping) -> u64 {
            let sum = mapping.bytes().iter().step_by(4096).map(|byte| u64::from(*byte)).sum();
            // Else a release build leaves out what nobody asked for.
            std::hint::black_box(sum)
        }

        #[test]
        fn pages_beyond_the_limit_go_and_read_the_same_again() {
            let _reading = reading();
            let mut watcher = watcher(1);
            let sum = read(&watcher.mapping);
            assert_eq!(watcher.mapping.resident_bytes(0..LEN), Some(LEN as u64));
            watcher.look();
            assert_eq!(watcher.mapping.resident_bytes(0..LEN), Some(0));
            assert_eq!(watcher.shared.given_back.load(Ordering::Relaxed), 1);
            assert!(watcher.shared.most.load(Ordering::Relaxed) >= LEN as u64 / 2);
            assert_eq!(read(&watcher.mapping), sum);
        }

        #[test]
        fn pages_within_the_limit_stay() {
            let _reading = reading();
            let mut watcher = watcher(u64::MAX);
            read(&watcher.mapping);
            assert_eq!(watcher.look(), PAUSE_MAX);
            assert_eq!(watcher.mapping.resident_bytes(0..LEN), Some(LEN as u64));
        }

        #[test]
        fn a_watch_ends_with_its_owner() {
            let _reading = reading();
            let Watcher { mapping, .. } = watcher(1);
            let watch = MemoryWatch::start(Arc::clone(&mapping), Vec::new(), 1).unwrap();
            let start = Instant::now();
            while watch.watched().given_back == 0 {
                read(&mapping);
                assert!(start.elapsed() < Duration::from_secs(30), "{watch:?}");
            }
            drop(watch);
            assert_eq!(Arc::strong_count(&mapping), 1);
        }
    }
}
