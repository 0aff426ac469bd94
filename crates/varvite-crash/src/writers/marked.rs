//! Diffs that write a number to a property of a new node.

use varvite::change::{Diff, PropertyOwner};
use varvite::{Cardinality, Graph, ValueType};
use varvite_model::SplitMix64;

/// The property to which diffs write their numbers.
pub(crate) const MARK: &str = "MARK";

/// A random diff of nodes, edges and values; one of the values is the number. It does not remove the first
/// three nodes, because layers refer to them.
pub(crate) fn diff(graph: &Graph, seed: u64, number: u32) -> varvite::Result<Diff> {
    let mut random = SplitMix64::new(seed ^ u64::from(number) << 32);
    let mut diff = Diff::new();
    diff.declare_property(MARK, PropertyOwner::Nodes, ValueType::I64, Cardinality::Optional);
    diff.declare_label("NEW");
    diff.declare_edge_label("ADDED");
    let marked = diff.add_node(&["NEW"]);
    diff.set(marked, MARK, [i64::from(number)]);
    for _ in 0..random.below(4) {
        let node = diff.add_node(&["NEW"]);
        diff.add_edge("ADDED", 0, node);
        diff.set(node, "NAME", [["new", "newer", "main"][random.below(3)]]);
    }
    for _ in 0..random.below(4) {
        diff.add_edge("ADDED", random.below(3) as u32, 0);
        diff.set(random.below(3) as u32, "CODE", [format!("code {}", random.below(9)).as_str()]);
    }
    // A property that an earlier diff added, except those for numbers and those of layers.
    let is_known = |name: &str| graph.properties().iter().any(|property| property.name == name);
    let marks = is_known(MARK).then(|| graph.property(MARK)).transpose()?;
    let is_free = |node: &u32| *node > 2 && !marks.as_ref().is_some_and(|marks| marks.is_present(*node));
    let new = graph.labels().iter().any(|label| label.name == "NEW");
    let new = new.then(|| graph.nodes("NEW")).transpose()?;
    let free = new.and_then(|nodes| nodes.iter().find(is_free));
    if random.chance(40)
        && let Some(node) = free
    {
        diff.remove_node(node);
    }
    graph.check()?;
    Ok(diff)
}

/// A layer of one to three nodes, each with an edge to a node of the graph. Node 0 of the graph gets the
/// number.
pub(crate) fn sites(property: &str, number: i64) -> Diff {
    let mut diff = Diff::new();
    diff.declare_label("SITE");
    diff.declare_edge_label("SITE_AT");
    diff.declare_property(property, PropertyOwner::Nodes, ValueType::I64, Cardinality::Optional);
    diff.declare_property("BYTES", PropertyOwner::Edges("SITE_AT"), ValueType::I64, Cardinality::Optional);
    diff.set(0, property, [number]);
    for place in 0..=(number.unsigned_abs() % 3) as u32 {
        let site = diff.add_node(&["SITE"]);
        let edge = diff.add_edge("SITE_AT", site, place);
        diff.set(edge, "BYTES", [number]);
        diff.set(site, property, [-number]);
    }
    diff
}
