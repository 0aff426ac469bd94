//! [`SortedValues`]: the final values of a property's changes, sorted by owner, in memory or on disk.

use std::sync::Arc;

use varvite_format::Quantity;
use varvite_store::{Scratch, StoreError, Tape, TapeReader};

use super::property_changes::{NULL, NewTexts, PropertyChanges, used_texts};
use super::text_uses::SortedTexts;
use crate::change_error::ChangeError;
use crate::error::Result;

/// How many bytes of the owners, and of the values, stay in memory when the rest is on disk.
const ROOM: usize = 32 << 10;
/// The changes of a property are large if they have at least `LARGE` owners or values, or at least
/// `TEXTS_LARGE` bytes of new texts.
pub(super) const LARGE: u32 = 1 << 18;
pub(super) const TEXTS_LARGE: u64 = 1 << 22;
/// Stands for a text that the base does not have; [`SortedTexts`] has the number of the text.
const NEW: i64 = -1;

/// The values of each owner.
#[derive(Clone, Debug)]
pub(super) struct SortedValues {
    /// Each owner, with its number of values.
    owners: Tape,
    owner_count: u32,
    /// The number of owners that have values.
    present: u32,
    values: Tape,
    value_count: u32,
    pub(super) texts: Option<SortedTexts>,
}

impl SortedValues {
    /// An empty list of values.
    pub(super) fn new(scratch: Option<&Arc<Scratch>>) -> Self {
        let tape = || Tape::new(scratch, ROOM);
        Self { owners: tape(), owner_count: 0, present: 0, values: tape(), value_count: 0, texts: None }
    }

    /// The values of a number property, which are already stored. `owners` yields the owners in ascending
    /// order, each with its number of values.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn of_numbers(
        scratch: Option<&Arc<Scratch>>,
        owners: impl IntoIterator<Item = (u32, u32)>,
        (values, value_count): (Tape, u32),
    ) -> Result<Self> {
        let mut sorted = Self { values, value_count, ..Self::new(scratch) };
        owners.into_iter().try_for_each(|(owner, values)| sorted.push_owner(owner, values))?;
        sorted.settle()?;
        Ok(sorted)
    }

    /// The final values of changes that are in memory.
    ///
    /// # Errors
    /// None in practice, because the values are in memory.
    pub(super) fn of(changes: &PropertyChanges) -> Result<Self, ChangeError> {
        let mut sorted = Self::new(None);
        for (owner, values) in changes.lists() {
            sorted.push_owner(owner, values.len() as u32)?;
        }
        match &changes.texts {
            None => changes.values.iter().try_for_each(|value| sorted.push(*value))?,
            Some(texts) => {
                let (codes, used) = used_texts(&changes.values, texts);
                codes.iter().try_for_each(|code| sorted.push(*code))?;
                sorted.texts = Some(SortedTexts::of(&used)?);
            }
        }
        Ok(sorted)
    }

    /// Appends the next owner, with its number of values.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn push_owner(&mut self, owner: u32, values: u32) -> Result<()> {
        self.owner_count += 1;
        self.present += u32::from(values > 0);
        Ok(self.owners.write(&(u64::from(values) << 32 | u64::from(owner)).to_le_bytes())?)
    }

    /// Appends the next value.
    ///
    /// # Errors
    /// An error of the file system; more values than a column of lists can have.
    pub(super) fn push(&mut self, value: i64) -> Result<(), ChangeError> {
        let limit = u64::from(u32::MAX);
        let count = self.value_count.checked_add(1).filter(|count| u64::from(*count) < limit);
        let too_many = || ChangeError::TooLarge { what: Quantity::Values, found: limit, limit: limit - 1 };
        self.value_count = count.ok_or_else(too_many)?;
        Ok(self.values.write(&value.to_le_bytes())?)
    }

    /// Appends the next value, a text that the base does not have. The number of the text is stored in
    /// [`texts`](Self::texts).
    ///
    /// # Errors
    /// The errors of [`SortedValues::push`].
    pub(super) fn push_new_text(&mut self) -> Result<(), ChangeError> {
        self.push(NEW)
    }

    /// Writes buffered owners and values to disk, and frees the memory of the buffers.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn settle(&mut self) -> Result<()> {
        self.owners.settle()?;
        Ok(self.values.settle()?)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.owner_count == 0
    }

    /// Whether any owner has more than one value.
    pub(super) fn has_lists(&self) -> bool {
        self.present != self.value_count
    }

    pub(super) fn value_count(&self) -> u32 {
        self.value_count
    }

    /// Whether the values are too many to try encodings, which would need all of them in memory. This depends
    /// on the values alone, so that equal changes give equal bytes.
    pub(super) fn is_large(&self) -> bool {
        let texts = self.texts.as_ref().map_or(0, SortedTexts::bytes);
        self.owner_count >= LARGE || self.value_count >= LARGE || texts >= TEXTS_LARGE
    }

    /// Calls `visit` with each owner and its number of values.
    ///
    /// # Errors
    /// An error of the file system; the errors of `visit`.
    pub(super) fn for_each_owner<E: From<StoreError>>(
        &self,
        mut visit: impl FnMut(u32, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut owners = self.owners.reader();
        while let Some(owner) = owners.read_item()?.map(u64::from_le_bytes) {
            visit(owner as u32, (owner >> 32) as u32)?;
        }
        Ok(())
    }

    /// A reader of all values, owner by owner, in the form in which a file stores them.
    pub(super) fn values(&self) -> ValueReader<'_> {
        let texts = self.texts.as_ref();
        ValueReader {
            values: self.values.reader(),
            numbers: texts.and_then(SortedTexts::numbers),
            base: texts.map_or(0, |texts| i64::from(texts.base())),
            null: texts.map(|texts| i64::from(texts.base()) + i64::from(texts.count())),
        }
    }

    /// Loads all values into memory.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn load(&self) -> Result<PropertyChanges> {
        let (mut owners, mut ends, mut end) = (Vec::new(), Vec::new(), 0);
        self.for_each_owner(|owner, values| -> Result<()> {
            end += values;
            owners.push(owner);
            ends.push(end);
            Ok(())
        })?;
        let (mut values, mut reader) = (Vec::with_capacity(self.value_count as usize), self.values());
        while let Some(value) = reader.next()? {
            values.push(if Some(value) == reader.null { NULL } else { value });
        }
        let texts = self.texts.as_ref().map(SortedTexts::load).transpose()?;
        Ok(PropertyChanges { owners, ends, values, texts })
    }
}

impl PropertyChanges {
    /// The same as [`SortedValues::is_large`].
    pub(super) fn is_large(&self) -> bool {
        let has_large = |texts: &NewTexts| {
            let is_large = |texts: &NewTexts| texts.pool.len() as u64 >= TEXTS_LARGE;
            is_large(texts) && is_large(&used_texts(&self.values, texts).1)
        };
        let large = LARGE as usize;
        self.owners.len() >= large || self.values.len() >= large || self.texts.as_ref().is_some_and(has_large)
    }
}

/// A reader of values, one after another.
pub(super) struct ValueReader<'a> {
    values: TapeReader<'a>,
    numbers: Option<TapeReader<'a>>,
    /// The code of the first text that the base does not have.
    base: i64,
    /// The code of null in a property of texts.
    null: Option<i64>,
}

impl ValueReader<'_> {
    /// The next value.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn next(&mut self) -> std::result::Result<Option<i64>, StoreError> {
        let Some(value) = self.values.read_item()?.map(i64::from_le_bytes) else { return Ok(None) };
        let Some(null) = self.null else { return Ok(Some(value)) };
        Ok(Some(match (value, &mut self.numbers) {
            (NULL, _) => null,
            (NEW, Some(numbers)) => {
                let number = numbers.read_item()?.map_or(0, u32::from_le_bytes);
                self.base + i64::from(number)
            }
            (value, _) => value,
        }))
    }
}
