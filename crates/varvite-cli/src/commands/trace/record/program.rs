//! The recorded program: starting valgrind, and waiting for it.

use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// The time between two checks of whether the program has ended.
const POLL: Duration = Duration::from_millis(5);

/// The time in which the program must end after the user has stopped the recording. Then it is killed.
const PATIENCE: Duration = Duration::from_secs(2);

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

/// Waits for the program to end. Kills it when `is_broken` returns true. If the user stops the recording,
/// kills the program unless it ends by itself, since Ctrl-C also reaches the program. Calls `tell`
/// repeatedly during the wait.
pub(super) fn wait(
    mut child: Child,
    is_broken: impl Fn() -> bool,
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
        if is_broken() || stopped_at.is_some_and(|since: Instant| since.elapsed() > PATIENCE) {
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
