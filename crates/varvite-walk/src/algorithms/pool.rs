//! [`Pool`]: memory for the threads of an algorithm, reused from one iteration to the next.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// A pool of items, one for each thread.
#[derive(Debug)]
pub(super) struct Pool<T>(Mutex<Vec<T>>);

/// An item of the pool, which is returned when this value is dropped.
#[derive(Debug)]
pub(super) struct PoolItem<'a, T> {
    pool: &'a Pool<T>,
    item: Option<T>,
}

impl<T> Pool<T> {
    pub(super) fn of(items: Vec<T>) -> Self {
        Self(Mutex::new(items))
    }

    /// Takes an item out of the pool.
    ///
    /// # Panics
    /// If there are more threads than items.
    pub(super) fn take(&self) -> PoolItem<'_, T> {
        let item = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        assert!(item.is_some(), "an item for each thread");
        PoolItem { pool: self, item }
    }
}

impl<T> Drop for PoolItem<'_, T> {
    fn drop(&mut self) {
        self.pool.0.lock().unwrap_or_else(PoisonError::into_inner).extend(self.item.take());
    }
}

impl<T> Deref for PoolItem<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.item.as_ref().expect("there until it is dropped")
    }
}

impl<T> DerefMut for PoolItem<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.item.as_mut().expect("there until it is dropped")
    }
}
