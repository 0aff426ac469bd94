//! [`Known`]: what was found out once of an open graph, for all who ask later.

use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Result;

/// What is made when it is first asked for.
#[derive(Debug)]
pub(crate) struct Known<T>(Mutex<Option<Arc<T>>>);

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> Known<T> {
    /// What was made before, or is made now.
    pub(crate) fn get(&self, make: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*known {
            return Ok(Arc::clone(known));
        }
        Ok(Arc::clone(known.insert(Arc::new(make()?))))
    }

    /// Forgets it, unless a reader holds it.
    pub(crate) fn release(&self) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.take_if(|known| Arc::strong_count(known) == 1);
    }
}
