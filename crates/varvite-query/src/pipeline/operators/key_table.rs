//! [`KeyTable`]: numbers distinct keys in the order of their first use.
//!
//! If keys are bounded (ids, codes of texts, label sets), a slot or a bit for each possible key is faster
//! than hashing, and memory pages that are never touched cost nothing. But the first touch of a page costs as
//! much as hashing a hundred keys, so if very many keys are possible, the first keys are hashed. Unbounded
//! keys are hashed too, except for small keys, which get slots. The number of these slots is a few times the
//! number of keys hashed so far.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

use super::stop::Stop;
use crate::pipeline::rows::Meaning;
use varvite_graph::internal::BitSet;
use varvite_graph::{Budget, OverBudget};

/// A table of distinct keys, which either numbers the keys or is only a set.
#[derive(Debug)]
pub(crate) struct KeyTable {
    slots: Slots,
    /// The number of bytes charged to the budget for the slots; and, in `keys_held`, for the keys.
    held: usize,
    keys_held: usize,
    /// The keys, indexed by their numbers. Empty in a set.
    keys: Vec<i64>,
}

#[derive(Debug)]
enum Slots {
    /// One bit for each possible key. Allocated for the first key.
    Bits { bits: BitSet, bound: usize },
    /// For each possible key, its number plus one, or 0 if the key is not in the table.
    Dense { numbers: Vec<u32>, bound: usize },
    /// A hashed set that becomes a bitmap after `left` more insertions.
    Few { map: Map, bound: usize, left: usize },
    /// Numbers of keys in a hash table. Once there are many keys, each possible key gets a slot instead.
    FewNumbers { map: Map, bound: usize },
    /// Small keys, from [`LEAST`] on, have slots with their number plus one. Other keys are in the map.
    Hashed { numbers: Vec<u32>, numbers_held: usize, map: Map, hashed: usize },
}

type Map = HashMap<i64, u32, Secret>;

/// The maximum number of possible keys of a dense table.
const BOUND_MAX: u64 = 1 << 32;
/// If there are at most `DENSE_MIN` possible keys, each has a slot from the start. If there are more, slots
/// are made once the number of possible keys is less than `SPARSE` times the number of keys in use.
const DENSE_MIN: usize = 1 << 16;
const SPARSE: usize = 64;
/// The maximum number of possible keys of a set that is a bitmap from the start. Such a bitmap takes at most
/// 64 KiB.
const BITS_AT_ONCE: usize = 1 << 19;
/// A set becomes a bitmap once its bitmap would have at most this many bits per hashed key: touching a page
/// of bits for the first time takes as long as hashing a hundred keys.
const BITS_OF_HASHED: usize = 1 << 10;
/// Bytes per hashed key, with the empty slots of the hash table: at most seven eighths of the slots are in
/// use. While the table grows, the old table, half as large, exists beside the new one, and is included too.
const HASHED_BYTES: usize = 2 * size_of::<(i64, u32)>();
/// The initial capacity of a hashed table, in keys.
const HASHED_MIN: usize = 112;
/// The least key that has a slot. It is negative because -1 is a common number.
const LEAST: i64 = -64;
/// The number of slots for small keys: at first (`SLOTS_MIN`), per hashed key (`SLOTS_OF_HASHED`), and at
/// most (`SLOTS_MAX`, which takes 4 MB).
const SLOTS_MIN: usize = 1 << 10;
const SLOTS_OF_HASHED: usize = 8;
const SLOTS_MAX: usize = 1 << 20;

impl KeyTable {
    /// Makes a set of keys.
    pub(crate) fn set(meaning: &Meaning, nodes: u32) -> Self {
        Self::of(match bound(meaning, nodes) {
            Some(bound) if bound <= BITS_AT_ONCE => bits(bound),
            Some(bound) => Slots::Few { map: Map::default(), bound, left: bound / BITS_OF_HASHED },
            None => hashed(),
        })
    }

    /// Makes a set of nodes.
    pub(crate) fn nodes(nodes: u32) -> Self {
        Self::set(&Meaning::Node, nodes)
    }

    /// Makes a table that numbers its keys.
    pub(crate) fn numbered(meaning: &Meaning, nodes: u32) -> Self {
        Self::of(match bound(meaning, nodes) {
            Some(bound) if bound <= DENSE_MIN => Slots::Dense { numbers: Vec::new(), bound },
            Some(bound) => Slots::FewNumbers { map: Map::default(), bound },
            None => hashed(),
        })
    }

    fn of(slots: Slots) -> Self {
        Self { slots, held: 0, keys_held: 0, keys: Vec::new() }
    }

    /// Adds a key to a set. Returns true if it is new.
    #[inline]
    pub(crate) fn insert(&mut self, key: i64, budget: &Budget) -> Result<bool, Stop> {
        match &mut self.slots {
            Slots::Bits { bits, .. } if bits.has_room() => Ok(bits.insert(key as usize)),
            Slots::Hashed { numbers, .. } if slot_of(numbers, key).is_some_and(|number| *number != 0) => {
                Ok(false)
            }
            _ => self.insert_slowly(key, budget),
        }
    }

    fn insert_slowly(&mut self, key: i64, budget: &Budget) -> Result<bool, Stop> {
        match &mut self.slots {
            Slots::Bits { bits, bound } => {
                bits.begin(*bound, budget)?;
                Ok(bits.insert(key as usize))
            }
            Slots::Few { bound, left, .. } => {
                // Only a damaged file has an impossible key, and the reader of the column has noted the
                // damage.
                if !usize::try_from(key).is_ok_and(|key| key < *bound) {
                    return Ok(false);
                }
                // If the budget has no room for a bitmap, it may still have room for more hashed keys.
                if *left == 0 && self.give_bits(budget).is_ok() {
                    return self.insert(key, budget);
                }
                let Slots::Few { map, left, .. } = &mut self.slots else { return Ok(false) };
                *left = left.saturating_sub(1);
                reserve(map, &mut self.held, budget)?;
                Ok(map.insert(key, 0).is_none())
            }
            _ => Ok(self.number(key, budget)?.is_some_and(|(_, is_new)| is_new)),
        }
    }

    /// Replaces the hashed keys of a set with a bitmap.
    fn give_bits(&mut self, budget: &Budget) -> Result<(), OverBudget> {
        let Slots::Few { map, bound, .. } = &mut self.slots else { return Ok(()) };
        let (bound, mut bits) = (*bound, BitSet::default());
        bits.begin(bound, budget)?;
        map.keys().for_each(|key| _ = bits.insert(*key as usize));
        self.slots = Slots::Bits { bits, bound };
        budget.hold(&mut self.held, 0)
    }

    /// Whether a key is in the set.
    #[inline]
    pub(crate) fn contains(&self, key: i64) -> bool {
        match &self.slots {
            Slots::Bits { bits, .. } => bits.contains(key as usize),
            Slots::Dense { numbers, .. } => numbers.get(key as usize).is_some_and(|number| *number != 0),
            Slots::Few { map, .. } | Slots::FewNumbers { map, .. } => map.contains_key(&key),
            Slots::Hashed { numbers, map, .. } => {
                slot_of(numbers, key).map_or_else(|| map.contains_key(&key), |number| *number != 0)
            }
        }
    }

    /// The number of a key, and whether it is new. `None` for an impossible key, which only a damaged file
    /// has; the damage has been noted.
    #[inline]
    pub(crate) fn number(&mut self, key: i64, budget: &Budget) -> Result<Option<(usize, bool)>, Stop> {
        let next = self.keys.len() as u32;
        let slot = match &mut self.slots {
            Slots::Dense { numbers, bound } => {
                if numbers.is_empty() {
                    budget.hold(&mut self.held, 4 * *bound)?;
                    *numbers = vec![0; *bound];
                }
                let Some(slot) = numbers.get_mut(key as usize) else { return Ok(None) };
                slot
            }
            Slots::FewNumbers { map, bound } => {
                if key as usize >= *bound {
                    return Ok(None);
                }
                if map.len() == map.capacity() && map.len() > *bound / SPARSE {
                    let bound = *bound;
                    self.become_dense(bound, budget)?;
                    return self.number(key, budget);
                }
                reserve(map, &mut self.held, budget)?;
                budget.make_room(&mut self.keys, 1, &mut self.keys_held)?;
                let number = *map.entry(key).or_insert(next);
                if number == next {
                    self.keys.push(key);
                }
                return Ok(Some((number as usize, number == next)));
            }
            Slots::Hashed { numbers, .. } => match slot_number(key).filter(|slot| *slot < numbers.len()) {
                Some(slot) => &mut numbers[slot],
                None => return self.number_of_far(key, budget).map(Some),
            },
            Slots::Bits { .. } | Slots::Few { .. } => return Ok(Some((0, self.insert(key, budget)?))),
        };
        if *slot != 0 {
            return Ok(Some((*slot as usize - 1, false)));
        }
        budget.make_room(&mut self.keys, 1, &mut self.keys_held)?;
        *slot = next + 1;
        self.keys.push(key);
        Ok(Some((next as usize, true)))
    }

    /// The number of a key that has no slot yet. May add slots, so that the key gets one.
    fn number_of_far(&mut self, key: i64, budget: &Budget) -> Result<(usize, bool), Stop> {
        let next = self.keys.len() as u32;
        let Slots::Hashed { numbers, numbers_held, map, hashed } = &mut self.slots else {
            return Ok((0, false));
        };
        *hashed += 1;
        let allowed = hashed.saturating_mul(SLOTS_OF_HASHED).clamp(SLOTS_MIN, SLOTS_MAX);
        if let Some(slot) = slot_number(key).filter(|slot| *slot < allowed)
            && give_slots(slot, numbers, numbers_held, &self.keys, budget)
        {
            return Ok(self.number(key, budget)?.unwrap_or_default());
        }
        reserve(map, &mut self.held, budget)?;
        budget.make_room(&mut self.keys, 1, &mut self.keys_held)?;
        let number = *map.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
        }
        Ok((number as usize, number == next))
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

    /// The number of a key. `None` if the key has no slot, or an empty slot.
    #[inline]
    pub(crate) fn known_number(&self, key: i64) -> Option<u32> {
        match &self.slots {
            Slots::Dense { numbers, .. } => numbers.get(key as usize)?.checked_sub(1),
            Slots::Hashed { numbers, .. } => slot_of(numbers, key)?.checked_sub(1),
            Slots::Bits { .. } | Slots::Few { .. } | Slots::FewNumbers { .. } => None,
        }
    }

    /// The same as [`KeyTable::known_number`], for many keys. Each result is the number plus one. Returns
    /// false unless all keys have a number in a slot.
    #[inline]
    pub(crate) fn known_numbers(&self, keys: &[i64], numbers_of: &mut [u32]) -> bool {
        let (numbers, least) = match &self.slots {
            Slots::Dense { numbers, .. } => (numbers, 0),
            Slots::Hashed { numbers, .. } => (numbers, LEAST),
            Slots::Bits { .. } | Slots::Few { .. } | Slots::FewNumbers { .. } => return false,
        };
        let mut are_known = true;
        for (key, number) in keys.iter().zip(numbers_of) {
            *number = numbers.get(key.wrapping_sub(least) as usize).copied().unwrap_or(0);
            are_known &= *number != 0;
        }
        are_known
    }

    /// The keys, in the order of their numbers.
    pub(crate) fn keys(&self) -> &[i64] {
        &self.keys
    }

    /// Returns the table's bytes to the budget. Called before the table is dropped.
    pub(crate) fn release(&mut self, budget: &Budget) {
        match &mut self.slots {
            Slots::Bits { bits, .. } => bits.release(budget),
            Slots::Hashed { numbers_held, .. } => budget.give_back(std::mem::take(numbers_held)),
            _ => {}
        }
        budget.give_back(std::mem::take(&mut self.held) + std::mem::take(&mut self.keys_held));
    }

    /// Removes all keys.
    pub(crate) fn clear(&mut self) {
        match &mut self.slots {
            Slots::Bits { bits, .. } => bits.clear(),
            Slots::Dense { numbers, .. } => self.keys.iter().for_each(|key| numbers[*key as usize] = 0),
            Slots::Few { map, .. } | Slots::FewNumbers { map, .. } => map.clear(),
            Slots::Hashed { numbers, map, .. } => {
                let slots = self.keys.iter().filter_map(|key| slot_number(*key));
                slots.for_each(|slot| numbers.get_mut(slot).into_iter().for_each(|number| *number = 0));
                map.clear();
            }
        }
        self.keys.clear();
    }
}

fn bits(bound: usize) -> Slots {
    Slots::Bits { bits: BitSet::default(), bound }
}

fn hashed() -> Slots {
    Slots::Hashed { numbers: Vec::new(), numbers_held: 0, map: Map::default(), hashed: 0 }
}

/// The index of a key's slot, even if this slot does not exist yet. `None` for keys less than [`LEAST`].
#[inline]
fn slot_number(key: i64) -> Option<usize> {
    usize::try_from(key.wrapping_sub(LEAST)).ok()
}

#[inline]
fn slot_of(numbers: &[u32], key: i64) -> Option<&u32> {
    numbers.get(slot_number(key)?)
}

/// Makes room for one more key in a map.
#[inline]
fn reserve(map: &mut Map, held: &mut usize, budget: &Budget) -> Result<(), Stop> {
    if map.len() == map.capacity() {
        let more = map.len().max(HASHED_MIN);
        budget.hold(held, HASHED_BYTES * (map.len() + more))?;
        map.reserve(more);
    }
    Ok(())
}

/// Adds slots up to index `slot`, and fills the new slots with the numbers of `keys`. Returns false if the
/// budget has no room for the slots.
#[cold]
fn give_slots(slot: usize, numbers: &mut Vec<u32>, held: &mut usize, keys: &[i64], budget: &Budget) -> bool {
    let (before, len) = (numbers.len(), (slot + 1).next_power_of_two().max(SLOTS_MIN));
    if budget.make_room(numbers, len - before, held).is_err() {
        return false;
    }
    numbers.resize(len, 0);
    for (number, key) in (1..).zip(keys) {
        let slot = slot_number(*key).filter(|slot| (before..len).contains(slot));
        slot.into_iter().for_each(|slot| numbers[slot] = number);
    }
    true
}

fn bound(meaning: &Meaning, nodes: u32) -> Option<usize> {
    let bound = meaning.bound(nodes).filter(|bound| *bound <= BOUND_MAX)?;
    usize::try_from(bound).ok()
}

/// A hash function for numbers, with a secret that is random for each process, so that no file can contain
/// keys chosen to collide. It is a folded multiplication, as in wyhash (Wang Yi, 2019).
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
    use varvite_graph::ValueType;

    const NODES: u32 = 1 << 22;

    /// Pseudo-random keys with repetitions, from a Lehmer generator.
    fn keys(count: usize, limit: i64) -> impl Iterator<Item = i64> {
        let next = |state: &u64| Some(state.wrapping_mul(0xda94_2042_e4dd_58b5));
        std::iter::successors(Some(1), next).map(move |state| (state >> 20) as i64 % limit).take(count)
    }

    #[test]
    fn a_set_knows_what_was_added_before_and_after_it_has_bits() {
        let budget = Budget::new(1 << 30);
        let (mut table, mut expected) = (KeyTable::nodes(NODES), std::collections::HashSet::new());
        for round in 0..2 {
            for key in keys(20_000, i64::from(NODES)) {
                assert_eq!(table.insert(key, &budget).unwrap(), expected.insert(key), "{round} {key}");
                assert!(table.contains(key) && !table.contains(key + i64::from(NODES)));
            }
            assert!(matches!(table.slots, Slots::Bits { .. }));
            table.clear();
            expected.clear();
            assert!(keys(9, i64::from(NODES)).all(|key| !table.contains(key)));
        }
        table.release(&budget);
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn few_keys_of_a_large_graph_take_little_memory() {
        let budget = Budget::new(1 << 30);
        let mut table = KeyTable::nodes(NODES);
        keys(100, i64::from(NODES)).for_each(|key| _ = table.insert(key, &budget).unwrap());
        assert!(budget.held() < 16 << 10, "{}", budget.held());
    }

    #[test]
    fn a_set_without_room_for_bits_goes_on_hashing() {
        let budget = Budget::new(400_000);
        let mut table = KeyTable::nodes(NODES);
        let all = i64::from(NODES);
        (0..6000).for_each(|key| assert!(table.insert(all - 1 - key, &budget).unwrap()));
        (0..6000).for_each(|key| assert!(!table.insert(all - 1 - key, &budget).unwrap()));
        assert!(matches!(table.slots, Slots::Few { .. }));
    }

    #[test]
    fn keys_that_can_not_be_are_never_new() {
        for nodes in [10, NODES] {
            let budget = Budget::new(1 << 30);
            let mut table = KeyTable::nodes(nodes);
            for key in [i64::from(nodes) + 64, -1, i64::MIN, i64::MAX] {
                assert!(!table.insert(key, &budget).unwrap() && !table.contains(key), "{key}");
            }
        }
    }

    #[test]
    fn small_and_large_keys_keep_their_numbers_while_slots_are_added() {
        let budget = Budget::new(1 << 30);
        let mut table = KeyTable::numbered(&Meaning::Plain(ValueType::I64), NODES);
        let mut expected: HashMap<i64, usize> = HashMap::new();
        let ends =
            [i64::MIN, i64::MAX, -65, -64, -63, -1, 0, LEAST + SLOTS_MAX as i64, 1 << 32, (1 << 32) - 64];
        for round in 0..2 {
            let small = keys(30_000, 1 << 16);
            for key in ends.into_iter().chain(small).chain(keys(2000, 1 << 40)).chain(ends) {
                let next = expected.len();
                let number = *expected.entry(key).or_insert(next);
                assert_eq!(
                    table.number(key, &budget).unwrap(),
                    Some((number, number == next)),
                    "{round} {key}"
                );
                assert!(table.known_number(key).is_none_or(|known| known as usize == number));
                assert!(table.contains(key));
            }
            assert_eq!(table.keys().len(), expected.len());
            assert!(table.known_number(1 << 15).is_some() || !expected.contains_key(&(1 << 15)));
            table.clear();
            expected.clear();
            assert!(ends.iter().all(|key| !table.contains(*key) && table.known_number(*key).is_none()));
        }
        table.release(&budget);
        assert_eq!(budget.held(), 0);
    }

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
