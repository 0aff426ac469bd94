//! `order`: sorts all rows, stably.
//!
//! Runs of some thousand rows are sorted and then merged, so that the flag that cancels is seen in between.

use std::cmp::Ordering;

use super::batch::Batch;
use super::chain::{Operate, Stage, pull};
use super::context::{Context, Stop};
use crate::pipeline::dictionary::compare_texts;
use crate::pipeline::key::KeyPlan;
use crate::property::Property;
use crate::value::ValueType;

/// Rows that are sorted without a look at the flag.
const RUN: usize = 1 << 14;

/// The operator of `order`.
#[derive(Debug)]
pub(crate) struct Order {
    by: KeyPlan,
    descending: bool,
    rows: Batch,
    keys: Vec<Option<i64>>,
    /// Rows in order.
    order: Vec<u32>,
    given: usize,
    is_sorted: bool,
    held: usize,
}

impl Order {
    pub(crate) fn new(by: KeyPlan, descending: bool) -> Self {
        Self {
            by,
            descending,
            rows: Batch::default(),
            keys: Vec::new(),
            order: Vec::new(),
            given: 0,
            is_sorted: false,
            held: 0,
        }
    }

    fn sort(&mut self, before: &mut [Stage], cx: &mut Context) -> Result<(), Stop> {
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            self.keys.extend((0..input.rows()).map(|row| self.by.number(input, row)));
            self.rows.push_all(input);
            // Two orders of rows: the one that is read and the one that is written.
            let bytes = self.rows.bytes() + 16 * self.keys.capacity() + 8 * self.keys.len();
            cx.budget.hold(&mut self.held, bytes)?;
        }
        self.order.extend(0..self.keys.len() as u32);
        let (keys, descending) = (&self.keys, self.descending);
        let numbers = Numbers::of(&self.by);
        let compare = |a: &u32, b: &u32| match (keys[*a as usize], keys[*b as usize]) {
            (Some(a), Some(b)) if descending => numbers.compare(b, a),
            (Some(a), Some(b)) => numbers.compare(a, b),
            // Those without a key come last either way.
            (a, b) => b.is_some().cmp(&a.is_some()),
        };
        merge_sort(&mut self.order, compare, cx)?;
        self.is_sorted = true;
        Ok(())
    }
}

impl Operate for Order {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !self.is_sorted {
            self.sort(before, cx)?;
        }
        let end = self.order.len().min(self.given + cx.batch_rows);
        output.push_rows(&self.rows, &self.order[self.given..end], cx);
        let more = end > self.given;
        self.given = end;
        Ok(more)
    }

    fn reset(&mut self) {
        self.rows.clear();
        self.keys.clear();
        self.order.clear();
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
            (Some(ValueType::String | ValueType::Bytes), Some(property)) => Self::Texts(property),
            _ => Self::Signed,
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

/// Sorts stably: runs first, then merges of two until one is left.
fn merge_sort(
    items: &mut Vec<u32>,
    compare: impl Fn(&u32, &u32) -> Ordering,
    cx: &mut Context,
) -> Result<(), Stop> {
    for run in items.chunks_mut(RUN) {
        cx.cancel.check()?;
        run.sort_by(&compare);
    }
    let mut merged = Vec::with_capacity(if items.len() > RUN { items.len() } else { 0 });
    let mut width = RUN;
    while width < items.len() {
        merged.clear();
        for pair in items.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let (Some(a), Some(b)) = (left.first(), right.first()) {
                cx.tick()?;
                if compare(b, a).is_lt() {
                    merged.push(*b);
                    right = &right[1..];
                } else {
                    merged.push(*a);
                    left = &left[1..];
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(items, &mut merged);
        width *= 2;
    }
    Ok(())
}
