//! [`Limits`]: the memory that reading may take.

use crate::ProfileError;

/// What reading a profile may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of the profile in memory; what needs more is an error.
    pub memory_bytes: usize,
}

impl Default for Limits {
    /// 1 GiB: some ten million distinct calls.
    fn default() -> Self {
        Self { memory_bytes: 1 << 30 }
    }
}

/// What is held of the limit.
#[derive(Debug)]
pub(crate) struct Held {
    bytes: usize,
    limit: usize,
}

impl Held {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { bytes: 0, limit: limits.memory_bytes }
    }

    /// Takes memory for more items of a vector before it grows.
    #[inline]
    pub(crate) fn make_room<T>(&mut self, items: &mut Vec<T>, more: usize) -> Result<(), ProfileError> {
        if items.capacity() - items.len() >= more {
            return Ok(());
        }
        let capacity = (items.capacity() * 2).max(items.len().saturating_add(more)).max(64);
        self.take((capacity - items.capacity()).saturating_mul(size_of::<T>()))?;
        items.reserve_exact(capacity - items.len());
        Ok(())
    }

    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), ProfileError> {
        let needed = self.bytes.saturating_add(bytes);
        if needed > self.limit {
            return Err(ProfileError::OverBudget { limit: self.limit });
        }
        self.bytes = needed;
        Ok(())
    }
}
