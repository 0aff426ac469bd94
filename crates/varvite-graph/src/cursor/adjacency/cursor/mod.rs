//! [`Adjacency`]: one face for the forms in which neighbours are stored.
//!
//! - `changed`: one of these forms, with edges that were appended and removed since; `touched`: the nodes
//!   whose edges changed, as bits, with their short lists; `merged`: the merge of both.
//! - `neighbors`: the neighbours of one node, one after the other; `sources`: the nodes that have any.

mod changed;
mod merged;
mod neighbors;
mod sources;
mod touched;

use varvite_format::Ints;
use varvite_store::Pinned;

pub(crate) use self::changed::ChangedLists;
pub(crate) use self::merged::MergedLists;
pub use self::neighbors::Neighbors;
pub use self::sources::Sources;
pub(crate) use self::touched::Touched;
use super::change_columns::EntryAt;
use super::stored::{ListRest, StoredLists, StoredParents};
use crate::cursor::damage::Damage;
use crate::cursor::subtree::Subtree;

/// The form in which the neighbours along one edge label in one direction are stored.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few, and a box would be one more load for each hop")]
enum Stored {
    Lists(StoredLists),
    /// The children of the forest edge label.
    Children(Subtree),
    /// Its parents.
    Parents(StoredParents),
}

/// The neighbours of every node along one edge label, in one direction. Cheap to clone, shared between
/// threads.
///
/// Take [`Adjacency::neighbors`] for the neighbours of a node, and [`Adjacency::expand`] for those of many
/// nodes at once, which costs a fraction for each. The others answer one question each without reading the
/// list: [`Adjacency::first`], [`Adjacency::degree`], [`Adjacency::sources`]; [`Adjacency::for_each_edge`]
/// reads all edges.
#[derive(Clone, Debug)]
pub struct Adjacency {
    /// As the columns were written.
    stored: Stored,
    /// Changes since then.
    changed: Option<Box<ChangedLists>>,
    /// The parents of all nodes to which a forest gives a distance, if the first neighbours of most nodes are
    /// their parents.
    parents: Option<StoredParents>,
    edges: u64,
    nodes: u32,
    damage: Damage,
}

impl Adjacency {
    pub(crate) fn lists(lists: StoredLists, edges: u64, nodes: u32, damage: Damage) -> Self {
        Self { stored: Stored::Lists(lists), changed: None, parents: None, edges, nodes, damage }
    }

    pub(crate) fn forest(subtree: Subtree, edges: u64, nodes: u32, damage: Damage) -> Self {
        Self { stored: Stored::Children(subtree), changed: None, parents: None, edges, nodes, damage }
    }

    pub(crate) fn parents(distances: Ints<Pinned>, edges: u64, nodes: u32, damage: Damage) -> Self {
        let parents = StoredParents::new(distances, nodes, damage.clone());
        let stored = Stored::Parents(parents.clone());
        Self { stored, changed: None, parents: Some(parents), edges, nodes, damage }
    }

    pub(crate) fn changed(lists: ChangedLists, edges: u64, nodes: u32, damage: Damage) -> Self {
        let (stored, parents) = (lists.base().stored.clone(), lists.untouched_parents().cloned());
        Self { stored, changed: Some(Box::new(lists)), parents, edges, nodes, damage }
    }

    /// The changes, if `node` is one of those whose edges changed. All others are read from the base. A graph
    /// without changes pays one test for that, and a graph with changes a bit for each node.
    #[inline(always)]
    fn touching(&self, node: u32) -> Option<&ChangedLists> {
        match &self.changed {
            Some(changed) if changed.is_touched(node) => Some(changed),
            _ => None,
        }
    }

    /// Notes that lists of both directions contradict each other at a node.
    #[doc(hidden)]
    pub fn note_damage(&self, node: u32) {
        self.damage.note("neighbours", node);
    }

    /// The number of edges of the label.
    pub fn edge_count(&self) -> u64 {
        self.edges
    }

    /// The neighbours of `node`, in the order of the graph; none for an id that the graph does not have.
    #[inline(always)]
    pub fn neighbors(&self, node: u32) -> Neighbors<'_> {
        match self.touching(node) {
            None => Neighbors::of(&self.stored, node),
            Some(changed) => Neighbors::of_touched(changed, node),
        }
    }

    /// Appends the neighbours of `node` to `output`.
    #[inline]
    pub fn append(&self, node: u32, output: &mut Vec<u32>) {
        if let Some(changed) = self.touching(node) {
            return changed.append(node, output);
        }
        match &self.stored {
            Stored::Lists(lists) => lists.append_all(node, output),
            Stored::Children(subtree) => subtree.each_child(node, |child| output.push(child)),
            Stored::Parents(parents) => output.extend(parents.parent(node)),
        }
    }

    /// Appends at most `room` of the neighbours of `node` that are left in `rest`, which begins with all of
    /// them; true if there are more.
    #[inline]
    #[doc(hidden)]
    pub fn append_rest(&self, node: u32, rest: &mut ListRest, room: usize, output: &mut Vec<u32>) -> bool {
        if let Some(changed) = self.touching(node) {
            return changed.append_rest(node, rest, room, output);
        }
        match &self.stored {
            Stored::Lists(lists) => lists.append_rest(node, rest, room, output),
            Stored::Children(subtree) => rest.append_children(subtree, node, room, output),
            Stored::Parents(parents) => {
                output.extend(parents.parent(node));
                false
            }
        }
    }

    /// Whether `node` may have neighbours: false for most nodes without. Costs the test of a bit.
    #[inline(always)]
    #[doc(hidden)]
    pub fn may_have(&self, node: u32) -> bool {
        match &self.stored {
            Stored::Lists(lists) => self.changed.is_some() || !lists.has_none(node),
            Stored::Children(_) | Stored::Parents(_) => true,
        }
    }

    /// A bit for each node, which is 0 of those that have no neighbours; nothing where that is not stored as
    /// bits, or edges were changed.
    #[doc(hidden)]
    #[inline]
    pub fn owner_bits(&self) -> &[u8] {
        match &self.stored {
            Stored::Lists(lists) if self.changed.is_none() => lists.owner_bits(),
            _ => &[],
        }
    }

    /// All neighbours of `node`, for [`Adjacency::append_rest`] to take in parts. None if there are no
    /// neighbours, where that is found without reading them.
    #[inline(always)]
    #[doc(hidden)]
    pub fn begin_some(&self, node: u32) -> Option<ListRest> {
        match &self.stored {
            _ if self.touching(node).is_some() => Some(ListRest::ALL),
            Stored::Lists(lists) => ListRest::of_list(lists.range(node)),
            Stored::Children(_) | Stored::Parents(_) => Some(ListRest::ALL),
        }
    }

    /// Appends the neighbours of all of a frontier to `output`, one list behind the other: the fastest way to
    /// expand it, above all if its nodes rise, where lists that lie together are decoded in one piece.
    pub fn expand(&self, frontier: &[u32], output: &mut Vec<u32>) {
        let mut done = 0;
        while done < frontier.len() {
            done += self.append_many(&frontier[done..], usize::MAX, output);
            // A node that it stops at has to be read alone: where its list is invalid, that is noted.
            if let Some(node) = frontier.get(done) {
                self.append(*node, output);
                done += 1;
            }
        }
    }

    /// Appends the neighbours of nodes, which are fastest if they rise, as long as `output` has at most
    /// `limit` entries with those of the next; returns for how many nodes that was done. The next is left to
    /// [`Adjacency::append_rest`].
    #[doc(hidden)]
    pub fn append_many(&self, nodes: &[u32], limit: usize, output: &mut Vec<u32>) -> usize {
        if let Some(changed) = &self.changed {
            return changed.append_many(nodes, limit, output);
        }
        let Stored::Lists(lists) = &self.stored else {
            for (count, node) in nodes.iter().enumerate() {
                if output.len() >= limit || matches!(self.stored, Stored::Children(_)) {
                    return count;
                }
                self.append(*node, output);
            }
            return nodes.len();
        };
        lists.many().append(nodes, limit, output)
    }

    /// About how many neighbours a node has that has any.
    #[doc(hidden)]
    #[inline]
    pub fn mean_degree(&self) -> f64 {
        let sources = match &self.stored {
            Stored::Lists(lists) => f64::from(lists.owner_count()),
            Stored::Children(_) => f64::from(self.nodes) / 2.0,
            Stored::Parents(_) => f64::from(self.nodes),
        };
        self.edges as f64 / sources.max(1.0)
    }

    /// About which share of all nodes has neighbours.
    #[doc(hidden)]
    #[inline]
    pub fn source_share(&self) -> f64 {
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
        match &self.changed {
            None => self.stored_sources(),
            Some(changed) => Sources::of_changed(changed),
        }
    }

    /// The same, before anything was changed.
    fn stored_sources(&self) -> Sources<'_> {
        Sources::of(&self.stored, self.nodes)
    }

    /// Calls `visit` with every node and each of its neighbours: nodes rising, neighbours in the order of the
    /// graph.
    ///
    /// The fastest way to read all edges: some five nanoseconds each, nothing for nodes without any. Columns
    /// are decoded in blocks from front to back; allocates a block for each.
    pub fn for_each_edge(&self, visit: impl FnMut(u32, u32)) {
        match &self.changed {
            Some(changed) => changed.for_each_edge(visit),
            None => self.for_each_stored(visit),
        }
    }

    /// The same, where nothing was changed.
    fn for_each_stored(&self, visit: impl FnMut(u32, u32)) {
        match &self.stored {
            Stored::Lists(lists) => lists.for_each_edge(visit),
            Stored::Children(_) | Stored::Parents(_) => self.for_each_implied(visit),
        }
    }

    /// The edges of the forest label, as many as it should have at most: damaged sizes may claim the square
    /// of that.
    fn for_each_implied(&self, mut visit: impl FnMut(u32, u32)) {
        let mut left = self.edges;
        let mut see = |node, neighbor| match left.checked_sub(1) {
            Some(rest) => {
                left = rest;
                visit(node, neighbor);
                Some(())
            }
            None => {
                self.note_damage(node);
                None
            }
        };
        let mut nodes = 0..self.nodes;
        let seen = match &self.stored {
            Stored::Lists(_) => Some(()),
            Stored::Children(subtree) => {
                nodes.try_for_each(|node| subtree.try_each_child(node, |child| see(node, child)))
            }
            Stored::Parents(parents) => nodes.try_for_each(|node| match parents.parent(node) {
                Some(parent) => see(node, parent),
                None => Some(()),
            }),
        };
        if seen.is_some() && left > 0 {
            self.note_damage(self.nodes.saturating_sub(1));
        }
    }

    /// The neighbours of `node` as they lie in memory, in a file of the direct profile, if none of its edges
    /// changed. Reads them once, because an id that does not exist is not handed out.
    #[inline]
    pub fn slice(&self, node: u32) -> Option<&[u32]> {
        match &self.stored {
            _ if self.touching(node).is_some() => None,
            Stored::Lists(lists) => {
                let list = lists.as_slice()?.get(lists.range(node))?;
                Some(lists.sound(list, node))
            }
            Stored::Children(_) | Stored::Parents(_) => None,
        }
    }

    /// The first neighbour of `node`.
    ///
    /// Inlined always: where parents are distances it is a load and a subtraction, and a call would double
    /// it.
    #[inline(always)]
    pub fn first(&self, node: u32) -> Option<u32> {
        match &self.parents {
            Some(parents) => parents.parent_or(node, || self.first_elsewhere(node)),
            None => self.first_of_lists(node),
        }
    }

    /// The same for a node whose parent is not stored as a distance.
    #[cold]
    #[inline(never)]
    fn first_elsewhere(&self, node: u32) -> Option<u32> {
        self.first_of_lists(node)
    }

    /// The same where neighbours are no parents. Not inlined: loops that climb trees would carry its
    /// registers.
    #[inline(never)]
    fn first_of_lists(&self, node: u32) -> Option<u32> {
        if let Some(changed) = self.touching(node) {
            return changed.first(node);
        }
        match &self.stored {
            Stored::Lists(lists) => lists.first(node),
            Stored::Children(subtree) => {
                let below = subtree.descendants(node);
                (!below.is_empty()).then_some(below.start)
            }
            Stored::Parents(parents) => parents.parent(node),
        }
    }

    /// The number of neighbours of `node`. Constant time, except for the forest label, where children are
    /// counted.
    #[inline]
    pub fn degree(&self, node: u32) -> usize {
        if let Some(changed) = self.touching(node) {
            return changed.degree(node);
        }
        match &self.stored {
            Stored::Lists(lists) => lists.range(node).len(),
            Stored::Children(_) | Stored::Parents(_) => self.neighbors(node).count(),
        }
    }

    /// Position of the first edge of `node` among all edges of the label: the rank that edge properties are
    /// stored under, in the out direction; those of its other edges follow. None where edges have no stored
    /// rank (the forest label), and where edges of the label were changed: [`Ranks`](crate::Ranks) has those
    /// of any graph.
    #[inline]
    pub fn first_rank(&self, node: u32) -> Option<usize> {
        if self.changed.is_some() { None } else { self.base_first_rank(node) }
    }
}

/// For callers that identify edges.
impl Adjacency {
    /// The changes since the columns were written.
    #[doc(hidden)]
    #[inline]
    pub fn changes(&self) -> Option<&ChangedLists> {
        self.changed.as_deref()
    }

    /// Whether neighbours are kept in lists, rather than follow from a forest.
    #[inline]
    #[doc(hidden)]
    pub fn has_lists(&self) -> bool {
        self.as_lists().is_some()
    }

    /// As [`Adjacency::first_rank`], of the edges that the columns had when they were written.
    #[inline]
    pub(crate) fn base_first_rank(&self, node: u32) -> Option<usize> {
        self.as_lists().map(|lists| lists.range(node).start)
    }

    /// The lists of the base, where neighbours are kept in lists.
    #[inline]
    pub(super) fn as_lists(&self) -> Option<&StoredLists> {
        match &self.stored {
            Stored::Lists(lists) => Some(lists),
            _ => None,
        }
    }

    /// All neighbours that `node` had in the base, before any of them is taken.
    pub(super) fn begin(&self, node: u32) -> ListRest {
        match &self.stored {
            Stored::Lists(lists) => ListRest::of_base(lists.range(node)),
            Stored::Children(subtree) => {
                let below = subtree.descendants(node);
                ListRest::of_base(below.start as usize..below.end as usize)
            }
            // The forest has one entry for each node, the edge from its parent: the list of a node is its own
            // number.
            Stored::Parents(_) => ListRest::of_base(node as usize..node as usize + 1),
        }
    }

    /// The next neighbour of `node` that is left in `rest`, which begins with all of them, and which edge it
    /// is.
    #[doc(hidden)]
    pub fn step(&self, node: u32, rest: &mut ListRest) -> Option<(u32, EntryAt)> {
        if let Some(changed) = &self.changed {
            return changed.step(node, rest);
        }
        if !rest.is_begun() {
            *rest = self.begin(node);
        }
        let left = rest.left();
        let (neighbor, next) = match &self.stored {
            _ if left.is_empty() => return None,
            Stored::Lists(lists) => (lists.neighbor_at(left.start, node), left.start + 1),
            Stored::Children(subtree) => {
                let child = left.start as u32;
                (Some(child), left.start + 1 + subtree.size(child) as usize)
            }
            Stored::Parents(parents) => (parents.parent(node), left.end),
        };
        rest.move_to(if neighbor.is_some() { next } else { left.end });
        Some((neighbor?, EntryAt::Base(left.start)))
    }

    /// The number that no entry of the base reaches.
    pub(super) fn entry_limit(&self) -> usize {
        self.as_lists().map_or(self.nodes as usize, StoredLists::entry_count)
    }

    /// The node that has an entry of the base in its list, and the number behind all entries of this list; in
    /// a forest, the number behind this entry.
    pub(super) fn owner_of(&self, entry: u32, parents: Option<&Self>) -> Option<(u32, usize)> {
        let behind = entry as usize + 1;
        match &self.stored {
            Stored::Lists(lists) => {
                let (owner, positions) = lists.list_around(entry as usize)?;
                Some((owner, positions.end))
            }
            Stored::Children(_) => Some((parents?.first(entry)?, behind)),
            Stored::Parents(_) => Some((entry, behind)),
        }
    }
}
