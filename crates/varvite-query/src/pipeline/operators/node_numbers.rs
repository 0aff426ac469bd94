//! [`NodeNumbers`]: reads the values of a property for a sequence of nodes. [`each_key`] reads the keys of
//! rows, many at once if possible.

use std::ops::Range;

use crate::pipeline::plan::{KeyPlan, PropertyPlan};
use crate::pipeline::rows::Batch;
use varvite_graph::internal::FEW;
use varvite_graph::{Budget, Property, RecentNumbers};

/// Reads a property with at most one value per node. It reads ascending nodes close to each other as a range,
/// other ascending nodes with a cursor, and all other nodes through a cache of recently read values.
#[derive(Debug, Default)]
pub(super) struct NodeNumbers {
    recent: Option<RecentNumbers>,
    /// The values of a range of nodes, and a bit for each node, set if it has a value.
    values: Vec<i64>,
    present: Vec<u64>,
    is_charged: bool,
}

/// The size of the cache in bytes.
const CACHE_BYTES: usize = 128 << 10;
/// A plan may have thousands of readers. One quarter of the budget limits the caches of all of them.
const CACHE_SHARE: usize = 4;
/// The minimum number of consecutive nodes that are read as a range.
const RANGE_MIN: usize = 16;
/// The number of ids in the largest range that is read for some of its nodes.
const SPAN_MAX: u32 = 1 << 11;

impl NodeNumbers {
    /// Whether the nodes need no cache, or the cache is charged to the budget. Charges it if there is room.
    pub(super) fn is_affordable(&mut self, nodes: &[u32], budget: &Budget) -> bool {
        let has_room = || budget.held().saturating_add(CACHE_BYTES) <= budget.limit() / CACHE_SHARE;
        if nodes.is_sorted() || self.is_charged {
            return true;
        }
        self.is_charged = has_room() && budget.take(CACHE_BYTES).is_ok();
        self.is_charged
    }

    /// Calls `visit` with the value of each node, in order. If nodes are not ascending, every call must have
    /// the same `property`, because its values are cached.
    #[inline]
    pub(super) fn for_each(
        &mut self,
        property: &Property,
        nodes: &[u32],
        mut visit: impl FnMut(Option<i64>),
    ) {
        if let Some(range) = range_of(nodes) {
            property.fill(range, &mut self.values, &mut self.present);
            return (0..nodes.len()).for_each(|place| visit(self.value(place)));
        }
        if nodes.is_sorted() {
            return self.for_each_rising(property, nodes, visit);
        }
        let recent = self.recent.get_or_insert_with(|| property.recent_numbers());
        nodes.iter().for_each(|node| visit(recent.number(*node)));
    }

    /// The same as [`NodeNumbers::for_each`], for ascending nodes.
    #[inline]
    fn for_each_rising(&mut self, property: &Property, nodes: &[u32], mut visit: impl FnMut(Option<i64>)) {
        let mut cursor = property.cursor();
        if property.has_lists || !are_close(nodes) {
            return nodes.iter().for_each(|node| visit(cursor.number(*node)));
        }
        let mut left = nodes;
        while let Some(first) = left.first() {
            let (near, rest) = left.split_at(left.partition_point(|node| node - first < SPAN_MAX));
            match are_close(near) {
                true => self.for_each_near(property, near, &mut visit),
                false => near.iter().for_each(|node| visit(cursor.number(*node))),
            }
            left = rest;
        }
    }

    /// Reads the values of all nodes from the first to the last, and visits those of the given nodes.
    fn for_each_near(&mut self, property: &Property, nodes: &[u32], visit: &mut impl FnMut(Option<i64>)) {
        let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return };
        property.fill(*first..last.saturating_add(1), &mut self.values, &mut self.present);
        nodes.iter().for_each(|node| visit(self.value((node - first) as usize)));
    }

    /// The value of a node in the range that was read.
    #[inline]
    fn value(&self, place: usize) -> Option<i64> {
        let is_present = self.present[place / 64] >> (place % 64) & 1 != 0;
        is_present.then_some(self.values[place])
    }
}

/// Whether ascending nodes are so close to each other that reading the values of all nodes between them costs
/// less than reading those of each.
fn are_close(nodes: &[u32]) -> bool {
    let span = nodes.first().zip(nodes.last()).map_or(0, |(first, last)| (last - first) as usize);
    span < nodes.len().saturating_mul(FEW)
}

/// Calls `visit` with the key of each row, in order.
#[inline]
pub(super) fn each_key(
    by: &KeyPlan,
    numbers: &mut NodeNumbers,
    input: &Batch,
    mut visit: impl FnMut(Option<i64>),
) {
    match by {
        KeyPlan::Value(_) => input.numbers.iter().for_each(|key| visit(Some(*key))),
        KeyPlan::Node => input.nodes.iter().for_each(|node| visit(Some(i64::from(*node)))),
        KeyPlan::Property(PropertyPlan { edge_label: None, property, .. }) if !property.is_list() => {
            numbers.for_each(property, &input.nodes, visit);
        }
        KeyPlan::Labels(labels, _) => {
            let codes = labels.code_reader();
            input.nodes.iter().for_each(|node| visit(codes.known_code(*node).map(i64::from)));
        }
        KeyPlan::Computed(index, _) if input.computed.len() > *index => {
            input.computed[*index].each_key(&input.edges, visit);
        }
        KeyPlan::Found(index, plan) if input.computed.len() > *index => {
            let mut last = None;
            input.computed[*index].each_key(&input.edges, |node| visit(number_of(plan, node, &mut last)));
        }
        by => (0..input.rows()).for_each(|row| visit(by.number(input, row))),
    }
}

/// The number of a node's property. `last` has the last node, and its number: rows close to each other often
/// find the same node.
#[inline]
fn number_of(plan: &PropertyPlan, node: Option<i64>, last: &mut Option<(i64, Option<i64>)>) -> Option<i64> {
    let node = node?;
    match last {
        Some((known, number)) if *known == node => *number,
        _ => {
            let number = u32::try_from(node).ok().and_then(|node| plan.property.number(node));
            *last = Some((node, number));
            number
        }
    }
}

/// The nodes as a range. `None` unless they are consecutive and at least [`RANGE_MIN`] in number.
fn range_of(nodes: &[u32]) -> Option<Range<u32>> {
    let (first, end) = (*nodes.first()?, nodes.last()?.checked_add(1)?);
    let is_range = nodes.len() >= RANGE_MIN && nodes.is_sorted_by(|a, b| a.checked_add(1) == Some(*b));
    is_range.then_some(first..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_nodes_that_follow_one_another_are_a_range() {
        let long: Vec<u32> = (5..5 + RANGE_MIN as u32).collect();
        assert_eq!(range_of(&long), Some(5..5 + RANGE_MIN as u32));
        let mut twice = long.clone();
        twice[1] = 5;
        let last: Vec<u32> = (0..RANGE_MIN as u32).rev().map(|back| u32::MAX - back).collect();
        for nodes in [&long[1..], &twice, &last, &[]] {
            assert_eq!(range_of(nodes), None, "{nodes:?}");
        }
    }
}
