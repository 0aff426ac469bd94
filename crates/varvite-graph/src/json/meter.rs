//! [`Meter`]: counts the bytes of a growing JSON value, and charges them to a budget before they are
//! allocated.

use serde_json::Value as Json;

use crate::budget::{Budget, OverBudget, Reserved};

/// The bytes that a growing value holds, charged to a budget.
#[derive(Debug)]
pub struct Meter {
    used: usize,
    reserved: Reserved,
}

/// The number of bytes charged at a time, so that most values are added without an atomic operation.
const PACE: usize = 1 << 14;
/// The size, in bytes, of the smallest allocation, with the allocator's overhead.
const PIECE: usize = 32;
/// A node of a `BTreeMap`: its largest number of entries, its bytes, and the number of entries after a split.
const MAP_NODE_ENTRIES: usize = 11;
const MAP_NODE: usize = MAP_NODE_ENTRIES * (size_of::<String>() + size_of::<Json>()) + 128;
const MAP_NODE_HALF: usize = 5;

impl Meter {
    /// Creates a meter that has counted 0 bytes.
    ///
    /// # Errors
    /// Never, because no bytes are charged.
    pub fn new(budget: &Budget) -> Result<Self, OverBudget> {
        Ok(Self { used: 0, reserved: budget.reserve(0)? })
    }

    /// Adds `bytes` bytes.
    pub fn take(&mut self, bytes: usize) -> Result<(), OverBudget> {
        self.used = self.used.saturating_add(bytes);
        if self.used <= self.reserved.bytes() {
            return Ok(());
        }
        let ahead = self.used.saturating_add(PACE);
        self.reserved.resize(ahead).or_else(|_| self.reserved.resize(self.used))
    }

    /// Subtracts `bytes` bytes that are no longer used. The budget gets them back when the meter is dropped.
    pub fn give_back(&mut self, bytes: usize) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// Adds the allocation of a text of `bytes` bytes.
    pub fn take_text(&mut self, bytes: usize) -> Result<(), OverBudget> {
        self.take(piece(bytes))
    }

    /// Makes room for one more item in a list. If its buffer is full, adds the bytes of a buffer of twice the
    /// capacity.
    pub fn make_room<T>(&mut self, list: &mut Vec<T>) -> Result<(), OverBudget> {
        if list.len() < list.capacity() {
            return Ok(());
        }
        let (before, after) = (list.capacity(), (2 * list.capacity()).max(4));
        self.take(piece(after * size_of::<T>()))?;
        list.reserve_exact(after - before);
        if before > 0 {
            self.used -= piece(before * size_of::<T>());
        }
        Ok(())
    }

    /// Adds the bytes of one more entry in an object that has `entries` entries.
    pub fn take_entry(&mut self, entries: usize) -> Result<(), OverBudget> {
        if entries.is_multiple_of(MAP_NODE_HALF) { self.take(piece(MAP_NODE)) } else { Ok(()) }
    }

    /// The number of bytes in use.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Sets the number of bytes in use to `bytes`, and changes the charge to exactly this number.
    pub fn set(&mut self, bytes: usize) -> Result<(), OverBudget> {
        self.reserved.resize(bytes)?;
        self.used = bytes;
        Ok(())
    }
}

/// The bytes that the allocator takes for a buffer of `bytes` bytes.
fn piece(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { (bytes + 8).next_multiple_of(16).max(PIECE) }
}

/// The bytes that a value has on the heap.
pub fn bytes_of(json: &Json) -> usize {
    match json {
        Json::String(text) => piece(text.capacity()),
        Json::Array(list) => {
            piece(list.capacity() * size_of::<Json>()) + list.iter().map(bytes_of).sum::<usize>()
        }
        Json::Object(object) => {
            let entries: usize =
                object.iter().map(|(key, value)| piece(key.capacity()) + bytes_of(value)).sum();
            entries + object.len().div_ceil(MAP_NODE_HALF) * piece(MAP_NODE)
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => 0,
    }
}
