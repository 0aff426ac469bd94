//! [`Reach`]: the nodes that can be reached from a node, inside of a condition.

use std::sync::Arc;

use super::{DirectedLabel, TreePlan};
use varvite_graph::LabelNodes;

/// How a condition reaches other nodes from a node.
#[derive(Clone, Debug)]
pub(crate) enum Reach {
    /// Its neighbours along these ways.
    Hop(Vec<DirectedLabel>),
    /// The nodes that any number of hops reaches, each once.
    Closure { ways: Vec<DirectedLabel>, with_self: bool },
    /// Its ancestors in the tree, the nearest first.
    Ancestors(TreePlan),
    /// Its descendants in the tree, all or those of a label.
    Descendants(TreePlan, Option<Arc<LabelNodes>>),
}
