//! Writes the values of some hundred thousand owners or more, or many megabytes of texts, as columns that are
//! never completely in memory.
//!
//! Whatever the profile of the file, numbers are packed (or take eight bytes each, if they span more than 32
//! bits), and no codec is used, because trying encodings would need all values in memory. The memory needed
//! is one bit for each possible owner, and 64 bytes for each thousand values.

use std::sync::Arc;

use varvite_format::{ColumnId, ColumnRow, Encoding};
use varvite_store::{Scratch, StoreWriter, Task};

use super::large_lists::LargeColumn;
use super::property_changes::ValueColumns;
use super::sorted_values::SortedValues;
use super::sorter::check_at;
use super::text_uses::SortedTexts;
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::write::Encoder;

/// Writes the set of the owners below `limit` with changed values, including owners that lost all values.
pub(super) fn write_large_owners(
    sorted: &SortedValues,
    limit: u32,
    encoder: &Encoder,
    writer: &mut StoreWriter,
) -> Result<ColumnId, ChangeError> {
    let mut owners = vec![0u64; (limit as usize).div_ceil(64)];
    sorted.for_each_owner(|owner, _| -> Result<()> {
        owners[owner as usize / 64] |= 1 << (owner % 64);
        Ok(())
    })?;
    Ok(writer.add(encoder.bitmap(&owners, limit)?)?)
}

/// Writes the columns of the values of owners below `limit`.
pub(super) fn write_large_values(
    sorted: &SortedValues,
    limit: u32,
    scratch: Option<&Arc<Scratch>>,
    encoder: &Encoder,
    writer: &mut StoreWriter,
    task: &Task<'_>,
) -> Result<ValueColumns, ChangeError> {
    let mut present = vec![0u64; (limit as usize).div_ceil(64)];
    let mut offsets = sorted.has_lists().then(|| LargeColumn::new(true, scratch));
    let mut end = 0;
    sorted.for_each_owner(|owner, values| -> Result<(), ChangeError> {
        if values > 0 {
            present[owner as usize / 64] |= 1 << (owner % 64);
            offsets.iter_mut().try_for_each(|offsets| offsets.push(end))?;
        }
        end += values;
        Ok(())
    })?;
    offsets.iter_mut().try_for_each(|offsets| offsets.push(end))?;
    task.check()?;
    Ok(ValueColumns {
        present: writer.add(encoder.bitmap(&present, limit)?)?,
        offsets: offsets.map(|offsets| offsets.write(0, false, writer)).transpose()?,
        values: write_values(sorted, scratch, writer, task)?,
        strings: sorted.texts.as_ref().map(|texts| write_texts(texts, scratch, writer, task)).transpose()?,
    })
}

fn write_values(
    sorted: &SortedValues,
    scratch: Option<&Arc<Scratch>>,
    writer: &mut StoreWriter,
    task: &Task<'_>,
) -> Result<ColumnId, ChangeError> {
    let (mut least, mut most, mut values) = (i64::MAX, i64::MIN, sorted.values());
    while let Some(value) = values.next()? {
        (least, most) = (least.min(value), most.max(value));
    }
    task.check()?;
    let (mut values, count) = (sorted.values(), u64::from(sorted.value_count()));
    let is_narrow = most.checked_sub(least).is_some_and(|span| u32::try_from(span).is_ok());
    if is_narrow || count == 0 {
        let base = if count == 0 { 0 } else { least };
        let mut column = LargeColumn::new(false, scratch);
        for number in 0u32.. {
            let Some(value) = values.next()? else { break };
            column.push(value.wrapping_sub(base) as u32)?;
            check_at(number, task)?;
        }
        return column.write(base, false, writer);
    }
    let row = ColumnRow { width: 8, signed: true, ..ColumnRow::empty(Encoding::Plain, count) };
    Ok(writer.add_streamed(row, count * 8, |part| {
        for place in part.chunks_mut(8) {
            let value = values.next()?.unwrap_or_default().to_le_bytes();
            place.copy_from_slice(&value[..place.len()]);
        }
        Ok(())
    })?)
}

fn write_texts(
    texts: &SortedTexts,
    scratch: Option<&Arc<Scratch>>,
    writer: &mut StoreWriter,
    task: &Task<'_>,
) -> Result<ColumnId, ChangeError> {
    let (mut starts, mut lens, mut end) = (LargeColumn::new(true, scratch), texts.lens(), 0u32);
    starts.push(0)?;
    while let Some(len) = lens.read_item()?.map(u32::from_le_bytes) {
        end += len;
        starts.push(end)?;
    }
    task.check()?;
    let starts = starts.write(0, false, writer)?;
    let mut row = ColumnRow::empty(Encoding::Entries, texts.count().into());
    row.children[0] = Some(starts);
    let mut pool = texts.pool();
    Ok(writer.add_streamed(row, texts.bytes(), |part| {
        let read = pool.read(part)?;
        debug_assert_eq!(read, part.len(), "the length is that of the pool");
        Ok(())
    })?)
}
