//! Interprets the message of a profile.
//!
//! Texts, functions and locations may come after the entries that refer to them, so the reader makes one pass
//! over the message for each of these kinds.

use std::collections::HashMap;
use std::io::Read;

use varvite_codec::protobuf::{Fields, Value, Wrong};

use super::fields::{
    COMMENT, DEFAULT_SAMPLE_TYPE, DURATION, FUNCTION, LOCATION, MAPPING, PERIOD, PERIOD_TYPE, SAMPLE,
    SAMPLE_TYPE, STRING, TIME,
};
use super::types::measures_of;
use crate::bytes::plain::Plain;
use crate::measure::{Counts, Kind, MEASURES_MAX, Sampling};
use crate::profile::Frame;
use crate::stacks::{Position, Stacks};
use crate::texts::TextId;
use crate::{Limits, Profile, ProfileError};

/// The numbers of those fields whose value is a number. A comment may be a number or a list of numbers.
const NUMBERS: [u64; 6] = [7, 8, TIME, DURATION, PERIOD, DEFAULT_SAMPLE_TYPE];
/// Number of bytes of memory for each byte of the message: for the message itself, and for the longest lists
/// of a sample.
const COST: usize = 3;
/// The field number of the labels in a sample.
const LABEL: u64 = 3;
/// The approximate size in bytes of a table entry.
const ENTRY_BYTES: usize = 64;

/// Whether a profile has a field with this number and this type of value.
pub(super) fn is_of_profile(number: u64, value: Value<'_>) -> bool {
    match value {
        Value::Number(_) => NUMBERS.contains(&number) || number == COMMENT,
        Value::Bytes(_) => {
            (SAMPLE_TYPE..=STRING).contains(&number) || [PERIOD_TYPE, COMMENT].contains(&number)
        }
        Value::Other => false,
    }
}

/// Reads a profile from a message.
pub(super) fn read(source: impl Read, limits: &Limits) -> Result<Profile, ProfileError> {
    let mut stacks = Stacks::new("pprof", limits);
    let message = Plain::of(source, limits.expansion)?.read_all(COST, &mut stacks.held)?;
    let mut reader = Reader { message: &message, texts: Vec::new(), stacks };
    reader.read_texts()?;
    let types = reader.sample_types()?;
    let mappings = reader.read_mappings()?;
    let functions = reader.read_functions()?;
    let locations = reader.read_locations(&mappings, &functions)?;
    reader.read_samples(&locations, types.len())?;
    reader.finish(&types)
}

struct Reader<'m> {
    message: &'m [u8],
    texts: Vec<&'m [u8]>,
    stacks: Stacks,
}

/// A function: its name and its file.
type Function = (TextId, TextId);

impl<'m> Reader<'m> {
    /// Calls `read` for each field of the profile that has the number `field`.
    fn each(
        &mut self,
        field: u64,
        mut read: impl FnMut(&mut Self, Value<'m>) -> Result<(), ProfileError>,
    ) -> Result<(), ProfileError> {
        let mut fields = Fields::of(self.message);
        while let Some((number, value)) = fields.next_field()? {
            if number == field {
                let begin = fields.at - value.bytes().len();
                read(self, value).map_err(|error| match error {
                    // The offset in the error becomes the offset in the whole message.
                    ProfileError::Pprof { at, what } => ProfileError::Pprof { at: begin + at, what },
                    error => error,
                })?;
            }
        }
        Ok(())
    }

    fn read_texts(&mut self) -> Result<(), ProfileError> {
        self.each(STRING, |reader, text| {
            reader.stacks.held.make_room(&mut reader.texts, 1)?;
            reader.texts.push(text.bytes());
            Ok(())
        })
    }

    /// The text with the number `number`. If there is no such text, an invalid sample is noted, and the text
    /// is empty.
    fn bytes(&mut self, number: u64) -> &'m [u8] {
        let text = usize::try_from(number).ok().and_then(|number| self.texts.get(number).copied());
        if text.is_none() && number != 0 {
            self.stacks.profile.noticed.bad_samples += 1;
        }
        text.unwrap_or_default()
    }

    fn text(&mut self, number: u64) -> Result<TextId, ProfileError> {
        let bytes = self.bytes(number);
        self.stacks.text(bytes)
    }

    /// The type and the unit of a measure.
    fn value_type(&mut self, message: &'m [u8]) -> Result<(String, String), ProfileError> {
        let [kind, unit] = numbers(message, [1, 2])?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 10)]).into_owned();
        Ok((text(self.bytes(kind)), text(self.bytes(unit))))
    }

    fn sample_types(&mut self) -> Result<Vec<(String, String)>, ProfileError> {
        let mut types = Vec::new();
        self.each(SAMPLE_TYPE, |reader, value| {
            let kind_and_unit = reader.value_type(value.bytes())?;
            reader.stacks.held.take(ENTRY_BYTES + kind_and_unit.0.len() + kind_and_unit.1.len())?;
            types.push(kind_and_unit);
            Ok(())
        })?;
        Ok(types)
    }

    /// The paths of programs and libraries, by the id of their mapping.
    fn read_mappings(&mut self) -> Result<HashMap<u64, TextId>, ProfileError> {
        let mut mappings = HashMap::new();
        self.each(MAPPING, |reader, value| {
            let [id, name] = numbers(value.bytes(), [1, 5])?;
            reader.stacks.held.take(ENTRY_BYTES)?;
            let module = reader.text(name)?;
            let command = &mut reader.stacks.profile.recording.command;
            if command.is_empty() && mappings.is_empty() {
                // The first mapping is the program itself.
                *command = reader.stacks.profile.texts.get(module).unwrap_or_default().to_owned();
            }
            mappings.insert(id, module);
            Ok(())
        })?;
        Ok(mappings)
    }

    fn read_functions(&mut self) -> Result<HashMap<u64, Function>, ProfileError> {
        let mut functions = HashMap::new();
        self.each(FUNCTION, |reader, value| {
            let [id, name, system_name, file] = numbers(value.bytes(), [1, 2, 3, 4])?;
            reader.stacks.held.take(ENTRY_BYTES)?;
            let name = match reader.text(name)? {
                TextId::NONE => reader.text(system_name)?,
                name => name,
            };
            let file = reader.text(file)?;
            functions.insert(id, (name, file));
            Ok(())
        })?;
        Ok(functions)
    }

    /// The numbers of locations in the profile, by their id in the message.
    fn read_locations(
        &mut self,
        mappings: &HashMap<u64, TextId>,
        functions: &HashMap<u64, Function>,
    ) -> Result<HashMap<u64, u32>, ProfileError> {
        let (mut locations, mut frames) = (HashMap::new(), Vec::new());
        self.each(LOCATION, |reader, value| {
            let [id, mapping, address] = numbers(value.bytes(), [1, 2, 3])?;
            frames.clear();
            let mut fields = Fields::of(value.bytes());
            while let Some((field, line)) = fields.next_field()? {
                if field == 4 {
                    frames.extend(reader.frame(line.bytes(), functions)?);
                }
            }
            reader.stacks.held.take(ENTRY_BYTES)?;
            let module = mappings.get(&mapping).copied().unwrap_or_default();
            locations.insert(id, reader.stacks.location(module, address, &frames)?);
            Ok(())
        })?;
        Ok(locations)
    }

    /// The frame of a line. `None` if the message lacks the line's function; this is noted.
    fn frame(
        &mut self,
        line: &[u8],
        functions: &HashMap<u64, Function>,
    ) -> Result<Option<Frame>, ProfileError> {
        let [function, line] = numbers(line, [1, 2])?;
        let known = functions.get(&function).copied();
        self.stacks.profile.noticed.bad_samples += u64::from(known.is_none());
        let line = u32::try_from(line).unwrap_or(0);
        Ok(known.map(|(function, file)| Frame { function, file, line }))
    }

    /// The number in a field of the profile; 0 if the profile lacks the field.
    fn number_of(&mut self, field: u64) -> Result<u64, ProfileError> {
        let mut number = 0;
        self.each(field, |_, value| {
            number = value.number();
            Ok(())
        })?;
        Ok(number)
    }

    fn read_samples(&mut self, locations: &HashMap<u64, u32>, types: usize) -> Result<(), ProfileError> {
        let (mut stack, mut values, mut longest) = (Vec::new(), Vec::new(), 0);
        self.each(SAMPLE, |reader, value| {
            stack.clear();
            values.clear();
            // A number in a list takes at least one byte in the message, but eight bytes in memory.
            if let Some(more) = value.bytes().len().checked_sub(longest) {
                reader.stacks.held.take(more.saturating_mul(2 * size_of::<u64>()))?;
                longest += more;
            }
            let (mut fields, mut has_labels) = (Fields::of(value.bytes()), false);
            while let Some((field, list)) = fields.next_field()? {
                match field {
                    1 => extend(&mut stack, list)?,
                    2 => extend(&mut values, list)?,
                    LABEL => has_labels = true,
                    _ => {}
                }
            }
            reader.stacks.profile.noticed.labelled_samples += u64::from(has_labels);
            reader.add_sample(&stack, &values, locations, types)
        })
    }

    /// Adds a sample. `stack` has its locations, from the innermost call outwards.
    fn add_sample(
        &mut self,
        stack: &[u64],
        values: &[u64],
        locations: &HashMap<u64, u32>,
        types: usize,
    ) -> Result<(), ProfileError> {
        let is_whole = values.len() == types && stack.iter().all(|id| locations.contains_key(id));
        self.stacks.profile.noticed.bad_samples += u64::from(!is_whole);
        if values.len() != types {
            return Ok(());
        }
        let mut at = Position::default();
        for id in stack.iter().rev() {
            at = self.stacks.below(at, locations.get(id).copied())?;
        }
        let numbers: Vec<i64> = values.iter().take(MEASURES_MAX).map(|value| *value as i64).collect();
        self.stacks.count(at, Counts::of(&numbers));
        Ok(())
    }

    fn finish(mut self, types: &[(String, String)]) -> Result<Profile, ProfileError> {
        let [time, duration, period, shown] =
            [TIME, DURATION, PERIOD, DEFAULT_SAMPLE_TYPE].map(|field| self.number_of(field));
        let [time, duration, period] = [time?, duration?, period?].map(|number| number as i64);
        let (mut period_type, mut comment) = ((String::new(), String::new()), None);
        self.each(PERIOD_TYPE, |reader, value| {
            period_type = reader.value_type(value.bytes())?;
            Ok(())
        })?;
        self.each(COMMENT, |_, value| {
            comment = comment.or(first_of(value)?);
            Ok(())
        })?;
        if let Some(comment) = comment {
            let bytes = self.bytes(comment);
            self.stacks.held.take(bytes.len())?;
            self.stacks.profile.recording.command = String::from_utf8_lossy(bytes).into_owned();
        }
        let named: Vec<(&str, &str)> =
            types.iter().map(|(kind, unit)| (kind.as_str(), unit.as_str())).collect();
        let (measures, kind) = measures_of(&named);
        // If the message does not name a default type, pprof shows the last type first.
        let shown = self.bytes(shown?);
        let shown =
            types.iter().position(|(kind, _)| kind.as_bytes() == shown).or(types.len().checked_sub(1));
        let shown = shown.and_then(|number| measures.names().nth(number)).unwrap_or_default().to_owned();
        let profile = &mut self.stacks.profile;
        profile.noticed.measures_left_out = types.len().saturating_sub(MEASURES_MAX) as u64;
        profile.totals.runtime_ms = duration.max(0) as u64 / 1_000_000;
        let recording = &mut profile.recording;
        (recording.began_unix_ns, recording.duration_ns, recording.default_measure) =
            (time, duration.max(0), shown);
        profile.kind = kind;
        let is_sampled = period > 0 || kind == Kind::Cpu;
        profile.sampling = is_sampled.then(|| {
            let (kind, unit) = period_type;
            Sampling { period: period.max(0), unit, kind }
        });
        Ok(self.stacks.finish(measures))
    }
}

/// The numbers in the wanted fields of a message. If a field is repeated, its last value is used.
fn numbers<const N: usize>(message: &[u8], wanted: [u64; N]) -> Result<[u64; N], Wrong> {
    let (mut found, mut fields) = ([0; N], Fields::of(message));
    while let Some((field, value)) = fields.next_field()? {
        if let Some(place) = wanted.iter().position(|wanted| *wanted == field) {
            found[place] = value.number();
        }
    }
    Ok(found)
}

/// Adds the numbers in the value of a list field, which is a packed list or a single number.
fn extend(numbers: &mut Vec<u64>, list: Value<'_>) -> Result<(), Wrong> {
    match list {
        Value::Number(number) => numbers.push(number),
        Value::Bytes(bytes) => {
            let mut packed = Fields::of(bytes);
            while !packed.is_over() {
                numbers.push(packed.varint()?);
            }
        }
        Value::Other => {}
    }
    Ok(())
}

/// The first number of a list.
fn first_of(list: Value<'_>) -> Result<Option<u64>, Wrong> {
    let mut numbers = Vec::new();
    extend(&mut numbers, list)?;
    Ok(numbers.first().copied())
}
