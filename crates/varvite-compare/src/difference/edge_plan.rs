//! [`EdgePlan`]: the edges of a label that a diff keeps, and the order in which it adds the others.
//!
//! A diff appends each new edge to the lists of both its nodes. So the edges that the diff keeps in a list
//! must form a prefix of the wanted list. From the first new, missing or misplaced edge on, the diff removes
//! all edges and adds them again. An edge is in two lists, and is kept only if it is kept in both. New edges
//! are added in an order that gives both lists of each edge the wanted order, if there is such an order. For
//! lists that were made by appending edges, there always is such an order.

use super::compared::Difference;
use super::visit::{EdgeLists, InLists};
use super::walk::NODES_AT_ONCE;
use varvite_graph::write::{ListsInput, pair_places};
use varvite_graph::{Direction, Result, ScratchVec};

/// The edges of one label in the second graph, and the number of kept edges at the start of each list. Nodes
/// are given by their positions.
pub(super) struct EdgePlan<'p> {
    out: Lists<'p>,
    in_: Lists<'p>,
}

/// The lists of a label in one direction.
struct Lists<'p> {
    /// The start of each node's list, followed by the end of the last list.
    starts: ScratchVec<'p, u32>,
    neighbors: ScratchVec<'p, u32>,
    /// For each entry, the index of the entry of the same edge in the lists of the other direction.
    other: ScratchVec<'p, u32>,
    /// The number of kept entries at the start of each list. While edges are added, it is the current number
    /// of entries.
    kept: ScratchVec<'p, u32>,
}

/// Entries of a list that are not kept.
#[derive(Clone, Copy)]
struct Dropped {
    direction: Direction,
    node: u32,
    from: u32,
    to: u32,
}

impl<'p> EdgePlan<'p> {
    /// Plans the edges of the edge label at `index`, which the second graph must have.
    pub(super) fn of(difference: &Difference<'p>, index: usize) -> Result<Self> {
        let out = Lists::out(difference, index)?;
        let in_ = Lists::in_(difference, index)?;
        let mut plan = Self { out, in_ };
        plan.pair_directions(difference, index)?;
        plan.drop_in_both(difference)?;
        Ok(plan)
    }

    /// The number of kept edges at the start of a node's out-list.
    pub(super) fn kept_of(&self, node: u32) -> u32 {
        self.out.kept[node as usize]
    }

    fn pair_directions(&mut self, difference: &Difference<'p>, index: usize) -> Result<()> {
        let graph_scan = difference.passes[1];
        let _scratch = graph_scan.scratch(self.in_.neighbors.len() * size_of::<u32>())?;
        let places = pair_places(self.out.input(), self.in_.input());
        let places = places.map_err(|error| {
            let name = &difference.schema.edge_labels[index].name;
            let fault = varvite_format::Fault::Impossible { owner: difference.walks[1].id(error.node()) };
            difference.graph(1).damaged(&format!("edges {name}"), fault)
        })?;
        self.out.other = ScratchVec::filled(graph_scan, 0, self.out.neighbors.len())?;
        self.in_.other = ScratchVec::with_capacity(graph_scan, places.len())?;
        for (entry, (source, place)) in (0u32..).zip(self.in_.neighbors.iter().zip(&places)) {
            let of_out = self.out.starts[*source as usize] + place;
            self.in_.other.push(of_out)?;
            self.out.other[of_out as usize] = entry;
        }
        Ok(())
    }

    /// If an edge is dropped from one of its two lists, drops it from the other list too, together with all
    /// later edges of that list.
    fn drop_in_both(&mut self, difference: &Difference<'p>) -> Result<()> {
        let mut dropped = ScratchVec::new(difference.passes[1])?;
        for direction in Direction::BOTH {
            let lists = self.lists(direction);
            for node in 0..lists.kept.len() as u32 {
                let (from, to) = (lists.kept[node as usize], lists.len(node));
                if from < to {
                    dropped.push(Dropped { direction, node, from, to })?;
                }
            }
        }
        while let Some(Dropped { direction, node, from, to }) = dropped.pop() {
            difference.passes[1].check()?;
            let other_direction = if direction == Direction::Out { Direction::In } else { Direction::Out };
            for place in from..to {
                let entry = self.lists(direction).starts[node as usize] + place;
                let (neighbor, other) = self.lists(direction).at(entry);
                let lists = self.lists_mut(other_direction);
                let place = other - lists.starts[neighbor as usize];
                let kept = &mut lists.kept[neighbor as usize];
                if place < *kept {
                    let to = std::mem::replace(kept, place);
                    dropped.push(Dropped { direction: other_direction, node: neighbor, from: place, to })?;
                }
            }
        }
        Ok(())
    }

    /// Calls `add` with every edge that is not kept: its source, its target and its place in the source's
    /// list. The order of the calls gives both lists of each edge the wanted order. There is no such order
    /// for edges that wait for each other in a cycle; these edges come last, in the order of out-lists, and
    /// their number is returned.
    pub(super) fn add_edges(
        mut self,
        difference: &Difference<'p>,
        mut add: impl FnMut(u32, u32, u32) -> Result<()>,
    ) -> Result<u64> {
        let mut ready = ScratchVec::new(difference.passes[1])?;
        for node in 0..self.out.kept.len() as u32 {
            if node.is_multiple_of(NODES_AT_ONCE) {
                difference.passes[1].check()?;
            }
            ready.push(node)?;
            while let Some(source) = ready.pop() {
                while let Some((place, target)) = self.next_of(source) {
                    self.out.kept[source as usize] += 1;
                    self.in_.kept[target as usize] += 1;
                    add(source, target, place)?;
                    if let Some(waiting) = self.waiting_for(target).filter(|waiting| *waiting != source) {
                        ready.push(waiting)?;
                    }
                }
            }
        }
        let mut left = 0;
        for source in 0..self.out.kept.len() as u32 {
            for place in self.out.kept[source as usize]..self.out.len(source) {
                let (target, _) = self.out.at(self.out.starts[source as usize] + place);
                add(source, target, place)?;
                left += 1;
            }
        }
        Ok(left)
    }

    /// The place and the target of the next edge to add to a source, if it is also the next edge to add to
    /// its target.
    fn next_of(&self, source: u32) -> Option<(u32, u32)> {
        let place = self.out.kept[source as usize];
        if place >= self.out.len(source) {
            return None;
        }
        let (target, entry) = self.out.at(self.out.starts[source as usize] + place);
        let next = self.in_.starts[target as usize] + self.in_.kept[target as usize];
        (entry == next).then_some((place, target))
    }

    /// The source of the next edge to add to a target, if it is also the next edge to add to that source.
    fn waiting_for(&self, target: u32) -> Option<u32> {
        let place = self.in_.kept[target as usize];
        if place >= self.in_.len(target) {
            return None;
        }
        let (source, entry) = self.in_.at(self.in_.starts[target as usize] + place);
        let next = self.out.starts[source as usize] + self.out.kept[source as usize];
        (entry == next).then_some(source)
    }

    fn lists(&self, direction: Direction) -> &Lists<'p> {
        if direction == Direction::Out { &self.out } else { &self.in_ }
    }

    fn lists_mut(&mut self, direction: Direction) -> &mut Lists<'p> {
        if direction == Direction::Out { &mut self.out } else { &mut self.in_ }
    }
}

impl<'p> Lists<'p> {
    fn new(difference: &Difference<'p>) -> Result<Self> {
        let (graph_scan, nodes) = (difference.passes[1], difference.walks[1].len() as usize);
        Ok(Self {
            starts: ScratchVec::with_capacity(graph_scan, nodes + 1)?,
            neighbors: ScratchVec::new(graph_scan)?,
            other: ScratchVec::new(graph_scan)?,
            kept: ScratchVec::with_capacity(graph_scan, nodes)?,
        })
    }

    fn out(difference: &Difference<'p>, index: usize) -> Result<Self> {
        let mut built = Self::new(difference)?;
        let mut lists = EdgeLists::of(difference, index)?;
        for node in 0..difference.walks[1].len() {
            lists.read(difference, difference.map.partner(1, node), Some(node));
            built.push(lists.targets(), lists.pairing.prefix(), difference, node)?;
        }
        built.finish()
    }

    fn in_(difference: &Difference<'p>, index: usize) -> Result<Self> {
        let mut built = Self::new(difference)?;
        let mut lists = InLists::of(difference, index)?;
        for node in 0..difference.walks[1].len() {
            lists.read(difference, difference.map.partner(1, node), Some(node));
            built.push(lists.sources(), lists.pairing.prefix(), difference, node)?;
        }
        built.finish()
    }

    fn push(&mut self, list: &[u32], kept: usize, difference: &Difference<'p>, node: u32) -> Result<()> {
        if node.is_multiple_of(NODES_AT_ONCE) {
            difference.passes[1].check()?;
        }
        self.starts.push(self.neighbors.len() as u32)?;
        for neighbor in list {
            // In an undamaged file, edges lead only to nodes that were not removed.
            if *neighbor as usize >= difference.walks[1].len() as usize {
                let fault = varvite_format::Fault::Impossible { owner: difference.walks[1].id(node) };
                return Err(difference.graph(1).damaged("adjacency", fault));
            }
            self.neighbors.push(*neighbor)?;
        }
        self.kept.push(kept as u32)
    }

    fn finish(mut self) -> Result<Self> {
        self.starts.push(self.neighbors.len() as u32)?;
        Ok(self)
    }

    fn input(&self) -> ListsInput<'_> {
        ListsInput { offsets: &self.starts, neighbors: &self.neighbors }
    }

    fn len(&self, node: u32) -> u32 {
        self.starts[node as usize + 1] - self.starts[node as usize]
    }

    /// The neighbour of an entry, and the entry of the same edge in the other direction.
    fn at(&self, entry: u32) -> (u32, u32) {
        (self.neighbors[entry as usize], self.other[entry as usize])
    }
}
