//! Stores the timeline of a profile in a graph, with a node for each interval of time.

use varvite::change::{Diff, NodeRef, PropertyOwner};
use varvite::error::optional;
use varvite::{Cardinality, Graph, GraphError, Property, ValueType};

use super::names::Names;
use crate::timeline::{Moment, Timeline};

/// Suffixes of the names of a node's properties: the beginning of its interval, and the counts in the
/// interval.
const NUMBERS: [&str; 5] =
    ["TIME_MS", "TIME_CALLS", "TIME_LIVE_BYTES", "TIME_PEAK_BYTES", "TIME_RESIDENT_BYTES"];
const LABEL: &str = "MOMENT";

/// Adds a timeline to a diff.
pub(super) fn add(timeline: &Timeline, names: &Names, diff: &mut Diff) {
    let (label, numbers) = (names.name(LABEL), NUMBERS.map(|end| names.name(end)));
    diff.declare_label(&label);
    for name in &numbers {
        diff.declare_property(name, PropertyOwner::Nodes, ValueType::I64, Cardinality::Optional);
    }
    for (place, moment) in (0..).zip(&timeline.moments) {
        let node: NodeRef = diff.add_node(&[&label]).into();
        let Moment { calls, live_bytes, peak_bytes, resident_bytes } = *moment;
        let values = [
            signed(timeline.interval_ms.saturating_mul(place)),
            calls,
            live_bytes,
            peak_bytes,
            signed(resident_bytes),
        ];
        numbers.iter().zip(values).for_each(|(name, value)| diff.set(node, name, [value]));
    }
}

/// Reads the timeline from a graph, with the intervals in the order of their nodes. Empty if the profile has
/// no timeline.
///
/// # Errors
/// Damage of the graph.
pub(super) fn read(graph: &Graph, names: &Names) -> Result<Timeline, GraphError> {
    let Some(nodes) = optional(graph.nodes(&names.name(LABEL)))? else { return Ok(Timeline::default()) };
    let columns: Vec<Property> =
        NUMBERS.iter().map(|end| graph.property(&names.name(end))).collect::<Result<_, _>>()?;
    let number = |column: usize, node: u32| columns[column].number(node).unwrap_or(0);
    let mut timeline = Timeline::default();
    let starts: Vec<i64> = nodes.iter().take(2).map(|node| number(0, node)).collect();
    if let [first, second] = starts[..] {
        timeline.interval_ms = u64::try_from(second.saturating_sub(first)).unwrap_or(1).max(1);
    }
    timeline.moments.extend(nodes.iter().map(|node| Moment {
        calls: number(1, node),
        live_bytes: number(2, node),
        peak_bytes: number(3, node),
        resident_bytes: u64::try_from(number(4, node)).unwrap_or(0),
    }));
    Ok(timeline)
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
