//! Chains of callers: the call path along which a METHOD or a CALL allocates most.

use std::collections::{BTreeMap, HashMap};

use super::code::Code;
use super::code_row::{CodeKind, CodeRow};
use super::known_place::KnownPlace;
use super::stored::HeapLayer;
use super::sums::{Key, each_all, each_own};
use crate::measure::{Counts, Slot};

/// Maximum length of a chain of callers. A recursive function may have as many callers as fit on the stack.
pub(super) const CHAIN_MAX: usize = 64;
/// The function with which a program begins. Its callers belong to the runtime, and say nothing about the
/// program.
const OUTERMOST: &str = "main";

/// A caller in a chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainLink {
    /// The calling function, and the line of the call.
    pub place: KnownPlace,
    /// The CALL in this function that leads to the previous link, if it is known.
    pub call: Option<u32>,
    /// The loop around that CALL, if it is in a loop.
    pub around: Option<u32>,
    /// The counts along this path.
    pub counts: Counts,
}

/// Nodes of the tree of calls, each with the counts that a chain follows to the node's callers.
type Starts = Vec<(u32, Counts)>;

impl HeapLayer {
    /// For each row, the chain of the callers with the largest counts, up to `main`, nearest caller first:
    /// among the callers of the previous link, each link is the place and CALL with the largest count.
    ///
    /// **Cost**: a pass over the tree and, for each node that allocates for a row, a walk along at most 64
    /// callers.
    pub(super) fn chains(
        &self,
        rows: &[CodeRow],
        code: &Code,
        (measure, with_callees): (Slot, bool),
    ) -> Vec<Vec<ChainLink>> {
        let mut starts: HashMap<Key, Starts> = rows.iter().map(|row| (key_of(row), Vec::new())).collect();
        let add = |key, node, counts| {
            if let Some(starts) = starts.get_mut(&key) {
                starts.push((node, counts));
            }
        };
        match with_callees {
            true => each_all(&self.tree, &self.join, add),
            false => each_own(&self.tree, &self.join, add),
        }
        let of_row = |row| starts.remove(&key_of(row)).unwrap_or_default();
        rows.iter()
            .map(of_row)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|it| self.chain(it, code, measure))
            .collect()
    }

    /// The chain of callers that begins at these nodes of the tree.
    pub(super) fn chain(&self, mut at: Starts, code: &Code, measure: Slot) -> Vec<ChainLink> {
        let mut links: Vec<ChainLink> = Vec::new();
        while links.len() < CHAIN_MAX {
            let mut ways: BTreeMap<(u32, Option<u32>), (Counts, Starts)> = BTreeMap::new();
            for (node, counts) in at {
                if let Some(parent) = self.caller(node) {
                    let way = (self.tree.place_of[parent as usize], self.join.called_at[node as usize]);
                    let (sum, nodes) = ways.entry(way).or_default();
                    *sum += counts;
                    nodes.push((parent, counts));
                }
            }
            // If counts are equal, the caller with the lowest place number is taken, so the order of the tree
            // has no effect.
            let heaviest = ways.into_iter().rev().max_by_key(|(_, (sum, _))| measure.of(sum));
            let Some(((place, call), (counts, nodes))) = heaviest else { break };
            links.push(self.link(place, call, code, counts));
            at = nodes;
        }
        links
    }

    /// The caller of a node. `None` for `main`, and for outermost calls.
    pub(super) fn caller(&self, node: u32) -> Option<u32> {
        let place = self.tree.place_of[node as usize] as usize;
        self.tree.parent(node).filter(|_| self.places[place].function != OUTERMOST)
    }

    pub(super) fn link(&self, place: u32, call: Option<u32>, code: &Code, counts: Counts) -> ChainLink {
        ChainLink {
            place: self.known_place(place),
            call,
            around: call.and_then(|call| code.loop_around(call)),
            counts,
        }
    }
}

fn key_of(row: &CodeRow) -> Key {
    match row.kind {
        CodeKind::Method => Key::Method(row.node),
        CodeKind::Call => Key::Call(row.node),
    }
}
