//! [`Values`]: decodes the values of a property, one range of owners after another.

use varvite::{Property, Task, ValueType};

use super::layout::layout;
use crate::array::Array;
use crate::failure::Result;

/// The number of ids in a range of owners.
const OWNERS: u32 = 1 << 16;

/// Reads the values of the owners from one id on, range by range.
pub(super) struct Values<'a> {
    property: &'a Property,
    start: u32,
    numbers: Vec<i64>,
    /// A bit for each owner of a range, all of them set, as `append_wanted` takes it.
    wanted: Vec<u64>,
    scratch: (Vec<i64>, Vec<u64>),
}

impl<'a> Values<'a> {
    pub(super) fn of(property: &'a Property) -> Self {
        Self::from(property, 0)
    }

    pub(super) fn from(property: &'a Property, start: u32) -> Self {
        let wanted = vec![u64::MAX; OWNERS as usize / 64];
        Self { property, start, numbers: Vec::new(), wanted, scratch: (Vec::new(), Vec::new()) }
    }

    /// The first owner of the next range.
    pub(super) fn start(&self) -> u32 {
        self.start
    }

    /// All values, in the type of the property. Checks the flag of the task after each range.
    pub(super) fn array(&mut self, task: &Task<'_>) -> Result<Array> {
        let count = self.property.value_count();
        self.typed(count, &mut |values, take| {
            while let Some(numbers) = values.next() {
                take(numbers);
                task.check()?;
            }
            Ok(())
        })
    }

    /// The values of the next range; `None` after the last.
    pub(super) fn part(&mut self) -> Option<Array> {
        if self.start >= self.property.owner_limit() {
            return None;
        }
        let read: &mut Read<'_, 'a> = &mut |values, take| {
            values.next().into_iter().for_each(take);
            Ok(())
        };
        self.typed(0, read).ok()
    }

    /// The values of the next range as numbers; `None` after the last.
    fn next(&mut self) -> Option<&[i64]> {
        let limit = self.property.owner_limit();
        if self.start >= limit {
            return None;
        }
        let owners = self.start..limit.min(self.start.saturating_add(OWNERS));
        self.start = owners.end;
        self.numbers.clear();
        if self.property.is_list() {
            let found = self.property.owners_from(owners.start).take_while(|owner| *owner < owners.end);
            found.for_each(|owner| self.numbers.extend(self.property.numbers(owner)));
        } else {
            let (values, present) = &mut self.scratch;
            self.property.append_wanted(owners, &self.wanted, (values, present), &mut self.numbers);
        }
        Some(&self.numbers)
    }

    /// Makes an array in the type of the property from the numbers that `read` passes on.
    fn typed(&mut self, count: usize, read: &mut Read<'_, 'a>) -> Result<Array> {
        match self.property.value_type() {
            ValueType::Bool => self.collected(count, read, |number| u8::from(number != 0)),
            ValueType::I8 => self.collected(count, read, |number| number as i8),
            ValueType::I16 => self.collected(count, read, |number| number as i16),
            ValueType::I32 => self.collected(count, read, |number| number as i32),
            ValueType::I64 | ValueType::U64 => self.collected(count, read, |number| number),
            ValueType::U8 => self.collected(count, read, |number| number as u8),
            ValueType::U16 => self.collected(count, read, |number| number as u16),
            ValueType::U32 | ValueType::Ref | ValueType::String | ValueType::Bytes => {
                self.collected(count, read, |number| number as u32)
            }
            ValueType::F32 => self.collected(count, read, |number| f32::from_bits(number as u32)),
            ValueType::F64 => self.collected(count, read, |number| f64::from_bits(number as u64)),
        }
    }

    fn collected<T: Send + Sync + 'static>(
        &mut self,
        count: usize,
        read: &mut Read<'_, 'a>,
        of: impl Fn(i64) -> T,
    ) -> Result<Array> {
        let mut items = Vec::with_capacity(count);
        read(self, &mut |numbers| items.extend(numbers.iter().map(|number| of(*number))))?;
        Ok(Array::of(items, layout(self.property.value_type()).dtype))
    }
}

/// A function that reads values, and passes them on as numbers.
type Read<'r, 'a> = dyn FnMut(&mut Values<'a>, &mut dyn FnMut(&[i64])) -> Result<()> + 'r;
