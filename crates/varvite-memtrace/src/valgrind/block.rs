//! [`Block`]: the records of a run of translated code, without the addresses that each run brings.
//!
//! An entry of a description:
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 1 | kind: 1 instruction, 2 load, 3 store, 4 load and store of the same bytes |
//! | 1 | 1 | flags; bit 0: the address is fixed; bit 1: the access may not happen |
//! | 2 | 2 | size in bytes |
//! | 4 | 4 | zero |
//! | 8 | 8 | address of an instruction or of a fixed access |

use super::bytes::{Bytes, ENTRY_LEN};
use crate::reference::{Counts, Reference, kind};

const INSTRUCTION: u8 = 1;
const LOAD: u8 = 2;
const STORE: u8 = 3;
const MODIFY: u8 = 4;
const FIXED: u8 = 1;
const GUARDED: u8 = 2;
/// The address in a run of a guarded access that did not happen.
const NO_ADDRESS: u64 = u64::MAX;
/// The offset of the value in a record.
const VALUE_AT: u32 = 4;

/// The records of a run, and the places of the addresses in them.
#[derive(Debug)]
pub(super) struct Block {
    /// Whole records, in order.
    pub records: Box<[u8]>,
    pub counts: Counts,
    /// The number of accesses that load and store the same bytes.
    pub modifies: u64,
    /// For each address of a run, the offset of its value in `records`.
    values: Box<[Value]>,
    is_guarded: bool,
}

/// The place of an address.
#[derive(Clone, Copy, Debug)]
struct Value {
    offset: u32,
    /// The record after this one has the same address.
    is_twice: bool,
    is_guarded: bool,
}

impl Block {
    /// Makes a block from its entries; `None` if one is invalid.
    pub(super) fn of(entries: &[[u8; ENTRY_LEN]]) -> Option<Self> {
        let mut builder = Builder::default();
        entries.iter().try_for_each(|entry| builder.add(entry))?;
        Some(Self {
            is_guarded: builder.values.iter().any(|value| value.is_guarded),
            records: builder.records.into(),
            counts: builder.counts,
            modifies: builder.modifies,
            values: builder.values.into(),
        })
    }

    /// Whether some accesses may not happen, so that not each run has all records.
    pub(super) fn is_guarded(&self) -> bool {
        self.is_guarded
    }

    /// Takes the addresses of a run, as [`Self::fill`] needs them; `None` if there are too few.
    #[inline]
    pub(super) fn take_addresses<'a>(&self, bytes: &mut Bytes<'a>) -> Option<&'a [[u8; 8]]> {
        Some(bytes.take(8 * self.values.len())?.as_chunks().0)
    }

    /// Writes the addresses of a run into a copy of the records.
    #[inline]
    pub(super) fn fill(&self, addresses: &[[u8; 8]], records: &mut [u8]) {
        for (value, address) in self.values.iter().zip(addresses) {
            let at = value.offset as usize;
            records[at..at + 8].copy_from_slice(address);
            if value.is_twice {
                records[at + Reference::LEN..at + Reference::LEN + 8].copy_from_slice(address);
            }
        }
    }

    /// The references of a run, without those of accesses that did not happen.
    pub(super) fn references(&self, addresses: &[[u8; 8]]) -> Vec<Reference> {
        let mut records = self.records.to_vec();
        self.fill(addresses, &mut records);
        let absent = |at: usize| {
            let at = (at * Reference::LEN) as u32 + VALUE_AT;
            self.values.iter().zip(addresses).any(|(value, address)| {
                value.is_guarded && value.offset == at && u64::from_le_bytes(*address) == NO_ADDRESS
            })
        };
        let whole = records.as_chunks().0.iter().enumerate();
        whole.filter(|(at, _)| !absent(*at)).map(|(_, record)| Reference::from_bytes(record)).collect()
    }
}

/// A block while its entries are added.
#[derive(Default)]
struct Builder {
    records: Vec<u8>,
    counts: Counts,
    modifies: u64,
    values: Vec<Value>,
}

impl Builder {
    fn add(&mut self, entry: &[u8; ENTRY_LEN]) -> Option<()> {
        let [entry_kind, flags, s0, s1, _, _, _, _, address @ ..] = *entry;
        let (size, value) = (u16::from_le_bytes([s0, s1]), u64::from_le_bytes(address));
        let kinds: &[u16] = match entry_kind {
            INSTRUCTION => &[kind::INSTRUCTION],
            LOAD => &[kind::READ],
            STORE => &[kind::WRITE],
            MODIFY => &[kind::READ, kind::WRITE],
            _ => return None,
        };
        if entry_kind != INSTRUCTION && flags & FIXED == 0 {
            self.values.push(Value {
                offset: self.records.len() as u32 + VALUE_AT,
                is_twice: kinds.len() == 2,
                is_guarded: flags & GUARDED != 0,
            });
        }
        self.modifies += u64::from(entry_kind == MODIFY);
        for kind in kinds {
            self.counts.count(*kind);
            self.records.extend_from_slice(&Reference { kind: *kind, size, value }.to_bytes());
        }
        Some(())
    }
}
