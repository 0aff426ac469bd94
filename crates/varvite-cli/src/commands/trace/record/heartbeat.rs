//! [`Heartbeat`]: from time to time, reports the progress of a recording in a line.
//!
//! A recording shares the terminal with the recorded program, so a progress bar would overwrite the program's
//! output. The first line comes after 5 seconds. The next lines come each time the elapsed time has doubled,
//! but at least every 10 minutes.

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::output::thousands;

/// The time of the first progress line, and the maximum time between two such lines.
const FIRST: Duration = Duration::from_secs(5);
const PERIOD_MAX: Duration = Duration::from_secs(600);

/// The least and the greatest factor by which recordings of this kind slowed programs down in measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slowdown {
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Slowdown {
    pub(super) const fn of(least: f64, most: f64) -> Self {
        Self { least, most }
    }
}

/// Decides when the next progress line is due.
#[derive(Debug)]
pub(super) struct Heartbeat {
    next: Duration,
    slowdown: Slowdown,
}

impl Heartbeat {
    pub(super) fn new(slowdown: Slowdown) -> Self {
        Self { next: FIRST, slowdown }
    }

    /// The progress line for the elapsed time, if a line is due.
    pub(super) fn line(&mut self, elapsed: Duration, records: u64) -> Option<String> {
        if elapsed < self.next {
            return None;
        }
        self.next = elapsed + elapsed.min(PERIOD_MAX);
        let seconds = elapsed.as_secs_f64();
        let Slowdown { least, most } = self.slowdown;
        let (from, to) = (seconds / most * 1e3, seconds / least * 1e3);
        Some(format!(
            "recording: {} records in {seconds:.0} s, for {from:.0} to {to:.0} ms of the program alone ({least:.0} to \
             {most:.0} times slower); Ctrl-C ends it and keeps them",
            thousands(records),
        ))
    }
}

/// The byte that the recording writes to the pipe, after lackey's text, when the program has ended. Lackey
/// never writes this byte. The end of the pipe does not show that the program has ended, since the program's
/// children may keep the pipe open for longer.
pub(super) const END: u8 = 0;

/// Counts the lines that are read from a source, up to [`END`]. Nearly every line is a record; a few are
/// messages of valgrind.
pub(super) struct LineCounter<'c, R> {
    source: R,
    lines: &'c AtomicU64,
    is_over: bool,
}

impl<'c, R> LineCounter<'c, R> {
    pub(super) fn over(source: R, lines: &'c AtomicU64) -> Self {
        Self { source, lines, is_over: false }
    }
}

impl<R: Read> Read for LineCounter<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_over {
            return Ok(0);
        }
        let read = self.source.read(buffer)?;
        let text = &buffer[..read];
        let end = text.iter().position(|byte| *byte == END);
        self.is_over = end.is_some();
        let text = &text[..end.unwrap_or(read)];
        let lines = text.iter().filter(|byte| **byte == b'\n').count();
        self.lines.fetch_add(lines as u64, Ordering::Relaxed);
        Ok(text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_after_five_seconds_and_then_after_twice_the_time() {
        let mut beat = Heartbeat::new(Slowdown::of(1.0, 2.0));
        let seconds = (0..=3000).filter(|second| beat.line(Duration::from_secs(*second), 0).is_some());
        assert_eq!(seconds.collect::<Vec<_>>(), [5, 10, 20, 40, 80, 160, 320, 640, 1240, 1840, 2440]);
    }

    #[test]
    fn a_line_has_the_records_and_the_time_of_the_program_alone() {
        let mut beat = Heartbeat::new(Slowdown::of(20.0, 50.0));
        let line = beat.line(Duration::from_secs(40), 12_345_678).unwrap();
        let expected =
            "12,345,678 records in 40 s, for 800 to 2000 ms of the program alone (20 to 50 times slower)";
        assert!(line.contains(expected), "{line}");
    }

    #[test]
    fn lines_are_counted_as_they_are_read() {
        let lines = AtomicU64::new(0);
        let mut text = String::new();
        LineCounter::over(&b"I  1,2\n L 3,4\nI\0\n"[..], &lines).read_to_string(&mut text).unwrap();
        assert_eq!((&*text, lines.into_inner()), ("I  1,2\n L 3,4\nI", 2));
    }
}
