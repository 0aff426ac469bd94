//! Runs a sequence of jobs on several threads, and returns their results in the order of the jobs.
//!
//! The calling thread makes jobs and takes results. While it has neither to do, it also works on jobs. The
//! number of unfinished jobs is limited, so that memory stays bounded. If no thread can be started, the
//! caller does all the work.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use varvite_store::threads::start_in;

/// The maximum number of unfinished jobs per thread.
pub(crate) const JOBS_OF_THREAD: usize = 3;

/// Calls `jobs` until it returns `None`, and runs `work` on each job, on `threads` threads including the
/// calling one. Passes the results to `take` in the order of the jobs. Each thread has a state of its own,
/// which `begin` makes and each call of `work` gets.
///
/// # Errors
/// An error of `take` is returned at once. An error of `jobs` is returned after `take` got the results of all
/// earlier jobs.
///
/// # Panics
/// Panics if one of the functions panics.
pub(crate) fn in_order<J: Send, R: Send, S, E>(
    threads: usize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, J) -> R + Sync,
    mut jobs: impl FnMut() -> Result<Option<J>, E>,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let queue = Queue::default();
    std::thread::scope(|scope| {
        let help = || {
            let _watch = Watch(&queue);
            let mut state = begin();
            while let Some((number, job)) = queue.begin() {
                let result = work(&mut state, job);
                queue.end(number, result);
            }
        };
        let helpers = (1..threads).map_while(|_| start_in(scope, help)).count();
        let _watch = Watch(&queue);
        let (mut own, under_way_max) = (begin(), JOBS_OF_THREAD * (1 + helpers));
        let (mut given, mut taken, mut end) = (0, 0, None);
        loop {
            if let Some(result) = queue.result(taken) {
                taken += 1;
                take(result)?;
            } else if end.is_none() && given - taken < under_way_max {
                match jobs() {
                    Ok(Some(job)) => {
                        queue.give(given, job);
                        given += 1;
                    }
                    over => end = Some(over.map(|_| ())),
                }
            } else if given == taken {
                return end.unwrap_or(Ok(()));
            } else {
                match queue.turn(taken) {
                    Turn::Work(number, job) => queue.end(number, work(&mut own, job)),
                    Turn::Take => {}
                    // The scope will propagate the panic.
                    Turn::Lost => return Ok(()),
                }
            }
        }
    })
}

struct Queue<J, R> {
    state: Mutex<State<J, R>>,
    /// Signals that a job is waiting, or that no more jobs will come.
    jobs: Condvar,
    /// Signals that a job has a result.
    results: Condvar,
}

struct State<J, R> {
    waiting: VecDeque<(usize, J)>,
    done: BTreeMap<usize, R>,
    /// Whether threads begin no further jobs.
    is_over: bool,
    /// Whether a thread panicked; its result will then never come.
    is_lost: bool,
}

/// The next task of the caller.
enum Turn<J> {
    Take,
    Work(usize, J),
    Lost,
}

impl<J, R> Default for Queue<J, R> {
    fn default() -> Self {
        let state = State { waiting: VecDeque::new(), done: BTreeMap::new(), is_over: false, is_lost: false };
        Self { state: Mutex::new(state), jobs: Condvar::new(), results: Condvar::new() }
    }
}

impl<J, R> Queue<J, R> {
    /// Locks the state. A poisoned lock is usable, since no code that holds it leaves the state inconsistent.
    fn lock(&self) -> MutexGuard<'_, State<J, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give(&self, number: usize, job: J) {
        self.lock().waiting.push_back((number, job));
        self.jobs.notify_one();
    }

    /// Waits for the next job. `None` if no more jobs will come.
    fn begin(&self) -> Option<(usize, J)> {
        let mut state = self.lock();
        loop {
            if state.is_over {
                return None;
            }
            if let Some(job) = state.waiting.pop_front() {
                return Some(job);
            }
            state = self.jobs.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn end(&self, number: usize, result: R) {
        self.lock().done.insert(number, result);
        self.results.notify_one();
    }

    fn result(&self, number: usize) -> Option<R> {
        self.lock().done.remove(&number)
    }

    /// Waits until the caller has something to do, and returns its task.
    fn turn(&self, wanted: usize) -> Turn<J> {
        let mut state = self.lock();
        loop {
            if state.is_lost {
                return Turn::Lost;
            }
            if state.done.contains_key(&wanted) {
                return Turn::Take;
            }
            if let Some((number, job)) = state.waiting.pop_front() {
                return Turn::Work(number, job);
            }
            state = self.results.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Ends the work of all threads when the caller is done, or when one panics, so that no thread waits forever.
struct Watch<'a, J, R>(&'a Queue<J, R>);

impl<J, R> Drop for Watch<'_, J, R> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.is_over = true;
        state.is_lost |= std::thread::panicking();
        drop(state);
        self.0.jobs.notify_all();
        self.0.results.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// Squares the numbers from 0 to `count` - 1. Returns the results that were taken until `take` failed at
    /// `take_max`.
    fn squares(threads: usize, count: u32, take_max: usize) -> (Vec<u32>, Result<(), &'static str>) {
        let (next, mut taken) = (Cell::new(0), Vec::new());
        let jobs = || {
            next.set(next.get() + 1);
            Ok(Some(next.get() - 1).filter(|number| *number < count))
        };
        let outcome = in_order(
            threads,
            || (),
            |(), number| number * number,
            jobs,
            |square| {
                if taken.len() == take_max {
                    return Err("full");
                }
                taken.push(square);
                Ok(())
            },
        );
        (taken, outcome)
    }

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        for threads in [1, 2, 5] {
            let (taken, outcome) = squares(threads, 300, usize::MAX);
            outcome.unwrap();
            assert_eq!(taken, (0..300).map(|number| number * number).collect::<Vec<_>>());
        }
    }

    #[test]
    fn who_takes_no_more_ends_the_work() {
        for threads in [1, 2, 5] {
            let (taken, outcome) = squares(threads, u32::MAX, 3);
            assert_eq!(taken, [0, 1, 4]);
            outcome.unwrap_err();
        }
    }

    #[test]
    fn what_came_before_an_error_is_taken() {
        for threads in [1, 2, 5] {
            let (next, mut taken) = (Cell::new(0), Vec::new());
            let jobs = || match next.replace(next.get() + 1) {
                20 => Err("stop"),
                number => Ok(Some(number)),
            };
            let outcome = in_order(
                threads,
                || (),
                |(), number: u32| number,
                jobs,
                |number| {
                    taken.push(number);
                    Ok(())
                },
            );
            outcome.unwrap_err();
            assert_eq!(taken, (0..20).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_panic_is_passed_on_and_nobody_waits_for_it() {
        for threads in [1, 2, 5] {
            let next = Cell::new(0);
            let jobs = || Ok(Some(next.replace(next.get() + 1)).filter(|number| *number < 1000));
            let work = |(): &mut (), number: u32| assert_ne!(number, 500, "on purpose");
            let run = AssertUnwindSafe(|| in_order(threads, || (), work, jobs, Ok::<_, &str>));
            assert!(catch_unwind(run).is_err(), "{threads} threads");
        }
    }
}
