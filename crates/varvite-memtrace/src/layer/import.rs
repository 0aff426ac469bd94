//! The import of a trace: counts the trace's records, and stores the counts as properties of METHODs.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use varvite::{Budget, Task};
use varvite::{
    columns::{LayerChange, NodeNumbers, PropertyLayer},
    write::{GraphChange, LayerSpec},
};
use varvite_cpg::join::{Methods, is_layer_name};
use varvite_store::Vfs;
use varvite_trace::{Module, Reader, Source};

use super::error::TraceLayerError;
use super::line_nodes::LineNodes;
use super::report::TraceReport;
use super::tally::{Counts, Tally};
use crate::code::{Binaries, CodeMap};
use crate::reference::{CONTENT, few_records, for_each_block, other_content};

/// Options of an import.
#[derive(Clone, Debug, Default)]
pub struct TraceOptions {
    /// A name that distinguishes this trace from others in the same graph. With the name `small`, the layer
    /// is `trace/small`, and its properties are `TRACE_SMALL_LOADS` and so on. If the name is empty, the
    /// layer is `trace`, and its properties are `TRACE_LOADS` and so on.
    pub name: String,
    /// Load addresses of files, in addition to those in the trace.
    pub modules: Vec<Module>,
    /// Whether inlined code is counted for the METHOD whose source it comes from, rather than for the
    /// function that contains it.
    pub by_source: bool,
}

/// A function that returns one number of [`Counts`].
type Measure = fn(&Counts) -> u64;

/// The suffixes of the layer's properties, each with the number that it stores.
const PROPERTIES: [(&str, Measure); 5] = [
    ("INSTRUCTIONS", |counts| counts.accesses.instructions),
    ("LOADS", |counts| counts.accesses.loads),
    ("STORES", |counts| counts.accesses.stores),
    ("BYTES", |counts| counts.accesses.bytes),
    (CACHE_LINES, |counts| counts.lines()),
];

/// The suffix of the property that only METHODs have: counting the cache lines of each source line would take
/// much memory.
const CACHE_LINES: &str = "CACHE_LINES";

/// The suffix of the property that marks counts of a sample. It is 1 wherever there are counts.
const SAMPLED: (&str, Measure) = ("SAMPLED", |_| 1);

/// Counts the records of a trace for each METHOD of the graph at `path`, and stores the counts as a layer. An
/// existing layer of this name is replaced.
///
/// Adds properties to METHODs that ran: the numbers of instructions, loads, stores, bytes read and written,
/// and distinct cache lines of 64 bytes that were touched. METHODs that did not run, or whose functions are
/// not in the trace, get no values.
///
/// If the binary has debug information, each source line that ran has these properties too, except cache
/// lines. They are at the outermost CALL of the line or, if the line has no CALL, at the outermost other node
/// of the line that the METHOD contains. The lines of a METHOD add up to at most the counts of the METHOD.
///
/// If the trace is a sample, all these nodes also have the property `TRACE_SAMPLED`, which is 1.
///
/// **Cost**: decodes the trace once. Needs memory for the binaries' debug information, slightly more than 24
/// bytes for each page of 4 KiB that a METHOD touches, and about 150 bytes for each instruction that ran.
/// Progress is reported in bytes of the trace, and then in copied columns of the graph.
///
/// # Errors
/// [`TraceLayerError`]; the graph is then unchanged. A binary that can't be used is not an error, but is
/// listed in the report.
pub fn import<S: Source>(
    vfs: Arc<dyn Vfs>,
    path: &Path,
    reader: &mut Reader<S>,
    binaries: &dyn Binaries,
    options: &TraceOptions,
    task: &Task<'_>,
) -> Result<TraceReport, TraceLayerError> {
    check_name(&options.name)?;
    check_content(reader)?;
    let mut modules = reader.modules()?.to_vec();
    modules.extend(options.modules.iter().cloned());
    if modules.is_empty() {
        return Err(TraceLayerError::NoModules);
    }
    // From here on, no other writer can change the graph, so the counts are stored for the same METHODs that
    // were counted.
    let change = GraphChange::begin(vfs, path)?.checked()?;
    let methods = Methods::of(change.graph())?;
    if methods.is_empty() {
        return Err(TraceLayerError::NoMethods);
    }
    let mut tally = Tally::new(CodeMap::of(&modules, binaries), &methods, options.by_source);
    let source = count(reader, &mut tally, task)?;
    let lines = tally.take_lines(&mut LineNodes::of(change.graph())?);
    change.graph().check()?;
    let (counts, mut report) = tally.finish();
    report.lines = lines.len() as u32;
    if report.placed == 0 {
        let why = report.reasons().map(|(records, reason)| format!("{records} {}", reason.words()));
        let why = why.collect::<Vec<_>>().join(", ");
        return Err(TraceLayerError::NothingPlaced { records: report.records, why });
    }
    store(change, &options.name, source, (&counts, &lines, report), task)
}

/// Counts all records, and returns a digest of the trace.
fn count<S: Source>(
    reader: &mut Reader<S>,
    tally: &mut Tally<'_>,
    task: &Task<'_>,
) -> Result<[u8; 32], TraceLayerError> {
    let limit = Budget::default_bytes();
    let mut digest = blake3::Hasher::new();
    digest.update(&reader.header().id);
    for_each_block(reader, task, |block| {
        tally.switch(block.header().thread);
        digest.update(block.bytes());
        for records in few_records(block) {
            records.for_each(|reference| tally.count(reference));
            if tally.held_bytes() > limit {
                return Err(TraceLayerError::OverBudget { limit });
            }
        }
        Ok(())
    })?;
    Ok(*digest.finalize().as_bytes())
}

fn store(
    change: GraphChange,
    name: &str,
    source: [u8; 32],
    (methods, lines, mut report): (&BTreeMap<u32, Counts>, &BTreeMap<u32, Counts>, TraceReport),
    task: &Task<'_>,
) -> Result<TraceReport, TraceLayerError> {
    report.layer = if name.is_empty() { "trace".to_owned() } else { format!("trace/{name}") };
    let prefix = if name.is_empty() { "TRACE".to_owned() } else { format!("TRACE_{}", name.to_uppercase()) };
    let measures: Vec<_> = PROPERTIES.into_iter().chain(report.is_sampled.then_some(SAMPLED)).collect();
    report.properties = measures.iter().map(|(property, _)| format!("{prefix}_{property}")).collect();
    let values = measures.iter().map(|(property, of)| {
        let lines = lines.iter().filter(|_| *property != CACHE_LINES);
        let counts = methods.iter().chain(lines);
        let values = counts.map(|(node, counts)| (*node, i64::try_from(of(counts)).unwrap_or(i64::MAX)));
        let mut values: Vec<(u32, i64)> = values.collect();
        values.sort_unstable();
        values
    });
    let values: Vec<_> = values.collect();
    let properties: Vec<NodeNumbers<'_>> =
        report.properties.iter().zip(&values).map(|(name, values)| NodeNumbers { name, values }).collect();
    let version = env!("CARGO_PKG_VERSION");
    let layer = LayerSpec { name: &report.layer, tool: "varvite import --into", version, source };
    let add = Some(PropertyLayer { layer, properties: &properties });
    report.file_len = change.set_layers(LayerChange { drop: &[], add }, task)?;
    Ok(report)
}

fn check_name(name: &str) -> Result<(), TraceLayerError> {
    if is_layer_name(name) { Ok(()) } else { Err(TraceLayerError::Name { name: name.to_owned() }) }
}

fn check_content<S: Source>(reader: &Reader<S>) -> Result<(), TraceLayerError> {
    let found = other_content(reader.header());
    found.map_or(Ok(()), |found| Err(TraceLayerError::Content { expected: CONTENT, found }))
}
