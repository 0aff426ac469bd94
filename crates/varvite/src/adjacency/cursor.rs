//! [`Adjacency`]: one face for the forms in which neighbours are stored.

use varvite_format::Ints;
use varvite_store::Pinned;

use super::neighbors::Neighbors;
use super::sources::Sources;
use super::stored::{ListRest, Stored, StoredLists, StoredParents};
use crate::damage::Damage;
use crate::subtree::Subtree;

/// The neighbours of every node along one edge label, in one direction. Cheap to clone, shared between threads.
#[derive(Clone, Debug)]
pub struct Adjacency {
    stored: Stored,
    edges: u64,
    nodes: u32,
    damage: Damage,
}

impl Adjacency {
    pub(crate) fn lists(lists: StoredLists, edges: u64, nodes: u32, damage: Damage) -> Self {
        Self { stored: Stored::Lists(lists), edges, nodes, damage }
    }

    pub(crate) fn forest(subtree: Subtree, edges: u64, nodes: u32, damage: Damage) -> Self {
        Self { stored: Stored::Children(subtree), edges, nodes, damage }
    }

    pub(crate) fn parents(distances: Ints<Pinned>, edges: u64, nodes: u32, damage: Damage) -> Self {
        let parents = StoredParents::new(distances, nodes, damage.clone());
        Self { stored: Stored::Parents(parents), edges, nodes, damage }
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
        Neighbors::of(&self.stored, node)
    }

    /// Appends the neighbours of `node` to `output`.
    #[inline]
    pub fn append(&self, node: u32, output: &mut Vec<u32>) {
        match &self.stored {
            Stored::Lists(lists) => {
                let range = lists.range(node);
                if range.is_empty() {
                    return;
                }
                lists.append(range, node, output);
            }
            Stored::Children(subtree) => {
                let below = subtree.descendants(node);
                let mut child = below.start;
                while child < below.end {
                    output.push(child);
                    child += 1 + subtree.size(child);
                }
            }
            Stored::Parents(parents) => output.extend(parents.parent(node)),
        }
    }

    /// Appends at most `room` of the neighbours of `node` that are left in `rest`, which begins with all of them; true if
    /// there are more.
    #[inline]
    pub(crate) fn append_rest(
        &self,
        node: u32,
        rest: &mut ListRest,
        room: usize,
        output: &mut Vec<u32>,
    ) -> bool {
        match &self.stored {
            Stored::Lists(lists) => lists.append_rest(node, rest, room, output),
            Stored::Children(subtree) => rest.append_children(subtree, node, room, output),
            Stored::Parents(parents) => {
                output.extend(parents.parent(node));
                false
            }
        }
    }

    /// Appends the neighbours of all of a frontier to `output`, one list behind the other: the fastest way to expand it,
    /// above all if its nodes rise, where lists that lie together are decoded in one piece.
    pub fn expand(&self, frontier: &[u32], output: &mut Vec<u32>) {
        let mut done = 0;
        while done < frontier.len() {
            done += self.append_many(&frontier[done..], usize::MAX, output);
            // A node that it stops at has to be asked alone: where its list makes no sense, that is noted.
            if let Some(node) = frontier.get(done) {
                self.append(*node, output);
                done += 1;
            }
        }
    }

    /// Appends the neighbours of nodes, which are fastest if they rise, until `output` has `limit` or more; returns for how many
    /// nodes that was done. Nodes with more than `limit` neighbours are left to [`Adjacency::append_rest`].
    pub(crate) fn append_many(&self, nodes: &[u32], limit: usize, output: &mut Vec<u32>) -> usize {
        let Stored::Lists(lists) = &self.stored else {
            for (count, node) in nodes.iter().enumerate() {
                if output.len() >= limit || matches!(self.stored, Stored::Children(_)) {
                    return count;
                }
                self.append(*node, output);
            }
            return nodes.len();
        };
        lists.append_many(nodes, limit, output)
    }

    /// About how many neighbours a node has that has any.
    pub(crate) fn mean_degree(&self) -> f64 {
        let sources = match &self.stored {
            Stored::Lists(lists) => f64::from(lists.owner_count()),
            Stored::Children(_) => f64::from(self.nodes) / 2.0,
            Stored::Parents(_) => f64::from(self.nodes),
        };
        self.edges as f64 / sources.max(1.0)
    }

    /// About which share of all nodes has neighbours.
    pub(crate) fn source_share(&self) -> f64 {
        match &self.stored {
            Stored::Lists(lists) => f64::from(lists.owner_count()) / f64::from(self.nodes.max(1)),
            Stored::Children(_) => 0.5,
            Stored::Parents(_) => 1.0,
        }
    }

    /// Every node that has neighbours, rising.
    ///
    /// Costs a few nanoseconds for each of them; for the forest label, for each node of the graph.
    pub fn sources(&self) -> Sources<'_> {
        Sources::of(&self.stored, self.nodes)
    }

    /// Calls `visit` with every node and each of its neighbours: nodes rising, neighbours in the order of the graph.
    ///
    /// The fastest way to read all edges: some five nanoseconds each, nothing for nodes without any. Columns are decoded
    /// in blocks from front to back; allocates a block for each.
    pub fn for_each_edge(&self, visit: impl FnMut(u32, u32)) {
        match &self.stored {
            Stored::Lists(lists) => lists.for_each_edge(visit),
            Stored::Children(_) | Stored::Parents(_) => self.for_each_implied(visit),
        }
    }

    /// The edges of the forest label, as many as it should have at most: damaged sizes may claim the square of that.
    fn for_each_implied(&self, mut visit: impl FnMut(u32, u32)) {
        let mut left = self.edges;
        for node in 0..self.nodes {
            for neighbor in self.neighbors(node) {
                if left == 0 {
                    self.note_damage(node);
                    return;
                }
                left -= 1;
                visit(node, neighbor);
            }
        }
        if left > 0 {
            self.note_damage(self.nodes.saturating_sub(1));
        }
    }

    /// The neighbours of `node` as they lie in memory, in a file of the direct profile. Reads them once, because an id that
    /// does not exist is not handed out.
    #[inline]
    pub fn slice(&self, node: u32) -> Option<&[u32]> {
        match &self.stored {
            Stored::Lists(lists) => {
                let list = lists.as_slice()?.get(lists.range(node))?;
                Some(lists.sound(list, node))
            }
            Stored::Children(_) | Stored::Parents(_) => None,
        }
    }

    /// The first neighbour of `node`.
    ///
    /// Inlined always: where parents are distances it is a load and a subtraction, and a call would double it.
    #[inline(always)]
    pub fn first(&self, node: u32) -> Option<u32> {
        match &self.stored {
            Stored::Parents(parents) => parents.parent(node),
            Stored::Lists(lists) => lists.first(node),
            Stored::Children(subtree) => {
                let below = subtree.descendants(node);
                (!below.is_empty()).then_some(below.start)
            }
        }
    }

    /// How many neighbours `node` has. Constant time, except for the forest label, where children are counted.
    #[inline]
    pub fn degree(&self, node: u32) -> usize {
        match &self.stored {
            Stored::Lists(lists) => lists.range(node).len(),
            Stored::Children(_) | Stored::Parents(_) => self.neighbors(node).count(),
        }
    }

    /// Position of the first edge of `node` among all edges of the label: the rank that edge properties are stored
    /// under, in the out direction. None where edges have no stored rank (the forest label).
    #[inline]
    pub fn first_rank(&self, node: u32) -> Option<usize> {
        match &self.stored {
            Stored::Lists(lists) => Some(lists.range(node).start),
            Stored::Children(_) | Stored::Parents(_) => None,
        }
    }
}
