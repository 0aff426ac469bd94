//! Truth values and defaults: functions that ask an operand only for the rows that the operands before it
//! have not decided.

use super::Value;
use super::spare::{Rows, Spare, Values};
use crate::pipeline::operators::condition::Condition;
use crate::pipeline::operators::context::Context;
use crate::pipeline::operators::stop::Stop;
use crate::pipeline::plan::ValueKind;

/// Appends whether a condition accepts each row.
pub(super) fn existing(
    condition: &mut Condition,
    rows: Rows<'_>,
    values: &mut Values,
    spare: &mut Spare,
    cx: &mut Context,
) -> Result<(), Stop> {
    let mut passing = spare.rows();
    passing.extend_from_slice(rows.rows);
    condition.select(rows.input, &mut passing, cx)?;
    let mut next = passing.iter().peekable();
    values.extend(rows.rows.iter().map(|row| Some(i64::from(next.next_if_eq(&row).is_some()))));
    spare.keep_rows(passing);
    Ok(())
}

/// Appends whether all operands are true, or any is, by the rules of SQL: a row that some operand decides has
/// a value even if others are absent.
pub(super) fn decide(
    is_any: bool,
    operands: &mut [Value],
    rows: Rows<'_>,
    values: &mut Values,
    spare: &mut Spare,
    cx: &mut Context,
) -> Result<(), Stop> {
    let (deciding, other) = (i64::from(is_any), i64::from(!is_any));
    values.resize(rows.len(), Some(other));
    let mut open = Open::all(rows, spare);
    for operand in operands {
        let mut found = spare.values();
        operand.compute(open.rows(rows), &mut found, spare, cx)?;
        open.close(&found, |place, value| {
            if value != Some(other) {
                values[place] = value;
            }
            value == Some(deciding)
        });
        spare.keep(found);
    }
    open.end(spare);
    Ok(())
}

/// Appends the value of the first operand that has one. `given` makes it a value of the result from the
/// number of the operand, its kind and its value.
pub(super) fn first_of(
    operands: &mut [Value],
    rows: Rows<'_>,
    values: &mut Values,
    mut given: impl FnMut(usize, ValueKind, i64, &mut Context) -> Result<i64, Stop>,
    spare: &mut Spare,
    cx: &mut Context,
) -> Result<(), Stop> {
    let Some((first, others)) = operands.split_first_mut() else {
        values.resize(rows.len(), None);
        return Ok(());
    };
    first.compute(rows, values, spare, cx)?;
    for value in values.iter_mut().flatten() {
        *value = given(0, first.kind, *value, cx)?;
    }
    if values.iter().all(Option::is_some) {
        return Ok(());
    }
    let mut open = Open::all(rows, spare);
    open.close(values, |_, value| value.is_some());
    for (number, operand) in (1..).zip(others) {
        let mut found = spare.values();
        operand.compute(open.rows(rows), &mut found, spare, cx)?;
        for value in found.iter_mut().flatten() {
            *value = given(number, operand.kind, *value, cx)?;
        }
        open.close(&found, |place, value| {
            values[place] = value;
            value.is_some()
        });
        spare.keep(found);
    }
    open.end(spare);
    Ok(())
}

/// The rows that no operand has decided.
struct Open {
    /// The places of the rows in the list of wanted rows, and their indexes in the batch.
    places: Vec<u32>,
    rows: Vec<u32>,
}

impl Open {
    fn all(rows: Rows<'_>, spare: &mut Spare) -> Self {
        let (mut places, mut open) = (spare.rows(), spare.rows());
        places.extend(0..rows.len() as u32);
        open.extend_from_slice(rows.rows);
        Self { places, rows: open }
    }

    fn rows<'b>(&'b self, all: Rows<'b>) -> Rows<'b> {
        Rows { rows: &self.rows, ..all }
    }

    /// Removes the rows for which `decides` returns true for their place and their value.
    fn close(&mut self, values: &[Option<i64>], mut decides: impl FnMut(usize, Option<i64>) -> bool) {
        let mut kept = 0;
        for (index, value) in values.iter().enumerate() {
            if !decides(self.places[index] as usize, *value) {
                (self.places[kept], self.rows[kept]) = (self.places[index], self.rows[index]);
                kept += 1;
            }
        }
        self.places.truncate(kept);
        self.rows.truncate(kept);
    }

    fn end(self, spare: &mut Spare) {
        spare.keep_rows(self.places);
        spare.keep_rows(self.rows);
    }
}
