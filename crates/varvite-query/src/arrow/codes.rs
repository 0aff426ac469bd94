//! [`Codes`]: the texts of a column as codes into a dictionary that has only the texts of one batch.
//!
//! The table of all texts of a property may be far larger than a batch, so each batch has a dictionary of its
//! own. A text is decoded once for each batch in which it occurs, in the order of the property's codes, so
//! that each block of texts is decoded once.

use std::mem::take;
use std::sync::Arc;

use super::array::Array;
use super::text_array::texts_of;
use varvite_graph::{Property, Texts, ValueType};

/// Collects the texts of one column.
#[derive(Debug)]
pub(super) struct Codes {
    texts: Option<Texts>,
    is_text: bool,
    /// For each code of the property, one more than its index in `used`; 0 if the batch does not use it.
    places: Vec<u32>,
    /// The codes of the batch, in the order of their first use.
    used: Vec<u32>,
    /// For each row, an index in `used`.
    rows: Vec<u32>,
    bytes: usize,
}

impl Codes {
    pub(super) fn of(property: &Property) -> Self {
        let texts = property.strings().cloned();
        let is_text = property.value_type() == ValueType::String;
        Self { texts, is_text, places: Vec::new(), used: Vec::new(), rows: Vec::new(), bytes: 0 }
    }

    /// The size in bytes of the distinct texts so far.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Appends the text of a code. `None` if the code stands for null.
    pub(super) fn push(&mut self, code: i64) -> Option<()> {
        let texts = self.texts.as_ref()?;
        let code = u32::try_from(code).ok().filter(|code| *code < texts.len())?;
        if self.places.is_empty() {
            self.places = vec![0; texts.len() as usize];
        }
        let place = self.places.get_mut(code as usize)?;
        if *place == 0 {
            self.bytes += texts.text_len(code)?;
            self.used.push(code);
            *place = self.used.len() as u32;
        }
        self.rows.push(*place - 1);
        Some(())
    }

    pub(super) fn push_null(&mut self) {
        self.rows.push(0);
    }

    /// The array of all rows since the last call.
    pub(super) fn finish(&mut self) -> Array {
        let (used, rows) = (take(&mut self.used), take(&mut self.rows));
        self.bytes = 0;
        used.iter().for_each(|code| self.places[*code as usize] = 0);
        let mut order: Vec<u32> = (0..used.len() as u32).collect();
        order.sort_unstable_by_key(|index| used[*index as usize]);
        let mut indexes = vec![0u32; used.len()];
        (0..).zip(&order).for_each(|(index, old)| indexes[*old as usize] = index);
        let codes = rows.iter().map(|row| indexes.get(*row as usize).copied().unwrap_or(0));
        let sorted: Vec<u32> = order.iter().map(|index| used[*index as usize]).collect();
        Array::numbers(codes.collect::<Vec<u32>>()).with_dictionary(Arc::new(self.dictionary(&sorted)))
    }

    fn dictionary(&self, codes: &[u32]) -> Array {
        let texts = self.texts.as_ref();
        let array = texts.and_then(|texts| texts_of(texts, self.is_text, codes, usize::MAX));
        array.unwrap_or_else(|| Array::names([]))
    }
}
