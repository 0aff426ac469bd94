//! [`Join`]: the METHODs and CALLs that match the nodes of a tree of calls.

use varvite_cpg::join::Methods;

use super::placement::{CallSites, MatchClass, function_of, method_of};
use super::tree::CallTree;
use crate::measure::Kind;
use crate::texts::Texts;

/// The METHODs and CALLs that match the nodes of a tree of calls.
#[derive(Debug, Default)]
pub(super) struct Join {
    /// For each place: its METHOD, and the certainty of the match.
    pub(super) places: Vec<(Option<u32>, MatchClass)>,
    /// For each node: the CALL, in the METHOD of the node's parent, that called the node.
    pub(super) called_at: Vec<Option<u32>>,
    /// For each node: the CALL to which the node's own counts are added. In a profile of memory, it is the
    /// CALL that allocates. In a profile of time, it is the CALL through which execution left the METHODs of
    /// the graph, since a METHOD's own time belongs to no CALL.
    pub(super) own_at: Vec<Option<u32>>,
    /// The kind of the profile.
    pub(super) kind: Kind,
}

impl Join {
    pub(super) fn of(
        (tree, kind): (&CallTree, Kind),
        texts: &Texts,
        methods: &Methods,
        sites: &mut CallSites,
    ) -> Self {
        let places = tree.places.iter().map(|place| method_of(place, texts, methods)).collect();
        let mut join = Self { places, kind, ..Self::default() };
        for node in 0..tree.len() as u32 {
            let call = tree.parent(node).and_then(|parent| {
                let (caller, function) = (join.method(tree, parent)?, function_of(tree.place(node), texts));
                sites.call_of(caller, tree.place(parent).line, function.as_deref())
            });
            join.called_at.push(call);
            let own_at = match kind {
                Kind::Heap => join.allocates_at(tree, node, sites),
                Kind::Cpu => join.left_at(tree, node),
            };
            join.own_at.push(own_at);
        }
        join
    }

    /// The CALL that allocates at a node, in the METHOD of the node.
    fn allocates_at(&self, tree: &CallTree, node: u32, sites: &mut CallSites) -> Option<u32> {
        let method = self.method(tree, node).filter(|_| !tree.own[node as usize].is_zero())?;
        sites.allocator_at(method, tree.place(node).line)
    }

    /// For a node without a METHOD: the CALL, in the METHOD of the nearest ancestor that has one, through
    /// which the node was reached. The results for the node's ancestors are already known.
    fn left_at(&self, tree: &CallTree, node: u32) -> Option<u32> {
        if self.method(tree, node).is_some() {
            return None;
        }
        let above = || self.own_at[tree.parent(node)? as usize];
        self.called_at[node as usize].or_else(above)
    }

    /// The METHOD of a node.
    pub(super) fn method(&self, tree: &CallTree, node: u32) -> Option<u32> {
        self.places[tree.place_of[node as usize] as usize].0
    }

    /// For each node: the nearest node that has a METHOD, among the node itself and its ancestors.
    pub(super) fn nearest(&self, tree: &CallTree) -> Vec<Option<u32>> {
        let mut nearest: Vec<Option<u32>> = Vec::with_capacity(tree.len());
        for node in 0..tree.len() as u32 {
            nearest.push(match self.method(tree, node) {
                Some(_) => Some(node),
                None => tree.parent(node).and_then(|parent| nearest[parent as usize]),
            });
        }
        nearest
    }
}
