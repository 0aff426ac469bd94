//! [`PropertyChanges`]: the changed values of a property, in memory.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use varvite_codec::hash;
use varvite_format::ColumnId;

/// Stands for null among the codes of texts.
pub(super) const NULL: i64 = i64::MIN;

/// The changed values of one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PropertyChanges {
    /// The owners whose values are in the changes instead of in the base, in ascending order.
    pub(crate) owners: Vec<u32>,
    /// The end of each owner's values; an owner may have none.
    pub(crate) ends: Vec<u32>,
    /// The values. A text is stored as its code (its number): the texts of the base come first, then those of
    /// `texts`. Null is [`NULL`].
    pub(crate) values: Vec<i64>,
    /// The texts that the base does not have; `None` if values are not texts.
    pub(crate) texts: Option<NewTexts>,
}

/// The columns of the values of a property, already written to a file.
pub(crate) struct ValueColumns {
    pub(crate) present: ColumnId,
    pub(crate) offsets: Option<ColumnId>,
    pub(crate) values: ColumnId,
    pub(crate) strings: Option<ColumnId>,
}

/// The texts of a property that the table of the base does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NewTexts {
    /// The number of texts of the base.
    pub(super) base: u32,
    /// All texts, concatenated.
    pub(super) pool: Vec<u8>,
    /// The end of each text in `pool`.
    pub(super) ends: Vec<u32>,
    /// Whether all owners that have null among their values in the base were moved to the changes.
    pub(super) has_nulls: bool,
    pub(super) numbers: TextNumbers,
}

/// The numbers of texts by their hashes. [`NewTexts::find_one`] adds the texts that the table lacks.
#[derive(Clone, Debug, Default)]
pub(super) struct TextNumbers {
    /// The number of each text, by its hash under the first seed for which no other text has the same hash.
    by_hash: HashMap<u64, u32>,
    /// The number of texts in the table.
    count: u32,
}

/// The table can be computed from the texts, so equality ignores it.
impl PartialEq for TextNumbers {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for TextNumbers {}

impl PropertyChanges {
    /// Bytes of memory that the changes take.
    pub(super) fn heap_bytes(&self) -> usize {
        let texts = |texts: &NewTexts| texts.pool.len() + size_of_val(&*texts.ends);
        let numbers = size_of_val(&*self.owners) + size_of_val(&*self.ends);
        numbers + size_of_val(&*self.values) + self.texts.as_ref().map_or(0, texts)
    }

    /// Each owner with its values.
    pub(super) fn lists(&self) -> impl Iterator<Item = (u32, &[i64])> {
        lists(&self.owners, &self.ends, &self.values)
    }

    /// The changed values of an owner; `None` if the owner's values are those of the base.
    pub(super) fn of(&self, owner: u32) -> Option<&[i64]> {
        let index = self.owners.binary_search(&owner).ok()?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.values[start as usize..self.ends[index] as usize])
    }
}

/// Each owner with its values. The values end at the owner's entry in `ends`, and start at the end of the
/// previous owner's values.
pub(super) fn lists<'a>(
    owners: &'a [u32],
    ends: &'a [u32],
    values: &'a [i64],
) -> impl Iterator<Item = (u32, &'a [i64])> {
    let starts = std::iter::once(&0).chain(ends);
    let lists = starts.zip(ends).map(|(start, end)| &values[*start as usize..*end as usize]);
    owners.iter().copied().zip(lists)
}

impl NewTexts {
    /// The number of texts.
    pub(super) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The index of a text in this table. Costs in proportion to the texts that were added since the last
    /// call.
    pub(super) fn find_one(&mut self, text: &[u8]) -> Option<u32> {
        let mut numbers = std::mem::take(&mut self.numbers);
        for number in numbers.count..self.len() {
            let of = (0..).find_map(|seed| match numbers.by_hash.entry(hash(self.get(number), seed)) {
                Entry::Vacant(place) => Some(*place.insert(number)),
                Entry::Occupied(other) => (self.get(*other.get()) == self.get(number)).then_some(number),
            });
            debug_assert_eq!(of, Some(number));
        }
        numbers.count = self.len();
        let found = (0..).map_while(|seed| numbers.by_hash.get(&hash(text, seed)));
        let found = found.copied().find(|number| self.get(*number) == text);
        self.numbers = numbers;
        found
    }

    /// The text at an index in this table, which does not contain the texts of the base.
    pub(super) fn get(&self, index: u32) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.pool[start as usize..self.ends[index as usize] as usize]
    }
}

/// The values, with the codes that texts will have in the file, and the used texts in the order of their
/// first use.
pub(super) fn used_texts(values: &[i64], texts: &NewTexts) -> (Vec<i64>, NewTexts) {
    let base = i64::from(texts.base);
    let mut used = NewTexts { base: texts.base, ..NewTexts::default() };
    // The new code of each text; `None` until the text is used.
    let mut numbers: Vec<Option<u32>> = vec![None; texts.len() as usize];
    let mut codes: Vec<i64> = Vec::with_capacity(values.len());
    for value in values {
        codes.push(match *value {
            NULL => NULL,
            known if known < base => known,
            new => {
                base + i64::from(*numbers[(new - base) as usize].get_or_insert_with(|| {
                    used.pool.extend_from_slice(texts.get((new - base) as u32));
                    used.ends.push(used.pool.len() as u32);
                    used.len() - 1
                }))
            }
        });
    }
    let null = base + i64::from(used.len());
    codes.iter_mut().filter(|code| **code == NULL).for_each(|code| *code = null);
    (codes, used)
}
