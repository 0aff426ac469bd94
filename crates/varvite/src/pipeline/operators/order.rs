//! `order`: sorts rows, stably; where steps after it take the first ones, only about twice as many are ever held.

use std::cmp::Ordering;

use super::batch::Batch;
use super::chain::{Operate, Stage, pull};
use super::context::{Context, Stop};
use super::sort::{COPIED, sort, sort_by_texts};
use crate::pipeline::dictionary::compare_texts;
use crate::pipeline::key::KeyPlan;
use crate::property::Property;
use crate::value::ValueType;

/// The operator of `order`.
#[derive(Debug)]
pub(crate) struct Order {
    by: KeyPlan,
    descending: bool,
    /// How many rows are asked for at most: no more than about twice as many are held.
    first: usize,
    kept: Kept,
    /// Where kept rows go when some are dropped.
    spare: Kept,
    /// The key that a row has to come before, once enough rows are kept.
    last: Option<Option<i64>>,
    /// Rows in order.
    order: Vec<u32>,
    given: usize,
    is_sorted: bool,
    held: usize,
}

/// Rows with their keys, in the order in which they came.
#[derive(Debug, Default)]
struct Kept {
    rows: Batch,
    keys: Vec<Option<i64>>,
}

/// Rows that are kept before any are dropped.
const KEPT_MIN: usize = 1024;

impl Order {
    pub(crate) fn new(by: KeyPlan, descending: bool, first: Option<usize>) -> Self {
        Self {
            by,
            descending,
            first: first.unwrap_or(usize::MAX),
            kept: Kept::default(),
            spare: Kept::default(),
            last: None,
            order: Vec::new(),
            given: 0,
            is_sorted: false,
            held: 0,
        }
    }

    fn sort(&mut self, before: &mut [Stage], cx: &mut Context) -> Result<(), Stop> {
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            self.keep(input, cx);
            // Two orders of rows: the one that is read and the one that is written.
            let bytes = self.kept.bytes() + self.spare.bytes() + 8 * self.kept.keys.len();
            cx.budget.hold(&mut self.held, bytes)?;
            if self.kept.keys.len() >= self.first.saturating_mul(2).max(KEPT_MIN) {
                self.drop_last(cx)?;
            }
        }
        self.sort_kept(cx)?;
        self.is_sorted = true;
        Ok(())
    }

    /// Keeps the rows of a batch, apart from those that can't be among the first any more.
    fn keep(&mut self, input: &Batch, cx: &Context) {
        let keys = (0..input.rows()).map(|row| self.by.number(input, row));
        let Some(last) = self.last else {
            self.kept.keys.extend(keys);
            return self.kept.rows.push_all(input);
        };
        let numbers = Numbers::of(&self.by);
        self.order.clear();
        for (row, key) in (0..).zip(keys) {
            if numbers.compare_keys(key, last, self.descending).is_lt() {
                self.kept.keys.push(key);
                self.order.push(row);
            }
        }
        self.kept.rows.push_rows(input, &self.order, cx);
    }

    /// Drops the rows that are not among the first.
    fn drop_last(&mut self, cx: &mut Context) -> Result<(), Stop> {
        self.sort_kept(cx)?;
        let (kept, spare) = (&self.kept, &mut self.spare);
        spare.clear();
        spare.rows.push_rows(&kept.rows, &self.order, cx);
        spare.keys.extend(self.order.iter().map(|row| kept.keys[*row as usize]));
        self.last = spare.keys.last().copied();
        std::mem::swap(&mut self.kept, &mut self.spare);
        Ok(())
    }

    /// The first of the rows that are kept, in order.
    fn sort_kept(&mut self, cx: &mut Context) -> Result<(), Stop> {
        self.order.clear();
        let rows = self.kept.keys.len();
        for first in (0..rows).step_by(COPIED) {
            cx.tick_by(COPIED)?;
            self.order.extend(first as u32..rows.min(first + COPIED) as u32);
        }
        let (keys, numbers, descending) = (&self.kept.keys, Numbers::of(&self.by), self.descending);
        let compare =
            |a: &u32, b: &u32| numbers.compare_keys(keys[*a as usize], keys[*b as usize], descending);
        match numbers {
            Numbers::Texts(_) => sort_by_texts(&mut self.order, compare, cx)?,
            _ => sort(&mut self.order, compare, cx)?,
        }
        self.order.truncate(self.first);
        Ok(())
    }
}

impl Kept {
    fn bytes(&self) -> usize {
        self.rows.bytes() + 16 * self.keys.capacity()
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.keys.clear();
    }
}

impl Operate for Order {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !self.is_sorted {
            self.sort(before, cx)?;
        }
        let end = self.order.len().min(self.given + cx.batch_rows);
        output.push_rows(&self.kept.rows, &self.order[self.given..end], cx);
        let more = end > self.given;
        self.given = end;
        Ok(more)
    }

    fn reset(&mut self) {
        self.kept.clear();
        self.order.clear();
        self.last = None;
        (self.given, self.is_sorted) = (0, false);
    }
}

/// What the order of stored numbers is.
enum Numbers<'a> {
    Signed,
    Unsigned,
    Single,
    Double,
    Texts(&'a Property),
}

impl<'a> Numbers<'a> {
    fn of(by: &'a KeyPlan) -> Self {
        let property = by.property();
        let value_type = property.map(Property::value_type).or_else(|| by.column().meaning.value_type());
        match (value_type, property) {
            (Some(ValueType::F32), _) => Self::Single,
            (Some(ValueType::F64), _) => Self::Double,
            (Some(ValueType::U64), _) => Self::Unsigned,
            (Some(ValueType::String | ValueType::Bytes), Some(property))
                if property.strings().is_some_and(|strings| !strings.is_sorted()) =>
            {
                Self::Texts(property)
            }
            _ => Self::Signed,
        }
    }

    /// Rows without a key come last either way.
    #[inline]
    fn compare_keys(&self, a: Option<i64>, b: Option<i64>, descending: bool) -> Ordering {
        match (a, b) {
            (Some(a), Some(b)) if descending => self.compare(b, a),
            (Some(a), Some(b)) => self.compare(a, b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        }
    }

    #[inline]
    fn compare(&self, a: i64, b: i64) -> Ordering {
        match self {
            Self::Signed => a.cmp(&b),
            Self::Unsigned => (a as u64).cmp(&(b as u64)),
            Self::Single => f32::from_bits(a as u32).total_cmp(&f32::from_bits(b as u32)),
            Self::Double => f64::from_bits(a as u64).total_cmp(&f64::from_bits(b as u64)),
            Self::Texts(property) => match property.strings() {
                Some(strings) => compare_texts(strings, a, b),
                None => a.cmp(&b),
            },
        }
    }
}
