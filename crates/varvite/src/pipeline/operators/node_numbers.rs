//! [`NodeNumbers`]: the values of a property for nodes as they come.

use crate::property::Property;

/// Reads a property of which each node has one value at most: with a cursor where nodes rise, else the last ones are remembered.
#[derive(Debug, Default)]
pub(super) struct NodeNumbers {
    recent: Vec<Recent>,
}

/// A node and its value.
#[derive(Clone, Copy, Debug)]
struct Recent {
    number: i64,
    node: u32,
    has_number: bool,
}

/// Nodes whose value is remembered: calls lead to few methods again and again.
const RECENT: usize = 8192;

impl NodeNumbers {
    /// Calls `visit` with the value of each node, in their order.
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
        if self.recent.is_empty() {
            self.recent.resize(RECENT, Recent { number: 0, node: u32::MAX, has_number: false });
        }
        for node in nodes {
            let slot = &mut self.recent[(node.wrapping_mul(0x9e37_79b1) >> 19) as usize % RECENT];
            if slot.node != *node {
                let number = property.number(*node);
                *slot = Recent { number: number.unwrap_or(0), node: *node, has_number: number.is_some() };
            }
            visit(slot.has_number.then_some(slot.number));
        }
    }
}
