//! [`Accumulator`]: computes an aggregate of the numbers of each group.
//!
//! The kind of aggregate and of numbers is tested once per batch, not once per number. Sums of whole numbers
//! have 128 bits, because a pipeline may give far more rows than the graph has nodes.

use super::context::Context;
use super::stop::Stop;
use super::tally::Numbers;
use crate::pipeline::plan::{Aggregate, PropertyPlan};

/// An aggregate of the numbers of each group.
#[derive(Debug)]
pub(super) struct Accumulator {
    aggregate: Aggregate,
    numbers: Numbers,
    groups: Groups,
    held: usize,
}

/// The state of each group: its sum, or the order key of its least or greatest number.
#[derive(Debug)]
enum Groups {
    Whole(Vec<State<i128>>),
    Float(Vec<State<f64>>),
    First(Vec<State<i64>>),
}

/// The count of a group's numbers, and their aggregate.
#[derive(Clone, Copy, Debug)]
struct State<T> {
    count: u64,
    value: T,
}

/// Rows to add: the number and the group of each row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grouped<'a> {
    /// The group of each row.
    pub(super) groups: &'a [u32],
    /// A bitmap of rows: bit `i % 64` of word `i / 64` is set if row `i` may be in a group other than the
    /// first.
    pub(super) keyed: &'a [u64],
    /// The number of each row.
    pub(super) numbers: &'a [i64],
    /// A bitmap of rows that have a number.
    pub(super) present: &'a [u64],
}

impl Accumulator {
    pub(super) fn new(aggregate: Aggregate, plan: &PropertyPlan) -> Self {
        let numbers = Numbers::of(&plan.meaning());
        let groups = match aggregate {
            Aggregate::Min | Aggregate::Max => Groups::First(Vec::new()),
            _ if numbers.is_float() => Groups::Float(Vec::new()),
            _ => Groups::Whole(Vec::new()),
        };
        Self { aggregate, numbers, groups, held: 0 }
    }

    /// Whether partial results can be merged in any order and still give the exact result.
    pub(super) fn is_exact(&self) -> bool {
        !matches!(self.groups, Groups::Float(_))
    }

    /// Adds a group without numbers.
    pub(super) fn add_group(&mut self, cx: &Context) -> Result<(), Stop> {
        let held = &mut self.held;
        match &mut self.groups {
            Groups::Whole(states) => push(states, 0, held, cx),
            Groups::Float(states) => push(states, 0.0, held, cx),
            Groups::First(states) => push(states, NO_NUMBER, held, cx),
        }
    }

    /// Adds numbers to existing groups.
    pub(super) fn add(&mut self, rows: Grouped<'_>) {
        let (numbers, flip) = (self.numbers, flip_of(self.aggregate));
        match &mut self.groups {
            Groups::Whole(states) => add(states, rows, |sum, number| sum + numbers.whole(number)),
            Groups::Float(states) => add(states, rows, |sum, number| sum + numbers.float(number)),
            Groups::First(states) if matches!(numbers, Numbers::Signed) => {
                add(states, rows, |first, number| first.min(number ^ flip));
            }
            Groups::First(states) if numbers.is_float() => add(states, rows, |first, number| {
                first.min(if numbers.is_nan(number) { NO_NUMBER } else { numbers.order_key(number) ^ flip })
            }),
            Groups::First(states) => {
                add(states, rows, |first, number| first.min(numbers.order_key(number) ^ flip));
            }
        }
    }

    /// Merges group `from` of another accumulator into `group`.
    pub(super) fn merge(&mut self, group: usize, other: &Self, from: usize) {
        match (&mut self.groups, &other.groups) {
            (Groups::Whole(own), Groups::Whole(other)) => merge(own, group, other, from, |a, b| a + b),
            (Groups::Float(own), Groups::Float(other)) => merge(own, group, other, from, |a, b| a + b),
            (Groups::First(own), Groups::First(other)) => merge(own, group, other, from, i64::min),
            _ => {}
        }
    }

    /// The result of a group. `None` if the aggregate is null because the group has no numbers.
    pub(super) fn result(&self, group: usize) -> Result<Option<i64>, Stop> {
        match &self.groups {
            Groups::Whole(states) => self.of_sum(states[group].count, states[group].value),
            Groups::Float(states) => Ok(self.of_float_sum(states[group])),
            Groups::First(states) => {
                let State { count, value } = states[group];
                let has_number = count > 0 && !(self.numbers.is_float() && value == NO_NUMBER);
                Ok(has_number.then(|| self.numbers.of_order_key(value ^ flip_of(self.aggregate))))
            }
        }
    }

    fn of_sum(&self, count: u64, sum: i128) -> Result<Option<i64>, Stop> {
        match (self.aggregate, self.numbers) {
            (Aggregate::Mean, _) => Ok((count > 0).then(|| (sum as f64 / count as f64).to_bits() as i64)),
            (_, Numbers::Unsigned) => Ok(Some(u64::try_from(sum).map_err(|_| Stop::Overflow)? as i64)),
            _ => Ok(Some(i64::try_from(sum).map_err(|_| Stop::Overflow)?)),
        }
    }

    fn of_float_sum(&self, State { count, value }: State<f64>) -> Option<i64> {
        match self.aggregate {
            Aggregate::Mean => (count > 0).then(|| (value / count as f64).to_bits() as i64),
            _ => Some(value.to_bits() as i64),
        }
    }

    /// Returns the accumulator's bytes to the budget. Called before the accumulator is dropped.
    pub(super) fn release(&mut self, cx: &Context) {
        cx.budget.give_back(std::mem::take(&mut self.held));
    }

    /// Removes all groups.
    pub(super) fn clear(&mut self) {
        match &mut self.groups {
            Groups::First(states) => states.clear(),
            Groups::Whole(states) => states.clear(),
            Groups::Float(states) => states.clear(),
        }
    }
}

/// The value of a group without numbers: no order key is greater. Among floats, only a NaN has this order
/// key, and a NaN is ignored.
const NO_NUMBER: i64 = i64::MAX;

/// A mask that reverses the order of keys if the aggregate is the greatest number.
fn flip_of(aggregate: Aggregate) -> i64 {
    if aggregate == Aggregate::Max { -1 } else { 0 }
}

fn push<T>(states: &mut Vec<State<T>>, value: T, held: &mut usize, cx: &Context) -> Result<(), Stop> {
    cx.budget.make_room(states, 1, held)?;
    states.push(State { count: 0, value });
    Ok(())
}

#[inline]
fn add<T: Copy>(states: &mut [State<T>], rows: Grouped<'_>, add: impl Fn(T, i64) -> T) {
    let words = rows.present.iter().zip(rows.keyed);
    let of_words = rows.numbers.chunks(64).zip(rows.groups.chunks(64));
    for ((present, keyed), (numbers, groups)) in words.zip(of_words) {
        if *keyed == 0 {
            // All rows are in the first group, so its value can stay in a register.
            let State { count, mut value } = states[0];
            for_each_bit(*present, numbers, |_, number| value = add(value, number));
            states[0] = State { count: count + u64::from(present.count_ones()), value };
        } else {
            for_each_bit(*present, numbers, |index, number| {
                let state = &mut states[groups[index] as usize];
                *state = State { count: state.count + 1, value: add(state.value, number) };
            });
        }
    }
}

/// Calls `visit` with the index of each set bit and the number at this index.
#[inline]
fn for_each_bit(mut word: u64, numbers: &[i64], mut visit: impl FnMut(usize, i64)) {
    if let (u64::MAX, Some(numbers)) = (word, numbers.first_chunk::<64>()) {
        return numbers.iter().enumerate().for_each(|(index, number)| visit(index, *number));
    }
    while word != 0 {
        let index = word.trailing_zeros() as usize;
        word &= word - 1;
        visit(index, numbers[index]);
    }
}

fn merge<T: Copy>(
    own: &mut [State<T>],
    group: usize,
    other: &[State<T>],
    from: usize,
    both: impl Fn(T, T) -> T,
) {
    let (own, other) = (&mut own[group], other[from]);
    *own = State { count: own.count + other.count, value: both(own.value, other.value) };
}
