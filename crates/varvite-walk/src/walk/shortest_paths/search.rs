//! [`Search`]: breadth-first searches from the sources and from the targets, level by level, until they meet.

use super::marks::{Marks, Towards};
use super::options::PathOptions;
use super::path_edges::PathEdges;
use crate::walk::error::WalkResult;
use crate::walk::meter::Meter;
use varvite_graph::Budget;

/// The nodes of the last level of one search: all nodes at `distance` from the sources, or from the targets.
struct Frontier {
    towards: Towards,
    nodes: Vec<u32>,
    distance: u32,
}

/// The state of the two searches.
pub(super) struct Search<'a> {
    edges: &'a PathEdges,
    pub(super) marks: Marks,
    pub(super) seen: u64,
    pub(super) budget: Budget,
    pub(super) meter: Meter,
    length_max: u32,
    /// The number of bytes that are charged to the budget for the nodes of levels.
    held: usize,
    /// A buffer for neighbours of one node, which are read some at a time.
    pub(super) piece: Vec<u32>,
}

/// The greatest length of a path whose distances can be stored as marks.
const LENGTH_MAX: u32 = i32::MAX as u32 - 2;

impl<'a> Search<'a> {
    pub(super) fn new(edges: &'a PathEdges, nodes: u32, options: &PathOptions) -> WalkResult<Self> {
        let mut meter = Meter::new(Some(options.task.flag().clone()), None);
        meter.look()?;
        let budget = Budget::of(&options.task);
        budget.take(size_of::<i32>() * nodes as usize)?;
        Ok(Self {
            edges,
            marks: Marks::of(nodes),
            seen: 0,
            budget,
            meter,
            length_max: options.length_max.min(LENGTH_MAX),
            held: 0,
            piece: Vec::new(),
        })
    }

    /// Finds the length of the shortest paths, and marks all nodes on these paths with their distance to the
    /// targets.
    pub(super) fn meet(&mut self, sources: &[u32], targets: &[u32]) -> WalkResult<Option<u32>> {
        let frontier = |towards| Frontier { towards, nodes: Vec::new(), distance: 0 };
        let (mut near, mut far) = (frontier(Towards::Targets), frontier(Towards::Sources));
        let mut met = Vec::new();
        self.reach_all(sources, &mut near, &mut met)?;
        self.reach_all(targets, &mut far, &mut met)?;
        while met.is_empty() {
            let length = near.distance + far.distance;
            if near.nodes.is_empty() || far.nodes.is_empty() || length >= self.length_max {
                return Ok(None);
            }
            let smaller = if near.nodes.len() <= far.nodes.len() { &mut near } else { &mut far };
            self.advance(smaller, &mut met)?;
        }
        self.give_back(near.nodes);
        self.give_back(far.nodes);
        self.carry_on(met, near.distance, far.distance)?;
        Ok(Some(near.distance + far.distance))
    }

    /// Advances a frontier to the next level, and adds those of its nodes to `met` that the other search has
    /// already reached.
    fn advance(&mut self, frontier: &mut Frontier, met: &mut Vec<u32>) -> WalkResult<()> {
        let nodes = std::mem::take(&mut frontier.nodes);
        frontier.distance += 1;
        self.read(frontier.towards, &nodes, |search, found| search.reach_all(found, frontier, met))?;
        self.give_back(nodes);
        Ok(())
    }

    /// Reads the edges of all nodes of a level, and calls `visit` with the neighbours, some at a time.
    fn read(
        &mut self,
        towards: Towards,
        level: &[u32],
        mut visit: impl FnMut(&mut Self, &[u32]) -> WalkResult<()>,
    ) -> WalkResult<()> {
        let (edges, mut piece, mut meter) =
            (self.edges.towards(towards), std::mem::take(&mut self.piece), std::mem::take(&mut self.meter));
        for node in level {
            for (_, way) in edges.ways_from(*node) {
                edges.try_each_piece(way, *node, &mut piece, &mut meter, |found| visit(self, found))?;
            }
        }
        (self.piece, self.meter) = (piece, meter);
        Ok(())
    }

    fn reach_all(&mut self, nodes: &[u32], frontier: &mut Frontier, met: &mut Vec<u32>) -> WalkResult<()> {
        self.budget.make_room(&mut frontier.nodes, nodes.len(), &mut self.held)?;
        self.budget.make_room(met, nodes.len(), &mut self.held)?;
        nodes.iter().for_each(|node| self.reach(*node, frontier, met));
        Ok(())
    }

    /// Frees the memory of a level after it was expanded.
    fn give_back(&mut self, mut nodes: Vec<u32>) {
        self.budget.give_back_items(&mut nodes, &mut self.held);
    }

    /// Marks a node that the search of `frontier` reached. If the other search reached the node before, adds
    /// the node to `met`.
    #[inline]
    fn reach(&mut self, node: u32, frontier: &mut Frontier, met: &mut Vec<u32>) {
        let mark = self.marks.get(node);
        if mark == 0 {
            frontier.nodes.push(node);
            self.seen += 1;
        } else if (mark > 0) != (frontier.towards == Towards::Targets) {
            met.push(node);
        } else {
            return;
        }
        // A node in `met` gets the mark of this search, so that it is added only once.
        self.marks.set(node, frontier.towards, frontier.distance);
    }

    /// Marks the nodes on shortest paths, from the nodes in `met` back to the sources, with their distance to
    /// the targets. The nodes in `met` are `near` edges from the sources and `far` edges from the targets.
    fn carry_on(&mut self, met: Vec<u32>, near: u32, far: u32) -> WalkResult<()> {
        let mut level = met;
        level.iter().for_each(|node| self.marks.set(*node, Towards::Sources, far));
        for (before, left) in (0..near).rev().zip(far + 1..) {
            let mut above = Vec::new();
            self.read(Towards::Sources, &level, |search, found| {
                search.budget.make_room(&mut above, found.len(), &mut search.held)?;
                for node in found {
                    if search.marks.is(*node, Towards::Targets, before) {
                        search.marks.set(*node, Towards::Sources, left);
                        above.push(*node);
                    }
                }
                Ok(())
            })?;
            self.give_back(std::mem::replace(&mut level, above));
        }
        self.give_back(level);
        Ok(())
    }
}
