//! [`Reach`]: the nodes that one node leads to, inside of a condition.

use std::sync::Arc;

use super::{DirectedLabel, TreePlan};
use varvite_graph::LabelNodes;

/// The nodes that a condition reads.
#[derive(Clone, Debug)]
pub(crate) enum Reach {
    /// Neighbours.
    Hop(Vec<DirectedLabel>),
    /// The nodes that any number of hops reaches, each once.
    Closure { ways: Vec<DirectedLabel>, with_self: bool },
    /// Up the tree, the nearest first.
    Ancestors(TreePlan),
    /// Down the tree, all or those of a label.
    Descendants(TreePlan, Option<Arc<LabelNodes>>),
}
