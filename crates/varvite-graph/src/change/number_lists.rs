//! [`NumberLists`]: the values of one property for the nodes that a layer adds, stored in the order in which
//! the caller adds them.
//!
//! Operations of a diff are read several times, and their values are on disk three times before they are
//! packed. This module avoids that for long lists that are added in the order of their nodes: it stores them
//! once, with eight bytes for each number.

use std::sync::Arc;

use varvite_format::Quantity;
use varvite_store::{Scratch, Tape};

use super::element::NewNode;
use super::sorted_values::SortedValues;
use crate::change_error::ChangeError;
use crate::change_fault::ChangeFault;
use crate::error::Result;

/// How many bytes of the numbers stay in memory when the rest is on disk.
const ROOM: usize = 64 << 10;
/// The number of values that are hashed and stored at once.
const PIECE: usize = 1 << 10;

/// Lists of numbers for new nodes, stored apart from the operations of the [`Diff`](super::Diff) that adds
/// the nodes. [`Diff::number_lists`](super::Diff::number_lists) creates this value, and
/// [`GraphChange::add_layer_with`](crate::write::GraphChange::add_layer_with) takes it.
///
/// Each list takes eight bytes of memory. Numbers that do not fit in memory are written to the diff's
/// temporary file.
#[derive(Debug)]
pub struct NumberLists {
    property: String,
    scratch: Option<Arc<Scratch>>,
    /// For each list, the number of its node among the new nodes, and the count of its values.
    lists: Vec<(u32, u32)>,
    values: Tape,
    count: u32,
    hasher: blake3::Hasher,
    /// The reason why values are missing, if some are.
    failure: Option<ChangeError>,
}

impl NumberLists {
    pub(super) fn new(property: &str, scratch: Option<&Arc<Scratch>>) -> Self {
        Self {
            property: property.to_owned(),
            scratch: scratch.cloned(),
            lists: Vec::new(),
            values: Tape::new(scratch, ROOM),
            count: 0,
            hasher: blake3::Hasher::new(),
            failure: None,
        }
    }

    /// Sets the values of a new node. If writing to disk fails, or there are more values than a property can
    /// have, adding the layer later fails with that error.
    ///
    /// # Panics
    /// If the node does not come after the node of the previous call.
    pub fn push(&mut self, node: NewNode, values: impl IntoIterator<Item = i64>) {
        assert!(self.lists.last().is_none_or(|(last, _)| *last < node.0), "nodes come in their order");
        if self.failure.is_none() {
            self.failure = self.take(node, values.into_iter()).err();
        }
    }

    fn take(&mut self, node: NewNode, mut values: impl Iterator<Item = i64>) -> Result<(), ChangeError> {
        let (before, mut piece) = (self.count, Vec::with_capacity(PIECE * size_of::<i64>()));
        loop {
            piece.clear();
            values.by_ref().take(PIECE).for_each(|value| piece.extend_from_slice(&value.to_le_bytes()));
            if piece.is_empty() {
                break;
            }
            self.count_in(piece.len() / size_of::<i64>())?;
            self.hasher.update(&piece);
            self.values.write(&piece)?;
        }
        self.lists.push((node.0, self.count - before));
        Ok(())
    }

    fn count_in(&mut self, values: usize) -> Result<(), ChangeError> {
        let (limit, found) = (u64::from(u32::MAX) - 1, u64::from(self.count) + values as u64);
        let too_many = ChangeError::TooLarge { what: Quantity::Values, found, limit };
        self.count = u32::try_from(found).ok().filter(|count| *count < u32::MAX).ok_or(too_many)?;
        Ok(())
    }

    pub(super) fn property(&self) -> &str {
        &self.property
    }

    /// Adds the lists, with their owners, to a hash.
    pub(super) fn hash_into(&self, hasher: &mut blake3::Hasher) {
        hasher.update(&(self.property.len() as u64).to_le_bytes()).update(self.property.as_bytes());
        hasher.update(&(self.lists.len() as u64).to_le_bytes());
        for (node, values) in &self.lists {
            hasher.update(&node.to_le_bytes()).update(&values.to_le_bytes());
        }
        hasher.update(self.hasher.finalize().as_bytes());
    }

    /// Fails if a list belongs to a node beyond the first `nodes` new nodes.
    pub(super) fn check(&self, nodes: u32) -> std::result::Result<(), ChangeFault> {
        match self.lists.last() {
            Some((last, _)) if *last >= nodes => Err(ChangeFault::NoSuchNew { number: *last, count: nodes }),
            _ => Ok(()),
        }
    }

    /// The values, sorted by owner; `first_node` is the id of the first new node.
    ///
    /// # Errors
    /// The reason why values are missing; an error of the file system.
    pub(super) fn into_sorted(self, first_node: u32) -> Result<SortedValues, ChangeError> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let owners = self.lists.iter().map(|(node, values)| (first_node + node, *values));
        Ok(SortedValues::of_numbers(self.scratch.as_ref(), owners, (self.values, self.count))?)
    }
}
