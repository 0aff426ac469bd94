//! What ran in a METHOD: the measurements of profiles and traces, as a whole and by line.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use varvite::Property;
use varvite::error::optional;
use varvite_cpg::TreeWalk;
use varvite_profile::layer::CodeMeasures;

use super::source::Source;
use super::subject::Subject;
use crate::fault::Result;

/// The most nodes of a METHOD that are visited.
const NODES_MAX: usize = 200_000;

/// The measurements of the METHOD, and of the lines that are shown.
pub(super) fn of(subject: &Subject<'_>, source: &Source) -> Result<Json> {
    let Some(method) = subject.method else { return Ok(json!([])) };
    let measures = CodeMeasures::of(subject.graph)?;
    let line = optional(subject.graph.property("LINE_NUMBER"))?;
    let mut found = Vec::new();
    for measure in measures.measures(false) {
        subject.work.check()?;
        let lines = match &line {
            Some(line) => lines_of(subject, method, line, source, |node| measure.of(node))?,
            None => BTreeMap::new(),
        };
        let total = measure.of(method).or_else(|| (!lines.is_empty()).then(|| lines.values().sum()));
        if let Some(total) = total {
            let unit = unit_of(&measure.name, &measure.layer);
            found.push(json!({
                "name": measure.name, "layer": measure.layer, "unit": unit, "total": total, "lines": lines,
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

/// The sums over the nodes below a METHOD, by line.
fn lines_of(
    subject: &Subject<'_>,
    method: u32,
    line: &Property,
    source: &Source,
    value: impl Fn(u32) -> Option<i64>,
) -> Result<BTreeMap<i64, i64>> {
    let mut lines = BTreeMap::new();
    let nodes = TreeWalk::new(subject.graph, method, usize::MAX)?.take(NODES_MAX).skip(1);
    for node in subject.work.watch(nodes) {
        let (node, _) = node?;
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
