//! [`Head`]: parses the head (the first line) of a sample, with its process and thread, time, event and
//! period. [`HeadLine`]: a line that is a head, or a record of another kind.

/// A line that is the head of a sample, or a record of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeadLine<'l> {
    Sample(Head<'l>),
    /// A record that perf prints between samples if requested by an option such as `--show-mmap-events`: its
    /// text after `PERF_RECORD_`.
    Record(&'l [u8]),
}

impl<'l> HeadLine<'l> {
    /// Parses a line, which may be indented. `None` if the line is neither a head nor a record.
    pub(super) fn of(line: &'l [u8]) -> Option<Self> {
        let line = line.trim_ascii_start();
        match memchr::memmem::find(line, RECORD) {
            Some(at) if at == 0 || line[at - 1] == b' ' => Some(Self::Record(&line[at + RECORD.len()..])),
            _ => Head::of(line).map(Self::Sample),
        }
    }

    /// Whether an indented line may be a head. Unlike a call, a head has a colon that is followed by a blank.
    pub(super) fn may_be_indented(line: &[u8]) -> bool {
        memchr::memchr_iter(b':', line).any(|colon| line.get(colon + 1).is_none_or(u8::is_ascii_whitespace))
    }
}

/// The number of lost events, if the record is of the kind LOST; otherwise 0.
pub(super) fn lost_events(record: &[u8]) -> u64 {
    let mut words = words(record).skip_while(|(_, word)| *word != b"lost").skip(1);
    let number = words.next().and_then(|(_, word)| std::str::from_utf8(word).ok()?.parse().ok());
    number.filter(|_| record.starts_with(b"LOST")).unwrap_or(0)
}

/// The prefix of records that are not samples.
const RECORD: &[u8] = b"PERF_RECORD_";

/// The head of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head<'l> {
    /// The name of the thread; empty if the line lacks it.
    pub(super) command: &'l [u8],
    /// The number of the thread, preceded by its process if the line has it, as in `1234/1240`; empty if the
    /// line lacks it.
    pub(super) thread: &'l [u8],
    /// The name of the event, without modifiers such as `:u`; empty if the line lacks it.
    pub(super) event: &'l [u8],
    /// The period: the number of events that the sample represents; `None` if the line lacks it.
    pub(super) period: Option<i64>,
    /// Whether the line has a period that is too large for an `i64`.
    pub(super) is_period_beyond: bool,
    /// The rest of the line. If the sample has no recorded stack, its only call is here, possibly after an
    /// address or the origin of data.
    pub(super) rest: &'l [u8],
}

impl<'l> Head<'l> {
    /// Parses a line without its indentation as a head. `None` if the line is not a head. A head has at least
    /// two of these: a thread with a name, a time, an event.
    pub(super) fn of(line: &'l [u8]) -> Option<Self> {
        let time = words(line).find(|(_, word)| is_time(word));
        let (before, after) = match time {
            Some((start, word)) => (&line[..start], &line[start + word.len()..]),
            None => {
                let (start, word) = words(line).skip(1).find(|(_, word)| is_thread(word))?;
                (&line[..start + word.len()], &line[start + word.len()..])
            }
        };
        let mut words = words(after).skip_while(|(_, word)| is_cpu(word)).peekable();
        let start = words.peek().map_or(after.len(), |(start, _)| *start);
        let digits = words.next_if(|(_, word)| word.iter().all(u8::is_ascii_digit));
        let event = words.next().filter(|(_, word)| word.len() > 1 && word.ends_with(b":"));
        let (command, thread) = match command(before) {
            Some(command) => command,
            None if time.is_some() && event.is_some() && is_without_command(before) => {
                (&b""[..], thread(before))
            }
            None => return None,
        };
        let Some((event_start, event)) = event else {
            let (period, rest) = of_no_event(&after[start..]);
            let period = time.is_some().then_some(period)?;
            return Some(Self { command, thread, event: b"", period, is_period_beyond: false, rest });
        };
        let period = digits.and_then(|(_, word)| std::str::from_utf8(word).ok()?.parse().ok());
        let is_period_beyond = digits.is_some() && period.is_none();
        let rest = after[event_start + event.len()..].trim_ascii();
        let event = unlimited(&event[..event.len() - 1]);
        Some(Self { command, thread, event, period, is_period_beyond, rest })
    }

    /// The process; `None` if the line has only the thread.
    pub(super) fn process(&self) -> Option<&'l [u8]> {
        memchr::memchr(b'/', self.thread).map(|slash| &self.thread[..slash])
    }

    /// Whether the event measures time. Its periods are then nanoseconds.
    pub(super) fn is_of_time(event: &[u8]) -> bool {
        matches!(event, b"cpu-clock" | b"task-clock")
    }
}

/// The name and the number of the thread. A processor in brackets, and letters for the processor's mode, may
/// follow them.
fn command(before: &[u8]) -> Option<(&[u8], &[u8])> {
    let last_three =
        words(before).fold([None, None, None], |[_, second, third], word| [second, third, Some(word)]);
    let mut last = last_three.into_iter().rev().flatten().peekable();
    last.next_if(|(_, word)| is_mode(word));
    last.next_if(|(_, word)| is_cpu(word));
    let (start, thread) = last.next().filter(|(_, word)| is_thread(word))?;
    Some((before[..start].trim_ascii(), thread)).filter(|(command, _)| !command.is_empty())
}

/// The thread's number in a head without a name.
fn thread(before: &[u8]) -> &[u8] {
    words(before).find(|(_, word)| is_thread(word)).map_or(b"", |(_, word)| word)
}

/// Whether the text before a time has no name, but at most a thread's number, a processor, and its mode.
fn is_without_command(before: &[u8]) -> bool {
    words(before).all(|(_, word)| is_thread(word) || is_cpu(word) || is_mode(word))
}

/// The period in a head without an event, and the rest of the line. Digits before an address are a period.
fn of_no_event(after: &[u8]) -> (Option<i64>, &[u8]) {
    let mut words = words(after);
    let Some((start, digits)) = words.next() else { return (None, b"") };
    let period = std::str::from_utf8(digits).ok().filter(|it| it.bytes().all(|digit| digit.is_ascii_digit()));
    let is_period = words.next().is_none_or(|(_, next)| is_address(next));
    match period.and_then(|it| it.parse().ok()).filter(|_| is_period) {
        Some(period) => (Some(period), after[start + digits.len()..].trim_ascii()),
        None => (None, after.trim_ascii()),
    }
}

/// Whether a word is an address: at least six hexadecimal digits, since no function has such a name.
pub(super) fn is_address(word: &[u8]) -> bool {
    word.len() >= 6 && word.iter().all(u8::is_ascii_hexdigit)
}

/// Whether a word is the processor's mode, such as `K` or `U`, which `-F +misc` prints.
fn is_mode(word: &[u8]) -> bool {
    word.len() <= 4 && word.iter().all(u8::is_ascii_uppercase)
}

/// Whether a word is a time, such as `5021.108764:`.
fn is_time(word: &[u8]) -> bool {
    let Some(word) = word.strip_suffix(b":") else { return false };
    let mut parts = word.split(|byte| *byte == b'.');
    let is_number =
        |part: Option<&[u8]>| part.is_some_and(|it| !it.is_empty() && it.iter().all(u8::is_ascii_digit));
    is_number(parts.next()) && is_number(parts.next()) && parts.next().is_none()
}

/// Whether a word is a thread's number, such as `1240`, or a process and a thread, such as `1234/1240`.
fn is_thread(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"-").unwrap_or(word);
    let is_number = |it: &[u8]| !it.is_empty() && it.iter().all(u8::is_ascii_digit);
    word.split(|byte| *byte == b'/').count() <= 2 && word.split(|byte| *byte == b'/').all(is_number)
}

/// Whether a word is a processor, such as `[001]`.
fn is_cpu(word: &[u8]) -> bool {
    matches!(word, [b'[', digits @ .., b']'] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

/// The name of an event without the modifiers after a colon. A name such as `sched:sched_switch` has no
/// modifiers, and is returned as a whole.
fn unlimited(event: &[u8]) -> &[u8] {
    let event = event.strip_suffix(b":").unwrap_or(event);
    match event.iter().rposition(|byte| *byte == b':') {
        Some(colon) if event[colon + 1..].iter().all(|byte| b"ukhpPSDGHIWebR".contains(byte)) => {
            &event[..colon]
        }
        _ => event,
    }
}

/// The words of a line, each with its offset.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let starts = (0..line.len()).filter(|at| {
        let is_inside = at.checked_sub(1).is_some_and(|before| !line[before].is_ascii_whitespace());
        !line[*at].is_ascii_whitespace() && !is_inside
    });
    starts.map(|start| {
        let length = line[start..].iter().position(u8::is_ascii_whitespace).unwrap_or(line.len() - start);
        (start, &line[start..start + length])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> Option<(String, String, Option<i64>, String)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Head::of(line.as_bytes()).map(|it| (text(it.command), text(it.event), it.period, text(it.rest)))
    }

    #[test]
    fn a_head_has_a_thread_a_time_a_period_and_an_event() {
        for (line, command, event, period, rest) in [
            (
                "zwork  1234 [001] 5021.108764:     250000 cpu-clock:pppH: ",
                "zwork",
                "cpu-clock",
                Some(250_000),
                "",
            ),
            ("zwork 1234/1240 5021.108764: cycles:u:", "zwork", "cycles", None, ""),
            ("Web Content 99 [000] 1.5: 1 cycles:", "Web Content", "cycles", Some(1), ""),
            ("a 12 3 [000] 1.5: 1 cycles: ", "a 12", "cycles", Some(1), ""),
            (
                "swapper     0 [003] 8.000000:          1 sched:sched_switch: prev_comm=a",
                "swapper",
                "sched:sched_switch",
                Some(1),
                "prev_comm=a",
            ),
            ("zwork 1234 250000 cpu_core/cycles/u: ", "zwork", "cpu_core/cycles/u", Some(250_000), ""),
            ("zwork 7 1.2: 9 cycles:  55d0 main+0x1 (/a)", "zwork", "cycles", Some(9), "55d0 main+0x1 (/a)"),
            ("zwork 7 1.2: ", "zwork", "", None, ""),
            ("perf -1 1.2: 1 cycles:", "perf", "cycles", Some(1), ""),
            ("zwork 7/7 [001] K 1.2: 1 cycles:", "zwork", "cycles", Some(1), ""),
            ("1234 1.5: 1 cycles:", "", "cycles", Some(1), ""),
            ("1.5: cycles:P:", "", "cycles", None, ""),
            ("zwork 7 1.2:  100  401000 work+0x1 (/a)", "zwork", "", Some(100), "401000 work+0x1 (/a)"),
            ("zwork 7 1.2:  401000 work+0x1 (/a)", "zwork", "", None, "401000 work+0x1 (/a)"),
            ("zwork 7 1.2:  100", "zwork", "", Some(100), ""),
        ] {
            let expected = (command.to_owned(), event.to_owned(), period, rest.to_owned());
            assert_eq!(told(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn records_are_no_samples_and_one_tells_how_much_was_lost() {
        for (line, lost) in [
            ("app 7 1.5: PERF_RECORD_LOST lost 17", 17),
            ("   app 7 1.5: PERF_RECORD_LOST_SAMPLES lost 3", 3),
            ("PERF_RECORD_LOST lost", 0),
            ("app 7 1.5: PERF_RECORD_COMM exec: lost 9", 0),
        ] {
            let head = HeadLine::of(line.as_bytes());
            assert!(
                matches!(head, Some(HeadLine::Record(record)) if lost_events(record) == lost),
                "{line}: {head:?}"
            );
        }
        assert!(HeadLine::may_be_indented(b"  app 7 1.5: 1 cycles:"));
        assert!(!HeadLine::may_be_indented(b"  7f a::b(c::d*) (/lib/x:y)"));
    }

    #[test]
    fn other_lines_are_no_heads() {
        for line in
            ["", "\tff main (/a)", "main;work 12", "sleep-7 [001] 1.5: x: y", "zwork", "zwork 12", "a 1 b 2"]
        {
            assert_eq!(told(line), None, "{line}");
        }
    }
}
