//! [`Levels`]: where the rows of a column have values, in the terms of Parquet.
//!
//! | column | row | definition | repetition |
//! |---|---|---|---|
//! | never null | a value | none | none |
//! | of values | null; a value | 0; 1 | none |
//! | of lists | an empty list | 0 | 0 |
//! | | an item that is null; a value | 1; 2 | 0 for the first item of a list, otherwise 1 |

use varvite::arrow::Array;

/// The levels of some rows, and the places of their values in the array of values.
#[derive(Debug, Default)]
pub(super) struct Levels {
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
    places: Vec<usize>,
}

impl Levels {
    /// Removes all rows.
    pub(super) fn clear(&mut self) {
        self.definitions.clear();
        self.repetitions.clear();
        self.places.clear();
    }

    /// The number of values, nulls and empty lists.
    pub(super) fn len(&self) -> usize {
        self.definitions.len().max(self.places.len())
    }

    /// The definition levels; `None` for a column without nulls.
    pub(super) fn definitions(&self) -> Option<&[i16]> {
        (!self.definitions.is_empty()).then_some(&self.definitions)
    }

    /// The repetition levels; `None` for a column without lists.
    pub(super) fn repetitions(&self) -> Option<&[i16]> {
        (!self.repetitions.is_empty()).then_some(&self.repetitions)
    }

    /// The places of the values, ascending.
    pub(super) fn places(&self) -> &[usize] {
        &self.places
    }

    /// Adds a row of a column without nulls.
    pub(super) fn push_required(&mut self, row: usize) {
        self.places.push(row);
    }

    /// Adds a row of a column of values.
    pub(super) fn push_optional(&mut self, array: &Array, row: usize) {
        let is_valid = is_valid(array, row);
        self.definitions.push(i16::from(is_valid));
        if is_valid {
            self.places.push(row);
        }
    }

    /// Adds a row of a column of lists, whose items have the places from `start` to `end`.
    pub(super) fn push_list(&mut self, items: &Array, start: usize, end: usize) {
        if start >= end {
            self.definitions.push(0);
            self.repetitions.push(0);
        }
        for place in start..end {
            let is_valid = is_valid(items, place);
            self.definitions.push(if is_valid { 2 } else { 1 });
            self.repetitions.push(i16::from(place > start));
            if is_valid {
                self.places.push(place);
            }
        }
    }
}

/// Whether an array has a value at a place.
fn is_valid(array: &Array, place: usize) -> bool {
    let Some(Some(bits)) = array.buffers().first() else { return true };
    bits.bytes().get(place / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1)
}
