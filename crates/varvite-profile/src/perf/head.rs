//! [`Head`]: the head of a sample: whose it is, when it was, of which event, and what it stands for.

/// The head of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head<'l> {
    /// The name of the thread.
    pub(super) command: &'l [u8],
    /// The event without what limits it, such as `:u`; empty where it is not told.
    pub(super) event: &'l [u8],
    /// What the sample stands for; none where that is not told.
    pub(super) period: Option<i64>,
    /// Whether it is told, and is more than can be counted.
    pub(super) is_period_beyond: bool,
    /// What follows: the only call, where stacks were not recorded.
    pub(super) rest: &'l [u8],
}

impl<'l> Head<'l> {
    /// The head in a line; none if it is none. A head has a process, and a time or an event.
    pub(super) fn of(line: &'l [u8]) -> Option<Self> {
        if line.first().is_none_or(u8::is_ascii_whitespace) {
            return None;
        }
        let time = words(line).skip(1).find(|(_, word)| is_time(word));
        let (before, after) = match time {
            Some((start, word)) => (&line[..start], &line[start + word.len()..]),
            None => {
                let (start, word) = words(line).skip(1).find(|(_, word)| is_thread(word))?;
                (&line[..start + word.len()], &line[start + word.len()..])
            }
        };
        let command = command(before)?;
        let mut words = words(after).skip_while(|(_, word)| is_cpu(word)).peekable();
        let digits = words.next_if(|(_, word)| word.iter().all(u8::is_ascii_digit));
        let period = digits.and_then(|(_, word)| std::str::from_utf8(word).ok()?.parse().ok());
        let is_period_beyond = digits.is_some() && period.is_none();
        let event = words.next().filter(|(_, word)| word.len() > 1 && word.ends_with(b":"));
        if time.is_none() && event.is_none() {
            return None;
        }
        let rest = event.map_or(&b""[..], |(start, word)| after[start + word.len()..].trim_ascii());
        let event = event.map_or(&b""[..], |(_, word)| unlimited(&word[..word.len() - 1]));
        Some(Self { command, event, period, is_period_beyond, rest })
    }

    /// Whether the event counts time: its periods are then nanoseconds.
    pub(super) fn is_of_time(event: &[u8]) -> bool {
        matches!(event, b"cpu-clock" | b"task-clock")
    }
}

/// The name in front of a thread, and of a processor in brackets.
fn command(before: &[u8]) -> Option<&[u8]> {
    let last_two = words(before).fold([None, None], |[_, last], word| [last, Some(word)]);
    let [thread, last] = last_two;
    let is_behind_thread = last.is_some_and(|(_, word)| is_cpu(word));
    let (start, _) = if is_behind_thread { thread } else { last }.filter(|(_, word)| is_thread(word))?;
    Some(before[..start].trim_ascii()).filter(|command| !command.is_empty())
}

/// `5021.108764:`
fn is_time(word: &[u8]) -> bool {
    let Some(word) = word.strip_suffix(b":") else { return false };
    let mut parts = word.split(|byte| *byte == b'.');
    let is_number =
        |part: Option<&[u8]>| part.is_some_and(|it| !it.is_empty() && it.iter().all(u8::is_ascii_digit));
    is_number(parts.next()) && is_number(parts.next()) && parts.next().is_none()
}

/// `1240`, or `1234/1240` with its process.
fn is_thread(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"-").unwrap_or(word);
    let is_number = |it: &[u8]| !it.is_empty() && it.iter().all(u8::is_ascii_digit);
    word.split(|byte| *byte == b'/').count() <= 2 && word.split(|byte| *byte == b'/').all(is_number)
}

/// `[001]`
fn is_cpu(word: &[u8]) -> bool {
    matches!(word, [b'[', digits @ .., b']'] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

/// An event without the letters that limit it. `sched:sched_switch` has none: that is its name.
fn unlimited(event: &[u8]) -> &[u8] {
    let event = event.strip_suffix(b":").unwrap_or(event);
    match event.iter().rposition(|byte| *byte == b':') {
        Some(colon) if event[colon + 1..].iter().all(|byte| b"ukhpPSDGHIWebR".contains(byte)) => {
            &event[..colon]
        }
        _ => event,
    }
}

/// Words of a line, with where they start.
fn words(line: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
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
        ] {
            let expected = (command.to_owned(), event.to_owned(), period, rest.to_owned());
            assert_eq!(told(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn other_lines_are_no_heads() {
        for line in
            ["", "\tff main (/a)", "main;work 12", "1234 1.5: 1 cycles:", "zwork", "zwork 12", "a 1 b 2"]
        {
            assert_eq!(told(line), None, "{line}");
        }
    }
}
