//! [`Block`]: the records of a run of translated code, without the addresses that each run brings.
//!
//! An entry of a description:
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 1 | kind: 1 instruction, 2 load, 3 store, 4 load and store of the same bytes |
//! | 1 | 1 | flags; bit 0: the address is fixed; bit 1: the access may not happen; bit 2: beside another access |
//! | 2 | 2 | size in bytes |
//! | 4 | 4 | with bit 2, the number of entries back to that access; else zero |
//! | 8 | 8 | address of an instruction or of a fixed access; with bit 2, the distance |

use varvite_trace::{RUN_RECORDS_MAX, RunRecord, RunShape, RunValue};

use super::bytes::{Bytes, ENTRY_LEN};
use crate::reference::{Counts, Reference, kind};

const INSTRUCTION: u8 = 1;
const LOAD: u8 = 2;
const STORE: u8 = 3;
const MODIFY: u8 = 4;
const FIXED: u8 = 1;
const GUARDED: u8 = 2;
const BESIDE: u8 = 4;
/// The address in a run of a guarded access that did not happen.
const NO_ADDRESS: u64 = u64::MAX;

/// The records of a run.
#[derive(Debug)]
pub(super) struct Block {
    /// The records, in as many parts as their number needs; most blocks have one.
    pub parts: Box<[Part]>,
    /// The number of accesses that load and store the same bytes.
    pub modifies: u64,
    /// The number of addresses of a run.
    addresses: usize,
}

/// Consecutive records of a block.
#[derive(Debug)]
pub(super) struct Part {
    pub shape: RunShape,
    pub counts: Counts,
    /// The source of each value. Empty if the values are the addresses of the run, and all of them happen.
    sources: Box<[Source]>,
}

/// The address of a run that is a value of a part, plus an offset.
#[derive(Clone, Copy, Debug)]
struct Source {
    address: u32,
    is_guarded: bool,
    offset: u64,
}

impl Block {
    /// Makes a block from its entries; `None` if one is invalid. Takes keys of shapes from `next_key` on.
    pub(super) fn of(entries: &[[u8; ENTRY_LEN]], next_key: &mut u32) -> Option<Self> {
        let mut builder = Builder { key: *next_key, ..Builder::default() };
        entries.iter().try_for_each(|entry| builder.add(entry))?;
        builder.end_part()?;
        *next_key = builder.key;
        let Builder { parts, modifies, addresses, .. } = builder;
        Some(Self { parts: parts.into(), modifies, addresses: addresses as usize })
    }

    /// The only part, if its values are the addresses of a run.
    #[inline(always)]
    pub(super) fn simple(&self) -> Option<&Part> {
        match &*self.parts {
            [part] if part.sources.is_empty() => Some(part),
            _ => None,
        }
    }

    /// Takes the addresses of a run; `None` if there are too few.
    #[inline(always)]
    pub(super) fn take_addresses<'a>(&self, bytes: &mut Bytes<'a>) -> Option<&'a [[u8; 8]]> {
        Some(bytes.take(8 * self.addresses)?.as_chunks().0)
    }
}

impl Part {
    /// The values of a run with these addresses; `None` where an access did not happen.
    pub(super) fn values(&self, addresses: &[[u8; 8]]) -> Vec<Option<u64>> {
        if self.sources.is_empty() {
            return addresses.iter().map(|address| Some(u64::from_le_bytes(*address))).collect();
        }
        let value = |source: &Source| {
            let address = u64::from_le_bytes(*addresses.get(source.address as usize)?);
            let happened = !source.is_guarded || address != NO_ADDRESS;
            happened.then(|| address.wrapping_add(source.offset))
        };
        self.sources.iter().map(value).collect()
    }
}

/// A block while its entries are added.
#[derive(Default)]
struct Builder {
    key: u32,
    parts: Vec<Part>,
    /// The part so far.
    records: Vec<RunRecord>,
    counts: Counts,
    sources: Vec<Source>,
    /// Each entry's address in the runs; `None` for instructions and fixed accesses.
    origins: Vec<Option<Origin>>,
    modifies: u64,
    addresses: u32,
}

/// The place of an entry whose address is in the runs.
#[derive(Clone, Copy)]
struct Origin {
    part: usize,
    record: usize,
    source: Source,
}

impl Builder {
    fn add(&mut self, entry: &[u8; ENTRY_LEN]) -> Option<()> {
        let [entry_kind, flags, s0, s1, b0, b1, b2, b3, number @ ..] = *entry;
        let (size, number) = (u16::from_le_bytes([s0, s1]), u64::from_le_bytes(number));
        let back = u32::from_le_bytes([b0, b1, b2, b3]) as usize;
        let kinds: &[u16] = match entry_kind {
            INSTRUCTION => &[kind::INSTRUCTION],
            LOAD => &[kind::READ],
            STORE => &[kind::WRITE],
            MODIFY => &[kind::READ, kind::WRITE],
            _ => return None,
        };
        if self.records.len() + kinds.len() > RUN_RECORDS_MAX {
            self.end_part()?;
        }
        let record = self.records.len();
        let (value, source) = match flags {
            _ if entry_kind == INSTRUCTION || flags == FIXED => (RunValue::Fixed(number), None),
            0 | GUARDED => self.of_run(flags == GUARDED),
            BESIDE => self.beside(back, number)?,
            _ => return None,
        };
        self.origins.push(source.map(|source| Origin { part: self.parts.len(), record, source }));
        self.modifies += u64::from(entry_kind == MODIFY);
        for (at, kind) in kinds.iter().enumerate() {
            let value = if at == 0 { value } else { RunValue::Beside { back: 1, offset: 0 } };
            self.counts.count(*kind);
            let [k0, k1, s0, s1, ..] = Reference { kind: *kind, size, value: 0 }.to_bytes();
            self.records.push(RunRecord { head: [k0, k1, s0, s1], value });
        }
        Some(())
    }

    /// An address that each run brings.
    fn of_run(&mut self, is_guarded: bool) -> (RunValue, Option<Source>) {
        let source = Source { address: self.addresses, is_guarded, offset: 0 };
        self.addresses += 1;
        self.sources.push(source);
        (RunValue::OfRun, Some(source))
    }

    /// An address at a distance from that of an earlier entry.
    fn beside(&mut self, back: usize, offset: u64) -> Option<(RunValue, Option<Source>)> {
        let at = self.origins.len().checked_sub(back).filter(|_| back > 0)?;
        let Origin { part, record, source } = self.origins[at].filter(|origin| !origin.source.is_guarded)?;
        let source = Source { offset: source.offset.wrapping_add(offset), ..source };
        if part == self.parts.len() {
            let back = u8::try_from(self.records.len() - record).ok()?;
            return Some((RunValue::Beside { back, offset }, Some(source)));
        }
        // A shape knows only its own records, so the address becomes a value of this part as well.
        self.sources.push(source);
        Some((RunValue::OfRun, Some(source)))
    }

    fn end_part(&mut self) -> Option<()> {
        if self.records.is_empty() {
            return Some(());
        }
        let shape = RunShape::new(self.key, &std::mem::take(&mut self.records))?;
        self.key = self.key.checked_add(1)?;
        let mut sources = std::mem::take(&mut self.sources);
        let is_plain = |(at, source): (usize, &Source)| {
            source.address as usize == at && source.offset == 0 && !source.is_guarded
        };
        if sources.iter().enumerate().all(is_plain) {
            sources.clear();
        }
        let counts = std::mem::take(&mut self.counts);
        self.parts.push(Part { shape, counts, sources: sources.into() });
        Some(())
    }
}
