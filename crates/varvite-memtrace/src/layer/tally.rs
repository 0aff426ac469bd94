//! [`Tally`]: counts the records of each METHOD and of its lines, and the records without a METHOD.
//!
//! Loads and stores belong to the previous instruction of their thread. Distinct cache lines are counted
//! exactly, with a bitmap for each page of 64 lines that a METHOD touches.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use varvite_cpg::join::{Found, Methods};

use super::line_nodes::LineNodes;
use super::report::{ModuleReport, Reason, TraceReport, Unplaced};
use crate::code::{Code, CodeFile, CodeMap, CodePlace};
use crate::reference::{Reference, kind, marker};
use crate::usage::{AccessCounts, Instructions, LINE_LEN};

/// The estimated memory for each touched page, in bytes, including the unused entries of a hash table that
/// has just grown.
const PAGE_BYTES: usize = 48;
/// Number of entries in the cache that maps addresses to slots.
const MEMORY: usize = 1024;

/// The counts of a METHOD, or of a function without a METHOD.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    records: u64,
    pub(super) accesses: AccessCounts,
    lines: Lines,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.records += other.records;
        self.accesses.add(other.accesses);
        for (page, lines) in other.lines.pages {
            *self.lines.pages.entry(page).or_default() |= lines;
        }
    }

    pub(super) fn lines(&self) -> u64 {
        self.lines.pages.values().map(|lines| u64::from(lines.count_ones())).sum()
    }
}

/// The cache lines that were touched, as a bitmap for each page.
#[derive(Clone, Debug, Default)]
struct Lines {
    pages: HashMap<u64, u64>,
}

impl Lines {
    /// Marks the cache lines of an access, and returns the number of pages that were not touched before.
    fn touch(&mut self, address: u64, size: u64) -> usize {
        let before = self.pages.len();
        let (first, last) = (address / LINE_LEN, address.saturating_add(size.max(1) - 1) / LINE_LEN);
        for line in first..=last {
            *self.pages.entry(line / 64).or_default() |= 1 << (line % 64);
        }
        self.pages.len() - before
    }
}

/// The METHOD to which the records of an instruction belong, or the reason why they belong to no METHOD.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Owner {
    Method { node: u32, file: usize },
    Nobody { reason: Reason, file: Option<usize>, symbol: Option<String> },
}

/// The counts of an owner. If the function of a METHOD is in several files, the METHOD has several slots.
struct Slot {
    owner: Owner,
    counts: Counts,
}

/// The counts of a trace so far.
pub(super) struct Tally<'a> {
    map: CodeMap<'a>,
    methods: &'a Methods,
    by_source: bool,
    /// The counts of each instruction, for those of lines.
    instructions: Instructions,
    slots: Vec<Slot>,
    numbers: HashMap<Owner, usize>,
    functions: HashMap<Code, usize>,
    threads: HashMap<u64, Current>,
    current: Current,
    thread: u64,
    /// A cache of the slots that were found before, by address.
    memory: Vec<Current>,
    records: u64,
    /// The number of touched pages, summed over all slots.
    pages: usize,
    is_sampled: bool,
}

/// The slot of a thread's last instruction, and the range of addresses with the same slot.
#[derive(Clone, Debug)]
struct Current {
    range: Range<u64>,
    slot: usize,
}

impl<'a> Tally<'a> {
    /// Makes a tally without counts. With `by_source`, inlined code is counted for the METHOD whose source it
    /// comes from, rather than for the function that contains it.
    pub(super) fn new(map: CodeMap<'a>, methods: &'a Methods, by_source: bool) -> Self {
        let nothing = Current { range: 0..0, slot: 0 };
        let mut tally = Self {
            map,
            methods,
            by_source,
            instructions: Instructions::new(),
            slots: Vec::new(),
            numbers: HashMap::new(),
            functions: HashMap::new(),
            threads: HashMap::new(),
            current: nothing.clone(),
            thread: 0,
            memory: vec![nothing; MEMORY],
            records: 0,
            pages: 0,
            is_sampled: false,
        };
        tally.slot(Owner::Nobody { reason: Reason::NoInstruction, file: None, symbol: None });
        tally
    }

    /// Switches to a thread: the following records belong to it.
    pub(super) fn switch(&mut self, thread: u64) {
        self.instructions.switch(thread);
        if thread != self.thread {
            let next = self.threads.get(&thread).cloned();
            let next = next.unwrap_or(Current { range: 0..0, slot: 0 });
            let before = std::mem::replace(&mut self.current, next);
            self.threads.insert(self.thread, before);
            self.thread = thread;
        }
    }

    /// Counts one record.
    #[inline]
    pub(super) fn count(&mut self, reference: Reference) {
        self.instructions.count(reference);
        match reference.kind {
            kind::READ | kind::WRITE | kind::ADDRESS => self.count_data(reference),
            kind::BLOCK => self.count_instructions(reference.value, reference.size.into()),
            kind::UNPLACED_BLOCK | kind::GENERATED_BLOCK => {
                self.current = Current { range: 0..0, slot: self.no_module() };
                self.add_instructions(reference.size.into());
            }
            number if kind::is_instruction(number) => self.count_instructions(reference.value, 1),
            kind::MARKER => self.is_sampled |= marker::is_of_samples(reference.size, reference.value),
            _ => {}
        }
    }

    #[inline]
    fn count_instructions(&mut self, address: u64, instructions: u64) {
        if !self.current.range.contains(&address) {
            self.current = self.find(address);
        }
        self.add_instructions(instructions);
    }

    #[inline]
    fn add_instructions(&mut self, instructions: u64) {
        let counts = self.add_record();
        counts.accesses.instructions += instructions;
    }

    fn count_data(&mut self, reference: Reference) {
        let Reference { kind, size, value } = reference;
        let counts = self.add_record();
        counts.accesses.loads += u64::from(kind == kind::READ);
        counts.accesses.stores += u64::from(kind == kind::WRITE);
        counts.accesses.bytes += u64::from(size);
        let new = counts.lines.touch(value, size.into());
        self.pages += new;
    }

    /// The approximate memory in bytes for the pages that were touched, and for instructions.
    pub(super) fn held_bytes(&self) -> usize {
        self.pages * PAGE_BYTES + self.instructions.held_bytes()
    }

    #[inline]
    fn add_record(&mut self) -> &mut Counts {
        self.records += 1;
        let counts = &mut self.slots[self.current.slot].counts;
        counts.records += 1;
        counts
    }

    fn find(&mut self, address: u64) -> Current {
        let place = (address >> 4) as usize % MEMORY;
        if !self.memory[place].range.contains(&address) {
            self.memory[place] = self.look_up(address);
        }
        self.memory[place].clone()
    }

    fn look_up(&mut self, address: u64) -> Current {
        let (range, code) = self.map.find(address);
        let nobody = |reason, file| Owner::Nobody { reason, file, symbol: None };
        let slot = match code {
            Code::Function { file, function } if self.by_source => {
                let owner = self.owner_by_source(file, function, address);
                return Current { range: address..address + 1, slot: self.slot(owner) };
            }
            Code::Function { file, function } => self.slot_of_function(file, function),
            Code::NoSymbol { file } => self.slot(nobody(Reason::NoSymbol, Some(file))),
            Code::NoBinary { file } => self.slot(nobody(Reason::NoBinary, Some(file))),
            Code::NoModule => self.no_module(),
        };
        Current { range, slot }
    }

    fn no_module(&mut self) -> usize {
        self.slot(Owner::Nobody { reason: Reason::NoModule, file: None, symbol: None })
    }

    fn slot_of_function(&mut self, file: usize, function: usize) -> usize {
        let code = Code::Function { file, function };
        if let Some(slot) = self.functions.get(&code) {
            return *slot;
        }
        let start = self.map.binary(file).map_or(0, |binary| binary.functions()[function].start);
        let lines = self.map.binary(file).and_then(|binary| binary.lines.as_ref());
        let place = lines.map(|lines| lines.function(start)).unwrap_or_default();
        let owner = self.owner(file, function, &place);
        let slot = self.slot(owner);
        self.functions.insert(code, slot);
        slot
    }

    /// The METHOD whose source an instruction comes from. If there is no such METHOD, the METHOD of the
    /// function that contains the instruction.
    fn owner_by_source(&mut self, file: usize, function: usize, address: u64) -> Owner {
        let own = self.map.own_address(address).unwrap_or(address);
        let lines = self.map.binary(file).and_then(|binary| binary.lines.as_ref());
        let place = lines.map(|lines| lines.source(own)).unwrap_or_default();
        if let (Some(name), Some(_)) = (&place.function, &place.place)
            && let Found::Method(node) = self.methods.find(&[name], place.place.as_ref(), false)
        {
            return Owner::Method { node, file };
        }
        let slot = self.slot_of_function(file, function);
        self.slots[slot].owner.clone()
    }

    /// The METHOD of a function whose source line, according to the debug information, is `place`.
    fn owner(&self, file: usize, function: usize, place: &CodePlace) -> Owner {
        let Some(function) = self.map.binary(file).map(|binary| &binary.functions()[function]) else {
            return Owner::Nobody { reason: Reason::NoSymbol, file: Some(file), symbol: None };
        };
        let names = place.function.iter().chain(&function.names);
        let names: Vec<&str> = names.map(String::as_str).collect();
        let reason = match self.methods.find(&names, place.place.as_ref(), function.is_global) {
            Found::Method(node) => return Owner::Method { node, file },
            Found::Nothing => Reason::NoMethod,
            Found::Several => Reason::SeveralMethods,
        };
        Owner::Nobody { reason, file: Some(file), symbol: function.names.first().cloned() }
    }

    fn slot(&mut self, owner: Owner) -> usize {
        let Self { slots, numbers, .. } = self;
        *numbers.entry(owner).or_insert_with_key(|owner| {
            slots.push(Slot { owner: owner.clone(), counts: Counts::default() });
            slots.len() - 1
        })
    }

    /// The counts of lines of METHODs, by the node that stands for the line.
    pub(super) fn take_lines(&mut self, nodes: &mut LineNodes) -> BTreeMap<u32, Counts> {
        let mut lines: BTreeMap<u32, Counts> = BTreeMap::new();
        let instructions = std::mem::replace(&mut self.instructions, Instructions::new());
        for (address, accesses) in instructions.into_sorted() {
            let node = address.and_then(|address| {
                let slot = self.find(address).slot;
                let Owner::Method { node, file } = self.slots[slot].owner else { return None };
                nodes.at(node, self.line(file, address)?)
            });
            if let Some(node) = node {
                lines.entry(node).or_default().accesses.add(accesses);
            }
        }
        lines
    }

    /// The line of an instruction in the METHOD to which it belongs. If the METHOD is that of the function
    /// that contains inlined code, this is the line of the call.
    fn line(&self, file: usize, address: u64) -> Option<u32> {
        let (own, lines) = (self.map.own_address(address)?, self.map.binary(file)?.lines.as_ref()?);
        let place = if self.by_source { lines.source(own) } else { lines.function(own) };
        Some(place.place?.line)
    }

    /// The counts of METHODs, sorted by node, and the report.
    pub(super) fn finish(self) -> (BTreeMap<u32, Counts>, TraceReport) {
        let module = |file: &CodeFile| {
            let problem = file.problem().map(ToString::to_string);
            ModuleReport { path: file.path(), problem, ..ModuleReport::default() }
        };
        let mut modules: Vec<ModuleReport> = self.map.files().iter().map(module).collect();
        let (mut methods, mut unplaced, mut placed) = (BTreeMap::<u32, Counts>::new(), Vec::new(), 0);
        for Slot { owner, counts } in self.slots.into_iter().filter(|slot| slot.counts.records > 0) {
            let records = counts.records;
            match owner {
                Owner::Method { node, file } => {
                    modules[file].records += records;
                    modules[file].placed += records;
                    placed += records;
                    methods.entry(node).or_default().add(counts);
                }
                Owner::Nobody { reason, file, symbol } => {
                    if let Some(file) = file {
                        modules[file].records += records;
                    }
                    unplaced.push(Unplaced { reason, module: file, symbol, records });
                }
            }
        }
        unplaced.sort_by(|one, other| {
            let key = |unplaced: &Unplaced| (Reverse(unplaced.records), unplaced.reason, unplaced.module);
            key(one).cmp(&key(other)).then_with(|| one.symbol.cmp(&other.symbol))
        });
        let report = TraceReport {
            methods: methods.len() as u32,
            records: self.records,
            placed,
            is_sampled: self.is_sampled,
            modules,
            unplaced,
            ..TraceReport::default()
        };
        (methods, report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_once_however_often_they_are_touched() {
        let mut counts = Counts::default();
        for (address, size) in
            [(0, 8), (8, 8), (60, 8), (64, 1), (4096, 64), (4095, 2), (u64::MAX, 8), (500, 0)]
        {
            counts.lines.touch(address, size);
        }
        // Lines 0, 1, 7, 63, 64, and the last line of the address space.
        assert_eq!(counts.lines(), 6);
    }
}
