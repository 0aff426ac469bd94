//! `varvite import` of a SCIP index.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use varvite_import::scip::{ScipCounts, ScipImport, ScipReport, may_be_index};

use super::import_target::{Target, note_counts};
use crate::failure::Outcome;
use crate::output::{counted, note};

/// Whether a source is an index of SCIP: its first bytes are the metadata of one, or its name ends in `.scip`
/// (with `.gz` or `.zst` if it is compressed).
pub(super) fn is_scip(source: &Path, first: &[u8]) -> bool {
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    [".scip", ".scip.gz", ".scip.zst"].iter().any(|ending| name.ends_with(ending)) || may_be_index(first)
}

/// Runs the import, and reports the result.
pub(super) fn import(source: &Path, target: &Target<'_>) -> Outcome {
    let import = ScipImport::new(source)
        .profile(target.profile)
        .codec(target.codec)
        .if_exists(target.if_exists)
        .expansion(target.expansion)
        .vfs(Arc::clone(&target.disk));
    let import = target.indexes.iter().fold(import, |import, name| import.index(name));
    let import = target.tree.into_iter().fold(import, ScipImport::tree);
    let import = target.sources.into_iter().fold(import, ScipImport::sources);
    let (report, imported) = target.run(|task| import.task(task).write_to(target.path))?;
    note_all(&report.counts, target.sources.is_some());
    target.report(&imported, fields(&report))
}

/// Tells what was read, and what is missing.
fn note_all(counts: &ScipCounts, has_sources: bool) {
    note(&format!(
        "{}: {} of {}, {} of them external",
        counted(counts.documents, "document"),
        counted(counts.occurrences, "occurrence"),
        counted(counts.symbols + counts.local_symbols, "symbol"),
        counts.external_symbols,
    ));
    let sources = counts.sources.known();
    if sources == 0 && counts.method_refs > 0 {
        let references = counted(counts.method_refs, "reference");
        let step = if has_sources { "check --source" } else { "give it with --source" };
        note(&format!("{references} to methods, none of them a CALL without the source: {step}"));
    } else if counts.calls + counts.method_refs > 0 {
        note(&format!(
            "{} of methods, and {} that {} not a call",
            counted(counts.calls, "call"),
            counted(counts.method_refs, "reference"),
            if counts.method_refs == 1 { "is" } else { "are" },
        ));
    }
    note_left_out(counts, has_sources);
}

fn note_left_out(counts: &ScipCounts, has_sources: bool) {
    let sources = &counts.sources;
    note_counts(&[
        (counts.calls_outside, "call", "in no METHOD"),
        (
            counts.inferred_methods,
            "call",
            "in the METHOD defined last before it: the document has no enclosing ranges",
        ),
        (
            counts.repeated_documents,
            "document",
            "with the path of an earlier one: its source is not read again",
        ),
        (counts.further_definitions, "further definition", "of a symbol became a reference to its first one"),
        (counts.without_symbol, "occurrence", "without a symbol left out"),
        (counts.invalid, "occurrence", "whose symbol is not valid in SCIP left out"),
        (counts.relationships_without_kind, "relationship", "without a kind left out"),
        (counts.invalid_relationships, "relationship", "whose symbol is not valid in SCIP left out"),
        (
            if has_sources { sources.missing } else { 0 },
            "document",
            "without a source in the folder of --source",
        ),
        (
            sources.refused,
            "document",
            "whose path leads out of the folder of --source, or is not canonical: not read",
        ),
        (sources.not_utf8, "document", "whose source is not UTF-8: no calls found"),
        (sources.too_large, "document", "whose source is too large for an index of this size: not read"),
        (
            sources.misplaced,
            "reference",
            "to a method beyond the end of its source: is the source another version?",
        ),
    ]);
}

/// The fields of the summary that only imports of SCIP have.
fn fields(report: &ScipReport) -> Vec<(&'static str, Json)> {
    let counts = &report.counts;
    let sources = &counts.sources;
    vec![
        ("indexer", report.indexer.as_str().into()),
        ("documents", counts.documents.into()),
        ("repeated_documents", counts.repeated_documents.into()),
        ("symbols", counts.symbols.into()),
        ("external_symbols", counts.external_symbols.into()),
        ("local_symbols", counts.local_symbols.into()),
        ("occurrences", counts.occurrences.into()),
        ("definitions", counts.definitions.into()),
        ("further_definitions", counts.further_definitions.into()),
        ("references", counts.references.into()),
        ("without_symbol", counts.without_symbol.into()),
        ("invalid", counts.invalid.into()),
        ("calls", counts.calls.into()),
        ("method_refs", counts.method_refs.into()),
        ("calls_outside", counts.calls_outside.into()),
        ("inferred_methods", counts.inferred_methods.into()),
        ("relationships", counts.relationships.into()),
        ("relationships_without_kind", counts.relationships_without_kind.into()),
        ("invalid_relationships", counts.invalid_relationships.into()),
        (
            "sources",
            json!({
                "in_index": sources.in_index, "read": sources.read, "missing": sources.missing,
                "refused": sources.refused, "not_utf8": sources.not_utf8, "too_large": sources.too_large,
                "misplaced": sources.misplaced,
            }),
        ),
    ]
}
