//! [`WriteArgs`]: the file system of a command that writes. It removes the command's unfinished files after a
//! signal.
//!
//! On Ctrl-C and SIGTERM, unfinished files are removed and the command ends; a recording ends as if its
//! program had ended. If the process was started with a signal ignored (`nohup`), the signal stays ignored.
//! If the process is killed in another way, the next writer of the same file removes the unfinished files. A
//! write beyond the limit on the length of files (`ulimit -f`) returns an error.

use std::fs;
use std::path::Path;
use std::process::exit;
use std::sync::Arc;
#[cfg(unix)]
use std::sync::atomic::AtomicBool;
#[cfg(target_os = "linux")]
use std::sync::atomic::Ordering;

use clap::Args;
use varvite::Cancel;
use varvite_store::Vfs;
use varvite_store::vfs::{InterruptibleVfs, RealVfs};

use crate::output::{complain, counted, escaped, note};

/// The options for writing files.
#[derive(Debug, Args)]
pub(crate) struct WriteArgs {
    /// Write even on file systems without locks, where a second writer is not kept out
    #[arg(long)]
    no_lock: bool,
}

/// The exit code if the user stopped the command.
const STOPPED: i32 = 130;

impl WriteArgs {
    /// Whether to write on file systems without locks, where a second writer is not kept out.
    pub(crate) fn goes_without_locks(&self) -> bool {
        self.no_lock
    }

    /// The file system for a command that ends as soon as it gets a signal.
    pub(crate) fn disk(&self) -> Arc<dyn Vfs> {
        self.disk_after(|| ())
    }

    /// The same as [`WriteArgs::disk`], but the signal handler first calls `before`, for example to end other
    /// programs.
    pub(crate) fn disk_after(&self, before: impl Fn() + Send + 'static) -> Arc<dyn Vfs> {
        let disk = self.interruptible();
        let handled = disk.clone();
        on_signal(move || {
            before();
            let in_place = handled.abandon();
            let files = in_place.iter().map(|path| escaped(&path.display().to_string()).into_owned());
            match &files.collect::<Vec<_>>()[..] {
                [] => complain("stopped; no file was changed\n"),
                [file] => complain(&format!("stopped; {file} was written\n")),
                files => complain(&format!("stopped; {} were written\n", files.join(" and "))),
            }
            exit(STOPPED)
        });
        Arc::new(disk)
    }

    /// The file system for a command that checks for cancellation itself, and the flag that a signal sets.
    pub(crate) fn cancelled_disk(&self) -> (Arc<dyn Vfs>, Cancel) {
        let cancel = Cancel::default();
        let told = cancel.clone();
        on_signal(move || told.cancel());
        (Arc::new(self.interruptible()), cancel)
    }

    /// Ends a command whose work was cancelled.
    pub(crate) fn stopped() -> ! {
        complain("stopped; no file was changed\n");
        exit(STOPPED)
    }

    /// The file system for a recording, and a flag that the first signal sets. The second signal ends the
    /// process at once; the records up to then stay in the incomplete file `unfinished`.
    #[cfg(target_os = "linux")]
    pub(crate) fn recording_disk(&self, unfinished: &Path) -> (Arc<dyn Vfs>, Arc<AtomicBool>) {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let (told, name) = (Arc::clone(&is_stopped), escaped(&unfinished.display().to_string()).into_owned());
        on_signal(move || {
            if told.swap(true, Ordering::Relaxed) {
                complain(&format!("stopped; the unfinished recording is in {name}\n"));
                exit(STOPPED)
            }
        });
        (Arc::new(self.interruptible()), is_stopped)
    }

    fn interruptible(&self) -> InterruptibleVfs {
        let disk = InterruptibleVfs::over(Arc::new(RealVfs));
        if self.no_lock { disk.going_without_locks() } else { disk }
    }
}

/// The number of other names (hard links) of a file that a command replaces. These names keep the old file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OtherNames(u64);

impl OtherNames {
    /// Counts the other names of the file at `path`; 0 if there is no file.
    pub(crate) fn of(path: &Path) -> Self {
        let names = RealVfs.open(path).and_then(|file| file.name_count());
        Self(names.map_or(0, |names| names.saturating_sub(1)))
    }

    /// Writes a note to standard error, after the file at `path` was replaced, if the old file still has
    /// other names.
    pub(crate) fn note(self, path: &Path) {
        if self.0 > 0 {
            let names = counted(self.0, "other name");
            note(&format!("{} was replaced; the old file still has {names}", path.display()));
        }
    }
}

/// Whether two paths lead to the same existing file.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one).ok().is_some_and(|one| fs::canonicalize(other).ok() == Some(one))
}

/// Makes a write beyond the limit on the length of files return an error. By default, the signal SIGXFSZ
/// would end the process in the middle of its work. For programs that this process starts, the default
/// applies.
#[cfg(unix)]
pub(crate) fn survive_size_limit() {
    // If no handler can be registered, the signal will end the process, and the next writer will remove the
    // unfinished files.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Calls `action` on a signal. If no thread can be started for this, signals are not handled, and the next
/// writer removes unfinished files.
fn on_signal(action: impl FnMut() + Send + 'static) {
    let _ = ctrlc::try_set_handler(action);
}
