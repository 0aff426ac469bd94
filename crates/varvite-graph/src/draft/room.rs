//! [`Room`]: memory of a budget that one part of a draft holds.

use crate::budget::{Budget, OverBudget};

/// Items that a vector has room for once it has any.
const ITEMS_MIN: usize = 64;

/// Bytes of a budget, which go back to it when this is dropped.
#[derive(Debug)]
pub(super) struct Room {
    budget: Budget,
    held: usize,
}

impl Room {
    /// Of `budget`, from which nothing is taken yet.
    pub(super) fn of(budget: &Budget) -> Self {
        Self { budget: budget.clone(), held: 0 }
    }

    /// Takes so many more bytes.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), OverBudget> {
        self.budget.take(bytes)?;
        self.held += bytes;
        Ok(())
    }

    /// Gives some of them back.
    pub(super) fn give_back(&mut self, bytes: usize) {
        self.budget.give_back(bytes);
        self.held -= bytes;
    }

    /// Makes room for so many more items, doubling what there is.
    #[inline]
    pub(super) fn make<T>(&mut self, items: &mut Vec<T>, more: usize) -> Result<(), OverBudget> {
        if items.capacity() - items.len() >= more {
            return Ok(());
        }
        self.grow(items, more)
    }

    #[cold]
    fn grow<T>(&mut self, items: &mut Vec<T>, more: usize) -> Result<(), OverBudget> {
        let (before, least) = (items.capacity(), items.len().saturating_add(more));
        let capacity = before.saturating_mul(2).max(least).max(ITEMS_MIN);
        self.take((capacity - before).saturating_mul(size_of::<T>()))?;
        items.reserve_exact(capacity - items.len());
        Ok(())
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.budget.give_back(self.held);
    }
}
