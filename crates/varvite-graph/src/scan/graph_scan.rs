//! [`GraphScan`]: a scan of a whole graph, with limits on memory, on text bytes and on decoded bytes.
//!
//! A file may claim a thousand values for each of its bytes, and its texts may overlap, so a scan may read
//! far more bytes than the file has. Memory that grows with the graph is charged to a budget before it is
//! allocated, and is counted in the ledger beside the decoded columns. Bytes of texts and of decoded blocks
//! are counted, and the scan fails if a count exceeds the largest one that a valid file can reach. The
//! threads of a scan share the budget and the counts.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use varvite_store::{AccountId, Cancel, Charge, MemoryState, StoreError, Task};

use crate::budget::{Budget, Reserved};
use crate::cursor::texts::{TextAllowance, Texts};
use crate::error::Result;
use crate::graph::Graph;

/// A scan may decode this many bytes for each byte of the file, or `DECODED_FREE` bytes if that is more.
const DECODED_OF_BYTE: u64 = 1024;
/// The number of bytes that a scan may decode in a file of any size.
const DECODED_FREE: u64 = 4 << 30;

/// A scan of a whole graph, and its limits.
#[derive(Debug)]
pub struct GraphScan<'g> {
    #[doc(hidden)]
    pub graph: &'g Graph,
    budget: Budget,
    /// The charge for data that is kept until the scan ends ([`GraphScan::keep`]).
    kept: Mutex<Charge>,
    texts: TextAllowance,
    decoded_max: u64,
    cancel: Cancel,
}

impl<'g> GraphScan<'g> {
    /// Begins a scan within the graph's memory limit or, if the graph has none, within the default limit of
    /// operations ([`Budget::default_bytes`]).
    pub fn new(graph: &'g Graph) -> Self {
        Self::of(graph, &Task::new())
    }

    /// The same as [`GraphScan::new`], as part of a task: the scan ends if the task is cancelled, and stays
    /// within the task's memory limit, if it has one.
    pub fn of(graph: &'g Graph, task: &Task<'_>) -> Self {
        let limit = match graph.store().memory_max() {
            u64::MAX => task.memory_bytes(),
            limit => {
                usize::try_from(limit).unwrap_or(usize::MAX).min(task.memory_limit().unwrap_or(usize::MAX))
            }
        };
        let file_len = graph.store().file_len();
        let decoded = file_len.saturating_mul(DECODED_OF_BYTE).max(DECODED_FREE);
        Self {
            graph,
            budget: Budget::new(limit),
            kept: Mutex::new(graph.ledger().charge(AccountId::ENGINE, MemoryState::Scratch, 0)),
            texts: Texts::allowance_of(file_len),
            decoded_max: graph.store().decoded_bytes().saturating_add(decoded),
            cancel: task.flag().clone(),
        }
    }

    /// The graph that the scan reads.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// Fails if the scan was cancelled.
    ///
    /// # Errors
    /// [`GraphError::Cancelled`](crate::GraphError::Cancelled).
    #[inline]
    pub fn check(&self) -> Result<()> {
        Ok(self.cancel.check()?)
    }

    /// The flag that cancels the scan.
    #[doc(hidden)]
    #[inline]
    pub fn flag(&self) -> &Cancel {
        &self.cancel
    }

    /// Charges `bytes` bytes until the result is dropped.
    #[doc(hidden)]
    #[inline]
    pub fn scratch(&self, bytes: usize) -> Result<Scratch<'_>> {
        let charge = self.graph.ledger().charge(AccountId::ENGINE, MemoryState::Scratch, 0);
        let mut scratch = Scratch { graph_scan: self, reserved: self.budget.reserve(0)?, charge };
        scratch.resize(bytes)?;
        Ok(scratch)
    }

    /// Charges `bytes` bytes until the scan ends.
    #[doc(hidden)]
    #[inline]
    pub fn keep(&self, bytes: usize) -> Result<()> {
        self.budget.take(bytes)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let sum = kept.bytes() + bytes as u64;
        kept.resize(sum);
        drop(kept);
        Ok(self.graph.store().check_memory()?)
    }

    /// Adds the length of a text that was read to the scan's count of text bytes.
    ///
    /// # Errors
    /// Damage: more bytes of texts were read, or more bytes decoded, than is possible in a valid file of this
    /// length.
    #[inline]
    pub fn add_text(&self, text: &[u8]) -> Result<()> {
        if self.texts.take(text.len()) && self.graph.store().decoded_bytes() <= self.decoded_max {
            return Ok(());
        }
        Err(self.graph.store().damaged(self.texts.error()).into())
    }
}

/// Memory that is charged to a scan while this value exists.
#[derive(Debug)]
pub struct Scratch<'p> {
    graph_scan: &'p GraphScan<'p>,
    reserved: Reserved,
    charge: Charge,
}

impl Scratch<'_> {
    /// Changes the charge to `bytes` bytes.
    #[doc(hidden)]
    #[inline]
    pub fn resize(&mut self, bytes: usize) -> Result<()> {
        self.reserved.resize(bytes)?;
        self.charge.resize(bytes as u64);
        Ok(self.graph_scan.graph.store().check_memory()?)
    }
}

/// A vector whose memory is charged before it is allocated.
#[derive(Debug)]
pub struct ScratchVec<'p, T> {
    items: Vec<T>,
    scratch: Scratch<'p>,
}

impl<'p, T> ScratchVec<'p, T> {
    /// An empty vector without capacity.
    ///
    /// # Errors
    /// [`GraphError::Store`](crate::GraphError::Store): the graph's memory limit is reached.
    pub fn new(graph_scan: &'p GraphScan<'_>) -> Result<Self> {
        Ok(Self { items: Vec::new(), scratch: graph_scan.scratch(0)? })
    }

    /// An empty vector with room for `capacity` items.
    ///
    /// # Errors
    /// The memory exceeds the budget of the scan ([`GraphError::OverBudget`](crate::GraphError::OverBudget)),
    /// or the operating system has no memory left.
    pub fn with_capacity(graph_scan: &'p GraphScan<'_>, capacity: usize) -> Result<Self> {
        let mut vector = Self::new(graph_scan)?;
        vector.grow_to(capacity)?;
        Ok(vector)
    }

    /// A vector of `len` equal items.
    ///
    /// # Errors
    /// The errors of [`ScratchVec::with_capacity`].
    pub fn filled(graph_scan: &'p GraphScan<'_>, item: T, len: usize) -> Result<Self>
    where
        T: Clone,
    {
        let mut vector = Self::with_capacity(graph_scan, len)?;
        vector.items.resize(len, item);
        Ok(vector)
    }

    /// Appends an item.
    ///
    /// # Errors
    /// The errors of [`ScratchVec::with_capacity`].
    #[inline]
    pub fn push(&mut self, item: T) -> Result<()> {
        if self.items.len() == self.items.capacity() {
            self.grow_to((2 * self.items.len()).max(64))?;
        }
        self.items.push(item);
        Ok(())
    }

    /// Removes and returns the last item.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }

    /// Removes all items and keeps their memory.
    #[inline]
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// Removes the items for which `is_kept` is false.
    pub fn retain(&mut self, is_kept: impl FnMut(&T) -> bool) {
        self.items.retain(is_kept);
    }

    #[cold]
    fn grow_to(&mut self, capacity: usize) -> Result<()> {
        let size = size_of::<T>();
        // The old buffer and the new buffer exist together while items are copied.
        self.scratch.resize((self.items.capacity() + capacity).saturating_mul(size))?;
        let bytes = capacity.saturating_mul(size);
        let no_memory = |_| StoreError::OutOfMemory { bytes: bytes as u64 };
        self.items.try_reserve_exact(capacity - self.items.len()).map_err(no_memory)?;
        self.scratch.resize(bytes)
    }
}

impl<T> Deref for ScratchVec<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for ScratchVec<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}
