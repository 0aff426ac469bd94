//! Writes a profile in pprof's format: a protocol buffers message (`profile.proto` of
//! github.com/google/pprof), compressed with gzip.
//!
//! Each measure is a sample type. Each place is a location with one line, so inlined functions appear as
//! ordinary calls. A sample lists the innermost place first.

use std::collections::HashMap;
use std::io::{self, Write};

use varvite_codec::frame::{FrameOptions, FrameWriter, Framing};

use super::stored::HeapLayer;
use crate::measure::{Sampling, Slot};
use crate::pprof::fields::{
    COMMENT, DEFAULT_SAMPLE_TYPE, DURATION, FUNCTION, LOCATION, MAPPING, PERIOD, PERIOD_TYPE, SAMPLE,
    SAMPLE_TYPE, STRING, TIME,
};
use crate::pprof::{self, Message};

/// The compression level for gzip.
const LEVEL: i32 = 6;

impl HeapLayer {
    /// Writes the profile in pprof's format. The program pprof will show `measure` by default.
    ///
    /// **Cost**: linear in the total length of all stacks.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write_pprof(&self, measure: Slot, out: &mut dyn Write) -> io::Result<()> {
        let mut out = FrameWriter::new(Framing::Gzip, LEVEL, out, &FrameOptions::default())?;
        let mut strings = Strings::default();
        strings.number("");
        let mut message = Message::default();
        let types = pprof::types_of(&self.measures);
        let shown = types.get(self.measures.iter().position(|(slot, _)| slot == measure).unwrap_or(0));
        let shown = shown.map_or(0, |(kind, _)| strings.number(kind));
        for (kind, unit) in &types {
            let [kind, unit] = [kind, unit].map(|text| strings.number(text));
            message.message(SAMPLE_TYPE, |it| it.number(1, kind).number(2, unit));
        }
        self.put_places(&mut strings, &mut message);
        let command = strings.number(&self.command);
        let of_runtime = self.totals.runtime_ms.saturating_mul(1_000_000);
        let duration = if self.duration_ns > 0 { self.duration_ns as u64 } else { of_runtime };
        if self.began_unix_ns != 0 {
            message.number(TIME, self.began_unix_ns as u64);
        }
        message.number(DURATION, duration).number(COMMENT, command);
        if let Some(Sampling { period, unit, kind }) = &self.sampling {
            let usual = if unit == "bytes" { "space" } else { "cpu" };
            let kind = if kind.is_empty() { usual } else { kind };
            let [kind, unit] = [kind, unit].map(|text| strings.number(text));
            message.message(PERIOD_TYPE, |it| it.number(1, kind).number(2, unit));
            message.number(PERIOD, (*period).max(0) as u64);
        }
        message.number(DEFAULT_SAMPLE_TYPE, shown);
        strings.all.iter().for_each(|text| message.bytes(STRING, text.as_bytes()));
        out.write_all(&message.0)?;
        // Samples may be much longer than all other data, so they are written one by one and not collected
        // first.
        for (node, own) in (0..).zip(&self.tree.own).filter(|(_, own)| !own.is_zero()) {
            let places = self.tree.stack(node).map(|at| u64::from(self.tree.place_of[at as usize]) + 1);
            let mut message = Message::default();
            message.message(SAMPLE, |sample| {
                sample.packed(1, places).packed(2, self.measures.iter().map(|(slot, _)| slot.of(own) as u64))
            });
            out.write_all(&message.0)?;
        }
        out.finish()?;
        Ok(())
    }

    /// Adds modules, functions and places to the message. Each kind is numbered from 1.
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

/// A table of distinct texts and their numbers.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, heaptrack};

    #[test]
    fn a_profile_is_a_gzip_file_of_all_its_texts() {
        let text = "v 10400 3\nX ./run\ns 4 main\ns 3 f.c\ni 1 0 1 2 5\nt 1 0\na 8 1\n+ 0\n";
        let profile = heaptrack::read(text.as_bytes(), &Limits::default()).expect("it is a profile");
        let layer = HeapLayer::of_profile(&profile, &Limits::default()).expect("there is room");
        let mut packed = Vec::new();
        layer.write_pprof(heaptrack::CALLS, &mut packed).expect("memory takes it");
        let mut plain = Vec::new();
        let options = FrameOptions::default();
        let mut reader =
            varvite_codec::frame::FrameReader::new(Framing::Gzip, &packed[..], &options).expect("it is gzip");
        io::Read::read_to_end(&mut reader, &mut plain).expect("it is whole");
        // The first sample type; and the sample, with place 1, one call, no temporary call, 8 bytes leaked,
        // and 8 bytes at the peak.
        assert!(plain.starts_with(&[0x0a, 4, 0x08, 1, 0x10, 2]));
        assert!(plain.ends_with(&[0x12, 9, 0x0a, 1, 1, 0x12, 4, 1, 0, 8, 8]), "{plain:x?}");
        for text in ["alloc_objects", "main", "f.c", "./run"] {
            assert!(plain.windows(text.len()).any(|window| window == text.as_bytes()), "{text}");
        }
    }
}
