//! [`GrownTree`]: the tree of a graph to which nodes were appended, and nothing else was changed in it.
//!
//! The descendants of a base node are its range of ids and, between them, subtrees of appended nodes. Each of
//! these stands behind the range of the node of the base that it hangs from, since appended children come
//! last. In that order the appended nodes below any node are a range too.
//!
//! ```text
//! base       0 ( 1 2 ( 3 ) ) 4        ids, with what is below 0 and below 2 in brackets
//! appended   8 below 3, 9 below 2, 7 below 0
//! pre-order  0 1 2 3 8 9 7 4          8, 9 and 7 all stand before 4
//! ```

use std::ops::Range;
use std::sync::Arc;

use varvite_store::Charge;

use crate::cursor::adjacency::{ChangeColumns, Touched};
use crate::cursor::ranked_bits::RankedBits;
use crate::cursor::subtree::Subtree;

/// The places of the appended nodes in the tree.
#[derive(Debug)]
pub struct GrownTree {
    base_nodes: u32,
    /// In pre-order.
    nodes: Vec<u32>,
    /// Before which node of the base each of them stands, rising; all ones below no node of the base.
    places: Vec<u32>,
    /// The same as a set, and where in `nodes` those of each place start.
    place_set: RankedBits,
    starts: Vec<u32>,
    /// The nearest node of the base above each of them: where places are equal, these fall.
    anchors: Vec<u32>,
    /// For each appended node, by id: its place in `nodes`, and the number of its descendants.
    spans: Vec<(u32, u32)>,
    _memory: Charge,
}

/// The place of appended nodes without an ancestor in the base.
const NOWHERE: u32 = u32::MAX;

impl GrownTree {
    /// Bytes for each appended node: the result, the parents, and the queue while it is made.
    const BYTES: u64 = 4 + 4 + 4 + 4 + 8 + 4 + 4;

    /// Bytes that it takes, with so many appended nodes and so many others.
    pub(crate) fn bytes(base_nodes: u32, appended: u32) -> u64 {
        Self::BYTES * u64::from(appended) + RankedBits::bytes(base_nodes.saturating_add(1))
    }

    /// The appended nodes below `node`, as a range of [`GrownTree::nodes`]. `below` are the ids of the base
    /// below it.
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

    /// The appended nodes of a range, in pre-order.
    #[inline]
    #[doc(hidden)]
    pub fn nodes(&self, range: Range<u32>) -> &[u32] {
        self.nodes.get(range.start as usize..range.end as usize).unwrap_or(&[])
    }

    /// Before which id of the base an appended node stands.
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

/// The inputs of a grown tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth<'a> {
    pub(crate) base_nodes: u32,
    pub(crate) nodes: u32,
    pub(crate) subtree: &'a Subtree,
    /// The appended edges, in both directions.
    pub(crate) out: &'a ChangeColumns,
    pub(crate) in_: &'a ChangeColumns,
}

impl Growth<'_> {
    /// None if any appended edge leads to a node that the base has, from a node to one that came before, or
    /// to a node that another leads to.
    pub(crate) fn tree(&self, touched: &Touched, memory: Charge) -> Option<Arc<GrownTree>> {
        let parents = self.parents()?;
        let mut tops: Vec<(u32, u32)> = Vec::new();
        for anchor in touched.iter().take_while(|node| *node < self.base_nodes) {
            tops.push((self.subtree.descendants(anchor).end.max(anchor + 1), anchor));
        }
        // Among nodes at one place the lowest comes first.
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
        // A node without a root above it is on a cycle: the lists contradict each other.
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

    /// The parent of each appended node; all ones without.
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

    /// Adds the appended nodes below `top`, in pre-order.
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

    /// Adds a node; none if it was added before.
    fn add(&self, node: u32, place: u32, anchor: u32, grown: &mut GrownTree) -> Option<()> {
        let span = grown.spans.get_mut((node - self.base_nodes) as usize)?;
        (span.0 == u32::MAX).then_some(())?;
        span.0 = grown.nodes.len() as u32;
        grown.nodes.push(node);
        grown.places.push(place);
        grown.anchors.push(anchor);
        Some(())
    }

    /// Counts the descendants of each appended node: children come behind their parents.
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
