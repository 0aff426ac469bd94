//! [`GrownTree`]: the tree of a graph, if nodes were appended to it and nothing else in it was changed.
//!
//! In pre-order, the descendants of a node of the base are its range of ids in the base, with subtrees of
//! appended nodes between them. A subtree of appended nodes stands after the range of the base node to which
//! it was appended, because appended children come after all other children. In this order the appended
//! descendants of any node are a range too.
//!
//! ```text
//! base       0 ( 1 2 ( 3 ) ) 4        ids; the descendants of 0 and of 2 are in parentheses
//! appended   8 under parent 3, 9 under parent 2, 7 under parent 0
//! pre-order  0 1 2 3 8 9 7 4          the place of 8, 9 and 7 is 4
//! ```

use std::ops::Range;
use std::sync::Arc;

use varvite_store::Charge;

use crate::cursor::adjacency::{ChangeColumns, Touched};
use crate::cursor::ranked_bits::RankedBits;
use crate::cursor::subtree::Subtree;

/// The appended nodes of the tree, with their positions in pre-order.
#[derive(Debug)]
pub struct GrownTree {
    base_nodes: u32,
    /// The appended nodes, in pre-order.
    nodes: Vec<u32>,
    /// For each entry of `nodes`, its place: the base id before which it stands in pre-order, or [`NOWHERE`]
    /// if it has no ancestor in the base. Ascending.
    places: Vec<u32>,
    /// The set of places (without [`NOWHERE`]), and for each of them the start of its entries in `nodes`
    /// (`starts`).
    place_set: RankedBits,
    starts: Vec<u32>,
    /// For each entry of `nodes`, its anchor: its nearest ancestor in the base, or 0 if it has none.
    /// Descending among entries with equal places.
    anchors: Vec<u32>,
    /// For each appended node, in the order of ids: its index in `nodes`, and the number of its descendants.
    spans: Vec<(u32, u32)>,
    _memory: Charge,
}

/// The place of appended nodes without an ancestor in the base.
const NOWHERE: u32 = u32::MAX;

impl GrownTree {
    /// Bytes for each appended node: in the result, and in the list of parents and the queue, which exist
    /// only while the tree is made.
    const BYTES: u64 = 4 + 4 + 4 + 4 + 8 + 4 + 4;

    /// Bytes that a grown tree takes, for `appended` appended nodes and `base_nodes` nodes of the base.
    pub(crate) fn bytes(base_nodes: u32, appended: u32) -> u64 {
        Self::BYTES * u64::from(appended) + RankedBits::bytes(base_nodes.saturating_add(1))
    }

    /// The appended descendants of `node`, as a range of [`GrownTree::nodes`]. `below` is the range of the
    /// descendants of `node` in the base.
    #[inline]
    #[doc(hidden)]
    pub fn below(&self, node: u32, below: &Range<u32>) -> Range<u32> {
        if let Some(appended) = node.checked_sub(self.base_nodes) {
            let span = self.spans.get(appended as usize);
            return span.map_or(0..0, |(index, size)| index + 1..index + 1 + size);
        }
        let end = below.end.max(node + 1);
        let start = |place: u32| self.start(self.place_set.rank(place));
        let first = start(node.saturating_add(1));
        let mut last = start(end);
        if self.place_set.contains(end) {
            let behind = self.start(self.place_set.rank(end) + 1);
            let anchors = self.anchors.get(last as usize..behind as usize).unwrap_or(&[]);
            last += anchors.partition_point(|anchor| *anchor >= node) as u32;
        }
        first..last.max(first)
    }

    fn start(&self, rank: usize) -> u32 {
        self.starts.get(rank).or(self.starts.last()).copied().unwrap_or(0)
    }

    /// The appended nodes in a range of indexes, in pre-order.
    #[inline]
    #[doc(hidden)]
    pub fn nodes(&self, range: Range<u32>) -> &[u32] {
        self.nodes.get(range.start as usize..range.end as usize).unwrap_or(&[])
    }

    /// The place of the appended node at an index: the base id before which it stands in pre-order.
    #[inline]
    #[doc(hidden)]
    pub fn place(&self, index: u32) -> u32 {
        self.places.get(index as usize).copied().unwrap_or(NOWHERE)
    }

    /// The number of appended nodes.
    #[doc(hidden)]
    #[inline]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The number of nodes of the base.
    #[inline]
    #[doc(hidden)]
    pub fn base_nodes(&self) -> u32 {
        self.base_nodes
    }
}

/// The data from which a grown tree is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth<'a> {
    pub(crate) base_nodes: u32,
    pub(crate) nodes: u32,
    pub(crate) subtree: &'a Subtree,
    /// The changes of the tree's edges, as out-edges and as in-edges.
    pub(crate) out: &'a ChangeColumns,
    pub(crate) in_: &'a ChangeColumns,
}

impl Growth<'_> {
    /// Makes the grown tree. `None` if an appended edge leads to a node of the base, to a node with a smaller
    /// id than its source, or to a node that another appended edge leads to.
    pub(crate) fn tree(&self, touched: &Touched, memory: Charge) -> Option<Arc<GrownTree>> {
        let parents = self.parents()?;
        let mut tops: Vec<(u32, u32)> = Vec::new();
        for anchor in touched.iter().take_while(|node| *node < self.base_nodes) {
            tops.push((self.subtree.descendants(anchor).end.max(anchor + 1), anchor));
        }
        // Among anchors with equal places, the deepest comes first; it has the greatest id.
        tops.sort_unstable_by_key(|(place, anchor)| (*place, u32::MAX - anchor));
        let count = (self.nodes - self.base_nodes) as usize;
        let mut grown = GrownTree {
            base_nodes: self.base_nodes,
            nodes: Vec::with_capacity(count),
            places: Vec::with_capacity(count),
            anchors: Vec::with_capacity(count),
            spans: vec![(u32::MAX, 0); count],
            place_set: RankedBits::of(0, |_| ()),
            starts: Vec::new(),
            _memory: memory,
        };
        for (place, anchor) in tops {
            self.add_below(anchor, place, anchor, &parents, &mut grown)?;
        }
        for root in (self.base_nodes..self.nodes).filter(|node| self.parent(*node, &parents).is_none()) {
            self.add(root, NOWHERE, 0, &mut grown)?;
            self.add_below(root, NOWHERE, 0, &parents, &mut grown)?;
        }
        // A node that was not reached from an anchor or a root is on a cycle, so the lists contradict each
        // other.
        (grown.nodes.len() == count).then_some(())?;
        self.count_below(&parents, &mut grown);
        let limit = self.base_nodes.saturating_add(1);
        let places = grown.places.iter().take_while(|place| **place < limit);
        grown.place_set = RankedBits::of(limit, |add| places.clone().for_each(|place| add(*place)));
        let is_first = |index: &usize| *index == 0 || grown.places[index - 1] != grown.places[*index];
        let last = places.count();
        grown.starts = (0..last).filter(is_first).chain([last]).map(|index| index as u32).collect();
        Some(Arc::new(grown))
    }

    /// The parent of each appended node, `u32::MAX` for a root. `None` if the edges are not those of a grown
    /// tree.
    fn parents(&self) -> Option<Vec<u32>> {
        let mut parents = vec![u32::MAX; (self.nodes - self.base_nodes) as usize];
        let lists = self.in_.appended.as_ref()?;
        for node in lists.owners() {
            let place = parents.get_mut(node.checked_sub(self.base_nodes)? as usize)?;
            let range = lists.range(node);
            (range.len() == 1).then_some(())?;
            *place = lists.neighbor_at(range.start, node).filter(|parent| *parent < node)?;
        }
        Some(parents)
    }

    fn parent(&self, node: u32, parents: &[u32]) -> Option<u32> {
        let parent = *parents.get(node.checked_sub(self.base_nodes)? as usize)?;
        (parent != u32::MAX).then_some(parent)
    }

    /// Adds the appended descendants of `top`, in pre-order. `None` if out-lists and in-lists contradict each
    /// other.
    fn add_below(
        &self,
        top: u32,
        place: u32,
        anchor: u32,
        parents: &[u32],
        grown: &mut GrownTree,
    ) -> Option<()> {
        let lists = self.out.appended.as_ref()?;
        let mut pending = Vec::new();
        let push_children = |node: u32, pending: &mut Vec<u32>| {
            let first = pending.len();
            lists.append(lists.range(node), node, pending);
            pending[first..].reverse();
            pending[first..].iter().all(|child| self.parent(*child, parents) == Some(node))
        };
        push_children(top, &mut pending).then_some(())?;
        while let Some(node) = pending.pop() {
            self.add(node, place, anchor, grown)?;
            push_children(node, &mut pending).then_some(())?;
        }
        Some(())
    }

    /// Adds an appended node. `None` if it was added before.
    fn add(&self, node: u32, place: u32, anchor: u32, grown: &mut GrownTree) -> Option<()> {
        let span = grown.spans.get_mut((node - self.base_nodes) as usize)?;
        (span.0 == u32::MAX).then_some(())?;
        span.0 = grown.nodes.len() as u32;
        grown.nodes.push(node);
        grown.places.push(place);
        grown.anchors.push(anchor);
        Some(())
    }

    /// Counts the descendants of each appended node. The loop goes from the last node to the first, because
    /// children come after their parents.
    fn count_below(&self, parents: &[u32], grown: &mut GrownTree) {
        for node in grown.nodes.iter().rev() {
            let size = grown.spans[(node - self.base_nodes) as usize].1;
            let above = self.parent(*node, parents).and_then(|parent| parent.checked_sub(self.base_nodes));
            if let Some(above) = above {
                grown.spans[above as usize].1 += size + 1;
            }
        }
    }
}
