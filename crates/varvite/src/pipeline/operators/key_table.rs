//! [`KeyTable`]: a number for each distinct key, in the order of their first use.
//!
//! Where keys are bounded (ids, codes of texts, label sets) a slot or a bit for each possible one is faster than hashing, and pages
//! that nobody touches cost nothing. Other keys are hashed.

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
    Bits {
        words: Vec<u64>,
        bound: usize,
        touched: Vec<u32>,
    },
    /// The number of each possible key plus one.
    Dense {
        numbers: Vec<u32>,
        bound: usize,
    },
    Hashed(HashMap<i64, u32, Secret>),
}

/// Most possible keys of a dense table.
const BOUND_MAX: u64 = 1 << 32;
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
            None => Slots::Hashed(HashMap::default()),
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
            Some(bound) => Slots::Dense { numbers: Vec::new(), bound },
            None => Slots::Hashed(HashMap::default()),
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
            Slots::Hashed(map) => map.contains_key(&key),
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
            Slots::Hashed(map) => {
                if map.len() == map.capacity() {
                    let more = map.len().max(HASHED_MIN);
                    budget.hold(&mut self.held, HASHED_BYTES * (map.len() + more))?;
                    map.reserve(more);
                }
                *map.entry(key).or_insert(next)
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

    /// The number of a key, where a look at a slot tells that it has one.
    #[inline]
    pub(crate) fn known_number(&self, key: i64) -> Option<u32> {
        match &self.slots {
            Slots::Dense { numbers, .. } => numbers.get(key as usize)?.checked_sub(1),
            Slots::Bits { .. } | Slots::Hashed(_) => None,
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
            Slots::Hashed(map) => map.clear(),
        }
        self.keys.clear();
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
