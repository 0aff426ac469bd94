//! Children that commit small diffs to a log until they are killed, without closing it.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use varvite::change::{Diff, Durability, GraphLog, LogOptions, PropertyOwner};
use varvite::vfs::RealVfs;
use varvite::write::GraphChange;
use varvite::{Cardinality, OpenOptions, Task, ValueType};

use crate::breach::Outcome;
use crate::writers::marked::diff;

/// The number of threads that commit at once.
pub(crate) const THREADS: usize = 3;
/// The size limit of the log: so small that the log is replaced after every few commits.
const LOG_BYTES: u64 = 4 << 10;

fn begin(file: &Path) -> Outcome<GraphLog> {
    let change = GraphChange::begin(Arc::new(RealVfs), file)?;
    Ok(change.log(LogOptions::default().bytes_max(LOG_BYTES), &Task::new().threads(1))?)
}

/// The durability of commit `number`. Buffered commits survive a kill too.
fn durability(number: u32) -> Durability {
    if number % 3 == 1 { Durability::Buffered } else { Durability::Sync }
}

/// Commits diffs with the numbers from `first` on.
pub(crate) fn write(file: &Path, seed: u64, first: u32) -> Outcome {
    let (log, task) = (begin(file)?, Task::new().threads(1));
    for number in first.. {
        let graph = OpenOptions::new().buffered().open(file)?;
        log.commit(&diff(&graph, seed, number)?, durability(number), &task)?;
        say(number)?;
        if number.is_multiple_of(7) {
            log.checkpoint(&task)?;
        }
    }
    Ok(())
}

/// Commits diffs with the numbers from `first` on, on several threads, each of which takes the next number.
pub(crate) fn write_on_threads(file: &Path, first: u32) -> Outcome {
    let (log, next) = (begin(file)?, AtomicU32::new(first));
    let work = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let mut diff = Diff::new();
        diff.declare_label("NEW");
        diff.declare_property("MARK", PropertyOwner::Nodes, ValueType::I64, Cardinality::Optional);
        let node = diff.add_node(&["NEW"]);
        diff.set(node, "MARK", [i64::from(number)]);
        log.commit(&diff, durability(number), &Task::new().threads(1))?;
        say(number)?;
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic in it"))
    })
}

/// Reports to the parent that commit `number` is done.
pub(crate) fn say(number: u32) -> Outcome {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{number}")?;
    Ok(out.flush()?)
}
