//! Generates accessors of edges: the neighbours of a node along one edge label, in one direction.
//!
//! The schema limits the number of neighbours only in the forest, where a node has at most one parent. All
//! other accessors return lists, even if every node of this graph has one neighbour, because nodes of another
//! graph may have two.

use std::collections::BTreeSet;

use varvite::Direction;

use super::accessor::Accessor;
use super::layout::{EdgeMember, FarType, Layout};
use super::text::in_comment;

/// The accessors for an edge label in one direction, with the return types for nodes of any label.
pub(super) fn accessors(edge: &EdgeMember<'_>, layout: &Layout<'_>) -> Vec<Accessor> {
    let far = layout.far_type(edge, &edge.far_labels());
    let mut many = Accessor::new(&edge.name, returns(edge, far)).body(body(edge, far, "this", "node"));
    many.promises = promises(edge, far);
    many.doc = vec![format!("{}. Allocates the result.", description(edge))];
    if !edge.is_single() {
        return vec![many];
    }
    let mut id = Accessor::new(format!("{}Id", edge.name), "int").body([
        format!("Adjacency column = {}IfAny();", edge.name),
        "return column == null ? -1 : column.first(node);".to_owned(),
    ]);
    id.doc = vec![format!("{}, as its id; -1 if there is none. Allocates nothing.", description(edge))];
    vec![many, id]
}

/// The return type and the body of a more specific method for nodes of one label; `None` if the method would
/// not be more specific.
pub(super) fn narrowed(
    edge: &EdgeMember<'_>,
    far_labels: &BTreeSet<usize>,
    layout: &Layout<'_>,
) -> Option<(String, Vec<String>)> {
    let far = layout.far_type(edge, far_labels);
    let known = layout.far_type(edge, &edge.far_labels());
    (far.name() != known.name()).then(|| (returns(edge, far), body(edge, far, "columns", "id")))
}

/// A description of the neighbours, for the documentation.
fn description(edge: &EdgeMember<'_>) -> String {
    let label = in_comment(&edge.label.name);
    match edge.direction {
        Direction::Out => {
            format!("The targets of the {label} edges out of this node, in the order of the graph")
        }
        Direction::In if edge.is_single() => format!("The source of the {label} edge into this node"),
        Direction::In => {
            format!("The sources of the {label} edges into this node, in the order of the graph")
        }
    }
}

fn returns(edge: &EdgeMember<'_>, far: FarType<'_>) -> String {
    format!("{}<{}>", container(edge), far.name())
}

/// The return type of the declaration in an interface. The classes of labels may return a subtype.
fn promises(edge: &EdgeMember<'_>, far: FarType<'_>) -> String {
    match far {
        FarType::Class(class) => format!("{}<{}>", container(edge), class.class),
        FarType::Interface(interface) => format!("{}<? extends {interface}>", container(edge)),
    }
}

fn container(edge: &EdgeMember<'_>) -> &'static str {
    if edge.is_single() { "Optional" } else { "Neighbors" }
}

fn body(edge: &EdgeMember<'_>, far: FarType<'_>, columns: &str, node: &str) -> Vec<String> {
    let dot = if columns == "this" { String::new() } else { format!("{columns}.") };
    let handle = far.handle(columns, "other");
    if edge.is_single() {
        return vec![
            format!("int other = {dot}{}Id({node});", edge.name),
            format!("return other < 0 ? Optional.empty() : Optional.of({handle});"),
        ];
    }
    vec![format!("return new Neighbors<>({dot}{}IfAny(), {node}, other -> {handle});", edge.name)]
}
