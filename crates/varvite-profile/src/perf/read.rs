//! Reads samples from the lines of `perf script`.

use std::collections::{HashMap, HashSet};
use std::io::Read;

use super::call::{Beside, Call, source_line};
use super::head::{Head, HeadLine, lost_events};
use crate::bytes::lines::Lines;
use crate::bytes::plain::Plain;
use crate::bytes::understood::without_mark;
use crate::measure::{Counts, Kind, MEASURES_MAX, Measures, Sampling, Slot};
use crate::profile::Frame;
use crate::stacks::{Position, Spot, Stacks};
use crate::texts::TextId;
use crate::{Limits, Profile, ProfileError, Roots};

/// Maximum number of events. Each has two measures, and a profile has at most [`MEASURES_MAX`]. Only the
/// first events of a file are read.
const EVENTS_MAX: usize = MEASURES_MAX / 2;
/// The approximate size in bytes of a table entry for the name of a program or an event.
const ENTRY_BYTES: usize = 96;

/// Reads the samples of a text.
pub(super) fn read(source: impl Read, limits: &Limits) -> Result<Profile, ProfileError> {
    let mut reader = Reader {
        stacks: Stacks::new("perf", limits),
        events: Vec::new(),
        left_out: HashSet::new(),
        programs: HashMap::new(),
        sample: None,
        calls: Vec::new(),
        roots: limits.roots,
        processes: HashMap::new(),
        is_in_record: false,
        has_modules: false,
        has_calls: false,
    };
    let mut lines = Lines::new(Plain::of(source, limits.expansion)?);
    loop {
        let number = lines.number + 1;
        let Some(line) = lines.next()? else { break };
        reader.line(line, number)?;
    }
    let (number, rest) = (lines.number + 1, lines.rest());
    let is_cut_off = lines.is_cut_off && !reader.is_whole(rest);
    if lines.is_cut_off && !is_cut_off {
        reader.line(rest, number)?;
    }
    // If the text is cut off within a sample, some callers in its stack are unknown, so the sample is left
    // out.
    reader.stacks.profile.noticed.is_cut_off = is_cut_off;
    if !is_cut_off {
        reader.end_sample()?;
    }
    reader.finish()
}

/// An event: its name, and whether its samples have periods.
struct Event {
    name: Box<[u8]>,
    has_periods: bool,
}

/// The sample that is being read now.
struct Sample {
    /// The number of the event; `None` if samples of this event are left out.
    event: Option<usize>,
    period: Option<i64>,
    /// The call in the head, if the sample has no stack.
    beside: Option<Spot>,
    /// The number of the head's line, if unknown text follows the event in that line.
    odd_line: Option<u64>,
    /// The locations of the process and the thread, if the caller requested them as roots.
    roots: [Option<u32>; 2],
}

struct Reader {
    stacks: Stacks,
    events: Vec<Event>,
    /// The names of events that are left out.
    left_out: HashSet<Box<[u8]>>,
    /// The number of samples of each program.
    programs: HashMap<Box<[u8]>, u64>,
    sample: Option<Sample>,
    /// The calls of the sample, innermost call first; each with whether it was inlined.
    calls: Vec<(Spot, bool)>,
    roots: Roots,
    /// The locations of processes, by the number of the process.
    processes: HashMap<Box<[u8]>, u32>,
    /// Whether the last line belongs to a record that is not a sample. Such a record may have more lines.
    is_in_record: bool,
    /// Whether any call had a module, and whether there were any calls.
    has_modules: bool,
    has_calls: bool,
}

impl Reader {
    fn line(&mut self, line: &[u8], number: u64) -> Result<(), ProfileError> {
        let line = if number == 1 { without_mark(line) } else { line };
        if line.trim_ascii().is_empty() {
            self.is_in_record = false;
            return self.end_sample();
        }
        if let Some(comment) = line.strip_prefix(b"#") {
            return self.comment(comment);
        }
        self.stacks.profile.lines += 1;
        let is_indented = line[0].is_ascii_whitespace();
        let is_known = match head_of(line) {
            Some(head) => {
                self.end_sample()?;
                self.head_line(head, number)?
            }
            None if self.is_in_record => true,
            None => self.sample.is_some() && (is_indented || is_call(line)) && self.call(line)?,
        };
        if !is_known {
            self.stacks.profile.noticed.bad_line(number);
            if !is_indented {
                self.end_sample()?;
            }
        }
        Ok(())
    }

    /// Whether the last line of the file is complete although it lacks a line end.
    fn is_whole(&self, line: &[u8]) -> bool {
        let line = line.trim_ascii_end();
        match HeadLine::of(line) {
            Some(HeadLine::Sample(head)) if head.rest.is_empty() => line.ends_with(b":") && !self.has_calls,
            Some(HeadLine::Record(_)) => true,
            _ => line.ends_with(b")") || !line.is_empty() && !self.has_modules,
        }
    }

    /// Reads the command line from a comment such as `# cmdline : /usr/bin/perf record -g ./zwork`.
    fn comment(&mut self, comment: &[u8]) -> Result<(), ProfileError> {
        let text = comment.trim_ascii().strip_prefix(b"cmdline").map(<[u8]>::trim_ascii_start);
        if let Some(command) = text.and_then(|text| text.strip_prefix(b":")) {
            self.stacks.held.take(command.len())?;
            self.stacks.profile.recording.command =
                String::from_utf8_lossy(command.trim_ascii()).into_owned();
        }
        Ok(())
    }

    fn head_line(&mut self, head: HeadLine<'_>, number: u64) -> Result<bool, ProfileError> {
        self.is_in_record = matches!(head, HeadLine::Record(_));
        match head {
            HeadLine::Sample(head) => self.head(head, number),
            HeadLine::Record(record) => {
                let lost = &mut self.stacks.profile.noticed.lost_events;
                *lost = lost.saturating_add(lost_events(record));
                Ok(true)
            }
        }
    }

    fn head(&mut self, head: Head<'_>, number: u64) -> Result<bool, ProfileError> {
        let event = self.event(head.event, head.period.is_some())?;
        match self.programs.get_mut(head.command) {
            Some(samples) => *samples += 1,
            None if head.command.is_empty() => {}
            None => {
                self.stacks.held.take(ENTRY_BYTES + head.command.len())?;
                self.programs.insert(head.command.into(), 1);
            }
        }
        // If the sample has no stack, its only call is in the head. The text of a tracepoint in the head is
        // not a call.
        let beside = if head.event.contains(&b':') { Beside::Nothing } else { Call::in_rest(head.rest) };
        let (beside, odd_line) = match beside {
            Beside::Call(call) => (Some(self.spot_of(&call)?), None),
            Beside::Unknown => (None, Some(number)),
            Beside::Nothing => (None, None),
        };
        let roots = self.roots_of(&head)?;
        self.sample = Some(Sample { event, period: head.period, beside, odd_line, roots });
        Ok(!head.is_period_beyond)
    }

    /// The locations of a sample's roots.
    fn roots_of(&mut self, head: &Head<'_>) -> Result<[Option<u32>; 2], ProfileError> {
        let thread = match self.roots {
            Roots::None => return Ok([None; 2]),
            Roots::Process => None,
            Roots::Thread => Some([head.command, b" ", head.thread].concat()),
        };
        let Some(process) = head.process() else {
            // The line has a thread without its process, so the name of the thread is the root.
            let program = self.root(head.command)?;
            return Ok([program, thread.map_or(Ok(None), |name| self.root(&name))?]);
        };
        let process = match self.processes.get(process) {
            Some(known) => Some(*known),
            // Since each thread may have its own name, the process gets the name of its first thread in the
            // file.
            None => {
                self.stacks.held.take(ENTRY_BYTES + process.len())?;
                let root = self.root(&[head.command, b" ", process].concat())?;
                self.processes.extend(root.map(|root| (process.into(), root)));
                root
            }
        };
        Ok([process, thread.map_or(Ok(None), |name| self.root(&name))?])
    }

    /// The location of a process or a thread, which becomes the caller of functions.
    fn root(&mut self, name: &[u8]) -> Result<Option<u32>, ProfileError> {
        let function = self.stacks.text(name.trim_ascii())?;
        let frame = Frame { function, ..Frame::default() };
        function.is_some().then(|| self.stacks.spot(Spot { frame, ..Spot::default() })).transpose()
    }

    fn spot_of(&mut self, call: &Call<'_>) -> Result<Spot, ProfileError> {
        let (function, module) = (self.stacks.function(call.function)?, self.stacks.text(call.module)?);
        (self.has_calls, self.has_modules) = (true, self.has_modules || module.is_some() || call.is_inlined);
        let address = if function.is_some() { 0 } else { call.address };
        let frame = Frame { function, ..Frame::default() };
        Ok(Spot { module, frame, address })
    }

    /// The number of an event; `None` if there is no room for it.
    fn event(&mut self, name: &[u8], has_period: bool) -> Result<Option<usize>, ProfileError> {
        let known = self.events.iter().position(|event| *event.name == *name);
        let number = match known {
            Some(number) => number,
            None if self.events.len() == EVENTS_MAX => {
                if !self.left_out.contains(name) {
                    self.stacks.held.take(ENTRY_BYTES + name.len())?;
                    self.left_out.insert(name.into());
                }
                return Ok(None);
            }
            None => {
                self.events.push(Event { name: name.into(), has_periods: false });
                self.events.len() - 1
            }
        };
        self.events[number].has_periods |= has_period;
        Ok(Some(number))
    }

    /// Adds a call to the sample, or the source line to the previous call. Returns false if the line is
    /// neither.
    fn call(&mut self, line: &[u8]) -> Result<bool, ProfileError> {
        if let Some(call) = Call::of(line) {
            let spot = self.spot_of(&call)?;
            self.stacks.held.make_room(&mut self.calls, 1)?;
            self.calls.push((spot, call.is_inlined));
            return Ok(true);
        }
        let Some((file, line, is_inlined)) = source_line(line) else { return Ok(false) };
        let file = self.stacks.text(file)?;
        let beside = self.sample.as_mut().and_then(|sample| sample.beside.as_mut());
        match self.calls.last_mut() {
            Some((spot, was_inlined)) => {
                (spot.frame.file, spot.frame.line) = (file, line);
                *was_inlined |= is_inlined;
            }
            None => {
                let Some(spot) = beside else { return Ok(false) };
                (spot.frame.file, spot.frame.line) = (file, line);
            }
        }
        Ok(true)
    }

    /// Adds the counts of the current sample, if there is one.
    fn end_sample(&mut self) -> Result<(), ProfileError> {
        let Some(Sample { event, period, beside, odd_line, roots }) = self.sample.take() else {
            return Ok(());
        };
        if self.calls.is_empty() {
            self.calls.extend(beside.map(|spot| (spot, false)));
            odd_line.iter().for_each(|line| self.stacks.profile.noticed.bad_line(*line));
        }
        let Some(event) = event else {
            self.calls.clear();
            return Ok(());
        };
        let (mut at, mut module) = (Position::default(), TextId::NONE);
        for root in roots.into_iter().flatten() {
            at = self.stacks.below(at, Some(root))?;
        }
        for (mut spot, is_inlined) in self.calls.drain(..).rev() {
            // An inlined function is in the module of the function that contains it.
            match is_inlined && !spot.module.is_some() {
                true => spot.module = module,
                false => module = spot.module,
            }
            let location = self.stacks.spot(spot)?;
            at = self.stacks.below(at, Some(location))?;
        }
        let mut counts = Counts::default();
        counts[Slot::new(2 * event)] = 1;
        counts[Slot::new(2 * event + 1)] = period.unwrap_or(0);
        self.stacks.count(at, counts);
        Ok(())
    }

    fn finish(mut self) -> Result<Profile, ProfileError> {
        let Self { stacks, events, left_out, programs, .. } = &mut self;
        if events.is_empty() {
            return Err(ProfileError::NoStacks { what: "head of a sample, as `perf script` writes it" });
        }
        stacks.profile.kind = Kind::Cpu;
        stacks.profile.sampling = Some(Sampling::default());
        stacks.profile.noticed.programs = programs.len() as u64;
        stacks.profile.noticed.measures_left_out = 2 * left_out.len() as u64;
        // If there are several programs, the name of the one with the most samples becomes the command.
        let most = programs.iter().map(|(name, samples)| (*samples, std::cmp::Reverse(name.as_ref()))).max();
        if stacks.profile.recording.command.is_empty() {
            let command =
                most.map_or_else(String::new, |(_, name)| String::from_utf8_lossy(name.0).into_owned());
            stacks.profile.recording.command = command;
        }
        let (mut names, mut kept): (Vec<(String, &str)>, Vec<Slot>) = (Vec::new(), Vec::new());
        for (number, event) in events.iter().enumerate() {
            let name = String::from_utf8_lossy(&event.name);
            let is_time = Head::is_of_time(&event.name);
            names.push((if number == 0 { "samples".to_owned() } else { format!("{name}_samples") }, "count"));
            kept.push(Slot::new(2 * number));
            if event.has_periods {
                let unit = if is_time { "nanoseconds" } else { "count" };
                names.push((
                    if is_time && number == 0 { "time_ns".to_owned() } else { name.into_owned() },
                    unit,
                ));
                kept.push(Slot::new(2 * number + 1));
            }
        }
        let names: Vec<(&str, &str)> = names.iter().map(|(name, unit)| (name.as_str(), *unit)).collect();
        let measures = Measures::of(&names);
        self.stacks.keep(&kept);
        Ok(self.stacks.finish(measures))
    }
}

/// Parses a non-empty line as a head, if it may be a head.
pub(super) fn head_of(line: &[u8]) -> Option<HeadLine<'_>> {
    let may_be = !line[0].is_ascii_whitespace() || HeadLine::may_be_indented(line);
    may_be.then(|| HeadLine::of(line)).flatten()
}

/// Whether a line that is not indented is certainly a call, or the source line of a call.
fn is_call(line: &[u8]) -> bool {
    match Call::of(line) {
        Some(call) => !call.module.is_empty() || call.is_inlined || call.address > u64::from(u16::MAX),
        None => source_line(line).is_some(),
    }
}
