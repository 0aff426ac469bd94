//! [`Instructions`]: counts for each address of an instruction.

use std::collections::HashMap;

use crate::reference::{Reference, kind, marker};

/// Number of entries in the cache that maps addresses to their places. A power of two.
const CACHE: usize = 1 << 12;
/// The estimated memory for an address, in bytes. A list grows to twice its length. A hash table, with a byte
/// beside each entry, grows to twice its length when seven eighths are used; until then, both tables exist.
const ADDRESS_BYTES: usize =
    2 * size_of::<(Option<u64>, AccessCounts)>() + (3 * (size_of::<(u64, u32)>() + 1) * 8).div_ceil(7);

/// The numbers of records of an instruction, or of a group of instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccessCounts {
    /// The number of instructions that ran.
    pub instructions: u64,
    /// The number of loads.
    pub loads: u64,
    /// The number of stores.
    pub stores: u64,
    /// The number of bytes that were loaded and stored.
    pub bytes: u64,
}

impl AccessCounts {
    /// Adds the numbers of another group.
    pub fn add(&mut self, other: Self) {
        self.instructions += other.instructions;
        self.loads += other.loads;
        self.stores += other.stores;
        self.bytes += other.bytes;
    }
}

/// The counts for each address of an instruction. Loads and stores belong to the previous instruction of
/// their thread.
pub(crate) struct Instructions {
    counts: Vec<(Option<u64>, AccessCounts)>,
    places: HashMap<u64, u32>,
    /// Addresses that were found before, with their places. An address can be at one index only.
    cache: Vec<(u64, u32)>,
    current: u32,
    thread: u64,
    /// The last instruction of each thread but the current one.
    threads: HashMap<u64, u32>,
    is_sampled: bool,
}

/// The place of records without an instruction, or with one whose address is not known.
const UNKNOWN: u32 = 0;

impl Instructions {
    pub(crate) fn new() -> Self {
        Self {
            counts: vec![(None, AccessCounts::default())],
            places: HashMap::new(),
            cache: vec![(0, UNKNOWN); CACHE],
            current: UNKNOWN,
            thread: 0,
            threads: HashMap::new(),
            is_sampled: false,
        }
    }

    /// Switches to a thread: the following records belong to it.
    pub(crate) fn switch(&mut self, thread: u64) {
        if thread != self.thread {
            self.threads.insert(self.thread, self.current);
            self.current = self.threads.get(&thread).copied().unwrap_or(UNKNOWN);
            self.thread = thread;
        }
    }

    /// Counts one record.
    #[inline]
    pub(crate) fn count(&mut self, reference: Reference) {
        let Reference { kind, size, value } = reference;
        match kind {
            kind::READ | kind::WRITE | kind::ADDRESS => {
                let counts = self.counts_mut();
                counts.loads += u64::from(kind == kind::READ);
                counts.stores += u64::from(kind == kind::WRITE);
                counts.bytes += u64::from(size);
            }
            kind::BLOCK => self.run(value, size.into()),
            kind::UNPLACED_BLOCK | kind::GENERATED_BLOCK => {
                self.current = UNKNOWN;
                self.counts_mut().instructions += u64::from(size);
            }
            kind if kind::is_instruction(kind) => self.run(value, 1),
            kind::MARKER => self.is_sampled |= marker::is_of_samples(size, value),
            _ => {}
        }
    }

    #[inline]
    fn run(&mut self, address: u64, instructions: u64) {
        let cached = &mut self.cache[address as usize % CACHE];
        if *cached == (0, UNKNOWN) || cached.0 != address {
            let next = self.counts.len() as u32;
            let place = *self.places.entry(address).or_insert(next);
            if place == next {
                self.counts.push((Some(address), AccessCounts::default()));
            }
            *cached = (address, place);
        }
        self.current = cached.1;
        self.counts_mut().instructions += instructions;
    }

    fn counts_mut(&mut self) -> &mut AccessCounts {
        &mut self.counts[self.current as usize].1
    }

    /// The number of different addresses, and one for records without an address.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// The approximate memory in bytes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.counts.len() * ADDRESS_BYTES
    }

    /// Whether records are missing in the middle of the trace, so that the counts are those of a sample.
    pub(crate) fn is_sampled(&self) -> bool {
        self.is_sampled
    }

    /// The counts of each address that has any, sorted by address; those without an address come first.
    pub(crate) fn into_sorted(self) -> Vec<(Option<u64>, AccessCounts)> {
        let mut counts = self.counts;
        counts.retain(|(_, counts)| *counts != AccessCounts::default());
        counts.sort_unstable_by_key(|(address, _)| *address);
        counts
    }
}
