//! Places with leaks, and the stacks that lead to these places.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::chains::{CHAIN_MAX, ChainLink};
use super::code::Code;
use super::known_place::KnownPlace;
use super::stored::HeapLayer;
use crate::measure::{Counts, Slot};

/// A place with allocations that were not freed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leak {
    /// The place that allocated the memory.
    pub place: KnownPlace,
    /// The CALL that allocates, if it is known.
    pub call: Option<u32>,
    /// The own counts of the place.
    pub counts: Counts,
    /// The number of stacks that lead to the place and allocated memory that was not freed.
    pub stacks_found: usize,
    /// The stacks with the most bytes, in descending order.
    pub stacks: Vec<LeakStack>,
}

/// A stack that leads to a leak.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeakStack {
    /// The counts of this stack.
    pub counts: Counts,
    /// The callers in the stack up to `main`, nearest caller first.
    pub callers: Vec<ChainLink>,
}

impl HeapLayer {
    /// Places with allocations that were not freed, sorted by the measure `leaked`, the largest first. Each
    /// place has at most `stacks_max` stacks. Leaks that the profiler suppresses are included.
    ///
    /// **Cost**: linear in the size of the tree, and in the lengths of the stacks in the result.
    pub fn leaks(&self, leaked: Slot, code: &Code, stacks_max: usize) -> Vec<Leak> {
        let mut nodes: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (node, own) in (0..).zip(&self.tree.own) {
            if own[leaked] != 0 {
                nodes.entry(self.tree.place_of[node as usize]).or_default().push(node);
            }
        }
        let mut leaks: Vec<Leak> = nodes
            .into_iter()
            .map(|(place, nodes)| self.leak((place, nodes), leaked, code, stacks_max))
            .collect();
        leaks.sort_by_key(|leak| Reverse(leak.counts[leaked]));
        leaks
    }

    fn leak(
        &self,
        (place, mut nodes): (u32, Vec<u32>),
        leaked: Slot,
        code: &Code,
        stacks_max: usize,
    ) -> Leak {
        let own = |node: u32| self.tree.own[node as usize];
        nodes.sort_by_key(|node| Reverse(own(*node)[leaked]));
        let stack = |node: &u32| LeakStack { counts: own(*node), callers: self.stack(*node, code) };
        let mut counts = Counts::default();
        nodes.iter().for_each(|node| counts += own(*node));
        Leak {
            place: self.known_place(place),
            call: nodes.iter().find_map(|node| self.join.own_at[*node as usize]),
            counts,
            stacks_found: nodes.len(),
            stacks: nodes.iter().take(stacks_max).map(stack).collect(),
        }
    }

    /// The callers of a node, the nearest first.
    fn stack(&self, mut node: u32, code: &Code) -> Vec<ChainLink> {
        let (mut links, counts): (Vec<ChainLink>, _) = (Vec::new(), self.tree.own[node as usize]);
        while let Some(parent) = self.caller(node).filter(|_| links.len() < CHAIN_MAX) {
            let (place, call) = (self.tree.place_of[parent as usize], self.join.called_at[node as usize]);
            links.push(self.link(place, call, code, counts));
            node = parent;
        }
        links
    }
}
