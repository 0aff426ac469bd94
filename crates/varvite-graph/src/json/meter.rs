//! [`Meter`]: the bytes of a value while it grows, taken from a budget before they are allocated.

use serde_json::Value as Json;

use crate::budget::{Budget, OverBudget, Reserved};

/// Bytes that something holds of a budget, counted while it grows.
#[derive(Debug)]
pub struct Meter {
    used: usize,
    reserved: Reserved,
}

/// Bytes that are charged at a time, so that single values cost no atomic operation.
const PACE: usize = 1 << 14;
/// The allocator's overhead for each piece, and its least piece.
const PIECE: usize = 32;
/// Entries and bytes of a node of a `BTreeMap`, and the entries of one that was split.
const MAP_NODE_ENTRIES: usize = 11;
const MAP_NODE: usize = MAP_NODE_ENTRIES * (size_of::<String>() + size_of::<Json>()) + 128;
const MAP_NODE_HALF: usize = 5;

impl Meter {
    /// Nothing yet.
    ///
    /// # Errors
    /// Never: no bytes are charged.
    pub fn new(budget: &Budget) -> Result<Self, OverBudget> {
        Ok(Self { used: 0, reserved: budget.reserve(0)? })
    }

    /// Takes some bytes.
    pub fn take(&mut self, bytes: usize) -> Result<(), OverBudget> {
        self.used = self.used.saturating_add(bytes);
        if self.used <= self.reserved.bytes() {
            return Ok(());
        }
        let ahead = self.used.saturating_add(PACE);
        self.reserved.resize(ahead).or_else(|_| self.reserved.resize(self.used))
    }

    /// Bytes that are needed no more.
    pub fn give_back(&mut self, bytes: usize) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// Bytes of a text.
    pub fn take_text(&mut self, bytes: usize) -> Result<(), OverBudget> {
        self.take(piece(bytes))
    }

    /// Room for one more item in a list: its buffer doubles.
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

    /// Bytes of one more entry in an object that has `entries`.
    pub fn take_entry(&mut self, entries: usize) -> Result<(), OverBudget> {
        if entries.is_multiple_of(MAP_NODE_HALF) { self.take(piece(MAP_NODE)) } else { Ok(()) }
    }

    /// Bytes that it holds.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Makes them fewer, or more.
    pub fn set(&mut self, bytes: usize) -> Result<(), OverBudget> {
        self.reserved.resize(bytes)?;
        self.used = bytes;
        Ok(())
    }
}

/// The allocator's bytes for a buffer.
fn piece(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { (bytes + 8).next_multiple_of(16).max(PIECE) }
}

/// Bytes of a value beside its own.
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
