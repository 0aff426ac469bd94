//! [`ValueRuns`]: the new values of a property, on disk because they do not fit in memory.
//!
//! Each operation on an owner is a record on disk; the records are sorted by owner.
//! [Merging](ValueRuns::merge) the records computes the final values of each owner from its records and from
//! the base. If a value is a new text, its record contains the text; texts that the changes of the graph
//! already had are stored once.
//!
//! ```text
//! record of an owner = u8 kind, values
//! value              = i64; of texts: the code of a known text, or NULL, or -1 - length and the bytes
//! ```

use std::sync::Arc;

use varvite_store::{Scratch, Task};

use super::base::{BaseValues, Reader};
use super::known_texts::KnownTexts;
use super::property_changes::{NULL, PropertyChanges};
use super::sorted_values::SortedValues;
use super::sorter::Sorter;
use super::text_uses::TextUses;
use crate::change_error::ChangeError;
use crate::error::Result;

/// The operation on the values of an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum ValueEdit {
    /// The existing values are replaced.
    Set = 0,
    /// New values are appended to the existing values.
    Append = 1,
    /// The values stay the same; if they are in the base, they are moved to the changes.
    Keep = 2,
}

/// A value: a number (which may be the code of a known text), or a text that the changes do not have yet.
#[derive(Clone, Copy, Debug)]
pub(super) enum RunValue<'a> {
    Number(i64),
    Text(&'a [u8]),
}

/// The new values of one property.
#[derive(Clone, Debug)]
pub(super) struct ValueRuns {
    rows: Sorter,
    /// The known texts; `None` if values are not texts.
    pub(super) texts: Option<KnownTexts>,
    row: Vec<u8>,
}

impl ValueRuns {
    /// An empty list of values.
    pub(super) fn new(texts: Option<KnownTexts>, scratch: Option<&Arc<Scratch>>) -> Self {
        Self { rows: Sorter::new(scratch), texts, row: Vec::new() }
    }

    /// Converts changes that are in memory.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn of(changes: &PropertyChanges, scratch: Option<&Arc<Scratch>>) -> Result<Self> {
        let texts = changes.texts.as_ref().map(|texts| KnownTexts::of(texts, scratch)).transpose()?;
        let mut runs = Self::new(texts, scratch);
        for (owner, values) in changes.lists() {
            runs.push(owner, ValueEdit::Set, values.iter().copied().map(RunValue::Number))?;
        }
        Ok(runs)
    }

    /// Adds an operation on the values of an owner.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn push<'v>(
        &mut self,
        owner: u32,
        deed: ValueEdit,
        values: impl IntoIterator<Item = RunValue<'v>>,
    ) -> Result<()> {
        let Self { rows, texts, row } = self;
        row.clear();
        row.push(deed as u8);
        for value in values {
            match (value, &mut *texts) {
                (RunValue::Text(text), Some(texts)) => {
                    row.extend_from_slice(&(-1 - text.len() as i64).to_le_bytes());
                    row.extend_from_slice(text);
                    texts.has_new = true;
                }
                (RunValue::Number(number), _) => row.extend_from_slice(&number.to_le_bytes()),
                (RunValue::Text(_), None) => debug_assert!(false, "only properties of texts have texts"),
            }
        }
        rows.push(owner.into(), row)
    }

    /// Bytes of memory that the values take.
    pub(super) fn heap_bytes(&self) -> usize {
        self.rows.heap_bytes()
    }

    /// Writes the values that are in memory to disk.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn put_aside(&mut self) -> Result<()> {
        self.rows.put_aside()
    }

    /// Computes the final values of the owners from their records and from their values in `base`. An owner
    /// without values in either is left out.
    ///
    /// # Errors
    /// Damage of the base; an error of the file system;
    /// [`GraphError::Cancelled`](crate::GraphError::Cancelled).
    pub(super) fn merge(
        self,
        base: Option<&BaseValues>,
        scratch: Option<&Arc<Scratch>>,
        reader: Option<Reader<'_>>,
        task: &Task<'_>,
    ) -> Result<SortedValues, ChangeError> {
        let rows = self.rows.sorted(task)?;
        let mut merging = Merging {
            base,
            reader,
            base_texts: self.texts.as_ref().map(|texts| texts.base),
            uses: self.texts.as_ref().map(|texts| TextUses::new(texts.base, scratch)),
            sorted: SortedValues::new(scratch),
            owner: None,
            values: OwnerValues::default(),
        };
        rows.for_each(task, |owner, row| merging.take(owner as u32, row))?;
        merging.end_owner()?;
        drop(rows);
        let Merging { mut sorted, uses, .. } = merging;
        sorted.settle()?;
        if let (Some(known), Some(uses)) = (self.texts, uses) {
            sorted.texts = Some(uses.number(&known, scratch, task)?);
        }
        Ok(sorted)
    }
}

/// The values of one owner: numbers, and texts without a known code.
#[derive(Default)]
struct OwnerValues {
    values: Vec<Value>,
    /// All texts, concatenated.
    bytes: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Value {
    Number(i64),
    /// The start and the end of a text in `bytes`.
    Text(usize, usize),
}

struct Merging<'a> {
    base: Option<&'a BaseValues>,
    /// Reports damage of the base; `None` if there is no base.
    reader: Option<Reader<'a>>,
    base_texts: Option<u32>,
    uses: Option<TextUses>,
    sorted: SortedValues,
    /// The owner whose values are being merged.
    owner: Option<u32>,
    values: OwnerValues,
}

impl Merging<'_> {
    fn take(&mut self, owner: u32, row: &[u8]) -> Result<(), ChangeError> {
        let [deed, row @ ..] = row else { return Ok(()) };
        let is_first = self.owner != Some(owner);
        if is_first {
            self.end_owner()?;
            self.owner = Some(owner);
        }
        if *deed == ValueEdit::Set as u8 {
            self.values.clear();
        } else if is_first {
            self.take_base(owner)?;
        }
        self.values.take(row, self.base_texts.is_some());
        Ok(())
    }

    /// Adds the values that an owner has in the base.
    fn take_base(&mut self, owner: u32) -> Result<()> {
        let (Some(base), Some(reader)) = (self.base, self.reader) else { return Ok(()) };
        let mut values = Vec::new();
        base.append(owner, &mut values).ok_or_else(|| reader.impossible("property", owner))?;
        // In the base, the code of null is one more than that of the base's last text. In the changes, it is
        // `NULL`.
        let null = self.base_texts.map(i64::from);
        let values = values.into_iter().map(|value| if Some(value) == null { NULL } else { value });
        self.values.values.extend(values.map(Value::Number));
        Ok(())
    }

    fn end_owner(&mut self) -> Result<(), ChangeError> {
        let Some(owner) = self.owner.take() else { return Ok(()) };
        let OwnerValues { values, bytes } = &self.values;
        if !values.is_empty() || self.base.is_some_and(|base| base.has(owner)) {
            self.sorted.push_owner(owner, values.len() as u32)?;
            for value in values {
                match (*value, &mut self.uses) {
                    (Value::Number(number), Some(uses)) => {
                        if number < i64::from(self.base_texts.unwrap_or(0)) {
                            self.sorted.push(number)?;
                        } else {
                            uses.push_known(number)?;
                            self.sorted.push_new_text()?;
                        }
                    }
                    (Value::Text(start, end), Some(uses)) => {
                        uses.push_text(&bytes[start..end])?;
                        self.sorted.push_new_text()?;
                    }
                    (Value::Number(number), None) => self.sorted.push(number)?,
                    (Value::Text(..), None) => debug_assert!(false, "only texts are texts"),
                }
            }
        }
        self.values.clear();
        Ok(())
    }
}

impl OwnerValues {
    fn clear(&mut self) {
        self.values.clear();
        self.bytes.clear();
    }

    /// Appends the values of a record.
    fn take(&mut self, mut row: &[u8], are_texts: bool) {
        while let Some((number, rest)) = row.split_first_chunk() {
            let number = i64::from_le_bytes(*number);
            row = rest;
            if !are_texts || number >= 0 || number == NULL {
                self.values.push(Value::Number(number));
                continue;
            }
            let (text, rest) = row.split_at((-1 - number) as usize);
            let start = self.bytes.len();
            self.bytes.extend_from_slice(text);
            self.values.push(Value::Text(start, self.bytes.len()));
            row = rest;
        }
    }
}
