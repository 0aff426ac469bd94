//! [`KeyTable`]: a number for each distinct key, in the order of their first use.
//!
//! Where keys are bounded (ids, codes of texts, label sets) a slot or a bit for each possible one is faster than hashing, and pages
//! that nobody touches cost nothing. Other keys are hashed; so are the first ones where very many are possible, because a page that
//! is touched for the first time costs as much as a hundred keys.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

use super::stop::Stop;
use crate::budget::Budget;
use crate::pipeline::rows::Meaning;

/// Distinct keys.
#[derive(Debug)]
pub(crate) struct KeyTable {
    slots: Slots,
    /// Bytes of the slots, and of the keys.
    held: usize,
    keys_held: usize,
    /// Keys by their number; empty in a set.
    keys: Vec<i64>,
}

#[derive(Debug)]
enum Slots {
    /// One bit for each possible key, once there is a key.
    Bits { words: Vec<u64>, bound: usize, touched: Vec<u32> },
    /// The number of each possible key plus one.
    Dense { numbers: Vec<u32>, bound: usize },
    /// The number of each key; with a bound, until there are so many that a slot for each possible one pays.
    Hashed { numbers: HashMap<i64, u32, Secret>, bound: Option<usize> },
}

/// Most possible keys of a dense table.
const BOUND_MAX: u64 = 1 << 32;
/// Possible keys that have a slot each from the start, and how many there may be for each that is there later.
const DENSE_MIN: usize = 1 << 16;
const SPARSE: usize = 64;
/// Words of a set that are remembered one by one, to be cleared fast.
const TOUCHED_MAX: usize = 4096;
/// What a hashed key takes: its entry in a table that is at most seven eighths full, and half of one more while the table grows.
const HASHED_BYTES: usize = 2 * size_of::<(i64, u32)>();
/// Keys that a hashed table has room for at first.
const HASHED_MIN: usize = 112;

impl KeyTable {
    /// A set of keys.
    pub(crate) fn set(meaning: &Meaning, nodes: u32) -> Self {
        let slots = match bound(meaning, nodes) {
            Some(bound) => Slots::Bits { words: Vec::new(), bound, touched: Vec::new() },
            None => Slots::hashed(None),
        };
        Self { slots, held: 0, keys_held: 0, keys: Vec::new() }
    }

    /// A set of nodes.
    pub(crate) fn nodes(nodes: u32) -> Self {
        Self::set(&Meaning::Node, nodes)
    }

    /// Keys with numbers.
    pub(crate) fn numbered(meaning: &Meaning, nodes: u32) -> Self {
        let slots = match bound(meaning, nodes) {
            Some(bound) if bound <= DENSE_MIN => Slots::Dense { numbers: Vec::new(), bound },
            bound => Slots::hashed(bound),
        };
        Self { slots, held: 0, keys_held: 0, keys: Vec::new() }
    }

    /// Adds a key to a set; true if it is new.
    #[inline]
    pub(crate) fn insert(&mut self, key: i64, budget: &Budget) -> Result<bool, Stop> {
        match &mut self.slots {
            Slots::Bits { words, bound, touched } => {
                if words.is_empty() {
                    budget.hold(&mut self.held, bound.div_ceil(8) + 4 * TOUCHED_MAX)?;
                    *words = vec![0; bound.div_ceil(64)];
                    touched.reserve_exact(TOUCHED_MAX);
                }
                // A key that can't be comes from damage, which its reader has noted.
                let Some(word) = words.get_mut(key as usize / 64) else { return Ok(false) };
                let bit = 1 << (key as u64 % 64);
                let is_new = *word & bit == 0;
                if *word == 0 && touched.len() < TOUCHED_MAX {
                    touched.push((key as usize / 64) as u32);
                }
                *word |= bit;
                Ok(is_new)
            }
            _ => Ok(self.number(key, budget)?.is_some_and(|(_, is_new)| is_new)),
        }
    }

    /// Whether a key is in a set.
    #[inline]
    pub(crate) fn contains(&self, key: i64) -> bool {
        match &self.slots {
            Slots::Bits { words, .. } => {
                words.get(key as usize / 64).is_some_and(|word| word >> (key as u64 % 64) & 1 != 0)
            }
            Slots::Dense { numbers, .. } => numbers.get(key as usize).is_some_and(|number| *number != 0),
            Slots::Hashed { numbers, .. } => numbers.contains_key(&key),
        }
    }

    /// The number of a key, and whether it is new; none for a key that can't be, which comes from damage that was noted.
    #[inline]
    pub(crate) fn number(&mut self, key: i64, budget: &Budget) -> Result<Option<(usize, bool)>, Stop> {
        let next = self.keys.len() as u32;
        let number = match &mut self.slots {
            Slots::Dense { numbers, bound } => {
                if numbers.is_empty() {
                    budget.hold(&mut self.held, 4 * *bound)?;
                    *numbers = vec![0; *bound];
                }
                let Some(slot) = numbers.get_mut(key as usize) else { return Ok(None) };
                if *slot != 0 {
                    return Ok(Some((*slot as usize - 1, false)));
                }
                *slot = next + 1;
                next
            }
            Slots::Hashed { numbers, bound } => {
                if bound.is_some_and(|bound| key as usize >= bound) {
                    return Ok(None);
                }
                if numbers.len() == numbers.capacity() {
                    if let Some(bound) = bound.filter(|bound| numbers.len() > bound / SPARSE) {
                        self.become_dense(bound, budget)?;
                        return self.number(key, budget);
                    }
                    let more = numbers.len().max(HASHED_MIN);
                    budget.hold(&mut self.held, HASHED_BYTES * (numbers.len() + more))?;
                    numbers.reserve(more);
                }
                *numbers.entry(key).or_insert(next)
            }
            Slots::Bits { .. } => return Ok(Some((0, self.insert(key, budget)?))),
        };
        if number < next {
            return Ok(Some((number as usize, false)));
        }
        budget.make_room(&mut self.keys, 1, &mut self.keys_held)?;
        self.keys.push(key);
        Ok(Some((number as usize, true)))
    }

    /// Gives each possible key a slot.
    fn become_dense(&mut self, bound: usize, budget: &Budget) -> Result<(), Stop> {
        self.slots = Slots::Dense { numbers: Vec::new(), bound };
        budget.hold(&mut self.held, 4 * bound)?;
        let mut numbers = vec![0; bound];
        for (number, key) in (1..).zip(&self.keys) {
            numbers[*key as usize] = number;
        }
        self.slots = Slots::Dense { numbers, bound };
        Ok(())
    }

    /// The number of a key, where a look at a slot tells that it has one.
    #[inline]
    pub(crate) fn known_number(&self, key: i64) -> Option<u32> {
        match &self.slots {
            Slots::Dense { numbers, .. } => numbers.get(key as usize)?.checked_sub(1),
            Slots::Bits { .. } | Slots::Hashed { .. } => None,
        }
    }

    /// The keys, by their numbers.
    pub(crate) fn keys(&self) -> &[i64] {
        &self.keys
    }

    /// Gives back what the table holds of a budget, before it is dropped.
    pub(crate) fn release(&mut self, budget: &Budget) {
        budget.give_back(std::mem::take(&mut self.held) + std::mem::take(&mut self.keys_held));
    }

    /// Forgets all keys.
    pub(crate) fn clear(&mut self) {
        match &mut self.slots {
            Slots::Bits { words, touched, .. } => {
                if touched.len() < TOUCHED_MAX {
                    touched.iter().for_each(|word| words[*word as usize] = 0);
                } else {
                    words.fill(0);
                }
                touched.clear();
            }
            Slots::Dense { numbers, .. } => self.keys.iter().for_each(|key| numbers[*key as usize] = 0),
            Slots::Hashed { numbers, .. } => numbers.clear(),
        }
        self.keys.clear();
    }
}

impl Slots {
    fn hashed(bound: Option<usize>) -> Self {
        Self::Hashed { numbers: HashMap::default(), bound }
    }
}

fn bound(meaning: &Meaning, nodes: u32) -> Option<usize> {
    let bound = meaning.bound(nodes).filter(|bound| *bound <= BOUND_MAX)?;
    usize::try_from(bound).ok()
}

/// Hashes numbers with a secret of this process, so that no file can choose keys that collide: a folded multiplication,
/// as in wyhash (Wang Yi, 2019).
#[derive(Clone, Debug)]
struct Secret(u64);

impl Default for Secret {
    fn default() -> Self {
        Self(RandomState::new().hash_one(0u64))
    }
}

impl BuildHasher for Secret {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded(self.0)
    }
}

#[derive(Debug)]
struct Folded(u64);

impl Hasher for Folded {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_i64(i64::from(*byte)));
    }

    fn write_i64(&mut self, number: i64) {
        let product = u128::from(self.0 ^ number as u64) * u128::from(self.0 | 1);
        let product = (product as u64 ^ (product >> 64) as u64) as u128 * 0x9e37_79b9_7f4a_7c15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_numbers_when_slots_take_the_place_of_hashes() {
        let (budget, nodes) = (Budget::new(usize::MAX), 1 << 20);
        let mut table = KeyTable::numbered(&Meaning::Node, nodes);
        let keys = || (0..40_000).map(|key| key * 7 % i64::from(nodes));
        for is_new in [true, false] {
            for (number, key) in keys().enumerate() {
                assert_eq!(table.number(key, &budget).unwrap(), Some((number, is_new)));
            }
        }
        assert!(matches!(table.slots, Slots::Dense { .. }));
        assert!(table.keys().iter().copied().eq(keys()));
        for beyond in [i64::from(nodes), -1] {
            assert_eq!(table.number(beyond, &budget).unwrap(), None);
            assert_eq!(KeyTable::numbered(&Meaning::Node, nodes).number(beyond, &budget).unwrap(), None);
        }
    }
}
