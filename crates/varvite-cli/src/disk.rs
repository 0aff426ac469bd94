//! [`WriteArgs`]: the file system of a command that writes, and its clean-up when a signal stops the command.
//!
//! Ctrl-C and SIGTERM remove unfinished files and end the command; a recording ends like one whose program
//! has ended. A signal that the process was started to ignore (`nohup`) stays ignored; if the process is
//! killed otherwise, the next writer of the same file removes its leftovers. The limit on the length of files
//! (`ulimit -f`) is an error of the write that meets it.

use std::fs;
use std::path::Path;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use varvite::Cancel;
use varvite_store::Vfs;
use varvite_store::vfs::{InterruptibleVfs, RealVfs};

use crate::output::{complain, counted, escaped, note};

/// The options of writing files.
#[derive(Debug, Args)]
pub(crate) struct WriteArgs {
    /// Write even on file systems without locks, where nothing keeps out a second writer
    #[arg(long)]
    no_lock: bool,
}

/// The exit code of a command that the user stopped.
const STOPPED: i32 = 130;

impl WriteArgs {
    /// Whether files are to be written where no lock keeps a second writer out.
    pub(crate) fn goes_without_locks(&self) -> bool {
        self.no_lock
    }

    /// The file system of a command that ends on a signal to stop.
    pub(crate) fn disk(&self) -> Arc<dyn Vfs> {
        self.disk_after(|| ())
    }

    /// The same, of one that does something else first, such as to end programs that write files of its own.
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

    /// The file system of a command that continues until it is cancelled, and the flag that cancels it.
    pub(crate) fn cancelled_disk(&self) -> (Arc<dyn Vfs>, Cancel) {
        let cancel = Cancel::default();
        let told = cancel.clone();
        on_signal(move || told.cancel());
        (Arc::new(self.interruptible()), cancel)
    }

    /// Ends a command whose work was given up.
    pub(crate) fn stopped() -> ! {
        complain("stopped; no file was changed\n");
        exit(STOPPED)
    }

    /// The file system of a recording, and a flag that the first signal to stop sets. The second signal ends
    /// the process at once; the records stay in the unfinished file, `unfinished`.
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

/// The other names of a file that a command replaces under one of them: hard links, which keep the old file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OtherNames(u64);

impl OtherNames {
    /// The attributes of the file at `path`, if there is one.
    pub(crate) fn of(path: &Path) -> Self {
        let names = RealVfs.open(path).and_then(|file| file.name_count());
        Self(names.map_or(0, |names| names.saturating_sub(1)))
    }

    /// Says so, once the file at `path` was replaced.
    pub(crate) fn note(self, path: &Path) {
        if self.0 > 0 {
            let names = counted(self.0, "other name");
            note(&format!("{} was replaced; the old file still has {names}", path.display()));
        }
    }
}

/// Whether two paths lead to one file that exists.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one).ok().is_some_and(|one| fs::canonicalize(other).ok() == Some(one))
}

/// Lets a write beyond the limit on the length of files fail, rather than end the process: by default SIGXFSZ
/// ends it in the middle of its work. Programs that this one starts have the default again.
#[cfg(unix)]
pub(crate) fn survive_size_limit() {
    // The write returns the error. Without a handler the signal ends the process, and the next writer cleans
    // up.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// If the system gives no thread for it, signals are not handled; the next writer then cleans up.
fn on_signal(action: impl FnMut() + Send + 'static) {
    let _ = ctrlc::try_set_handler(action);
}
