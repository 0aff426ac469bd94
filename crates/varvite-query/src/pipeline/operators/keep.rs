//! The operators of steps that pass on some of their rows: conditions, `dedup`, `sample`. Those of `limit`
//! and `skip` are in `cut`.

use std::any::Any;

use super::chain::{Operate, Stage, pull};
use super::condition::Condition;
use super::context::Context;
use super::cut::{Limit, Skip};
use super::key_table::KeyTable;
use super::lists::give_rows;
use super::node_numbers::{NodeNumbers, each_key};
use super::sort::{number_rows, sort};
use super::stop::Stop;
use crate::pipeline::plan::{Keep, KeyPlan};
use crate::pipeline::rows::Batch;

/// Makes the operator for a [`Keep`].
pub(crate) fn operator(plan: &Keep) -> Box<dyn Operate> {
    match plan {
        Keep::Dedup(by) => Box::new(Dedup::new(by.clone())),
        Keep::Limit(count) => Box::new(Limit::new(*count)),
        Keep::Skip(count) => Box::new(Skip::new(*count)),
        Keep::True(by) => Box::new(TrueRows::new(by.clone())),
        Keep::Sample { count, seed } => Box::new(Sample::new(*count, *seed)),
    }
}

/// The operator of `has`, `is`, `where` and other conditions.
#[derive(Debug)]
pub(crate) struct FilterOperator {
    condition: Condition,
    is_prepared: bool,
    rows: Vec<u32>,
}

impl FilterOperator {
    pub(crate) fn new(condition: Condition) -> Self {
        Self { condition, is_prepared: false, rows: Vec::new() }
    }
}

impl Operate for FilterOperator {
    fn prepare(&mut self, cx: &mut Context) -> Result<(), Stop> {
        if !std::mem::replace(&mut self.is_prepared, true) {
            self.condition.prepare(0, cx)?;
        }
        Ok(())
    }

    fn share(&mut self, other: &dyn Operate) {
        if let Some(other) = (other as &dyn Any).downcast_ref::<Self>() {
            self.condition.share(&other.condition);
            self.is_prepared = true;
        }
    }

    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        self.prepare(cx)?;
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            self.rows.clear();
            self.rows.extend(0..input.rows() as u32);
            self.condition.select(input, &mut self.rows, cx)?;
            if !self.rows.is_empty() {
                output.push_rows(input, &self.rows, cx.carried);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reset(&mut self) {}
}

/// The operator of `filter`.
#[derive(Debug)]
struct TrueRows {
    by: KeyPlan,
    /// The rows of the last input that pass, and the number of them that were given.
    rows: Vec<u32>,
    given: usize,
    held: usize,
}

impl TrueRows {
    fn new(by: KeyPlan) -> Self {
        Self { by, rows: Vec::new(), given: 0, held: 0 }
    }
}

impl Operate for TrueRows {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        while self.given == self.rows.len() {
            if !pull(before, cx)? {
                return Ok(false);
            }
            let Some(input) = before.last().map(|stage| &stage.output) else { return Ok(false) };
            let is_true = |row: &u32| self.by.number(input, *row as usize).is_some_and(|truth| truth != 0);
            self.given = 0;
            self.rows.clear();
            self.rows.extend((0..input.rows() as u32).filter(is_true));
        }
        let Some(input) = before.last().map(|stage| &stage.output) else { return Ok(false) };
        self.given += give_rows(input, &self.rows[self.given..], output, &mut self.held, cx)?;
        Ok(true)
    }

    fn reset(&mut self) {
        self.rows.clear();
        self.given = 0;
    }
}

/// The operator of `dedup`.
#[derive(Debug)]
struct Dedup {
    by: KeyPlan,
    numbers: NodeNumbers,
    seen: Option<KeyTable>,
    /// Whether a row without a key was kept.
    has_absent: bool,
    /// The number of the rows seen, if rows have numbers.
    number: Option<u32>,
    rows: Vec<u32>,
}

impl Dedup {
    fn new(by: KeyPlan) -> Self {
        let numbers = NodeNumbers::default();
        Self { by, numbers, seen: None, has_absent: false, number: None, rows: Vec::new() }
    }
}

impl Operate for Dedup {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        let seen = self.seen.get_or_insert_with(|| KeyTable::set(&self.by.column().meaning, cx.nodes));
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            let (mut row, mut found, mut outcome) = (0, 0, Ok(()));
            self.rows.resize(input.rows(), 0);
            let numbers = if cx.has_numbers { &input.depth[..] } else { &[] };
            each_key(&self.by, &mut self.numbers, input, |key| {
                let number = numbers.get(row as usize).copied();
                if number != self.number {
                    seen.clear();
                    (self.has_absent, self.number) = (false, number);
                }
                let is_new = match key.map(|key| seen.insert(key, cx.budget)) {
                    Some(Ok(is_new)) => is_new,
                    Some(Err(stop)) => {
                        outcome = Err(stop);
                        false
                    }
                    None => !std::mem::replace(&mut self.has_absent, true),
                };
                // The row is stored even if it is not new; in that case the next row overwrites it.
                self.rows[found] = row;
                (row, found) = (row + 1, found + usize::from(is_new));
            });
            outcome?;
            self.rows.truncate(found);
            if !self.rows.is_empty() {
                output.push_rows(input, &self.rows, cx.carried);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reset(&mut self) {
        self.seen.iter_mut().for_each(KeyTable::clear);
        (self.has_absent, self.number) = (false, None);
    }
}

/// The operator of `sample`: reservoir sampling (Vitter's algorithm R, 1985). It gives the drawn rows in the
/// order of the input.
#[derive(Debug)]
struct Sample {
    count: usize,
    seed: u64,
    /// The drawn rows, and the position of each in the input.
    drawn: Batch,
    numbers: Vec<u64>,
    /// The indexes of the drawn rows, sorted by `numbers`.
    order: Vec<u32>,
    given: usize,
    is_drawn: bool,
    held: usize,
}

impl Sample {
    fn new(count: u64, seed: u64) -> Self {
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(u32::MAX as usize);
        Self {
            count,
            seed,
            drawn: Batch::default(),
            numbers: Vec::new(),
            order: Vec::new(),
            given: 0,
            is_drawn: false,
            held: 0,
        }
    }

    fn draw(&mut self, before: &mut [Stage], cx: &mut Context) -> Result<(), Stop> {
        let (mut state, mut seen) = (self.seed, 0u64);
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            let kept = input.rows().min(self.count - self.numbers.len());
            self.drawn.make_room(input, 0..kept, &mut self.held, cx.budget)?;
            cx.budget.make_room(&mut self.numbers, kept, &mut self.held)?;
            for row in 0..input.rows() {
                let number = seen;
                seen += 1;
                if self.numbers.len() < self.count {
                    self.numbers.push(number);
                    self.drawn.push_row(input, row, cx.carried);
                    continue;
                }
                let place = below(&mut state, seen) as usize;
                if place < self.count {
                    self.numbers[place] = number;
                    self.drawn.replace_row(place, input, row, cx.carried);
                }
            }
        }
        number_rows(&mut self.order, self.numbers.len(), &mut self.held, cx)?;
        let numbers = &self.numbers;
        sort(&mut self.order, |a, b| numbers[*a as usize].cmp(&numbers[*b as usize]), cx)?;
        self.is_drawn = true;
        Ok(())
    }
}

impl Operate for Sample {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !self.is_drawn {
            self.draw(before, cx)?;
        }
        let end = self.order.len().min(self.given + cx.batch_rows);
        output.push_rows(&self.drawn, &self.order[self.given..end], cx.carried);
        let more = end > self.given;
        self.given = end;
        Ok(more)
    }

    fn reset(&mut self) {
        self.drawn.clear();
        self.numbers.clear();
        self.order.clear();
        (self.given, self.is_drawn) = (0, false);
    }
}

/// A random number less than `limit`: SplitMix64 (Steele, Lea and Flood, 2014), with Lemire's multiplication.
fn below(state: &mut u64, limit: u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((u128::from(mixed ^ mixed >> 31) * u128::from(limit)) >> 64) as u64
}
