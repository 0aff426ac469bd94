//! [`WorkerPool`]: threads that run the same steps, each on its own morsels of rows. Results come in the
//! order of the morsels.
//!
//! The caller gives morsels to the pool and takes the results of the first unfinished morsel. Threads begin
//! morsels in order. While there are no results to take, the caller's thread works on morsels too. The number
//! of unfinished morsels is limited, and a thread waits until its results are taken, so that memory is
//! bounded. There is no deadlock, because the first unfinished morsel is always begun and its results are
//! always taken.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use varvite_store::kept_threads::{Lent, lend};

use super::chain::Measured;
use super::context::{Context, Settings};
use super::morsel::{Morsel, WorkerSteps};
use super::stop::Stop;
use super::trails::Trails;
use crate::pipeline::rows::Batch;
use varvite_graph::Reserved;

/// The maximum number of unfinished morsels per thread.
const MORSELS_OF_THREAD: u64 = 4;
/// The maximum number of result batches of a morsel that may wait for the caller to take them. At this limit,
/// the morsel's thread waits.
const WAITING_MAX: usize = 16;
/// The number of batches that a thread passes on at once.
const AT_ONCE: usize = 4;
/// Bytes per thread that are charged to the budget at the start: `WAITING_BYTES` for the waiting batches of
/// all morsels except the first, and `MORSELS_BYTES` for the morsels themselves.
const WAITING_BYTES: usize = 256 << 10;
const MORSELS_BYTES: usize = 768 << 10;
/// The size in bytes of the largest buffers that are reused. Larger buffers, which may have held a long list,
/// are dropped.
const SPARE_BYTES: usize = 256 << 10;

/// A pool of threads.
#[derive(Debug)]
pub(super) struct WorkerPool {
    shared: Arc<Shared>,
    threads: Vec<Lent<()>>,
    /// The number of morsels given to the pool, and the number of morsels whose results have all been taken.
    given: u64,
    taken: u64,
    /// The morsel that the caller works on.
    own: Option<Work>,
    /// Whether a morsel on the caller's thread failed. The run then ends with the error, so later morsels are
    /// not needed.
    has_failed: bool,
    _room: Reserved,
    /// Results of the first unfinished morsel in reverse order, so the next batch is the last item.
    ready: Vec<Batch>,
    /// Batches to reuse.
    spare: Vec<Batch>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// Wakes idle threads when there is a morsel to begin.
    work: Condvar,
    /// Wakes threads with results when there is room for these results. `room` is separate from `work`: if
    /// there were only one condition variable, a new morsel might wake a thread that waits for room and
    /// cannot begin the morsel.
    room: Condvar,
    /// Wakes the caller when there are results.
    results: Condvar,
    is_closed: Arc<AtomicBool>,
}

#[derive(Debug)]
struct State {
    /// Slots of unfinished morsels. Morsel `n` is in slot `n` modulo the number of slots.
    slots: Vec<Slot>,
    given: u64,
    begun: u64,
    taken: u64,
    /// The number of bytes of all waiting results, and the limit of this number. At the limit, only results
    /// of the first unfinished morsel are accepted.
    waiting: usize,
    waiting_max: usize,
    spare: Vec<Batch>,
    /// The measurements of the steps on each thread.
    measured: Vec<Vec<Measured>>,
    /// Whether a thread panicked.
    is_lost: bool,
}

#[derive(Debug, Default)]
struct Slot {
    input: Morsel,
    results: Vec<Batch>,
    is_done: bool,
    failure: Option<Stop>,
    work: Work,
}

/// The work of a thread on a morsel: the morsel's number, the number of its rows or nodes, and the time that
/// the steps took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    number: u64,
    pub(super) rows: usize,
    pub(super) time: Duration,
    /// The number of values that searches have read for the morsel, if the morsel ran on a thread of the
    /// pool.
    pub(super) values_read: u64,
}

impl Work {
    fn of(number: u64, morsel: &Morsel) -> Self {
        Self { number, rows: morsel.rows(), time: Duration::ZERO, values_read: 0 }
    }
}

/// The caller's next action.
enum Turn {
    Take,
    Work,
    End(NextWork),
}

/// The result of [`WorkerPool::next`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextWork {
    Rows,
    /// A morsel is finished, and there is room for another.
    Morsel(Work),
    /// No morsel is unfinished.
    Nothing,
}

impl WorkerPool {
    /// Starts a pool with one thread fewer than the run may use, as the caller's thread works too. `None` if
    /// the system can't start a thread, or if the budget has no room for waiting rows.
    pub(super) fn start(steps: impl Fn() -> WorkerSteps, cx: &Context) -> Option<Self> {
        let count = cx.threads.saturating_sub(1);
        let room = cx.budget.reserve(cx.threads * (WAITING_BYTES + MORSELS_BYTES)).ok()?;
        let slots = (0..MORSELS_OF_THREAD * cx.threads as u64).map(|_| Slot::default()).collect();
        let measured = vec![Vec::new(); count];
        let waiting_max = cx.threads * WAITING_BYTES;
        let state = State {
            slots,
            given: 0,
            begun: 0,
            taken: 0,
            waiting: 0,
            waiting_max,
            spare: Vec::new(),
            measured,
            is_lost: false,
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            work: Condvar::new(),
            room: Condvar::new(),
            results: Condvar::new(),
            is_closed: Arc::default(),
        });
        let start = |number: usize| {
            let (shared, steps) = (shared.clone(), steps());
            let settings = cx.of_thread(shared.is_closed.clone());
            let (trails, results, spare) = (Trails::default(), Vec::new(), Vec::new());
            let worker = Worker { number, shared, steps, settings, trails, results, spare };
            lend(|| worker.work())
        };
        let threads: Vec<_> = (0..count).map_while(start).collect();
        let (ready, spare) = (Vec::new(), Vec::new());
        (!threads.is_empty()).then_some(Self {
            shared,
            threads,
            given: 0,
            taken: 0,
            own: None,
            has_failed: false,
            _room: room,
            ready,
            spare,
        })
    }

    /// Whether the pool accepts another morsel.
    pub(super) fn has_room(&self) -> bool {
        self.given - self.taken < MORSELS_OF_THREAD * (1 + self.threads.len() as u64)
    }

    /// Gives a morsel to the pool, which must have room. `morsel` is left empty.
    pub(super) fn give(&mut self, morsel: &mut Morsel) {
        let mut state = self.shared.lock();
        std::mem::swap(&mut state.slot(self.given).input, morsel);
        self.given += 1;
        state.given = self.given;
        drop(state);
        self.shared.work.notify_one();
        morsel.clear();
    }

    /// Puts the next results into `output`, which the caller passes empty. Until there are results, the
    /// caller's thread runs `steps` on a morsel too. An error of a morsel is returned after the morsel's
    /// results.
    pub(super) fn next(
        &mut self,
        steps: &mut WorkerSteps,
        output: &mut Batch,
        cx: &mut Context,
    ) -> Result<NextWork, Stop> {
        loop {
            if let Some(batch) = self.ready.pop() {
                let used = std::mem::replace(output, batch);
                self.spare.extend(Some(used).filter(|used| used.bytes() <= SPARE_BYTES));
                return Ok(NextWork::Rows);
            }
            match self.turn(steps)? {
                Turn::Take => {}
                Turn::End(taken) => return Ok(taken),
                Turn::Work if self.work(steps, output, cx) => return Ok(NextWork::Rows),
                Turn::Work => {}
            }
        }
    }

    /// Waits until the caller has something to do, and returns the action. Begins a morsel if that is the
    /// action.
    fn turn(&mut self, steps: &mut WorkerSteps) -> Result<Turn, Stop> {
        if self.taken == self.given {
            return Ok(Turn::End(NextWork::Nothing));
        }
        let mut state = self.shared.lock();
        loop {
            if state.is_lost {
                drop(state);
                self.rethrow();
                return Ok(Turn::End(NextWork::Nothing));
            }
            if state.take(self.taken, &mut self.ready) {
                state.spare.append(&mut self.spare);
                drop(state);
                self.shared.room.notify_all();
                return Ok(Turn::Take);
            }
            let slot = state.slot(self.taken);
            if std::mem::take(&mut slot.is_done) {
                let (failure, work) = (slot.failure.take(), slot.work);
                self.taken += 1;
                state.taken = self.taken;
                drop(state);
                // The next morsel is now the first unfinished one, whose results are always accepted.
                self.shared.room.notify_all();
                return failure.map_or(Ok(Turn::End(NextWork::Morsel(work))), Err);
            }
            match &self.own {
                Some(own) if state.has_room(own.number) => return Ok(Turn::Work),
                None if state.begun < state.given && !self.has_failed => {
                    let number = state.begun;
                    state.begun += 1;
                    let input = &mut state.slot(number).input;
                    self.own = Some(Work::of(number, input));
                    steps.begin(input);
                    return Ok(Turn::Work);
                }
                _ => state = self.shared.results.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Continues the caller's morsel. Returns true if `output` has the next results.
    fn work(&mut self, steps: &mut WorkerSteps, output: &mut Batch, cx: &mut Context) -> bool {
        let Some(own) = &mut self.own else { return false };
        let begin = Instant::now();
        let more = steps.next_into(output, cx);
        own.time += begin.elapsed();
        if matches!(more, Ok(true)) && own.number == self.taken {
            return true;
        }
        let mut state = self.shared.lock();
        if matches!(more, Ok(true)) {
            let batch = std::mem::replace(output, self.spare.pop().unwrap_or_default());
            state.put(own.number, [batch]);
        } else {
            let slot = state.slot(own.number);
            self.has_failed = more.is_err();
            (slot.is_done, slot.failure, slot.work) = (true, more.err(), *own);
            self.own = None;
        }
        false
    }

    /// Adds the threads' measurements of each step to `sum`.
    pub(super) fn add_measured(&self, sum: &mut [Measured]) {
        for of_thread in &self.shared.lock().measured {
            sum.iter_mut().zip(of_thread).for_each(|(sum, measured)| sum.add(measured));
        }
    }

    /// Resumes the panic of a thread on the caller's thread.
    fn rethrow(&mut self) {
        self.shared.close();
        for thread in self.threads.drain(..) {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.shared.close();
        // A panic of a thread is ignored here: either `rethrow` has already resumed it, or no caller waits
        // for the lost results.
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

impl Shared {
    /// Locks the state. A poisoned lock is still usable, since no code that holds the lock leaves the state
    /// inconsistent.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        let state = self.lock();
        self.is_closed.store(true, Ordering::Relaxed);
        drop(state);
        self.work.notify_all();
        self.room.notify_all();
    }
}

impl State {
    fn slot(&mut self, number: u64) -> &mut Slot {
        let count = self.slots.len() as u64;
        &mut self.slots[(number % count) as usize]
    }

    /// Whether results of a morsel are accepted. Those of the first unfinished morsel always are, since the
    /// caller waits for them.
    fn has_room(&mut self, number: u64) -> bool {
        let is_first = number == self.taken;
        let results = self.slot(number).results.len();
        (is_first && results == 0) || (results < WAITING_MAX && self.waiting < self.waiting_max)
    }

    /// Appends results to those of a morsel.
    fn put(&mut self, number: u64, results: impl IntoIterator<Item = Batch>) {
        let slot = self.slot(number);
        let first = slot.results.len();
        slot.results.extend(results);
        let bytes: usize = slot.results[first..].iter().map(Batch::bytes).sum();
        self.waiting += bytes;
    }

    /// Moves the results of a morsel to `ready`, in reverse order. Returns false if there are none.
    fn take(&mut self, number: u64, ready: &mut Vec<Batch>) -> bool {
        let slot = self.slot(number);
        let bytes: usize = slot.results.iter().map(Batch::bytes).sum();
        ready.extend(slot.results.drain(..).rev());
        self.waiting -= bytes;
        !ready.is_empty()
    }
}

/// The state of a thread.
struct Worker {
    number: usize,
    shared: Arc<Shared>,
    steps: WorkerSteps,
    settings: Settings,
    trails: Trails,
    /// Results that have not been passed on yet.
    results: Vec<Batch>,
    /// Batches to reuse.
    spare: Vec<Batch>,
}

impl Worker {
    fn work(mut self) {
        let mut input = Morsel::default();
        while let Some(morsel) = self.begin(&mut input) {
            let mut work = Work::of(morsel, &input);
            self.steps.begin(&mut input);
            let failure = self.run(&mut work).err();
            let has_failed = failure.is_some();
            self.end(work, failure);
            // The run ends with the error of this morsel, so later morsels are not needed.
            if has_failed {
                return;
            }
        }
    }

    /// Waits for the next morsel, moves it to `input`, and returns its number. `None` if the pool was closed.
    fn begin(&mut self, input: &mut Morsel) -> Option<u64> {
        let mut state = self.shared.lock();
        while state.begun == state.given {
            if self.is_closed() {
                return None;
            }
            state = self.shared.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let number = state.begun;
        state.begun += 1;
        std::mem::swap(&mut state.slot(number).input, input);
        Some(number).filter(|_| !self.is_closed())
    }

    /// Runs the steps on the current morsel, and passes on their results now and then.
    fn run(&mut self, work: &mut Work) -> Result<(), Stop> {
        let mut bytes = 0;
        loop {
            let mut batch = self.spare.pop().unwrap_or_default();
            let begin = Instant::now();
            let mut cx = self.settings.context(&mut self.trails);
            let more = self.steps.next_into(&mut batch, &mut cx)?;
            work.time += begin.elapsed();
            work.values_read += cx.values_read;
            if !more {
                self.spare.push(batch);
                return Ok(());
            }
            bytes += batch.bytes();
            self.results.push(batch);
            if self.results.len() >= AT_ONCE || bytes >= WAITING_BYTES {
                bytes = 0;
                self.hand_over(work.number)?;
            }
        }
    }

    /// Passes the results on as soon as there is room for them.
    fn hand_over(&mut self, morsel: u64) -> Result<(), Stop> {
        let mut state = self.shared.lock();
        while !state.has_room(morsel) {
            if self.is_closed() {
                return Err(Stop::Cancelled);
            }
            state = self.shared.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.put(morsel, self.results.drain(..));
        let wanted = AT_ONCE.saturating_sub(self.spare.len()).min(state.spare.len());
        let first = state.spare.len() - wanted;
        self.spare.extend(state.spare.drain(first..));
        drop(state);
        self.shared.results.notify_one();
        Ok(())
    }

    fn end(&mut self, work: Work, failure: Option<Stop>) {
        let mut state = self.shared.lock();
        if self.settings.is_profiled {
            let measured = &mut state.measured[self.number];
            measured.clear();
            measured.resize(self.steps.len(), Measured::default());
            self.steps.add_measured(measured);
        }
        state.put(work.number, self.results.drain(..));
        let slot = state.slot(work.number);
        (slot.is_done, slot.failure, slot.work) = (true, failure, work);
        drop(state);
        self.shared.results.notify_one();
    }

    fn is_closed(&self) -> bool {
        self.shared.is_closed.load(Ordering::Relaxed)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.shared.lock().is_lost = true;
            self.shared.results.notify_one();
        }
    }
}
