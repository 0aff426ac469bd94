//! Threads that are kept for a moment after their work, since waking a thread takes a fraction of the time
//! that starting one takes. All runs of a process share them.
//!
//! A child of `fork` has none of its parent's threads, and a lock that another thread held then is never free
//! again in the child. So each list belongs to one process, and only a thread that is in the list waits for
//! its lock.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::threads::{processors, start};

/// The time for which a thread waits for more work.
const KEPT_FOR: Duration = Duration::from_millis(200);

/// Work, which calls its argument at the end, before the result reaches the lender.
type Job = Box<dyn FnOnce(&dyn Fn()) + Send>;

static IDLE: Mutex<Idle> = Mutex::new(Idle { process: 0, next: 0, threads: Vec::new() });

/// The threads that wait for work.
struct Idle {
    process: u32,
    /// The number of the next thread.
    next: u64,
    threads: Vec<(u64, Sender<Job>)>,
}

/// Work on a thread that other work may use afterwards.
#[derive(Debug)]
pub struct Lent<T>(Arc<Outcome<T>>);

#[derive(Debug)]
struct Outcome<T> {
    result: Mutex<Option<std::thread::Result<T>>>,
    is_there: Condvar,
}

impl<T> Lent<T> {
    /// Waits for the end of the work.
    ///
    /// # Errors
    /// The panic of the work.
    pub fn join(self) -> std::thread::Result<T> {
        let mut result = self.0.result.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match result.take() {
                Some(result) => return result,
                None => result = self.0.is_there.wait(result).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

/// Runs `work` on a kept thread or, if none is idle, on a new one; `None` if the system refuses a new one.
pub fn lend<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<Lent<T>> {
    let lent = Arc::new(Outcome { result: Mutex::new(None), is_there: Condvar::new() });
    let outcome = lent.clone();
    let job: Job = Box::new(move |end| {
        let result = catch_unwind(AssertUnwindSafe(work));
        end();
        *outcome.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        outcome.is_there.notify_one();
    });
    let job = match take_idle() {
        Some(thread) => match thread.send(job) {
            Ok(()) => return Some(Lent(lent)),
            Err(refused) => refused.0,
        },
        None => job,
    };
    start(|| serve(job)).map(|_| Lent(lent))
}

fn take_idle() -> Option<Sender<Job>> {
    IDLE.try_lock().ok()?.of_process().threads.pop().map(|(_, thread)| thread)
}

/// Runs a job, and then further ones until none comes for a while.
fn serve(mut job: Job) {
    let (sender, jobs) = channel();
    loop {
        let kept = std::cell::Cell::new(None);
        job(&|| kept.set(keep(&sender)));
        let Some(number) = kept.into_inner() else { return };
        job = match jobs.recv_timeout(KEPT_FOR) {
            Ok(next) => next,
            Err(_) if withdraw(number) => return,
            // A lender has just taken the thread, and its job is on the way.
            Err(_) => match jobs.recv() {
                Ok(next) => next,
                Err(_) => return,
            },
        };
    }
}

/// Adds a thread to those that wait for work, and returns its number. `None` if enough threads wait.
fn keep(thread: &Sender<Job>) -> Option<u64> {
    let mut idle = IDLE.try_lock().ok()?;
    let idle = idle.of_process();
    if cfg!(miri) || idle.threads.len() >= processors() {
        return None;
    }
    idle.next += 1;
    idle.threads.push((idle.next, thread.clone()));
    Some(idle.next)
}

/// Removes a thread from those that wait for work. Returns false if a lender has taken it.
fn withdraw(number: u64) -> bool {
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let place = idle.threads.iter().position(|(other, _)| *other == number);
    place.map(|place| idle.threads.swap_remove(place)).is_some()
}

impl Idle {
    /// The list, which is empty in a new process.
    fn of_process(&mut self) -> &mut Self {
        let process = std::process::id();
        if self.process != process {
            self.process = process;
            // The channels belong to threads that this process lacks.
            std::mem::take(&mut self.threads).into_iter().for_each(std::mem::forget);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::current;

    #[test]
    fn work_that_follows_runs_on_the_same_thread() {
        // Other tests of the process may take the thread in between, but not each time.
        let is_kept = || {
            let first = lend(|| current().id()).unwrap().join().unwrap();
            lend(|| current().id()).unwrap().join().unwrap() == first
        };
        assert!((0..100).any(|_| is_kept()));
    }

    #[test]
    fn a_panic_reaches_the_lender_and_the_thread_goes_on() {
        for _ in 0..3 {
            let panic = lend(|| panic!("on purpose")).unwrap().join().unwrap_err();
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"on purpose"));
            assert_eq!(lend(|| 7).unwrap().join().unwrap(), 7);
        }
    }

    #[test]
    fn work_runs_after_threads_have_gone() {
        for wait in [Duration::ZERO, KEPT_FOR, 2 * KEPT_FOR] {
            std::thread::sleep(wait);
            let lent: Vec<_> = (0..10).map(|number| lend(move || number).unwrap()).collect();
            let results: Vec<_> = lent.into_iter().map(|lent| lent.join().unwrap()).collect();
            assert_eq!(results, (0..10).collect::<Vec<_>>());
        }
    }
}
