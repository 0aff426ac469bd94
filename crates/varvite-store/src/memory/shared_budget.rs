//! [`SharedBudget`]: the memory that several open files may have together.
//!
//! A budget is made once and passed to the opening of each file. Files share the cached buffers; the least
//! recently used of all files go first. The heap bytes of files are added up, and a call that would exceed
//! the budget gets an error. Pages of maps give way to both: the thread of `memory_watch` gives them back.

use std::sync::Arc;

use crate::error::{Result, StoreError};
use crate::memory::buffers::Buffers;
use crate::memory::ledger::{BookkeepingBytes, Ledger};
use crate::memory::memory_watch::{BudgetScope, MemoryWatch, Scope, Watched, WatchedFile};

/// The largest share of a budget for cached buffers, which come on top of the memory of queries: the watch
/// lowers it if those hold much.
pub(crate) const KEPT_SHARE: u64 = 2;
/// Buffers give way before files hold more than this part of a budget: the rest is for pages of maps.
const HELD: (u64, u64) = (3, 4);

/// The memory that open files may have together: decoded columns, kept results, tables, and pages of their
/// maps. Clones are handles of the same budget; all methods may be called from any thread.
///
/// Memory that the program has beside the files does not count. The budget stays as long as a handle or a
/// file of it does.
#[derive(Clone, Debug)]
pub struct SharedBudget {
    limit: u64,
    scope: Arc<BudgetScope>,
    buffers: Arc<Buffers>,
}

impl SharedBudget {
    /// A budget of so many bytes. Half of it may be kept for later readers, or less where files hold more
    /// than a quarter beside that.
    pub fn new(bytes: u64) -> Self {
        Self { limit: bytes, scope: Arc::default(), buffers: Arc::new(Buffers::new(bytes / KEPT_SHARE)) }
    }

    /// Most bytes that the files may have together.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes that the files hold of private memory now: buffers, tables, working memory, and the accounts of
    /// all that. Pages of their maps are not among them.
    pub fn held(&self) -> u64 {
        self.scope.held.bytes()
    }

    /// Bytes of buffers that are kept for later readers now, those that readers hold included.
    pub fn kept(&self) -> u64 {
        self.buffers.bytes()
    }

    /// Counts and actions of the watch of these files so far. Zeros where the system does not report the
    /// memory of the process: there pages are left to the system.
    pub fn watched(&self) -> Watched {
        self.scope.counts.watched(self.limit)
    }

    /// The ledger of one more file.
    pub(crate) fn ledger(&self) -> Ledger {
        Ledger::with(Some(Arc::clone(&self.scope.held)))
    }

    /// Bytes for the account of one more file.
    pub(crate) fn keep_books(&self, bytes: u64) -> BookkeepingBytes {
        BookkeepingBytes::add(&self.scope.held, bytes)
    }

    /// The buffers of all its files.
    pub(crate) fn buffers(&self) -> &Arc<Buffers> {
        &self.buffers
    }

    /// Watches one more file.
    pub(crate) fn watch(&self, file: WatchedFile) -> Option<MemoryWatch> {
        MemoryWatch::start(file, &Scope::Budget(Arc::clone(&self.scope)), self.limit)
    }

    /// Gives back buffers that are in the way of pages, the least recently used first. Costs a load where
    /// none is.
    pub(crate) fn make_room(&self) {
        if let excess @ 1.. = self.held().saturating_sub(self.limit / HELD.1 * HELD.0) {
            self.buffers.give_back(excess);
        }
    }

    /// Passes if the bytes of the files are within the budget, if necessary after unused ones are given back.
    pub(crate) fn check(&self) -> Result<()> {
        self.make_room();
        match self.held() {
            needed if needed > self.limit => Err(StoreError::OverBudget { limit: self.limit, needed }),
            _ => Ok(()),
        }
    }
}
