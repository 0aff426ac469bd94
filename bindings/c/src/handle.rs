//! Handles: C holds an opaque number in a pointer type, and this module finds the object that has this
//! number.
//!
//! A handle is never dereferenced, so a stale, foreign or invented handle causes an error and never a crash.
//! The lower half of a handle is the number of a slot, its upper half the generation of that slot, which
//! changes with each release; only after 2^32 objects in one slot could an old handle name a new object. Each
//! slot has its own lock: calls hold it shared, and the last release waits for these calls. A lookup costs
//! two atomic operations on memory that all users of the handle share; threads that make many calls are
//! faster if each has its own handle.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock, RwLockWriteGuard};

use crate::argument::Argument;
use crate::c_type::{CType, join};
use crate::failure::Failure;

/// A kind of object that C may hold by a handle.
pub(crate) trait Kind: Sized + Send + Sync + 'static {
    /// The name of this kind in error messages.
    const NAME: &'static str;
    /// The phrase for this kind in error messages about a handle of the wrong kind.
    const FOUND: &'static str;
    /// The handle's type in C.
    #[cfg_attr(not(test), allow(dead_code))] // Used only by the test of the header.
    const C: &'static str;

    /// The graph that calls read through this object; each call fails if it meets damage in that graph.
    /// `None` for a kind without a graph.
    const GRAPH: Option<fn(&Self) -> &varvite::Graph>;
}

/// An object of any kind, as the table of handles stores it.
trait Object: Any + Send + Sync {
    fn found(&self) -> &'static str;
}

impl<K: Kind> Object for K {
    fn found(&self) -> &'static str {
        K::FOUND
    }
}

/// A handle argument for calls that read: a `const` pointer in C, usable by several threads at once.
#[repr(transparent)]
pub(crate) struct Handle<K>(usize, PhantomData<fn() -> K>);

/// A handle argument for calls that change, retain or release the object, or a new handle with one holder.
#[repr(transparent)]
pub(crate) struct Counted<K>(usize, PhantomData<fn() -> K>);

impl<K> Clone for Counted<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Counted<K> {}

impl<K> fmt::Debug for Counted<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Counted").field(&self.0).finish()
    }
}

impl<K: Kind> Argument for Handle<K> {
    type Checked = Named<K>;

    fn check(self, name: &'static str) -> Result<Named<K>, Failure> {
        Ok(Named { handle: self.0, argument: name, kind: PhantomData })
    }
}

impl<K: Kind> Argument for Counted<K> {
    type Checked = Named<K>;

    fn check(self, name: &'static str) -> Result<Named<K>, Failure> {
        Handle(self.0, PhantomData).check(name)
    }
}

impl<K: Kind> CType for Handle<K> {
    fn declare(name: &str) -> String {
        join(&format!("const {} *", K::C), name)
    }
}

impl<K: Kind> CType for Counted<K> {
    fn declare(name: &str) -> String {
        join(&format!("{} *", K::C), name)
    }
}

/// A handle with the argument's name for error messages.
pub(crate) struct Named<K> {
    handle: usize,
    argument: &'static str,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind> Named<K> {
    /// Whether the caller passed null.
    pub(crate) fn is_null(&self) -> bool {
        self.handle == 0
    }

    /// Whether this argument and `other` are the same handle.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.handle == other.handle
    }

    /// Calls `read` with the object of the handle. No thread can release the handle while `read` runs, so
    /// `read` should be short.
    pub(crate) fn read<R>(&self, read: impl FnOnce(&K) -> Result<R, Failure>) -> Result<R, Failure> {
        let slot = self.slot()?;
        let entry = slot.read().unwrap_or_else(PoisonError::into_inner);
        let object = self.object(&entry)?;
        match K::GRAPH {
            Some(graph) => graph(object).watch(|| read(object))?,
            None => read(object),
        }
    }

    /// Calls `change` with mutable access to the object. Other calls with this handle wait until `change`
    /// returns.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut K) -> Result<R, Failure>) -> Result<R, Failure> {
        let mut entry = self.slot()?.write().unwrap_or_else(PoisonError::into_inner);
        self.object(&entry)?;
        let object = entry.object.as_deref_mut().map(|object| object as &mut dyn Any);
        let object = object.and_then(|object| object.downcast_mut());
        change(object.expect("the line above found one of this kind"))
    }

    /// Ends the handle and returns its object, unless `may_end` returns an error.
    pub(crate) fn take(&self, may_end: impl FnOnce(&K) -> Result<(), Failure>) -> Result<K, Failure> {
        let entry = self.slot()?.write().unwrap_or_else(PoisonError::into_inner);
        may_end(self.object(&entry)?)?;
        let object = self.end(entry).map(|object| object as Box<dyn Any>);
        let object = object.and_then(|object| object.downcast().ok());
        Ok(*object.expect("the line above found one of this kind"))
    }

    /// Adds a holder.
    pub(crate) fn retain(&self) -> Result<(), Failure> {
        let mut entry = self.slot()?.write().unwrap_or_else(PoisonError::into_inner);
        self.object(&entry)?;
        entry.holders = entry.holders.saturating_add(1);
        Ok(())
    }

    /// Removes a holder; removing the last one ends the handle. Does nothing for null.
    pub(crate) fn release(&self) -> Result<(), Failure> {
        if self.is_null() {
            return Ok(());
        }
        let mut entry = self.slot()?.write().unwrap_or_else(PoisonError::into_inner);
        self.object(&entry)?;
        entry.holders -= 1;
        if entry.holders > 0 {
            return Ok(());
        }
        // Dropping a pin or a graph may take a while, so it happens outside of the lock.
        drop(self.end(entry));
        Ok(())
    }

    /// Empties the slot and changes its generation, so that the handle is no longer valid.
    fn end(&self, mut entry: RwLockWriteGuard<'_, Entry>) -> Option<Box<dyn Object>> {
        let ended = entry.object.take();
        entry.generation = (entry.generation.wrapping_add(1) & half_max()).max(1);
        drop(entry);
        FREE.lock().unwrap_or_else(PoisonError::into_inner).push(self.handle & half_max());
        LIVE.fetch_sub(1, Ordering::Relaxed);
        ended
    }

    fn slot(&self) -> Result<&'static RwLock<Entry>, Failure> {
        if self.is_null() {
            return Err(Failure::Null { argument: self.argument });
        }
        slot_at(self.handle & half_max()).ok_or_else(|| self.failure("it was never issued"))
    }

    fn object<'e>(&self, entry: &'e Entry) -> Result<&'e K, Failure> {
        let object = entry.object.as_deref().filter(|_| entry.generation == self.handle >> HALF);
        let object = object.ok_or_else(|| self.failure("it was released, or never issued"))?;
        (object as &dyn Any).downcast_ref().ok_or_else(|| self.failure(object.found()))
    }

    fn failure(&self, found: &'static str) -> Failure {
        Failure::Handle { argument: self.argument, expected: K::NAME, found }
    }
}

impl<K: Kind> Counted<K> {
    /// The null handle.
    pub(crate) const NULL: Self = Self(0, PhantomData);

    /// A new handle for `object`, with one holder.
    pub(crate) fn new(object: K) -> Self {
        Self::new_boxed(Box::new(object))
    }

    /// The same as [`Counted::new`], for an object that must not move.
    pub(crate) fn new_boxed(object: Box<K>) -> Self {
        let number = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let number = number.unwrap_or_else(|| FRESH.fetch_add(1, Ordering::Relaxed) as usize);
        let mut entry = new_slot(number).write().unwrap_or_else(PoisonError::into_inner);
        entry.object = Some(object);
        entry.holders = 1;
        LIVE.fetch_add(1, Ordering::Relaxed);
        Self(entry.generation << HALF | number, PhantomData)
    }
}

/// The number of objects that C holds.
pub(crate) fn live() -> u64 {
    LIVE.load(Ordering::Relaxed)
}

struct Entry {
    generation: usize,
    holders: u64,
    object: Option<Box<dyn Object>>,
}

/// Half of the number of bits in a handle.
const HALF: u32 = usize::BITS / 2;

/// The largest slot number, and the largest generation.
const fn half_max() -> usize {
    (1 << HALF) - 1
}

/// The number of slots in the first chunk. Each further chunk has twice as many as the previous one. Chunks
/// never move.
const FIRST_CHUNK: usize = 64;

static CHUNKS: [OnceLock<Box<[RwLock<Entry>]>>; HALF as usize] = [const { OnceLock::new() }; HALF as usize];
static FREE: Mutex<Vec<usize>> = Mutex::new(Vec::new());
static FRESH: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicU64 = AtomicU64::new(0);

/// The chunk that holds a slot, and the slot's index in the chunk: chunk `c` begins at slot `64 * (2^c - 1)`.
fn place(number: usize) -> (usize, usize) {
    let chunk = (number / FIRST_CHUNK + 1).ilog2() as usize;
    (chunk, number - FIRST_CHUNK * ((1 << chunk) - 1))
}

fn slot_at(number: usize) -> Option<&'static RwLock<Entry>> {
    let (chunk, place) = place(number);
    CHUNKS.get(chunk)?.get()?.get(place)
}

fn new_slot(number: usize) -> &'static RwLock<Entry> {
    let (chunk, place) = place(number);
    let slots = CHUNKS[chunk].get_or_init(|| {
        let empty = || RwLock::new(Entry { generation: 1, holders: 0, object: None });
        std::iter::repeat_with(empty).take(FIRST_CHUNK << chunk).collect()
    });
    &slots[place]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_fill_chunk_after_chunk() {
        assert_eq!(place(0), (0, 0));
        assert_eq!(place(63), (0, 63));
        assert_eq!(place(64), (1, 0));
        assert_eq!(place(191), (1, 127));
        assert_eq!(place(192), (2, 0));
    }
}
