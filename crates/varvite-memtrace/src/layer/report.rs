//! The result of placing a trace: the number of records with a METHOD, and why the others have none.

/// The reason why records have no METHOD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The trace has no file at the address of their instruction.
    NoModule,
    /// The file could not be used: see [`ModuleReport::problem`].
    NoBinary,
    /// The file has no symbol there.
    NoSymbol,
    /// The graph has no METHOD for the function.
    NoMethod,
    /// The graph has several METHODs that could be the function.
    SeveralMethods,
    /// No instruction stands before them in their thread.
    NoInstruction,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::NoModule,
        Self::NoBinary,
        Self::NoSymbol,
        Self::NoMethod,
        Self::SeveralMethods,
        Self::NoInstruction,
    ];

    /// The reason as one word, for programs.
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

    /// The reason in words.
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

/// Records without a METHOD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unplaced {
    /// The reason.
    pub reason: Reason,
    /// Number of the module in [`TraceReport::modules`], if one is known.
    pub module: Option<usize>,
    /// The function, if one is known.
    pub symbol: Option<String>,
    /// The number of records.
    pub records: u64,
}

/// The result for the records of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleReport {
    /// Path of the file.
    pub path: String,
    /// Records of instructions in it.
    pub records: u64,
    /// The number of those with a METHOD.
    pub placed: u64,
    /// The reason why the file could not be used, if it could not.
    pub problem: Option<String>,
}

/// The result of placing a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceReport {
    /// Name of the layer.
    pub layer: String,
    /// Names of the properties that it has.
    pub properties: Vec<String>,
    /// METHODs that have counts.
    pub methods: u32,
    /// Records of instructions, loads and stores.
    pub records: u64,
    /// The number of those with a METHOD.
    pub placed: u64,
    /// Files, as the trace names them.
    pub modules: Vec<ModuleReport>,
    /// Records without a METHOD, by function; the most first.
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

    /// The reasons that there are, in words.
    pub fn reasons(&self) -> Vec<String> {
        let counted = Reason::ALL.into_iter().map(|reason| (self.unplaced_for(reason), reason));
        let told = counted.filter(|(records, _)| *records > 0);
        told.map(|(records, reason)| format!("{records} {}", reason.words())).collect()
    }
}
