//! Labels of nodes: the labels of a node, and the nodes with a label.

use varvite::LabelId;

use crate::failure::Failure;
use crate::graph::{GraphObject, OpenGraph};
use crate::handle::Handle;
use crate::pointer::{Items, Out, OutItems};
use crate::room::Room;
use crate::status::Status;

exports! {
    /// The labels of a node, in rising order.
    fn varvite_node_labels(
        graph: Handle<GraphObject>,
        node: u32,
        labels: OutItems<'_, u32>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        graph.read(|object| {
            check_node(&object.0, node)?;
            let list = object.0.labels()?.of(node).map(|label| label.0);
            Room { items: labels, capacity, count }.fill_counting(list)
        })
    }

    /// Whether a node has a label.
    fn varvite_node_has_label(graph: Handle<GraphObject>, node: u32, label: u32, has: Out<'_, u8>) {
        graph.read(|object| {
            check_node(&object.0, node)?;
            check_label(&object.0, label)?;
            has.write(object.0.labels()?.has(node, LabelId(label)).into());
            Ok(Status::Ok)
        })
    }

    /// The number of the label set of each given node.
    fn varvite_label_codes(
        graph: Handle<GraphObject>,
        nodes: Items<'_, u32>,
        codes: OutItems<'_, u32>,
        count: u64,
    ) {
        let (nodes, codes) = (nodes.slice(count)?, codes.slice(count)?);
        graph.read(|object| {
            let labels = object.0.labels()?;
            for (node, code) in nodes.iter().zip(codes) {
                check_node(&object.0, *node)?;
                code.write(labels.code(*node));
            }
            Ok(Status::Ok)
        })
    }

    /// The nodes that have a label and an id of at least `start`, as many as fit.
    fn varvite_label_nodes(
        graph: Handle<GraphObject>,
        label: u32,
        start: u32,
        nodes: OutItems<'_, u32>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        graph.read(|object| {
            check_label(&object.0, label)?;
            let all = object.0.graph.nodes_of(LabelId(label))?;
            Room { items: nodes, capacity, count }.fill_up(all.iter_from(start))
        })
    }
}

/// Fails if the graph has no node with this id.
pub(crate) fn check_node(open: &OpenGraph, node: u32) -> Result<(), Failure> {
    let nodes = open.graph.node_count();
    match node < nodes {
        true => Ok(()),
        false => Err(varvite::GraphError::NoSuchNode { node: node.into(), nodes }.into()),
    }
}

fn check_label(open: &OpenGraph, label: u32) -> Result<(), Failure> {
    let count = open.graph.labels().len();
    match (label as usize) < count {
        true => Ok(()),
        false => Err(Failure::Index { kind: "label", index: label.into(), count }),
    }
}
