//! [`CodeSums`]: the sums of counts for METHODs and CALLs.

use std::collections::BTreeMap;

use super::join::Join;
use super::tree::CallTree;
use crate::measure::{Counts, Kind};

/// The sums of counts for a METHOD or a CALL.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// The node's own counts. Those of a METHOD include the counts of functions that it called and that are
    /// not in the graph.
    pub(super) own: Counts,
    /// The node's counts, including those of all callees. Recursive calls are counted once.
    pub(super) all: Counts,
}

/// A METHOD or a CALL to which the counts of a tree node are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Key {
    Method(u32),
    Call(u32),
}

/// The sums of METHODs and CALLs, by their node in the graph.
#[derive(Debug, Default)]
pub(super) struct CodeSums {
    pub(super) methods: BTreeMap<u32, Sums>,
    pub(super) calls: BTreeMap<u32, Sums>,
}

impl CodeSums {
    /// Computes the sums, in time linear in the nodes of the tree.
    pub(super) fn of(tree: &CallTree, join: &Join) -> Self {
        let mut sums = Self::default();
        each_own(tree, join, |key, _, counts| sums.of_key(key).own += counts);
        each_all(tree, join, |key, _, counts| sums.of_key(key).all += counts);
        sums
    }

    fn of_key(&mut self, key: Key) -> &mut Sums {
        match key {
            Key::Method(node) => self.methods.entry(node),
            Key::Call(node) => self.calls.entry(node),
        }
        .or_default()
    }
}

/// Calls `add` with the own counts of METHODs and CALLs, each with a node of the tree: the node that is in
/// the METHOD, or in the METHOD of the CALL.
pub(super) fn each_own(tree: &CallTree, join: &Join, mut add: impl FnMut(Key, u32, Counts)) {
    let nearest = join.nearest(tree);
    for (node, own) in tree.own.iter().enumerate().filter(|(_, own)| !own.is_zero()) {
        if let Some(above) = nearest[node]
            && let Some(method) = join.method(tree, above)
        {
            add(Key::Method(method), above, *own);
        }
        if let Some(call) = join.own_at[node] {
            add(Key::Call(call), nearest[node].unwrap_or(node as u32), *own);
        }
    }
}

/// Calls `add` with the counts of METHODs and CALLs including all callees, once for each stack. Each is
/// passed with a node of the tree, which for a CALL is a node in the METHOD of the CALL.
pub(super) fn each_all(tree: &CallTree, join: &Join, mut add: impl FnMut(Key, u32, Counts)) {
    // The callee of a CALL that allocates is not a node of the tree, so the CALL is added here. The callee of
    // a CALL at which time was spent is a node, so the next loop adds the CALL.
    for (node, own) in
        tree.own.iter().enumerate().filter(|(_, own)| join.kind == Kind::Heap && !own.is_zero())
    {
        if let Some(call) = join.own_at[node] {
            add(Key::Call(call), node as u32, *own);
        }
    }
    let keys = |node: u32| {
        let call = join.called_at[node as usize];
        [join.method(tree, node).map(Key::Method), call.map(Key::Call)]
    };
    tree.sum_once(keys, |key, node, counts| match key {
        Key::Method(_) => add(key, node, counts),
        Key::Call(_) => add(key, tree.parents[node as usize], counts),
    });
}
