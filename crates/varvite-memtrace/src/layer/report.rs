//! [`TraceReport`]: the number of records that have a METHOD, and the reasons why the other records have
//! none.

/// The reason why a record has no METHOD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The trace has no file at the address of the instruction.
    NoModule,
    /// The file could not be used; see [`ModuleReport::problem`].
    NoBinary,
    /// The file has no symbol at the address.
    NoSymbol,
    /// The graph has no METHOD for the function.
    NoMethod,
    /// The graph has several METHODs that may be the function.
    SeveralMethods,
    /// The record's thread has no instruction before the record.
    NoInstruction,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 6] = [
        Self::NoModule,
        Self::NoBinary,
        Self::NoSymbol,
        Self::NoMethod,
        Self::SeveralMethods,
        Self::NoInstruction,
    ];

    /// The name of the reason: one word, for use by programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoModule => "no_module",
            Self::NoBinary => "no_binary",
            Self::NoSymbol => "no_symbol",
            Self::NoMethod => "no_method",
            Self::SeveralMethods => "several_methods",
            Self::NoInstruction => "no_instruction",
        }
    }

    /// The reason in words, for human readers.
    pub fn words(self) -> &'static str {
        match self {
            Self::NoModule => "in no module",
            Self::NoBinary => "in an unusable binary",
            Self::NoSymbol => "without a symbol",
            Self::NoMethod => "of functions without a METHOD",
            Self::SeveralMethods => "of functions with several METHODs",
            Self::NoInstruction => "before any instruction",
        }
    }
}

/// A group of records without a METHOD: all belong to one function and have the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unplaced {
    /// The reason.
    pub reason: Reason,
    /// The index of the module in [`TraceReport::modules`], if it is known.
    pub module: Option<usize>,
    /// The name of the function, if it is known.
    pub symbol: Option<String>,
    /// The number of records.
    pub records: u64,
}

/// The records of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleReport {
    /// Path of the file.
    pub path: String,
    /// The number of records that belong to instructions in the file: the instructions, and their loads and
    /// stores.
    pub records: u64,
    /// The number of `records` that have a METHOD.
    pub placed: u64,
    /// The reason why the file could not be used; `None` if it was used.
    pub problem: Option<String>,
}

/// The result of importing a trace as a layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceReport {
    /// Name of the layer.
    pub layer: String,
    /// The names of the layer's properties.
    pub properties: Vec<String>,
    /// The number of METHODs that have counts.
    pub methods: u32,
    /// The number of source lines of METHODs that have counts.
    pub lines: u32,
    /// The number of records of instructions, loads and stores.
    pub records: u64,
    /// The number of `records` that have a METHOD.
    pub placed: u64,
    /// Whether records are missing in the middle of the trace, so that the counts are those of a sample.
    pub is_sampled: bool,
    /// The files that the trace names.
    pub modules: Vec<ModuleReport>,
    /// The records without a METHOD, grouped by function; the largest group comes first.
    pub unplaced: Vec<Unplaced>,
    /// Size of the new file in bytes.
    pub file_len: u64,
}

impl TraceReport {
    /// The number of records that have no METHOD for this reason.
    pub fn unplaced_for(&self, reason: Reason) -> u64 {
        self.unplaced
            .iter()
            .filter(|unplaced| unplaced.reason == reason)
            .map(|unplaced| unplaced.records)
            .sum()
    }

    /// The reasons that occur, each with its number of records.
    pub fn reasons(&self) -> impl Iterator<Item = (u64, Reason)> {
        let counted = Reason::ALL.into_iter().map(|reason| (self.unplaced_for(reason), reason));
        counted.filter(|(records, _)| *records > 0)
    }
}
