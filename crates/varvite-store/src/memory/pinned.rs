//! [`Pinned`]: read-only bytes together with their owner.
//!
//! The owner is a file map or a decoded buffer, behind an `Arc`; the slice is a plain pointer and length
//! beside it, so that reading a pinned column costs as much as reading a slice. The unsafe code depends on
//! three invariants: the bytes lie inside memory that the owner owns, the owner never moves or changes them
//! while any `Arc` of it lives, and no `&mut` to them exists.

use std::fmt;
use std::ops::{Deref, Range};
use std::slice;
use std::sync::Arc;

use crate::memory::aligned_bytes::AlignedBytes;
use crate::memory::ledger::Charge;
use crate::memory::mapping::Mapping;

/// Read-only bytes that stay valid while any clone or slice of this value exists. Cloning costs one atomic
/// increment.
///
/// # Example
/// A column may be dropped while a reader still holds a part of it:
/// ```
/// use varvite_store::{AlignedBytes, Pinned};
///
/// let mut buffer = AlignedBytes::zeroed(6)?;
/// buffer.as_mut_bytes().copy_from_slice(b"varves");
/// let column = Pinned::from(buffer);
/// let part = column.slice(0..5).expect("five of six bytes");
/// drop(column);
/// assert_eq!(&*part, b"varve");
/// # Ok::<(), varvite_store::StoreError>(())
/// ```
/// A plain slice can't outlive its pin:
/// ```compile_fail,E0597
/// let bytes: &[u8];
/// {
///     let pinned = varvite_store::Pinned::from_static(b"varves");
///     bytes = &pinned;
/// }
/// assert_eq!(bytes, b"varves");
/// ```
#[derive(Clone)]
pub struct Pinned {
    start: *const u8,
    length: usize,
    owner: Owner,
}

/// The owner that keeps the bytes alive.
#[derive(Clone)]
enum Owner {
    /// The program itself: the bytes are static.
    Static,
    /// A mapped file.
    Mapped(Arc<Mapping>),
    /// A buffer on the heap. It is immutable, since it was moved into the `Arc` and no `&mut` to it can
    /// exist.
    Decoded(Arc<AlignedBytes>),
    /// A pin of cached bytes.
    Cache(Arc<CachePin>),
}

/// Cached bytes that readers hold. The ledger counts them as pinned while this value lives.
pub(crate) struct CachePin {
    bytes: Pinned,
    _charge: Charge,
}

impl CachePin {
    pub(crate) fn new(bytes: Pinned, charge: Charge) -> CachePin {
        CachePin { bytes, _charge: charge }
    }
}

impl fmt::Debug for CachePin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes.fmt(formatter)
    }
}

// SAFETY: the bytes are only ever read, through a shared slice, which may be done from any thread; and the
// owners are `Send` and `Sync` themselves, which the compiler checks in `OWNERS_ARE_SHARED`.
unsafe impl Send for Pinned {}
// SAFETY: as for `Send`; there is no interior mutability behind `&Pinned`.
unsafe impl Sync for Pinned {}

const OWNERS_ARE_SHARED: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Owner>();
};
const _: fn() = OWNERS_ARE_SHARED;

impl Pinned {
    /// Makes a pin of static bytes, which need no owner.
    pub fn from_static(bytes: &'static [u8]) -> Pinned {
        Pinned { start: bytes.as_ptr(), length: bytes.len(), owner: Owner::Static }
    }

    /// The bytes of a range, with the same owner; `None` if the range is not inside these bytes.
    pub fn slice(&self, range: Range<usize>) -> Option<Pinned> {
        let bytes = self.get(range)?;
        Some(Pinned { start: bytes.as_ptr(), length: bytes.len(), owner: self.owner.clone() })
    }

    /// Whether the bytes belong to a mapped file.
    pub fn is_mapped(&self) -> bool {
        match &self.owner {
            Owner::Mapped(_) => true,
            Owner::Cache(pin) => pin.bytes.is_mapped(),
            Owner::Static | Owner::Decoded(_) => false,
        }
    }

    /// The number of clones and slices that share the owner now, this one included; 1 for static bytes, which
    /// are not counted.
    pub fn owner_count(&self) -> usize {
        match &self.owner {
            Owner::Static => 1,
            Owner::Mapped(mapping) => Arc::strong_count(mapping),
            Owner::Decoded(bytes) => Arc::strong_count(bytes),
            Owner::Cache(pin) => Arc::strong_count(pin),
        }
    }
}

impl From<Arc<Mapping>> for Pinned {
    /// Pins all bytes of a mapped file.
    fn from(mapping: Arc<Mapping>) -> Pinned {
        let bytes = mapping.bytes();
        Pinned { start: bytes.as_ptr(), length: bytes.len(), owner: Owner::Mapped(mapping) }
    }
}

impl From<AlignedBytes> for Pinned {
    /// Pins all bytes of a decoded buffer, which is freed with the last pin.
    fn from(bytes: AlignedBytes) -> Pinned {
        let owner = Arc::new(bytes);
        let bytes = owner.as_bytes();
        Pinned { start: bytes.as_ptr(), length: bytes.len(), owner: Owner::Decoded(owner) }
    }
}

impl From<Arc<CachePin>> for Pinned {
    /// Pins all bytes of `pin`.
    fn from(pin: Arc<CachePin>) -> Pinned {
        Pinned { start: pin.bytes.start, length: pin.bytes.length, owner: Owner::Cache(pin) }
    }
}

impl Deref for Pinned {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        // SAFETY: every constructor took `start` and `length` from a slice of the owner's bytes (or of static
        // ones, or from the pin that its owner holds), and fields are private. `self.owner` keeps a map
        // mapped and a buffer allocated at the same address, and nothing writes to either. The returned slice
        // borrows `self`, so it can't outlive the owner.
        unsafe { slice::from_raw_parts(self.start, self.length) }
    }
}

impl AsRef<[u8]> for Pinned {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Default for Pinned {
    /// A pin of no bytes.
    fn default() -> Pinned {
        Pinned::from_static(&[])
    }
}

impl fmt::Debug for Pinned {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let owner = match self.owner {
            Owner::Static => "static",
            Owner::Mapped(_) => "mapped",
            Owner::Decoded(_) => "decoded",
            Owner::Cache(_) => "cache",
        };
        formatter.debug_struct("Pinned").field("length", &self.length).field("owner", &owner).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting(length: usize) -> Pinned {
        let mut bytes = AlignedBytes::zeroed(length).unwrap();
        for (index, byte) in bytes.as_mut_bytes().iter_mut().enumerate() {
            *byte = index as u8;
        }
        Pinned::from(bytes)
    }

    #[test]
    fn a_slice_outlives_the_pin_it_came_from() {
        let whole = counting(11);
        let part = whole.slice(3..6).unwrap();
        let rest = part.slice(1..3).unwrap();
        drop((whole, part));
        assert_eq!(&*rest, &[4, 5]);
        assert_eq!(rest.owner_count(), 1);
    }

    #[test]
    fn a_range_outside_is_refused() {
        let pinned = counting(11);
        for range in [0..12, 12..12, 11..12, usize::MAX..usize::MAX] {
            assert!(pinned.slice(range).is_none());
        }
        #[allow(clippy::reversed_empty_ranges)]
        let reversed = 5..3;
        assert!(pinned.slice(reversed).is_none());
        assert!(pinned.slice(11..11).unwrap().is_empty());
    }

    #[test]
    fn pins_cross_threads() {
        let pinned = counting(100);
        let sums: Vec<u32> = std::thread::scope(|scope| {
            let sum = |pin: Pinned| pin.iter().map(|&byte| u32::from(byte)).sum();
            let threads: Vec<_> =
                (0..2).map(|_| pinned.clone()).map(|pin| scope.spawn(move || sum(pin))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(sums, [4950, 4950]);
        assert_eq!(pinned.owner_count(), 1);
    }

    #[test]
    fn an_empty_pin_needs_no_owner() {
        assert_eq!(Pinned::default().len(), 0);
        assert_eq!(counting(0).len(), 0);
    }

    #[cfg(not(miri))]
    #[test]
    fn mapped_bytes_outlive_the_file_handle() {
        use std::io::Write;
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"varves").unwrap();
        let pinned = Pinned::from(Arc::new(Mapping::of_file(&file).unwrap()));
        drop(file);
        assert!(pinned.is_mapped());
        assert_eq!(&*pinned.slice(0..5).unwrap(), b"varve");
    }
}
