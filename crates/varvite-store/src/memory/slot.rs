//! [`Slot`]: the cache of one segment or block: empty, or bytes that readers pin.
//!
//! While a pin of them lives, the bytes are pinned in the ledger and stay in the slot. Unpinned bytes may be
//! given back at any time: the next reader loads them again. The slot itself depends neither on budgets nor
//! on files.

use std::ops::Range;
use std::sync::{Arc, PoisonError, TryLockError, Weak};

use crate::error::Result;
use crate::memory::ledger::{Account, Charge, MemoryState};
use crate::memory::mapping::{Advice, Mapping};
use crate::memory::pinned::{CachePin, Pinned};
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering};

/// A place for bytes.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    /// In a box, as most segments of most graphs are never read.
    kept: Mutex<Option<Box<CachedBytes>>>,
    /// Other than 0 if the bytes were read since the last look. A whole word: with a byte and padding, each
    /// slot of a new table waits for a byte that was just stored to be loaded as a part of a word.
    uses: AtomicU64,
}

/// Bytes in a slot.
#[derive(Debug)]
struct CachedBytes {
    bytes: Pinned,
    /// Their place in a map; none for a buffer, which carries its own charge.
    mapped: Option<MappedPart>,
    account: Account,
    pin: Weak<CachePin>,
}

/// A part of a map, in the ledger.
#[derive(Debug)]
pub(crate) struct MappedPart {
    pub(crate) mapping: Arc<Mapping>,
    pub(crate) range: Range<usize>,
    pub(crate) _charge: Charge,
}

/// Bytes on their way into a slot.
pub(crate) struct Loaded {
    pub(crate) bytes: Pinned,
    pub(crate) mapped: Option<MappedPart>,
    pub(crate) account: Account,
}

impl Slot {
    /// The approximate overhead of a full slot: its fields, its account, and a place in a cache.
    pub(crate) const FULL_BYTES: usize = size_of::<CachedBytes>() + 120;

    /// A pin of the bytes, loaded now if there are none; true if they were.
    pub(crate) fn lend(&self, load: impl FnOnce() -> Result<Loaded>) -> Result<(Pinned, bool)> {
        let mut kept = self.lock();
        let is_new = kept.is_none();
        if is_new {
            let Loaded { bytes, mapped, account } = load()?;
            *kept = Some(Box::new(CachedBytes { bytes, mapped, account, pin: Weak::new() }));
        }
        self.uses.store(1, Ordering::Relaxed);
        let kept = kept.as_mut().expect("filled above");
        Ok((kept.lend(), is_new))
    }

    /// Whether there are bytes now.
    pub(crate) fn is_full(&self) -> bool {
        self.lock().is_some()
    }

    /// Whether the bytes were read since the last call.
    pub(crate) fn was_used(&self) -> bool {
        self.uses.swap(0, Ordering::Relaxed) != 0
    }

    /// Gives the bytes back, unless a reader has them or is loading them. True if the slot is empty now.
    pub(crate) fn give_back(&self) -> bool {
        let mut kept = match self.kept.try_lock() {
            Ok(kept) => kept,
            Err(TryLockError::Poisoned(poison)) => poison.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        if kept.as_ref().is_some_and(|kept| kept.pin.strong_count() > 0) {
            return false;
        }
        if let Some(MappedPart { mapping, range, .. }) = kept.take().and_then(|kept| kept.mapped) {
            // Dropping pages of a map is advice: if the system declines, memory stays used, and nothing is
            // wrong.
            let _ = mapping.advise(range, Advice::DontNeed);
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Option<Box<CachedBytes>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CachedBytes {
    fn lend(&mut self) -> Pinned {
        let pin = self.pin.upgrade().unwrap_or_else(|| {
            let charge = self.account.charge(MemoryState::Pinned, self.bytes.len() as u64);
            Arc::new(CachePin::new(self.bytes.clone(), charge))
        });
        self.pin = Arc::downgrade(&pin);
        Pinned::from(pin)
    }
}
