//! [`Csr`]: the lists of all members of a subgraph, decoded into two arrays.
//!
//! An algorithm that reads edges repeatedly decodes them only once, at 4 bytes and some nanoseconds for each
//! edge and node. Edges keep the order that they have in columns, so that an algorithm gives the same answer
//! from decoded lists as from columns.

use std::ops::Range;
use std::sync::Mutex;

use super::buffer::Buffer;
use super::columns::{Columns, Levels};
use super::error::AlgorithmError;
use super::limits::Limits;
use super::node_lists::NodeLists;
use varvite_graph::internal::all_in_order;
use varvite_graph::{Budget, OverBudget, in_order};

/// The number of members whose lists a job decodes.
const DECODED_AT_ONCE: u32 = 1 << 11;
/// The number of entries that a job renumbers.
const RENUMBERED_AT_ONCE: usize = 1 << 16;

/// The lists of members, concatenated. All entries are indexes of members.
#[derive(Debug)]
pub(super) struct Csr {
    /// The start of each list, followed by the end of the last list.
    offsets: Buffer<u32>,
    targets: Buffer<u32>,
}

/// The lists of consecutive members, decoded by one job.
struct Part {
    lengths: Buffer<u32>,
    targets: Buffer<u32>,
}

impl Csr {
    /// Reads all lists, on all threads.
    ///
    /// # Errors
    /// [`AlgorithmError::OverBudget`] if the lists exceed their budget, or if there are 2^32 edges or more;
    /// errors in reading the columns.
    pub(super) fn decode(columns: &Columns, members: usize, limits: &Limits) -> Result<Self, AlgorithmError> {
        let mut csr = Self::with_capacity(&limits.lists, members)?;
        let jobs: Vec<Range<u32>> = ranges(members, DECODED_AT_ONCE).collect();
        let decode = |range: &Range<u32>| {
            limits.check()?;
            Part::decode(columns, range.clone(), limits)
        };
        in_order(&jobs, limits.threads, decode, |part| Ok(csr.add(&part.lengths, &part.targets)?))?;
        csr.targets.shrink();
        Ok(csr)
    }

    /// Takes lists that the caller supplied.
    pub(super) fn of_lists(lists: NodeLists, limits: &Limits) -> Result<Self, OverBudget> {
        let (offsets, targets) = lists.into_parts();
        Ok(Self {
            offsets: Buffer::of_items(&limits.lists, offsets)?,
            targets: Buffer::of_items(&limits.lists, targets)?,
        })
    }

    /// The same lists with only the first of equal entries in each list.
    pub(super) fn distinct(mut self, limits: &Limits) -> Result<Self, AlgorithmError> {
        // For each node, the number of the last list that has it, from 1.
        let mut last = Buffer::filled(&limits.work, 0, self.offsets.len() - 1)?;
        let (mut meter, mut begin, mut kept) = (limits.meter(), 0, 0);
        for list in 1..self.offsets.len() {
            let end = self.offsets[list] as usize;
            meter.tick((end - begin) as u32)?;
            for place in begin..end {
                let target = self.targets[place];
                if std::mem::replace(&mut last[target as usize], list as u32) != list as u32 {
                    self.targets[kept] = target;
                    kept += 1;
                }
            }
            (begin, self.offsets[list]) = (end, kept as u32);
        }
        let (targets, ..) = self.targets.parts();
        targets.truncate(kept);
        self.targets.shrink();
        Ok(self)
    }

    /// Creates an empty `Csr` with room for the offsets of `members` lists.
    pub(super) fn with_capacity(budget: &Budget, members: usize) -> Result<Self, OverBudget> {
        let mut offsets = Buffer::with_capacity(budget, members + 1)?;
        offsets.push(0)?;
        Ok(Self { offsets, targets: Buffer::new(budget) })
    }

    /// The same lists with renumbered entries, computed on all threads.
    ///
    /// # Errors
    /// [`AlgorithmError::OverBudget`] if the lists exceed their budget; [`AlgorithmError::Cancelled`].
    pub(super) fn renumbered(&self, numbers: &[u32], limits: &Limits) -> Result<Self, AlgorithmError> {
        let mut offsets = Buffer::with_capacity(&limits.lists, self.offsets.len())?;
        offsets.extend_from_slice(&self.offsets)?;
        let mut targets = Buffer::filled(&limits.lists, 0, self.targets.len())?;
        let old = self.targets.chunks(RENUMBERED_AT_ONCE);
        let new = targets.chunks_mut(RENUMBERED_AT_ONCE).map(Mutex::new);
        let jobs: Vec<(&[u32], Mutex<&mut [u32]>)> = old.zip(new).collect();
        all_in_order(
            &jobs,
            limits.threads,
            || (),
            |(), (old, new)| {
                let mut new = new.lock().expect("this is the only owner");
                for (old, new) in old.iter().zip(new.iter_mut()) {
                    *new = numbers[*old as usize];
                }
                limits.check()
            },
        )?;
        drop(jobs);
        Ok(Self { offsets, targets })
    }

    /// Adds lists with these lengths; `targets` has the entries of all these lists, one list after another.
    pub(super) fn add(&mut self, lengths: &[u32], targets: &[u32]) -> Result<(), OverBudget> {
        let mut end = self.targets.len() as u64;
        self.targets.extend_from_slice(targets)?;
        for length in lengths {
            end += u64::from(*length);
            let offset = u32::try_from(end);
            self.offsets
                .push(offset.map_err(|_| OverBudget { limit: u32::MAX as usize, needed: usize::MAX })?)?;
        }
        Ok(())
    }

    /// The list of a member.
    #[inline]
    pub(super) fn list(&self, index: u32) -> &[u32] {
        &self.targets[self.places(index)]
    }

    /// The positions of a member's list among all entries.
    #[inline]
    pub(super) fn places(&self, index: u32) -> Range<usize> {
        let offsets = &self.offsets[index as usize..index as usize + 2];
        offsets[0] as usize..offsets[1] as usize
    }

    #[inline]
    pub(super) fn degree(&self, index: u32) -> usize {
        self.places(index).len()
    }

    /// The entry at a position.
    #[inline]
    pub(super) fn at(&self, place: usize) -> u32 {
        self.targets[place]
    }

    /// The number of entries in all lists.
    pub(super) fn entry_count(&self) -> usize {
        self.targets.len()
    }
}

impl Part {
    fn decode(columns: &Columns, range: Range<u32>, limits: &Limits) -> Result<Self, AlgorithmError> {
        let mut lengths = Buffer::with_capacity(&limits.lists, range.len())?;
        let mut targets = Buffer::new(&limits.lists);
        let (mut levels, mut meter) = (Levels::new(&limits.lists), limits.meter());
        for index in range {
            let before = targets.len();
            columns.append(index, &mut targets, &mut levels, &mut meter)?;
            let length = u32::try_from(targets.len() - before);
            let too_long = |_| OverBudget { limit: u32::MAX as usize, needed: usize::MAX };
            lengths.push(length.map_err(too_long)?)?;
        }
        Ok(Self { lengths, targets })
    }
}

/// The indexes of `members` members, in ranges of `at_once` members.
pub(super) fn ranges(members: usize, at_once: u32) -> impl Iterator<Item = Range<u32>> {
    let members = members as u32;
    (0..members).step_by(at_once as usize).map(move |begin| begin..begin.saturating_add(at_once).min(members))
}
