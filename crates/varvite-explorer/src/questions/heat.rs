//! Heat: the measurements of profiles and traces for a METHOD, or for lines of a file, as a whole and by
//! line.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use varvite::Property;
use varvite::error::optional;
use varvite_profile::layer::CodeMeasures;

use super::on_lines::NodesOnLines;
use super::source::Source;
use super::subject::Subject;
use crate::fault::Result;

/// The measurements of the METHOD or the file, and of the lines that are shown.
pub(super) fn of(subject: &Subject<'_>, source: &Source, on_lines: &NodesOnLines) -> Result<Json> {
    let whole = subject.method.unwrap_or(subject.node);
    let measures = CodeMeasures::of(subject.graph)?;
    let line = optional(subject.graph.property("LINE_NUMBER"))?;
    let mut found = Vec::new();
    for measure in measures.measures(false) {
        subject.work.check()?;
        let lines = match &line {
            Some(line) => lines_of(subject, on_lines, line, source, |node| measure.of(node))?,
            None => BTreeMap::new(),
        };
        let total = measure.of(whole).or_else(|| (!lines.is_empty()).then(|| lines.values().sum()));
        if let Some(total) = total {
            let unit = unit_of(&measure.name, &measure.layer);
            found.push(json!({
                "name": measure.name, "layer": measure.layer, "unit": unit, "total": total, "lines": lines,
                "is_cut": on_lines.is_cut,
            }));
        }
    }
    Ok(json!(found))
}

/// The name of a property without that of its layer, as words: `calls` for HEAP_CALLS of the layer `heap`.
fn unit_of(name: &str, layer: &str) -> String {
    let (name, kind) = (name.to_lowercase(), layer.split('/').next().unwrap_or_default());
    name.strip_prefix(kind).unwrap_or(&name).trim_matches('_').replace('_', " ")
}

/// The sums over the nodes below METHODs, by line.
fn lines_of(
    subject: &Subject<'_>,
    on_lines: &NodesOnLines,
    line: &Property,
    source: &Source,
    value: impl Fn(u32) -> Option<i64>,
) -> Result<BTreeMap<i64, i64>> {
    let mut lines = BTreeMap::new();
    // A METHOD has the sum of its lines.
    let nodes = on_lines.nodes.iter().filter(|node| on_lines.methods.binary_search(node).is_err());
    for node in subject.work.watch(nodes) {
        let node = *node?;
        let Some(value) = value(node) else { continue };
        let Some(number) = line.number(node).filter(|number| source.line(*number).is_some()) else {
            continue;
        };
        let sum: &mut i64 = lines.entry(number).or_default();
        *sum = sum.saturating_add(value);
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::unit_of;

    #[test]
    fn a_unit_is_the_end_of_the_name() {
        assert_eq!(unit_of("HEAP_LEAKED_BYTES", "heap"), "leaked bytes");
        assert_eq!(unit_of("READS", "trace/one"), "reads");
    }
}
