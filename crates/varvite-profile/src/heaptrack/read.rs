//! Interprets the lines of a heaptrack profile.

use std::io::Read;

use super::events::{self, Consumed};
use super::fields::Fields;
use super::replay::Replay;
use super::suppressions::Suppressions;
use super::{LEAKED_BYTES, VERSION_MAX, measures};
use crate::bytes::lines::Lines;
use crate::events::{Event, EventSink, Recorder, check_kinds};
use crate::limits::LimitCharge;
use crate::profile::{Frame, Location, Profile, Step};
use crate::texts::TextId;
use crate::timeline::{Moment, Timeline};
use crate::written_name::written;
use crate::{Limits, ProfileError};

/// Functions that only allocate. The profile shows their caller as the place of an allocation.
const OPERATOR_NEW: [&[u8]; 4] = [
    b"operator new(unsigned long)",
    b"operator new[](unsigned long)",
    b"operator new(unsigned int)",
    b"operator new[](unsigned int)",
];
/// The version of heaptrack whose files have the format version 1, but do not state it.
const VERSION_WITHOUT_FORM: u64 = 0x1_0200;

/// Reads a plain profile, and passes its events to `sink`, if there is a sink.
pub(super) fn read(
    source: impl Read,
    limits: &Limits,
    sink: Option<&mut dyn EventSink>,
) -> Result<Profile, ProfileError> {
    let mut reader = Reader {
        profile: Profile::default(),
        held: LimitCharge::new(limits),
        replay: Replay::default(),
        recorder: sink.map(Recorder::new),
        suppressions: Suppressions::default(),
        version: 0,
        operator_new: Vec::new(),
        is_operator_new: Vec::new(),
        steps: Vec::new(),
        last_ms: 0,
        resident_pages: 0,
        resident_now: 0,
    };
    reader.profile.recording.tool = "heaptrack".to_owned();
    reader.profile.measures = measures();
    let mut lines = Lines::new(source);
    match lines.next()? {
        Some(line) if line.starts_with(b"v ") => reader.version(Fields::of(line))?,
        line => {
            return Err(ProfileError::NotHeaptrack { found: ProfileError::shown(line.unwrap_or(&[])) });
        }
    }
    loop {
        if reader.version > 0 {
            let taken = reader.take_events(lines.unread());
            lines.pass(taken.bytes, taken.lines);
        }
        let number = lines.number + 1;
        let Some(line) = lines.next()? else { break };
        if reader.line(line, number)?.is_none() {
            reader.profile.noticed.bad_line(number);
        }
    }
    reader.profile.noticed.is_cut_off = lines.is_cut_off;
    Ok(reader.finish())
}

struct Reader<'s> {
    profile: Profile,
    held: LimitCharge,
    replay: Replay,
    /// Records the events; `None` unless the caller requested them.
    recorder: Option<Recorder<'s>>,
    suppressions: Suppressions,
    version: u64,
    /// The texts that are names of `operator new`.
    operator_new: Vec<TextId>,
    /// For each location, whether it is `operator new`.
    is_operator_new: Vec<bool>,
    /// The step (a call in the profile's tree of calls) of each trace. If the trace ends in `operator new`,
    /// this is the step of the caller.
    steps: Vec<Option<u32>>,
    last_ms: u64,
    /// The maximum number of resident pages of the process, in the whole run and since the last time stamp.
    resident_pages: u64,
    resident_now: u64,
}

/// The result of reading a line: `None` if the line is invalid.
type LineResult = Result<Option<()>, ProfileError>;

impl Reader<'_> {
    fn version(&mut self, mut fields: Fields<'_>) -> Result<(), ProfileError> {
        let version = fields.number().unwrap_or(0);
        let without = u64::from(version == VERSION_WITHOUT_FORM);
        self.version = if fields.is_empty() { without } else { fields.number().unwrap_or(u64::MAX) };
        if self.version > VERSION_MAX {
            return Err(ProfileError::NewerVersion { found: self.version, newest: VERSION_MAX });
        }
        let [major, minor, patch] = [version >> 16, version >> 8 & 0xff, version & 0xff];
        self.profile.recording.version = format!("{major}.{minor}.{patch}");
        Ok(())
    }

    #[inline]
    fn line(&mut self, line: &[u8], number: u64) -> LineResult {
        let mut fields = Fields::of(line);
        match line.first() {
            Some(sign @ (b'+' | b'-')) if self.version > 0 => Ok(self.event(*sign == b'+', fields)),
            Some(b'+') => self.allocate_at(fields),
            Some(b'-') => Ok(fields.number().map(|pointer| self.free_at(pointer))),
            Some(b's') => self.text(fields),
            Some(b'i') => self.location(fields),
            Some(b't') => self.trace(fields),
            Some(b'a') => self.info(fields),
            Some(b'c') => Ok(fields.number().map(|ms| self.stamp(ms))),
            Some(b'R') => Ok(fields.number().map(|pages| self.resident(pages))),
            Some(b'I') => Ok(fields.number().map(|size| self.profile.recording.page_size = size)),
            Some(b'X') => {
                let command = fields.rest();
                self.held.take(command.len())?;
                self.profile.recording.command = String::from_utf8_lossy(command).into_owned();
                Ok(Some(()))
            }
            Some(b'A') => {
                self.profile.recording.is_attached = true;
                self.replay.begin_anew();
                self.profile.timeline = Timeline::default();
                Ok(Some(()))
            }
            Some(b'S') => Ok(self.suppression(fields)),
            Some(b'x' | b'm') => Err(ProfileError::Raw { line: number }),
            Some(b'#') | None => Ok(Some(())),
            Some(_) => Ok(None),
        }
    }

    /// Processes the events at the beginning of `lines`.
    fn take_events(&mut self, lines: &[u8]) -> Consumed {
        let Self { replay, recorder, .. } = self;
        match recorder {
            None => {
                events::take(lines, |is_allocation, number| replay.event(is_allocation, number).is_some())
            }
            Some(recorder) => events::take(lines, |is_allocation, number| {
                recorder.has_room() && record(replay, recorder, is_allocation, number).is_some()
            }),
        }
    }

    fn event(&mut self, is_allocation: bool, mut fields: Fields<'_>) -> Option<()> {
        let number = fields.number()?;
        self.make_room();
        let Self { replay, recorder, .. } = self;
        match recorder {
            None => replay.event(is_allocation, number).map(drop),
            Some(recorder) => record(replay, recorder, is_allocation, number),
        }
    }

    /// Ends the current stretch if it is full.
    fn make_room(&mut self) {
        if let Some(recorder) = &mut self.recorder
            && !recorder.has_room()
        {
            recorder.end_stretch(self.replay.states());
        }
    }

    fn free_at(&mut self, pointer: u64) {
        self.make_room();
        if let (Some((kind, is_temporary)), Some(recorder)) =
            (self.replay.free_at(pointer), &mut self.recorder)
        {
            recorder.push(Event { kind, gives_back: true, is_temporary });
        }
    }

    /// Sets the millisecond of the following events, unless it is before the current millisecond.
    fn stamp(&mut self, ms: u64) {
        if ms > self.last_ms {
            self.end_moment();
            self.last_ms = ms;
            self.recorder.iter_mut().for_each(|recorder| recorder.stamp(ms));
        }
    }

    fn end_moment(&mut self) {
        let resident_bytes =
            std::mem::take(&mut self.resident_now).saturating_mul(self.profile.recording.page_size);
        let moment = Moment { resident_bytes, ..self.replay.take_moment() };
        self.profile.timeline.add(self.last_ms, moment);
    }

    fn resident(&mut self, pages: u64) {
        self.resident_pages = self.resident_pages.max(pages);
        self.resident_now = self.resident_now.max(pages);
    }

    fn allocate_at(&mut self, mut fields: Fields<'_>) -> LineResult {
        let (Some(bytes), Some(trace), Some(pointer)) =
            (fields.number(), fields.number_32(), fields.number())
        else {
            return Ok(None);
        };
        if !self.is_trace(trace) {
            return Ok(None);
        }
        self.make_room();
        let peaks = self.replay.peaks();
        let Some(kind) = self.replay.allocate_at(pointer, bytes, trace, &mut self.held)? else {
            return Ok(None);
        };
        if let Some(recorder) = &mut self.recorder {
            check_kinds(self.replay.kinds())?;
            recorder.push(Event { kind, gives_back: false, is_temporary: false });
            if self.replay.peaks() > peaks {
                recorder.note_peak();
            }
        }
        Ok(Some(()))
    }

    fn text(&mut self, mut fields: Fields<'_>) -> LineResult {
        let text = if self.version < 3 { Some(fields.rest()) } else { fields.sized() };
        // A text that can't be read still gets a number, so that later texts have the right numbers.
        let id = self.profile.texts.push(&written(text.unwrap_or(&[])), &mut self.held)?;
        if text.is_some_and(|text| OPERATOR_NEW.contains(&text)) {
            self.held.make_room(&mut self.operator_new, 1)?;
            self.operator_new.push(id);
        }
        Ok(text.map(drop))
    }

    fn location(&mut self, mut fields: Fields<'_>) -> LineResult {
        let first = self.profile.frames.len();
        let address = fields.number();
        let module = self.known(fields.number_32().unwrap_or(0));
        let mut is_whole = address.is_some();
        while !fields.is_empty() && is_whole {
            is_whole = self.frame(&mut fields)?;
        }
        let frames = first as u32..self.profile.frames.len() as u32;
        let function = self.profile.frames.get(first).map(|frame| frame.function);
        let is_new = function.is_some_and(|function| self.operator_new.contains(&function));
        self.held.make_room(&mut self.profile.locations, 1)?;
        self.held.make_room(&mut self.is_operator_new, 1)?;
        self.profile.locations.push(Location { address: address.unwrap_or(0), module, frames });
        self.is_operator_new.push(is_new);
        Ok(is_whole.then_some(()))
    }

    /// Adds a frame: a function and, if the line has them, its file and line. Returns false if the line is
    /// invalid.
    fn frame(&mut self, fields: &mut Fields<'_>) -> Result<bool, ProfileError> {
        let Some(function) = fields.number_32() else { return Ok(false) };
        let mut frame = Frame { function: self.known(function), ..Frame::default() };
        if !fields.is_empty() {
            let (Some(file), Some(line)) = (fields.number_32(), fields.number_32()) else { return Ok(false) };
            (frame.file, frame.line) = (self.known(file), line);
        }
        if self.profile.frames.len() >= u32::MAX as usize {
            return Err(ProfileError::TooMany { what: "frames", limit: u32::MAX.into() });
        }
        self.held.make_room(&mut self.profile.frames, 1)?;
        self.profile.frames.push(frame);
        Ok(true)
    }

    /// The id of the text with this number; [`TextId::NONE`] if there is no such text.
    fn known(&self, number: u32) -> TextId {
        if number as usize <= self.profile.texts.len() { TextId(number) } else { TextId::NONE }
    }

    fn trace(&mut self, mut fields: Fields<'_>) -> LineResult {
        let (location, parent) = (fields.number_32(), fields.number_32());
        let is_whole = location.is_some() && parent.is_some();
        // A trace that refers to a later trace could make a cycle.
        let is_sound = is_whole && parent.is_some_and(|parent| parent as usize <= self.steps.len());
        let parent = parent.filter(|_| is_sound).and_then(|parent| self.step_of(parent));
        let place = location.and_then(|location| location.checked_sub(1));
        let place = place.filter(|place| (*place as usize) < self.profile.locations.len());
        let step = match place {
            Some(place) if self.is_operator_new[place as usize] => parent,
            _ => {
                self.held.make_room(&mut self.profile.steps, 1)?;
                self.profile.steps.push(Step { parent, location: place });
                Some(self.profile.steps.len() as u32 - 1)
            }
        };
        if self.steps.len() >= u32::MAX as usize - 1 {
            return Err(ProfileError::TooMany { what: "calls", limit: u32::MAX.into() });
        }
        self.held.make_room(&mut self.steps, 1)?;
        self.steps.push(step);
        Ok((is_sound && place.is_some()).then_some(()))
    }

    /// The step of a trace. Traces are numbered from 1.
    fn step_of(&self, trace: u32) -> Option<u32> {
        self.steps.get((trace as usize).checked_sub(1)?).copied().flatten()
    }

    fn is_trace(&self, trace: u32) -> bool {
        trace as usize <= self.steps.len()
    }

    fn info(&mut self, mut fields: Fields<'_>) -> LineResult {
        let (bytes, trace) = (fields.number(), fields.number_32());
        let known = trace.filter(|trace| self.is_trace(*trace));
        let is_size = self.replay.add_info(bytes.unwrap_or(0), known.unwrap_or(0), &mut self.held)?;
        if self.recorder.is_some() {
            check_kinds(self.replay.kinds())?;
        }
        Ok((is_size && bytes.is_some() && known.is_some()).then_some(()))
    }

    /// Adds a suppression rule. In version 3, the rule's length may precede the rule.
    fn suppression(&mut self, fields: Fields<'_>) -> Option<()> {
        let mut sized = fields;
        let rule = sized.sized().filter(|rule| rule.starts_with(b"leak:")).unwrap_or(fields.rest());
        let rule = std::str::from_utf8(rule).ok()?;
        self.held.take(rule.len()).ok()?;
        self.suppressions.add(rule).then_some(())
    }

    fn finish(mut self) -> Profile {
        self.end_moment();
        let mut replay = std::mem::take(&mut self.replay);
        self.profile.events = self.recorder.take().map(|recorder| recorder.finish(replay.take_kinds()));
        self.profile.noticed.is_saturated = replay.is_saturated();
        let (sites, mut totals) = replay.finish(|trace| self.step_of(trace));
        let suppressed = self.suppressed_steps();
        for site in &sites {
            if site.step.is_some_and(|step| suppressed[step as usize]) {
                totals.suppressed_bytes = totals.suppressed_bytes.saturating_add(site.counts[LEAKED_BYTES]);
            }
        }
        let leaked = &mut totals.counts[LEAKED_BYTES];
        *leaked = leaked.saturating_sub(totals.suppressed_bytes);
        totals.runtime_ms = self.last_ms.saturating_add(1);
        totals.peak_resident_bytes = self.resident_pages.saturating_mul(self.profile.recording.page_size);
        Profile { sites, totals, ..self.profile }
    }

    /// For each step, whether a suppression rule matches the step or any of its callers.
    fn suppressed_steps(&self) -> Vec<bool> {
        let profile = &self.profile;
        let texts: Vec<bool> = (0..=profile.texts.len() as u32)
            .map(|number| {
                profile.texts.get(TextId(number)).is_some_and(|text| self.suppressions.match_name(text))
            })
            .collect();
        let matches = |text: TextId| texts[text.0 as usize];
        let frame = |frame: &Frame| matches(frame.function) || matches(frame.file);
        let locations: Vec<bool> = profile
            .locations
            .iter()
            .map(|it| {
                matches(it.module)
                    || profile.frames[it.frames.start as usize..it.frames.end as usize].iter().any(frame)
            })
            .collect();
        let mut suppressed: Vec<bool> = Vec::with_capacity(profile.steps.len());
        for step in &profile.steps {
            let by_caller = step.parent.is_some_and(|parent| suppressed[parent as usize]);
            suppressed.push(by_caller || step.location.is_some_and(|location| locations[location as usize]));
        }
        suppressed
    }
}

/// Counts and records an event. `None` if its number refers to no allocation.
#[inline]
fn record(replay: &mut Replay, recorder: &mut Recorder<'_>, is_allocation: bool, number: u64) -> Option<()> {
    let peaks = replay.peaks();
    let is_temporary = replay.event(is_allocation, number)?;
    recorder.push(Event { kind: number as u32, gives_back: !is_allocation, is_temporary });
    if replay.peaks() > peaks {
        recorder.note_peak();
    }
    Some(())
}
