//! [`Children`]: runs programs one after another, and ends the running one when this process is stopped.
//!
//! The last lines of a program's output are kept in memory, and shown if the program fails.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, PipeReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::error::JoernError;
use crate::output::remark;

/// The time between two checks of whether a child process has ended.
const POLL: Duration = Duration::from_millis(10);
/// The maximum time to wait after a child has ended: for the rest of its output or, if a signal ended the
/// child, for the same signal to end this process.
const PATIENCE: Duration = Duration::from_secs(1);
/// Number of last lines that are shown if a child failed, and the maximum length of a line.
const LINES_MAX: usize = 12;
const LINE_LEN_MAX: u64 = 64 << 10;
/// The name of Java's error for a heap that is too small.
const OUT_OF_HEAP: &str = "java.lang.OutOfMemoryError";

/// Runs programs. Clones share their state.
#[derive(Debug, Clone, Default)]
pub(crate) struct Children(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    running: Option<Child>,
    is_stopped: bool,
}

impl Children {
    /// Runs a program to its end. With `shows_words`, the program's output goes to standard error.
    ///
    /// # Errors
    /// [`JoernError::Start`], or [`JoernError::Failed`] after the program's last lines were shown.
    pub(crate) fn run(&self, name: &str, mut command: Command, shows_words: bool) -> Result<(), JoernError> {
        let program = PathBuf::from(command.get_program());
        let cannot = |source| JoernError::Start { program: program.clone(), source };
        let words = match shows_words {
            true => {
                command.stdin(Stdio::null()).stdout(io::stderr()).stderr(Stdio::inherit());
                None
            }
            false => {
                let (reader, writer) = io::pipe().map_err(cannot)?;
                let both = writer.try_clone().map_err(cannot)?;
                command.stdin(Stdio::null()).stdout(both).stderr(writer);
                Some(LastLines::of(reader))
            }
        };
        self.start(&mut command).map_err(cannot)?;
        // Dropping the command closes this process's ends of the pipe.
        drop(command);
        let status = self.wait().map_err(cannot)?;
        if status.success() {
            return Ok(());
        }
        if was_interrupted(status) {
            // Ctrl-C also reaches this process, whose signal handler ends it during this wait.
            thread::sleep(PATIENCE);
        }
        let lines = words.map(LastLines::finish).unwrap_or_default();
        lines.iter().for_each(|line| remark(line));
        let is_out_of_heap = lines.iter().any(|line| line.contains(OUT_OF_HEAP));
        Err(JoernError::Failed { name: name.to_owned(), status, is_out_of_heap })
    }

    /// Ends the running program, and prevents further programs from starting.
    pub(crate) fn stop(&self) {
        let mut state = self.hold();
        state.is_stopped = true;
        if let Some(mut child) = state.running.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    fn start(&self, command: &mut Command) -> io::Result<()> {
        let mut state = self.hold();
        if !state.is_stopped {
            state.running = Some(command.spawn()?);
        }
        Ok(())
    }

    /// Waits for the program to end. After a call of `stop`, this function does not return, since the caller
    /// of `stop` ends this process.
    fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            if let Some(child) = &mut self.hold().running
                && let Some(status) = child.try_wait()?
            {
                return Ok(status);
            }
            thread::sleep(POLL);
        }
    }

    fn hold(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether Ctrl-C ended a program, as shown by the signal or by the exit code that Java uses.
fn was_interrupted(status: ExitStatus) -> bool {
    status.code() == Some(130) || signal(status) == Some(2)
}

/// The signal that ended a program.
#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// The last lines from a pipe, which a separate thread reads.
struct LastLines {
    lines: Arc<Mutex<VecDeque<String>>>,
    thread: thread::JoinHandle<()>,
}

impl LastLines {
    fn of(reader: PipeReader) -> Self {
        let lines = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&lines);
        let thread = thread::spawn(move || keep_last(BufReader::new(reader), &kept));
        Self { lines, thread }
    }

    /// Returns the last lines. This function waits only briefly for the end of the pipe, since a program that
    /// outlives its parent may keep the pipe open.
    fn finish(self) -> Vec<String> {
        let since = Instant::now();
        while !self.thread.is_finished() && since.elapsed() < PATIENCE {
            thread::sleep(POLL);
        }
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.drain(..).collect()
    }
}

fn keep_last(mut reader: impl BufRead, kept: &Mutex<VecDeque<String>>) {
    let mut line = Vec::new();
    while io::Read::take(&mut reader, LINE_LEN_MAX).read_until(b'\n', &mut line).is_ok_and(|len| len > 0) {
        let text = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
        line.clear();
        if text.is_empty() {
            continue;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == LINES_MAX {
            kept.pop_front();
        }
        kept.push_back(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_without_empty_ones() {
        let kept = Mutex::new(VecDeque::new());
        let text: String = (0..40).map(|number| format!("{number}\n\n")).collect();
        keep_last(text.as_bytes(), &kept);
        let kept = kept.into_inner().unwrap();
        assert_eq!((kept.len(), &*kept[0], &*kept[LINES_MAX - 1]), (LINES_MAX, "28", "39"));
    }

    #[test]
    fn nothing_is_started_once_all_was_stopped() {
        let children = Children::default();
        children.stop();
        children.start(&mut Command::new("/nothing/is/here")).unwrap();
    }
}
