//! [`Reach`]: the nodes that a condition reaches from a node, by one hop or by a [`Walk`].

use std::sync::Arc;

use super::{DirectedLabel, TreePlan};
use varvite_graph::LabelNodes;

/// How a condition reaches other nodes from a node.
#[derive(Clone, Debug)]
pub(crate) enum Reach {
    /// The node's neighbours along these ways.
    Hop(Vec<DirectedLabel>),
    /// Nodes that may be farther away.
    Walk(Walk),
}

/// A walk to nodes that may be farther away than one hop.
#[derive(Clone, Debug)]
pub(crate) enum Walk {
    /// The nodes that can be reached in any number of hops, each once.
    Closure { ways: Vec<DirectedLabel>, with_self: bool },
    /// The node's ancestors in the tree, the nearest first.
    Ancestors(TreePlan),
    /// The node's descendants in the tree: all of them, or those with a label.
    Descendants(TreePlan, Option<Arc<LabelNodes>>),
}
