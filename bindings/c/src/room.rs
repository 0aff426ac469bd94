//! [`Room`]: a buffer of the caller for a list, with its capacity and the address for the list's length.
//!
//! One rule applies to all lists, except those that a caller may fetch in parts ([`Room::fill_up`]): the
//! list's length is always written; if all items fit, they are copied, else the call fails with
//! `VARVITE_E_TOO_SMALL`. A list is never truncated silently.

use std::mem::MaybeUninit;

use crate::failure::Failure;
use crate::pointer::{NamedOutItems, NamedOutStructs, Plain};
use crate::status::Status;

/// The caller's array for a list.
pub(crate) struct Room<'c, T> {
    pub(crate) items: NamedOutItems<'c, T>,
    pub(crate) capacity: u64,
    pub(crate) count: &'c mut MaybeUninit<u64>,
}

impl<'c, T: Plain> Room<'c, T> {
    /// Copies a list whose length is known.
    pub(crate) fn fill(self, list: impl ExactSizeIterator<Item = T>) -> Result<Status, Failure> {
        let needed = list.len() as u64;
        self.count.write(needed);
        if needed > self.capacity {
            return Err(Failure::TooSmall { argument: self.items.name(), capacity: self.capacity, needed });
        }
        let room = self.items.slice(needed)?;
        for (place, item) in room.iter_mut().zip(list) {
            place.write(item);
        }
        Ok(Status::Ok)
    }

    /// Copies a list of unknown length. If some items do not fit, counts them and fails.
    pub(crate) fn fill_counting(self, list: impl Iterator<Item = T>) -> Result<Status, Failure> {
        let argument = self.items.name();
        let room = self.items.slice(self.capacity)?;
        let mut needed = 0;
        for item in list {
            if let Some(place) = room.get_mut(needed) {
                place.write(item);
            }
            needed += 1;
        }
        self.count.write(needed as u64);
        match needed > room.len() {
            true => Err(Failure::TooSmall { argument, capacity: self.capacity, needed: needed as u64 }),
            false => Ok(Status::Ok),
        }
    }

    /// Copies as much of a list as fits, and writes the number of copied items: another call gets the rest.
    pub(crate) fn fill_up(self, list: impl Iterator<Item = T>) -> Result<Status, Failure> {
        let room = self.items.slice(self.capacity)?;
        let mut copied = 0u64;
        for (place, item) in room.iter_mut().zip(list) {
            place.write(item);
            copied += 1;
        }
        self.count.write(copied);
        Ok(Status::Ok)
    }
}

/// The caller's array for a list of structs that may grow in later versions: `size` is the struct's `sizeof`
/// as the caller compiled it.
pub(crate) struct StructsRoom<'c, T> {
    pub(crate) items: NamedOutStructs<'c, T>,
    pub(crate) size: u64,
    pub(crate) capacity: u64,
    pub(crate) count: &'c mut MaybeUninit<u64>,
}

impl<T: Plain> StructsRoom<'_, T> {
    /// Copies a list whose length is known.
    pub(crate) fn fill(self, list: impl ExactSizeIterator<Item = T>) -> Result<Status, Failure> {
        let needed = list.len() as u64;
        self.count.write(needed);
        if needed > self.capacity {
            return Err(Failure::TooSmall { argument: self.items.name(), capacity: self.capacity, needed });
        }
        self.items.room(self.size, needed)?.fill(list);
        Ok(Status::Ok)
    }
}

/// Copies items to a buffer of the same length.
pub(crate) fn copy<T: Plain>(room: &mut [MaybeUninit<T>], items: &[T]) {
    for (place, item) in room.iter_mut().zip(items) {
        place.write(*item);
    }
}
