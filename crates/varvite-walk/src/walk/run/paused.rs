//! [`Paused`]: a walk between two results, which borrows neither its plan nor its arena.

use super::{At, Run};
use crate::walk::arena::Arena;
use crate::walk::branch::Branch;
use crate::walk::counts::Counts;
use crate::walk::error::WalkError;
use crate::walk::guide::Unguided;
use crate::walk::meter::Meter;
use crate::walk::plan::Plan;
use crate::walk::visit::Visit;

/// The state of a paused walk without its plan and its arena; neither may change until the walk is resumed.
#[derive(Debug)]
pub(in crate::walk) struct Paused {
    meter: Meter,
    counts: Counts,
    started: usize,
    at: At,
    is_swept: bool,
    gives_part: bool,
    stopped_by: Option<WalkError>,
    is_ended: bool,
}

impl<'a> Run<'a> {
    /// Pauses the walk, and releases its plan and its arena.
    pub(in crate::walk) fn pause(self) -> Paused {
        let Self { meter, counts, started, at, is_swept, gives_part, stopped_by, is_ended, .. } = self;
        Paused { meter, counts, started, at, is_swept, gives_part, stopped_by, is_ended }
    }

    /// Resumes a paused walk, with the same plan and arena.
    pub(in crate::walk) fn resume(plan: &'a Plan, arena: &'a mut Arena, paused: Paused) -> Self {
        let Paused { meter, counts, started, at, is_swept, gives_part, stopped_by, is_ended } = paused;
        let guide = Unguided;
        Self { plan, arena, guide, meter, counts, started, at, is_swept, gives_part, stopped_by, is_ended }
    }

    /// The visit of `branch`, the last result, without its cost; `None` if the walk has ended.
    pub(in crate::walk) fn visit_again<'b>(&'b self, branch: &'b Branch) -> Option<Visit<'b>> {
        let branches = self.arena.branches.as_slice();
        let number = branches.len() as u32;
        (!self.is_ended).then_some(Visit { plan: self.plan, branches, branch, number, costs: &[] })
    }
}
