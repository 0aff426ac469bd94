//! The recorded program: starting valgrind, and waiting for it.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGTERM};

use crate::failure::Failure;

/// The time between two checks of whether the program has ended.
const POLL: Duration = Duration::from_millis(5);

/// The time in which the program may end by itself after the user has stopped the recording, and after each
/// step that ends it.
const PATIENCE: Duration = Duration::from_secs(2);

/// The bits of a file that give the user or the group of the file to its process.
const SET_ID: u32 = 0o6000;

/// Refuses a program that runs as another user or group, which valgrind can't do.
pub(super) fn refuse_set_id(program: &OsStr) -> Result<(), Failure> {
    let places = env::var_os("PATH").unwrap_or_default();
    let is_path = program.as_bytes().contains(&b'/');
    let folders = env::split_paths(&places).filter(|_| !is_path).map(|folder| folder.join(program));
    let file = is_path.then(|| PathBuf::from(program)).into_iter().chain(folders);
    let mut found = file.filter_map(|file| fs::metadata(&file).ok().map(|data| (file, data)));
    match found.find(|(_, data)| data.is_file() && data.mode() & 0o111 != 0) {
        Some((file, data)) if data.mode() & SET_ID != 0 => {
            let what = "valgrind can't run a program that has the set-user-id or set-group-id bit: record a \
                        copy without it, made by `cp`";
            Err(Failure::source(&file, what.to_owned()))
        }
        _ => Ok(()),
    }
}

/// Whether the user has stopped the recording, and how.
#[derive(Debug, Default)]
pub(super) struct Stop {
    is_stopped: Arc<AtomicBool>,
    /// Whether a signal has stopped it that reaches this process alone. Ctrl-C reaches the program too.
    is_alone: Arc<AtomicBool>,
}

impl Stop {
    /// A stop by the signals that set `is_stopped`.
    pub(super) fn by(is_stopped: Arc<AtomicBool>) -> Self {
        let is_alone = Arc::default();
        for signal in [SIGTERM, SIGHUP] {
            // Without this handler, the program has some time before it gets a signal.
            let _ = signal_hook::flag::register(signal, Arc::clone(&is_alone));
        }
        Self { is_stopped, is_alone }
    }
}

/// A step that ends a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The program gets the signal SIGTERM, and can save its work.
    Terminate,
    /// The tool sends its records until now, and records no more.
    AskForEnd,
    Kill,
}

/// The steps that end a program after a stop.
struct Steps<'s> {
    stop: &'s Stop,
    since: Option<Instant>,
    taken: usize,
}

impl<'s> Steps<'s> {
    fn of(stop: &'s Stop) -> Self {
        Self { stop, since: None, taken: 0 }
    }

    /// The next step, if it is due.
    fn next(&mut self) -> Option<Step> {
        if !self.stop.is_stopped.load(Ordering::Relaxed) {
            return None;
        }
        let is_alone = self.stop.is_alone.load(Ordering::Relaxed);
        let elapsed = self.since.get_or_insert_with(Instant::now).elapsed();
        let first = if is_alone { Duration::ZERO } else { PATIENCE };
        let steps = [
            (first, Step::Terminate),
            (2 * PATIENCE, Step::AskForEnd),
            (2 * PATIENCE + PATIENCE / 2, Step::Kill),
        ];
        let (_, step) = steps.get(self.taken).filter(|(after, _)| elapsed >= *after)?;
        self.taken += 1;
        Some(*step)
    }
}

/// Starts valgrind.
pub(super) fn start(valgrind: &mut Command) -> Result<Child, Failure> {
    valgrind.spawn().map_err(|error| not_started(&error))
}

/// The failure if valgrind cannot be started.
pub(super) fn not_started(error: &io::Error) -> Failure {
    let what = match error.kind() {
        io::ErrorKind::NotFound => {
            "not installed, but needed for recording: `apt-get install valgrind`".into()
        }
        _ => format!("cannot be started: {error}"),
    };
    Failure::source(Path::new("valgrind"), what)
}

/// Waits for the program to end. If the user stops the recording, ends the program in steps; one of them
/// calls `ask_for_end`, after which the tool sends its last records. Calls `tell` repeatedly during the wait.
pub(super) fn wait(
    mut child: Child,
    stop: &Stop,
    ask_for_end: impl Fn(),
    mut tell: impl FnMut(),
) -> Result<ExitStatus, Failure> {
    let mut steps = Steps::of(stop);
    loop {
        if let Some(status) = child.try_wait().map_err(Failure::Output)? {
            return Ok(status);
        }
        match steps.next() {
            // If a signal can't be sent, the program has ended meanwhile, and the next check finds it.
            Some(Step::Terminate) => {
                let _ = kill_process(Pid::from_child(&child), Signal::TERM);
            }
            Some(Step::AskForEnd) => ask_for_end(),
            Some(Step::Kill) => {
                let _ = child.kill();
            }
            None => {}
        }
        tell();
        thread::sleep(POLL);
    }
}

/// Waits until all processes that the program has started have ended, after the program itself. If the user
/// stops the recording, calls `ask_for_end` and later `close` unless they end by themselves. Calls `tell`
/// repeatedly during the wait.
pub(super) fn wait_for_children(
    is_over: impl Fn() -> bool,
    stop: &Stop,
    mut tell: impl FnMut(),
    [ask_for_end, close]: [&dyn Fn(); 2],
) {
    let mut steps = Steps::of(stop);
    while !is_over() {
        match steps.next() {
            Some(Step::AskForEnd) => ask_for_end(),
            Some(Step::Kill) => close(),
            Some(Step::Terminate) | None => {}
        }
        tell();
        thread::sleep(POLL);
    }
}
