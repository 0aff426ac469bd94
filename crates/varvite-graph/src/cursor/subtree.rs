//! The subtree index: under pre-order ids, the nodes below a node are a range.

use varvite_format::{Ints, SmallInts};
use varvite_store::Pinned;

use crate::cursor::damage::Damage;

/// The number of descendants of each node along the forest edge label (AST in a code property graph).
#[derive(Clone, Debug)]
pub struct Subtree {
    sizes: SmallInts<Pinned>,
    /// The number of nodes that have a size; nothing is below others, which came later.
    nodes: u32,
    damage: Damage,
}

impl Subtree {
    pub(crate) fn new(sizes: Ints<Pinned>, nodes: u32, damage: Damage) -> Self {
        Self { sizes: SmallInts::new(sizes), nodes, damage }
    }

    /// The number of descendants of `node`, without itself. Constant time.
    #[inline]
    pub fn size(&self, node: u32) -> u32 {
        match self.sizes.get(node as usize) {
            Some(size) if size < self.nodes - node => size,
            None if node >= self.nodes => 0,
            _ => {
                self.damage.note("subtree", node);
                0
            }
        }
    }

    /// The ids below `node`, in pre-order. Constant time.
    #[inline]
    pub fn descendants(&self, node: u32) -> std::ops::Range<u32> {
        if node >= self.nodes {
            return 0..0;
        }
        node + 1..node + 1 + self.size(node)
    }

    /// Calls `visit` with the children of `node`, in their order.
    #[inline]
    pub(crate) fn each_child(&self, node: u32, mut visit: impl FnMut(u32)) {
        let _all = self.try_each_child(node, |child| {
            visit(child);
            Some(())
        });
    }

    /// The same until `visit` gives none, which is then given.
    #[inline]
    pub(crate) fn try_each_child(&self, node: u32, mut visit: impl FnMut(u32) -> Option<()>) -> Option<()> {
        let below = self.descendants(node);
        let mut child = below.start;
        while child < below.end {
            visit(child)?;
            child += 1 + self.size(child);
        }
        Some(())
    }

    /// True if `node` is `ancestor` or below it. Constant time.
    #[inline]
    pub fn contains(&self, ancestor: u32, node: u32) -> bool {
        node == ancestor || self.descendants(ancestor).contains(&node)
    }
}
