//! [`NodeNumbers`]: the values of a property for nodes as they come.

use crate::property::Property;
use crate::property_recent::RecentNumbers;

/// Reads a property of which each node has one value at most: with a cursor where nodes rise, else the last ones are remembered.
#[derive(Debug, Default)]
pub(super) struct NodeNumbers {
    recent: Option<RecentNumbers>,
}

impl NodeNumbers {
    /// Calls `visit` with the value of each node, in their order. The property is always the same.
    #[inline]
    pub(super) fn for_each(
        &mut self,
        property: &Property,
        nodes: &[u32],
        mut visit: impl FnMut(Option<i64>),
    ) {
        if nodes.is_sorted() {
            let mut cursor = property.cursor();
            return nodes.iter().for_each(|node| visit(cursor.number(*node)));
        }
        let recent = self.recent.get_or_insert_with(|| property.recent_numbers());
        nodes.iter().for_each(|node| visit(recent.number(*node)));
    }
}
