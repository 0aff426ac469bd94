//! [`ValueStream`]: the values of a property of a new graph, if these values do not fit in memory.
//!
//! The values are sorted and written as if a diff had set them in a graph with an empty base.

use std::sync::Arc;

use varvite_store::{Scratch, StoreWriter, Task};

use super::known_texts::KnownTexts;
use super::large_values::write_large_values;
use super::property_changes::{NULL, ValueColumns};
use super::value_runs::{RunValue, ValueEdit, ValueRuns};
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::write::Encoder;

/// The memory for sorting the values of all properties is the memory limit divided by this.
const SHARE: usize = 4;

/// The values of a property. Owners may be added in any order.
pub(crate) struct ValueStream<'a> {
    runs: ValueRuns,
    scratch: Option<&'a Arc<Scratch>>,
}

impl<'a> ValueStream<'a> {
    /// Creates an empty stream: of texts if `are_texts` is true, otherwise of numbers.
    pub(crate) fn new(are_texts: bool, scratch: Option<&'a Arc<Scratch>>) -> Self {
        let texts = are_texts.then(|| KnownTexts::new(0, scratch));
        Self { runs: ValueRuns::new(texts, scratch), scratch }
    }

    /// Bytes of memory for a stream of `owners` owners and `values` values, if the memory limit is `memory`
    /// bytes.
    pub(crate) fn heap_bytes(owners: u32, values: u64, memory: usize) -> u64 {
        const HEADERS: u64 = 64;
        const COLUMNS: u64 = 3;
        const ROOMS: u64 = 1 << 20;
        (memory / SHARE) as u64 + u64::from(owners) / 4 + values / 1024 * HEADERS * COLUMNS + ROOMS
    }

    /// Gives an owner a number. If `replaces` is true, the number replaces the owner's values; otherwise it
    /// is appended to them.
    pub(crate) fn push_number(&mut self, owner: u32, number: i64, replaces: bool) -> Result<(), ChangeError> {
        self.push(owner, RunValue::Number(number), replaces)
    }

    /// The same as [`Self::push_number`], for a text; `None` is null.
    pub(crate) fn push_text(
        &mut self,
        owner: u32,
        text: Option<&[u8]>,
        replaces: bool,
    ) -> Result<(), ChangeError> {
        self.push(owner, text.map_or(RunValue::Number(NULL), RunValue::Text), replaces)
    }

    fn push(&mut self, owner: u32, value: RunValue<'_>, replaces: bool) -> Result<(), ChangeError> {
        let deed = if replaces { ValueEdit::Set } else { ValueEdit::Append };
        Ok(self.runs.push(owner, deed, [value])?)
    }

    /// Writes the columns of values whose owners are below `limit`, and calls `see` with each owner that has
    /// values and the number of its values.
    pub(crate) fn write(
        self,
        limit: u32,
        encoder: &Encoder,
        writer: &mut StoreWriter,
        task: &Task<'_>,
        mut see: impl FnMut(u32, u32),
    ) -> Result<ValueColumns, ChangeError> {
        let Self { runs, scratch } = self;
        let sorted = runs.merge(None, scratch, None, task)?;
        sorted.for_each_owner(|owner, values| -> Result<()> {
            see(owner, values);
            Ok(())
        })?;
        write_large_values(&sorted, limit, scratch, encoder, writer, task)
    }
}
