//! [`Marks`]: the distance of each node from the end of the search that reached it.

use super::path_way::Towards;

/// The distance of each node from the end that reached it: 0 for unreached nodes; a positive mark is one more
/// than the distance from the sources; a negative mark is the negated distance to the targets, minus one.
#[derive(Debug)]
pub(super) struct Marks(Vec<i32>);

impl Marks {
    /// Marks for `nodes` nodes, none of which is reached.
    pub(super) fn of(nodes: u32) -> Self {
        Self(vec![0; nodes as usize])
    }

    #[inline]
    pub(super) fn get(&self, node: u32) -> i32 {
        self.0[node as usize]
    }

    #[inline]
    pub(super) fn set(&mut self, node: u32, towards: Towards, distance: u32) {
        let mark = distance as i32 + 1;
        self.0[node as usize] = if towards == Towards::Targets { mark } else { -mark };
    }

    #[inline]
    pub(super) fn forget(&mut self, node: u32) {
        self.0[node as usize] = 0;
    }

    /// Whether `distance` edges are left from a node to a target.
    #[inline]
    pub(super) fn is_left(&self, node: u32, distance: u32) -> bool {
        self.get(node) == -(distance as i32) - 1
    }
}
