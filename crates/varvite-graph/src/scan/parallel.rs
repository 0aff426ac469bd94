//! Runs jobs on several threads, with results in the order of the jobs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use varvite_format::ErrorCode;
use varvite_store::threads::{self, start_in};

use crate::error::Result as GraphResult;

/// The time that work must take on one thread before other threads are started for it. Starting and ending a
/// thread takes about 100 microseconds, and many times as long if other work keeps the processors busy.
const THREADS_PAY_FROM: Duration = Duration::from_millis(1);

/// Whether the remaining work, at the speed so far, takes long enough to start other threads.
pub fn threads_pay(spent: Duration, done: usize, left: usize) -> bool {
    spent.mul_f64(left as f64 / done.max(1) as f64) >= THREADS_PAY_FROM
}

/// The number of results, for each thread, that may wait for the results of earlier jobs. Few results are
/// large, and one job may take as long as a dozen others, whose results then wait for it.
const WAITING_OF_THREAD: usize = 12;

/// Runs `work` on every job, on `threads` threads, and passes the results to `take` in the order of the jobs.
/// `take` runs on the calling thread; if `threads` is 1, `work` does too. At most twelve results for each
/// thread wait at a time. So memory stays bounded, and other threads go on while one job takes longer.
///
/// # Errors
/// The first error of `work` in the order of the jobs, or the first error of `take`. Jobs that have not begun
/// are then not run.
///
/// # Panics
/// Panics if `work` or `take` panics.
pub fn in_order<J: Sync, R: Send, E: Send>(
    jobs: &[J],
    threads: usize,
    work: impl Fn(&J) -> Result<R, E> + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    if threads <= 1 {
        return jobs.iter().try_for_each(|job| take(work(job)?));
    }
    let queue = Queue {
        state: Mutex::new(State { next: 0, taken: 0, done: BTreeMap::new(), is_over: false, is_lost: false }),
        changed: Condvar::new(),
    };
    std::thread::scope(|scope| {
        let help = || {
            let _watch = Watch(&queue);
            while let Some(number) = queue.begin(jobs.len(), WAITING_OF_THREAD * threads) {
                queue.end(number, work(&jobs[number]));
            }
        };
        let helpers = (0..threads.min(jobs.len())).map_while(|_| start_in(scope, help));
        if helpers.count() == 0 {
            return jobs.iter().try_for_each(|job| take(work(job)?));
        }
        let _watch = Watch(&queue);
        // `wait_for` returns `None` only if a thread panicked; the end of the scope then panics too.
        let mut results = (0..jobs.len()).map_while(|number| queue.wait_for(number));
        results.try_for_each(|result| take(result?))
    })
}

/// The same as [`in_order`], for work that takes scratch memory from a budget that all threads share. A job
/// that fails for lack of memory is run again while no other job runs. So scratch memory for one thread is
/// enough for any number of threads; the memory of results that wait is needed in addition. `work` must keep
/// nothing of a job that failed for lack of memory.
///
/// # Errors
/// The errors of [`in_order`].
///
/// # Panics
/// Panics if `work` or `take` panics.
pub fn in_order_within_memory<J: Sync, R: Send>(
    jobs: &[J],
    threads: usize,
    work: impl Fn(&J) -> GraphResult<R> + Sync,
    take: impl FnMut(R) -> GraphResult<()>,
) -> GraphResult<()> {
    // Locked for reading by jobs that run at the same time, for writing by a job that runs alone.
    let running = RwLock::new(());
    let beside_others = |job: &J| {
        let _running = running.read().unwrap_or_else(PoisonError::into_inner);
        work(job)
    };
    let alone = |job: &J| {
        let _running = running.write().unwrap_or_else(PoisonError::into_inner);
        work(job)
    };
    let work = |job: &J| match beside_others(job) {
        Err(error) if threads > 1 && error.code() == ErrorCode::OverBudget => alone(job),
        outcome => outcome,
    };
    in_order(jobs, threads, work, take)
}

/// The results of `work` on every job, in the order of the jobs. Use this function for jobs of less than a
/// millisecond whose results all fit in memory. The calling thread begins alone, and other threads are
/// started once the remaining work is long enough. No thread waits for another before the end. Each thread
/// gets a state from `begin`, which it passes to `work` for all of its jobs.
///
/// # Errors
/// The first error of `work` in the order of the jobs. Jobs that have not begun are then not run.
///
/// # Panics
/// Panics if `work` panics.
pub fn all_in_order<J: Sync, S: Send, R: Send, E: Send>(
    jobs: &[J],
    threads: usize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &J) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let (mut own, mut results) = (begin(), Vec::with_capacity(jobs.len()));
    let started = Instant::now();
    for job in jobs {
        results.push(work(&mut own, job)?);
        if threads > 1 && threads_pay(started.elapsed(), results.len(), jobs.len() - results.len()) {
            break;
        }
    }
    let jobs = &jobs[results.len()..];
    // The first thread that begins takes the state that the calling thread used.
    let (next, own) = (AtomicUsize::new(0), Mutex::new(Some(own)));
    let run = || {
        let own = own.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (mut state, mut done) = (own.unwrap_or_else(&begin), Vec::new());
        while let number = next.fetch_add(1, Ordering::Relaxed)
            && let Some(job) = jobs.get(number)
        {
            let result = work(&mut state, job);
            if result.is_err() {
                next.store(jobs.len(), Ordering::Relaxed);
            }
            done.push((number, result));
        }
        done
    };
    let mut done: Vec<_> = threads::run(threads.min(jobs.len()), run).into_iter().flatten().collect();
    done.sort_unstable_by_key(|(number, _)| *number);
    for (_, result) in done {
        results.push(result?);
    }
    Ok(results)
}

struct Queue<R> {
    state: Mutex<State<R>>,
    changed: Condvar,
}

struct State<R> {
    next: usize,
    taken: usize,
    done: BTreeMap<usize, R>,
    /// No further job may begin.
    is_over: bool,
    /// A thread panicked, so that its result will never arrive.
    is_lost: bool,
}

/// When dropped, at the end of a thread or at its panic, ends the work of all threads, so that no thread
/// waits forever.
struct Watch<'a, R>(&'a Queue<R>);

impl<R> Drop for Watch<'_, R> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.is_over = true;
        state.is_lost |= std::thread::panicking();
        self.0.changed.notify_all();
    }
}

impl<R> Queue<R> {
    /// Locks the state, even after a panic of another thread. That is safe, because no code panics in the
    /// middle of a change of the state.
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while too many results wait for earlier jobs, then returns the number of the next job. `None` if
    /// all jobs have begun, or if the receiver has stopped.
    fn begin(&self, jobs: usize, waiting_max: usize) -> Option<usize> {
        let mut state = self.lock();
        while !state.is_over && state.next < jobs && state.next >= state.taken + waiting_max {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let number = state.next;
        state.next += 1;
        (number < jobs && !state.is_over).then_some(number)
    }

    fn end(&self, number: usize, result: R) {
        self.lock().done.insert(number, result);
        self.changed.notify_all();
    }

    /// Waits for the result of a job; `None` if a thread panicked.
    fn wait_for(&self, number: usize) -> Option<R> {
        let mut state = self.lock();
        loop {
            if let Some(result) = state.done.remove(&number) {
                state.taken = number + 1;
                self.changed.notify_all();
                return Some(result);
            }
            if state.is_lost {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let jobs: Vec<u32> = (0..100).collect();
        let mut taken = Vec::new();
        let outcome: Result<(), ()> = in_order(
            &jobs,
            4,
            |job| Ok(job * 2),
            |result| {
                taken.push(result);
                Ok(())
            },
        );
        outcome.unwrap();
        assert_eq!(taken, jobs.iter().map(|job| job * 2).collect::<Vec<_>>());
    }

    #[test]
    fn the_first_error_ends_the_work() {
        let jobs: Vec<u32> = (0..1000).collect();
        let outcome = in_order(&jobs, 3, |job| if *job == 10 { Err("ten") } else { Ok(()) }, |()| Ok(()));
        assert_eq!(outcome, Err("ten"));
    }

    #[test]
    fn a_panic_is_passed_on_and_nobody_waits_for_it() {
        let jobs: Vec<u32> = (0..1000).collect();
        let panics = |run: &(dyn Fn() + std::panic::RefUnwindSafe)| std::panic::catch_unwind(run).is_err();
        let work = |job: &u32| if *job == 500 { panic!("on purpose") } else { Ok::<_, ()>(()) };
        for threads in [1, 2, 5] {
            assert!(panics(&|| _ = in_order(&jobs, threads, work, Ok)));
            let full = |()| panic!("on purpose");
            assert!(panics(&|| _ = in_order(&jobs, threads, |_| Ok::<_, ()>(()), full)));
            assert!(panics(&|| _ = all_in_order(&jobs, threads, || (), |(), job| work(job))));
        }
    }

    #[test]
    fn all_results_come_in_order_and_threads_keep_what_they_began_with() {
        let jobs: Vec<u32> = (0..100).collect();
        for threads in [0, 1, 2, 7, 200] {
            let work = |seen: &mut u32, job: &u32| {
                *seen += 1;
                Ok::<_, ()>((*job, *seen))
            };
            let results = all_in_order(&jobs, threads, || 0, work).unwrap();
            assert!(results.iter().map(|(job, _)| job).eq(&jobs), "{threads} threads");
            assert!(threads > 1 || results.iter().all(|(job, seen)| job + 1 == *seen));
        }
        assert_eq!(all_in_order(&[], 2, || (), |(), _: &u32| Ok::<_, ()>(1)), Ok(vec![]));
    }

    #[test]
    fn the_first_error_in_order_is_the_one_that_is_given() {
        let jobs: Vec<u32> = (0..1000).collect();
        for threads in [1, 2, 5] {
            let work = |(): &mut (), job: &u32| if *job >= 10 { Err(*job) } else { Ok(()) };
            assert_eq!(all_in_order(&jobs, threads, || (), work), Err(10));
        }
    }

    #[test]
    fn memory_for_one_job_is_enough_for_any_number_of_threads() {
        let budget = Budget::new(100);
        let work = |bytes: &usize| {
            let _reserved = budget.reserve(*bytes)?;
            std::thread::sleep(Duration::from_micros(200));
            Ok(*bytes)
        };
        for threads in [1, 2, 8] {
            let mut taken = Vec::new();
            let take = |bytes| {
                taken.push(bytes);
                Ok(())
            };
            in_order_within_memory(&[60, 70, 100].repeat(10), threads, work, take).unwrap();
            assert_eq!(taken, [60, 70, 100].repeat(10), "{threads} threads");
            let refused = in_order_within_memory(&[60, 101, 60], threads, work, |_| Ok(()));
            assert_eq!(refused.unwrap_err().code(), ErrorCode::OverBudget, "{threads} threads");
        }
    }

    #[test]
    fn a_full_taker_ends_the_work_too() {
        let jobs = [1, 2, 3];
        assert_eq!(in_order(&jobs, 2, |_| Ok(()), |()| Err("full")), Err("full"));
    }
}
