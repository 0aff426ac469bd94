//! [`Words`]: names and other repeated items, each stored once and referred to by a number.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// Items that are numbered in the order of their first use.
#[derive(Clone, Debug)]
pub(super) struct Words<T> {
    all: Vec<T>,
    numbers: HashMap<T, u32>,
    /// The number of the item that was looked up last; often the same item is looked up next.
    last: u32,
}

impl<T> Default for Words<T> {
    fn default() -> Self {
        Self { all: Vec::new(), numbers: HashMap::new(), last: 0 }
    }
}

impl<T: Clone + Eq + Hash> Words<T> {
    /// The number of an item. A new item is added first.
    pub(super) fn number<Q: ?Sized + ToOwned<Owned = T> + Eq + Hash>(&mut self, thing: &Q) -> u32
    where
        T: Borrow<Q>,
    {
        if self.all.get(self.last as usize).is_some_and(|last| last.borrow() == thing) {
            return self.last;
        }
        self.last = match self.numbers.get(thing) {
            Some(known) => *known,
            None => {
                let number = self.all.len() as u32;
                self.all.push(thing.to_owned());
                self.numbers.insert(thing.to_owned(), number);
                number
            }
        };
        self.last
    }

    /// The item that has this number.
    pub(super) fn get(&self, number: u32) -> &T {
        &self.all[number as usize]
    }

    /// All items in the order of their numbers.
    pub(super) fn all(&self) -> &[T] {
        &self.all
    }
}
