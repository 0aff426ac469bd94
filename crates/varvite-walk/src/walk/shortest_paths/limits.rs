//! [`Limits`]: the memory and time of a search.

use std::collections::HashSet;

use super::error::PathError;
use super::options::PathOptions;
use crate::walk::meter::Meter;
use varvite_graph::Budget;

/// The limits of a search.
#[derive(Debug)]
pub(super) struct Limits {
    pub(super) budget: Budget,
    meter: Meter,
}

impl Limits {
    /// The limits of a search that starts now.
    pub(super) fn begin(options: &PathOptions) -> Result<Self, PathError> {
        let mut meter = Meter::new(Some(options.task.flag().clone()), None);
        meter.look()?;
        Ok(Self { budget: Budget::of(&options.task), meter })
    }

    /// Counts `nodes` nodes.
    #[inline]
    pub(super) fn tick(&mut self, nodes: usize) -> Result<(), PathError> {
        Ok(self.meter.tick(u32::try_from(nodes).unwrap_or(u32::MAX))?)
    }

    /// Makes room for more members of a set.
    pub(super) fn make_room<T: Eq + std::hash::Hash>(
        &self,
        set: &mut HashSet<T>,
        more: usize,
        held: &mut usize,
    ) -> Result<(), PathError> {
        if set.capacity() - set.len() < more {
            let more = more.max(set.len());
            self.budget.hold(held, MEMBER_BYTES * size_of::<T>() * (set.len() + more))?;
            set.reserve(more);
        }
        Ok(())
    }
}

/// The memory of a set's member, as a multiple of its size: tables are at most seven eighths full, and half
/// of another table exists while they grow.
const MEMBER_BYTES: usize = 3;
