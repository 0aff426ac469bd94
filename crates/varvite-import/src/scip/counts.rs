//! [`ScipCounts`]: how many items of an index were read, and what became of them.

/// How many items an index has, and what became of them.
///
/// `occurrences` is the sum of `definitions`, `further_definitions`, `references`, `without_symbol` and
/// `invalid`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScipCounts {
    /// Documents.
    pub documents: u64,
    /// Documents with the path of an earlier one; they share its FILE.
    pub repeated_documents: u64,
    /// Symbols that are known in all documents, each counted once.
    pub symbols: u64,
    /// Symbols without a definition in the index.
    pub external_symbols: u64,
    /// Symbols of single documents.
    pub local_symbols: u64,
    /// Occurrences.
    pub occurrences: u64,
    /// Occurrences that give a symbol its place in the source.
    pub definitions: u64,
    /// Definitions of a symbol that has an earlier one; they become references.
    pub further_definitions: u64,
    /// References, including calls.
    pub references: u64,
    /// Occurrences without a symbol, which only say how to colour a text; they are left out.
    pub without_symbol: u64,
    /// Occurrences whose symbol does not follow SCIP's grammar; they are left out.
    pub invalid: u64,
    /// References that became CALLs.
    pub calls: u64,
    /// References to methods that did not become CALLs.
    pub method_refs: u64,
    /// CALLs that are in no METHOD.
    pub calls_outside: u64,
    /// CALLs whose METHOD was inferred, because their document has no enclosing ranges.
    pub inferred_methods: u64,
    /// Relationships that became edges.
    pub relationships: u64,
    /// Relationships that say none of SCIP's four kinds; they are left out.
    pub relationships_without_kind: u64,
    /// Relationships with a symbol that does not follow SCIP's grammar; they are left out.
    pub invalid_relationships: u64,
    /// The sources of documents.
    pub sources: SourceCounts,
}

/// What became of the sources of documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceCounts {
    /// Documents whose source is in the index.
    pub in_index: u64,
    /// Documents whose source was read from the folder of sources.
    pub read: u64,
    /// Documents whose source is not in the folder of sources.
    pub missing: u64,
    /// Documents whose path is not canonical, or leads out of the folder of sources.
    pub refused: u64,
    /// Documents whose source is not UTF-8.
    pub not_utf8: u64,
    /// Documents whose source would exceed the limit of bytes that an index may cost.
    pub too_large: u64,
    /// References to methods beyond the end of their source or line.
    pub misplaced: u64,
}

impl SourceCounts {
    /// The number of documents whose source is known.
    pub fn known(&self) -> u64 {
        self.in_index + self.read
    }
}
