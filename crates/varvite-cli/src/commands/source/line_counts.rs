//! [`LineCounts`]: the counts of a trace for the lines of a file.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use varvite::error::optional;
use varvite::{Graph, GraphError};

use crate::failure::Failure;

/// The properties of a trace that are shown, without the prefix `TRACE_`.
const PROPERTIES: [&str; 3] = ["INSTRUCTIONS", "LOADS", "STORES"];
/// The names of the counts.
pub(super) const NAMES: [&str; 3] = ["instructions", "loads", "stores"];

/// The instructions, loads and stores of lines. Lines that did not run are not there.
#[derive(Debug)]
pub(super) struct LineCounts {
    lines: BTreeMap<u64, [u64; 3]>,
    /// Whether the counts are those of a sample.
    pub(super) is_sampled: bool,
}

impl LineCounts {
    /// Reads the counts of these lines of a file. `trace` is the name of the trace; empty if it has none.
    pub(super) fn of(
        graph: &Graph,
        trace: &str,
        file: &str,
        lines: &RangeInclusive<u64>,
    ) -> Result<Self, Failure> {
        let prefix =
            if trace.is_empty() { "TRACE".to_owned() } else { format!("TRACE_{}", trace.to_uppercase()) };
        if optional(graph.property(&format!("{prefix}_INSTRUCTIONS")))?.is_none() {
            return Err(Failure::NoSource(format!(
                "the graph has no {prefix}_INSTRUCTIONS: `varvite import --into GRAPH run.vtrace` adds the counts of \
                 a trace"
            )));
        }
        let is_sampled = optional(graph.property(&format!("{prefix}_SAMPLED")))?.is_some();
        Ok(Self { lines: read(graph, &prefix, file, lines)?, is_sampled })
    }

    /// The counts of a line.
    pub(super) fn at(&self, line: u64) -> Option<[u64; 3]> {
        self.lines.get(&line).copied()
    }
}

/// Each line that ran has a node with its counts, which a METHOD contains. If METHODs share a line, their
/// counts are added.
fn read(
    graph: &Graph,
    prefix: &str,
    file: &str,
    lines: &RangeInclusive<u64>,
) -> Result<BTreeMap<u64, [u64; 3]>, GraphError> {
    let mut found: BTreeMap<u64, [u64; 3]> = BTreeMap::new();
    let property = |name: &str| graph.property(&format!("{prefix}_{name}"));
    let counts = [property(PROPERTIES[0])?, property(PROPERTIES[1])?, property(PROPERTIES[2])?];
    let (numbers, files) = (graph.property("LINE_NUMBER")?, graph.property("FILENAME")?);
    let (methods, containers) = (graph.nodes("METHOD")?, graph.in_("CONTAINS")?);
    for node in counts[0].owners() {
        let line = numbers.number(node).and_then(|line| u64::try_from(line).ok());
        let Some(line) = line.filter(|line| lines.contains(line) && !methods.contains(node)) else {
            continue;
        };
        let method = containers.neighbors(node).find(|container| methods.contains(*container));
        if method.and_then(|method| files.str(method)).is_none_or(|name| *name != *file) {
            continue;
        }
        let sums = found.entry(line).or_default();
        for (sum, property) in sums.iter_mut().zip(&counts) {
            let number = property.number(node).unwrap_or(0);
            *sum = sum.saturating_add(u64::try_from(number).unwrap_or(0));
        }
    }
    graph.check()?;
    Ok(found)
}
