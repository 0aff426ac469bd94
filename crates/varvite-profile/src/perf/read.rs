//! Samples out of the lines of `perf script`.

use std::collections::{HashMap, HashSet};
use std::io::Read;

use super::call::{Call, source_line};
use super::head::Head;
use crate::bytes::lines::Lines;
use crate::bytes::plain::Plain;
use crate::measure::{Counts, Kind, MEASURES_MAX, Measures, Sampling, Slot};
use crate::profile::Frame;
use crate::stacks::{Position, Spot, Stacks};
use crate::texts::TextId;
use crate::{Limits, Profile, ProfileError};

/// Events of one file that are kept, the first ones: each has two measures.
const EVENTS_MAX: usize = MEASURES_MAX / 2;
/// What a name of a program or an event takes in a table, about.
const ENTRY_BYTES: usize = 96;

/// Reads samples.
pub(super) fn read(source: impl Read, limits: &Limits) -> Result<Profile, ProfileError> {
    let mut reader = Reader {
        stacks: Stacks::new("perf", limits),
        events: Vec::new(),
        left_out: HashSet::new(),
        programs: HashMap::new(),
        sample: None,
        calls: Vec::new(),
    };
    let mut lines = Lines::new(Plain::of(source, limits.expansion)?);
    loop {
        let number = lines.number + 1;
        let Some(line) = lines.next()? else { break };
        reader.line(line, number)?;
    }
    // Of a sample that is cut off nobody knows who called.
    reader.stacks.profile.noticed.is_cut_off = lines.is_cut_off;
    if !lines.is_cut_off {
        reader.end_sample()?;
    }
    reader.finish()
}

/// An event: its name, and whether its samples tell what they stand for.
struct Event {
    name: Box<[u8]>,
    has_periods: bool,
}

/// A sample whose calls are being read.
struct Sample {
    /// None if it is one of those that are left out.
    event: Option<usize>,
    period: Option<i64>,
}

struct Reader {
    stacks: Stacks,
    events: Vec<Event>,
    /// The names of those that there was no room for.
    left_out: HashSet<Box<[u8]>>,
    /// How many samples each program has.
    programs: HashMap<Box<[u8]>, u64>,
    sample: Option<Sample>,
    /// Its calls, the innermost first, with whether they were inlined.
    calls: Vec<(Spot, bool)>,
}

impl Reader {
    fn line(&mut self, line: &[u8], number: u64) -> Result<(), ProfileError> {
        if line.trim_ascii().is_empty() {
            return self.end_sample();
        }
        if let Some(comment) = line.strip_prefix(b"#") {
            return self.comment(comment);
        }
        let is_known = match line[0].is_ascii_whitespace() {
            true => self.sample.is_some() && self.call(line)?,
            false => {
                self.end_sample()?;
                self.head(line)?
            }
        };
        if !is_known {
            self.stacks.profile.noticed.bad_line(number);
        }
        Ok(())
    }

    /// `# cmdline : /usr/bin/perf record -g ./zwork`
    fn comment(&mut self, comment: &[u8]) -> Result<(), ProfileError> {
        let text = comment.trim_ascii().strip_prefix(b"cmdline").map(<[u8]>::trim_ascii_start);
        if let Some(command) = text.and_then(|text| text.strip_prefix(b":")) {
            self.stacks.held.take(command.len())?;
            self.stacks.profile.origin.command = String::from_utf8_lossy(command.trim_ascii()).into_owned();
        }
        Ok(())
    }

    fn head(&mut self, line: &[u8]) -> Result<bool, ProfileError> {
        let Some(head) = Head::of(line) else { return Ok(false) };
        let event = self.event(head.event, head.period.is_some())?;
        match self.programs.get_mut(head.command) {
            Some(samples) => *samples += 1,
            None => {
                self.stacks.held.take(ENTRY_BYTES + head.command.len())?;
                self.programs.insert(head.command.into(), 1);
            }
        }
        self.sample = Some(Sample { event, period: head.period });
        // Without stacks the only call is in the same line; what a tracepoint says there is none.
        let is_call = head.rest.is_empty() || head.event.contains(&b':') || self.call(head.rest)?;
        Ok(is_call && !head.is_period_beyond)
    }

    /// The number of an event; none if there is no room for it.
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

    /// A call of the sample, or the line of code of the one before; false if it is neither.
    fn call(&mut self, line: &[u8]) -> Result<bool, ProfileError> {
        if let Some(call) = Call::of(line) {
            let (function, module) = (self.stacks.function(call.function)?, self.stacks.text(call.module)?);
            let address = if function.is_some() { 0 } else { call.address };
            let frame = Frame { function, ..Frame::default() };
            self.stacks.held.make_room(&mut self.calls, 1)?;
            self.calls.push((Spot { module, frame, address }, call.is_inlined));
            return Ok(true);
        }
        let Some((file, line, is_inlined)) = source_line(line) else { return Ok(false) };
        let file = self.stacks.text(file)?;
        let Some((spot, was_inlined)) = self.calls.last_mut() else { return Ok(false) };
        (spot.frame.file, spot.frame.line) = (file, line);
        *was_inlined |= is_inlined;
        Ok(true)
    }

    /// Counts the sample, if there is one.
    fn end_sample(&mut self) -> Result<(), ProfileError> {
        let Some(Sample { event, period }) = self.sample.take() else { return Ok(()) };
        let Some(event) = event else {
            self.calls.clear();
            return Ok(());
        };
        let mut at = Position::default();
        let mut module = TextId::NONE;
        for (mut spot, is_inlined) in self.calls.drain(..).rev() {
            // A function that was inlined is where the one around it is.
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
        // Of several programs the one with most samples gives its name.
        let most = programs.iter().map(|(name, samples)| (*samples, std::cmp::Reverse(name.as_ref()))).max();
        if stacks.profile.origin.command.is_empty() {
            let command =
                most.map_or_else(String::new, |(_, name)| String::from_utf8_lossy(name.0).into_owned());
            stacks.profile.origin.command = command;
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
