//! [`Marks`]: the distance of each node from the sources or from the targets, depending on the search that
//! reached it.

use crate::walk::path_step::PathStep;

/// The direction of a search: the search from the sources advances towards the targets, and the search from
/// the targets towards the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Towards {
    Targets,
    Sources,
}

/// The mark of each node. A node with distance `d` from the sources has the mark `d + 1`, a node with
/// distance `d` to the targets has `-(d + 1)`, and an unreached node has 0.
#[derive(Debug)]
pub(super) struct Marks(Vec<i32>);

impl Marks {
    /// The marks of `nodes` unreached nodes.
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

    /// Whether the search that advances `towards` an end reached a node at this distance.
    #[inline]
    pub(super) fn is(&self, node: u32, towards: Towards, distance: u32) -> bool {
        self.get(node) == mark(towards, distance)
    }

    /// Whether the shortest path from a node to a target has `left` edges. If so, removes the mark of the
    /// node, so that a node to which several edges lead is found only once; [`put_back`](Self::put_back) sets
    /// the mark again.
    #[inline]
    pub(super) fn take(&mut self, node: u32, left: u32) -> bool {
        let is_left = self.is(node, Towards::Sources, left);
        if is_left {
            self.forget(node);
        }
        is_left
    }

    /// Marks the nodes of some steps again; `left` is their distance to the targets.
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
