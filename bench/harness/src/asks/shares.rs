//! [`Watch`]: the memory of processes that share files, and the locks that processes wait for, as Linux
//! reports them.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The time between two looks.
const PAUSE: Duration = Duration::from_millis(200);

/// The processes to look at.
#[derive(Default)]
pub(super) struct Watch {
    processes: Mutex<BTreeSet<u32>>,
    is_over: AtomicBool,
}

/// One look at all processes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Look {
    pub(super) processes: usize,
    /// The sum of PSS: memory in bytes, in which a page that N processes share counts for 1/N in each.
    pub(super) pss: f64,
    /// The part of the sum that belongs to no file.
    pub(super) anonymous: f64,
    /// The number of these processes that wait for a lock on a file.
    pub(super) waiting: usize,
}

impl Watch {
    pub(super) fn add(&self, process: u32) {
        self.processes.lock().unwrap_or_else(PoisonError::into_inner).insert(process);
    }

    pub(super) fn remove(&self, process: u32) {
        self.processes.lock().unwrap_or_else(PoisonError::into_inner).remove(&process);
    }

    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Looks at all processes again and again, until the end.
    pub(super) fn looks(&self) -> Vec<Look> {
        let mut looks = Vec::new();
        while !self.is_over.load(Ordering::Relaxed) {
            looks.push(self.look());
            thread::sleep(PAUSE);
        }
        looks
    }

    fn look(&self) -> Look {
        let processes = self.processes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut look = Look::default();
        for process in &processes {
            // A process that has just ended has no memory.
            let Ok(text) = fs::read_to_string(format!("/proc/{process}/smaps_rollup")) else { continue };
            look.processes += 1;
            look.pss += bytes(&text, "Pss:");
            look.anonymous += bytes(&text, "Pss_Anon:");
        }
        let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
        look.waiting = waiting(&locks).filter(|process| processes.contains(process)).count();
        look
    }
}

/// The bytes of a line `KEY  123 kB`; 0 if there is none.
fn bytes(text: &str, key: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
    kibibytes.unwrap_or_default() * 1024.0
}

/// The processes that wait for a lock: lines `1: -> FLOCK  ADVISORY  WRITE 123 ..`.
fn waiting(locks: &str) -> impl Iterator<Item = u32> + '_ {
    let words = locks.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    words.filter(|words| words.get(1) == Some(&"->")).filter_map(|words| words.get(5)?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_in_kibibytes() {
        let text = "5566 r-xp\nRss:      12 kB\nPss:       4 kB\nPss_Anon:  1 kB\n";
        assert_eq!(
            (bytes(text, "Pss:"), bytes(text, "Pss_Anon:"), bytes(text, "Swap:")),
            (4096.0, 1024.0, 0.0)
        );
    }

    #[test]
    fn a_process_waits_behind_an_arrow() {
        let locks =
            "1: FLOCK  ADVISORY  WRITE 17 fe:00:5 0 EOF\n1: -> FLOCK  ADVISORY  WRITE 18 fe:00:5 0 EOF\n";
        assert_eq!(waiting(locks).collect::<Vec<_>>(), [18]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_has_memory_and_an_ended_one_has_none() {
        let watch = Watch::default();
        watch.add(std::process::id());
        watch.add(u32::MAX);
        let look = watch.look();
        assert_eq!((look.processes, look.waiting), (1, 0));
        assert!(look.pss >= look.anonymous && look.anonymous > 0.0, "{look:?}");
    }
}
