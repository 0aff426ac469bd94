//! [`Visited`]: the nodes and edges that a walk has visited, and the check whether it may visit one again.

use super::branch::{Arrival, Branch, NO_WAY, back_from};
use super::key_set::{Key, KeySet};
use super::plan::Plan;
use super::uniqueness::{Uniqueness, Within};
use varvite_graph::internal::BitSet;
use varvite_graph::{Budget, OverBudget};

/// The visited nodes or edges of a walk that its uniqueness must remember.
#[derive(Debug, Default)]
pub(super) struct Visited {
    nodes: BitSet,
    keys: KeySet,
    /// The most recent keys in a ring; the oldest is at `oldest`.
    recent: Vec<Key>,
    oldest: usize,
    held: usize,
}

/// Whether a walk is on one path or on many. Uniqueness along one path is checked with a set, so that no
/// branches need to be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenPath {
    /// The branches in the arena are one path.
    One,
    /// The walk extends many paths in turn.
    Many,
}

impl Visited {
    /// Removes all nodes and edges, for a new walk.
    pub(super) fn begin(&mut self, plan: &Plan, budget: &Budget) -> Result<(), OverBudget> {
        if let Uniqueness::Nodes(Within::Walk | Within::Path) = plan.uniqueness {
            self.nodes.begin(plan.nodes as usize, budget)?;
        }
        self.keys.clear();
        self.recent.clear();
        self.oldest = 0;
        Ok(())
    }

    /// Whether a walk may start at a node. Called for all start nodes before the first step.
    pub(super) fn admits_start(
        &mut self,
        uniqueness: Uniqueness,
        node: u32,
        budget: &Budget,
    ) -> Result<bool, OverBudget> {
        match uniqueness {
            Uniqueness::Nodes(Within::Walk) => Ok(self.nodes.insert(node as usize)),
            Uniqueness::Nodes(Within::Recent(count)) => self.admit_recent(node_key(node), count, budget),
            Uniqueness::Nodes(Within::Depth) => self.keys.insert(node_key(node), budget),
            Uniqueness::Nodes(Within::Path) | Uniqueness::None | Uniqueness::Edges(_) => Ok(true),
        }
    }

    /// Adds a start node to the current path, if uniqueness is checked along one path.
    pub(super) fn enter_start(&mut self, uniqueness: Uniqueness, open: OpenPath, node: u32) {
        if uniqueness == Uniqueness::Nodes(Within::Path) && open == OpenPath::One {
            self.nodes.insert(node as usize);
        }
    }

    /// Adds a node, for a walk that visits each node once; returns false if it was already visited.
    #[inline]
    pub(super) fn insert(&mut self, node: u32) -> bool {
        self.nodes.insert(node as usize)
    }

    /// Whether the walk may visit a branch; if so, records the visit.
    #[inline]
    pub(super) fn admits(
        &mut self,
        plan: &Plan,
        arrival: &Arrival,
        open: OpenPath,
        branches: &[Branch],
        budget: &Budget,
    ) -> Result<bool, OverBudget> {
        match plan.uniqueness {
            Uniqueness::None => Ok(true),
            Uniqueness::Nodes(within) => match (within, open) {
                (Within::Walk, _) | (Within::Path, OpenPath::One) => {
                    Ok(self.nodes.insert(arrival.node as usize))
                }
                (Within::Path, OpenPath::Many) => {
                    Ok(back_from(branches, arrival.parent).all(|branch| branch.node != arrival.node))
                }
                (Within::Recent(count), _) => self.admit_recent(node_key(arrival.node), count, budget),
                (Within::Depth, _) => {
                    self.keys.insert(Key { depth: arrival.depth, ..node_key(arrival.node) }, budget)
                }
            },
            Uniqueness::Edges(_) if arrival.way == NO_WAY => Ok(true),
            Uniqueness::Edges(within) => {
                let key = edge_key(plan, arrival.way, arrival.rank);
                match (within, open) {
                    (Within::Walk, _) | (Within::Path, OpenPath::One) => self.keys.insert(key, budget),
                    (Within::Path, OpenPath::Many) => {
                        let mut path =
                            back_from(branches, arrival.parent).filter(|branch| branch.way != NO_WAY);
                        Ok(path.all(|branch| edge_key(plan, branch.way, branch.rank) != key))
                    }
                    (Within::Recent(count), _) => self.admit_recent(key, count, budget),
                    (Within::Depth, _) => self.keys.insert(Key { depth: arrival.depth, ..key }, budget),
                }
            }
        }
    }

    /// Removes the last branch of the current path.
    #[inline]
    pub(super) fn leave(&mut self, plan: &Plan, branch: &Branch) {
        match plan.uniqueness {
            Uniqueness::Nodes(Within::Path) => self.nodes.remove(branch.node as usize),
            Uniqueness::Edges(Within::Path) if branch.way != NO_WAY => {
                self.keys.remove(edge_key(plan, branch.way, branch.rank));
            }
            _ => {}
        }
    }

    /// Whether a key is not among the last `count` keys; if so, records the key.
    fn admit_recent(&mut self, key: Key, count: u32, budget: &Budget) -> Result<bool, OverBudget> {
        if count == 0 {
            return Ok(true);
        }
        if !self.keys.insert(key, budget)? {
            return Ok(false);
        }
        if self.recent.len() < count as usize {
            budget.make_room(&mut self.recent, 1, &mut self.held)?;
            self.recent.push(key);
        } else {
            let oldest = std::mem::replace(&mut self.recent[self.oldest], key);
            self.keys.remove(oldest);
            self.oldest = (self.oldest + 1) % self.recent.len();
        }
        Ok(true)
    }
}

fn node_key(node: u32) -> Key {
    Key { id: node.into(), depth: 0 }
}

/// The key of an edge, which is the same whether the edge is followed out or in.
#[inline]
fn edge_key(plan: &Plan, way: u16, rank: u32) -> Key {
    let label = plan.ways[way as usize].edge_label.0;
    Key { id: u64::from(label) << 32 | u64::from(rank), depth: 0 }
}
