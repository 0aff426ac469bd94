//! Reads documents in speedscope's format (`file-format-schema.json` of www.speedscope.app). A document may
//! have several profiles, each of the type "sampled" or "evented".
//!
//! Profiles with the same unit, such as those of several threads, become one measure. In documents that
//! Varvite wrote, the name of a profile is the name of its measure. Values of time become nanoseconds. A
//! sampled profile has stacks, with the outermost frame first, and a weight for each stack. An evented
//! profile has frames that open and close at given times; the time between two events is added to the stack
//! that is open at that time.
//!
//! Time in which no frame is open, and the time of a sample without frames, is idle time: it is reported
//! separately, and is not included in any sum. Counts of other units without a frame are recorded outside of
//! all functions. Fractions are added up exactly. Sums of time and of bytes are then rounded; if other
//! weights are fractions, they are counted in millionths.

use std::collections::BTreeMap;
use std::io::Read;

use serde::Deserialize;
use serde_json::Number;

use crate::bytes::plain::Plain;
use crate::heaptrack;
use crate::measure::{Kind, MEASURES_MAX, MICRO, MILLIONTHS, Measures, Sampling, Slot};
use crate::profile::Frame;
use crate::stacks::{MILLION, Position, Spot, Stacks};
use crate::{Limits, Profile, ProfileError};

/// The URL of the format's schema, which documents contain.
pub(crate) const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";
/// The name of the exporter in Varvite's documents, and its suffix if values are estimated.
const EXPORTER: &str = concat!("varvite ", env!("CARGO_PKG_VERSION"));
const SAMPLED: &str = " (sampled)";
/// The unit of measures of time, and the unit of measures that only count.
const TIME: &str = "nanoseconds";
const COUNT: &str = "count";
/// Number of bytes of memory for each byte of a document. The worst case is an empty list, which has two
/// bytes in the document, but takes as much memory as a short list.
const COST: usize = 18;

/// The exporter that a document of Varvite names.
pub(crate) fn exporter(is_sampled: bool) -> String {
    format!("{EXPORTER}{}", if is_sampled { SAMPLED } else { "" })
}

#[derive(Deserialize)]
struct Document {
    shared: Shared,
    profiles: Vec<Recorded>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    exporter: Option<String>,
}

#[derive(Deserialize)]
struct Shared {
    frames: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    line: Option<Number>,
    /// The module, a field that only Varvite writes.
    #[serde(default)]
    module: Option<String>,
}

/// A profile of a document, sampled or evented.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recorded {
    r#type: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    unit: String,
    #[serde(default)]
    start_value: Option<Number>,
    #[serde(default)]
    end_value: Option<Number>,
    #[serde(default)]
    samples: Vec<Vec<u64>>,
    #[serde(default)]
    weights: Vec<Number>,
    #[serde(default)]
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    r#type: EventType,
    frame: u64,
    at: Number,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
enum EventType {
    O,
    C,
}

/// Reads a speedscope document from a stream, which may be plain, gzip or zstd.
///
/// **Cost**: memory for the whole document.
///
/// # Errors
/// [`ProfileError`]. It is [`ProfileError::Speedscope`] if the bytes are not a speedscope document.
pub fn read(source: impl Read, limits: &Limits) -> Result<Profile, ProfileError> {
    let mut stacks = Stacks::new("speedscope", limits);
    let text = Plain::of(source, limits.expansion)?.read_all(COST, &mut stacks.held)?;
    let document: Document = serde_json::from_slice(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text))
        .map_err(|error| ProfileError::Speedscope { what: error.to_string() })?;
    drop(text);
    let mut locations = Vec::with_capacity(document.shared.frames.len());
    for frame in &document.shared.frames {
        locations.push(location(frame, &mut stacks)?);
    }
    let is_ours = document.exporter.as_deref().is_some_and(|exporter| exporter.starts_with("varvite "));
    let (known, names) = (BTreeMap::new(), Vec::new());
    let mut builder = Builder { stacks, locations, known, names, is_ours, idle: 0 };
    for recorded in &document.profiles {
        builder.add(recorded)?;
    }
    builder.finish(&document)
}

/// Whether a plain file that begins with `head` may be a speedscope document.
pub(crate) fn may_be(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let has = |word: &[u8]| memchr::memmem::find(text, word).is_some();
    text.starts_with(b"{") && (has(b"speedscope") || has(b"\"profiles\"") || has(b"\"shared\""))
}

/// The number of the location of a frame.
fn location(named: &Named, stacks: &mut Stacks) -> Result<u32, ProfileError> {
    let module = stacks.text(named.module.as_deref().unwrap_or_default().as_bytes())?;
    // If the function of a frame is not known, its name is an address or a module.
    let address = named.name.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let is_module = module.is_some() && named.name.starts_with('[');
    if address.is_some() || is_module {
        return stacks.spot(Spot { module, address: address.unwrap_or(0), ..Spot::default() });
    }
    let (function, file) = (
        stacks.text(named.name.as_bytes())?,
        stacks.text(named.file.as_deref().unwrap_or_default().as_bytes())?,
    );
    let line = named.line.as_ref().and_then(Number::as_u64).and_then(|line| u32::try_from(line).ok());
    stacks.spot(Spot { module, frame: Frame { function, file, line: line.unwrap_or(0) }, address: 0 })
}

struct Builder {
    stacks: Stacks,
    locations: Vec<u32>,
    /// The slots of measures, by name and unit; `None` for a measure that is left out.
    known: BTreeMap<(String, &'static str), Option<Slot>>,
    names: Vec<(String, &'static str)>,
    /// Whether Varvite wrote the document. Profiles then have the names of measures.
    is_ours: bool,
    /// Time in which no frame was open, in millionths of nanoseconds.
    idle: i128,
}

impl Builder {
    /// Adds a profile of the document.
    fn add(&mut self, recorded: &Recorded) -> Result<(), ProfileError> {
        let (unit, factor) = unit_of(&recorded.unit);
        let Some(slot) = self.slot(measure_of(&recorded.name, unit, self.is_ours), unit) else {
            return Ok(());
        };
        match recorded.r#type.as_str() {
            "sampled" => self.add_samples(recorded, slot, factor),
            "evented" => self.add_events(recorded, slot, factor),
            other => {
                let what = format!("a profile of type {other:?}, which is neither sampled nor evented");
                Err(ProfileError::Speedscope { what })
            }
        }
    }

    /// The slot of a measure; `None` if there are too many measures.
    fn slot(&mut self, name: String, unit: &'static str) -> Option<Slot> {
        let Self { stacks, known, names, .. } = self;
        *known.entry((name.clone(), unit)).or_insert_with(|| {
            if names.len() == MEASURES_MAX {
                stacks.profile.noticed.measures_left_out += 1;
                return None;
            }
            names.push((name, unit));
            Some(Slot::new(names.len() - 1))
        })
    }

    /// Adds a value, in millionths, to the count of a measure at a stack. If the stack is empty and the
    /// measure is time, adds it to the idle time instead.
    fn count(&mut self, at: Position, slot: Slot, value: i128) -> Result<(), ProfileError> {
        let is_time = self.names.get(slot.number()).is_some_and(|(_, unit)| *unit == TIME);
        match is_time && at == Position::default() {
            true => self.idle = self.idle.saturating_add(value.max(0)),
            false => self.stacks.count_millionths(at, slot, value)?,
        }
        Ok(())
    }

    fn add_samples(&mut self, recorded: &Recorded, slot: Slot, factor: f64) -> Result<(), ProfileError> {
        let noticed = &mut self.stacks.profile.noticed;
        noticed.bad_samples += recorded.samples.len().abs_diff(recorded.weights.len()) as u64;
        for (stack, weight) in recorded.samples.iter().zip(&recorded.weights) {
            let mut at = Position::default();
            for frame in stack {
                at = self.below(at, *frame)?;
            }
            match scaled(weight, factor) {
                Some(value) => self.count(at, slot, value)?,
                None => self.stacks.profile.noticed.bad_samples += 1,
            }
        }
        Ok(())
    }

    /// The position of a frame that is called at `at`. A frame that does not exist is recorded as unknown
    /// code.
    fn below(&mut self, at: Position, frame: u64) -> Result<Position, ProfileError> {
        let location = usize::try_from(frame).ok().and_then(|frame| self.locations.get(frame).copied());
        self.stacks.profile.noticed.bad_samples += u64::from(location.is_none());
        self.stacks.below(at, location)
    }

    fn add_events(&mut self, recorded: &Recorded, slot: Slot, factor: f64) -> Result<(), ProfileError> {
        let time_of = |number: &Option<Number>| number.as_ref().and_then(|it| scaled(it, factor));
        let first = recorded.events.first().and_then(|event| scaled(&event.at, factor));
        let start = time_of(&recorded.start_value).filter(|start| first.is_none_or(|first| *start <= first));
        let (mut open, mut last): (Vec<(u64, Position)>, _) = (Vec::new(), start);
        for event in &recorded.events {
            let Some(time) = scaled(&event.at, factor).filter(|time| last.is_none_or(|last| last <= *time))
            else {
                self.stacks.profile.noticed.bad_samples += 1;
                continue;
            };
            let at = open.last().map_or_else(Position::default, |(_, at)| *at);
            self.count(at, slot, time - last.unwrap_or(time))?;
            last = Some(time);
            match event.r#type {
                EventType::O => open.push((event.frame, self.below(at, event.frame)?)),
                // Closing a frame also closes the frames inside it. Closing a frame that is not open changes
                // nothing. Both cases are noted as invalid.
                EventType::C => match open.iter().rposition(|(frame, _)| *frame == event.frame) {
                    Some(place) => {
                        self.stacks.profile.noticed.bad_samples += u64::from(place + 1 < open.len());
                        open.truncate(place);
                    }
                    None => self.stacks.profile.noticed.bad_samples += 1,
                },
            }
        }
        // A frame that is never closed lasts until the end.
        let end = time_of(&recorded.end_value);
        let at = open.last().map_or_else(Position::default, |(_, at)| *at);
        self.stacks.profile.noticed.is_cut_off |= !open.is_empty();
        self.count(at, slot, end.zip(last).map_or(0, |(end, last)| (end - last).max(0)))
    }

    fn finish(mut self, document: &Document) -> Result<Profile, ProfileError> {
        for number in 0..self.names.len() {
            let (slot, (name, unit)) = (Slot::new(number), &mut self.names[number]);
            match *unit == COUNT && self.stacks.has_parts(slot) {
                true => {
                    (*name, *unit) = (format!("{MICRO}{name}"), MILLIONTHS);
                    self.stacks.keep_parts(slot);
                }
                false => self.stacks.round_parts(slot),
            }
        }
        self.stacks.profile.noticed.idle_ns = i64::try_from(self.idle / MILLION).unwrap_or(i64::MAX);
        let names: Vec<(&str, &str)> = self.names.iter().map(|(name, unit)| (name.as_str(), *unit)).collect();
        let measures = Measures::of(&names);
        let exporter = document.exporter.as_deref().unwrap_or_default();
        let is_ours = exporter.starts_with("varvite ") && !exporter.ends_with(SAMPLED);
        let is_evented = document.profiles.iter().all(|it| it.r#type == "evented");
        let profile = &mut self.stacks.profile;
        let command = document.name.as_deref().unwrap_or_default();
        self.stacks.held.take(command.len() + exporter.len())?;
        (profile.recording.command, profile.recording.version) = (command.to_owned(), exporter.to_owned());
        profile.sampling = (!is_ours && !is_evented).then(Sampling::default);
        let is_heap = measures.iter().any(|(_, it)| it.unit() == "bytes");
        profile.kind = if is_heap { Kind::Heap } else { Kind::Cpu };
        Ok(self.stacks.finish(measures))
    }
}

/// The unit of a measure, and the factor by which its values are multiplied.
fn unit_of(unit: &str) -> (&'static str, f64) {
    match unit {
        "bytes" => ("bytes", 1.0),
        "nanoseconds" => (TIME, 1.0),
        "microseconds" => (TIME, 1e3),
        "milliseconds" => (TIME, 1e6),
        "seconds" => (TIME, 1e9),
        _ => (COUNT, 1.0),
    }
}

/// The name of the measure of a profile. If Varvite wrote the document, it is the name of the profile.
/// Otherwise it is made from the unit, since the names of profiles are then those of threads.
fn measure_of(name: &str, unit: &'static str, is_ours: bool) -> String {
    let is_of_heaptrack = heaptrack::measures().iter().any(|(_, it)| (it.name(), it.unit()) == (name, unit));
    let is_one_word = !name.is_empty()
        && name.len() <= 40
        && name.bytes().all(|it| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    let is_of_pprof = is_one_word && (name.ends_with("_objects") || name.ends_with("_space"));
    match unit {
        _ if is_of_heaptrack || is_of_pprof || is_ours && is_one_word => name.to_owned(),
        "bytes" => "bytes".to_owned(),
        "nanoseconds" => "time_ns".to_owned(),
        _ => "samples".to_owned(),
    }
}

/// A value in millionths; `None` if its whole part exceeds 64 bits.
fn scaled(value: &Number, factor: f64) -> Option<i128> {
    if factor == 1.0 && !value.is_f64() {
        return value.as_i64().map(|value| i128::from(value) * MILLION);
    }
    let value = value.as_f64()? * factor;
    // The limit of 64 bits is exact as a float.
    let is_held = value.abs() < i64::MAX as f64;
    is_held.then(|| value.trunc() as i128 * MILLION + (value.fract() * MILLION as f64).round() as i128)
}
