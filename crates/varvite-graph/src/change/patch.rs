//! [`Patch`]: new values of some owners of one property. This module also applies them to the changes of the
//! property.

use std::collections::btree_map::Entry;

use varvite_format::PropertyId;

use super::base::{BaseValues, Reader};
use super::change_set::ChangeSet;
use super::property_changes::{NewTexts, PropertyChanges, lists};
use crate::cursor::value::ValueType;
use crate::error::{GraphError, Result};

/// A patch is applied in place if the changes have at least this many times as many owners as the patch.
const FEW: usize = 16;

/// All values that some owners have in one property, in ascending order of owners.
#[derive(Debug, Default)]
pub(super) struct Patch {
    owners: Vec<u32>,
    ends: Vec<u32>,
    values: Vec<i64>,
}

impl Patch {
    /// Adds the next owner and its new values, which replace all existing values.
    pub(super) fn push(&mut self, owner: u32, values: &[i64]) {
        self.owners.push(owner);
        self.values.extend_from_slice(values);
        self.ends.push(self.values.len() as u32);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    fn lists(&self) -> impl Iterator<Item = (u32, &[i64])> {
        lists(&self.owners, &self.ends, &self.values)
    }
}

impl ChangeSet {
    /// The changes of a property, created empty if there are none yet. `reader` is `None` for a property that
    /// the base does not have.
    pub(super) fn property_changes(
        &mut self,
        property: PropertyId,
        value_type: ValueType,
        reader: Option<Reader<'_>>,
    ) -> Result<&mut PropertyChanges> {
        self.touched.insert(property);
        let entry = match self.properties.entry(property) {
            Entry::Occupied(known) => return Ok(known.into_mut()),
            Entry::Vacant(entry) => entry,
        };
        let base = |reader: Reader<'_>| Ok::<_, GraphError>(reader.texts(property)?.len());
        let mut changes = PropertyChanges::of_nothing(value_type);
        if let Some(texts) = &mut changes.texts {
            texts.base = reader.map(base).transpose()?.unwrap_or(0);
        }
        Ok(entry.insert(changes))
    }

    /// Makes sure that the changes of a property are on disk: creates them there, or moves them there from
    /// memory.
    pub(super) fn begin_on_disk(&mut self, property: PropertyId, reader: Reader<'_>) -> Result<()> {
        self.begin(property, reader)?;
        self.put_on_disk(property)
    }

    /// Creates empty changes for a property of the base, if it has no changes yet.
    fn begin(&mut self, property: PropertyId, reader: Reader<'_>) -> Result<()> {
        if self.properties.contains_key(&property) || self.runs.contains_key(&property) {
            return Ok(());
        }
        let row = reader.graph.store().directory().properties.get(property.index());
        let value_type = row.and_then(|row| ValueType::from_number(row.value_type));
        // A property of an unknown type is treated as one without texts.
        let value_type = value_type.unwrap_or(ValueType::I64);
        self.property_changes(property, value_type, Some(reader)).map(drop)
    }

    /// Applies new values of a property. An owner that has no values in the patch and none in the base is not
    /// recorded as changed.
    pub(super) fn patch(
        &mut self,
        property: PropertyId,
        patch: &Patch,
        base: Option<&BaseValues>,
        reader: Reader<'_>,
    ) -> Result<()> {
        self.begin(property, reader)?;
        self.touched.insert(property);
        let changed = self.properties.get_mut(&property).expect("it was put there");
        changed.take_up(patch, |owner| base.is_some_and(|base| base.has(owner)));
        Ok(())
    }
}

impl PropertyChanges {
    /// Empty changes of a property. The number of texts in the base is 0 until the caller sets it.
    pub(super) fn of_nothing(value_type: ValueType) -> Self {
        let (owners, ends, values) = (Vec::new(), Vec::new(), Vec::new());
        Self { owners, ends, values, texts: value_type.is_text().then(NewTexts::default) }
    }

    fn take_up(&mut self, patch: &Patch, is_in_base: impl Fn(u32) -> bool) {
        if patch.owners.len() <= self.owners.len() / FEW && self.take_up_in_place(patch, &is_in_base) {
            return;
        }
        let mut merged = Patch::default();
        let mut old = lists(&self.owners, &self.ends, &self.values).peekable();
        for (owner, values) in patch.lists() {
            while let Some((before, values)) = old.next_if(|(known, _)| *known < owner) {
                merged.push(before, values);
            }
            let _replaced = old.next_if(|(known, _)| *known == owner);
            if !values.is_empty() || is_in_base(owner) {
                merged.push(owner, values);
            }
        }
        old.for_each(|(owner, values)| merged.push(owner, values));
        (self.owners, self.ends, self.values) = (merged.owners, merged.ends, merged.values);
    }

    /// Applies the patch in place. This works for owners whose number of values stays the same, and for
    /// owners that come after all existing owners. Returns false at the first other owner; the caller must
    /// then apply the whole patch in another way.
    fn take_up_in_place(&mut self, patch: &Patch, is_in_base: impl Fn(u32) -> bool) -> bool {
        patch.lists().all(|(owner, values)| match self.owners.binary_search(&owner) {
            Ok(index) => {
                let start = index.checked_sub(1).map_or(0, |before| self.ends[before]) as usize;
                let places = &mut self.values[start..self.ends[index] as usize];
                let is_as_many = places.len() == values.len();
                if is_as_many {
                    places.copy_from_slice(values);
                }
                is_as_many
            }
            Err(index) if index == self.owners.len() => {
                if !values.is_empty() || is_in_base(owner) {
                    self.owners.push(owner);
                    self.values.extend_from_slice(values);
                    self.ends.push(self.values.len() as u32);
                }
                true
            }
            Err(_) => false,
        })
    }
}
