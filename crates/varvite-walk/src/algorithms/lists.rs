//! [`ListReader`]: reads the lists of members one at a time, from decoded lists or from columns.

use super::buffer::Buffer;
use super::columns::{Columns, Levels};
use super::csr::Csr;
use super::error::AlgorithmError;
use super::limits::Limits;
use crate::walk::Meter;

/// The source from which the lists of one direction are read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lists<'a> {
    Decoded(&'a Csr),
    /// The columns, if there is no memory for all decoded lists.
    Columns(&'a Columns),
}

impl<'a> Lists<'a> {
    /// Creates a reader for one thread.
    pub(super) fn reader(self, limits: &Limits) -> ListReader<'a> {
        let (list, levels) = (Buffer::new(&limits.work), Levels::new(&limits.work));
        ListReader { lists: self, list, levels, meter: limits.meter() }
    }

    pub(super) fn decoded(self) -> Option<&'a Csr> {
        match self {
            Self::Decoded(csr) => Some(csr),
            Self::Columns(_) => None,
        }
    }
}

/// A reader of lists for one thread, which checks for cancellation at intervals.
#[derive(Debug)]
pub(super) struct ListReader<'a> {
    lists: Lists<'a>,
    /// The last list that was read from columns.
    list: Buffer<u32>,
    levels: Levels,
    meter: Meter,
}

impl ListReader<'_> {
    /// The list of a member. All entries are indexes of members. Their order is the same, whether they come
    /// from decoded lists or from columns.
    ///
    /// # Errors
    /// Cancellation, or too little memory for the list.
    #[inline]
    pub(super) fn list(&mut self, index: u32) -> Result<&[u32], AlgorithmError> {
        match self.lists {
            Lists::Decoded(csr) => {
                let list = csr.list(index);
                self.meter.tick(1 + list.len() as u32)?;
                Ok(list)
            }
            Lists::Columns(columns) => self.read(columns, index),
        }
    }

    #[inline(never)]
    fn read(&mut self, columns: &Columns, index: u32) -> Result<&[u32], AlgorithmError> {
        self.list.clear();
        columns.append(index, &mut self.list, &mut self.levels, &mut self.meter)?;
        Ok(&self.list)
    }

    /// The length of a member's list.
    #[inline]
    pub(super) fn degree(&mut self, index: u32) -> Result<usize, AlgorithmError> {
        match self.lists {
            Lists::Decoded(csr) => Ok(csr.degree(index)),
            Lists::Columns(_) => Ok(self.list(index)?.len()),
        }
    }

    /// Counts steps of the algorithm, and checks for cancellation at intervals.
    #[inline]
    pub(super) fn tick(&mut self, steps: usize) -> Result<(), AlgorithmError> {
        Ok(self.meter.tick(u32::try_from(steps).unwrap_or(u32::MAX))?)
    }
}
