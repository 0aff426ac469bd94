//! [`Marks`]: the distance of each node from the end of the search that reached it.

use crate::walk::path_step::PathStep;

/// The end towards which a level advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Towards {
    Targets,
    Sources,
}

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
        self.0[node as usize] = mark(towards, distance);
    }

    #[inline]
    pub(super) fn forget(&mut self, node: u32) {
        self.0[node as usize] = 0;
    }

    /// Whether a level with this distance, which advances `towards` an end, reached a node.
    #[inline]
    pub(super) fn is(&self, node: u32, towards: Towards, distance: u32) -> bool {
        self.get(node) == mark(towards, distance)
    }

    /// Whether `left` edges are left from a node to a target; if so, its mark is taken until it is
    /// [put back](Self::put_back), so that a node to which several edges lead is found once.
    #[inline]
    pub(super) fn take(&mut self, node: u32, left: u32) -> bool {
        let is_left = self.is(node, Towards::Sources, left);
        if is_left {
            self.forget(node);
        }
        is_left
    }

    /// Marks the nodes of some steps again, from which `left` edges are left to a target.
    #[inline]
    pub(super) fn put_back(&mut self, steps: &[PathStep], left: u32) {
        steps.iter().for_each(|step| self.set(step.node, Towards::Sources, left));
    }
}

#[inline]
fn mark(towards: Towards, distance: u32) -> i32 {
    let mark = distance as i32 + 1;
    if towards == Towards::Targets { mark } else { -mark }
}
