//! [`Buffer`]: a vector whose bytes are charged to a budget before they are allocated, and returned to the
//! budget when the vector is dropped.

use std::ops::{Deref, DerefMut};

use varvite_graph::{Budget, OverBudget};

/// A vector whose bytes are charged to a budget.
#[derive(Debug)]
pub(super) struct Buffer<T> {
    items: Vec<T>,
    held: usize,
    budget: Budget,
}

impl<T> Buffer<T> {
    /// Creates an empty buffer.
    pub(super) fn new(budget: &Budget) -> Self {
        Self { items: Vec::new(), held: 0, budget: budget.clone() }
    }

    /// Creates an empty buffer with room for `capacity` items.
    pub(super) fn with_capacity(budget: &Budget, capacity: usize) -> Result<Self, OverBudget> {
        let mut buffer = Self::reserve(budget, capacity)?;
        buffer.items = Vec::with_capacity(capacity);
        Ok(buffer)
    }

    /// Creates a buffer of `len` copies of an item.
    pub(super) fn filled(budget: &Budget, item: T, len: usize) -> Result<Self, OverBudget>
    where
        T: Clone,
    {
        let mut buffer = Self::reserve(budget, len)?;
        buffer.items = vec![item; len];
        Ok(buffer)
    }

    /// Creates a buffer of `len` items, each computed from its index.
    pub(super) fn made(
        budget: &Budget,
        len: usize,
        item: impl FnMut(usize) -> T,
    ) -> Result<Self, OverBudget> {
        let mut buffer = Self::reserve(budget, len)?;
        buffer.items = (0..len).map(item).collect();
        Ok(buffer)
    }

    /// Charges items to the budget.
    pub(super) fn of_items(budget: &Budget, items: Vec<T>) -> Result<Self, OverBudget> {
        let mut buffer = Self::reserve(budget, items.capacity())?;
        buffer.items = items;
        Ok(buffer)
    }

    fn reserve(budget: &Budget, len: usize) -> Result<Self, OverBudget> {
        let held = len.saturating_mul(size_of::<T>());
        budget.take(held)?;
        Ok(Self { items: Vec::new(), held, budget: budget.clone() })
    }

    /// Makes room for `more` further items, charged to the budget.
    #[inline]
    pub(super) fn make_room(&mut self, more: usize) -> Result<(), OverBudget> {
        self.budget.make_room(&mut self.items, more, &mut self.held)
    }

    /// Appends an item to the vector.
    #[inline]
    pub(super) fn push(&mut self, item: T) -> Result<(), OverBudget> {
        self.make_room(1)?;
        self.items.push(item);
        Ok(())
    }

    /// Appends items to the vector.
    pub(super) fn extend_from_slice(&mut self, items: &[T]) -> Result<(), OverBudget>
    where
        T: Copy,
    {
        self.make_room(items.len())?;
        self.items.extend_from_slice(items);
        Ok(())
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.items.clear();
    }

    pub(super) fn budget(&self) -> Budget {
        self.budget.clone()
    }

    /// The vector, the number of its bytes in the budget, and the budget, for functions that grow the vector
    /// themselves.
    #[inline]
    pub(super) fn parts(&mut self) -> (&mut Vec<T>, &mut usize, &Budget) {
        (&mut self.items, &mut self.held, &self.budget)
    }

    /// Frees unused capacity.
    pub(super) fn shrink(&mut self) {
        let before = self.items.capacity();
        self.items.shrink_to_fit();
        let bytes = (before - self.items.capacity()) * size_of::<T>();
        self.budget.give_back(bytes);
        self.held -= bytes;
    }

    /// The items, which are no longer charged to the budget.
    pub(super) fn into_items(mut self) -> Vec<T> {
        std::mem::take(&mut self.items)
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        self.budget.give_back(self.held);
    }
}

impl<T> Deref for Buffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for Buffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_buffer_takes_goes_back_when_it_is_dropped() {
        let budget = Budget::new(1000);
        let buffer = Buffer::filled(&budget, 7u32, 100).unwrap();
        assert_eq!((buffer.len(), buffer[99], budget.held()), (100, 7, 400));
        assert_eq!(Buffer::filled(&budget, 0u64, 76).unwrap_err().needed, 1008);
        let mut grown = Buffer::new(&budget);
        (0..100).for_each(|item: u32| grown.push(item).unwrap());
        assert_eq!(grown.iter().sum::<u32>(), 4950);
        assert!(budget.held() >= 800);
        grown.shrink();
        assert_eq!(budget.held(), 800);
        assert_eq!(buffer.into_items().len(), 100);
        assert_eq!(budget.held(), 400);
        drop(grown);
        assert_eq!(budget.held(), 0);
    }
}
