//! Encodes trace entries and the words of raw traces, in the layout of DynamoRIO's published C++ headers.

use std::io::Cursor;

use varvite_codec::frame::{FrameOptions, FrameWriter, Framing, ZipWriter};

/// An entry: type, size and value.
pub(super) type Entry = (u16, u16, u64);

/// Microseconds from the year 1601 to 1970.
pub(super) const TO_1970: u64 = 11_644_473_600_000_000;

/// A trace of one thread as raw2trace writes it: a header, markers, instructions with their encodings, and
/// accesses.
pub(super) fn thread_trace(version: u64, thread: u64, instructions: u64) -> Vec<Entry> {
    let mut entries = beginning(version, 0x40 | 0x200, thread);
    for number in 0..instructions {
        let pc = 0x40_1000 + number % 50 * 4;
        if number < 50 {
            entries.push((47, 4, 0x90 + number));
        }
        entries.push(([10, 48, 14, 16][number as usize % 4], 4, pc));
        if number % 3 == 0 {
            entries.push((number as u16 % 2, 8, 0x7fff_0000_0000 + number % 7 * 8 + thread));
        }
        if number % 1000 == 999 {
            entries.push((28, 2, TO_1970 + 5_000_000 + number));
            entries.push((28, 3, number % 4));
        }
    }
    entries.push((23, 0, thread));
    entries.push((26, 0, 0));
    entries
}

/// The first entries of a trace: header, version, file type, thread, process, line size, page size, time,
/// processor.
pub(super) fn beginning(version: u64, file_type: u64, thread: u64) -> Vec<Entry> {
    vec![
        (25, 0, version),
        (28, 12, version),
        (28, 9, file_type),
        (22, 4, thread),
        (24, 4, 4000),
        (28, 10, 64),
        (28, 18, 4096),
        (28, 2, TO_1970 + 4_000_000),
        (28, 3, 1),
    ]
}

/// Packed entries of a 64-bit program.
pub(super) fn wide(entries: &[Entry]) -> Vec<u8> {
    let bytes = |(kind, size, value): &Entry| {
        [&kind.to_le_bytes()[..], &size.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    entries.iter().flat_map(bytes).collect()
}

/// Packed entries of a 32-bit program.
pub(super) fn narrow(entries: &[Entry]) -> Vec<u8> {
    let bytes = |(kind, size, value): &Entry| {
        [&kind.to_le_bytes()[..], &size.to_le_bytes(), &(*value as u32).to_le_bytes()].concat()
    };
    entries.iter().flat_map(bytes).collect()
}

pub(super) fn framed(framing: Framing, plain: &[u8]) -> Vec<u8> {
    let level = framing.codec().default_level();
    let mut writer = FrameWriter::new(framing, level, Vec::new(), &FrameOptions::default()).unwrap();
    writer.write_plain(plain).unwrap();
    writer.finish().unwrap()
}

/// A zip with a component for each part.
pub(super) fn zipped(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()), 6, &FrameOptions::default()).unwrap();
    for (name, plain) in parts {
        let mut component = zip.component(name).unwrap();
        component.write_plain(plain).unwrap();
        component.finish().unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Divides entries into zip components of up to `chunk` entries.
pub(super) fn chunks(entries: &[Entry], chunk: usize, digits: usize) -> Vec<(String, Vec<u8>)> {
    let parts = entries.chunks(chunk).enumerate();
    parts.map(|(number, entries)| (format!("chunk.{number:0digits$}"), wide(entries))).collect()
}

/// Words of a raw trace.
pub(super) mod word {
    pub(in super::super) fn extended(which: u64, value: u64, second: u64) -> u64 {
        6 << 61 | which << 56 | second << 48 | value
    }

    pub(in super::super) fn block(module: u64, offset: u64, instructions: u64) -> u64 {
        5 << 61 | instructions << 49 | module << 33 | offset
    }

    pub(in super::super) fn thread(thread: u64) -> u64 {
        2 << 61 | thread
    }

    pub(in super::super) fn process(process: u64) -> u64 {
        3 << 61 | process
    }

    pub(in super::super) fn time(time: u64) -> u64 {
        4 << 61 | time
    }

    pub(in super::super) fn marker(which: u64, value: u64) -> u64 {
        extended(2, value, which)
    }

    pub(in super::super) fn bytes(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}
