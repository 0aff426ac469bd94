//! [`Search`]: advances levels from both ends, until they meet.

use std::collections::HashSet;

use super::error::PathError;
use super::limits::Limits;
use super::marks::Marks;
use super::options::PathOptions;
use super::path_way::{PathWay, Towards};
use varvite_graph::internal::ListRest;

/// The nodes at one distance from an end.
struct Frontier {
    towards: Towards,
    nodes: Vec<u32>,
    distance: u32,
}

/// The state of a search.
pub(super) struct Search<'a> {
    ways: &'a [PathWay],
    pub(super) marks: Marks,
    pub(super) seen: u64,
    pub(super) limits: Limits,
    length_max: u32,
    /// The bytes of frontiers that are charged to the budget; and those of the nodes where the frontiers met.
    held: usize,
    both_held: usize,
    /// A buffer for some neighbours of one node.
    pub(super) found: Vec<u32>,
}

/// The greatest length whose distances fit in marks.
const LENGTH_MAX: u32 = i32::MAX as u32 - 2;

impl<'a> Search<'a> {
    pub(super) fn new(ways: &'a [PathWay], nodes: u32, options: &'a PathOptions) -> Result<Self, PathError> {
        let limits = Limits::begin(options)?;
        limits.budget.take(size_of::<i32>() * nodes as usize)?;
        Ok(Self {
            ways,
            marks: Marks::of(nodes),
            seen: 0,
            limits,
            length_max: options.length_max.min(LENGTH_MAX),
            held: 0,
            both_held: 0,
            found: Vec::new(),
        })
    }

    /// The length of the shortest paths. Marks all nodes on these paths with the number of remaining edges.
    pub(super) fn meet(&mut self, sources: &[u32], targets: &[u32]) -> Result<Option<u32>, PathError> {
        let frontier = |towards| Frontier { towards, nodes: Vec::new(), distance: 0 };
        let (mut near, mut far) = (frontier(Towards::Targets), frontier(Towards::Sources));
        let mut both = HashSet::new();
        self.reach_all(sources, &mut near, 0, &mut both)?;
        self.reach_all(targets, &mut far, 0, &mut both)?;
        while both.is_empty() {
            let length = near.distance + far.distance;
            if near.nodes.is_empty() || far.nodes.is_empty() || length >= self.length_max {
                return Ok(None);
            }
            let smaller = if near.nodes.len() <= far.nodes.len() { &mut near } else { &mut far };
            self.advance(smaller, &mut both)?;
        }
        let mut met = Vec::new();
        self.limits.budget.make_room(&mut met, both.len(), &mut self.held)?;
        met.extend(both);
        self.give_back(std::mem::take(&mut near.nodes));
        self.give_back(std::mem::take(&mut far.nodes));
        self.limits.budget.hold(&mut self.both_held, 0)?;
        self.carry_on(met, near.distance, far.distance)?;
        Ok(Some(near.distance + far.distance))
    }

    /// Advances a frontier to the next level, and collects its nodes that the other end has reached.
    fn advance(&mut self, frontier: &mut Frontier, both: &mut HashSet<u32>) -> Result<(), PathError> {
        let distance = frontier.distance + 1;
        let nodes = std::mem::take(&mut frontier.nodes);
        let mut found = std::mem::take(&mut self.found);
        for node in &nodes {
            for way in self.ways {
                let (mut rest, mut more) = (ListRest::default(), true);
                while more {
                    more = way.find(*node, frontier.towards, &mut rest, &mut found);
                    self.reach_all(&found, frontier, distance, both)?;
                }
            }
        }
        self.give_back(nodes);
        (self.found, frontier.distance) = (found, distance);
        Ok(())
    }

    fn reach_all(
        &mut self,
        nodes: &[u32],
        frontier: &mut Frontier,
        distance: u32,
        both: &mut HashSet<u32>,
    ) -> Result<(), PathError> {
        self.limits.tick(1 + nodes.len())?;
        self.limits.budget.make_room(&mut frontier.nodes, nodes.len(), &mut self.held)?;
        self.limits.make_room(both, nodes.len(), &mut self.both_held)?;
        nodes.iter().for_each(|node| self.reach(*node, frontier, distance, both));
        Ok(())
    }

    /// Frees the nodes of a level that was expanded.
    fn give_back(&mut self, mut nodes: Vec<u32>) {
        self.limits.budget.give_back_items(&mut nodes, &mut self.held);
    }

    /// Marks a node that a frontier reached; if the other end reached it before, adds it to `both`.
    #[inline]
    fn reach(&mut self, node: u32, frontier: &mut Frontier, distance: u32, both: &mut HashSet<u32>) {
        let mark = self.marks.get(node);
        if mark == 0 {
            self.marks.set(node, frontier.towards, distance);
            frontier.nodes.push(node);
            self.seen += 1;
        } else if (mark > 0) != (frontier.towards == Towards::Targets) {
            both.insert(node);
        }
    }

    /// Continues the marks of the targets' side from the nodes where the ends met, which are `near` edges
    /// from the sources and `far` edges from the targets.
    fn carry_on(&mut self, both: Vec<u32>, near: u32, far: u32) -> Result<(), PathError> {
        let mut level = both;
        level.iter().for_each(|node| self.marks.set(*node, Towards::Sources, far));
        let mut found = std::mem::take(&mut self.found);
        for (before, left) in (0..near).rev().zip(far + 1..) {
            let mut above = Vec::new();
            for node in &level {
                for way in self.ways {
                    let (mut rest, mut more) = (ListRest::default(), true);
                    while more {
                        more = way.find(*node, Towards::Sources, &mut rest, &mut found);
                        self.limits.tick(1 + found.len())?;
                        self.limits.budget.make_room(&mut above, found.len(), &mut self.held)?;
                        for node in &found {
                            if self.marks.get(*node) == before as i32 + 1 {
                                self.marks.set(*node, Towards::Sources, left);
                                above.push(*node);
                            }
                        }
                    }
                }
            }
            self.give_back(std::mem::replace(&mut level, above));
        }
        self.give_back(level);
        self.found = found;
        Ok(())
    }
}
