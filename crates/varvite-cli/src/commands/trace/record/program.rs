//! The recorded program: starting valgrind, and waiting for it.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// The time between two checks of whether the program has ended.
const POLL: Duration = Duration::from_millis(5);

/// The time in which the program must end after the user has stopped the recording. Then it is killed.
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

/// Waits for the program to end. If the user stops the recording, kills the program unless it ends by itself,
/// since Ctrl-C also reaches the program. Calls `tell` repeatedly during the wait.
pub(super) fn wait(
    mut child: Child,
    is_stopped: &AtomicBool,
    mut tell: impl FnMut(),
) -> Result<ExitStatus, Failure> {
    let mut stopped_at = None;
    loop {
        if let Some(status) = child.try_wait().map_err(Failure::Output)? {
            return Ok(status);
        }
        if is_stopped.load(Ordering::Relaxed) {
            stopped_at.get_or_insert_with(Instant::now);
        }
        if stopped_at.is_some_and(|since: Instant| since.elapsed() > PATIENCE) {
            let _ = child.kill();
        }
        tell();
        thread::sleep(POLL);
    }
}

/// Waits until all processes that the program has started have ended, after the program itself. If the user
/// stops the recording, calls `stop` unless they end by themselves. Calls `tell` repeatedly during the wait.
pub(super) fn wait_for_children(
    is_over: impl Fn() -> bool,
    is_stopped: &AtomicBool,
    mut tell: impl FnMut(),
    stop: impl Fn(),
) {
    let mut stopped_at = None;
    while !is_over() {
        if is_stopped.load(Ordering::Relaxed) {
            stopped_at.get_or_insert_with(Instant::now);
        }
        if stopped_at.is_some_and(|since: Instant| since.elapsed() > PATIENCE) {
            stop();
        }
        tell();
        thread::sleep(POLL);
    }
}
