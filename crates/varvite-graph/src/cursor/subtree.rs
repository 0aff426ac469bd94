//! [`Subtree`]: the subtree index. As node ids are in pre-order, the descendants of a node are a range of
//! ids.

use varvite_format::{Ints, SmallInts};
use varvite_store::Pinned;

use crate::cursor::damage::Damage;

/// The number of descendants of each node along the forest edge label (AST in a code property graph).
#[derive(Clone, Debug)]
pub struct Subtree {
    sizes: SmallInts<Pinned>,
    /// The number of nodes that have a stored size. Nodes added later have no descendants here.
    nodes: u32,
    damage: Damage,
}

impl Subtree {
    pub(crate) fn new(sizes: Ints<Pinned>, nodes: u32, damage: Damage) -> Self {
        Self { sizes: SmallInts::new(sizes), nodes, damage }
    }

    /// The number of descendants of `node`, without `node` itself. Takes constant time.
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

    /// The ids of the descendants of `node`. Takes constant time.
    #[inline]
    pub fn descendants(&self, node: u32) -> std::ops::Range<u32> {
        if node >= self.nodes {
            return 0..0;
        }
        node + 1..node + 1 + self.size(node)
    }

    /// Calls `visit` with the children of `node`, ascending.
    #[inline]
    pub(crate) fn each_child(&self, node: u32, mut visit: impl FnMut(u32)) {
        let _all = self.try_each_child(node, |child| {
            visit(child);
            Some(())
        });
    }

    /// The same as [`Subtree::each_child`], but stops and returns `None` once `visit` returns `None`.
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

    /// True if `node` is `ancestor` or one of its descendants. Takes constant time.
    #[inline]
    pub fn contains(&self, ancestor: u32, node: u32) -> bool {
        node == ancestor || self.descendants(ancestor).contains(&node)
    }
}
