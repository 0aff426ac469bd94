//! [`PropertyColumn`]: reads the values of a property for many owners, and makes an array of them.

use varvite_format::NONE;
use varvite_graph::internal::fill_bits;
use varvite_graph::{Cardinality, Property, ValueType};

use super::super::array::{Array, Buffer};
use super::super::field::DataType;
use super::dictionary::Dictionary;

/// The bytes of a value: a number, its copy in the array, and two bits.
const ITEM_BYTES: usize = 2 * size_of::<i64>() + 1;

/// A property, with the memory in which its values are decoded.
#[derive(Debug)]
pub(super) struct PropertyColumn {
    property: Property,
    data_type: DataType,
    dictionary: Option<Dictionary>,
    /// The number that stands for null.
    null: Option<i64>,
    numbers: Vec<i64>,
    /// A bit for each number: 0 if there is no value.
    present: Vec<u64>,
}

impl PropertyColumn {
    pub(super) fn of(property: &Property) -> Self {
        let dictionary = property.strings().map(|texts| Dictionary::of(texts, property.value_type()));
        let null = match property.value_type() {
            ValueType::Ref => Some(i64::from(NONE)),
            _ => property.strings().map(|texts| i64::from(texts.len())),
        };
        Self {
            property: property.clone(),
            data_type: DataType::of(property.value_type()),
            dictionary,
            null,
            numbers: Vec::new(),
            present: Vec::new(),
        }
    }

    /// The bytes that this column holds for each row of a batch, its array included.
    pub(super) fn row_bytes(&self) -> usize {
        ITEM_BYTES + size_of::<i64>()
    }

    /// The bytes that this column holds beside its rows and texts.
    pub(super) fn fixed_bytes(&self) -> usize {
        self.dictionary.as_ref().map_or(0, Dictionary::fixed_bytes)
    }

    /// Whether the size of a value has no limit.
    pub(super) fn is_variable(&self) -> bool {
        self.dictionary.is_some() || self.property.cardinality() == Cardinality::List
    }

    /// The values of some owners. `None` if their texts, or their lists, have more than `bytes_max` bytes.
    pub(super) fn array(&mut self, owners: &[u32], bytes_max: usize) -> Option<Array> {
        if self.property.cardinality() == Cardinality::List {
            return self.lists(owners, bytes_max);
        }
        match range_of(owners) {
            Some(range) => self.property.fill(range, &mut self.numbers, &mut self.present),
            None => self.property.fill_list(owners, &mut self.numbers, &mut self.present),
        }
        self.values(bytes_max)
    }

    fn lists(&mut self, owners: &[u32], bytes_max: usize) -> Option<Array> {
        let mut offsets = Vec::with_capacity(owners.len() + 1);
        offsets.push(0);
        self.numbers.clear();
        for owner in owners {
            self.numbers.extend(self.property.numbers(*owner));
            if self.numbers.len() * ITEM_BYTES > bytes_max {
                return None;
            }
            offsets.push(self.numbers.len() as i64);
        }
        fill_bits(self.numbers.len(), &mut self.present);
        Some(Array::lists(offsets, self.values(bytes_max)?))
    }

    /// The decoded numbers as an array.
    fn values(&mut self, bytes_max: usize) -> Option<Array> {
        if let Some(null) = self.null {
            clear_nulls(&self.numbers, null, &mut self.present);
        }
        let array = match &mut self.dictionary {
            Some(dictionary) => dictionary.encode(&self.numbers, &self.present, bytes_max)?,
            None => Array::narrowed(&self.data_type, &self.numbers),
        };
        let values: usize = self.present.iter().map(|word| word.count_ones() as usize).sum();
        Some(match self.numbers.len().saturating_sub(values) {
            0 => array,
            nulls => array.with_validity(nulls, Buffer::of(self.present.clone())),
        })
    }
}

/// The range of owners that are consecutive. The ranks of changed edges may be in any order.
fn range_of(owners: &[u32]) -> Option<std::ops::Range<u32>> {
    let (first, last) = (*owners.first()?, *owners.last()?);
    let is_far = last.checked_sub(first)? as usize + 1 != owners.len();
    let is_next = |pair: &[u32]| pair[0].checked_add(1) == Some(pair[1]);
    (!is_far && last < u32::MAX && owners.windows(2).all(is_next)).then(|| first..last + 1)
}

/// Clears the bits of numbers that stand for null.
fn clear_nulls(numbers: &[i64], null: i64, present: &mut [u64]) {
    for (word, numbers) in present.iter_mut().zip(numbers.chunks(64)) {
        let bit = |bits, (index, number): (usize, &i64)| bits | u64::from(*number == null) << index;
        *word &= !numbers.iter().enumerate().fold(0, bit);
    }
}
