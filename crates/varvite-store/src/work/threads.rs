//! Starts threads. All threads are started here, so that the case in which the system refuses a thread is
//! handled in one way.
//!
//! An operation must not fail because of a process limit or a lack of memory for a thread: a caller that gets
//! no thread does the work alone. So work is never assigned to a thread before the thread runs.

use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle, available_parallelism};

/// The name of all threads of this crate in tools such as `top`.
const NAME: &str = "varvite";

/// The number of threads that can run at the same time. Determined once, since the standard library reads
/// files for it, which takes longer than a short operation.
pub fn processors() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| available_parallelism().map_or(1, usize::from))
}

/// Starts a thread; `None` if the system refuses.
pub fn start<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<JoinHandle<T>> {
    Builder::new().name(NAME.to_owned()).spawn(work).ok()
}

/// Starts a thread that ends within a scope; `None` if the system refuses.
pub fn start_in<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    Builder::new().name(NAME.to_owned()).spawn_scoped(scope, work).ok()
}

/// Runs `work` on `threads` threads, the calling thread included, or on fewer if the system refuses some.
/// `work` takes its jobs from a state that all threads share. Returns the result of each thread, that of the
/// calling thread first.
///
/// # Panics
/// Panics if `work` does.
pub fn run<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map_while(|_| start_in(scope, &work)).collect();
        let mut returned = vec![work()];
        returned.extend(others.into_iter().map(|it| it.join().unwrap_or_else(|panic| resume_unwind(panic))));
        returned
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn the_calling_thread_works_too() {
        for threads in [0, 1, 3] {
            let calls = AtomicUsize::new(0);
            let numbers = run(threads, || calls.fetch_add(1, Ordering::Relaxed));
            assert_eq!(numbers.len(), threads.max(1));
            assert_eq!(numbers.iter().sum::<usize>(), (0..threads.max(1)).sum());
        }
    }

    #[test]
    fn a_panic_of_one_is_a_panic_of_all() {
        let calls = AtomicUsize::new(0);
        let work = || assert_ne!(calls.fetch_add(1, Ordering::Relaxed), 1, "on purpose");
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(3, work))).is_err());
    }
}
