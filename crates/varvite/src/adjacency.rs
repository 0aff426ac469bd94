//! Adjacency: the neighbours of a node along one edge label, in one direction.
//!
//! Three shapes behind one face: lists, which are slices where neighbours are plain `u32`s; the children of the forest
//! edge label, which follow from the subtree sizes and take no bytes at all; and its parents, a byte each. No call here
//! allocates, but for the vector that [`Adjacency::append`] is given.

use std::ops::Range;

use varvite_format::{Ints, NodeSet, SmallInts};
use varvite_store::Pinned;

use crate::damage::Damage;
use crate::ints_scan::{IntsScan, for_each_entry};
use crate::subtree::Subtree;

/// From where to where edges are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From source to targets.
    Out,
    /// From target to sources.
    In,
}

impl Direction {
    /// Both, out first.
    pub const BOTH: [Self; 2] = [Self::Out, Self::In];

    /// `out` or `in`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::In => "in",
        }
    }
}

/// The neighbours of every node along one edge label, in one direction. Cheap to clone, shared between threads.
#[derive(Clone, Debug)]
pub struct Adjacency {
    shape: Shape,
    edges: u64,
    nodes: u32,
    damage: Damage,
}

#[derive(Clone, Debug)]
enum Shape {
    Lists(Lists),
    Children(Subtree),
    /// How far above each node its parent is; 0 for a root.
    Parents(SmallInts<Pinned>),
}

#[derive(Clone, Debug)]
pub(crate) struct Lists {
    pub(crate) nodes: NodeSet<Pinned>,
    /// None: each list has one entry.
    pub(crate) offsets: Option<Ints<Pinned>>,
    pub(crate) neighbors: Ints<Pinned>,
}

impl Lists {
    /// Positions of the list of `node`. An error where the file makes no sense.
    #[inline]
    pub(crate) fn range(&self, node: u32) -> Result<Range<usize>, ()> {
        self.nodes.position(node).map_or(Ok(0..0), |position| self.range_at(position))
    }

    /// Positions of the list of the node at `position` among those that have one.
    #[inline]
    fn range_at(&self, position: usize) -> Result<Range<usize>, ()> {
        let Some(offsets) = &self.offsets else { return Ok(position..position + 1) };
        let (start, end) = offsets.pair(position).ok_or(())?;
        if end < start || end > self.neighbors.len() as u64 {
            return Err(());
        }
        Ok(start as usize..end as usize)
    }

    /// Nodes whose list is not empty.
    fn sources(&self) -> impl Iterator<Item = u32> + '_ {
        let is_empty = |position| {
            let ends = self.offsets.as_ref().and_then(|offsets| offsets.pair(position));
            ends.is_some_and(|(start, end)| start == end)
        };
        self.nodes.iter().enumerate().filter(move |(position, _)| !is_empty(*position)).map(|(_, node)| node)
    }
}

impl Adjacency {
    pub(crate) fn lists(lists: Lists, edges: u64, nodes: u32, damage: Damage) -> Self {
        Self { shape: Shape::Lists(lists), edges, nodes, damage }
    }

    pub(crate) fn forest(subtree: Subtree, edges: u64, nodes: u32, damage: Damage) -> Self {
        Self { shape: Shape::Children(subtree), edges, nodes, damage }
    }

    pub(crate) fn parents(distances: Ints<Pinned>, edges: u64, nodes: u32, damage: Damage) -> Self {
        Self { shape: Shape::Parents(SmallInts::new(distances)), edges, nodes, damage }
    }

    /// Notes that lists of both directions contradict each other at a node.
    pub(crate) fn note_damage(&self, node: u32) {
        self.damage.note("neighbours", node);
    }

    /// How many edges the label has.
    pub fn edge_count(&self) -> u64 {
        self.edges
    }

    /// The neighbours of `node`, in the order of the graph; none for an id that the graph does not have.
    #[inline(always)]
    pub fn neighbors(&self, node: u32) -> Neighbors<'_> {
        match &self.shape {
            Shape::Lists(lists) => {
                let range = self.range_of(lists, node);
                match lists.neighbors.as_u32_slice() {
                    Some(all) => Neighbors(Cursor::Slice {
                        list: all.get(range).unwrap_or(&[]).iter(),
                        owner: node,
                        adjacency: self,
                    }),
                    None => Neighbors(Cursor::Decode {
                        ints: &lists.neighbors,
                        next: range.start,
                        end: range.end,
                        key: node,
                        adjacency: self,
                    }),
                }
            }
            Shape::Children(subtree) => {
                let below = subtree.descendants(node);
                Neighbors(Cursor::Siblings { subtree, next: below.start, end: below.end })
            }
            Shape::Parents(distances) => Neighbors(Cursor::One(self.parent(distances, node))),
        }
    }

    /// Appends the neighbours of `node` to `output`: the fastest way to expand a frontier.
    #[inline]
    pub fn append(&self, node: u32, output: &mut Vec<u32>) {
        match &self.shape {
            Shape::Lists(lists) => {
                let range = self.range_of(lists, node);
                if range.is_empty() {
                    return;
                }
                self.append_list(lists, range, node, output);
            }
            Shape::Children(subtree) => {
                let below = subtree.descendants(node);
                let mut child = below.start;
                while child < below.end {
                    output.push(child);
                    child += 1 + subtree.size(child);
                }
            }
            Shape::Parents(distances) => output.extend(self.parent(distances, node)),
        }
    }

    /// Appends at most `room` of the neighbours of `node` that are left in `part`, which begins with all of them; true if
    /// there are more.
    #[inline]
    pub(crate) fn append_part(&self, node: u32, part: &mut Part, room: usize, output: &mut Vec<u32>) -> bool {
        match &self.shape {
            Shape::Lists(lists) => {
                if !std::mem::replace(&mut part.is_begun, true) {
                    let range = self.range_of(lists, node);
                    (part.next, part.end, part.is_ranked) = (range.start, range.end, true);
                }
                let range = part.next..part.end.min(part.next.saturating_add(room));
                part.next = range.end;
                if range.is_empty() {
                    return part.next < part.end;
                }
                self.append_list(lists, range, node, output) && part.next < part.end
            }
            Shape::Children(subtree) => {
                if !std::mem::replace(&mut part.is_begun, true) {
                    let below = subtree.descendants(node);
                    (part.next, part.end) = (below.start as usize, below.end as usize);
                }
                for _ in 0..room {
                    if part.next >= part.end {
                        break;
                    }
                    output.push(part.next as u32);
                    part.next += 1 + subtree.size(part.next as u32) as usize;
                }
                part.next < part.end
            }
            Shape::Parents(distances) => {
                output.extend(self.parent(distances, node));
                false
            }
        }
    }

    /// Appends the neighbours of nodes, which are fastest if they rise, until `output` has `limit` or more; returns for how many
    /// nodes that was done. Nodes with more than `limit` neighbours are left to [`Adjacency::append_part`].
    pub(crate) fn append_many(&self, nodes: &[u32], limit: usize, output: &mut Vec<u32>) -> usize {
        let Shape::Lists(lists) = &self.shape else {
            for (count, node) in nodes.iter().enumerate() {
                if output.len() >= limit || matches!(self.shape, Shape::Children(_)) {
                    return count;
                }
                self.append(*node, output);
            }
            return nodes.len();
        };
        let mut positions = lists.nodes.cursor();
        let mut done = 0;
        while let (Some(node), true) = (nodes.get(done), output.len() < limit) {
            let room = (limit - output.len()).min(nodes.len() - done);
            let (taken, run) = positions.run(&nodes[done..done + room]);
            if taken > 1 && self.append_run(lists, run, limit, output) {
                done += taken;
                continue;
            }
            if let Some(position) = positions.position(*node) {
                let range = lists.range_at(position).ok().filter(|range| range.len() <= limit);
                let Some(range) = range else { break };
                self.append_list(lists, range, *node, output);
            }
            done += 1;
        }
        done
    }

    /// Appends the lists at some positions; false, with nothing appended, if these are too many or hold an id that does not
    /// exist.
    fn append_run(
        &self,
        lists: &Lists,
        positions: Range<usize>,
        limit: usize,
        output: &mut Vec<u32>,
    ) -> bool {
        if positions.is_empty() || lists.neighbors.is_relative() {
            return positions.is_empty();
        }
        let (Ok(first), Ok(last)) = (lists.range_at(positions.start), lists.range_at(positions.end - 1))
        else {
            return false;
        };
        let range = first.start..last.end;
        if range.len() > limit {
            return false;
        }
        let before = output.len();
        let is_sound = match lists.neighbors.as_u32_slice().and_then(|all| all.get(range.clone())) {
            Some(list) => {
                output.extend_from_slice(list);
                list.iter().fold(0, |most, neighbor| most.max(*neighbor)) < self.nodes
            }
            None => lists.neighbors.append_run(range, self.nodes, output).is_some(),
        };
        if !is_sound {
            output.truncate(before);
        }
        is_sound
    }

    /// Appends a part of the list of `node`, up to an id that does not exist; false if there is one.
    #[inline]
    fn append_list(&self, lists: &Lists, range: Range<usize>, node: u32, output: &mut Vec<u32>) -> bool {
        if let Some(all) = lists.neighbors.as_u32_slice() {
            let list = all.get(range).unwrap_or(&[]);
            let sound = self.sound(list, node);
            output.extend_from_slice(sound);
            return sound.len() == list.len();
        }
        let is_whole = lists.neighbors.append_u32(range, node, self.nodes, output).is_some();
        if !is_whole {
            self.damage.note("neighbours", node);
        }
        is_whole
    }

    /// About how many neighbours a node has that has any.
    pub(crate) fn mean_degree(&self) -> f64 {
        let sources = match &self.shape {
            Shape::Lists(lists) => f64::from(lists.nodes.len()),
            Shape::Children(_) => f64::from(self.nodes) / 2.0,
            Shape::Parents(_) => f64::from(self.nodes),
        };
        self.edges as f64 / sources.max(1.0)
    }

    /// About which share of all nodes has neighbours.
    pub(crate) fn source_share(&self) -> f64 {
        match &self.shape {
            Shape::Lists(lists) => f64::from(lists.nodes.len()) / f64::from(self.nodes.max(1)),
            Shape::Children(_) => 0.5,
            Shape::Parents(_) => 1.0,
        }
    }

    /// Every node that has neighbours, rising.
    ///
    /// Costs a few nanoseconds for each of them; for the forest label, for each node of the graph.
    pub fn sources(&self) -> impl Iterator<Item = u32> + '_ {
        let (listed, others) = match &self.shape {
            Shape::Lists(lists) => (Some(lists), 0..0),
            Shape::Children(_) | Shape::Parents(_) => (None, 0..self.nodes),
        };
        let listed = listed.into_iter().flat_map(|lists| lists.sources());
        listed.chain(others.filter(|node| self.first(*node).is_some()))
    }

    /// Calls `visit` with every node and each of its neighbours: nodes rising, neighbours in the order of the graph.
    ///
    /// The fastest way to read all edges: some five nanoseconds each, nothing for nodes without any. Columns are decoded
    /// in blocks from front to back; allocates a block for each.
    pub fn for_each_edge(&self, mut visit: impl FnMut(u32, u32)) {
        let Shape::Lists(lists) = &self.shape else { return self.for_each_implied(visit) };
        let nodes = self.nodes;
        let visit = |node, entry: i64| {
            let fits = (0..i64::from(nodes)).contains(&entry);
            if fits {
                visit(node, entry as u32);
            }
            fits
        };
        let neighbors = IntsScan::new(&lists.neighbors);
        if let Err(node) = for_each_entry(&lists.nodes, lists.offsets.as_ref(), neighbors, visit) {
            self.damage.note("neighbours", node);
        }
    }

    /// The edges of the forest label, as many as it should have at most: damaged sizes may claim the square of that.
    fn for_each_implied(&self, mut visit: impl FnMut(u32, u32)) {
        let mut left = self.edges;
        for node in 0..self.nodes {
            for neighbor in self.neighbors(node) {
                if left == 0 {
                    self.damage.note("neighbours", node);
                    return;
                }
                left -= 1;
                visit(node, neighbor);
            }
        }
        if left > 0 {
            self.damage.note("neighbours", self.nodes.saturating_sub(1));
        }
    }

    /// The neighbours of `node` as they lie in memory, in a file of the direct profile. Reads them once, because an id that
    /// does not exist is not handed out.
    #[inline]
    pub fn slice(&self, node: u32) -> Option<&[u32]> {
        match &self.shape {
            Shape::Lists(lists) => {
                let list = lists.neighbors.as_u32_slice()?.get(self.range_of(lists, node))?;
                Some(self.sound(list, node))
            }
            Shape::Children(_) | Shape::Parents(_) => None,
        }
    }

    /// The first neighbour of `node`.
    #[inline]
    pub fn first(&self, node: u32) -> Option<u32> {
        match &self.shape {
            Shape::Lists(lists) => {
                let range = self.range_of(lists, node);
                if range.is_empty() {
                    return None;
                }
                self.neighbor_at(&lists.neighbors, range.start, node)
            }
            Shape::Children(subtree) => {
                let below = subtree.descendants(node);
                (!below.is_empty()).then_some(below.start)
            }
            Shape::Parents(distances) => self.parent(distances, node),
        }
    }

    /// How many neighbours `node` has. Constant time, except for the forest label, where children are counted.
    #[inline]
    pub fn degree(&self, node: u32) -> usize {
        match &self.shape {
            Shape::Lists(lists) => self.range_of(lists, node).len(),
            Shape::Children(_) | Shape::Parents(_) => self.neighbors(node).count(),
        }
    }

    /// Position of the first edge of `node` among all edges of the label: the rank that edge properties are stored
    /// under, in the out direction. None where edges have no stored rank (the forest label).
    #[inline]
    pub fn first_rank(&self, node: u32) -> Option<usize> {
        match &self.shape {
            Shape::Lists(lists) => Some(self.range_of(lists, node).start),
            Shape::Children(_) | Shape::Parents(_) => None,
        }
    }

    #[inline]
    fn parent(&self, distances: &SmallInts<Pinned>, node: u32) -> Option<u32> {
        match distances.get(node as usize) {
            Some(0) => None,
            Some(distance) if distance <= node => Some(node - distance),
            // An id that the graph does not have has no neighbours; a distance that is missing or too far is damage.
            _ if node >= self.nodes => None,
            _ => {
                self.damage.note("parents", node);
                None
            }
        }
    }

    #[inline]
    fn range_of(&self, lists: &Lists, node: u32) -> Range<usize> {
        lists.range(node).unwrap_or_else(|()| {
            self.damage.note("adjacency", node);
            0..0
        })
    }

    /// The neighbours of `node` up to the first that does not exist.
    ///
    /// A list is checked where it is handed out, which costs a twentieth of a hop. Checking the column when it is opened
    /// would read all of it, and prove nothing about a mapped file that changes later.
    #[inline]
    fn sound<'a>(&self, list: &'a [u32], node: u32) -> &'a [u32] {
        match list.iter().position(|neighbor| *neighbor >= self.nodes) {
            None => list,
            Some(end) => {
                self.damage.note("neighbours", node);
                &list[..end]
            }
        }
    }

    #[inline]
    fn neighbor_at(&self, ints: &Ints<Pinned>, index: usize, node: u32) -> Option<u32> {
        let neighbor = ints.get_u32(index, node).filter(|neighbor| *neighbor < self.nodes);
        if neighbor.is_none() {
            self.damage.note("neighbours", node);
        }
        neighbor
    }
}

/// What is left of the neighbours of one node: for those who take some at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Part {
    is_begun: bool,
    /// Positions are ranks in the lists of the label.
    is_ranked: bool,
    next: usize,
    end: usize,
}

impl Part {
    /// Whether some were taken already.
    pub(crate) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Position in all lists of the label behind the last neighbour that was taken; none where edges have no positions.
    pub(crate) fn position(&self) -> Option<usize> {
        self.is_ranked.then_some(self.next)
    }
}

/// The neighbours of one node.
#[derive(Clone, Debug)]
pub struct Neighbors<'a>(Cursor<'a>);

#[derive(Clone, Debug)]
enum Cursor<'a> {
    Slice { list: std::slice::Iter<'a, u32>, owner: u32, adjacency: &'a Adjacency },
    Decode { ints: &'a Ints<Pinned>, next: usize, end: usize, key: u32, adjacency: &'a Adjacency },
    Siblings { subtree: &'a Subtree, next: u32, end: u32 },
    One(Option<u32>),
}

impl Iterator for Neighbors<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match &mut self.0 {
            Cursor::Slice { list, owner, adjacency } => {
                let neighbor = *list.next()?;
                if neighbor < adjacency.nodes {
                    return Some(neighbor);
                }
                adjacency.damage.note("neighbours", *owner);
                *list = [].iter();
                None
            }
            Cursor::Decode { ints, next, end, key, adjacency } => {
                if next == end {
                    return None;
                }
                let neighbor = adjacency.neighbor_at(ints, *next, *key);
                *next = if neighbor.is_some() { *next + 1 } else { *end };
                neighbor
            }
            Cursor::Siblings { subtree, next, end } => {
                if *next >= *end {
                    return None;
                }
                let child = *next;
                *next += 1 + subtree.size(child);
                Some(child)
            }
            Cursor::One(neighbor) => neighbor.take(),
        }
    }

    /// What `for_each`, `count` and `sum` come down to: the shape is looked at once for a node, not once for a neighbour.
    /// Inlined always: a cursor that is kept in memory between here and the loop costs a third of a hop.
    #[inline(always)]
    fn fold<A, F: FnMut(A, u32) -> A>(self, first: A, mut visit: F) -> A {
        match self.0 {
            Cursor::Slice { list, owner, adjacency } => {
                adjacency.sound(list.as_slice(), owner).iter().copied().fold(first, visit)
            }
            Cursor::Decode { ints, next, end, key, adjacency } => {
                let mut folded = Some(first);
                let visit = |neighbor| folded = folded.take().map(|folded| visit(folded, neighbor));
                if ints.each_u32(next..end, key, adjacency.nodes, visit).is_none() {
                    adjacency.damage.note("neighbours", key);
                }
                folded.expect("put back after each visit")
            }
            Cursor::Siblings { subtree, mut next, end } => {
                let mut folded = first;
                while next < end {
                    folded = visit(folded, next);
                    next += 1 + subtree.size(next);
                }
                folded
            }
            Cursor::One(neighbor) => neighbor.into_iter().fold(first, visit),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            Cursor::Slice { list, .. } => (0, Some(list.len())),
            Cursor::Decode { next, end, .. } => (0, Some(end - next)),
            Cursor::Siblings { next, end, .. } => (0, Some(end.saturating_sub(*next) as usize)),
            Cursor::One(neighbor) => (usize::from(neighbor.is_some()), Some(usize::from(neighbor.is_some()))),
        }
    }
}
