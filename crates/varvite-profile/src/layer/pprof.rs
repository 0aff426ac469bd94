//! A profile in the form of pprof: a message of protocol buffers, `profile.proto` of github.com/google/pprof, compressed with gzip.
//!
//! All four counts are sample types. A place is a location with one line, so that functions that were inlined are calls like others.
//! Samples have the place that allocates first.

use std::collections::HashMap;
use std::io::{self, Write};

use varvite_codec::frame::{FrameOptions, FrameWriter, Framing};

use super::measure::Measure;
use super::stored::HeapLayer;
use crate::profile::Counts;

/// How small gzip makes it.
const LEVEL: i32 = 6;
/// Fields of a profile.
const SAMPLE_TYPE: u32 = 1;
const SAMPLE: u32 = 2;
const MAPPING: u32 = 3;
const LOCATION: u32 = 4;
const FUNCTION: u32 = 5;
const STRING: u32 = 6;
const DURATION: u32 = 10;
const COMMENT: u32 = 13;
const DEFAULT_SAMPLE_TYPE: u32 = 14;
/// What ends the first byte of a number, and of a message or a text.
const NUMBER: u32 = 0;
const BYTES: u32 = 2;

impl Measure {
    /// The type and the unit that pprof has for it.
    fn sample_type(self) -> [&'static str; 2] {
        match self {
            Self::Calls => ["alloc_objects", "count"],
            Self::Temporary => ["temporary_objects", "count"],
            Self::LeakedBytes => ["leaked_space", "bytes"],
            Self::PeakBytes => ["peak_space", "bytes"],
        }
    }
}

impl HeapLayer {
    /// Writes the profile for pprof, which shows `measure` unless told otherwise.
    ///
    /// **Cost**: linear in the lengths of all stacks.
    ///
    /// # Errors
    /// What `out` says.
    pub fn write_pprof(&self, measure: Measure, out: &mut dyn Write) -> io::Result<()> {
        let mut out = FrameWriter::new(Framing::Gzip, LEVEL, out, &FrameOptions::default())?;
        let mut strings = Strings::default();
        strings.number("");
        let mut message = Message::default();
        for measure in Measure::ALL {
            let [kind, unit] = measure.sample_type().map(|text| strings.number(text));
            message.message(SAMPLE_TYPE, |it| it.number(1, kind).number(2, unit));
        }
        self.put_places(&mut strings, &mut message);
        let command = strings.number(&self.command);
        message.number(DURATION, self.totals.runtime_ms.saturating_mul(1_000_000)).number(COMMENT, command);
        message.number(DEFAULT_SAMPLE_TYPE, strings.number(measure.sample_type()[0]));
        strings.all.iter().for_each(|text| message.bytes(STRING, text.as_bytes()));
        out.write_all(&message.0)?;
        // Stacks may be many times as long as all else: they are written as they come.
        for (node, own) in (0..).zip(&self.tree.own).filter(|(_, own)| **own != Counts::default()) {
            let places = self.tree.stack(node).map(|at| u64::from(self.tree.place_of[at as usize]) + 1);
            let mut message = Message::default();
            message.message(SAMPLE, |sample| {
                sample.packed(1, places).packed(2, Measure::ALL.into_iter().map(|it| it.of(own) as u64))
            });
            out.write_all(&message.0)?;
        }
        out.finish()?;
        Ok(())
    }

    /// Modules, functions and places, each with its number from 1 on.
    fn put_places(&self, strings: &mut Strings, message: &mut Message) {
        let (mut modules, mut functions) = (HashMap::new(), HashMap::new());
        for (number, place) in (1u64..).zip(&self.places) {
            let next = modules.len() as u64 + 1;
            let module = *modules.entry(place.module.as_str()).or_insert_with(|| {
                let name = strings.number(&place.module);
                message.message(MAPPING, |it| it.number(1, next).number(5, name).number(7, 1));
                next
            });
            let next = functions.len() as u64 + 1;
            let function =
                *functions.entry((place.function.as_str(), place.file.as_str())).or_insert_with(|| {
                    let [name, file] = [&place.function, &place.file].map(|text| strings.number(text));
                    message.message(FUNCTION, |it| {
                        it.number(1, next).number(2, name).number(3, name).number(4, file)
                    });
                    next
                });
            let line = place.line.max(0) as u64;
            message.message(LOCATION, |it| {
                it.number(1, number).number(2, module).number(3, place.address);
                match place.function.is_empty() {
                    true => it,
                    false => it.message(4, |it| it.number(1, function).number(2, line)),
                }
            });
        }
    }
}

/// Texts by number, each once.
#[derive(Default)]
struct Strings {
    all: Vec<String>,
    known: HashMap<String, u64>,
}

impl Strings {
    fn number(&mut self, text: &str) -> u64 {
        if let Some(known) = self.known.get(text) {
            return *known;
        }
        self.all.push(text.to_owned());
        self.known.insert(text.to_owned(), self.all.len() as u64 - 1);
        self.all.len() as u64 - 1
    }
}

/// A message in the making.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// A number, which is left out if it is 0.
    fn number(&mut self, field: u32, value: u64) -> &mut Self {
        if value != 0 {
            self.varint(u64::from(field << 3 | NUMBER));
            self.varint(value);
        }
        self
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) {
        self.varint(u64::from(field << 3 | BYTES));
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn message(&mut self, field: u32, fill: impl FnOnce(&mut Self) -> &mut Self) -> &mut Self {
        let mut inner = Self::default();
        fill(&mut inner);
        self.bytes(field, &inner.0);
        self
    }

    fn packed(&mut self, field: u32, values: impl Iterator<Item = u64>) -> &mut Self {
        let mut inner = Self::default();
        values.for_each(|value| inner.varint(value));
        self.bytes(field, &inner.0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, heaptrack};

    #[test]
    fn numbers_texts_and_lists_are_as_protocol_buffers_have_them() {
        let mut message = Message::default();
        message
            .number(1, 150)
            .number(2, 0)
            .message(3, |it| it.number(1, 1))
            .packed(4, [3, 270, 86_942].into_iter());
        message.bytes(6, b"hi");
        // From the documentation of the encoding: 150 is 96 01; 3, 270 and 86942 are 03 8e 02 9e a7 05.
        let expected: &[&[u8]] = &[
            &[0x08, 0x96, 0x01],
            &[0x1a, 2, 0x08, 1],
            &[0x22, 6, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05],
            b"\x32\x02hi",
        ];
        assert_eq!(message.0, expected.concat());
    }

    #[test]
    fn negative_values_take_ten_bytes() {
        let mut message = Message::default();
        message.varint(-2i64 as u64);
        assert_eq!(message.0, [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]);
    }

    #[test]
    fn a_profile_is_a_gzip_file_of_all_its_texts() {
        let text = "v 10400 3\nX ./run\ns 4 main\ns 3 f.c\ni 1 0 1 2 5\nt 1 0\na 8 1\n+ 0\n";
        let profile = heaptrack::read(text.as_bytes(), &Limits::default()).expect("it is a profile");
        let layer = HeapLayer::of_profile(&profile, &Limits::default()).expect("there is room");
        let mut packed = Vec::new();
        layer.write_pprof(Measure::Calls, &mut packed).expect("memory takes it");
        let mut plain = Vec::new();
        let options = FrameOptions::default();
        let mut reader =
            varvite_codec::frame::FrameReader::new(Framing::Gzip, &packed[..], &options).expect("it is gzip");
        io::Read::read_to_end(&mut reader, &mut plain).expect("it is whole");
        // The first sample type, and the sample: place 1, one call, none temporary, 8 bytes leaked and at the peak.
        assert!(plain.starts_with(&[0x0a, 4, 0x08, 1, 0x10, 2]));
        assert!(plain.ends_with(&[0x12, 9, 0x0a, 1, 1, 0x12, 4, 1, 0, 8, 8]), "{plain:x?}");
        for text in ["alloc_objects", "main", "f.c", "./run"] {
            assert!(plain.windows(text.len()).any(|window| window == text.as_bytes()), "{text}");
        }
    }
}
