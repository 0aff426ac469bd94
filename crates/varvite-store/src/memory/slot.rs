//! [`Slot`]: the cache entry of one segment or block: empty, or bytes that readers can pin.
//!
//! While a reader has a pin, the bytes are pinned in the ledger and stay in the slot. Unpinned bytes may be
//! freed at any time: the next reader loads them again. The slot itself depends neither on budgets nor on
//! files.

use std::ops::Range;
use std::sync::{Arc, PoisonError, TryLockError, Weak};

use crate::error::Result;
use crate::memory::ledger::{Account, Charge, MemoryState};
use crate::memory::mapping::{Advice, Mapping};
use crate::memory::pinned::{CachePin, Pinned};
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering};

/// A cache entry: empty, or the bytes of one segment or block.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    /// The bytes are in a box to keep empty slots small, because most segments of most graphs are never read.
    kept: Mutex<Option<Box<CachedBytes>>>,
    /// Not 0 if the bytes were read since the last call of [`Slot::was_used`]. This is a whole word instead
    /// of a byte and padding, which would slow down the initialization of a table of slots: each byte would
    /// be stored, and then loaded as part of a word.
    uses: AtomicU64,
}

/// The bytes in a slot.
#[derive(Debug)]
struct CachedBytes {
    bytes: Pinned,
    /// The range of the bytes in a map; `None` for a buffer, which has its own charge.
    mapped: Option<MappedPart>,
    account: Account,
    pin: Weak<CachePin>,
}

/// A range of a map, with its charge in the ledger.
#[derive(Debug)]
pub(crate) struct MappedPart {
    pub(crate) mapping: Arc<Mapping>,
    pub(crate) range: Range<usize>,
    pub(crate) _charge: Charge,
}

/// Loaded bytes that will be put into a slot.
pub(crate) struct Loaded {
    pub(crate) bytes: Pinned,
    pub(crate) mapped: Option<MappedPart>,
    pub(crate) account: Account,
}

impl Slot {
    /// The approximate overhead of a full slot in bytes: its fields, its account, and its entry in a cache.
    pub(crate) const FULL_BYTES: usize = size_of::<CachedBytes>() + 120;

    /// Pins the bytes, and calls `load` first if the slot is empty. Returns the pin, and whether the bytes
    /// were loaded by this call.
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

    /// Whether the slot holds bytes now.
    pub(crate) fn is_full(&self) -> bool {
        self.lock().is_some()
    }

    /// Whether the bytes were read since the last call.
    pub(crate) fn was_used(&self) -> bool {
        self.uses.swap(0, Ordering::Relaxed) != 0
    }

    /// Frees the bytes, unless a reader pins them or is loading them. Returns whether the slot is empty now.
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
            // The call is only advice. If the system does not follow it, the memory stays in use, which is
            // not an error.
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
