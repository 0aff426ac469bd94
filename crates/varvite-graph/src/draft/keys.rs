//! [`Keys`]: byte strings, numbered in the order in which they are added: keys of nodes, or texts of a
//! property.
//!
//! The hash table holds numbers; the bytes of all keys are in one buffer. For millions of short keys it takes
//! a third of the memory of a map of owned strings. Each table has a new random seed for its hashes, so that
//! nobody can prepare a file whose keys collide. The order of keys does not depend on the hashes.

use std::hash::{BuildHasher, RandomState};

use crate::budget::Reserved;
use crate::budget::{Budget, OverBudget};

/// The least number of slots of a table that is not empty.
const SLOTS_MIN: usize = 64;

/// Numbered byte strings.
#[derive(Debug)]
pub(crate) struct Keys {
    /// All keys, concatenated.
    bytes: Vec<u8>,
    /// The end of each key.
    ends: Vec<u64>,
    /// The slots. The upper half of a slot is the upper half of a key's hash, the lower half is the key's
    /// number plus one; an empty slot is zero.
    slots: Vec<u64>,
    hasher: RandomState,
    room: Reserved,
}

impl Keys {
    /// Creates an empty table whose memory is charged to `budget`.
    pub(crate) fn within(budget: &Budget) -> Self {
        let (bytes, ends, slots) = (Vec::new(), Vec::new(), Vec::new());
        Self { bytes, ends, slots, hasher: RandomState::new(), room: Reserved::nothing_of(budget) }
    }

    /// The number of keys.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of all keys; [`Keys::range`] gives the range of each key.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The start and the end of a key in the bytes.
    pub(crate) fn range(&self, number: u32) -> (u64, u64) {
        let start = (number as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        (start, self.ends[number as usize])
    }

    /// The number of a key; `None` if the table does not contain it.
    pub(crate) fn find(&self, key: &[u8]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.slot_of(key, self.hasher.hash_one(key)).ok()
    }

    /// Returns the number of a key, and whether the key is new; adds a new key.
    ///
    /// # Errors
    /// Too little memory; the table is then unchanged.
    pub(crate) fn insert(&mut self, key: &[u8]) -> Result<(u32, bool), OverBudget> {
        // At most three quarters of the slots are used.
        if (self.len() + 1) * 4 > self.slots.len() * 3 {
            self.rehash()?;
        }
        let hash = self.hasher.hash_one(key);
        match self.slot_of(key, hash) {
            Ok(number) => Ok((number, false)),
            Err(slot) => {
                let number = self.push(key)?;
                self.slots[slot] = entry(hash, number);
                Ok((number, true))
            }
        }
    }

    /// Gives the next number to an item without a key. A search cannot find this item.
    ///
    /// # Errors
    /// The errors of [`Keys::insert`].
    pub(crate) fn skip(&mut self) -> Result<u32, OverBudget> {
        self.push(b"")
    }

    fn push(&mut self, key: &[u8]) -> Result<u32, OverBudget> {
        self.room.make_room(&mut self.bytes, key.len())?;
        self.room.make_room(&mut self.ends, 1)?;
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len() as u64);
        Ok(self.ends.len() as u32 - 1)
    }

    /// The number of a key or, if the table lacks it, the empty slot in which it belongs.
    fn slot_of(&self, key: &[u8], hash: u64) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let found = self.slots[slot];
            if found == 0 {
                return Err(slot);
            }
            let number = found as u32 - 1;
            if (found ^ hash) >> 32 == 0 && self.is(number, key) {
                return Ok(number);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn is(&self, number: u32, key: &[u8]) -> bool {
        let (start, end) = self.range(number);
        &self.bytes[start as usize..end as usize] == key
    }

    /// Doubles the number of slots.
    fn rehash(&mut self) -> Result<(), OverBudget> {
        let slots = (self.slots.len() * 2).max(SLOTS_MIN);
        self.room.take(slots * size_of::<u64>())?;
        let old = std::mem::replace(&mut self.slots, vec![0; slots]);
        for found in old.iter().filter(|found| **found != 0) {
            let (start, end) = self.range(*found as u32 - 1);
            let hash = self.hasher.hash_one(&self.bytes[start as usize..end as usize]);
            let mut slot = hash as usize & (slots - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (slots - 1);
            }
            self.slots[slot] = *found;
        }
        self.room.give_back(old.len() * size_of::<u64>());
        Ok(())
    }
}

fn entry(hash: u64, number: u32) -> u64 {
    hash >> 32 << 32 | u64::from(number + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_numbered_in_the_order_in_which_they_come() {
        let mut keys = Keys::within(&Budget::new(1 << 20));
        assert_eq!(keys.find(b"a"), None);
        assert_eq!(keys.insert(b"a").unwrap(), (0, true));
        assert_eq!(keys.insert(b"").unwrap(), (1, true));
        assert_eq!(keys.skip().unwrap(), 2);
        assert_eq!(keys.insert(b"a").unwrap(), (0, false));
        assert_eq!(keys.insert(b"ab").unwrap(), (3, true));
        assert_eq!([b"" as &[u8], b"ab", b"b"].map(|key| keys.find(key)), [Some(1), Some(3), None]);
        assert_eq!(keys.range(3), (1, 3));
    }

    #[test]
    fn many_keys_are_found_again_and_their_memory_goes_back() {
        let budget = Budget::new(1 << 20);
        let mut keys = Keys::within(&budget);
        for number in 0..10_000u32 {
            assert_eq!(keys.insert(number.to_string().as_bytes()).unwrap(), (number, true));
        }
        let found = (0..10_000u32).all(|number| keys.find(number.to_string().as_bytes()) == Some(number));
        assert!(found && keys.find(b"10000").is_none());
        assert!((10_000 * 20..1 << 20).contains(&budget.held()), "{}", budget.held());
        drop(keys);
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn keys_beyond_the_budget_are_refused() {
        let mut keys = Keys::within(&Budget::new(10_000));
        let refused = (0..10_000u32).find(|number| keys.insert(&number.to_le_bytes()).is_err());
        assert!((200..1000).contains(&refused.unwrap()), "{refused:?}");
    }
}
