//! [`Budget`]: the memory that one operation may hold, for example a pipeline run, a search for paths or a
//! command on a whole graph.
//!
//! A budget only counts bytes; it allocates nothing. Before code allocates a buffer whose size grows with the
//! data, it charges the buffer's bytes to the budget, and fails if the budget has fewer bytes left. Bytes are
//! charged for whole buffers, not for rows. Small allocations (a batch, a stack, the allocator's own tables)
//! are not counted, so an operation may exceed its budget by their size. Tests check that the excess stays
//! below the larger of 4 MiB and a tenth of the budget.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use thiserror::Error;
use varvite_store::Task;

/// The memory that an operation may hold. Clones share one count of charged bytes, so that all threads of the
/// operation charge the same budget.
#[derive(Clone, Debug)]
pub struct Budget {
    limit: usize,
    held: Arc<ByteCounts>,
}

#[derive(Debug, Default)]
struct ByteCounts {
    now: AtomicUsize,
    most: AtomicUsize,
}

/// An operation would hold more than its [`Budget`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{needed} bytes of memory are needed, the budget is {limit}: raise the budget")]
pub struct OverBudget {
    /// The budget in bytes.
    pub limit: usize,
    /// The least number of bytes that the operation would hold.
    pub needed: usize,
}

/// Bytes charged to a [`Budget`]; dropping this value gives them back to the budget.
#[derive(Debug)]
#[must_use = "the bytes go back to the budget as soon as this is dropped"]
pub struct Reserved {
    budget: Budget,
    bytes: usize,
}

/// The least capacity, in items, of a buffer that is not empty.
const ITEMS_MIN: usize = 64;

impl Budget {
    /// A budget of `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, held: Arc::default() }
    }

    /// The budget, in bytes, of an operation for which no limit was set: a quarter of the memory that this
    /// process may use, as limited by the machine, the control group or `ulimit`; 1 GiB if the operating
    /// system does not report these limits. The limits are read once per process.
    pub fn default_bytes() -> usize {
        varvite_store::default_memory()
    }

    /// The budget of a task: its memory limit.
    pub fn of(task: &Task<'_>) -> Self {
        Self::new(task.memory_bytes())
    }

    /// The number of bytes that the operation may hold.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The number of bytes charged now.
    pub fn held(&self) -> usize {
        self.held.now.load(Ordering::Relaxed)
    }

    /// The largest number of bytes that were charged at one time.
    pub fn most(&self) -> usize {
        self.held.most.load(Ordering::Relaxed)
    }

    /// Charges `bytes` bytes to the budget.
    ///
    /// # Errors
    /// [`OverBudget`]; nothing was charged.
    pub fn take(&self, bytes: usize) -> Result<(), OverBudget> {
        let ByteCounts { now, most } = &*self.held;
        let add = |held: usize| held.checked_add(bytes).filter(|needed| *needed <= self.limit);
        match now.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add) {
            Ok(before) => {
                most.fetch_max(before + bytes, Ordering::Relaxed);
                Ok(())
            }
            Err(held) => Err(OverBudget { limit: self.limit, needed: held.saturating_add(bytes) }),
        }
    }

    /// Gives back `bytes` bytes that were charged.
    pub fn give_back(&self, bytes: usize) {
        self.held.now.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Changes a caller's charge from `held` bytes to `bytes` bytes, and sets `held` to `bytes`.
    ///
    /// # Errors
    /// [`OverBudget`]; `held` is unchanged.
    #[inline]
    pub fn hold(&self, held: &mut usize, bytes: usize) -> Result<(), OverBudget> {
        if bytes > *held {
            self.take(bytes - *held)?;
        } else if bytes < *held {
            self.give_back(*held - bytes);
        }
        *held = bytes;
        Ok(())
    }

    /// Makes room for `more` items in `items`. `held` is the number of bytes charged for all buffers of the
    /// caller; the growth of `items` is charged too, and added to it.
    ///
    /// # Errors
    /// [`OverBudget`]; the buffer is unchanged.
    #[inline]
    pub fn make_room<T>(&self, items: &mut Vec<T>, more: usize, held: &mut usize) -> Result<(), OverBudget> {
        if items.capacity() - items.len() >= more {
            return Ok(());
        }
        self.grow(items, more, held)
    }

    /// Doubles the capacity of a buffer, so that items are rarely moved. If the budget lacks the bytes for
    /// that, grows the buffer by an eighth.
    #[cold]
    fn grow<T>(&self, items: &mut Vec<T>, more: usize, held: &mut usize) -> Result<(), OverBudget> {
        let (before, least) = (items.capacity(), items.len().saturating_add(more));
        let grown = |share: usize| before.saturating_add(before / share).max(least);
        let bytes = |capacity: usize| (capacity - before).saturating_mul(size_of::<T>());
        let (double, little) = (grown(1).max(ITEMS_MIN), grown(8));
        let capacity = match self.take(bytes(double)) {
            Ok(()) => double,
            Err(_) => self.take(bytes(little)).map(|()| little)?,
        };
        *held += bytes(capacity);
        items.reserve_exact(capacity - items.len());
        Ok(())
    }

    /// Empties and frees a buffer, and gives its bytes back to the budget.
    #[doc(hidden)]
    #[inline]
    pub fn give_back_items<T>(&self, items: &mut Vec<T>, held: &mut usize) {
        let bytes = size_of::<T>() * std::mem::take(items).capacity();
        self.give_back(bytes);
        *held -= bytes;
    }

    /// Charges `bytes` bytes until the result is dropped.
    ///
    /// # Errors
    /// [`OverBudget`]; nothing was charged.
    pub fn reserve(&self, bytes: usize) -> Result<Reserved, OverBudget> {
        self.take(bytes)?;
        Ok(Reserved { budget: self.clone(), bytes })
    }
}

impl Default for Budget {
    /// A budget of [`Budget::default_bytes`] bytes.
    fn default() -> Self {
        Self::new(Self::default_bytes())
    }
}

impl Reserved {
    /// A reservation of 0 bytes, which can grow within the budget.
    pub fn nothing_of(budget: &Budget) -> Self {
        Self { budget: budget.clone(), bytes: 0 }
    }

    /// Charges `bytes` bytes more.
    ///
    /// # Errors
    /// [`OverBudget`]; the reservation is unchanged.
    pub fn take(&mut self, bytes: usize) -> Result<(), OverBudget> {
        self.budget.take(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Gives back `bytes` of the reserved bytes.
    #[doc(hidden)]
    pub fn give_back(&mut self, bytes: usize) {
        self.budget.give_back(bytes);
        self.bytes -= bytes;
    }

    /// Makes room for `more` items in a buffer, and charges the bytes by which the buffer grows.
    ///
    /// # Errors
    /// [`OverBudget`]; the buffer is unchanged.
    #[doc(hidden)]
    #[inline]
    pub fn make_room<T>(&mut self, items: &mut Vec<T>, more: usize) -> Result<(), OverBudget> {
        self.budget.make_room(items, more, &mut self.bytes)
    }

    /// The number of bytes charged.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Changes the reservation to `bytes` bytes.
    ///
    /// # Errors
    /// [`OverBudget`]; the reservation is unchanged.
    pub fn resize(&mut self, bytes: usize) -> Result<(), OverBudget> {
        self.budget.hold(&mut self.bytes, bytes)
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_the_limit_is_not_taken() {
        let budget = Budget::new(100);
        budget.take(60).unwrap();
        assert_eq!(budget.take(41), Err(OverBudget { limit: 100, needed: 101 }));
        assert_eq!(budget.take(usize::MAX), Err(OverBudget { limit: 100, needed: usize::MAX }));
        assert_eq!((budget.held(), budget.most()), (60, 60));
        budget.take(40).unwrap();
    }

    #[test]
    fn what_was_reserved_goes_back_when_it_is_dropped() {
        let budget = Budget::new(100);
        let mut reserved = budget.reserve(10).unwrap();
        reserved.resize(90).unwrap();
        reserved.resize(101).unwrap_err();
        assert_eq!((reserved.bytes(), budget.held()), (90, 90));
        drop(reserved);
        assert_eq!((budget.held(), budget.most()), (0, 90));
    }

    #[test]
    fn clones_share_what_is_held() {
        let budget = Budget::new(100);
        budget.clone().take(70).unwrap();
        budget.take(31).unwrap_err();
    }

    #[test]
    fn a_buffer_grows_only_within_the_budget() {
        let (budget, mut held) = (Budget::new(1000 * size_of::<u64>()), 0);
        let mut items: Vec<u64> = Vec::new();
        let full = loop {
            match budget.make_room(&mut items, 1, &mut held) {
                Ok(()) => items.push(0),
                Err(full) => break full,
            }
            assert!(items.capacity() * size_of::<u64>() <= budget.limit());
            assert_eq!((held, budget.held()), (items.capacity() * size_of::<u64>(), held));
        };
        assert!(full.needed > full.limit);
        assert!(items.len() > 850, "{} of 1000 fit", items.len());
    }

    #[test]
    fn the_default_is_a_quarter_of_what_there_is() {
        let expected = varvite_store::usable_memory().map_or(1 << 30, |bytes| (bytes / 4) as usize);
        assert_eq!(Budget::default().limit(), expected);
    }
}
