//! [`KeySet`]: a set of edges, or of nodes with depths, as a hash table that keeps its memory. A number may
//! be stored with each key.
//!
//! Each slot has the number of the walk that filled it. To empty the set, only the number of the current walk
//! is changed, which takes constant time. Hashes use a secret seed, so that the author of a file cannot
//! choose keys that collide.

use std::hash::{BuildHasher, RandomState};

use varvite_graph::{Budget, OverBudget};

/// A member of a set: a node or an edge, and its depth if members are distinguished by depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) id: u64,
    pub(super) depth: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: Key,
    /// The number of the walk that filled the slot.
    walk: u32,
    /// The number stored with the key.
    number: u32,
}

/// A set of keys. At most half of its slots are filled.
#[derive(Debug)]
pub(super) struct KeySet {
    slots: Vec<Slot>,
    len: usize,
    walk: u32,
    seed: u64,
    held: usize,
}

const SLOTS_MIN: usize = 64;

impl Default for KeySet {
    fn default() -> Self {
        let seed = RandomState::new().hash_one(0u8) | 1;
        Self { slots: Vec::new(), len: 0, walk: 1, seed, held: 0 }
    }
}

impl KeySet {
    /// Removes all keys.
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.walk = self.walk.wrapping_add(1);
        if self.walk == 0 {
            self.slots.fill(Slot::default());
            self.walk = 1;
        }
    }

    /// Adds a key; returns false if the set already has it.
    #[inline]
    pub(super) fn insert(&mut self, key: Key, budget: &Budget) -> Result<bool, OverBudget> {
        if 2 * self.len >= self.slots.len() {
            self.grow(budget)?;
        }
        let at = self.find(key);
        if self.is_taken(at) {
            return Ok(false);
        }
        self.slots[at] = Slot { key, walk: self.walk, number: 0 };
        self.len += 1;
        Ok(true)
    }

    /// Stores a number with a key; returns the number that was stored before.
    pub(super) fn put(&mut self, key: Key, number: u32, budget: &Budget) -> Result<Option<u32>, OverBudget> {
        let is_new = self.insert(key, budget)?;
        let at = self.find(key);
        let before = std::mem::replace(&mut self.slots[at].number, number);
        Ok((!is_new).then_some(before))
    }

    /// The number stored with a key; `None` if the set does not have the key.
    pub(super) fn get(&self, key: Key) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let at = self.find(key);
        self.is_taken(at).then(|| self.slots[at].number)
    }

    /// Removes a key.
    pub(super) fn remove(&mut self, key: Key) {
        if self.slots.is_empty() {
            return;
        }
        let mask = self.slots.len() - 1;
        let mut hole = self.find(key);
        if !self.is_taken(hole) {
            return;
        }
        self.len -= 1;
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            if !self.is_taken(at) {
                break;
            }
            // A key moves into the hole unless its probe sequence starts after the hole.
            let home = self.home(self.slots[at].key);
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.slots[hole] = self.slots[at];
                hole = at;
            }
        }
        self.slots[hole].walk = 0;
    }

    #[inline]
    fn is_taken(&self, at: usize) -> bool {
        self.slots[at].walk == self.walk
    }

    /// The slot of a key, or the slot that it would take.
    #[inline]
    fn find(&self, key: Key) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = self.home(key);
        while self.is_taken(at) && self.slots[at].key != key {
            at = (at + 1) & mask;
        }
        at
    }

    #[inline]
    fn home(&self, key: Key) -> usize {
        let mut bits =
            (key.id ^ self.seed).wrapping_add(u64::from(key.depth).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        bits = (bits ^ (bits >> 32)).wrapping_mul(self.seed);
        bits = (bits ^ (bits >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (bits ^ (bits >> 32)) as usize & (self.slots.len() - 1)
    }

    #[cold]
    fn grow(&mut self, budget: &Budget) -> Result<(), OverBudget> {
        let size = size_of::<Slot>();
        let (before, slots) = (self.slots.len(), (2 * self.slots.len()).max(SLOTS_MIN));
        // Old and new slots are both in memory while keys are moved.
        budget.hold(&mut self.held, (before + slots) * size)?;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); slots]);
        for slot in old.iter().filter(|slot| slot.walk == self.walk) {
            let at = self.find(slot.key);
            self.slots[at] = *slot;
        }
        drop(old);
        budget.hold(&mut self.held, slots * size)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use varvite_model::SplitMix64;

    use super::*;

    #[test]
    fn keys_come_and_go_as_in_any_set() {
        let (budget, mut random) = (Budget::new(1 << 24), SplitMix64::new(1));
        let mut set = KeySet::default();
        for round in 0..20 {
            set.clear();
            let mut expected = HashSet::new();
            for _ in 0..5000 {
                let key = Key { id: random.below(700) as u64 * 64, depth: random.below(3) as u32 };
                let pair = (key.id, key.depth);
                if random.chance(40) {
                    set.remove(key);
                    expected.remove(&pair);
                } else {
                    assert_eq!(set.insert(key, &budget), Ok(expected.insert(pair)), "round {round}");
                }
                assert_eq!(set.len, expected.len());
            }
        }
    }

    #[test]
    fn a_set_grows_only_within_the_budget() {
        let (budget, mut set) = (Budget::new(64 << 10), KeySet::default());
        let full = (0..).find_map(|id| set.insert(Key { id, depth: 0 }, &budget).err()).unwrap();
        assert!(full.needed > full.limit && budget.most() <= budget.limit());
        assert!(set.len > 500, "{}", set.len);
    }
}
