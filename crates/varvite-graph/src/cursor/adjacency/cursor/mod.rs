//! [`Adjacency`]: one type for all forms in which neighbours are stored.
//!
//! - `changed`: a stored form together with the edges that were appended and removed since it was written;
//!   `touched`: a bit for each node whose edges changed, and short merged lists; `merged`: lists that are
//!   merged from the stored form and the changes when they are read.
//! - `neighbors`: an iterator over the neighbours of one node; `sources`: an iterator over the nodes that
//!   have neighbours.

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
    /// Children along the forest edge label, which are computed from subtree sizes.
    Children(Subtree),
    /// Parents along the forest edge label.
    Parents(StoredParents),
}

/// The neighbours of every node along one edge label, in one direction. Cheap to clone, shared between
/// threads.
///
/// Use [`Adjacency::neighbors`] for the neighbours of one node, and [`Adjacency::expand`] for the neighbours
/// of many nodes at once, which costs less per node. [`Adjacency::first`], [`Adjacency::degree`] and
/// [`Adjacency::sources`] do not read whole lists. [`Adjacency::for_each_edge`] reads all edges.
#[derive(Clone, Debug)]
pub struct Adjacency {
    /// The neighbours in the columns as they were written, without later changes.
    stored: Stored,
    /// The changes since the columns were written.
    changed: Option<Box<ChangedLists>>,
    /// The parents of the nodes with a stored distance, if the neighbours along this adjacency are parents.
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

    /// The changes, if any edge of `node` changed; otherwise `None`, and `node` is read from the base. The
    /// test costs one branch in a graph without changes, and a read of a bit in a graph with changes.
    #[inline(always)]
    fn touching(&self, node: u32) -> Option<&ChangedLists> {
        match &self.changed {
            Some(changed) if changed.is_touched(node) => Some(changed),
            _ => None,
        }
    }

    /// Records as damage that the out-lists and in-lists contradict each other at a node.
    #[doc(hidden)]
    pub fn note_damage(&self, node: u32) {
        self.damage.note("neighbours", node);
    }

    /// The number of edges of the label.
    pub fn edge_count(&self) -> u64 {
        self.edges
    }

    /// The neighbours of `node`, in the order of the graph; empty if the graph has no node with this id.
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

    /// Appends at most `room` of the neighbours of `node` that are left in `rest`. `ListRest::default()`
    /// holds all neighbours. Returns true if more are left.
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

    /// Whether `node` may have neighbours: false for most nodes without neighbours. Costs one bit test.
    #[inline(always)]
    #[doc(hidden)]
    pub fn may_have(&self, node: u32) -> bool {
        match &self.stored {
            Stored::Lists(lists) => self.changed.is_some() || !lists.has_none(node),
            Stored::Children(_) | Stored::Parents(_) => true,
        }
    }

    /// A bit for each node: 0 if the node has no list of neighbours. Empty if the owners of lists are not
    /// stored as bits, or if edges changed.
    #[doc(hidden)]
    #[inline]
    pub fn owner_bits(&self) -> &[u8] {
        match &self.stored {
            Stored::Lists(lists) if self.changed.is_none() => lists.owner_bits(),
            _ => &[],
        }
    }

    /// All neighbours of `node`, from which [`Adjacency::append_rest`] takes parts. `None` if it is known
    /// without reading a list that `node` has no neighbours.
    #[inline(always)]
    #[doc(hidden)]
    pub fn begin_some(&self, node: u32) -> Option<ListRest> {
        match &self.stored {
            _ if self.touching(node).is_some() => Some(ListRest::ALL),
            Stored::Lists(lists) => ListRest::of_list(lists.range(node)),
            Stored::Children(_) | Stored::Parents(_) => Some(ListRest::ALL),
        }
    }

    /// Appends the neighbours of all nodes of a frontier to `output`, one list after the other. This is the
    /// fastest way to expand a frontier, above all if its nodes are ascending: adjacent lists are then
    /// decoded together.
    pub fn expand(&self, frontier: &[u32], output: &mut Vec<u32>) {
        let mut done = 0;
        while done < frontier.len() {
            done += self.append_many(&frontier[done..], usize::MAX, output);
            // `append_many` stops at a node whose list it cannot append. `append` reads that list alone, and
            // records damage if the list is invalid.
            if let Some(node) = frontier.get(done) {
                self.append(*node, output);
                done += 1;
            }
        }
    }

    /// Appends the neighbours of one node after the other, and stops before the node whose neighbours would
    /// make `output` longer than `limit` entries. Returns the number of nodes whose neighbours were appended.
    /// The caller reads the neighbours of the next node with [`Adjacency::append_rest`]. This is fastest if
    /// the nodes are ascending.
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

    /// An estimate of the mean number of neighbours of a node with neighbours.
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

    /// An estimate of the share of all nodes that have neighbours.
    #[doc(hidden)]
    #[inline]
    pub fn source_share(&self) -> f64 {
        match &self.stored {
            Stored::Lists(lists) => f64::from(lists.owner_count()) / f64::from(self.nodes.max(1)),
            Stored::Children(_) => 0.5,
            Stored::Parents(_) => 1.0,
        }
    }

    /// Every node that has neighbours, ascending.
    ///
    /// Costs a few nanoseconds for each node that has neighbours; along the forest label, for each node of
    /// the graph.
    pub fn sources(&self) -> Sources<'_> {
        match &self.changed {
            None => self.stored_sources(),
            Some(changed) => Sources::of_changed(changed),
        }
    }

    /// The same as [`Adjacency::sources`], without the changes.
    fn stored_sources(&self) -> Sources<'_> {
        Sources::of(&self.stored, self.nodes)
    }

    /// Calls `visit` with every node and each of its neighbours: nodes ascending, the neighbours of a node in
    /// the order of the graph.
    ///
    /// This is the fastest way to read all edges: about five nanoseconds for each edge, and nothing for nodes
    /// without edges. Columns are decoded in blocks from front to back. Allocates a block for each column.
    pub fn for_each_edge(&self, visit: impl FnMut(u32, u32)) {
        match &self.changed {
            Some(changed) => changed.for_each_edge(visit),
            None => self.for_each_stored(visit),
        }
    }

    /// The same as [`Adjacency::for_each_edge`], without the changes.
    fn for_each_stored(&self, visit: impl FnMut(u32, u32)) {
        match &self.stored {
            Stored::Lists(lists) => lists.for_each_edge(visit),
            Stored::Children(_) | Stored::Parents(_) => self.for_each_implied(visit),
        }
    }

    /// The same as [`Adjacency::for_each_edge`], along the forest label. Visits at most as many edges as the
    /// label has, because damaged subtree sizes could imply the square of that number.
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

    /// The neighbours of `node` as a slice of the column. `None` if the file does not have the direct
    /// profile, or if edges of `node` changed. Reads the slice once, to check that every id in it exists.
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
    /// Always inlined: if parents are stored as distances, this method is a load and a subtraction, and a
    /// call would double the cost.
    #[inline(always)]
    pub fn first(&self, node: u32) -> Option<u32> {
        match &self.parents {
            Some(parents) => parents.parent_or(node, || self.first_elsewhere(node)),
            None => self.first_of_lists(node),
        }
    }

    /// The same as [`Adjacency::first`], for a node whose parent is not stored as a distance.
    #[cold]
    #[inline(never)]
    fn first_elsewhere(&self, node: u32) -> Option<u32> {
        self.first_of_lists(node)
    }

    /// The same as [`Adjacency::first`], without the stored distances. Not inlined, because it would take
    /// registers from loops that climb trees.
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

    /// The number of neighbours of `node`. Takes constant time, except along the forest label, where children
    /// are counted.
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

    /// Position of the first edge of `node` among all edges of the label; the other edges of `node` follow.
    /// In the out direction this position is the rank, under which edge properties are stored. `None` for the
    /// forest label, whose edges have no stored rank, and for a label whose edges changed.
    /// [`Ranks`](crate::Ranks) returns the ranks in any graph.
    #[inline]
    pub fn first_rank(&self, node: u32) -> Option<usize> {
        if self.changed.is_some() { None } else { self.base_first_rank(node) }
    }
}

/// Methods for callers that identify edges.
impl Adjacency {
    /// The changes since the columns were written.
    #[doc(hidden)]
    #[inline]
    pub fn changes(&self) -> Option<&ChangedLists> {
        self.changed.as_deref()
    }

    /// Whether neighbours are stored in lists, not implied by a forest.
    #[inline]
    #[doc(hidden)]
    pub fn has_lists(&self) -> bool {
        self.as_lists().is_some()
    }

    /// The same as [`Adjacency::first_rank`], for the edges of the base.
    #[inline]
    pub(crate) fn base_first_rank(&self, node: u32) -> Option<usize> {
        self.as_lists().map(|lists| lists.range(node).start)
    }

    /// The lists of the base; `None` if neighbours are implied by a forest.
    #[inline]
    pub(super) fn as_lists(&self) -> Option<&StoredLists> {
        match &self.stored {
            Stored::Lists(lists) => Some(lists),
            _ => None,
        }
    }

    /// All entries of `node` in the base; none of them was taken yet.
    pub(super) fn begin(&self, node: u32) -> ListRest {
        match &self.stored {
            Stored::Lists(lists) => ListRest::of_base(lists.range(node)),
            Stored::Children(subtree) => {
                let below = subtree.descendants(node);
                ListRest::of_base(below.start as usize..below.end as usize)
            }
            // The forest has one entry for each node: the edge from the node's parent. So the list of a node
            // has exactly one position, which equals the node's id.
            Stored::Parents(_) => ListRest::of_base(node as usize..node as usize + 1),
        }
    }

    /// Takes the next neighbour of `node` from `rest`, and returns the neighbour and the edge that leads to
    /// it. `ListRest::default()` holds all neighbours.
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

    /// The end of the positions of all entries of the base.
    pub(super) fn entry_limit(&self) -> usize {
        self.as_lists().map_or(self.nodes as usize, StoredLists::entry_count)
    }

    /// The node whose list contains an entry of the base, and the end position of that list. In a forest, the
    /// end position is the position after the entry.
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
