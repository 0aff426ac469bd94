//! [`SharedBudget`]: a limit on the memory that several open files hold together.
//!
//! A budget is created once and passed to the opening of each file. The files share one cache of buffers,
//! which frees the least recently used buffers of all files first. The heap bytes of all files are summed,
//! and a call that would exceed the budget fails. Pages of maps may use the rest of the budget; the thread of
//! `memory_watch` gives pages beyond that back.

use std::sync::Arc;

use crate::error::{Result, StoreError};
use crate::memory::buffers::Buffers;
use crate::memory::ledger::{BookkeepingBytes, Ledger};
use crate::memory::memory_watch::{BudgetScope, MemoryWatch, Scope, Watched, WatchedFile};

/// Cached buffers get at most the budget divided by this number. If queries hold much memory, the watch
/// leaves less to buffers.
pub(crate) const KEPT_SHARE: u64 = 2;
/// The part of a budget that files may hold before unused buffers are freed. The rest is for pages of maps.
const HELD: (u64, u64) = (3, 4);

/// A limit on the memory that open files hold together: decoded columns, cached results, tables, and pages of
/// their maps. Clones are handles of the same budget; any thread may call all methods.
///
/// Other memory of the program is not counted. The budget exists while any of its handles or files exists.
#[derive(Clone, Debug)]
pub struct SharedBudget {
    limit: u64,
    scope: Arc<BudgetScope>,
    buffers: Arc<Buffers>,
}

impl SharedBudget {
    /// A budget of `bytes` bytes. At most half of it is used for cached buffers; less if files hold more than
    /// a quarter of the budget apart from these buffers.
    pub fn new(bytes: u64) -> Self {
        Self { limit: bytes, scope: Arc::default(), buffers: Arc::new(Buffers::new(bytes / KEPT_SHARE)) }
    }

    /// The limit in bytes.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The number of bytes of private memory that the files hold now: buffers, tables, working memory, and
    /// the bookkeeping for all these. Pages of maps are not included.
    pub fn held(&self) -> u64 {
        self.scope.held.bytes()
    }

    /// The number of bytes in cached buffers now, including those that readers hold.
    pub fn kept(&self) -> u64 {
        self.buffers.bytes()
    }

    /// The counts so far of the watch of these files. They are zero if the system does not report the memory
    /// of the process, because the watch then gives no pages back.
    pub fn watched(&self) -> Watched {
        self.scope.counts.watched(self.limit)
    }

    /// A new ledger for another file of the budget.
    pub(crate) fn ledger(&self) -> Ledger {
        Ledger::with(Some(Arc::clone(&self.scope.held)))
    }

    /// Adds the bytes of another file's accounts to the budget.
    pub(crate) fn keep_books(&self, bytes: u64) -> BookkeepingBytes {
        BookkeepingBytes::add(&self.scope.held, bytes)
    }

    /// The buffers that all files of the budget share.
    pub(crate) fn buffers(&self) -> &Arc<Buffers> {
        &self.buffers
    }

    /// Adds a file of this budget to the watch.
    pub(crate) fn watch(&self, file: WatchedFile) -> Option<MemoryWatch> {
        MemoryWatch::start(file, &Scope::Budget(Arc::clone(&self.scope)), self.limit)
    }

    /// Frees buffers that take memory meant for pages, beginning with the least recently used. Costs one load
    /// if nothing has to be freed.
    pub(crate) fn make_room(&self) {
        if let excess @ 1.. = self.held().saturating_sub(self.limit / HELD.1 * HELD.0) {
            self.buffers.give_back(excess);
        }
    }

    /// Fails if the heap bytes of the files exceed the budget even after unused buffers were freed.
    pub(crate) fn check(&self) -> Result<()> {
        self.make_room();
        match self.held() {
            needed if needed > self.limit => Err(StoreError::OverBudget { limit: self.limit, needed }),
            _ => Ok(()),
        }
    }
}
