//! Work on many threads, results in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::thread::available_parallelism;

/// How many threads can run at a time. Asked once: the system reads files to answer, which takes longer than many a run.
pub(crate) fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| available_parallelism().map_or(1, usize::from))
}

/// Results that may wait for those before them, for each thread. Few are large, and one job may take as long as a dozen others.
const WAITING_OF_THREAD: usize = 12;

/// Runs `work` on every job, on `threads` threads, and hands the results to `take` in the order of the jobs, on the
/// calling thread, which is also the one that works if `threads` is 1. No more than twelve results for each thread wait at a
/// time, so that memory stays bounded, and the others go on while one takes longer.
///
/// # Errors
/// The first error of `work` in the order of the jobs, or the first of `take`; jobs not yet begun are left out.
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
        state: Mutex::new(State { next: 0, taken: 0, done: BTreeMap::new() }),
        changed: Condvar::new(),
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.min(jobs.len()) {
            scope.spawn(|| {
                while let Some(number) = queue.begin(jobs.len(), WAITING_OF_THREAD * threads) {
                    queue.end(number, work(&jobs[number]));
                }
            });
        }
        let outcome = (0..jobs.len()).try_for_each(|number| take(queue.wait_for(number)?));
        queue.close(jobs.len());
        outcome
    })
}

/// The results of `work` on every job, in the order of the jobs. The calling thread works too, and nobody waits for anybody
/// before the end: for jobs of less than a millisecond, whose results may all be in memory. Each thread begins with what `begin`
/// gives it and keeps that from job to job.
///
/// # Errors
/// The first error of `work` in the order of the jobs; jobs not yet begun are left out.
pub(crate) fn all_in_order<J: Sync, S, R: Send, E: Send>(
    jobs: &[J],
    threads: usize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &J) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let run = || {
        let (mut state, mut done) = (begin(), Vec::new());
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
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(jobs.len())).map(|_| scope.spawn(run)).collect();
        let mut done = run();
        others.into_iter().for_each(|thread| done.extend(thread.join().expect("work does not panic")));
        done
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

struct Queue<R> {
    state: Mutex<State<R>>,
    changed: Condvar,
}

struct State<R> {
    next: usize,
    taken: usize,
    done: BTreeMap<usize, R>,
}

impl<R> Queue<R> {
    /// The number of a job to begin, once few enough results wait.
    fn begin(&self, jobs: usize, waiting_max: usize) -> Option<usize> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.next < jobs && state.next >= state.taken + waiting_max {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let number = state.next;
        state.next += 1;
        (number < jobs).then_some(number)
    }

    fn end(&self, number: usize, result: R) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.done.insert(number, result);
        self.changed.notify_all();
    }

    fn wait_for(&self, number: usize) -> R {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(result) = state.done.remove(&number) {
                state.taken = number + 1;
                self.changed.notify_all();
                return result;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// No job begins any more.
    fn close(&self, jobs: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.next = jobs;
        state.taken = jobs;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_full_taker_ends_the_work_too() {
        let jobs = [1, 2, 3];
        assert_eq!(in_order(&jobs, 2, |_| Ok(()), |()| Err("full")), Err("full"));
    }
}
