//! Words of a raw trace: eight bytes each, with the type in the top three bits. Bit 0 is the lowest.
//!
//! | type | meaning | fields |
//! |---|---|---|
//! | 0, 7 | address | the word itself |
//! | 1, 5 | block | 0 to 32 offset in its module, 33 to 48 module, 49 to 60 instructions |
//! | 2, 3 | thread, process | 0 to 60 id |
//! | 4 | time | 0 to 60 microseconds since 1601 |
//! | 6 | extended | 0 to 47 value, 48 to 55 second value, 56 to 60 kind |
//!
//! Extended words: 0 header before version 5 (value: version, second: file type), 1 footer, 2 marker (second:
//! its kind), 3 access (value: size, second: type) of the next address, 4 header (value: file type, second:
//! version), 5 base address of a gather or scatter instruction.

use varvite_trace::Sink;

use super::placement::Placement;
use super::{DrmemtraceError, Modules};
use crate::reference::{Reference, References, kind, marker};

type Result<T> = std::result::Result<T, DrmemtraceError>;

/// The oldest and the newest version of raw traces that this module reads.
const VERSIONS: [u64; 2] = [2, 8];
const OLD_HEADER: u64 = 0;
const FOOTER: u64 = 1;
const MARKER: u64 = 2;
const ACCESS: u64 = 3;
const HEADER: u64 = 4;
const GATHER_BASE: u64 = 5;
/// The module number for code that was generated during the run. The offset is then the number of a block in
/// `encodings.bin`.
const GENERATED: u64 = 0xffff;

/// The state after some words of a raw trace.
#[derive(Debug)]
pub(super) struct Words<'m> {
    placement: Placement,
    modules: Option<&'m Modules>,
    version: Option<u64>,
    file_type: u64,
    has_end: bool,
    /// The upper half of the next marker's value, which comes in a word before the marker.
    upper: u64,
    /// The type and size of the access at the next address.
    access: Option<(u16, u16)>,
}

impl<'m> Words<'m> {
    pub(super) fn new(shard: u64, modules: Option<&'m Modules>) -> Self {
        Self {
            placement: Placement::new(shard),
            modules,
            version: None,
            file_type: 0,
            has_end: false,
            upper: 0,
            access: None,
        }
    }

    /// Whether a word is a header with a known version.
    pub(super) fn is_header(word: u64) -> bool {
        header(word).is_some_and(|(version, _)| (VERSIONS[0]..=VERSIONS[1]).contains(&version))
    }

    /// Checks and records a word.
    pub(super) fn take<S: Sink>(&mut self, word: u64, target: &mut References<'_, S>) -> Result<()> {
        if self.has_end {
            return Err(self.placement.damaged("words after the footer", 0, word));
        }
        match word >> 61 {
            0 | 7 => self.take_address(word, target),
            1 | 5 => self.take_block(word, target),
            2 => {
                self.placement.switch(bits(word, 0, 61), target)?;
                self.push(kind::THREAD, 0, bits(word, 0, 61), target)
            }
            3 => self.push(kind::PROCESS, 0, bits(word, 0, 61), target),
            4 => {
                self.placement.set_time(bits(word, 0, 61), target)?;
                self.push(kind::MARKER, marker::TIMESTAMP, bits(word, 0, 61), target)
            }
            _ => self.take_extended(word, target),
        }
    }

    fn take_address<S: Sink>(&mut self, word: u64, target: &mut References<'_, S>) -> Result<()> {
        let (kind, size) = self.access.take().unwrap_or((kind::ADDRESS, 0));
        self.push(kind, size, word, target)
    }

    fn take_block<S: Sink>(&mut self, word: u64, target: &mut References<'_, S>) -> Result<()> {
        let (offset, module, instructions) =
            (bits(word, 0, 33), bits(word, 33, 16), bits(word, 49, 12) as u16);
        if module == GENERATED {
            return self.push(kind::GENERATED_BLOCK, instructions, offset, target);
        }
        match self.modules.map(|modules| modules.base(module)) {
            None => self.push(kind::UNPLACED_BLOCK, instructions, module << 33 | offset, target),
            Some(Some(base)) => self.push(kind::BLOCK, instructions, base.wrapping_add(offset), target),
            Some(None) => {
                let known = self.modules.map_or(0, |modules| modules.len() as u64);
                Err(self.placement.damaged("module of a block", known, module))
            }
        }
    }

    fn take_extended<S: Sink>(&mut self, word: u64, target: &mut References<'_, S>) -> Result<()> {
        let (value, second) = (bits(word, 0, 48), bits(word, 48, 8));
        match bits(word, 56, 5) {
            OLD_HEADER | HEADER => self.take_header(word, target),
            FOOTER => {
                self.has_end = true;
                self.push(kind::FOOTER, 0, 0, target)
            }
            MARKER if second == u64::from(marker::SPLIT_VALUE) => {
                self.upper = value << 32;
                Ok(())
            }
            MARKER => {
                let value = std::mem::take(&mut self.upper) | value;
                self.push(kind::MARKER, second as u16, value, target)
            }
            ACCESS => {
                self.access = Some((second as u16, value.min(u64::from(u16::MAX)) as u16));
                Ok(())
            }
            GATHER_BASE => self.push(kind::GATHER_BASE, 0, value, target),
            other => Err(self.placement.damaged("extended word", GATHER_BASE, other)),
        }
    }

    fn take_header<S: Sink>(&mut self, word: u64, target: &mut References<'_, S>) -> Result<()> {
        if self.version.is_some() {
            return Err(self.placement.damaged("headers of one trace", 1, 2));
        }
        let Some((version, file_type)) = header(word) else {
            return Err(self.placement.damaged("version of a header", VERSIONS[0], bits(word, 0, 48)));
        };
        (self.version, self.file_type) = (Some(version), file_type);
        self.push(kind::HEADER, 0, version, target)?;
        self.push(kind::MARKER, marker::FILE_TYPE, file_type, target)
    }

    fn push<S: Sink>(
        &mut self,
        kind: u16,
        size: u16,
        value: u64,
        target: &mut References<'_, S>,
    ) -> Result<()> {
        self.placement.push(Reference { kind, size, value }, target)
    }

    pub(super) fn finish<S: Sink>(&mut self, target: &mut References<'_, S>) -> Result<()> {
        self.placement.finish(target)
    }

    pub(super) fn version(&self) -> u64 {
        self.version.unwrap_or(0)
    }

    pub(super) fn file_type(&self) -> u64 {
        self.file_type
    }

    /// Whether the footer was read.
    pub(super) fn has_end(&self) -> bool {
        self.has_end
    }
}

/// The version and the file type in a header. There are two layouts: from version 5 on, the two fields are
/// swapped.
fn header(word: u64) -> Option<(u64, u64)> {
    let (value, second) = (bits(word, 0, 48), bits(word, 48, 8));
    match (word >> 61, bits(word, 56, 5)) {
        (6, OLD_HEADER) if value < 5 => Some((value, second)),
        (6, HEADER) => Some((second, value)),
        _ => None,
    }
}

fn bits(word: u64, from: u32, count: u32) -> u64 {
    word >> from & ((1 << count) - 1)
}
