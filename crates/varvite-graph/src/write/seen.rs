//! Counts and sums that an encoder computes while it encodes values. They suffice to check, at the end, that
//! the columns of a file agree.
//!
//! Columns that must agree (both directions of edges, label sets and the nodes of a label) are added
//! separately and in any order. So each column keeps a count, and a sum over its nodes or edges that does not
//! depend on their order, and the sums are compared. No value is read again. The sums of different nodes or
//! edges are equal by chance about once in 2^60 times.

use std::collections::BTreeMap;

use varvite_format::{Fault, InputError, members};

use super::input::ListsInput;
use super::owners::take_out_empty;
use crate::cursor::bounds::NULL_REF;

/// A hash of a node: the first round of the finaliser of SplitMix64. It is used in products with other
/// hashes.
#[inline]
fn mixed(node: u32) -> u64 {
    let number = (u64::from(node) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number ^ number >> 32
}

/// A hash of a node, for sums of hashes: the finaliser of SplitMix64, shortened.
#[inline]
fn scattered(node: u32) -> u64 {
    mixed(node).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// The hash of a node as the target of an edge, from its hash as the source ([`mixed`]). The two differ, so
/// that an edge and its reverse have different products.
#[inline]
fn turned(mixed: u64) -> u64 {
    mixed.rotate_left(23)
}

/// A factor for the place of an entry in its list, or of an edge among the edges of its source.
#[inline]
fn placed(place: u32) -> u64 {
    2 * u64::from(place) + 1
}

/// The facts of the edges of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EdgesSeen {
    /// The number of lists, including empty lists.
    pub(super) nodes: u32,
    pub(super) edges: u64,
    /// The sum of the hashes of the edges, with the owners of the lists as sources.
    pub(super) leaving: u64,
    /// The sum of the hashes of the edges, with the owners of the lists as targets.
    pub(super) arriving: u64,
    /// The sum of the hashes of the entries, each with its place in its list. If the owners are sources, this
    /// is a sum over the edges with their places.
    pub(super) ordered: u64,
}

impl EdgesSeen {
    /// Computes the sums of lists, after a check that ends and neighbours are valid.
    ///
    /// # Errors
    /// An invalid end of a list, or a neighbour that is not a node.
    pub(super) fn of(lists: ListsInput<'_>) -> Result<Self, InputError> {
        lists.check()?;
        let (bitmap, starts) = take_out_empty(lists.offsets);
        Self::of_owners(lists, members(&bitmap), &starts)
    }

    /// The same as [`Self::of`], for lists whose ends were checked. `owners` has the owners of nonempty
    /// lists, and `starts` the start of each of these lists, followed by the end of the last.
    ///
    /// # Errors
    /// A neighbour that is not a node.
    pub(super) fn of_owners(
        lists: ListsInput<'_>,
        owners: impl Iterator<Item = u32>,
        starts: &[u32],
    ) -> Result<Self, InputError> {
        let nodes = lists.offsets.len().saturating_sub(1) as u32;
        let mut seen = Self { nodes, edges: lists.neighbors.len() as u64, ..Self::default() };
        if starts.len() == lists.neighbors.len() + 1 {
            // Each list has one entry. Many edge labels have such lists, and these lists need no inner loop.
            for (owner, neighbor) in owners.zip(lists.neighbors) {
                let source = mixed(*neighbor);
                let target = turned(source);
                seen.add_list(owner, source, target, target.wrapping_mul(placed(0)));
            }
        } else {
            for (owner, ends) in owners.zip(starts.windows(2)) {
                let (mut sources, mut targets, mut ordered) = (0u64, 0u64, 0u64);
                for (place, neighbor) in (0u32..).zip(&lists.neighbors[ends[0] as usize..ends[1] as usize]) {
                    let source = mixed(*neighbor);
                    let target = turned(source);
                    sources = sources.wrapping_add(source);
                    targets = targets.wrapping_add(target);
                    ordered = ordered.wrapping_add(target.wrapping_mul(placed(place)));
                }
                seen.add_list(owner, sources, targets, ordered);
            }
        }
        let most = lists.neighbors.iter().fold(0, |most, neighbor| most.max(*neighbor));
        match most < nodes || lists.neighbors.is_empty() {
            true => Ok(seen),
            false => Err(lists.first_beyond(nodes)),
        }
    }

    /// Adds a list. The arguments are sums of the hashes of its neighbours: as sources, as targets, and as
    /// targets with their places.
    #[inline]
    fn add_list(&mut self, owner: u32, sources: u64, targets: u64, ordered: u64) {
        let owner = mixed(owner);
        self.leaving = self.leaving.wrapping_add(owner.wrapping_mul(targets));
        self.arriving = self.arriving.wrapping_add(turned(owner).wrapping_mul(sources));
        self.ordered = self.ordered.wrapping_add(owner.wrapping_mul(ordered));
    }
}

/// The facts of the edges of one direction, computed entry by entry in the order of lists.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ListsSeen {
    pub(super) seen: EdgesSeen,
    last: Option<u32>,
    place: u32,
}

impl ListsSeen {
    /// The facts of the lists of `nodes` nodes, before the first entry.
    pub(crate) fn among(nodes: u32) -> Self {
        Self { seen: EdgesSeen { nodes, ..EdgesSeen::default() }, ..Self::default() }
    }

    /// Adds the next entry.
    #[inline]
    pub(crate) fn push(&mut self, owner: u32, neighbor: u32) {
        self.place = if self.last == Some(owner) { self.place + 1 } else { 0 };
        self.last = Some(owner);
        let source = mixed(neighbor);
        let target = turned(source);
        self.seen.edges += 1;
        self.seen.add_list(owner, source, target, target.wrapping_mul(placed(self.place)));
    }
}

/// The facts of the places of edges, for in-lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlacesSeen {
    pub(super) count: u64,
    /// The same sum as [`EdgesSeen::ordered`] of the out-lists, if each entry has the place of its edge.
    pub(super) leaving: u64,
    /// The same sum as [`EdgesSeen::ordered`] of the in-lists.
    pub(super) ordered: u64,
}

impl PlacesSeen {
    /// # Errors
    /// An invalid end of a list, or a number of places that differs from that of edges.
    pub(super) fn of(in_: ListsInput<'_>, places: &[u32]) -> Result<Self, InputError> {
        in_.check()?;
        let (expected, count) = (in_.neighbors.len() as u64, places.len() as u64);
        if expected != count {
            return Err(InputError::new("places", Fault::Count { what: "places", expected, found: count }));
        }
        let mut seen = Self { count, leaving: 0, ordered: 0 };
        for (target, ends) in (0u32..).zip(in_.offsets.windows(2)) {
            let list = ends[0] as usize..ends[1] as usize;
            let (mut leaving, mut ordered) = (0u64, 0u64);
            for (at, (source, place)) in (0u32..).zip(in_.neighbors[list.clone()].iter().zip(&places[list])) {
                let source = mixed(*source);
                leaving = leaving.wrapping_add(source.wrapping_mul(placed(*place)));
                ordered = ordered.wrapping_add(turned(source).wrapping_mul(placed(at)));
            }
            let target = mixed(target);
            seen.leaving = seen.leaving.wrapping_add(turned(target).wrapping_mul(leaving));
            seen.ordered = seen.ordered.wrapping_add(target.wrapping_mul(ordered));
        }
        Ok(seen)
    }
}

/// The facts of the forest that subtree sizes describe, computed edge by edge.
#[derive(Debug, Default)]
pub(super) struct ForestScan {
    /// The nodes whose subtrees are not complete: the node, its last descendant, and the number of its
    /// children so far.
    open: Vec<(u32, u64, u32)>,
    edges: u64,
    leaving: u64,
    ordered: u64,
}

impl ForestScan {
    /// Adds the next node. Returns the distance to its parent; 0 for a root.
    ///
    /// # Errors
    /// A subtree that ends after the enclosing subtree, or after the last of `nodes` nodes.
    #[inline]
    pub(super) fn next(&mut self, node: u32, size: u32, nodes: u32) -> Result<u32, InputError> {
        while self.open.last().is_some_and(|(_, last, _)| *last < u64::from(node)) {
            self.open.pop();
        }
        let last = u64::from(node) + u64::from(size);
        let around = self.open.last().map_or(u64::from(nodes) - 1, |(_, last, _)| *last);
        if last > around {
            let (most, found) = ((around - u64::from(node)) as i64, Some(size.into()));
            let fault = Fault::Number { what: "size of node", at: Some(node.into()), least: 0, most, found };
            return Err(InputError::new("subtree sizes", fault));
        }
        let distance = self.open.last_mut().map_or(0, |(parent, _, children)| {
            let edge = mixed(*parent).wrapping_mul(turned(mixed(node)));
            self.edges += 1;
            self.leaving = self.leaving.wrapping_add(edge);
            self.ordered = self.ordered.wrapping_add(edge.wrapping_mul(placed(*children)));
            *children += 1;
            node - *parent
        });
        if size > 0 {
            self.open.push((node, last, 0));
        }
        Ok(distance)
    }

    /// The facts of all edges. They equal those of out-lists of the same edges, in a graph of `nodes` nodes.
    pub(super) fn finish(self, nodes: u32) -> EdgesSeen {
        let Self { edges, leaving, ordered, .. } = self;
        EdgesSeen { nodes, edges, leaving, arriving: 0, ordered }
    }
}

/// The facts of a set of nodes, added in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NodesSeen {
    pub(super) count: u64,
    pub(super) sum: u64,
}

impl NodesSeen {
    #[inline]
    fn add(&mut self, node: u32) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(scattered(node));
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { count: self.count + other.count, sum: self.sum.wrapping_add(other.sum) }
    }

    pub(super) fn of_bitmap(words: &[u64]) -> Self {
        Self::of(members(words))
    }

    pub(super) fn of(nodes: impl Iterator<Item = u32>) -> Self {
        let mut seen = Self::default();
        nodes.for_each(|node| seen.add(node));
        seen
    }
}

/// The facts of the codes of label sets, one code for each node.
#[derive(Clone, Debug)]
pub(super) struct CodesSeen {
    pub(super) nodes: u64,
    /// A hash of the codes in their order.
    pub(super) hash: u64,
    /// For each code below [`LOW_CODES`], the facts of the nodes that have it.
    of_low: Vec<NodesSeen>,
    of_high: BTreeMap<u32, NodesSeen>,
}

/// The facts of label set codes below this number are in a table, those of higher codes in a map.
const LOW_CODES: usize = 1 << 12;

impl CodesSeen {
    pub(super) fn of(codes: &[u32]) -> Self {
        let (mut of_low, mut of_high) = (vec![NodesSeen::default(); LOW_CODES], BTreeMap::new());
        for (node, code) in (0u32..).zip(codes) {
            match of_low.get_mut(*code as usize) {
                Some(seen) => seen.add(node),
                None => of_high.entry(*code).or_insert_with(NodesSeen::default).add(node),
            }
        }
        Self { nodes: codes.len() as u64, hash: hash_of_codes(codes), of_low, of_high }
    }

    /// The codes that nodes have, in ascending order, each with the facts of its nodes.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, NodesSeen)> + '_ {
        let low = self.of_low.iter().enumerate().filter(|(_, seen)| seen.count > 0);
        let low = low.map(|(code, seen)| (code as u32, *seen));
        low.chain(self.of_high.iter().map(|(code, seen)| (*code, *seen)))
    }
}

/// A hash of codes in their order.
pub(super) fn hash_of_codes(codes: &[u32]) -> u64 {
    varvite_codec::hash(bytemuck::cast_slice(codes), 0)
}

/// The facts of the numbers of a property.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumbersSeen {
    least: i64,
    most: i64,
    /// The greatest number except the null reference.
    most_not_null: i64,
}

impl NumbersSeen {
    /// The facts of an empty list of numbers.
    pub(crate) const NONE: Self = Self { least: i64::MAX, most: i64::MIN, most_not_null: i64::MIN };

    pub(super) fn of(numbers: &[i64]) -> Self {
        let least = numbers.iter().copied().min().unwrap_or(i64::MAX);
        let most = numbers.iter().copied().max().unwrap_or(i64::MIN);
        let most_not_null = match most >= NULL_REF {
            true => numbers.iter().copied().filter(|it| *it != NULL_REF).max().unwrap_or(i64::MIN),
            false => most,
        };
        Self { least, most, most_not_null }
    }

    #[inline]
    pub(crate) fn add(&mut self, number: i64) {
        self.least = self.least.min(number);
        self.most = self.most.max(number);
        let not_null = if number == NULL_REF { i64::MIN } else { number };
        self.most_not_null = self.most_not_null.max(not_null);
    }

    /// A number outside the range from `least` to `most`; `None` if there is none. With `with_null`, the null
    /// reference is allowed too.
    pub(super) fn beyond(&self, least: i64, most: i64, with_null: bool) -> Option<i64> {
        let high = if with_null { self.most_not_null } else { self.most };
        match (self.least < least && self.least <= self.most, high > most) {
            (true, _) if !(with_null && self.least == NULL_REF) => Some(self.least),
            (_, true) => Some(high),
            _ => None,
        }
    }
}

/// The facts of the values of a property.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValuesSeen {
    pub(super) owners: u64,
    /// The length of the longest list, and the owner of that list.
    pub(super) longest: (u32, u64),
    pub(super) kind: KindSeen,
    /// The hash of the label sets of the property's index, if it has one.
    pub(super) label_sets: Option<u64>,
}

/// The kind of the values.
#[derive(Clone, Copy, Debug)]
pub(super) enum KindSeen {
    Numbers(NumbersSeen),
    /// Texts. `not_text` is the first text that is not UTF-8, if there is one.
    Texts {
        not_text: Option<u64>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(offsets: &[u32], neighbors: &[u32]) -> EdgesSeen {
        EdgesSeen::of(ListsInput { offsets, neighbors }).unwrap()
    }

    #[test]
    fn both_directions_of_the_same_edges_are_seen_alike() {
        // Edges: 0 -> 1, 0 -> 2, 0 -> 1.
        let (out, in_) = (seen(&[0, 3, 3, 3], &[1, 2, 1]), seen(&[0, 0, 2, 3], &[0, 0, 0]));
        assert_eq!(out.leaving, in_.arriving);
        // The lists of the reverse edges have other sums.
        assert_ne!(out.leaving, out.arriving);
        let other = seen(&[0, 0, 1, 3], &[0, 0, 0]);
        assert_ne!(out.leaving, other.arriving);
    }

    #[test]
    fn edges_whose_ends_are_swapped_are_others() {
        let (one, other) = (seen(&[0, 1, 2, 2, 2], &[2, 3]), seen(&[0, 1, 2, 2, 2], &[3, 2]));
        assert_ne!(one.leaving, other.leaving);
    }

    #[test]
    fn places_are_those_of_the_out_lists_in_the_order_of_the_in_lists() {
        let in_ = ListsInput { offsets: &[0, 0, 2, 3], neighbors: &[0, 0, 0] };
        let out = seen(&[0, 3, 3, 3], &[1, 2, 1]);
        let right = PlacesSeen::of(in_, &[0, 2, 1]).unwrap();
        assert_eq!((right.leaving, right.ordered), (out.ordered, EdgesSeen::of(in_).unwrap().ordered));
        assert_ne!(PlacesSeen::of(in_, &[0, 1, 2]).unwrap().leaving, out.ordered);
    }

    #[test]
    fn a_forest_is_seen_as_its_lists_are() {
        let mut scan = ForestScan::default();
        let distances: Vec<u32> = [3, 1, 0, 0, 0]
            .into_iter()
            .zip(0..)
            .map(|(size, node)| scan.next(node, size, 5).unwrap())
            .collect();
        assert_eq!(distances, [0, 1, 1, 3, 0]);
        let lists = EdgesSeen { arriving: 0, ..seen(&[0, 2, 3, 3, 3, 3], &[1, 3, 2]) };
        assert_eq!(scan.finish(5), lists);
    }

    #[test]
    fn subtrees_that_overlap_are_refused() {
        let mut scan = ForestScan::default();
        scan.next(0, 2, 5).unwrap();
        let error = scan.next(1, 2, 5).unwrap_err().to_string();
        assert_eq!(error, "argument subtree sizes: expected a size of node 1 from 0 to 1, found 2");
    }

    #[test]
    fn the_null_reference_is_in_no_way() {
        let numbers = NumbersSeen::of(&[3, NULL_REF, 0]);
        assert_eq!(numbers.beyond(0, 3, true), None);
        assert_eq!(numbers.beyond(0, 2, true), Some(3));
        assert_eq!(numbers.beyond(0, 3, false), Some(NULL_REF));
        assert_eq!(NumbersSeen::of(&[NULL_REF]).beyond(0, -1, true), None);
        assert_eq!(NumbersSeen::NONE.beyond(0, 1, false), None);
        assert_eq!(NumbersSeen::of(&[-1, 1]).beyond(0, 1, false), Some(-1));
    }
}
