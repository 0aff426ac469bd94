//! [`BackgroundCompaction`]: a thread that compacts a graph whenever the graph meets the condition of its
//! options (`CompactWhen`).

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use varvite_store::{Cancel, Operation, StoreError, Task, Vfs, threads};

use super::compaction::{CompactOptions, Compacted, compact_online};
use crate::change_error::ChangeError;
use crate::error::{GraphError, Result};

/// A thread that checks the size of a graph at intervals, and [compacts](compact_online) the graph while
/// others use it. Dropping this value cancels the thread and waits until the thread ends, which does not take
/// long.
///
/// # Example
/// ```no_run
/// use std::{sync::Arc, time::Duration};
/// use varvite::change::{BackgroundCompaction, CompactOptions, CompactWhen};
/// use varvite::vfs::RealVfs;
///
/// let options = CompactOptions::default().when(CompactWhen::OverPercent(25)).bytes_per_second(10_000_000);
/// let (vfs, path) = (Arc::new(RealVfs), "code.varvite".into());
/// let compaction =
///     BackgroundCompaction::start(vfs, path, options, Duration::from_secs(60), |outcome| match outcome {
///         Ok(compacted) => println!("compacted to {} bytes", compacted.file_len),
///         Err(error) => eprintln!("not compacted: {error}"),
///     })?;
/// // The program commits, and says so: the thread looks at once.
/// compaction.look();
/// # Ok::<(), varvite::change::ChangeError>(())
/// ```
#[derive(Debug)]
pub struct BackgroundCompaction {
    cancel: Cancel,
    bell: Arc<Bell>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Bell {
    rung: Mutex<bool>,
    changed: Condvar,
}

impl BackgroundCompaction {
    /// Starts the thread. The thread checks the graph at once, then after each interval of `every`, and on a
    /// call of [`look`](Self::look). It calls `told` with the result of each compaction, but not if a check
    /// finds that no compaction is needed.
    ///
    /// # Errors
    /// An I/O error if the system cannot start a thread.
    pub fn start(
        vfs: Arc<dyn Vfs>,
        path: PathBuf,
        options: CompactOptions,
        every: Duration,
        mut told: impl FnMut(Result<Compacted, ChangeError>) + Send + 'static,
    ) -> Result<Self, ChangeError> {
        let (cancel, bell, of) = (Cancel::default(), Arc::<Bell>::default(), path.clone());
        let thread = threads::start({
            let (cancel, bell) = (cancel.clone(), Arc::clone(&bell));
            move || {
                while !cancel.is_cancelled() {
                    let task = Task::new().threads(1).cancel(&cancel);
                    match compact_online(Arc::clone(&vfs), &path, &options, &task) {
                        Ok(None) | Err(ChangeError::Graph(GraphError::Cancelled)) => {}
                        Ok(Some(compacted)) => told(Ok(compacted)),
                        Err(error) => told(Err(error)),
                    }
                    bell.wait(every, &cancel);
                }
            }
        });
        match thread {
            Some(thread) => Ok(Self { cancel, bell, thread: Some(thread) }),
            None => {
                let source = Arc::new(io::Error::other("the system gives no thread"));
                Err(StoreError::Io { operation: Operation::Open, path: of, source }.into())
            }
        }
    }

    /// Makes the thread check the graph now, for example after a commit.
    pub fn look(&self) {
        self.bell.ring();
    }

    /// Ends the thread. An unfinished compaction is abandoned; the graph is unchanged and has all commits.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.cancel.cancel();
        self.bell.ring();
        if let Some(thread) = self.thread.take()
            && let Err(panic) = thread.join()
            && !std::thread::panicking()
        {
            std::panic::resume_unwind(panic);
        }
    }
}

impl Drop for BackgroundCompaction {
    fn drop(&mut self) {
        self.end();
    }
}

impl Bell {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.rung.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ring(&self) {
        *self.lock() = true;
        self.changed.notify_one();
    }

    /// Waits until the bell is rung, but at most for the time `most`.
    fn wait(&self, most: Duration, cancel: &Cancel) {
        let until = Instant::now().checked_add(most);
        let mut rung = self.lock();
        while !*rung && !cancel.is_cancelled() {
            let Some(until) = until else {
                rung = self.changed.wait(rung).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            (rung, _) = self.changed.wait_timeout(rung, left).unwrap_or_else(PoisonError::into_inner);
        }
        *rung = false;
    }
}
