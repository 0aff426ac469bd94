//! [`Lazy`]: a value of an open graph that is computed on first use and kept for later readers.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Result;

/// A value of an open graph, computed on first use and shared by its readers.
#[derive(Debug)]
pub(crate) struct Lazy<T>(Mutex<Option<Arc<T>>>);

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> Lazy<T> {
    /// Returns the value, and computes it with `make` if this is its first use.
    pub(crate) fn get(&self, make: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*known {
            return Ok(Arc::clone(known));
        }
        Ok(Arc::clone(known.insert(Arc::new(make()?))))
    }

    /// Drops the value, unless a reader holds it.
    pub(crate) fn release(&self) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.take_if(|known| Arc::strong_count(known) == 1);
    }
}
