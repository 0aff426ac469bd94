//! An estimate of an import's memory, made from the directory of its source before any column is decoded.
//!
//! Memory that all steps use (the numbering, the strings) stays until the end. In addition each thread has a
//! job: one edge label or property, with arrays over all nodes and over its own values. The constants are the
//! sizes of these arrays in bytes when memory use is highest. Imports of real graphs took nine tenths of the
//! estimate.

use super::cpg::SOURCE;
use super::source_text::has_source_text;
use super::{Columns, Import};
use crate::flatgraph::{EdgeColumn, ElementType, FlatgraphError, FlatgraphFile, PropertyColumn};
use varvite_graph::internal::threads_within;

/// Bytes for each node in the numbering: old and new ids, parents, the lists of the AST, deleted nodes.
const NUMBERING_OF_NODE: u64 = 24;
/// Bytes for each string: its offset, and its index among shared strings.
const STRING: u64 = 12;
/// Bytes for each node in a job: lengths and offsets, in both directions if the job is an edge label.
const JOB_OF_NODE: u64 = 16;
/// Bytes for each edge in one direction; then bytes for each edge while both directions are paired, which is
/// needed if the edges have a property.
const JOB_OF_EDGE: u64 = 16;
const JOB_OF_PAIR: u64 = 24;
/// Bytes for each value: the decoded value, the value as a number, and the encoder's memory. A string also
/// takes a code, and an index among distinct strings.
const JOB_OF_VALUE: u64 = 32;
const JOB_OF_STRING: u64 = 64;
/// Bytes for each byte of text: two copies while the texts are sorted, and the compressed text.
const JOB_OF_TEXT: u64 = 3;
/// Bytes for the buffers of each thread: those of zstd and those of files.
const THREAD: u64 = 8 << 20;

/// The number of threads that fit in the memory limit, at most as many as `import` allows.
///
/// # Errors
/// [`FlatgraphError::OverBudget`] if the memory is too little for one thread.
pub(super) fn threads_for(
    file: &FlatgraphFile,
    columns: &Columns<'_>,
    import: &Import<'_>,
) -> Result<usize, FlatgraphError> {
    let nodes = file.kinds().iter().map(|kind| u64::from(kind.node_count)).sum();
    let base = nodes * NUMBERING_OF_NODE + file.string_bytes() + file.string_count() * STRING;
    let edges = columns.edges.values().map(|columns| of_edges(columns, nodes));
    let of_property = |name: &str| of_property(columns.of_property(name), nodes, file.string_bytes());
    let properties = columns.properties.keys().map(|name| of_property(name));
    // One job imports both the code of nodes and the text of files.
    let together = has_source_text(file).then(|| of_property(SOURCE.code) + of_property(SOURCE.content));
    let jobs: Vec<u64> = edges.chain(properties).chain(together).map(|job| job + THREAD).collect();
    let largest = jobs.iter().copied().max().unwrap_or_default();
    let limit = import.task.memory_bytes() as u64;
    let room = limit.checked_sub(base);
    let threads = room.and_then(|room| threads_within(jobs, room, import.task.thread_count()));
    threads.ok_or(FlatgraphError::OverBudget { needed: base + largest, limit })
}

fn of_edges(columns: &[&EdgeColumn], nodes: u64) -> u64 {
    let of_column = |column: &&EdgeColumn| {
        let pair = if column.property.is_some() { JOB_OF_PAIR } else { 0 };
        column.neighbors.slots() * (JOB_OF_EDGE + pair)
    };
    nodes * JOB_OF_NODE + columns.iter().map(of_column).sum::<u64>()
}

fn of_property(columns: &[&PropertyColumn], nodes: u64, string_bytes: u64) -> u64 {
    let values: u64 = columns.iter().map(|column| column.values.slots()).sum();
    let has_texts = columns.iter().any(|column| column.values.element() == ElementType::String);
    let (value, texts) = match has_texts {
        true => (JOB_OF_STRING, string_bytes * JOB_OF_TEXT),
        false => (JOB_OF_VALUE, 0),
    };
    nodes * JOB_OF_NODE + values * value + texts
}
