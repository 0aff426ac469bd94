//! [`TextPool`]: the texts that a run has computed, each stored once.
//!
//! A computed text is a number in a batch, as a text of a property is: its code in the pool, from 0. All
//! threads of a run share the pool. A text never moves and stays until the run and all rows kept of it are
//! dropped, so readers need no lock. The order of codes depends on the threads, so nothing may sort by it.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::sync::{Mutex, OnceLock, PoisonError};

use varvite_graph::{Budget, OverBudget, Reserved};

/// The texts that a run has computed.
pub(crate) struct TextPool {
    /// Segment `n` has room for [`FIRST`] texts times two to the power of `n`.
    segments: [OnceLock<Segment>; SEGMENTS],
    index: Mutex<Index>,
    hasher: RandomState,
}

type Segment = Box<[OnceLock<Box<str>>]>;

/// The codes of the texts, by the texts.
struct Index {
    /// The first code for each hash.
    codes: HashMap<u64, u32>,
    /// The codes of texts whose hash is that of an earlier text.
    others: HashMap<Box<str>, u32>,
    count: u32,
    /// The budget's charge for everything in the pool.
    held: Reserved,
}

/// The number of texts in the first segment.
const FIRST: usize = 1 << 10;
/// The number of segments, which have room for 2^31 texts.
const SEGMENTS: usize = 21;
/// Bytes of a text in the pool, without its letters: the allocator's header and padding.
const TEXT_BYTES: usize = 24;
/// Bytes of a hash table for each of its entries, with empty slots. While the table grows, the old table,
/// half as large, exists beside the new one, and is included too.
const HASHED_BYTES: usize = 2 * size_of::<(u64, u32)>();
/// The least capacity of the hash table that is charged.
const HASHED_MIN: usize = 112;

impl TextPool {
    /// An empty pool, which charges its texts to the budget.
    pub(crate) fn new(budget: &Budget) -> Self {
        let held = Reserved::nothing_of(budget);
        let index = Index { codes: HashMap::new(), others: HashMap::new(), count: 0, held };
        Self {
            segments: [const { OnceLock::new() }; SEGMENTS],
            index: index.into(),
            hasher: RandomState::new(),
        }
    }

    /// The text with a code. `None` for a code that the pool did not give.
    #[inline]
    pub(crate) fn get(&self, code: i64) -> Option<&str> {
        let (segment, place) = place_of(usize::try_from(code).ok()?);
        Some(self.segments.get(segment)?.get()?.get(place)?.get()?)
    }

    /// The code of a text, which is added if it is new.
    pub(crate) fn code(&self, text: &str) -> Result<i64, OverBudget> {
        let hash = self.hasher.hash_one(text);
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        match index.codes.get(&hash).copied() {
            Some(code) if self.get(code.into()) == Some(text) => Ok(code.into()),
            Some(_) => {
                if let Some(code) = index.others.get(text) {
                    return Ok((*code).into());
                }
                index.held.take(text.len() + TEXT_BYTES + 2 * size_of::<(Box<str>, u32)>())?;
                let code = self.add(text, &mut index)?;
                index.others.insert(text.into(), code);
                Ok(code.into())
            }
            None => {
                index.make_room()?;
                let code = self.add(text, &mut index)?;
                index.codes.insert(hash, code);
                Ok(code.into())
            }
        }
    }

    /// Adds a new text.
    fn add(&self, text: &str, index: &mut Index) -> Result<u32, OverBudget> {
        let code = index.count;
        let (number, place) = place_of(code as usize);
        let full = || OverBudget { limit: usize::MAX, needed: usize::MAX };
        let segment = self.segments.get(number).ok_or_else(full)?;
        if segment.get().is_none() {
            index.held.take((FIRST << number) * size_of::<OnceLock<Box<str>>>())?;
        }
        index.held.take(text.len() + TEXT_BYTES)?;
        let empty = || (0..FIRST << number).map(|_| OnceLock::new()).collect();
        let slot = segment.get_or_init(empty).get(place).ok_or_else(full)?;
        slot.get_or_init(|| text.into());
        index.count += 1;
        Ok(code)
    }
}

impl Index {
    /// Makes room for one more hash.
    fn make_room(&mut self) -> Result<(), OverBudget> {
        if self.codes.len() == self.codes.capacity() {
            let more = self.codes.len().max(HASHED_MIN);
            self.held.take(HASHED_BYTES * more)?;
            self.codes.reserve(more);
        }
        Ok(())
    }
}

/// The number of the segment that holds the text with a code, and the text's place there.
fn place_of(code: usize) -> (usize, usize) {
    let segment = (code / FIRST + 1).ilog2() as usize;
    (segment, code + FIRST - (FIRST << segment))
}

impl fmt::Debug for TextPool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TextPool").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_code_whichever_thread_adds_it() {
        let budget = Budget::new(1 << 30);
        let pool = TextPool::new(&budget);
        let text = |number: usize| format!("text {number}");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..10_000).for_each(|number| _ = pool.code(&text(number)).unwrap()));
            }
        });
        let codes: Vec<i64> = (0..10_000).map(|number| pool.code(&text(number)).unwrap()).collect();
        assert!(codes.iter().enumerate().all(|(number, code)| pool.get(*code) == Some(&*text(number))));
        let distinct: std::collections::HashSet<_> = codes.iter().collect();
        assert_eq!((distinct.len(), codes.iter().max()), (10_000, Some(&9_999)));
        assert!([10_000, -1, i64::MAX].iter().all(|code| pool.get(*code).is_none()));
        drop(pool);
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn the_texts_of_a_pool_are_charged() {
        let budget = Budget::new(1 << 20);
        let pool = TextPool::new(&budget);
        assert!(pool.code(&"a".repeat(2 << 20)).is_err());
        let many = (0..).map_while(|number| pool.code(&format!("{number:0100}")).ok()).count();
        assert!((5_000..9_000).contains(&many), "{many}");
        assert_eq!(pool.get(0), Some(&*format!("{:0100}", 0)));
    }
}
